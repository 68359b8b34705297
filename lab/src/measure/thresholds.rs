//! Thresholds that decide when a metric indicates a problem. They apply both to the last few seconds and to whole runs.

use timeslicer::time::Nanos;

/// The length of the warm-up after a change of strategy, frame loop or knob. Nothing is counted during it, so that the
/// metrics do not include the cost of the change itself (births, a burst, cold caches). The warm-up is measured on the
/// machine's clock. It is longer than any burst after a change, as long as the machine keeps up, but much shorter than
/// the time that the metrics cover. The statistics of the last few seconds ([`crate::history::WindowStats`]) have no
/// warm-up, so that they show the effect of a change at once.
pub const WARM_UP: Nanos = Nanos::from_millis(250);

/// How long a simulation is measured before the status message describes it.
pub const STATUS_FROM: Nanos = Nanos::from_millis(500);

/// Frames are considered too long if their mean length divided by the target length is greater than this.
pub const MISSED_TARGET: f64 = 1.1;

/// A game is considered to run in real time if its speed differs from 1 by no more than this fraction. The same
/// tolerance applies when two game speeds are compared.
pub const SAME_SPEED: f64 = 0.01;

/// Frames without an update, or with several, are mentioned only if they are more than this fraction of all frames. The
/// first frame of every game has no update.
pub const NEARLY_NO_FRAMES: f64 = 0.01;

/// Frames without an update make tasks run in bunches if they are at least this fraction of all frames.
pub const MANY_FRAMES: f64 = 0.1;

/// Updates run about equally many tasks if none of them runs more than this multiple of the mean.
pub const EVENLY_SPREAD: f64 = 1.25;

/// The mean interval counts as too long if it is at least this many times the desired one. One hitch in two seconds
/// lengthens it by less.
pub const TOO_LONG_INTERVAL: f64 = 1.05;

/// If there is no desired interval, the measured mean interval can be trusted once it is close to the time in which
/// every task runs once. The two may differ by no more than this factor.
pub const KNOWN_INTERVAL: f64 = 1.1;

/// Intervals count as nearly equal if their standard deviation is at most this fraction of their mean. Otherwise, they
/// are uneven, and their mean can be trusted only after a longer time ([`UNEVEN_KNOWN_FROM`]).
pub const EVEN_INTERVALS: f64 = 0.2;

/// The mean of uneven intervals can be trusted after this many times the mean. Before that, the longest have not ended.
pub const UNEVEN_KNOWN_FROM: f64 = 6.0;

/// The intervals of near and far entities are described separately if they differ by more than this factor.
pub const DIFFERENT_INTERVALS: f64 = 1.1;

/// Intervals count as stretched if an overload makes them longer by at least this factor.
pub const STRETCHED_FROM: f64 = 1.1;

/// An overload is detected only after this number of runs, or after one run per task if there are fewer tasks. Before
/// that, the mean cost of a run is not known well enough.
pub const DEMAND_KNOWN_FROM: u64 = 10;

/// The longest acceptable time until every task has run once.
// This is more than the defaults need: `weighted-share` lets tasks wait for up to 3 s, and on a 30 Hz display,
// `max-per-frame` takes 3.3 s to run 400 tasks, four in each update.
pub const SLOW_ROUND: Nanos = Nanos::from_secs(5);

/// With a strategy that stretches its intervals in an overload, a run may come up to this number of updates after the
/// interval without violating the guarantee.
pub const ELASTIC_UPDATES: u64 = 4;

/// A frame counts as a burst only if it contains at least this number of runs and also reaches [`BURST_RATIO`].
pub const BURST_RUNS: u32 = 10;

/// A frame counts as a burst only if its number of runs is at least this multiple of the mean. Random requests alone
/// reach twice the mean.
pub const BURST_RATIO: f64 = 3.0;

/// A strategy counts as falling behind only if its latest backlog is at least its largest backlog divided by this
/// number. If the backlog is smaller, the strategy is already catching up.
pub const NEAR_PEAK: usize = 2;

/// On a real machine, this fraction of the updates may exceed the budget, because other programs can interrupt them.
pub const INTERRUPTED_UPDATES: f64 = 0.01;

/// An entity is too stale if its staleness exceeds this multiple of the strategy's interval by more than two frames.
/// The two frames are tolerated because even the shortest interval lasts until a frame ends.
pub const TOO_STALE: f64 = 1.5;

/// A clock is too coarse for a budget if the budget is shorter than this number of clock ticks.
pub const CLOCK_STEPS: u64 = 10;

/// A clock with this resolution or a better one is precise enough for every budget.
pub const FINE_CLOCK: Nanos = Nanos::from_micros(1);

/// How long hitches and staleness are observed after a disturbance, measured on the machine's clock.
pub const RECOVERY_WATCHED: Nanos = Nanos::from_secs(3);

/// How long the status message mentions a disturbance, measured on the machine's clock.
pub const RECOVERY_SHOWN: Nanos = Nanos::from_secs(8);

/// A simulation has recovered from a disturbance once it has had no hitch for this long.
pub const SETTLED_AFTER: Nanos = Nanos::from_millis(500);

/// Dropped real time is reported only if at least this number of milliseconds is dropped per second.
pub const LEAST_DROPPED_MS: f64 = 0.001;

/// Returns the time above which an update exceeds `budget` on a real machine, where no task takes the same time twice.
pub fn noisy_budget(budget: Nanos) -> Nanos {
    budget + Nanos::from_nanos(budget.as_nanos() / 50)
}

/// Returns true if a queue has grown by more than chance can explain. It grew from `first` to `last` while `served`
/// tasks ran. Chance alone can make it grow by about the square root of `served`.
pub fn grew_beyond_chance((first, last): (usize, usize), served: u64) -> bool {
    last.saturating_sub(first) as f64 > (served as f64).sqrt()
}
