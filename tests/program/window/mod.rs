//! Tests that need a real window: what OpenGL draws, files, sizes and scales, and whatever else involves the desktop.
//! Other tests of the application run without a display in `src/app/tests`.
//!
//! Each window has its own Xvfb display, so tests run in parallel. xdotool sends keys and mouse events. The program logs
//! with each picture how much input it has consumed, and the tests wait for that instead of a fixed time.
//!
//! Without Xvfb or xdotool, the tests are skipped, or fail if `TIMESLICE_NEED_WINDOW=1`.

mod capsules;
mod desktop;
mod files;
mod horde;
mod monkey;
mod references;
mod support;
