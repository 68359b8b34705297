//! Timeslice Lab shows and measures how game work can be spread over frames.
//!
//! This library contains the window; see [`app`]. The strategies and frame loops are in the crate [`timeslicer`]. The
//! crate [`headless`] simulates games and measures them.

#![deny(unsafe_code)]

pub mod app;

/// Runs the README's code examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Runs the code examples of `docs/integration.md` as doctests.
#[cfg(doctest)]
#[doc = include_str!("../docs/integration.md")]
struct Integration;
