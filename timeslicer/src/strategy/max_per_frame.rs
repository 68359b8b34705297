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

use super::{Guarantee, Strategy};
use crate::scheduler::{Ring, TaskId, UpdateContext, saved_as, saved_fields};

/// A strategy that runs a limited number of tasks in each update. The tasks take turns. The [module
/// documentation](self) describes the algorithm, and [`Timeslicer`](crate::Timeslicer) has an example of how a game
/// uses a strategy.
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

    /// Returns the maximum number of tasks that run in an update.
    pub fn max_tasks(&self) -> usize {
        self.max_tasks
    }

    /// Changes the maximum number of tasks that run in an update. Zero counts as one.
    pub fn set_max_tasks(&mut self, max_tasks: usize) {
        self.max_tasks = max_tasks.max(1);
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

    saved_as!("max-per-frame");

    fn guarantee(&self) -> Guarantee {
        Guarantee::Updates(self.tasks.len().div_ceil(self.max_tasks).max(1))
    }
}

saved_fields! { MaxPerFrame { tasks, waiting; except max_tasks } }
