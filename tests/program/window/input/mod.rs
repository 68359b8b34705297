//! Keyboard and mouse.

mod clicks;
mod keys;
mod pointer;
pub mod sliders;
mod tour;
mod zoom;
