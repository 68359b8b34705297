//! Statistics of the frames after every task has run once. Only these frames can be compared with the theoretical
//! bounds.

use super::bounds::Bounds;
use super::{FrameSums, Totals};
use crate::sim::lane::FrameRecord;
use std::ops::Deref;
use timeslicer::time::{GameTime, Nanos};

/// The frames after every task has run once. Counting starts when every living entity has run or was born since the
/// last reset of the metrics. Until then, staleness depends on earlier events. It is too low after the birth of a whole
/// crowd, and too high after a change that makes the strategy faster. `Settled` dereferences to the [`Totals`] of its
/// frames.
///
/// A run at the very time of the reset does not count, because it does not end a wait. A strategy that runs every task
/// in the first frame must therefore run them all again before counting starts. Otherwise, a setting whose interval is
/// longer than the measurement would have no runs and no task time, and its staleness would only reflect how long it
/// was measured.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The sums over the frames. In a report, the worst weighted staleness includes entities that are still waiting.
    pub(super) totals: Totals,
    /// The number ([`FrameSums::frame`]) of the last frame before these statistics begin.
    previous_frame: u64,
    /// The number of deaths, including those between two frames. Each dead entity was replaced by a newborn, which is
    /// not stale.
    pub(super) all_deaths: u64,
    /// The sums for computing the theoretical bounds, at the beginning of the first frame.
    pub(super) start: Bounds,
}

impl Deref for Settled {
    type Target = Totals;

    fn deref(&self) -> &Totals {
        &self.totals
    }
}

impl Settled {
    /// Creates empty statistics that start after the frame with the number `previous_frame`. `reset` is the game time of
    /// the last reset of the metrics.
    pub(super) fn new(reset: GameTime, previous_frame: u64, start: Bounds) -> Self {
        Self {
            totals: Totals::since(reset),
            previous_frame,
            all_deaths: 0,
            start,
        }
    }

    /// Adds a frame whose target length is `target`. Ignores the frame with the number `previous_frame`.
    pub(super) fn add(&mut self, frame: &FrameRecord, target: Nanos, events: &FrameSums) {
        if events.frame != self.previous_frame {
            self.totals.add(frame, target, events);
        }
    }
}
