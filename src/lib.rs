//! Timeslice Lab: work for thousands of entities, spread over frames.
//!
//! Game code that need not run every frame (decisions, sensors, navigation queries) can be spread over
//! many. This library holds the published ways of doing that, and everything that is needed to watch and
//! measure them without a window:
//!
//! - [`strategy`]: which tasks run in an update. To lift one into a game, take its file, what it names
//!   of `strategy/mod.rs`, and [`scheduler`], which holds what they are written with;
//! - [`frame_loop`]: when updates happen;
//! - [`machine`]: the real computer, or a simulated one;
//! - [`lane`]: a machine, a frame loop, a strategy and a [`world`], running together;
//! - [`observe`]: what its last frames tell, in figures and in words;
//! - [`projectile`]: what flies across the picture and shows what a frame loop does;
//! - [`race`]: all frame loops side by side, on a fast and on a slow machine;
//! - [`said`]: sentences, in which figures and what is wrong are marked;
//! - [`shock`]: what can be done to lanes to see how they take it;
//! - [`gaze`]: how many of the crowd look at the wrong place;
//! - [`metrics`]: what is measured of a lane, its figures, and a verdict in a sentence;
//! - [`comparison`]: all strategies side by side on the same work;
//! - [`by_hand`]: what was changed while something ran;
//! - [`export`]: what is written of frames for other programs;
//! - [`cli`] and [`headless`]: the command line, and its commands that need no window;
//! - [`page`]: the same settings in the address of a page.

#![forbid(unsafe_code)]

pub mod by_hand;
pub mod chance;
pub mod cli;
pub mod comparison;
pub mod export;
pub mod figure;
pub mod frame_loop;
pub mod gaze;
pub mod headless;
pub mod knob;
pub mod lane;
pub mod machine;
pub mod metrics;
pub mod observe;
pub mod output;
pub mod page;
pub mod projectile;
pub mod race;
pub mod said;
pub mod scheduler;
pub mod settings;
pub mod settings_text;
pub mod shock;
pub mod strategy;
pub mod time;
pub mod world;

/// The README's code is tested, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
