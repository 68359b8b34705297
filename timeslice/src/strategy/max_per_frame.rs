//! Round robin, a limited number of tasks an update.

use super::{Pattern, Promise, Strategy, StrategyEntry};
use crate::knob::{Knob, KnobValues, Scale};
use crate::scheduler::{Ring, TaskId, UpdateContext};

/// The most tasks that run in one update.
pub const MAX_TASKS: Knob = Knob {
    key: "max-tasks",
    label: "Max tasks",
    unit: "",
    min: 1.0,
    max: 100_000.0,
    default: 4.0,
    scale: Scale::Logarithmic { from: 1.0 },
    whole: true,
    help: "The most tasks that run in one update.",
};

/// The registry's entry.
pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "max-per-frame",
    name: "Max per frame",
    rule: "Runs the next few tasks in turn, a limited number in each update.",
    source: "the article on spreading updates, its second remedy",
    knobs: &[MAX_TASKS],
    make: || Box::new(MaxPerFrame::new(MAX_TASKS.default as usize)),
};

/// Goes round the tasks, a fixed number of them in each update: the load is level, but a task's interval depends on
/// the number of tasks and on the frame rate.
///
/// A task waits for (tasks / maximum, rounded up) updates. No task runs twice in one update, however large the
/// maximum.
///
/// ```
/// use timeslice::scheduler::{TaskId, Tasks, UpdateContext};
/// use timeslice::strategy::{MaxPerFrame, Strategy};
/// use timeslice::time::{GameTime, Nanos};
///
/// let (mut tasks, mut now) = (Tasks::new(), GameTime::START);
/// let mut strategy = MaxPerFrame::new(4);
/// for _ in 0..6 {
///     strategy.insert(tasks.insert(now));
/// }
/// let runs = [(); 2].map(|()| {
///     let mut runs = 0;
///     let mut count = |_: TaskId, _: Nanos| runs += 1;
///     let delta = Nanos::from_millis(16);
///     now += delta;
///     strategy.update(&mut UpdateContext::new(delta, now, &mut tasks, &mut count));
///     runs
/// });
/// assert_eq!(runs, [4, 4]);
/// ```
#[derive(Clone, Debug)]
pub struct MaxPerFrame {
    max_tasks: usize,
    tasks: Ring,
}

impl MaxPerFrame {
    /// Runs at most `max_tasks` tasks in an update, and at least one.
    #[must_use]
    pub fn new(max_tasks: usize) -> Self {
        Self {
            max_tasks: max_tasks.max(1),
            tasks: Ring::new(),
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
        let (mut runs_left, mut turns_left) = (self.max_tasks, self.tasks.len());
        while runs_left > 0 && turns_left > 0 {
            let turns = self.tasks.next_turns(runs_left.min(turns_left));
            turns_left -= turns.len();
            runs_left -= context.run_slice(turns); // dead tasks take no turn
        }
    }

    fn pattern(&self) -> Option<Pattern> {
        Some(Pattern::AtMost(self.max_tasks))
    }

    fn promise(&self) -> Promise {
        Promise::Updates(self.tasks.len().div_ceil(self.max_tasks).max(1))
    }

    fn tune(&mut self, knobs: &KnobValues) {
        self.max_tasks = knobs.get(&MAX_TASKS) as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::test_world::TestWorld;
    use crate::time::Nanos;

    const FRAME: Nanos = Nanos::from_millis(16);

    #[test]
    fn it_goes_round_four_at_a_time() {
        let mut world = TestWorld::new(MaxPerFrame::new(4), 6);
        assert_eq!(world.update(FRAME), [0, 1, 2, 3]);
        assert_eq!(world.update(FRAME), [4, 5, 0, 1]);
        assert_eq!(world.update(FRAME), [2, 3, 4, 5]);
    }

    #[test]
    fn with_one_a_frame_each_runs_every_fifth_frame_of_five() {
        let mut world = TestWorld::new(MaxPerFrame::new(1), 5);
        let ran: Vec<u32> = (0..10).flat_map(|_| world.update(FRAME)).collect();
        assert_eq!(ran, [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
    }

    #[test]
    fn no_task_runs_twice_though_the_maximum_exceeds_the_tasks() {
        let mut world = TestWorld::new(MaxPerFrame::new(10), 3);
        assert_eq!(world.update(FRAME), [0, 1, 2]);
        assert_eq!(world.update(FRAME), [0, 1, 2]);
    }

    #[test]
    fn the_interval_grows_with_the_number_of_tasks() {
        let mut world = TestWorld::new(MaxPerFrame::new(4), 400);
        assert_eq!(world.strategy.promise(), Promise::Updates(100));
        for _ in 0..100 {
            world.birth();
        }
        assert_eq!(world.strategy.promise(), Promise::Updates(125));
    }

    #[test]
    fn one_killed_in_this_update_takes_nobodys_turn() {
        let mut world = TestWorld::new(MaxPerFrame::new(2), 4);
        world.murders = vec![(world.tasks.at(0).unwrap(), world.tasks.at(1).unwrap())];
        assert_eq!(world.update(FRAME), [0, 2]);
        assert_eq!(world.update(FRAME), [3, 0]);
    }
}
