//! Spread game work over frames.
//!
//! Game code that need not run in every frame (decisions, sensors, path queries, garbage collection) can run a little at
//! a time. This crate holds the published ways to do that, and the game loops that call them. It has no dependencies.
//!
//! - [`strategy`]: which tasks run in an update. One file each, and a registry.
//! - [`frame_loop`]: when updates happen, and with what time step. One file each, and a registry.
//! - [`scheduler`]: what strategies are written with: task ids, the update context, rings, queues.
//! - [`knob`]: adjustable parameters, declared once.
//! - [`time`]: time in whole nanoseconds.
//!
//! It knows nothing of measuring, drawing, files or threads: Timeslice Lab (crate `timeslice-lab`) does that on top.
//!
//! # Example
//!
//! Guards that think twice a second each, whatever the frame rate and however many there are:
//!
//! ```
//! use timeslice::scheduler::{TaskId, Tasks, UpdateContext};
//! use timeslice::strategy::{FixedInterval, Strategy};
//! use timeslice::time::{GameTime, Nanos};
//!
//! let mut tasks = Tasks::new();
//! let mut strategy = FixedInterval::new(Nanos::from_millis(500));
//! let mut now = GameTime::START;
//!
//! let guard = tasks.insert(now); // when a guard is born
//! strategy.insert(guard);
//!
//! for _frame in 0..100 {
//!     let delta = Nanos::from_millis(16); // your engine's time since the last frame
//!     now += delta;
//!     let mut think = |guard: TaskId, elapsed: Nanos| {
//!         println!("{guard:?} thinks, {elapsed} ms after the last time");
//!     };
//!     strategy.update(&mut UpdateContext::new(delta, now, &mut tasks, &mut think));
//! }
//!
//! tasks.remove(guard); // when it dies
//! strategy.remove(guard);
//! ```

#![forbid(unsafe_code)]

pub mod frame_loop;
pub mod knob;
pub mod scheduler;
pub mod strategy;
pub mod time;

/// The code in the README is tested, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use crate::frame_loop::FRAME_LOOPS;
    use crate::knob::Knob;
    use crate::strategy::STRATEGIES;

    #[test]
    fn knobs_of_one_key_are_one_declaration() {
        let of_strategies = STRATEGIES.iter().flat_map(|entry| entry.knobs);
        let of_loops = FRAME_LOOPS.iter().flat_map(|entry| entry.knobs);
        let all: Vec<&Knob> = of_strategies.chain(of_loops).collect();
        for one in &all {
            for other in all.iter().filter(|other| **other == *one) {
                assert_eq!(format!("{one:?}"), format!("{other:?}"));
            }
        }
    }
}
