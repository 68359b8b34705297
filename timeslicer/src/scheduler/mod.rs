//! The building blocks of strategies. [`Tasks`] holds the living tasks, and [`UpdateContext`] runs tasks in an update.
//!
//! A strategy passes many tasks at once to [`UpdateContext::run`], because this is faster than one call per task.
//! [`UpdateContext::run_turns`] runs tasks that take turns, and [`UpdateContext::run_round`] runs all tasks. A strategy
//! with a time budget uses an [`Admission`], which learns what each task costs, and runs its tasks with
//! [`TimeSlice::run`].
//!
//! The module also contains collections of task ids: a [`Ring`] of tasks that take turns, a [`UniqueQueue`] without
//! duplicates, an [`AgeList`], a [`PriorityQueue`] that orders tasks by a key, and a [`TaskSet`] for strategies that run
//! every task. Each collection inserts and removes tasks in amortized constant time, except for the [`PriorityQueue`],
//! which may take logarithmic time.
//!
//! A game that has no time left can stop an update ([`Runner::has_time_for`]). In its next update, the strategy
//! continues with the first task that did not run.

mod admission;
mod age_list;
mod context;
mod deadlines;
mod estimates;
mod priority_queue;
mod ring;
#[cfg(feature = "serde")]
mod saved;
mod strides;
mod task_set;
mod tasks;
mod unique_queue;

pub(crate) use admission::budget_setters;
pub use admission::{Admission, TimeSlice};
pub use age_list::AgeList;
pub use context::{BatchProgress, Runner, UpdateContext};
pub use deadlines::Deadlines;
pub use estimates::Estimates;
pub use priority_queue::PriorityQueue;
pub use ring::Ring;
#[cfg(feature = "serde")]
pub use saved::SavedState;
#[cfg(feature = "serde")]
pub(crate) use saved::{Saved, saved_as, saved_fields};
pub use strides::Strides;
pub use task_set::TaskSet;
pub use tasks::{TaskId, Tasks};
pub use unique_queue::UniqueQueue;

/// Without the feature `serde`, nothing is saved.
#[cfg(not(feature = "serde"))]
macro_rules! saved_fields {
    ($($fields:tt)*) => {};
}
#[cfg(not(feature = "serde"))]
pub(crate) use {saved_fields, saved_fields as saved_as};
