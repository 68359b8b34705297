//! Experiments on simulated machines: comparisons of strategies and of frame loops, and searches for the best settings.

pub mod change_log;
pub mod comparison;
pub mod loop_comparison;
pub mod sweep;
pub mod tuning;
