//! Formats numbers, times and sentences for display, and generates code that uses a strategy.
//!
//! This module only provides the formatting. Other modules write the sentences, and the user interface draws them.

pub mod csharp;
pub mod format;
pub mod rust;
pub mod sentence;
