//! Spread the work of Bevy entities over frames.
//!
//! Decisions, sensors and path queries do not have to run in every frame. A component makes an entity a *task*. In each
//! update, a *strategy* of the crate [`timeslicer`] decides which tasks run. Your system then runs these tasks, one
//! entity at a time:
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
//! fn think(run: Run, mut guards: Query<&mut Guard>) {
//!     if let Ok(mut guard) = guards.get_mut(run.entity) {
//!         guard.thoughts += 1;
//!     }
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
//! - [`TimeslicerPlugin`] takes the strategy and the system. You can also give it a schedule, and a function that
//!   returns how much an entity matters.
//! - [`Timesliced`] is the component that makes an entity a task, until it is removed or the entity is despawned.
//! - [`Significance`] is the component that says how much an entity matters. Only some strategies use it.
//! - [`Scheduler`] is the resource with which your systems request runs and change the strategy. They can also read how
//!   many tasks are waiting, how long ago an entity last ran, and what the last update cost. A system of your own can
//!   also run the due tasks with it, in parallel with other systems.
//! - [`TimeslicerSystems`] is the system set of a plugin. Use it to order other systems.
//!
//! The type parameter of these types, such as `Guard` above, distinguishes the schedulers. It can be any type. Each
//! scheduler has its own strategy, and an entity can be a task of several schedulers.
//!
//! Tasks run with the time of Bevy's [`Time`](bevy_time::Time). In `Update`, this is virtual time, which can be paused
//! or slowed down. In `FixedUpdate`, it advances in fixed steps. While virtual time is paused, no task runs in either
//! schedule.
//!
//! With the feature `serde`, a scheduler can be saved together with the game.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod components;
mod lifecycle;
mod plugin;
mod scheduler;
#[cfg(feature = "serde")]
mod snapshot;

pub use components::{Significance, Timesliced};
pub use plugin::{Run, TimeslicerPlugin, TimeslicerSystems};
pub use scheduler::Scheduler;
pub use timeslicer;

/// Makes `cargo test` run the code examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
