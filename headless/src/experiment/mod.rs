//! Experiments on simulated machines. They compare strategies or frame loops, and search for the best settings.

pub mod change_log;
pub mod comparison;
pub mod loop_comparison;
