//! Tests of the real window on its own Xvfb display. xdotool sends keys and mouse events. The tests wait for lines of
//! `--log` instead of a fixed time.
//!
//! Without Xvfb or xdotool, the tests are skipped, or fail if `TIMESLICE_NEED_WINDOW=1`.

mod files;
mod input;
mod robustness;
mod support;
mod views;
