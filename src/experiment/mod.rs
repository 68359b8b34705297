//! Several lanes side by side: every strategy on the same work, and every frame loop on a fast and a slow machine.
//!
//! Windows and commands both run these experiments; neither drawing nor tables are made here.

pub mod comparison;
pub mod edit_log;
pub mod loop_race;
