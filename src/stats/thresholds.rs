//! Every threshold by which figures are judged, for the last seconds in the window and for whole runs alike.

use timeslice::time::Nanos;

/// After a change of strategy, frame loop or knob the figures begin with the first frame that starts this
/// long after it, by the machine's clock: the costs of the change itself (births, a burst, caches) are no property
/// of what runs now. It is short compared to the seconds that figures are read over, and longer than any burst that
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

/// Runs are evenly spread if no frame has more than this many times the mean.
pub const EVEN_RUNS: f64 = 1.25;

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
