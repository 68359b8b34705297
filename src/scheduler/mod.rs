//! What strategies are written with: the tasks, the turn that a strategy is given, and two orders to
//! keep tasks in: a round-robin [`Ring`] and a [`UniqueQueue`].

mod links;
mod ring;
mod tasks;
mod turn;
mod unique_queue;

pub use ring::Ring;
pub use tasks::{TaskId, Tasks};
pub use turn::{Runner, Turn};
pub use unique_queue::UniqueQueue;
