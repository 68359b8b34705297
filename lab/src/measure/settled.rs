//! Statistics of the frames after every task has run once, which alone can be compared with the theoretical bounds.

use super::Totals;
use super::bounds::Bounds;
use std::ops::Deref;

/// The frames after every task has run once. Counting starts when every living entity has run or was born since the
/// last reset of the metrics. Until then, staleness depends on earlier events: it is too low after the birth of a whole
/// crowd, and too high after a change that makes the strategy faster. Dereferences to the [`Totals`] of its frames.
///
/// A run at the very time of the reset does not count, because it ends no wait, so a strategy that runs every task in
/// the first frame must run them all again. Otherwise, a setting whose interval is longer than the measurement would
/// have no task time, and its staleness would only reflect how long it was measured.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The sums over the frames. In a report, the worst weighted staleness includes entities that are still waiting.
    pub(super) totals: Totals,
    /// Whether the statistics begin only after the current frame.
    pub(super) is_new: bool,
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
