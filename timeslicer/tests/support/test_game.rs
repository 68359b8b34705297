//! A simulated game for testing frame loops. It records its updates, and its clock advances by the time that each
//! update takes.

use super::{Frame, FrameLoop, Game, Pace};
use crate::time::{ClockTime, Nanos};
use std::time::Duration;

pub(crate) const MS: fn(u64) -> Nanos = Nanos::from_millis;
pub(crate) const AT: fn(u64) -> ClockTime = |millis| ClockTime::at(MS(millis));

/// A simulated game, and the simulated clock of the machine on which it runs.
#[derive(Debug, Default)]
pub(crate) struct TestGame {
    pub clock: ClockTime,
    /// How far `clock` advances during each update.
    pub cost: Nanos,
    pub deltas: Vec<Nanos>,
    pub dropped: Nanos,
    pub last_start: Option<ClockTime>,
}

impl Game for TestGame {
    fn update(&mut self, delta: Duration) {
        self.deltas.push(delta.into());
        self.clock += self.cost;
    }

    fn clock(&self) -> ClockTime {
        self.clock
    }
}

impl TestGame {
    /// Runs the updates of one frame. The clock then advances by `draw_time`, which stands for the rest of the frame,
    /// and by the time for which the loop asks to wait. Returns the number of updates and the loop's alpha.
    pub fn frame(&mut self, frame_loop: &mut impl FrameLoop, draw_time: Nanos) -> (u32, f64) {
        let start = self.clock;
        let delta = start - self.last_start.replace(start).unwrap_or(start);
        let mut frame = Frame::new(start, delta, self);
        let alpha = frame_loop.updates(&mut frame);
        let (updates, dropped) = (frame.updates, frame.debt_dropped);
        self.dropped += dropped;
        self.clock += draw_time;
        if let Pace::Until(time) = frame_loop.pace() {
            self.clock = self.clock.max(time);
        }
        (updates, alpha)
    }

    /// Returns the current game time, which is the sum of the deltas of all updates.
    pub fn now(&self) -> Nanos {
        self.deltas.iter().copied().sum()
    }
}
