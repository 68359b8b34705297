//! What strategies are written with: the tasks, the turn that a strategy is given, and what to keep tasks in: a
//! round-robin [`Ring`], a [`UniqueQueue`], and a [`Roster`] for who runs all of them.

mod age_list;
mod context;
mod ring;
mod task_set;
mod tasks;
mod unique_queue;

pub use age_list::Line;
pub use context::{Runner, Turn};
pub use ring::Ring;
pub use task_set::Roster;
pub use tasks::{TaskId, Tasks, Together};
pub use unique_queue::UniqueQueue;
