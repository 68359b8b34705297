//! Time in whole nanoseconds: spans ([`Nanos`]), moments of game time ([`GameTime`]) and moments of the machine's clock
//! ([`ClockTime`]).
//!
//! Every clock, timer and accumulator is an integer, so sums are exact and do not drift, however long the game runs.
//! Floats appear only in knobs and in displayed figures.

mod instant;
mod monotonic;
mod nanos;
mod periods;

pub use instant::{ClockTime, GameTime};
#[cfg(target_family = "wasm")]
pub use monotonic::read_clock_from;
pub use monotonic::{monotonic, resolution_of};
pub use nanos::Nanos;
pub use periods::Periods;
