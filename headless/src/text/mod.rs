//! Formats numbers, times and sentences.
//!
//! The layers above choose the words; the window lays them out.

pub mod format;
pub mod rich;
