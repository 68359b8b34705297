//! Measurements of a single frame. Statistics over several frames are computed from them.

use super::fixed_weight::FixedWeight;
use super::staleness::{SUMS, StalenessIntegral};
use crate::sim::lane::Run;
use timeslicer::time::{GameTime, Nanos};

/// The counts, sums and maxima of one frame that are not in [`FrameRecord`](crate::sim::lane::FrameRecord). Intervals
/// of the same length are stored together, so that a frame with many runs needs little memory.
#[derive(Clone, Debug, Default)]
pub struct FrameSums {
    /// How many times a setting change had reset the metrics before this frame.
    pub(crate) restarts: u64,
    pub(crate) restarted_at: GameTime,
    /// The game time before the updates of this frame.
    pub(crate) began: GameTime,
    /// The staleness of all entities, integrated over the game time of this frame. The weight of an entity
    /// is that of its last run or birth.
    pub(super) staleness: StalenessIntegral,
    /// The weight and the staleness of the stalest entity after the updates of this frame.
    pub(super) stalest: Option<(FixedWeight, Nanos)>,
    /// The intervals that ended in this frame. They take up most of the frame's memory.
    pub(crate) intervals: Vec<EndedIntervals>,
    /// How far the game clock and the elastic clock have advanced in this frame. An update is counted only when the
    /// next one begins, because its effect on the elastic clock is not known earlier.
    pub(super) advance: ClockAdvance,
    /// The requests that ended in this frame with a run or with the death of the entity. Each entry contains the time
    /// of the request, the length of the wait, and the number of consecutive requests with the same times.
    pub(super) request_waits: Vec<((GameTime, Nanos), u64)>,
    /// The amounts by which updates exceeded the budget. Updates that stayed within the budget are left out.
    pub(super) overruns: Vec<Nanos>,
    /// The longest run, which is the first of several that are equally long.
    pub longest_run: Option<Run>,
    pub(super) deaths: u64,
}

impl FrameSums {
    /// Removes all events and begins a new frame at the game time `now`.
    pub(super) fn begin(&mut self, now: GameTime) {
        self.began = now;
        self.staleness = StalenessIntegral::default();
        self.stalest = None;
        self.advance = ClockAdvance::default();
        self.longest_run = None;
        self.deaths = 0;
        self.intervals.clear();
        self.request_waits.clear();
        self.overruns.clear();
    }
}

/// How far two clocks have advanced in the same time: the game clock and the strategy's elastic clock, which slows down
/// during an overload. Both values are zero if the strategy has no elastic clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockAdvance {
    pub game: Nanos,
    pub elastic: Nanos,
}

/// Intervals of the same length that ended in the same update.
#[derive(Clone, Copy, Debug, Default)]
pub struct EndedIntervals {
    pub(super) end: GameTime,
    pub(super) length: Nanos,
    pub(super) ends: Ends,
}

/// Sums over the intervals of the same length that end in the same update.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ends {
    /// The entities' total contribution to each sum in [`TotalStaleness`](super::staleness::TotalStaleness), computed
    /// from the weights at the start of the intervals.
    pub(super) old: [u64; SUMS],
    /// The entities' total contribution to each sum, computed from the weights at the end of the intervals.
    pub(super) new: [u64; SUMS],
    /// The number of intervals that began and ended with a run.
    pub(super) between_runs: u32,
    /// The largest weight of an entity at the end of the intervals.
    pub(super) heaviest: FixedWeight,
}

impl Ends {
    /// Adds an interval of an entity whose weight was `old` at the start and is `new` at the end. `is_between_runs` is
    /// true if the interval began and ended with a run.
    #[inline]
    pub(super) fn add(&mut self, old: FixedWeight, new: FixedWeight, is_between_runs: bool) {
        self.between_runs += u32::from(is_between_runs);
        if new.units() > self.heaviest.units() {
            self.heaviest = new;
        }
        for (sum, share) in old.shares() {
            self.old[sum] += share;
        }
        for (sum, share) in new.shares() {
            self.new[sum] += share;
        }
    }
}
