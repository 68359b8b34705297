//! Simulates and measures the strategies and frame loops of crate [`timeslicer`], without a window.
//!
//! Each layer uses only layers above it in this list (see `ARCHITECTURE.md`):
//!
//! - [`text`]: formats numbers, sentences and lines of C#;
//! - [`sim`]: world, machines, and the lane that runs a strategy and a frame loop on them;
//! - [`stats`]: measurements, figures, and sentences about them;
//! - [`experiment`]: every strategy side by side, and every frame loop;
//! - [`history`]: recorded frames, replay, and statistics of the last two seconds;
//! - [`io`]: command line, commands, files, exports and addresses.
//!
//! [`testing`] creates lanes and histories for the tests of this crate and of the window.

#![forbid(unsafe_code)]
// Only this program calls these functions, and their names say enough.
#![allow(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod experiment;
pub mod history;
pub mod io;
pub mod sim;
pub mod stats;
pub mod testing;
pub mod text;
