//! The display, the program under test, its pictures and their comparison.

pub mod blocks;
pub mod display;
pub mod image;
pub mod lab;
