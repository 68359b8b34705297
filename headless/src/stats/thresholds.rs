//! Thresholds for judging figures. They apply to the last seconds and to whole runs alike.

use timeslicer::time::Nanos;

/// Time between a change of strategy, frame loop or knob and the first frame that counts, by the machine's clock. The
/// warm-up keeps the cost of the change itself (births, a burst, cold caches) out of the figures.
///
/// The warm-up is short compared with the seconds that figures cover. It is longer than any burst after a change, if
/// the machine keeps up. The statistics of the last seconds ([`crate::history::WindowStats`]) have no warm-up, so that
/// they show a change at once.
pub const WARM_UP: Nanos = Nanos::from_millis(250);

/// Shortest span that the status describes.
pub const STATUS_FROM: Nanos = Nanos::from_millis(500);

/// Shortest span for comparing strategies.
pub const COMPARED_FROM: Nanos = Nanos::from_secs(1);

/// Returns the longest frame that is no hitch: one and a half times its target length.
pub fn hitch_from(target: Nanos) -> Nanos {
    target + Nanos::from_nanos(target.as_nanos() / 2)
}

/// Frames miss their target length if their mean length is more than this multiple of the target.
pub const MISSED_TARGET: f64 = 1.1;

/// A game keeps real time if its speed differs from 1 by at most this share. Two games are equally fast if their speeds
/// differ by no more than this share.
pub const SAME_SPEED: f64 = 0.01;

/// Two lanes were measured for the same time if their times differ by at most this share of the longer one.
pub const SAME_SPAN: f64 = 0.1;

/// The mean interval is too long if it is more than this multiple of the wanted interval. A single hitch in two seconds
/// does not make it too long.
pub const TOO_LONG_INTERVAL: f64 = 1.05;

/// Measured intervals represent all intervals if their mean and the length of a round differ by no more than this factor.
pub const KNOWN_INTERVAL: f64 = 1.1;

/// Intervals that a strategy wants are even if their standard deviation is no more than this share of their mean. Even
/// intervals are known at once, uneven ones later ([`UNEVEN_KNOWN_FROM`]).
pub const EVEN_INTERVALS: f64 = 0.2;

/// Uneven intervals are known once this multiple of their mean has passed since the last change. Before that, the long
/// intervals among them have not ended.
pub const UNEVEN_KNOWN_FROM: f64 = 6.0;

/// Strategies by significance are described by their intervals near the target and far from it if the latter are more than
/// this multiple of the former.
pub const DIFFERENT_INTERVALS: f64 = 1.1;

/// A setting found by trial is named only if staleness with it is at most this multiple of that without it.
pub const CLEARLY_FRESHER: f64 = 0.98;

/// All entities weigh nearly the same if none weighs less than this.
pub const EQUAL_WEIGHTS: f64 = 0.8;

/// Intervals are stretched if an overload lengthens them by at least this factor.
pub const STRETCHED_FROM: f64 = 1.1;

/// Least number of runs whose mean cost decides about an overload, unless each task has run.
pub const DEMAND_KNOWN_FROM: u64 = 10;

/// A round of all tasks is slow if it takes longer than this, whatever the strategy. The strategy that is used if there is
/// more work than time, `weighted-share`, lets no task wait for longer than 3 s by default. A crowd that takes turns needs
/// a little longer on a slow display: 400 entities, 4 in each update, have a round of 3.3 s at 30 Hz.
pub const SLOW_ROUND: Nanos = Nanos::from_secs(5);

/// Number of updates by which a run may be later than an interval that an overload stretches.
pub const ELASTIC_UPDATES: u64 = 4;

/// A frame is a burst if it has at least this many runs and also reaches [`BURST_RATIO`].
pub const BURST_RUNS: u32 = 10;

/// A frame is a burst if its number of runs is at least this multiple of the mean and also reaches [`BURST_RUNS`].
/// Random requests alone reach twice the mean.
pub const BURST_RATIO: f64 = 3.0;

/// A lane falls behind only if its last backlog is at least its peak backlog divided by this. A smaller backlog is
/// being worked off.
pub const NEAR_PEAK: usize = 2;

/// If frames without tasks are shorter than the display's period, the mean frame is predicted only if no frame has more
/// runs than this multiple of the mean, plus one.
pub const PREDICTED_PEAK: f64 = 2.0;

/// The best value of a table's column is marked only if no more than this many strategies share it.
pub const MOST_BEST: usize = 2;

/// Share of the updates that may exceed the budget by a real clock, because other programs interrupt them.
pub const INTERRUPTED_UPDATES: f64 = 0.01;

/// An entity starves after waiting this many times as long as its strategy guarantees.
pub const STARVED_AFTER: u64 = 3;

/// An entity is too stale if its staleness is more than this multiple of the time that the strategy says, plus two frames.
/// Frames are added because even the shortest interval lasts until a frame ends.
pub const TOO_STALE: f64 = 1.5;

/// Least number of runs whose measured mean cost counts. With fewer runs, the wanted cost takes its place.
pub const COST_KNOWN_FROM: u64 = 100;

/// A clock is too coarse for a budget that is shorter than this many steps of the clock.
pub const CLOCK_STEPS: u64 = 10;

/// Steps of the coarsest clock that is fine enough for any budget.
pub const FINE_CLOCK: Nanos = Nanos::from_micros(1);

/// Time before and after a disturbance in which hitches are counted and staleness is compared, by the machine's clock.
pub const RECOVERY_WATCHED: Nanos = Nanos::from_secs(3);

/// Time after a disturbance in which the status reports the recovery, by the machine's clock.
pub const RECOVERY_SHOWN: Nanos = Nanos::from_secs(8);

/// A disturbance is over after this time without an extra hitch.
pub const SETTLED_AFTER: Nanos = Nanos::from_millis(500);

/// A disturbance made a crowd much staler if its mean staleness at its highest, less an injected stall, is at least this
/// multiple of that before.
pub const STALER_FROM: f64 = 1.5;

/// Smallest dropped debt that the comparison reports, in milliseconds per second.
pub const LEAST_DROPPED_MS: f64 = 0.001;

/// If the ends of two flights are less than this distance apart, in metres, no exact distance is reported.
pub const CLOSE_ENDS: f64 = 0.001;

/// Returns the task time from which an update exceeds `budget` by a real clock. A strategy cannot do better than the
/// clock, by which the same task does not take exactly the same time twice.
pub fn noisy_budget(budget: Nanos) -> Nanos {
    budget + Nanos::from_nanos(budget.as_nanos() / 50)
}

/// Returns true if a queue grew from `first` to `last` by more than chance explains. Chance explains about the square
/// root of `served`, the number of tasks that ran.
pub fn grew_beyond_chance((first, last): (usize, usize), served: u64) -> bool {
    last.saturating_sub(first) as f64 > (served as f64).sqrt()
}
