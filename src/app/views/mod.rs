//! The three views: the grid of capsules, the comparison of strategies, and the comparison of frame loops.

pub mod compare;
pub mod grid;
pub mod help;
pub mod layout;
pub mod loops;
pub mod show;
