//! Thresholds for judging figures, both of the last seconds in the window and of whole runs.

use timeslice::time::Nanos;

/// Time between a change of strategy, frame loop or knob and the first frame that counts, by the machine's clock. It
/// leaves out the cost of the change itself (births, a burst, cold caches).
///
/// It is short compared with the seconds that figures cover, and longer than any burst after a change on a machine that
/// keeps up. Figures of the window's last seconds have no warm-up, to show a change at once
/// ([`crate::history::WindowStats`]).
pub const WARM_UP: Nanos = Nanos::from_millis(250);

/// Shortest span that the status describes.
pub const STATUS_FROM: Nanos = Nanos::from_millis(500);

/// Shortest span that yields a rate of hitches.
pub const HITCH_RATE_FROM: Nanos = Nanos::from_millis(500);

/// Shortest span for comparing strategies.
pub const COMPARED_FROM: Nanos = Nanos::from_secs(1);

/// Returns the longest frame that is no hitch: one and a half times its target length.
#[must_use]
pub fn hitch_from(target: Nanos) -> Nanos {
    target + Nanos::from_nanos(target.as_nanos() / 2)
}

/// Tasks cause a hitch if they take half of the frame, or this share of it and the frame would be no hitch without
/// them.
pub const BY_TASKS_SHARE: f64 = 0.25;

/// Frames miss their target length if their mean exceeds it by this factor.
pub const MISSED_TARGET: f64 = 1.1;

/// A game keeps real time if its speed differs from 1 by no more than this share. Two games are equally fast if their speeds
/// differ by no more than this share.
pub const SAME_SPEED: f64 = 0.01;

/// The mean interval is too long if it exceeds the wanted interval by this factor. A single hitch in two seconds is not
/// enough for that.
pub const TOO_LONG_INTERVAL: f64 = 1.05;

/// Intervals are even if their deviation is no more than this share of their mean. Uneven intervals are known once
/// [`UNEVEN_KNOWN_FROM`] times their mean has passed since the last change; before that, the long ones have not ended.
pub const EVEN_INTERVALS: f64 = 0.2;

/// See [`EVEN_INTERVALS`].
pub const UNEVEN_KNOWN_FROM: f64 = 6.0;

/// Smallest number of runs in a frame that are a burst, if [`BURST_RATIO`] is also reached.
pub const BURST_RUNS: u32 = 10;

/// Smallest ratio to the mean number of runs per frame that is a burst. Random requests reach twice the mean without
/// a burst.
pub const BURST_RATIO: f64 = 3.0;

/// A lane falls behind only if its last backlog is at least its peak backlog divided by this. A smaller backlog is
/// being worked off.
pub const NEAR_PEAK: usize = 2;

/// Runs are evenly spread if no frame exceeds the mean number of runs by more than this factor.
///
/// Used for advice on an interval, which must hold for the peak. [`PREDICTED_PEAK`] is wider, since single peaks hardly
/// change the mean frame.
pub const EVEN_RUNS: f64 = 1.25;

/// The mean frame is predicted only if no frame exceeds this multiple of the mean number of runs by more than one run.
/// See [`EVEN_RUNS`].
pub const PREDICTED_PEAK: f64 = 2.0;

/// Costs are equal if the longest frame does not exceed its runs' mean cost by more than this factor. Whole nanoseconds and
/// quantiles are not exact to the last digit.
pub const EQUAL_COSTS: f64 = 1.01;

/// Number of wanted intervals to measure before comparing strategies, besides [`COMPARED_FROM`].
pub const KNOWN_INTERVALS: u64 = 2;

/// Overruns are a warning if they exceed this share of the budget more often than [`FREQUENT_OVERRUN`].
pub const LARGE_OVERRUN: f64 = 0.1;

/// Share of all updates that may exceed the budget by more than [`LARGE_OVERRUN`] without a warning. In the published
/// algorithm an update's last task may end a little late.
pub const FREQUENT_OVERRUN: f64 = 0.01;

/// An entity starves after waiting this many times as long as its strategy promises.
pub const STARVED_AFTER: u64 = 3;

/// An entity is too stale if its staleness exceeds this multiple of the wanted interval by more than two frames: even
/// the shortest interval ends with a frame.
pub const TOO_STALE: f64 = 1.5;

/// A clock is too coarse for a budget of fewer steps than this: each step would be more than a tenth of the budget.
pub const CLOCK_STEPS: u64 = 10;

/// Coarsest clock that is fine enough for any budget.
pub const FINE_CLOCK: Nanos = Nanos::from_micros(1);

/// Time after a disturbance in which hitches are counted, by the machine's clock.
pub const RECOVERY_WATCHED: Nanos = Nanos::from_secs(3);

/// Time after a disturbance in which recovery is reported, by the machine's clock.
pub const RECOVERY_SHOWN: Nanos = Nanos::from_secs(8);

/// A lane is smooth again after this time without a hitch.
pub const SMOOTH_AFTER: Nanos = Nanos::from_millis(500);

/// A hitch after a disturbance is unusually long if it exceeds the longest hitch before the disturbance by this factor.
pub const LONGER_HITCH: f64 = 1.25;

/// Hitches are usual in a lane if at least this many are expected in [`RECOVERY_WATCHED`]. Otherwise every hitch
/// counts.
pub const USUAL_HITCHES_FROM: f64 = 0.5;

/// Smallest dropped debt that the loop race reports, in milliseconds per second.
pub const LEAST_DROPPED_MS: f64 = 0.001;

/// Largest distance between two flights' ends that is reported as "less than", in metres.
pub const CLOSE_ENDS: f64 = 0.001;

/// Returns the limit for the 99th percentile of task times within `budget`: a thousandth above the budget, because
/// quantiles are rounded up by at most a thousandth.
#[must_use]
pub fn quantile_budget(budget: Nanos) -> Nanos {
    budget + Nanos::from_nanos(budget.as_nanos() / 1000)
}

/// Returns the longest time that any frame may spend on tasks within `budget`: 1.5 times the budget.
#[must_use]
pub fn peak_budget(budget: Nanos) -> Nanos {
    let nanos = budget.as_nanos();
    Nanos::from_nanos(nanos.saturating_add(nanos / 2))
}

/// Returns true if a queue grew from `first` to `last` by more than chance explains: about the square root of the number
/// `served`.
#[must_use]
pub fn grew_beyond_chance((first, last): (usize, usize), served: u64) -> bool {
    last.saturating_sub(first) as f64 > (served as f64).sqrt()
}
