//! Thresholds that decide when a metric is a problem. The same values apply to the last seconds and to whole runs.

use timeslicer::time::Nanos;

/// How long after a change of strategy, frame loop or knob the measurement begins, on the machine's clock. This warm-up
/// keeps the cost of the change itself (births, a burst, cold caches) out of the metrics.
///
/// The warm-up is short compared with the seconds that the metrics cover, but longer than any burst after a change if
/// the machine keeps up. The statistics of the last seconds ([`crate::history::WindowStats`]) have no warm-up, so that
/// they show the effect of a change at once.
pub const WARM_UP: Nanos = Nanos::from_millis(250);

/// The status message describes a lane only after it was measured for this time.
pub const STATUS_FROM: Nanos = Nanos::from_millis(500);

/// Strategies are compared only after they were measured for this time.
pub const COMPARED_FROM: Nanos = Nanos::from_secs(1);

/// Returns the length above which a frame is a hitch, which is 1.5 times its target length.
pub fn hitch_from(target: Nanos) -> Nanos {
    target + Nanos::from_nanos(target.as_nanos() / 2)
}

/// Frames miss their target length if their mean length is more than this multiple of the target.
pub const MISSED_TARGET: f64 = 1.1;

/// A game keeps real time if its speed differs from 1 by at most this fraction. Two games are equally fast if their
/// speeds differ by no more than this fraction.
pub const SAME_SPEED: f64 = 0.01;

/// Two lanes were measured for the same time if their times differ by at most this fraction of the longer one.
pub const SAME_SPAN: f64 = 0.1;

/// The mean interval is too long if it is more than this multiple of the desired interval. A single hitch in two
/// seconds does not make it too long.
pub const TOO_LONG_INTERVAL: f64 = 1.05;

/// The measured intervals represent all intervals if their mean and the length of a round differ by no more than this
/// factor.
pub const KNOWN_INTERVAL: f64 = 1.1;

/// Intervals are even if their standard deviation is no more than this fraction of their mean. The mean of even
/// intervals is known at once, that of uneven ones only later ([`UNEVEN_KNOWN_FROM`]).
pub const EVEN_INTERVALS: f64 = 0.2;

/// The mean of uneven intervals is known once this multiple of it has passed since the last setting change. Before
/// that, the longest intervals have not ended yet.
pub const UNEVEN_KNOWN_FROM: f64 = 6.0;

/// Intervals near the target and far from it are described separately if the far ones are longer by more than this
/// factor. This applies to strategies by significance.
pub const DIFFERENT_INTERVALS: f64 = 1.1;

/// A setting found by a search is recommended only if it reduces staleness to this fraction or less.
pub const CLEARLY_FRESHER: f64 = 0.98;

/// Weighting makes almost no difference if no entity has a weight below this value.
pub const EQUAL_WEIGHTS: f64 = 0.8;

/// Intervals count as stretched if an overload lengthens them by at least this factor.
pub const STRETCHED_FROM: f64 = 1.1;

/// Whether a lane is overloaded is decided only after this number of runs, or after one run per task if there are fewer
/// tasks. Before that, the mean cost of a run is too uncertain.
pub const DEMAND_KNOWN_FROM: u64 = 10;

/// A round, in which every task runs once, is slow if it takes longer than this under any strategy. The value is a
/// little above two common cases. `weighted-share`, the strategy for more work than time, lets no task wait for longer
/// than 3 s by default. A crowd of 400 entities with four runs in each update has a round of 3.3 s on a 30 Hz display.
pub const SLOW_ROUND: Nanos = Nanos::from_secs(5);

/// If an overload stretches an interval, a run may be later than the stretched interval by this number of updates.
pub const ELASTIC_UPDATES: u64 = 4;

/// A frame is a burst if it has at least this number of runs and also reaches [`BURST_RATIO`].
pub const BURST_RUNS: u32 = 10;

/// A frame is a burst if its number of runs is at least this multiple of the mean and also reaches [`BURST_RUNS`].
/// Random requests alone reach twice the mean.
pub const BURST_RATIO: f64 = 3.0;

/// A lane falls behind only if its last backlog is at least its peak backlog divided by this. If the last backlog is
/// smaller, the lane is catching up.
pub const NEAR_PEAK: usize = 2;

/// If frames without tasks are shorter than the display's period, the mean frame length is predicted only while no
/// frame has more runs than this multiple of the mean, plus one.
pub const PREDICTED_PEAK: f64 = 2.0;

/// The best value in a table column is marked only if at most this number of strategies share it.
pub const MOST_BEST: usize = 2;

/// On a real clock, this fraction of the updates may exceed the budget, because other programs interrupt them.
pub const INTERRUPTED_UPDATES: f64 = 0.01;

/// An entity starves if it waits longer than this multiple of the time that its strategy guarantees.
pub const STARVED_AFTER: u64 = 3;

/// An entity is too stale if its staleness is more than this multiple of the strategy's interval, plus two frames. The
/// frames are added because even the shortest interval lasts until a frame ends.
pub const TOO_STALE: f64 = 1.5;

/// The measured mean cost is used only after this number of runs. Before that, the mean cost in the settings is used.
pub const COST_KNOWN_FROM: u64 = 100;

/// A clock is too coarse for a budget that is shorter than this number of clock ticks.
pub const CLOCK_STEPS: u64 = 10;

/// A clock with this resolution or a finer one suits every budget.
pub const FINE_CLOCK: Nanos = Nanos::from_micros(1);

/// How long hitches and staleness are compared before and after a disturbance, on the machine's clock.
pub const RECOVERY_WATCHED: Nanos = Nanos::from_secs(3);

/// How long after a disturbance the status message reports the recovery, on the machine's clock.
pub const RECOVERY_SHOWN: Nanos = Nanos::from_secs(8);

/// A lane has recovered from a disturbance after this time without an extra hitch.
pub const SETTLED_AFTER: Nanos = Nanos::from_millis(500);

/// A disturbance made a crowd much staler if the highest mean staleness rose by at least this factor. An injected stall
/// is subtracted first.
pub const STALER_FROM: f64 = 1.5;

/// Dropped time below this is not reported, in milliseconds per second.
pub const LEAST_DROPPED_MS: f64 = 0.001;

/// If two shots end closer together than this distance in metres, the exact distance is not reported.
pub const CLOSE_ENDS: f64 = 0.001;

/// Returns the task time above which an update exceeds `budget` on a real clock. It is 2 % above the budget, because
/// the same task does not take exactly the same time twice.
pub fn noisy_budget(budget: Nanos) -> Nanos {
    budget + Nanos::from_nanos(budget.as_nanos() / 50)
}

/// Returns true if a queue grew from `first` to `last` by more than chance explains. Chance explains about the square
/// root of `served`, the number of tasks that ran.
pub fn grew_beyond_chance((first, last): (usize, usize), served: u64) -> bool {
    last.saturating_sub(first) as f64 > (served as f64).sqrt()
}
