//! Weighted staleness as a single number.

use super::{Bounds, Report};
use timeslicer::time::Nanos;

/// How the weighted staleness of all entities is combined into one number, so that strategies can be compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightedStaleness {
    /// The mean over all entities and over time, in which entities with larger weights count more.
    #[default]
    Mean,
    /// The largest product of an entity's weight and its staleness.
    Worst,
}

impl WeightedStaleness {
    pub const ALL: [Self; 2] = [Self::Mean, Self::Worst];

    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean weighted staleness",
            Self::Worst => "worst weighted staleness",
        }
    }

    /// Returns the weighted staleness in a report. Returns `None` if there are no entities or no runs, or during the
    /// warm-up after a setting change.
    pub fn of(self, of: &Report) -> Option<Nanos> {
        let is_known = !of.subject.warming_up && of.runs > 0 && of.subject.entities > 0;
        let staleness = of.weighted(self);
        staleness.filter(|staleness| is_known && !staleness.is_zero())
    }

    /// Returns the lowest weighted staleness that any strategy could reach, in seconds. `load` is the time that tasks
    /// take per second of game time.
    pub fn minimum(self, bounds: &Bounds, load: f64) -> Option<f64> {
        match self {
            Self::Mean => bounds.least_mean(load),
            Self::Worst => bounds.least_worst(load),
        }
    }
}
