//! The entity that has waited longest for a run.

use super::entity_info::name;
use crate::sim::machine::Machine;
use crate::stats::MeasuredLane;
use crate::text::format;
use timeslicer::scheduler::TaskId;
use timeslicer::time::{GameTime, Nanos};

/// The entity that has waited longest for a run, at some moment of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongestWait {
    pub task: TaskId,
    pub number: u64,
    /// Time of its last run, or of its birth if it has not run.
    pub since: GameTime,
    /// Time waited so far.
    pub waited: Nanos,
}

impl LongestWait {
    /// Returns the stalest entity of the lane, in constant time; `None` without entities.
    pub fn of<M: Machine>(lane: &MeasuredLane<M>) -> Option<Self> {
        let world = lane.world();
        let task = world.stalest()?;
        let since = world.tasks().last_run(task)?;
        Some(Self {
            task,
            number: world.entity(task)?.number,
            since,
            waited: lane.now() - since,
        })
    }

    pub fn name(&self) -> String {
        name(self.number)
    }

    /// Formats the start of the wait: `12.34 s`.
    pub fn since(&self) -> String {
        format::time(self.since.since_start().as_secs_f64())
    }

    /// Formats the length of the wait: `1.2 s`.
    pub fn waited(&self) -> String {
        format!("{} s", format::number(self.waited.as_secs_f64()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::ENTITIES;
    use crate::testing::lane;
    use crate::testing::recorded;

    #[test]
    fn longest_wait_is_the_oldest_last_run() {
        let mut lane = lane("max-per-frame", &[(&ENTITIES, 40.0)]);
        assert!(LongestWait::of(&lane).is_some(), "newborns wait, too");
        let history = recorded(&mut lane, 60);
        let wait = LongestWait::of(&lane).expect("there are entities");
        let tasks = lane.world().tasks();
        let oldest = tasks.iter().filter_map(|task| tasks.last_run(task)).min();
        assert_eq!(Some(wait.since), oldest);
        assert_eq!(tasks.last_run(wait.task), oldest);
        assert_eq!(wait.waited, lane.now() - wait.since);
        assert_eq!(wait.waited, lane.worst_staleness());
        let last = history.frames().back().expect("a frame");
        assert_eq!(last.stalest, Some(wait));
    }

    #[test]
    fn nothing_waits_without_entities() {
        let lane = lane("every-frame", &[(&ENTITIES, 0.0)]);
        assert_eq!(LongestWait::of(&lane), None);
    }
}
