//! Timeslice Lab shows and measures how game work can be spread over frames.
//!
//! The [`app`] module of this library contains the window. The strategies and frame loops are in the [`timeslicer`]
//! crate. The [`lab`] crate simulates games and measures them.

#![deny(unsafe_code)]

pub mod app;

/// The file of the port to C#, which the window copies to the clipboard.
pub const CSHARP_LIBRARY: &str = include_str!("../ports/csharp/Timeslicer.cs");

/// Runs the README's code examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Runs the code examples of `docs/integration.md` as doctests.
#[cfg(doctest)]
#[doc = include_str!("../docs/integration.md")]
struct Integration;

/// Runs the code examples of `docs/cookbook.md` as doctests.
#[cfg(doctest)]
#[doc = include_str!("../docs/cookbook.md")]
struct Cookbook;
