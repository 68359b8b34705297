//! Timeslice Lab: see, feel and measure how game work can be spread over frames.
//!
//! The strategies and frame loops themselves are crate [`timeslice`]. This library simulates, measures and shows them.
//! Each layer knows only the ones above it in this list:
//!
//! - [`text`]: how numbers and sentences are written;
//! - [`sim`]: the world, the machines, and the lane that runs a strategy and a frame loop on them;
//! - [`stats`]: what is measured of a lane, and what the figures mean;
//! - [`experiment`]: every strategy side by side, and every frame loop;
//! - [`history`]: recorded frames, replay, and statistics of the last seconds;
//! - [`io`]: the command line, files, exports and addresses;
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

/// The code in the README is tested, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
