//! Simulation: a world of entities, the machine that it runs on, and the lane that connects them to a strategy and a
//! frame loop.
//!
//! Nothing here keeps statistics, draws or touches files. A lane reports to its [`lane::Observer`]; the layer above
//! implements one that keeps statistics.

pub mod disturbance;
pub mod gaze_error;
pub mod lane;
pub mod machine;
pub mod projectile;
pub mod random;
pub mod settings;
pub mod world;
