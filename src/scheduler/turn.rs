//! What a strategy is given to work with in one update.

use super::{TaskId, Tasks};
use crate::time::{Nanos, monotonic};

/// Runs tasks and tells the time: the game, or a lane of the laboratory.
///
/// A closure `FnMut(TaskId, Nanos)`, task and elapsed time, is a runner on the monotonic clock.
pub trait Runner {
    /// Runs `task`; `elapsed` is the game time since it last ran, or since its birth. The task may kill
    /// tasks (itself, too) and give birth to others in `tasks`, and it may ask for another run; the caller of
    /// the update tells the strategy of these afterwards, in the order in which they happened.
    fn run(&mut self, task: TaskId, elapsed: Nanos, tasks: &mut Tasks);

    /// The machine's clock, which goes on while tasks run.
    fn clock(&self) -> Nanos;
}

impl<F: FnMut(TaskId, Nanos)> Runner for F {
    fn run(&mut self, task: TaskId, elapsed: Nanos, _tasks: &mut Tasks) {
        self(task, elapsed);
    }

    fn clock(&self) -> Nanos {
        monotonic()
    }
}

/// One update, seen by a strategy: how much game time it advances, and the means to run tasks.
///
/// The turn keeps the books (who ran when, and how long after the last time), so that a strategy holds
/// nothing but its rule.
pub struct Turn<'a> {
    delta: Nanos,
    now: Nanos,
    tasks: &'a mut Tasks,
    runner: &'a mut dyn Runner,
}

impl<'a> Turn<'a> {
    /// The update that advances the game by `delta` to `now`.
    pub fn new(delta: Nanos, now: Nanos, tasks: &'a mut Tasks, runner: &'a mut dyn Runner) -> Self {
        Self {
            delta,
            now,
            tasks,
            runner,
        }
    }

    /// The game time that this update advances; it may be zero, and it may be many seconds.
    #[must_use]
    pub fn delta(&self) -> Nanos {
        self.delta
    }

    /// The game time after this update.
    #[must_use]
    pub fn now(&self) -> Nanos {
        self.now
    }

    /// The machine's clock. A read may cost as much as a small task: read it seldom.
    #[must_use]
    pub fn clock(&self) -> Nanos {
        self.runner.clock()
    }

    /// Runs `task`. False where it has died since the strategy was last told: then nothing ran.
    pub fn run(&mut self, task: TaskId) -> bool {
        let Some(elapsed) = self.tasks.ran(task, self.now) else {
            return false;
        };
        self.runner.run(task, elapsed, self.tasks);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dead_task_does_not_run() {
        let mut tasks = Tasks::new();
        let task = tasks.insert(Nanos::ZERO);
        tasks.remove(task);
        let mut runs = 0;
        let mut count = |_: TaskId, _: Nanos| runs += 1;
        let mut turn = Turn::new(Nanos::ZERO, Nanos::ZERO, &mut tasks, &mut count);
        assert!(!turn.run(task));
        assert_eq!(runs, 0);
    }
}
