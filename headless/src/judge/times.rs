//! Expresses staleness as a multiple of the theoretical minimum or of the best setting, for charts.

use super::recommendation::Choice;
use super::trial::{Objective, Outcome};
use super::{Column, Curve};

/// The reference with which a chart compares the staleness of each setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reference {
    /// The lowest staleness that any strategy could theoretically achieve with the same task time as the setting. This
    /// minimum is unknown if the target moves, or if the chart shows the longest wait.
    Minimum,
    /// The best setting. The number is its staleness in seconds multiplied by the fraction of time that it spends on
    /// tasks. Charts compare these products, because entities are bound to be staler if less time is spent on tasks.
    Best(f64),
}

impl Reference {
    /// Chooses the theoretical minimum if it is known, which requires that the target rests, and the best setting on the
    /// curves otherwise.
    pub fn of(curves: &[Curve], target_rests: bool, objective: Objective) -> Self {
        if target_rests && objective != Objective::Worst {
            return Self::Minimum;
        }
        let points = curves.iter().flat_map(|curve| &curve.points);
        let metrics = points.filter_map(|point| {
            let staleness = objective.of(&point.outcome)?.as_secs_f64();
            Some((point.outcome.share, staleness))
        });
        Self::of_best(metrics)
    }

    /// Creates a reference to the best setting. `metrics` contains two values for each setting: the fraction of time
    /// spent on tasks, and the staleness in seconds.
    pub fn of_best(metrics: impl Iterator<Item = (f64, f64)>) -> Self {
        let products = metrics.map(|(share, staleness)| share * staleness);
        let products = products.filter(|product| *product > 0.0);
        Self::Best(products.fold(f64::INFINITY, f64::min))
    }

    /// Returns the staleness of a setting as a multiple of the reference, or `None` if it is unknown. `share` is the
    /// fraction of time spent on tasks, and `staleness` is in seconds.
    pub fn times(self, share: f64, staleness: f64, times_minimum: Option<f64>) -> Option<f64> {
        match self {
            Self::Minimum => times_minimum,
            Self::Best(least) => Some(share * staleness / least).filter(|it| *it > 0.0),
        }
    }

    /// Returns the staleness of a setting as a multiple of the reference, or `None` if it is unknown.
    pub fn times_of(self, objective: Objective, outcome: &Outcome) -> Option<f64> {
        let staleness = objective.of(outcome)?.as_secs_f64();
        self.times(outcome.share, staleness, objective.times_minimum(outcome))
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Minimum => "times the minimum",
            Self::Best(_) => "times the best",
        }
    }
}

/// The best setting of a strategy at one value of a varied knob.
#[derive(Clone, Debug)]
pub struct Tuned {
    pub choice: Choice,
    /// The staleness of the entities as a multiple of their staleness with the recommended setting.
    pub times: f64,
}

impl Column {
    /// Returns the best setting of each strategy. The entry of a strategy is `None` if some tasks never run.
    pub fn tuned(&self) -> Vec<Option<Tuned>> {
        let choices = self.recommendation.choices.iter();
        let tuned = choices.map(|choice| {
            Some(Tuned {
                times: self.recommendation.times_best(choice)?,
                choice: choice.clone(),
            })
        });
        tuned.collect()
    }
}
