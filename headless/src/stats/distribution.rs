//! Distributions of times.

use hdrhistogram::Histogram;
use timeslicer::time::Nanos;

/// Figures of a [`Distribution`]; all zero if it is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Number of measured times.
    pub count: u64,
    /// Mean.
    pub mean: Nanos,
    /// Standard deviation.
    pub deviation: Nanos,
    /// Median.
    pub p50: Nanos,
    /// 95th percentile.
    pub p95: Nanos,
    /// 99th percentile.
    pub p99: Nanos,
    /// Maximum.
    pub max: Nanos,
}

/// Distribution of times of up to an hour. Mean and deviation are exact. Quantiles are exact to a thousandth, and
/// rounded up to whole microseconds.
#[derive(Clone, Debug)]
pub struct Distribution {
    /// In microseconds, to keep the number of buckets for an hour small.
    histogram: Histogram<u64>,
    count: u64,
    /// The first time that was added. Sums add up differences from this time, which keeps the sums small without a
    /// division for each added time.
    first_ns: f64,
    sum_ns: f64,
    squares_ns2: f64,
    max: Nanos,
}

impl Default for Distribution {
    fn default() -> Self {
        Self::new()
    }
}

impl Distribution {
    /// Returns an empty distribution.
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
            first_ns: 0.0,
            sum_ns: 0.0,
            squares_ns2: 0.0,
            max: Nanos::ZERO,
        }
    }

    /// Adds a time.
    pub fn add(&mut self, time: Nanos) {
        self.add_many(time, 1);
    }

    /// Adds `count` equal times at the cost of one.
    pub fn add_many(&mut self, time: Nanos, count: u64) {
        if count == 0 {
            return;
        }
        self.histogram
            .saturating_record_n(time.as_nanos().div_ceil(1000), count);
        let nanos = time.as_nanos() as f64;
        if self.count == 0 {
            self.first_ns = nanos;
        }
        self.count += count;
        let off = nanos - self.first_ns;
        self.sum_ns += off * count as f64;
        self.squares_ns2 += off * off * count as f64;
        self.max = self.max.max(time);
    }

    /// Removes all times.
    pub fn clear(&mut self) {
        if self.count > 0 {
            self.histogram.reset();
            self.count = 0;
            self.first_ns = 0.0;
            self.sum_ns = 0.0;
            self.squares_ns2 = 0.0;
            self.max = Nanos::ZERO;
        }
    }

    /// Returns the figures of the distribution.
    #[must_use]
    pub fn times(&self) -> Times {
        Times {
            count: self.count,
            mean: self.mean(),
            deviation: self.deviation(),
            p50: self.quantile(0.5),
            p95: self.quantile(0.95),
            p99: self.quantile(0.99),
            max: self.max,
        }
    }

    /// Returns the mean of the longest times, exact to a thousandth; zero if empty. `share` (0 to 1) is the share of
    /// all times that count as the longest. At least one time counts.
    #[must_use]
    pub fn mean_of_longest(&self, share: f64) -> Nanos {
        let wanted = ((self.count as f64 * share).ceil() as u64).clamp(1, self.count.max(1));
        let mut shorter = self.count - wanted.min(self.count);
        let mut sum_us = 0.0;
        for step in self.histogram.iter_recorded() {
            let there = step.count_at_value();
            let skipped = there.min(shorter);
            shorter -= skipped;
            let value_us = step.value_iterated_to() as f64;
            let longest_us = self.max.as_nanos() as f64 / 1e3;
            sum_us += (there - skipped) as f64 * value_us.min(longest_us);
        }
        Nanos::from_micros_f64(sum_us / wanted as f64)
    }

    /// Returns the number of times in the distribution.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the mean; zero if empty.
    #[must_use]
    pub fn mean(&self) -> Nanos {
        let mean_off = self.sum_ns / self.count.max(1) as f64;
        Nanos::from_nanos_f64(self.first_ns + mean_off)
    }

    /// Returns the standard deviation; zero if empty.
    #[must_use]
    pub fn deviation(&self) -> Nanos {
        let count = self.count.max(1) as f64;
        let mean_off = self.sum_ns / count;
        let variance = self.squares_ns2 / count - mean_off * mean_off;
        Nanos::from_nanos_f64(variance.max(0.0).sqrt())
    }

    /// Returns the time that a share `quantile` (0 to 1) of all times does not exceed; zero if empty. It is rounded up,
    /// and exact to a thousandth or a microsecond.
    #[must_use]
    pub fn quantile(&self, quantile: f64) -> Nanos {
        Nanos::from_micros(self.histogram.value_at_quantile(quantile)).min(self.max)
    }

    /// Returns the longest time; zero if empty.
    #[must_use]
    pub fn max(&self) -> Nanos {
        self.max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    #[test]
    fn an_empty_distribution_has_zero_figures() {
        let times = Distribution::new();
        assert_eq!(times.times(), Times::default());
        assert_eq!(times.mean_of_longest(0.01), Nanos::ZERO);
    }

    #[test]
    fn mean_deviation_and_quantiles_are_exact_enough() {
        let mut times = Distribution::new();
        (1..=1000).for_each(|millis| times.add(MS(millis)));
        assert_eq!(times.mean(), Nanos::from_micros(500_500));
        assert!((times.deviation().as_millis_f64() - 288.675).abs() < 0.001);
        let off =
            |quantile, millis: f64| (times.quantile(quantile).as_millis_f64() / millis - 1.0).abs();
        assert!(off(0.5, 500.0) < 0.001 && off(0.99, 990.0) < 0.001);
        assert_eq!(times.max(), Nanos::SECOND);
        assert_eq!(times.quantile(1.0), Nanos::SECOND);
    }

    #[test]
    fn adding_many_equals_adding_one_by_one() {
        let (mut at_once, mut one_by_one) = (Distribution::new(), Distribution::new());
        for (millis, count) in [(500, 3), (16, 1), (0, 7), (17, 2000), (500, 0), (1, 5)] {
            at_once.add_many(MS(millis), count);
            (0..count).for_each(|_| one_by_one.add(MS(millis)));
        }
        assert_eq!(at_once.times(), one_by_one.times());
    }

    #[test]
    fn the_longest_hundredth_has_at_least_one_time() {
        let mut times = Distribution::new();
        times.add_many(MS(10), 198);
        times.add(MS(30));
        times.add(MS(50));
        let mean = |share| times.mean_of_longest(share).as_millis_f64();
        assert!((mean(0.01) - 40.0).abs() < 0.04, "{}", mean(0.01));
        assert!((mean(0.0) - 50.0).abs() < 0.05, "{}", mean(0.0));
        assert!((mean(1.0) - 10.3).abs() < 0.01, "{}", mean(1.0));
    }

    #[test]
    fn an_outlying_first_time_costs_no_precision() {
        let mut times = Distribution::new();
        times.add(Nanos::from_secs(60));
        for _ in 0..1_000_000 {
            times.add(MS(500));
        }
        // sqrt(p (1 - p)) times the difference, with p = 1 / 1,000,001
        assert!((times.deviation().as_millis_f64() - 59.499_94).abs() < 1e-3);
        let mut even = Distribution::new();
        even.add_many(MS(500), 1_000_000_000);
        assert_eq!((even.mean(), even.deviation()), (MS(500), Nanos::ZERO));
    }

    #[test]
    fn clearing_removes_all_times() {
        let mut times = Distribution::new();
        times.add(MS(10));
        times.clear();
        assert_eq!(times.times(), Times::default());
    }
}
