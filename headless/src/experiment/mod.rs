//! Experiments with several lanes side by side: every strategy on the same work, and every frame loop on a fast and a
//! slow machine.

pub mod comparison;
pub mod edit_log;
pub mod loop_race;
pub mod sweep;
pub mod tuning;
