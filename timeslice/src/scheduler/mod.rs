//! What strategies are written with: the [`Tasks`], the [`UpdateContext`] that runs them, and collections of tasks: a
//! round-robin [`Ring`], a [`UniqueQueue`], an [`AgeList`], and a [`TaskSet`] for strategies that run all of them.
//!
//! Each collection takes births and deaths in constant time.

mod age_list;
mod context;
mod ring;
mod task_set;
mod tasks;
mod unique_queue;

pub use age_list::AgeList;
pub use context::{Runner, UpdateContext};
pub use ring::Ring;
pub use task_set::TaskSet;
pub use tasks::{Cohort, TaskId, Tasks};
pub use unique_queue::UniqueQueue;
