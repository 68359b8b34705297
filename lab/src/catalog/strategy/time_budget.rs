use super::knobs::{AS_PUBLISHED, BUDGET, PAY_BACK, PREDICT};
use super::published::{Published, timeslice_update};
use super::{Family, Inspect, StrategyEntry};
use crate::catalog::knob::KnobValues;
use timeslicer::strategy::TimeBudget;

pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "time-budget",
    name: "Time budget",
    family: Family::OnRequest,
    rule: "Runs requested tasks, oldest request first, until the time budget of the update is spent.",
    use_when: "Use it when many requests can arrive at once, and the frame rate matters more than the delay.",
    avoid_when: "Avoid it when work needs a steady interval, or when requests keep arriving faster than the budget can \
        serve them.",
    work: "requested tasks as long as they fit into the budget, at least one",
    guarantee: "a request behind n others is served within n + 1 updates",
    source: "\"Sweet Snippet: Timeslice Update\" (article in Chinese), the unique queue",
    knobs: &[BUDGET, PREDICT, PAY_BACK, AS_PUBLISHED],
    make: || Box::new(TimeBudget::new(BUDGET.default_span().into())),
    published: Some(Published {
        make: || Box::new(timeslice_update::TimeBudget::new(BUDGET.default_span())),
        knobs: &[BUDGET],
        defect: "The clock is read twice for each task, the time between two tasks is not counted, and the last task overruns the budget.",
    }),
    options: &[("prediction", &[PREDICT]), ("pay_back", &[PAY_BACK])],
};

impl Inspect for TimeBudget {
    fn tune(&mut self, knobs: &KnobValues) {
        self.set_budget(knobs.span(&BUDGET).into());
        self.set_prediction(knobs.get(&PREDICT) > 0.0);
        self.set_pay_back(knobs.get(&PAY_BACK) > 0.0);
    }
}
