//! Tests of the real window on its own Xvfb display. xdotool sends keys and mouse events, and the tests wait for lines
//! of `--log`, never for a fixed time.
//!
//! Without Xvfb or xdotool, the tests are skipped, or fail if `TIMESLICE_NEED_WINDOW=1`.

#![cfg(all(feature = "window", target_os = "linux"))]

mod files;
mod input;
mod robustness;
mod support;
mod views;
