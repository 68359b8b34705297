//! The record of a frame.

use timeslice::time::{ClockTime, Nanos};

/// One frame. Its four parts (tasks, scheduling, drawing, waiting) add up to its length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameRecord {
    /// Its number, from 0.
    pub number: u64,
    /// When it started, on the machine's clock.
    pub start: ClockTime,
    /// The time from the last frame's start to this one's.
    pub delta: Nanos,
    /// How many updates it made.
    pub updates: u32,
    /// The game time that each of its updates advanced, or would have advanced if it had made one.
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
    /// The time in waiting for the display or a deadline, and of a stall.
    pub waiting: Nanos,
    /// The whole frame, from its start to the next one's.
    pub length: Nanos,
    /// How much of it an injected stall took.
    pub stall: Nanos,
    /// The share of the crowd, from 0 to 1, that looks at the wrong place after its updates, by [`crate::sim::gaze_error`];
    /// `None` without entities, or if it is not measured.
    pub looking_wrong: Option<f64>,
    /// The interpolation fraction: moving things are drawn `alpha` times `step` ahead of the game time.
    pub alpha: f64,
}

impl FrameRecord {
    /// Its length without a stall: what it is judged by.
    #[must_use]
    pub fn own_length(&self) -> Nanos {
        self.length - self.stall
    }
}
