use super::knobs::{BUDGET, FASTEST, PAY_BACK, PREDICT, SLOWEST};
use super::{Family, Inspect, StrategyEntry};
use crate::catalog::knob::KnobValues;
use timeslicer::strategy::EarliestDeadline;
use timeslicer::time::Nanos;

pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "earliest-deadline",
    name: "Earliest deadline",
    family: Family::BySignificance,
    rule: "Runs the due tasks within the budget, earliest deadline first, and stretches all intervals by the same \
        factor in an overload.",
    use_when: "Use it when a task's deadline depends on how much it matters, and an overload should stretch all \
        intervals in proportion.",
    avoid_when: "Avoid it when spare time should be used to keep the crowd fresh, because this strategy never runs a \
        task before the task is due.",
    work: "as many due tasks as fit into the budget, at least one",
    guarantee: "if not all due tasks fit, all intervals grow by the same factor",
    source: "Liu and Layland (1973), earliest deadline first; Buttazzo, Lipari and Abeni (1998), elastic tasks",
    knobs: &[BUDGET, FASTEST, SLOWEST, PREDICT, PAY_BACK],
    make: || Box::new(EarliestDeadline::new(BUDGET.default_span().into())),
    published: None,
    options: &[
        ("intervals", &[FASTEST, SLOWEST]),
        ("prediction", &[PREDICT]),
        ("pay_back", &[PAY_BACK]),
    ],
};

impl Inspect for EarliestDeadline {
    fn elastic_clock(&self) -> Option<Nanos> {
        Some(Self::elastic_clock(self).into())
    }

    fn tune(&mut self, knobs: &KnobValues) {
        self.set_budget(knobs.span(&BUDGET).into());
        self.set_prediction(knobs.get(&PREDICT) > 0.0);
        self.set_pay_back(knobs.get(&PAY_BACK) > 0.0);
        self.set_intervals(knobs.span(&FASTEST).into(), knobs.span(&SLOWEST).into());
    }
}
