//! Expresses staleness as a multiple of the theoretical minimum or of the best setting.

use crate::judge::{Curve, Outcome};
use crate::measure::Objective;

/// The reference with which the trade-off chart compares the staleness of each setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reference {
    /// The lowest staleness that any strategy could achieve with the same task time, if that is known.
    Minimum,
    /// The best setting. The number is its staleness in seconds multiplied by the fraction of time that it spends on
    /// tasks. The chart compares these products, because entities are bound to be staler if less time is spent on tasks.
    Best(f64),
}

impl Reference {
    /// Chooses the theoretical minimum if it is known, which requires a resting target, or else the best setting.
    pub fn of(curves: &[Curve], target_rests: bool, objective: Objective) -> Self {
        if target_rests && Objective::WEIGHTED.contains(&objective) {
            return Self::Minimum;
        }
        let points = curves.iter().flat_map(|curve| &curve.points);
        let products = points.filter_map(|point| {
            let staleness = objective.of(&point.outcome)?.as_secs_f64();
            Some(point.outcome.share * staleness)
        });
        let products = products.filter(|product| *product > 0.0);
        Self::Best(products.fold(f64::INFINITY, f64::min))
    }

    /// Returns the staleness of a setting as a multiple of the reference, or `None` if it is unknown.
    pub fn times_of(self, objective: Objective, outcome: &Outcome) -> Option<f64> {
        let staleness = objective.of(outcome)?.as_secs_f64();
        match self {
            Self::Minimum => objective.times_minimum(outcome),
            Self::Best(least) => Some(outcome.share * staleness / least).filter(|it| *it > 0.0),
        }
    }
}
