//! Experiments on simulated machines. They compare strategies or frame loops, and search for the best settings.

pub mod comparison;
mod driver;
pub mod loop_comparison;
