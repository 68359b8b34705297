//! Timeslice Lab shows and measures how game work can be spread over frames.
//!
//! The strategies and frame loops are in crate [`timeslice`]. This library simulates, measures and displays them. Each
//! layer uses only layers above it in this list (see `ARCHITECTURE.md`):
//!
//! - [`text`]: formats numbers and sentences;
//! - [`sim`]: world, machines, and the lane that runs a strategy and a frame loop on them;
//! - [`stats`]: measurements, figures, and sentences about them;
//! - [`experiment`]: every strategy side by side, and every frame loop;
//! - [`history`]: recorded frames, replay, and statistics of the last two seconds;
//! - [`io`]: command line, files, exports and addresses;
//! - [`app`]: the window (feature `window`).

#![deny(unsafe_code)]

#[cfg(feature = "window")]
pub mod app;
pub mod experiment;
pub mod history;
pub mod io;
pub mod sim;
pub mod stats;
pub mod text;

/// Tests the code in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
