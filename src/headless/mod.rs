//! The commands that need no window.

mod compare;
mod list;
mod run;

pub use compare::{CompareOptions, compare};
pub use list::list;
pub use run::{Length, RunOptions, run};
