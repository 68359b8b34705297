//! Record of a frame.

use timeslicer::time::{ClockTime, Nanos};

/// One frame. Its four parts (tasks, scheduling, drawing, waiting) add up to its length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameRecord {
    /// Number of the frame, from 0.
    pub number: u64,
    /// Start, on the machine's clock.
    pub start: ClockTime,
    /// Time from the previous frame's start to this one's.
    pub delta: Nanos,
    /// Number of updates.
    pub updates: u32,
    /// Game time that one update advances; set even if the frame made no update.
    pub step: Nanos,
    /// Debt after its updates: real time that the frame loop has not simulated yet.
    pub debt: Nanos,
    /// Debt that the frame loop dropped in this frame: real time that the game has lost.
    pub debt_dropped: Nanos,
    /// Number of runs.
    pub runs: u32,
    /// Backlog after its last update.
    pub backlog: usize,
    /// True if the machine had no time for some of the tasks that were due; they are in the backlog.
    pub stopped: bool,
    /// Time spent on tasks.
    pub task_time: Nanos,
    /// Time that the strategy took: births, deaths and requests in updates, choosing tasks, and recording when each ran.
    pub scheduling: Nanos,
    /// Time to draw the picture, and for the lab's own work: the world, recording and measuring.
    pub drawing: Nanos,
    /// Time spent waiting for the display or a deadline, including an injected stall.
    pub waiting: Nanos,
    /// Length of the whole frame, from its start to the start of the next frame.
    pub length: Nanos,
    /// Part of its length that an injected stall took.
    pub stall: Nanos,
    /// Share of the crowd, from 0 to 1, that looks at the wrong place after the frame's updates
    /// ([`crate::sim::gaze_error`]); `None` if there are no entities, or if the gaze error is not measured.
    pub looking_wrong: Option<f64>,
    /// Interpolation fraction: moving things are drawn `alpha` times `step` ahead of the game time.
    pub alpha: f64,
}

impl FrameRecord {
    /// Returns the frame's length without an injected stall. This length decides whether the frame is a hitch.
    #[must_use]
    pub fn own_length(&self) -> Nanos {
        self.length - self.stall
    }
}
