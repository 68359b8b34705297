//! Formats numbers, times and sentences, and the lines of C# that use a strategy.
//!
//! The layers above choose the words; the window lays them out.

pub mod csharp;
pub mod format;
pub mod rich;
