//! Simulates and measures the scheduling strategies and frame loops of the [`timeslicer`] crate, without a window.
//!
//! Each layer uses only layers above it in this list (see `ARCHITECTURE.md`):
//!
//! - [`catalog`] lists the strategies and the frame loops, with their texts and knobs;
//! - [`text`] formats numbers and sentences, and Rust and C# code;
//! - [`sim`] contains the game world, the machines, and the lane that runs a strategy and a frame loop on a machine;
//! - [`measure`] computes metrics from measurements and describes them in sentences;
//! - [`import`] reads the task costs and frame times that other tools have measured;
//! - [`recommend`] finds the strategy and the setting that suit a game best;
//! - [`comparison`] drives all strategies, and all frame loops, side by side on the same workload;
//! - [`history`] keeps recorded frames for replay and for statistics of the last two seconds;
//! - [`files`] reads and writes costs, exports and recordings;
//! - [`cli`] contains the arguments, the addresses and files that contain settings, and the commands.
//!
//! With the feature `testing`, the module `testing` creates lanes and histories for tests.

#![forbid(unsafe_code)]
// Only this program calls these functions, and their names say enough.
#![allow(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod catalog;
pub mod cli;
pub mod comparison;
pub mod files;
pub mod history;
pub mod import;
pub mod measure;
pub mod recommend;
pub mod sim;
#[cfg(any(test, feature = "testing"))]
#[path = "../tests/support/mod.rs"]
pub mod testing;
pub mod text;
