//! Experiments on simulated machines, which compare strategies or frame loops, and the log of what the user changed during
//! a run.

mod change_log;
pub mod comparison;
mod driver;
pub mod loop_comparison;

pub use change_log::{Change, ChangeLog};
