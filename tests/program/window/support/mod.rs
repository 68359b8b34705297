//! What the window tests share: the display, the program under test, its images and their comparison.

pub mod blocks;
pub mod display;
pub mod image;
pub mod lab;
