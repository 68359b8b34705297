//! Tests of the whole interface without a display. Input, layout and state are those of the real application; only
//! drawing is left out. A [`Window`] runs on a simulated machine, so every test gives the same result in each run.

mod controls;
mod focus;
mod input;
mod monkey;
mod panels;
mod texts;
mod views;
mod window;

pub use window::Window;
