//! Every frame: runs all tasks in every update. This is the baseline for all other strategies.
//!
//! # When to use it
//!
//! Use it for work that must be current in every frame, or that is too cheap to be worth spreading. Otherwise the frame
//! time grows with the number of tasks: 2,000 tasks of 10 µs take 20 ms, which is more than a whole frame at 60 Hz.
//!
//! # Cost
//!
//! All tasks run in every update, so a task waits for one update.
//!
//! # If an update is stopped
//!
//! The next update begins with the first task that did not run.
//!
//! # Source
//!
//! The articles that describe the other strategies start from this one.

use super::{Guarantee, Strategy};
use crate::scheduler::{Ring, TaskId, UpdateContext, saved_as, saved_fields};

/// A strategy that runs every task in every update. The [module documentation](self) describes the algorithm.
///
/// See [`Timeslicer`](crate::Timeslicer) for an example of how a game uses a strategy.
///
/// ```
/// use timeslicer::strategy::EveryFrame;
/// let strategy = EveryFrame::new();
/// ```
#[derive(Clone, Debug)]
pub struct EveryFrame {
    tasks: Ring,
    /// The number of tasks that should have run in the last update but did not, because the update was stopped.
    waiting: usize,
}

impl EveryFrame {
    /// Creates a new strategy without any tasks.
    pub fn new() -> Self {
        Self {
            tasks: Ring::default(),
            waiting: 0,
        }
    }
}

impl Strategy for EveryFrame {
    fn insert(&mut self, task: TaskId) {
        self.tasks.insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.tasks.remove(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let count = self.tasks.len();
        self.waiting = count - context.run_turns(&mut self.tasks, count);
    }

    fn backlog(&self) -> usize {
        self.waiting.min(self.tasks.len())
    }

    saved_as!("every-frame");

    fn guarantee(&self) -> Guarantee {
        Guarantee::Updates(1)
    }
}

saved_fields! { EveryFrame { tasks, waiting } }
