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
//! The next update runs the tasks that did not run.
//!
//! # Source
//!
//! The articles that describe the other strategies start from this one.

use super::{Guarantee, Strategy};
use crate::scheduler::{TaskId, TaskSet, UpdateContext, saved_as, saved_fields};

/// A strategy that runs every task in every update. The [module documentation](self) describes the algorithm, and
/// [`Timeslicer`](crate::Timeslicer) has an example of how a game uses a strategy.
///
/// ```
/// use timeslicer::strategy::EveryFrame;
/// let strategy = EveryFrame::new();
/// ```
#[derive(Clone, Debug)]
pub struct EveryFrame {
    tasks: TaskSet,
}

impl EveryFrame {
    /// Creates a new strategy without any tasks.
    pub fn new() -> Self {
        Self {
            tasks: TaskSet::default(),
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
        context.run_round(&mut self.tasks);
    }

    fn backlog(&self) -> usize {
        self.tasks.backlog()
    }

    saved_as!("every-frame");

    fn guarantee(&self) -> Guarantee {
        Guarantee::Updates(1)
    }
}

saved_fields! { EveryFrame { tasks } }
