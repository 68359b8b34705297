//! Tests that need a real window, because they involve OpenGL, files, window sizes and scales, or the desktop. All
//! other tests of the application run without a display, in `src/app/tests`.
//!
//! Each window has its own Xvfb display, so that tests can run in parallel. xdotool sends keys and mouse events. With
//! each frame, the program logs how much input it has consumed, and the tests wait for that instead of a fixed time.
//!
//! Without Xvfb or xdotool, the tests are skipped, or fail if `TIMESLICE_NEED_WINDOW=1` is set.

mod capsules;
mod desktop;
mod files;
mod references;
mod support;
