//! What is measured: a record for each frame, and figures over many of them.
//!
//! [`Collector`] counts while a lane runs; a [`Report`] is what it has counted until now; [`FIGURES`] names each
//! figure of a report, with its unit and which way is better, for tables and JSON; [`verdict`] says in a
//! sentence what a report means.

mod collector;
mod distribution;
mod figures;
mod phrasing;
mod promises;
mod recommendation;
mod recovery;
mod report;
mod verdict;

pub use collector::{Collector, WARM_UP, hitch_from};
pub use distribution::{Distribution, Times};
pub use figures::{Better, FIGURES, Figure, Mark, figure_by_key};
pub use promises::STARVED_AFTER;
pub use recommendation::{Recommendation, recommend, stalest};
pub use recovery::Recovery;
pub(crate) use report::Living;
pub use report::{Pacing, Report};
pub use verdict::verdict;

use timeslice::time::Nanos;

/// One frame, as it was. Its four parts add up to its length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameRecord {
    /// Its number, from 0.
    pub number: u64,
    /// When it started, on the machine's clock.
    pub start: Nanos,
    /// The time from the last frame's start to this one's.
    pub delta: Nanos,
    /// How many updates it made.
    pub updates: u32,
    /// The game time that each of its updates advanced; would have advanced, where it made none.
    pub step: Nanos,
    /// The debt after its updates: real time that the frame loop had not simulated yet.
    pub debt: Nanos,
    /// The debt that the frame loop gave up in this frame: real time that the game has lost.
    pub debt_dropped: Nanos,
    /// How many tasks ran.
    pub runs: u32,
    /// How many tasks waited after its last update.
    pub backlog: usize,
    /// The time in tasks.
    pub task_time: Nanos,
    /// The time in updates apart from tasks.
    pub scheduling: Nanos,
    /// The time in drawing the picture.
    pub drawing: Nanos,
    /// The time in waiting for the display or a deadline.
    pub waiting: Nanos,
    /// The whole frame, from its start to the next one's.
    pub length: Nanos,
    /// The share of the crowd, from 0 to 1, that looks at the wrong place after its updates, as [`crate::sim::gaze_error`]
    /// says; none where nobody lives, or nobody measures it.
    pub looking_wrong: Option<f64>,
    /// The interpolation fraction with which it was drawn: what moves is drawn `alpha` times `step` ahead
    /// of the game time.
    pub alpha: f64,
}

/// Whether a queue grew, from so many that waited to so many, by more than chance makes of it: that is about the root
/// of those served.
pub(crate) fn grew_beyond_chance((first, last): (usize, usize), served: u64) -> bool {
    last.saturating_sub(first) as f64 > (served as f64).sqrt()
}

/// Totals over all frames since a lane's start.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    frames: u64,
    updates: u64,
    runs: u64,
    debt_dropped: Nanos,
    lengths: Distribution,
}

impl Figures {
    /// Over nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts a frame.
    pub fn frame(&mut self, frame: &FrameRecord) {
        self.frames += 1;
        self.updates += u64::from(frame.updates);
        self.runs += u64::from(frame.runs);
        self.debt_dropped += frame.debt_dropped;
        self.lengths.add(frame.length);
    }

    /// How many frames.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// How many updates.
    #[must_use]
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// How many runs.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// All the debt that was dropped: real time that the game has lost.
    #[must_use]
    pub fn debt_dropped(&self) -> Nanos {
        self.debt_dropped
    }

    /// The frames' lengths.
    #[must_use]
    pub fn lengths(&self) -> &Distribution {
        &self.lengths
    }
}
