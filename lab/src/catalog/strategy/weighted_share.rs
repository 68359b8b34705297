use super::knobs::{BUDGET, FASTEST, PAY_BACK, PREDICT};
use super::{Family, Inspect, StrategyEntry};
use crate::catalog::knob::{Knob, KnobValues, Scale};
use timeslicer::strategy::WeightedShare;
use timeslicer::time::Nanos;

/// An exponent of 1 minimises the largest weighted staleness of any task, and an exponent of 2 minimises the mean weighted
/// staleness. A task's weighted staleness is its weight times the time since its last run.
pub const SHARE_EXPONENT: Knob = Knob {
    key: "share-exponent",
    label: "Share exponent",
    min: 1.0,
    max: 4.0,
    default: 1.5,
    help: "At 1, the strategy minimises the worst weighted staleness. At 2, it minimises the mean. Values in between \
        are a compromise.",
    ..Knob::NUMBER
};

pub const EXPIRE: Knob = Knob {
    key: "expire-s",
    label: "Expire",
    max: 60.0,
    default: 3.0,
    scale: Scale::Logarithmic { from: 0.1 },
    help: "Tasks that have not run for this long have priority, but use at most half of the budget. Zero turns this \
        off.",
    ..Knob::SECONDS
};

pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "weighted-share",
    name: "Weighted share",
    family: Family::BySignificance,
    rule: "Divides the time budget among the tasks, and runs tasks more often if they matter more or cost less.",
    use_when: "Use it when there is more work than time, some tasks matter more than others, and updates must stay \
        within a budget.",
    avoid_when: "Avoid it when tasks need a fixed interval, or when the rest of the game should get the time that is \
        left over.",
    work: "tasks as long as they fit into the budget, at least one",
    guarantee: "how often a task runs depends on its weight and cost, and tasks that have waited for the expiry time \
        have priority",
    source: "Waldspurger and Weihl, \"Stride Scheduling\" (1995); Olston and Pandey (WWW 2008)",
    knobs: &[BUDGET, SHARE_EXPONENT, FASTEST, EXPIRE, PREDICT, PAY_BACK],
    make: || Box::new(WeightedShare::new(BUDGET.default_span().into())),
    published: None,
    options: &[
        ("share_exponent", &[SHARE_EXPONENT]),
        ("fastest", &[FASTEST]),
        ("expiry", &[EXPIRE]),
        ("prediction", &[PREDICT]),
        ("pay_back", &[PAY_BACK]),
    ],
};

impl Inspect for WeightedShare {
    fn elastic_clock(&self) -> Option<Nanos> {
        Self::elastic_clock(self).map(Nanos::from)
    }

    fn tune(&mut self, knobs: &KnobValues) {
        self.set_budget(knobs.span(&BUDGET).into());
        self.set_prediction(knobs.get(&PREDICT) > 0.0);
        self.set_pay_back(knobs.get(&PAY_BACK) > 0.0);
        self.set_share_exponent(knobs.get(&SHARE_EXPONENT));
        self.set_fastest(knobs.span(&FASTEST).into());
        self.set_expiry(knobs.span(&EXPIRE).into());
    }
}
