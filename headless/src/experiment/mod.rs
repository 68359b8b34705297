//! Experiments with several lanes side by side: every strategy on the same work, and every frame loop on a fast and a
//! slow machine.
//!
//! Both windows and commands run them; drawing and tables are elsewhere.

pub mod comparison;
pub mod edit_log;
pub mod loop_race;
