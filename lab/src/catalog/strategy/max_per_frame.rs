use super::knobs::{AS_PUBLISHED, MAX_TASKS};
use super::published::Published;
use super::published::spread_updates::{Rule, SpreadUpdates};
use super::{Family, Inspect, StrategyEntry};
use crate::catalog::knob::KnobValues;
use timeslicer::strategy::MaxPerFrame;

pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "max-per-frame",
    name: "Max per frame",
    family: Family::Periodic,
    rule: "Runs the tasks in turn, up to a fixed number in each update.",
    use_when: "Use it when every frame should do the same amount of work, and tasks can wait.",
    avoid_when: "Avoid it when the interval must be steady, because it grows with the number of entities and depends \
        on the frame rate.",
    work: "at most the limit",
    guarantee: "each task runs again after tasks / limit updates",
    source: "\"A simple way to spread game updates over several frames\" (article in Russian), the second approach",
    knobs: &[MAX_TASKS, AS_PUBLISHED],
    make: || Box::new(MaxPerFrame::new(MAX_TASKS.default as usize)),
    published: Some(Published {
        make: || Box::new(SpreadUpdates::new(Rule::MaxPerFrame(1))),
        knobs: &[MAX_TASKS],
        defect: "When a task is removed, the cursor does not move back, so the next task may be skipped.",
    }),
    options: &[],
};

impl Inspect for MaxPerFrame {
    fn tune(&mut self, knobs: &KnobValues) {
        self.set_max_tasks(knobs.get(&MAX_TASKS) as usize);
    }
}
