//! Timeslice Lab shows and measures how game work can be spread over frames.
//!
//! The strategies and frame loops are in crate [`timeslicer`], and crate [`headless`] simulates and measures them. This
//! library is the window ([`app`]).

#![deny(unsafe_code)]

pub mod app;

/// Tests the code in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Runs the code of the page about integration.
#[cfg(doctest)]
#[doc = include_str!("../docs/integration.md")]
struct Integration;
