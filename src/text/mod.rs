//! How numbers, times and sentences are written.
//!
//! What a sentence says is decided by the rules in [`crate::stats`]; how it is laid out, by the window.

pub mod format;
pub mod rich;
