//! What strategies are written with: the tasks, the turn that a strategy is given, and what to keep tasks in: a
//! round-robin [`Ring`], a [`UniqueQueue`], and a [`Roster`] for who runs all of them.

mod line;
mod ring;
mod roster;
mod tasks;
mod turn;
mod unique_queue;

pub use line::Line;
pub use ring::Ring;
pub use roster::Roster;
pub use tasks::{TaskId, Tasks, Together};
pub use turn::{Runner, Turn};
pub use unique_queue::UniqueQueue;
