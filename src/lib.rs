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
