use super::knobs::INTERVAL;
use super::{Family, Inspect, StrategyEntry};
use crate::catalog::knob::KnobValues;
use timeslicer::strategy::RandomPhase;

pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "random-phase",
    name: "Random phase",
    family: Family::Periodic,
    rule: "Runs each task once per interval, at a random phase of the interval that the task keeps for life.",
    use_when: "Use it when a task's turns must not depend on any other task, or to see what this common trick costs.",
    avoid_when: "Avoid it when every frame should take the same time, because random phases put more tasks into some \
        frames than into others.",
    work: "tasks × delta / interval on average, but always more in some parts of the interval",
    guarantee: "each task waits less than the interval plus one frame",
    source: "the line `if (tick + hash(id)) % interval == 0`, as in RimWorld and GregTech",
    knobs: &[INTERVAL],
    make: || Box::<RandomPhase>::default(),
    published: None,
    options: &[],
};

impl Inspect for RandomPhase {
    fn tune(&mut self, knobs: &KnobValues) {
        self.set_interval(knobs.span(&INTERVAL).into());
    }

    fn set_seed(&mut self, seed: u64) -> bool {
        self.set_seed(seed);
        true
    }
}
