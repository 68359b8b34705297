use super::knobs::INTERVAL;
use super::{Family, Inspect, StrategyEntry};
use crate::catalog::knob::KnobValues;
use timeslicer::strategy::AllAtOnce;

pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "all-at-once",
    name: "All at once",
    family: Family::Periodic,
    rule: "Runs all tasks in one update, then none until the interval has passed.",
    use_when: "Use it when all tasks must see the same state of the world, and a single frame has time for all of them.",
    avoid_when: "Avoid it when frame times must be even, because every round of tasks causes a spike.",
    work: "all tasks in one update, none in the others",
    guarantee: "each task waits less than the interval plus one frame",
    source: "\"A simple way to spread game updates over several frames\" (article in Russian), the first approach",
    knobs: &[INTERVAL],
    make: || Box::new(AllAtOnce::new(INTERVAL.default_span().into())),
    published: None,
    options: &[],
};

impl Inspect for AllAtOnce {
    fn tune(&mut self, knobs: &KnobValues) {
        self.set_interval(knobs.span(&INTERVAL).into());
    }
}
