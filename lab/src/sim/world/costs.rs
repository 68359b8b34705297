//! Task costs that the user has measured in a game. They can be used as the costs of simulated tasks.

use crate::sim::settings::SAVED_COSTS;
use std::sync::Arc;
use timeslicer::time::Nanos;

/// One or more task costs from a file that the user has loaded. Cloning is cheap, because clones share the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnCosts {
    name: Arc<str>,
    /// The path of the file in command lines.
    pub path: Arc<str>,
    sorted: Arc<[Nanos]>,
    mean: Nanos,
}

impl OwnCosts {
    /// Creates task costs from the costs in a file, which can be in any order. Returns `None` if `costs` is empty.
    /// Control characters in the file name are replaced with spaces, so that the name fits on one line.
    pub fn new(name: &str, mut costs: Vec<Nanos>) -> Option<Self> {
        let count = costs.len() as u128;
        let sum: u128 = costs.iter().map(|cost| u128::from(cost.as_nanos())).sum();
        let mean = (sum + count / 2).checked_div(count)?;
        costs.sort_unstable();
        Some(Self {
            name: name.replace(char::is_control, " ").into(),
            path: SAVED_COSTS.into(),
            sorted: costs.into(),
            mean: Nanos::from_nanos(u64::try_from(mean).unwrap_or(u64::MAX)),
        })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn sorted(&self) -> &[Nanos] {
        &self.sorted
    }

    pub fn mean(&self) -> Nanos {
        self.mean
    }

    pub fn least(&self) -> Nanos {
        self.sorted[0]
    }

    pub fn most(&self) -> Nanos {
        self.sorted[self.sorted.len() - 1]
    }

    /// Returns the cost at a quantile. For example, the quantile 0.5 is the median cost.
    pub fn quantile(&self, quantile: f64) -> Nanos {
        let last = self.sorted.len() - 1;
        let index = (quantile * self.sorted.len() as f64) as usize;
        self.sorted[index.min(last)]
    }

    /// Maps a number from the standard normal distribution to a cost, so that the resulting costs are distributed as in
    /// the file.
    pub(super) fn at_rank(&self, rank: f32) -> Nanos {
        let fraction_below = libm::erfc(-f64::from(rank) / std::f64::consts::SQRT_2) / 2.0;
        self.quantile(fraction_below)
    }
}
