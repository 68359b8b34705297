//! Formats numbers, times and sentences for display, and generates C# code that uses a strategy.
//!
//! This module does not choose the words of a sentence or draw anything. Other parts of the program do.

pub mod csharp;
pub mod format;
pub mod rich;
