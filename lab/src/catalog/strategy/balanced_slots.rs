use super::knobs::INTERVAL;
use super::{Family, Inspect, StrategyEntry};
use crate::catalog::knob::{Knob, KnobValues};
use timeslicer::strategy::BalancedSlots;

pub const SLOTS: Knob = Knob {
    key: "slots",
    label: "Slots",
    max: 600.0,
    default: 60.0,
    help: "Number of slots that the interval is divided into. Each slot runs its own tasks.",
    ..Knob::COUNT
};

pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "balanced-slots",
    name: "Balanced slots",
    family: Family::Periodic,
    rule: "Divides the interval into slots of equal estimated cost, and runs each slot when it is due.",
    use_when: "Use it when work repeats at a steady rate, costs vary widely, and every frame should take the same time.",
    avoid_when: "Avoid it when all tasks cost about the same, because measuring the cost of each run then brings no \
        benefit.",
    work: "tasks × delta / interval on average, at the same cost in each update",
    guarantee: "each task waits less than the interval plus one slot and one frame",
    source: "the scheduler of gdx-ai, which spreads tasks by phase",
    knobs: &[INTERVAL, SLOTS],
    make: || Box::<BalancedSlots>::default(),
    published: None,
    options: &[],
};

impl Inspect for BalancedSlots {
    fn tune(&mut self, knobs: &KnobValues) {
        self.set_interval(knobs.span(&INTERVAL).into());
        self.set_slots(knobs.get(&SLOTS) as usize);
    }
}
