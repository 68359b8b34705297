//! Figures of one loop on one machine.

use super::sample::{RunningTotals, Sample};
use crate::stats::thresholds::SAME_SPEED;
use timeslicer::time::Nanos;

/// Figures of a loop on one machine in the last second, or in the last two frames if they take longer than a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopStats {
    /// Error of the picture against real time, in nanoseconds: positive if the picture is ahead.
    pub error_nanos: i64,
    /// Mean game time of an update.
    pub step: Nanos,
    /// Mean number of updates per frame.
    pub updates: f64,
    /// Frames per second.
    pub fps: f64,
    /// Game time that passes in the pictures, divided by the machine's time.
    pub speed: f64,
    /// Share of the machine's time that it did not spend waiting.
    pub busy: f64,
    /// Dropped debt, divided by the machine's time.
    pub dropped: f64,
}

impl LoopStats {
    /// Computes the figures of the frames from `first` to `last`, which must be different frames. `after` holds the
    /// totals after `last`. The speed is that of the pictures from `first_picture` to `last`.
    pub(super) fn between(
        first: &Sample,
        last: &Sample,
        first_picture: &Sample,
        after: &RunningTotals,
    ) -> Self {
        let span = (last.end - first.start).as_secs_f64();
        let before = &first.before;
        let frames = (after.frames - before.frames) as f64;
        let updates = (after.updates - before.updates) as f64;
        let game = after.game - before.game;
        Self {
            error_nanos: last.sight.error_nanos,
            step: if updates > 0.0 {
                Nanos::from_nanos_f64(game.as_nanos() as f64 / updates)
            } else {
                last.step
            },
            updates: updates / frames,
            fps: frames / span,
            speed: (last.shown - first_picture.shown)
                / (last.drawn_for - first_picture.drawn_for).as_nanos() as f64,
            busy: (after.busy - before.busy).as_secs_f64() / span,
            dropped: (after.dropped - before.dropped).as_secs_f64() / span,
        }
    }

    /// Returns true if game time advances as fast as the machine's time.
    #[must_use]
    pub fn keeps_real_time(&self) -> bool {
        (self.speed - 1.0).abs() <= SAME_SPEED
    }

    /// Returns true if both games are equally fast, in real time or not.
    #[must_use]
    pub fn is_as_fast_as(&self, other: &Self) -> bool {
        let (slower, faster) = (self.speed.min(other.speed), self.speed.max(other.speed));
        self.keeps_real_time() && other.keeps_real_time() || faster <= slower * (1.0 + SAME_SPEED)
    }

    /// Returns true if the steps are equal. A difference of one nanosecond is ignored, because steps such as
    /// 1/144 s are rounded to whole nanoseconds.
    #[must_use]
    pub fn has_the_steps_of(&self, other: &Self) -> bool {
        self.step.as_nanos().abs_diff(other.step.as_nanos()) <= 1
    }
}
