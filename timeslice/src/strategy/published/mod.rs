//! The strategies as their articles published them, with the articles' defects.
//!
//! Use the strategies of the [registry](super::STRATEGIES) in a game. A published form is a reference: benches compare
//! its cost with ours, tests check that both run the same tasks while no task dies, and Timeslice Lab shows its defect.
//!
//! A [`Form`] belongs to a game that implements [`Units`]. It keeps its own lists, some of which are searched, and runs
//! tasks that keep the time of their last run themselves. Where an article leaves something open, the form does the
//! cheapest thing: its lists hold task ids, not references to objects on the heap.

pub mod all_at_once;
pub mod every_frame;
pub mod fixed_interval;
pub mod max_per_frame;
pub mod request_list;
pub mod stagger_groups;
pub mod time_budget;
mod turn_list;
mod unique_queue;

use crate::scheduler::TaskId;
use crate::time::{ClockTime, Nanos};

/// The game that a published form belongs to.
pub trait Units {
    /// Runs a task that keeps the time of its last run itself.
    fn update(&mut self, unit: TaskId);

    /// Runs a task with the time elapsed since the last run of its group.
    fn act(&mut self, unit: TaskId, elapsed: Nanos);

    /// Returns true if the task has died, though a list may still contain it.
    fn is_dead(&self, unit: TaskId) -> bool;

    /// Reads the clock.
    fn realtime(&self) -> ClockTime;
}

/// A published algorithm.
pub trait Form {
    /// Adds a newborn task.
    fn insert(&mut self, unit: TaskId);

    /// Removes a dead task.
    fn remove(&mut self, unit: TaskId);

    /// Requests a run of a task.
    fn request(&mut self, _unit: TaskId) {}

    /// Makes one update, `delta` after the last.
    fn update<U: Units>(&mut self, delta: Nanos, units: &mut U);

    /// Returns the number of requested tasks that have not run yet.
    fn backlog(&self) -> usize {
        0
    }
}
