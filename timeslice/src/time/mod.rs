//! Time as whole nanoseconds: spans ([`Nanos`]), moments of the game ([`GameTime`]) and moments of the machine's clock
//! ([`ClockTime`]).
//!
//! Every clock, timer and accumulator is an integer number of nanoseconds, so nothing drifts, however long it runs: a
//! step of 1/60 s that is kept as a floating-point number of seconds has lost a frame after a few hours, an integer never
//! does. Floats appear only in knobs and in figures for people.

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
