//! Compiles the C# port with Mono's compiler, and replays recorded games of the strategies in crate `timeslicer`.
//!
//! The tests are skipped if the compiler is not installed, and fail instead if `TIMESLICE_NEED_MONO=1` is set.

mod recorder;
mod tests;
