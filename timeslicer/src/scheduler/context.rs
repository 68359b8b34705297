//! The interface between strategies and games. In each update, a strategy runs tasks with an [`UpdateContext`], which
//! calls the [`Runner`] that the game implements.

use super::{Ring, TaskId, TaskSet, Tasks};
use crate::time::{ClockTime, GameTime, Nanos, monotonic};

/// Runs tasks and reads the machine's clock. A game implements this trait.
///
/// Every `FnMut(TaskId, Nanos)` closure is also a runner. Its arguments are the task and the game time since the task's
/// last run.
pub trait Runner {
    /// Runs `task`. `elapsed` is the game time since the task's last run, or since its birth if it has never run.
    ///
    /// A running task may insert tasks, remove tasks (itself included) and request runs. The game reports these events
    /// to the strategy after the update, in the order they occurred.
    fn run(&mut self, task: TaskId, elapsed: Nanos, tasks: &mut Tasks);

    /// Reads the machine's clock. Unlike game time, this clock advances while a task runs. By default, it is
    /// [`monotonic`].
    fn clock(&self) -> ClockTime {
        monotonic()
    }

    /// Returns whether the game has time left to run `task`. If it returns false, the update is stopped: neither `task`
    /// nor any later task runs, and the strategy continues with `task` in its next update.
    ///
    /// By default, there is time for every task. Override this method to limit how long a frame takes. If it always
    /// returns false, no task ever runs. This method may be called for a task that has already died.
    fn has_time_for(&self, _task: TaskId) -> bool {
        true
    }

    /// Returns how much `task` matters now, from 0 to 1. Only strategies that run important tasks more often call this
    /// method. Such a strategy calls it when it schedules a task, and in each update for some of the waiting tasks, but
    /// never for a dead task.
    ///
    /// By default, every task has weight 1. Negative numbers and NaN count as 0, and numbers above 1 count as 1.
    fn weight(&self, _task: TaskId) -> f64 {
        1.0
    }

    /// Returns true if a task that is due must not run, because the game has already run it in this update without the
    /// strategy. `elapsed` is the game time since the task's last run. By default, every due task runs.
    fn skips(&self, _elapsed: Nanos) -> bool {
        false
    }

    /// Runs the tasks of `batch` in order while the game has time, and skips dead tasks. `now` is the game time after
    /// this update.
    ///
    /// The loop over the batch is in this trait and not in [`UpdateContext`], so that the compiler compiles it
    /// separately for each runner. As a result, each batch needs only one dynamic call instead of one per task. In
    /// addition, the compiler can remove the calls of `has_time_for` for a runner in which this method always returns
    /// true.
    fn run_batch(&mut self, batch: &[TaskId], now: GameTime, tasks: &mut Tasks) -> BatchProgress {
        let mut runs = 0;
        for (taken, &task) in batch.iter().enumerate() {
            if !self.has_time_for(task) {
                return BatchProgress { taken, runs };
            }
            if let Some(elapsed) = tasks.ran(task, now)
                && !self.skips(elapsed)
            {
                self.run(task, elapsed, tasks);
                runs += 1;
            }
        }
        let taken = batch.len();
        BatchProgress { taken, runs }
    }
}

/// How many tasks of a batch have been handled, and how many of them ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchProgress {
    /// The number of tasks that have been handled: those that ran, and those that had died and were skipped.
    pub taken: usize,
    /// The number of tasks that ran.
    pub runs: usize,
}

impl<F: FnMut(TaskId, Nanos)> Runner for F {
    fn run(&mut self, task: TaskId, elapsed: Nanos, _tasks: &mut Tasks) {
        self(task, elapsed);
    }
}

/// The context of one update: the game time, and methods that run tasks. The context records when each task ran and
/// passes each task its elapsed time, so a strategy has to decide only which tasks run.
///
/// ```
/// use timeslicer::scheduler::{TaskId, Tasks, UpdateContext};
/// use timeslicer::time::{GameTime, Nanos};
///
/// let mut tasks = Tasks::new();
/// let [alive, dead] = [(); 2].map(|()| tasks.insert(GameTime::START));
/// tasks.remove(dead);
///
/// let delta = Nanos::from_millis(16);
/// let now = GameTime::START + delta;
/// let mut think = |task: TaskId, elapsed: Nanos| assert_eq!((task, elapsed), (alive, delta));
/// let mut context = UpdateContext::new(delta, now, &mut tasks, &mut think);
/// assert_eq!(context.run(&[alive, dead]).runs, 1);
/// ```
pub struct UpdateContext<'a> {
    delta: Nanos,
    now: GameTime,
    tasks: &'a mut Tasks,
    runner: &'a mut dyn Runner,
    stopped: bool,
    /// The most time that a strategy with a budget spends in this update, even if its own budget is larger.
    pub(crate) limit: Nanos,
    /// The time that other work in this update has already used. It counts towards `limit`.
    pub(crate) spent: Nanos,
}

impl<'a> UpdateContext<'a> {
    /// Creates the context of an update that advances the game by `delta`, so that the game time becomes `now`.
    pub fn new(
        delta: Nanos,
        now: GameTime,
        tasks: &'a mut Tasks,
        runner: &'a mut dyn Runner,
    ) -> Self {
        Self {
            delta,
            now,
            tasks,
            runner,
            stopped: false,
            limit: Nanos::MAX,
            spent: Nanos::ZERO,
        }
    }

    /// Returns how much game time passes in this update. This is usually the length of a frame. It can be zero, and
    /// after a stall it can be many seconds.
    pub fn delta(&self) -> Nanos {
        self.delta
    }

    /// Returns the game time at the end of this update.
    pub fn now(&self) -> GameTime {
        self.now
    }

    /// Reads the machine's clock. Reading it may take as long as a small task, so read it rarely.
    pub fn clock(&self) -> ClockTime {
        self.runner.clock()
    }

    /// Returns true if the game has stopped this update because it has no time left for the next task
    /// ([`Runner::has_time_for`]). No more tasks run in this update, and the strategy must begin its next update with
    /// the task that did not run.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Asks the game how much `task` matters now ([`Runner::weight`]). Returns a number from 0 to 1, which is 0 for a
    /// dead task.
    pub fn weight(&self, task: TaskId) -> f64 {
        if !self.tasks.contains(task) {
            return 0.0;
        }
        let weight = self.runner.weight(task);
        // A comparison with NaN is false, so NaN becomes 0.
        if weight > 0.0 { weight.min(1.0) } else { 0.0 }
    }

    /// Returns the weights of the first `COUNT` tasks in `tasks`. The weight of a dead task is 0. If `tasks` contains
    /// fewer than `COUNT` tasks, the rest of the array is filled with zeros.
    pub fn weights<const COUNT: usize>(&self, tasks: &[TaskId]) -> [f64; COUNT] {
        let mut weights = [0.0; COUNT];
        for (weight, &task) in weights.iter_mut().zip(tasks) {
            *weight = self.weight(task);
        }
        weights
    }

    /// Returns the living tasks, with the time of each task's last run.
    pub fn tasks(&self) -> &Tasks {
        self.tasks
    }

    /// Returns the game time since the last run of `task`, or [`Nanos::MAX`] if the task is dead.
    pub(crate) fn age(&self, task: TaskId) -> Nanos {
        let last_run = self.tasks.last_run(task);
        last_run.map_or(Nanos::MAX, |last_run| self.now - last_run)
    }

    /// Runs the living tasks in `tasks` in order. Returns how many tasks have been handled, and how many of them ran.
    /// If the update is stopped, [`BatchProgress::taken`] is the index of the first task that has not been handled.
    ///
    /// This method does not read the clock. If a strategy has to know the cost of a run, it uses an
    /// [`Admission`](super::Admission), or reads [`UpdateContext::clock`] before and after the run.
    pub fn run(&mut self, tasks: &[TaskId]) -> BatchProgress {
        if self.stopped {
            return BatchProgress::default();
        }
        let turns = self.runner.run_batch(tasks, self.now, self.tasks);
        self.stopped = turns.taken < tasks.len();
        turns
    }

    /// Runs the next `count` tasks of `ring`. Returns the number of tasks that have been handled. If the update is
    /// stopped, the tasks that did not run keep their turns, so they are first in the next update.
    pub fn run_turns(&mut self, ring: &mut Ring, count: usize) -> usize {
        let mut all = 0;
        while !self.stopped {
            let next = ring.next_turns(count - all);
            if next.is_empty() {
                break;
            }
            let taken = self.run(next).taken;
            ring.take_turns(taken);
            all += taken;
        }
        all
    }

    /// Runs each task of a set once. If the update is stopped, the next call runs the tasks that have not run yet.
    /// Otherwise, the next call runs all tasks again.
    pub fn run_round(&mut self, set: &mut TaskSet) {
        let done = set.done.unwrap_or(0);
        let taken = self.run(&set.tasks[done..]).taken;
        set.done = self.stopped.then_some(done + taken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game that returns an invalid weight.
    struct Odd(f64);

    impl Runner for Odd {
        fn run(&mut self, _task: TaskId, _elapsed: Nanos, _tasks: &mut Tasks) {}

        fn weight(&self, _task: TaskId) -> f64 {
            self.0
        }
    }

    #[test]
    fn weights_are_from_0_to_1() {
        let mut tasks = Tasks::new();
        let [alive, dead] = [(); 2].map(|()| tasks.insert(GameTime::START));
        tasks.remove(dead);
        let odd = [f64::NAN, -1.0, f64::NEG_INFINITY, 0.25, 7.0, f64::INFINITY];
        let weights = odd.map(|weight| {
            let mut game = Odd(weight);
            let context = UpdateContext::new(Nanos::ZERO, GameTime::START, &mut tasks, &mut game);
            context.weights(&[dead, alive])
        });
        let expected = [0.0, 0.0, 0.0, 0.25, 1.0, 1.0];
        assert_eq!(weights, expected.map(|weight| [0.0, weight, 0.0]));
    }
}
