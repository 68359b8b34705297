//! The simulation: a world of entities, the machine that it runs on, and the lane that ties them to a strategy and a
//! frame loop.
//!
//! Nothing here measures, draws or touches files. A lane tells its [`lane::Observer`] what happens; statistics are an
//! observer, in the layer above.

pub mod disturbance;
pub mod gaze_error;
pub mod lane;
pub mod machine;
pub mod projectile;
pub mod random;
pub mod settings;
pub mod world;
