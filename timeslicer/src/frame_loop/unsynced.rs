//! Unsynced: one update per frame, as fast as the machine can, the baseline for all other loops.
//!
//! Every update advances the game by the same step, however long frames are. The game keeps real time only on a machine
//! that happens to make one frame per step; on a machine twice as fast, the game runs twice as fast. The loop does not
//! read the clock, so there is no debt. The picture shows the last update: alpha is always 0.
//!
//! # When to use it
//!
//! To simulate as fast as possible, without a player. Never for a game that people play on different machines.
//!
//! # Cost
//!
//! One update in each frame, and the whole processor.
//!
//! # Source
//!
//! Robert Nystrom, "Game Programming Patterns", chapter "Game Loop": the first loop.

use super::knobs::STEP;
use super::{Frame, FrameLoop, FrameLoopEntry, Pace};
use crate::knob::KnobValues;
use crate::time::Nanos;
use std::time::Duration;

/// The registry's entry.
pub static ENTRY: FrameLoopEntry = FrameLoopEntry {
    key: "unsynced",
    name: "Unsynced",
    rule: "Makes one update of a fixed step per frame and never waits: the faster the machine, the faster the game.",
    code: "update(); draw();",
    source: "Robert Nystrom, Game Programming Patterns, chapter Game Loop: the first loop",
    knobs: &[STEP],
    make: || Box::new(Unsynced::new(STEP.default_span().into())),
};

/// Makes one update of a fixed step per frame and never waits; described in the [module](self).
///
/// The [example of a game loop](super::FrameLoop) shows how a game uses it.
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
    /// Creates a loop whose updates advance the game by `step`.
    pub fn new(step: Duration) -> Self {
        Self { step: step.into() }
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

    fn tune(&mut self, knobs: &KnobValues) {
        self.step = knobs.span(&STEP);
    }
}
