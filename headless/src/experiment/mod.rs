//! Experiments with several lanes side by side: every strategy on the same work, and every frame loop on a fast and a
//! slow machine.

pub mod change_log;
pub mod comparison;
pub mod loop_comparison;
pub mod sweep;
pub mod tuning;
