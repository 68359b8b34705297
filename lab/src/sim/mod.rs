//! Simulates a game: a world of entities, the machine that the game runs on, and a lane that runs a strategy and a
//! frame loop on this machine.
//!
//! This module computes no statistics. A lane reports its events to a [`lane::Observer`], which can compute statistics.

pub mod gaze_error;
pub mod lane;
pub mod machine;
pub mod random;
pub mod recording;
pub mod settings;
pub mod world;

pub use lane::disturbance;
