//! What is measured: a record for each frame, and figures over many of them.

use crate::time::Nanos;
use hdrhistogram::Histogram;

/// One frame, as it was. Its four parts add up to its length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameRecord {
    /// Its number, from 0.
    pub number: u64,
    /// When it started, on the machine's clock.
    pub start: Nanos,
    /// The time from the last frame's start to this one's.
    pub delta: Nanos,
    /// How many updates it made.
    pub updates: u32,
    /// The game time that each of its updates advanced; would have advanced, where it made none.
    pub step: Nanos,
    /// The debt after its updates: real time that the frame loop had not simulated yet.
    pub debt: Nanos,
    /// The debt that the frame loop gave up in this frame: real time that the game has lost.
    pub debt_dropped: Nanos,
    /// How many tasks ran.
    pub runs: u32,
    /// How many tasks waited after its last update.
    pub backlog: usize,
    /// The time in tasks.
    pub task_time: Nanos,
    /// The time in updates apart from tasks.
    pub scheduling: Nanos,
    /// The time in drawing the picture.
    pub drawing: Nanos,
    /// The time in waiting for the display or a deadline.
    pub waiting: Nanos,
    /// The whole frame, from its start to the next one's.
    pub length: Nanos,
    /// The interpolation fraction with which it was drawn: what moves is drawn `alpha` times `step` ahead
    /// of the game time.
    pub alpha: f64,
}

/// Figures over all frames and runs since they were last cleared.
#[derive(Clone, Debug)]
pub struct Figures {
    frames: u64,
    updates: u64,
    runs: u64,
    peak_runs: u32,
    peak_backlog: usize,
    debt_dropped: Nanos,
    lengths: Spread,
    intervals: Spread,
    longest_elapsed: Nanos,
}

impl Default for Figures {
    fn default() -> Self {
        Self::new()
    }
}

impl Figures {
    /// Over nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            frames: 0,
            updates: 0,
            runs: 0,
            peak_runs: 0,
            peak_backlog: 0,
            debt_dropped: Nanos::ZERO,
            lengths: Spread::new(),
            intervals: Spread::new(),
            longest_elapsed: Nanos::ZERO,
        }
    }

    /// Counts a frame.
    pub fn frame(&mut self, frame: &FrameRecord) {
        self.frames += 1;
        self.updates += u64::from(frame.updates);
        self.runs += u64::from(frame.runs);
        self.peak_runs = self.peak_runs.max(frame.runs);
        self.peak_backlog = self.peak_backlog.max(frame.backlog);
        self.debt_dropped += frame.debt_dropped;
        self.lengths.add(frame.length);
    }

    /// Counts a run, `elapsed` after the task's last run; after its birth for its `first`, which makes
    /// no interval.
    pub fn run(&mut self, elapsed: Nanos, first: bool) {
        self.longest_elapsed = self.longest_elapsed.max(elapsed);
        if !first {
            self.intervals.add(elapsed);
        }
    }

    /// How many frames.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// How many updates.
    #[must_use]
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// How many runs.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Runs a frame, on the mean; zero before the first frame.
    #[must_use]
    pub fn mean_runs(&self) -> f64 {
        self.runs as f64 / self.frames.max(1) as f64
    }

    /// The most runs in one frame.
    #[must_use]
    pub fn peak_runs(&self) -> u32 {
        self.peak_runs
    }

    /// The most tasks that waited after a frame.
    #[must_use]
    pub fn peak_backlog(&self) -> usize {
        self.peak_backlog
    }

    /// All the debt that was dropped: real time that the game has lost.
    #[must_use]
    pub fn debt_dropped(&self) -> Nanos {
        self.debt_dropped
    }

    /// The frames' lengths.
    #[must_use]
    pub fn lengths(&self) -> &Spread {
        &self.lengths
    }

    /// The intervals between two runs of one task.
    #[must_use]
    pub fn intervals(&self) -> &Spread {
        &self.intervals
    }

    /// The longest that any task had waited when it ran.
    #[must_use]
    pub fn longest_elapsed(&self) -> Nanos {
        self.longest_elapsed
    }
}

/// How a time is distributed: its mean and deviation exactly, its quantiles to a thousandth.
#[derive(Clone, Debug)]
pub struct Spread {
    /// In microseconds, so that the counts of an hour's range stay small.
    histogram: Histogram<u64>,
    count: u64,
    mean_ns: f64,
    squares_ns2: f64,
    max: Nanos,
}

impl Default for Spread {
    fn default() -> Self {
        Self::new()
    }
}

impl Spread {
    /// Of nothing yet.
    #[must_use]
    pub fn new() -> Self {
        const HOUR_US: u64 = 3_600_000_000;
        Self {
            histogram: Histogram::new_with_max(HOUR_US, 3).unwrap_or_else(|_| {
                unreachable!(
                    "an hour in microseconds to three digits is within the histogram's limits"
                )
            }),
            count: 0,
            mean_ns: 0.0,
            squares_ns2: 0.0,
            max: Nanos::ZERO,
        }
    }

    /// Counts a time.
    pub fn add(&mut self, time: Nanos) {
        self.histogram
            .saturating_record(time.as_nanos().div_ceil(1000));
        self.count += 1;
        // Welford, 1962: the mean and the sum of squares about it, without large sums.
        let nanos = time.as_nanos() as f64;
        let off = nanos - self.mean_ns;
        self.mean_ns += off / self.count as f64;
        self.squares_ns2 += off * (nanos - self.mean_ns);
        self.max = self.max.max(time);
    }

    /// How many were counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean; zero of nothing.
    #[must_use]
    pub fn mean(&self) -> Nanos {
        Nanos::from_nanos_f64(self.mean_ns)
    }

    /// The standard deviation; zero of nothing.
    #[must_use]
    pub fn deviation(&self) -> Nanos {
        Nanos::from_nanos_f64((self.squares_ns2 / self.count.max(1) as f64).sqrt())
    }

    /// The time that a share `quantile` (0 to 1) of them does not exceed, to a thousandth; zero of nothing.
    #[must_use]
    pub fn quantile(&self, quantile: f64) -> Nanos {
        Nanos::from_micros(self.histogram.value_at_quantile(quantile)).min(self.max)
    }

    /// The longest.
    #[must_use]
    pub fn max(&self) -> Nanos {
        self.max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_nothing_every_figure_is_zero() {
        let figures = Figures::new();
        assert_eq!(figures.mean_runs(), 0.0);
        assert_eq!(figures.lengths().mean(), Nanos::ZERO);
        assert_eq!(figures.lengths().deviation(), Nanos::ZERO);
        assert_eq!(figures.lengths().quantile(0.99), Nanos::ZERO);
    }

    #[test]
    fn a_spread_knows_mean_deviation_and_quantiles() {
        let mut spread = Spread::new();
        (1..=1000).for_each(|millis| spread.add(Nanos::from_millis(millis)));
        assert_eq!(spread.mean(), Nanos::from_micros(500_500));
        assert!((spread.deviation().as_millis_f64() - 288.675).abs() < 0.001);
        let off = |quantile, millis: f64| {
            (spread.quantile(quantile).as_millis_f64() / millis - 1.0).abs()
        };
        assert!(off(0.5, 500.0) < 0.001 && off(0.99, 990.0) < 0.001);
        assert_eq!(spread.max(), Nanos::SECOND);
        assert_eq!(spread.quantile(1.0), Nanos::SECOND);
    }

    #[test]
    fn the_first_run_of_a_life_makes_no_interval() {
        let mut figures = Figures::new();
        figures.run(Nanos::from_millis(80), true);
        assert_eq!(figures.intervals().count(), 0);
        assert_eq!(figures.longest_elapsed(), Nanos::from_millis(80));
        figures.run(Nanos::from_millis(50), false);
        assert_eq!(figures.intervals().mean(), Nanos::from_millis(50));
    }
}
