//! What the tests work the window with: the display, the program, the pictures that it draws, and how to compare them.

pub mod display;
pub mod lab;
pub mod picture;
pub mod tolerance;
