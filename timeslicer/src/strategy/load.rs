//! Load: how many tasks a strategy runs in an update, predicted from the number of tasks.

use crate::knob::KnobValues;
use crate::time::Nanos;

/// Work that a strategy is asked to do in an update of usual length.
#[derive(Clone, Copy, Debug)]
pub struct Demand<'a> {
    /// Number of tasks.
    pub tasks: usize,
    /// Game time that the update advances.
    pub delta: Nanos,
    /// Share of the tasks, from 0 to 1, that are requested in the update, at random.
    pub requested: f64,
    /// Weights of a sample of the tasks, from 0 to 1; if empty, every task has weight 1.
    pub weights: &'a [f64],
    /// Values of the knobs.
    pub knobs: &'a KnobValues,
}

/// Number of tasks that a strategy runs in an update, while it keeps up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Runs per update, on average.
    pub mean: f64,
    /// What limits the runs of a single update.
    pub peak: Peak,
}

/// What limits the runs of a single update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Peak {
    /// Tasks take turns: the busiest update makes this many runs. At most one update in a hundred makes one run more.
    Turns(f64),
    /// Chance: each task becomes due at a time of its own, so the runs of an update vary.
    Chance {
        /// Runs per update, on average.
        mean: f64,
        /// Variance of that number.
        variance: f64,
    },
    /// Nothing: an update runs all tasks that are requested in it, however many.
    Requests,
    /// The budget: an update runs requested tasks until the budget is spent, and leaves the rest to later updates.
    Budget,
    /// The budget, which the tasks share: with more tasks, each runs less often. [`Load::mean`] ignores the budget.
    Share,
}

impl Load {
    /// Returns the load of tasks that take turns evenly: each update runs `mean` tasks, rounded up or down.
    #[must_use]
    pub fn even(mean: f64) -> Self {
        Self {
            mean,
            peak: Peak::Turns(rounded_up(mean)),
        }
    }

    /// Returns the load of all tasks that are requested in an update, with this limit.
    #[must_use]
    pub fn requested(demand: &Demand<'_>, peak: Peak) -> Self {
        Self {
            mean: demand.tasks as f64 * demand.requested,
            peak,
        }
    }
}

impl Demand<'_> {
    /// Returns the mean of `value` over the tasks, given the weight of a task.
    #[must_use]
    pub fn mean_over_weights(&self, value: impl Fn(f64) -> f64) -> f64 {
        if self.weights.is_empty() {
            return value(1.0);
        }
        let sum: f64 = self.weights.iter().map(|&weight| value(weight)).sum();
        sum / self.weights.len() as f64
    }

    /// Returns the number of rounds of all tasks that fall into the update if a round takes `interval`; one at most,
    /// also if the interval is zero.
    #[must_use]
    pub fn rounds(&self, interval: Nanos) -> f64 {
        if self.delta >= interval {
            1.0
        } else {
            self.delta.over(interval)
        }
    }
}

/// Rounds up, but ignores a fraction that makes a difference in at most one update of a hundred.
fn rounded_up(mean: f64) -> f64 {
    let fraction = mean - mean.floor();
    mean.floor() + f64::from(u8::from(fraction > 0.01))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::STRATEGIES;

    fn demand(tasks: usize, delta: Nanos, knobs: &KnobValues) -> Demand<'_> {
        Demand {
            tasks,
            delta,
            requested: 0.25,
            weights: &[],
            knobs,
        }
    }

    #[test]
    fn the_mean_is_at_most_the_peak() {
        let knobs = KnobValues::default();
        for entry in STRATEGIES {
            for tasks in [0, 1, 7, 400, 1_000_000] {
                for millis in [0, 16, 10_000] {
                    let demand = demand(tasks, Nanos::from_millis(millis), &knobs);
                    let load = (entry.load)(&demand);
                    assert!(load.mean >= 0.0 && load.mean <= tasks as f64);
                    if let Peak::Turns(most) = load.peak {
                        assert!(most <= tasks as f64, "{} {most}", entry.key);
                        assert!(load.mean <= most + 0.01, "{} {most}", entry.key);
                    }
                }
            }
        }
    }

    #[test]
    fn rare_single_runs_do_not_count() {
        let load = |mean| Load::even(mean).peak;
        assert_eq!(load(40.0), Peak::Turns(40.0));
        assert_eq!(load(40.000_001), Peak::Turns(40.0));
        assert_eq!(load(40.02), Peak::Turns(41.0));
        assert_eq!(load(0.0), Peak::Turns(0.0));
    }

    #[test]
    fn an_update_has_one_round_at_most() {
        let knobs = KnobValues::default();
        let rounds = |delta, interval: u64| {
            demand(1, Nanos::from_millis(delta), &knobs).rounds(Nanos::from_millis(interval))
        };
        assert_eq!(
            [
                rounds(10, 500),
                rounds(900, 500),
                rounds(10, 0),
                rounds(0, 0)
            ],
            [0.02, 1.0, 1.0, 1.0]
        );
    }
}
