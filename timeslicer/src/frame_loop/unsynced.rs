//! Unsynced: runs one update per frame and never waits. This is the baseline for all other loops.
//!
//! Every update advances the game by the same step, however long frames take. The game keeps real time only on a
//! machine that happens to draw one frame per step; on a machine that is twice as fast, the game runs twice as fast.
//! The loop does not read the clock, so it never has to make up for a delay. The frame shows the last update: alpha is
//! always 0.
//!
//! # When to use it
//!
//! Use it to simulate a game as fast as possible without a player. Never use it for a game that people play on
//! different machines.
//!
//! # Cost
//!
//! One update per frame, at full processor load.
//!
//! # Source
//!
//! Robert Nystrom, "Game Programming Patterns", chapter "Game Loop": the first loop.

use super::{Frame, FrameLoop, Pace};
use crate::time::Nanos;
use std::time::Duration;

/// A frame loop that runs one update per frame and never waits. Each update advances the game by the same amount of
/// time. The [module documentation](self) describes the algorithm.
///
/// For a complete game loop, see [`FrameLoop`].
///
/// ```
/// use std::time::Duration;
/// use timeslicer::frame_loop::Unsynced;
/// let frame_loop = Unsynced::new(Duration::from_millis(20));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Unsynced {
    step: Nanos,
}

impl Unsynced {
    /// Creates a loop in which each update advances the game by `step`.
    pub fn new(step: Duration) -> Self {
        Self { step: step.into() }
    }

    /// Changes how far each update advances the game.
    pub fn set_step(&mut self, step: Duration) {
        self.step = step.into();
    }
}

impl FrameLoop for Unsynced {
    fn updates(&mut self, frame: &mut Frame<'_>) -> f64 {
        frame.update(self.step);
        0.0
    }

    fn pace(&self) -> Pace {
        Pace::Nothing
    }

    fn step(&self) -> Option<Nanos> {
        Some(self.step)
    }
}
