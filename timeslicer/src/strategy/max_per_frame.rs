//! Max per frame: runs a limited number of tasks in each update. The tasks take turns.
//!
//! A cursor cycles through the tasks, and each update runs the next few. No task runs twice in one update, however high
//! the limit is.
//!
//! # When to use it
//!
//! Use it if every frame should do the same amount of work, and it does not matter how long a task waits. A task's
//! interval grows with the number of tasks and depends on the frame rate: with 400 tasks, 4 per update and 60 updates
//! per second, a task runs every 1.7 s. For a steady interval use [`FixedInterval`](super::FixedInterval).
//!
//! # Cost
//!
//! Each update runs no more tasks than the limit. A task waits for tasks / limit updates, rounded up.
//!
//! # If an update is stopped
//!
//! The next update begins with the first task that did not run.
//!
//! # Source
//!
//! "A simple way to spread game updates over several frames" (an article in Russian, "Простой способ распределить
//! обновления игры по нескольким фреймам"): the maximum number of tasks per frame.

use super::knobs::{AS_PUBLISHED, MAX_TASKS};
use super::published::{Published, spread_updates::SpreadUpdates};
use super::{Family, Guarantee, Inspect, Pattern, Strategy, StrategyEntry};
use crate::knob::KnobValues;
use crate::scheduler::{Ring, TaskId, UpdateContext};

/// The entry for [`MaxPerFrame`] in [`STRATEGIES`](super::STRATEGIES), the list of all strategies.
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
    known_from: "Comes from the limit of tasks per frame in \"A simple way to spread game updates over several \
        frames\".",
    source: "\"A simple way to spread game updates over several frames\" (article in Russian), the second approach",
    knobs: &[MAX_TASKS, AS_PUBLISHED],
    make: || Box::new(MaxPerFrame::new(MAX_TASKS.default as usize)),
    published: Some(Published {
        make: || Box::new(SpreadUpdates::max_per_frame(MAX_TASKS.default as usize)),
        knobs: &[MAX_TASKS],
        defect: "When a task is removed, the cursor does not move back, so the next task may be skipped.",
    }),
    constructor: "MaxPerFrame::new({max-tasks})",
};

/// A strategy that runs a limited number of tasks in each update. The tasks take turns. The [module
/// documentation](self) describes the algorithm.
///
/// See [`Timeslicer`](crate::Timeslicer) for an example of how a game uses a strategy.
///
/// ```
/// use timeslicer::strategy::MaxPerFrame;
/// let strategy = MaxPerFrame::new(4);
/// ```
#[derive(Clone, Debug)]
pub struct MaxPerFrame {
    max_tasks: usize,
    tasks: Ring,
    /// The number of tasks that should have run in the last update but did not, because the update was stopped.
    waiting: usize,
}

impl MaxPerFrame {
    /// Creates a strategy that runs at most `max_tasks` tasks in each update. Zero counts as one.
    pub fn new(max_tasks: usize) -> Self {
        Self {
            max_tasks: max_tasks.max(1),
            tasks: Ring::default(),
            waiting: 0,
        }
    }
}

impl Strategy for MaxPerFrame {
    fn insert(&mut self, task: TaskId) {
        self.tasks.insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.tasks.remove(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let count = self.max_tasks.min(self.tasks.len());
        self.waiting = count - context.run_turns(&mut self.tasks, count);
    }

    fn backlog(&self) -> usize {
        self.waiting.min(self.tasks.len())
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Updates(self.tasks.len().div_ceil(self.max_tasks).max(1))
    }
}

impl Inspect for MaxPerFrame {
    fn pattern(&self) -> Option<Pattern> {
        Some(Pattern::AtMost(self.max_tasks))
    }

    fn tune(&mut self, knobs: &KnobValues) {
        self.max_tasks = knobs.get(&MAX_TASKS) as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::testing::TestWorld;
    use crate::time::Nanos;

    const FRAME: Nanos = Nanos::from_millis(16);

    #[test]
    fn four_tasks_run_per_update_in_turn() {
        let mut world = TestWorld::new(MaxPerFrame::new(4), 6);
        assert_eq!(world.update(FRAME), [0, 1, 2, 3]);
        assert_eq!(world.update(FRAME), [4, 5, 0, 1]);
        assert_eq!(world.update(FRAME), [2, 3, 4, 5]);
    }

    #[test]
    fn a_death_skips_a_turn_only_as_published() {
        fn turns_around_a_death(strategy: impl Inspect) -> (Vec<u32>, Option<u64>) {
            let mut world = TestWorld::new(strategy, 6);
            let mut ran = Vec::new();
            for update in 0..6 {
                if update == 3 {
                    world.death(0);
                }
                ran.extend(world.update(Nanos::from_millis(16)));
            }
            (ran, world.strategy.defect().map(|defect| defect.count))
        }
        let ours = turns_around_a_death(MaxPerFrame::new(1));
        assert_eq!(ours, (vec![0, 1, 2, 3, 4, 5], None));
        let published = turns_around_a_death(SpreadUpdates::max_per_frame(1));
        assert_eq!(published, (vec![1, 2, 3, 5, 1, 2], Some(1)));
    }
}
