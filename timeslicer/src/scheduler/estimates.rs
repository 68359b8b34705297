use super::{TaskId, saved_fields};
use crate::time::Nanos;

/// Estimates of how long a run of each task takes, which are learned from earlier runs.
///
/// The first estimate is the first measurement. After that, the estimate rises by 3/10 of the difference if a run took
/// longer, and falls by 1/10 of the difference if it was shorter. So a single cheap run does not hide that a task is
/// usually expensive, but a spike is forgotten after some runs. The estimate for a task that has never run is the mean
/// of all other estimates.
///
/// Every call takes constant time. An estimate is at most 4.29 s, because it is stored in 32 bits.
///
/// ```
/// use timeslicer::scheduler::{Estimates, Tasks};
/// use timeslicer::time::{GameTime, Nanos};
///
/// let mut tasks = Tasks::new();
/// let [scout, newborn] = [(); 2].map(|()| tasks.insert(GameTime::START));
/// let mut estimates = Estimates::default();
/// estimates.learn(scout, Nanos::from_micros(100));
/// estimates.learn(scout, Nanos::from_micros(200));
/// assert_eq!(estimates.of(scout), Nanos::from_micros(130));
/// estimates.learn(scout, Nanos::from_micros(100));
/// assert_eq!(estimates.of(scout), Nanos::from_micros(127));
/// assert_eq!(estimates.of(newborn), Nanos::from_micros(127)); // the mean
/// ```
#[derive(Clone, Debug, Default)]
pub struct Estimates {
    /// The estimate for each task, indexed by [`TaskId::index`].
    entries: Vec<Option<Entry>>,
    /// The sum of all estimates in nanoseconds. It cannot overflow, because there are at most 2^32 estimates, each less
    /// than 2^32.
    sum: u64,
    /// The sum of all estimates and the sum of their squares, both in whole units of 2^[`UNIT_BITS`] nanoseconds.
    in_units: u64,
    squares: u64,
    /// The number of tasks that have an estimate.
    pub(super) known: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    generation: u32,
    nanos: u32,
}

/// How far [`Estimates::high`] is above the mean, in standard deviations.
const DEVIATIONS: u64 = 5;

/// Squares of times are summed in units of 256 ns, so that the sum fits into 64 bits.
const UNIT_BITS: u32 = 8;

impl Estimates {
    /// Returns the estimated cost of `task`. If the task has not been measured yet, this is the mean of all estimates,
    /// or zero if there are none.
    pub fn of(&self, task: TaskId) -> Nanos {
        self.known(task).unwrap_or_else(|| self.mean())
    }

    /// Returns the estimated cost of `task`, or `None` if the task has not been measured yet.
    pub fn known(&self, task: TaskId) -> Option<Nanos> {
        let entry = (*self.entries.get(task.index as usize)?)?;
        (entry.generation == task.generation).then(|| Nanos::from_nanos(entry.nanos.into()))
    }

    /// Returns the mean of all estimates, or zero if there are none.
    pub fn mean(&self) -> Nanos {
        Nanos::from_nanos(self.sum.checked_div(self.known).unwrap_or(0))
    }

    /// Returns a cost that few tasks exceed: the mean of all estimates plus five standard deviations. Whatever the
    /// estimates are, at most one in 26 is higher (Cantelli's inequality). Returns zero if there are none.
    pub fn high(&self) -> Nanos {
        if self.known == 0 {
            return Nanos::ZERO;
        }
        let (mean, rest) = (self.in_units / self.known, self.in_units % self.known);
        // The square includes the fraction of the mean, because the exact mean is `mean + rest / known`.
        let square_of_mean = mean * mean + 2 * mean * rest / self.known;
        let variance = (self.squares / self.known).saturating_sub(square_of_mean);
        let deviation = (variance as f64).sqrt() as u64;
        self.mean() + Nanos::from_nanos((DEVIATIONS * deviation) << UNIT_BITS)
    }

    /// Updates the estimate for `task` after a run that took `cost`.
    pub fn learn(&mut self, task: TaskId, cost: Nanos) {
        let cost = cost.as_nanos().min(u64::from(u32::MAX) - 1) as u32;
        let nanos = match self.known(task) {
            Some(estimate) => smoothed(estimate.as_nanos() as u32, cost),
            None => cost,
        };
        let generation = task.generation;
        let former = task
            .entry_in(&mut self.entries, None)
            .replace(Entry { generation, nanos });
        self.subtract(former);
        // The sum of squares could overflow, but only if 65,536 tasks took more than 4 s each.
        let units = u64::from(nanos >> UNIT_BITS);
        self.known += 1;
        self.sum += u64::from(nanos);
        self.in_units += units;
        self.squares = self.squares.wrapping_add(units * units);
    }

    /// Forgets the estimate for `task`, usually because the task has died. Does nothing if there is no estimate.
    pub fn forget(&mut self, task: TaskId) {
        if self.known(task).is_some() {
            let former = self.entries[task.index as usize].take();
            self.subtract(former);
        }
    }

    /// Subtracts an estimate that is no longer valid from the sums.
    fn subtract(&mut self, former: Option<Entry>) {
        if let Some(Entry { nanos, .. }) = former {
            let units = u64::from(nanos >> UNIT_BITS);
            self.known -= 1;
            self.sum -= u64::from(nanos);
            self.in_units -= units;
            self.squares = self.squares.wrapping_sub(units * units);
        }
    }
}

/// Moves an estimate towards a measured cost. The change is rounded up. If it were rounded down, the estimate would
/// never quite reach the cost of a task that costs the same in every run.
fn smoothed(estimate: u32, cost: u32) -> u32 {
    // A step is never larger than the difference, so the result stays between the estimate and the measurement.
    if cost > estimate {
        let step = (u64::from(cost - estimate) * 3).div_ceil(10);
        estimate + step as u32
    } else {
        estimate - (estimate - cost).div_ceil(10)
    }
}

saved_fields! {
    Estimates { entries, sum, in_units, squares, known }
    Entry { generation, nanos }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_constant_cost_is_reached_from_both_sides() {
        for (first, then) in [(0, 1000), (1000, 0), (4_000_000_000, 1), (1, u64::MAX)] {
            let (mut estimates, task) = (Estimates::default(), TaskId::of(0));
            estimates.learn(task, Nanos::from_nanos(first));
            for _ in 0..300 {
                estimates.learn(task, Nanos::from_nanos(then));
            }
            let reached = then.min(u64::from(u32::MAX) - 1);
            assert_eq!(estimates.of(task), Nanos::from_nanos(reached));
        }
    }

    proptest! {
        #[test]
        fn the_mean_is_that_of_the_known_estimates(
            steps in prop::collection::vec((0u32..9, 0u32..3, any::<u64>(), 0u8..4), 1..200)
        ) {
            let mut estimates = Estimates::default();
            for (index, generation, cost, step) in steps {
                let task = TaskId { index, generation };
                let newborn = TaskId { index, generation: 9 };
                match step {
                    0 => estimates.forget(task),
                    _ => estimates.learn(task, Nanos::from_nanos(cost >> 30)),
                }
                let tasks = (0..9).flat_map(|index| (0..3).map(move |generation| TaskId { index, generation }));
                let known: Vec<u64> = tasks.filter_map(|task| Some(estimates.known(task)?.as_nanos())).collect();
                let mean = known.iter().sum::<u64>() / known.len().max(1) as u64;
                prop_assert_eq!(estimates.mean().as_nanos(), mean);
                prop_assert_eq!(estimates.known(newborn), None);
                prop_assert_eq!(estimates.of(newborn).as_nanos(), mean);
                let variance = known.iter().map(|it| (*it as f64 - mean as f64).powi(2)).sum::<f64>() / known.len().max(1) as f64;
                let high = mean as f64 + 5.0 * variance.sqrt();
                prop_assert!((estimates.high().as_nanos() as f64 - high).abs() <= 2_000.0 + 1e-6 * high);
            }
        }
    }
}
