//! Formats numbers, times and sentences for display, and generates C# code that uses a strategy.
//!
//! The words of the sentences come from other modules, and the window draws them.

pub mod csharp;
pub mod format;
pub mod rich;
