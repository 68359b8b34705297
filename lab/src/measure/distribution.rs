//! Collects durations, such as frame lengths, and computes their mean, standard deviation and quantiles.

use hdrhistogram::Histogram;
use timeslicer::time::Nanos;

/// Statistics of a list of durations, such as frame lengths. All values are zero if the list is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    pub count: u64,
    pub mean: Nanos,
    pub deviation: Nanos,
    pub p50: Nanos,
    pub p95: Nanos,
    pub p99: Nanos,
    pub max: Nanos,
}

impl Times {
    /// Computes exact statistics of a short list. This is faster and needs less memory than a [`Distribution`].
    pub fn of(times: &[Nanos]) -> Self {
        let mut sorted = times.to_vec();
        sorted.sort_unstable();
        let Some(&max) = sorted.last() else {
            return Self::default();
        };
        let count = sorted.len();
        let sum: u128 = sorted.iter().map(|it| u128::from(it.as_nanos())).sum();
        let mean = (sum + count as u128 / 2) / count as u128;
        let mean = Nanos::from_nanos(u64::try_from(mean).unwrap_or(u64::MAX));
        let off = |time: &Nanos| time.as_nanos().abs_diff(mean.as_nanos()) as f64;
        let variance = sorted.iter().map(|it| off(it) * off(it)).sum::<f64>() / count as f64;
        let quantile =
            |share: f64| sorted[((share * count as f64).ceil() as usize).clamp(1, count) - 1];
        Self {
            count: count as u64,
            mean,
            deviation: Nanos::from_nanos_f64(variance.sqrt()),
            p50: quantile(0.5),
            p95: quantile(0.95),
            p99: quantile(0.99),
            max,
        }
    }
}

/// A distribution of durations of up to one hour each. The mean and the standard deviation are exact and do not depend
/// on the order of durations. Quantiles are rounded up to whole microseconds and have a precision of 0.1 %.
#[derive(Clone, Debug)]
pub struct Distribution {
    /// Durations are stored in microseconds instead of nanoseconds, because this needs fewer buckets.
    histogram: Histogram<u64>,
    sum_ns: u128,
    squares_ns2: u128,
    max: Nanos,
}

impl Default for Distribution {
    fn default() -> Self {
        const HOUR_US: u64 = 3_600_000_000;
        Self {
            histogram: Histogram::new_with_max(HOUR_US, 3).expect("within its limits"),
            sum_ns: 0,
            squares_ns2: 0,
            max: Nanos::ZERO,
        }
    }
}

impl Distribution {
    pub fn add(&mut self, time: Nanos) {
        self.add_many(time, 1);
    }

    /// Adds `count` equal durations. This is as fast as adding one.
    pub fn add_many(&mut self, time: Nanos, count: u64) {
        if count == 0 {
            return;
        }
        self.histogram
            .saturating_record_n(time.as_nanos().div_ceil(1000), count);
        let (nanos, times) = (u128::from(time.as_nanos()), u128::from(count));
        self.sum_ns = self.sum_ns.saturating_add(nanos * times);
        let squares = (nanos * nanos).saturating_mul(times);
        self.squares_ns2 = self.squares_ns2.saturating_add(squares);
        self.max = self.max.max(time);
    }

    pub fn times(&self) -> Times {
        let count = u128::from(self.histogram.len().max(1));
        let mean = (self.sum_ns + count / 2) / count;
        Times {
            count: self.histogram.len(),
            mean: Nanos::from_nanos(u64::try_from(mean).unwrap_or(u64::MAX)),
            deviation: self.deviation(),
            p50: self.quantile(0.5),
            p95: self.quantile(0.95),
            p99: self.quantile(0.99),
            max: self.max,
        }
    }

    fn deviation(&self) -> Nanos {
        let count = u128::from(self.histogram.len().max(1));
        // Squared differences from an integer close to the mean are small, so converting them to a float loses little.
        let about = self.sum_ns / count;
        let all_about = about.saturating_mul(about).saturating_mul(count);
        let squares = (self.squares_ns2.saturating_add(all_about))
            .saturating_sub(self.sum_ns.saturating_mul(2 * about));
        let off = (self.sum_ns % count) as f64 / count as f64;
        let variance = squares as f64 / count as f64 - off * off;
        Nanos::from_nanos_f64(variance.max(0.0).sqrt())
    }

    /// Returns the mean of the longest durations, or zero if there are none. `share` is the fraction of all durations
    /// (0 to 1) to include, but at least one is included. The result has a precision of 0.1 %.
    pub fn mean_of_longest(&self, share: f64) -> Nanos {
        let count = self.histogram.len();
        let wanted = ((count as f64 * share).ceil() as u64).clamp(1, count.max(1));
        let mut shorter = count - wanted.min(count);
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

    /// Returns the duration that a given fraction (0 to 1) of all durations does not exceed, or zero if there are no
    /// durations. The result is rounded up by at most 0.1 % or one microsecond, whichever is larger.
    pub fn quantile(&self, quantile: f64) -> Nanos {
        Nanos::from_micros(self.histogram.value_at_quantile(quantile)).min(self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::MS;

    #[test]
    fn the_longest_hundredth_has_at_least_one_time() {
        let mut times = Distribution::default();
        times.add_many(MS(10), 198);
        times.add(MS(30));
        times.add(MS(50));
        let mean = |share| times.mean_of_longest(share).as_millis_f64();
        assert!((mean(0.01) - 40.0).abs() < 0.04, "{}", mean(0.01));
        assert!((mean(0.0) - 50.0).abs() < 0.05, "{}", mean(0.0));
        assert!((mean(1.0) - 10.3).abs() < 0.01, "{}", mean(1.0));
    }

    #[test]
    fn a_long_time_among_many_equal_ones_costs_no_precision() {
        let times = |all: &[(Nanos, u64)]| {
            let mut times = Distribution::default();
            for &(time, count) in all {
                times.add_many(time, count);
            }
            times.times()
        };
        // The deviation is sqrt(p (1 - p)) times the difference, with p = 1 / 1,000,001.
        let uneven = times(&[(Nanos::from_secs(60), 1), (MS(500), 1_000_000)]);
        assert!((uneven.deviation.as_millis_f64() - 59.499_94).abs() < 1e-3);
        let even = times(&[(MS(500), 1_000_000_000)]);
        assert_eq!((even.mean, even.deviation), (MS(500), Nanos::ZERO));
        let rounded = times(&[(Nanos::from_nanos(1), 1), (Nanos::from_nanos(2), 2)]);
        assert_eq!(rounded.mean, Nanos::from_nanos(2));
    }
}
