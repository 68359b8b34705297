//! Formats numbers, times and sentences, and generates C# code that uses a strategy.
//!
//! The layers above this module choose the words, and the window lays the text out.

pub mod csharp;
pub mod format;
pub mod rich;
