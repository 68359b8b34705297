//! How numbers, times and sentences are written.
//!
//! Rules in the layers above decide what a sentence says; the window decides how it is laid out.

pub mod format;
pub mod rich;
