//! Every threshold by which figures are judged, for the last seconds in the window and for whole runs alike.

use timeslice::time::Nanos;

/// After a change of strategy, frame loop or knob the figures begin with the first frame that starts this
/// long after it, by the machine's clock: the costs of the change itself (births, a burst, caches) are no property
/// of what runs now. Only figures since the last change have it: those of the window's last seconds begin at
/// the change itself, so that a change is seen at once ([`crate::history::WindowStats`]). It is short compared to the seconds that figures are read over, and longer than any burst that
/// a switch leaves behind on a machine that keeps up.
pub const WARM_UP: Nanos = Nanos::from_millis(250);

/// Less than this tells nothing yet about the last seconds.
pub const STATUS_FROM: Nanos = Nanos::from_millis(500);

/// A rate of hitches is known from this span on.
pub const HITCH_RATE_FROM: Nanos = Nanos::from_millis(500);

/// Strategies are compared with each other from this span on.
pub const COMPARED_FROM: Nanos = Nanos::from_secs(1);

/// A frame that lasts longer than this is a hitch: one and a half times its target length.
#[must_use]
pub fn hitch_from(target: Nanos) -> Nanos {
    target + Nanos::from_nanos(target.as_nanos() / 2)
}

/// Tasks that take this share of a hitch, without which it would have been none, are its cause; so are those that take
/// half of it in any case.
pub const BY_TASKS_SHARE: f64 = 0.25;

/// Frames miss their target length if their mean exceeds it by this factor.
pub const MISSED_TARGET: f64 = 1.1;

/// A game keeps real time if its speed differs from 1 by no more than this, and two games are equally fast if the faster
/// one is by no more than this share faster.
pub const SAME_SPEED: f64 = 0.01;

/// The mean interval is too long if it exceeds the wanted one by this factor. A single hitch in the last two seconds
/// does not reach it.
pub const TOO_LONG_INTERVAL: f64 = 1.05;

/// Intervals are even if their deviation is no more than this share of their mean. Uneven ones are known once
/// [`UNEVEN_KNOWN_FROM`] times their mean has passed since the last change: before that the long ones have not ended.
pub const EVEN_INTERVALS: f64 = 0.2;

/// See [`EVEN_INTERVALS`].
pub const UNEVEN_KNOWN_FROM: f64 = 6.0;

/// Runs are a burst if one frame has at least this many, ...
pub const BURST_RUNS: u32 = 10;

/// ... and at least this many times the mean. Requests that come by chance reach twice the mean without any burst.
pub const BURST_RATIO: f64 = 3.0;

/// A lane falls behind if its last backlog, this many times over, reaches its peak: a backlog that has shrunk to less
/// is being served.
pub const NEAR_PEAK: usize = 2;

/// Runs are evenly spread if no frame has more than this many times the mean.
///
/// This is for advice on an interval, which must hold for the peak; [`PREDICTED_PEAK`] is wider, since the mean frame
/// hardly depends on single peaks.
pub const EVEN_RUNS: f64 = 1.25;

/// The mean frame is predicted if no frame has more runs than this many times the mean, and one. See [`EVEN_RUNS`].
pub const PREDICTED_PEAK: f64 = 2.0;

/// Costs are equal if the longest frame does not exceed its runs' mean cost by more than this factor: what is counted in
/// nanoseconds, and quantiles, are not equal to the last digit.
pub const EQUAL_COSTS: f64 = 1.01;

/// Strategies are compared from this many wanted intervals on (and from [`COMPARED_FROM`] on).
pub const KNOWN_INTERVALS: u64 = 2;

/// A peak this close to the mean is the mean.
pub const NO_PEAK: f64 = 1.005;

/// An overrun is worth a warning if it is more than this share of the budget, ...
pub const LARGE_OVERRUN: f64 = 0.1;

/// ... in more than this share of all updates. That an update's last task ends a little too late is the published
/// rule.
pub const FREQUENT_OVERRUN: f64 = 0.01;

/// An entity that has waited for more than this many times what its strategy promises is starved.
pub const STARVED_AFTER: u64 = 3;

/// A staleness is too large if it exceeds the wanted interval by this factor and two frames: an interval ends with a
/// frame, however short it is wanted.
pub const TOO_STALE: f64 = 1.5;

/// A clock is too coarse for a budget of fewer steps than this: each would be more than a tenth of it.
pub const CLOCK_STEPS: u64 = 10;

/// The finest clock that is never too coarse for a budget.
pub const FINE_CLOCK: Nanos = Nanos::from_micros(1);

/// After a disturbance hitches are counted for this span of the machine's time.
pub const RECOVERY_WATCHED: Nanos = Nanos::from_secs(3);

/// Recovery from a disturbance is reported for this span of the machine's time.
pub const RECOVERY_SHOWN: Nanos = Nanos::from_secs(8);

/// Without a hitch for this span, a lane is smooth again.
pub const SMOOTH_AFTER: Nanos = Nanos::from_millis(500);

/// A hitch after a disturbance is longer than usual if it exceeds the longest before it by this factor.
pub const LONGER_HITCH: f64 = 1.25;

/// Hitches are usual in a lane if this many would be expected in [`RECOVERY_WATCHED`]. With fewer, each is one too many.
pub const USUAL_HITCHES_FROM: f64 = 0.5;

/// The least dropped debt that the loop race reports, in milliseconds of each second.
pub const LEAST_DROPPED_MS: f64 = 0.001;

/// Ends of flights that are closer together than this, in metres, are reported as such.
pub const CLOSE_ENDS: f64 = 0.001;

/// The most that 99 of 100 frames may spend on tasks to keep within `budget`: quantiles are known to a thousandth, and
/// are reported too large rather than too small.
#[must_use]
pub fn quantile_budget(budget: Nanos) -> Nanos {
    budget + Nanos::from_nanos(budget.as_nanos() / 1000)
}

/// The most that a single frame may spend on tasks if 99 of 100 keep within `budget`: half as much again.
#[must_use]
pub fn peak_budget(budget: Nanos) -> Nanos {
    let nanos = budget.as_nanos();
    Nanos::from_nanos(nanos.saturating_add(nanos / 2))
}

/// Whether a queue grew from `first` to `last` by more than chance makes of it: that is about the root of the number
/// served.
#[must_use]
pub fn grew_beyond_chance((first, last): (usize, usize), served: u64) -> bool {
    last.saturating_sub(first) as f64 > (served as f64).sqrt()
}
