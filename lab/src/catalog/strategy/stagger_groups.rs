use super::knobs::{AS_PUBLISHED, GROUPS};
use super::published::{Published, stagger_groups as published};
use super::{Family, Inspect, StrategyEntry};
use crate::catalog::knob::KnobValues;
use timeslicer::strategy::StaggerGroups;

pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "stagger-groups",
    name: "Stagger groups",
    family: Family::Periodic,
    rule: "Splits the tasks into groups and runs the next group in each update.",
    use_when: "Use it when each task should run once every n updates, however much game time passes in an update.",
    avoid_when: "Avoid it when the interval must stay the same in seconds, because it depends on the frame rate.",
    work: "one group: tasks / groups",
    guarantee: "with n groups, each task runs once every n updates",
    source: "a post on time-slicing with a stagger vector",
    knobs: &[GROUPS, AS_PUBLISHED],
    make: || Box::new(StaggerGroups::new(GROUPS.default as usize)),
    published: Some(Published {
        make: || Box::new(published::StaggerGroups::new(GROUPS.default as usize)),
        knobs: &[GROUPS],
        defect: "When the number of groups shrinks, the tasks of the last groups are lost and never run again.",
    }),
    options: &[],
};

impl Inspect for StaggerGroups {
    fn tune(&mut self, knobs: &KnobValues) {
        self.set_groups(knobs.get(&GROUPS) as usize);
    }
}
