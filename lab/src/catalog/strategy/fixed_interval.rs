use super::knobs::{AS_PUBLISHED, CATCH_UP, INTERVAL};
use super::published::Published;
use super::published::spread_updates::{Rule, SpreadUpdates};
use super::{Family, Inspect, StrategyEntry};
use crate::catalog::knob::KnobValues;
use timeslicer::strategy::FixedInterval;

pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "fixed-interval",
    name: "Fixed interval",
    family: Family::Periodic,
    rule: "Runs just enough tasks in each update to run every task once per interval.",
    use_when: "Use it when tasks such as decisions and sensors should run at a steady rate, as in most games.",
    avoid_when: "Avoid it when tasks rarely have anything to do, or when the cost must not rise with the number of \
        entities.",
    work: "tasks × delta / interval, rounded up or down",
    guarantee: "each task waits less than the interval plus one frame",
    source: "\"A simple way to spread game updates over several frames\" (article in Russian), the accumulator",
    knobs: &[INTERVAL, CATCH_UP, AS_PUBLISHED],
    make: || Box::new(FixedInterval::new(INTERVAL.default_span().into())),
    published: Some(Published {
        make: || {
            Box::new(SpreadUpdates::new(Rule::FixedInterval(
                INTERVAL.default_span(),
            )))
        },
        knobs: &[INTERVAL],
        defect: "When a task is removed, the cursor does not move back, so the next task may be skipped.",
    }),
    options: &[("catch_up", &[CATCH_UP])],
};

impl Inspect for FixedInterval {
    fn tune(&mut self, knobs: &KnobValues) {
        self.set_interval(knobs.span(&INTERVAL).into());
        self.set_catch_up(knobs.get(&CATCH_UP) as u32);
    }
}
