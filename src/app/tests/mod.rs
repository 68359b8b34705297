//! Tests of the whole interface without a display: input, layout and state of the real application. Only drawing is left
//! out. A [`Window`] runs on a simulated machine, so a test gives the same result in each run.

mod clicks;
mod code;
mod compare;
mod explore;
mod hidden_controls;
mod input_order;
mod keys;
mod loops;
mod monkey;
mod pointer;
mod sizes;
mod sliders;
mod tour;
mod window;
mod zoom;

pub use window::{Line, Window};
