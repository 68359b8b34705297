//! Spread the work of Bevy entities over frames.
//!
//! Decisions, sensors and path queries need not run in every frame. A component makes an entity a *task*; a *strategy*
//! of the crate [`timeslicer`] decides in each update which tasks run; your system runs them, one entity at a time:
//!
//! ```
//! use std::time::Duration;
//! use bevy_app::{App, Startup};
//! use bevy_ecs::prelude::*;
//! use bevy_time::TimePlugin;
//! use bevy_timeslicer::{Run, Timesliced, TimeslicerPlugin};
//! use timeslicer::strategy::FixedInterval;
//!
//! #[derive(Component, Default)]
//! #[require(Timesliced<Guard>)] // every guard is a task
//! struct Guard {
//!     thoughts: u32,
//! }
//!
//! /// Runs for one guard at a time, twice a second for each, at any frame rate.
//! fn think(run: Run, mut guards: Query<&mut Guard>) -> Result {
//!     guards.get_mut(run.entity)?.thoughts += 1;
//!     Ok(())
//! }
//!
//! let mut app = App::new();
//! app.add_plugins(TimePlugin); // DefaultPlugins and MinimalPlugins contain it
//! app.add_plugins(TimeslicerPlugin::<Guard>::new(
//!     FixedInterval::new(Duration::from_millis(500)),
//!     think,
//! ));
//! app.add_systems(Startup, |mut commands: Commands| {
//!     commands.spawn_batch((0..100).map(|_| Guard::default()));
//! });
//! app.update();
//! ```
//!
//! - [`TimeslicerPlugin`] names the strategy and the system, and optionally the schedule and the significance.
//! - [`Timesliced`] makes an entity a task, from the moment it is added until it is removed or the entity is despawned.
//! - [`Significance`] says how much an entity matters, for strategies that ask.
//! - [`Scheduler`] is the resource for requests, changes of the strategy and figures. A system of your own can also run
//!   the due tasks with it, in parallel with other systems.
//! - [`TimeslicerSystems`] is the set to order other systems by.
//!
//! The type parameter of these types, such as `Guard` above, distinguishes the schedulers. It can be any type. Each has
//! its own strategy, and an entity can be a task of several.
//!
//! Tasks run with the time of Bevy's [`Time`](bevy_time::Time): virtual time in `Update`, which can be paused or slowed
//! down, and steps in `FixedUpdate`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod components;
mod plugin;
mod scheduler;

pub use components::{Significance, Timesliced};
pub use plugin::{Run, TimeslicerPlugin, TimeslicerSystems};
pub use scheduler::Scheduler;
pub use timeslicer;

/// Runs the code of the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
