//! What strategies are written with: the tasks, the turn that a strategy is given, and what to keep tasks in: a
//! round-robin [`Ring`], a [`UniqueQueue`], and a [`TaskSet`] for who runs all of them.

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
