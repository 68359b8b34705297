//! Compiles the port to C# with Mono's compiler, and replays what the strategies of crate timeslicer do.
//!
//! The tests are skipped if the compiler is not installed, and fail if `TIMESLICE_NEED_MONO=1` is set.

mod recorder;
mod tests;
