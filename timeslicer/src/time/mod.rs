//! Time in whole nanoseconds: spans ([`Nanos`]), moments of game time ([`GameTime`]) and moments of the machine's clock
//! ([`ClockTime`]).
//!
//! Every clock, timer and accumulator is an integer, so sums are exact and do not drift, however long the game runs.
//! Floats appear only in knobs and in displayed figures.

mod clock;
mod nanos;

#[cfg(target_family = "wasm")]
pub use clock::read_clock_from;
pub use clock::{ClockTime, GameTime, monotonic, resolution_of};
pub use nanos::{Nanos, Periods};
