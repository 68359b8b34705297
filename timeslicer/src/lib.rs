//! Spread game work over frames.
//!
//! Game code that need not run in every frame (decisions, sensors, path queries, garbage collection) can run a little
//! at a time. This crate implements the published strategies for that, and the game loops that drive the strategies. It
//! has no dependencies.
//!
//! - [`strategy`]: which tasks run in an update.
//! - [`frame_loop`]: when updates happen, and how much game time each update advances.
//! - [`scheduler`]: building blocks of strategies, such as task ids, the update context, a ring and queues.
//! - [`knob`]: adjustable parameters, each declared once.
//! - [`time`]: time in whole nanoseconds.
//!
//! Measurement, drawing, files and threads are left to the program that uses the crate, such as Timeslice Lab.
//!
//! # Example
//!
//! Each guard thinks twice a second, at any frame rate and with any number of guards:
//!
//! ```
//! use timeslicer::scheduler::{TaskId, Tasks, UpdateContext};
//! use timeslicer::strategy::{FixedInterval, Strategy};
//! use timeslicer::time::{GameTime, Nanos};
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
//!         println!("{guard:?} thinks, {elapsed} ms after its last run");
//!     };
//!     strategy.update(&mut UpdateContext::new(delta, now, &mut tasks, &mut think));
//! }
//!
//! tasks.remove(guard); // when it dies
//! strategy.remove(guard);
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod frame_loop;
pub mod knob;
pub mod scheduler;
pub mod strategy;
pub mod time;

/// Runs the code of the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use crate::frame_loop::FRAME_LOOPS;
    use crate::knob::Knob;
    use crate::strategy::STRATEGIES;

    #[test]
    fn the_documentation_begins_like_the_readme() {
        let readme = include_str!("../README.md");
        let example = readme.split("```rust\n").nth(1).unwrap();
        let documentation = include_str!("lib.rs").lines();
        let documentation: String = documentation
            .filter_map(|line| line.strip_prefix("//!"))
            .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n")
            .collect();
        assert!(documentation.contains(example.split("```").next().unwrap()));
    }

    #[test]
    fn knobs_with_the_same_key_are_declared_alike() {
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
