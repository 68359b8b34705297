//! The window, worked from outside as a user would: keys and mouse by `xdotool`, on a display of its own by
//! `Xvfb`. What happened is read from `--log`, never guessed from the time that has passed.
//!
//! Without Xvfb or xdotool these tests say so and pass; with `TIMESLICE_NEED_WINDOW=1` they fail.

#![cfg(all(feature = "window", target_os = "linux"))]

mod files;
mod input;
mod robustness;
mod support;
mod views;
