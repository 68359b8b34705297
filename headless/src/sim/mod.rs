//! Simulates a game: a world of entities, a machine for it to run on, and a lane that connects both with a strategy and
//! a frame loop.
//!
//! This module computes no statistics, draws nothing and accesses no files. A lane reports its events to a
//! [`lane::Observer`], and the layer above implements an observer that computes statistics.

pub mod disturbance;
pub mod gaze_error;
pub mod lane;
pub mod machine;
pub mod projectile;
pub mod random;
pub mod settings;
pub mod world;
