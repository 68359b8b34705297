//! Expresses staleness as a multiple of the theoretical minimum or of the best setting, for charts.

use super::answer::Choice;
use super::outcome::{Goal, Outcome};
use super::{Column, Sweep};

/// What a chart compares the staleness of a setting with. The chart shows staleness over the fraction of time spent on
/// tasks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// The theoretical minimum with the same task time. It is not known while the target moves, and never for the
    /// longest wait.
    Minimum,
    /// The smallest product of staleness, in seconds, and the fraction of time spent on tasks that any setting has.
    /// Divided by such a fraction, it is the staleness that the best setting would have with that task time.
    Best(f64),
}

impl Unit {
    /// Chooses the theoretical minimum if it is known for the points of a sweep, otherwise the best setting.
    pub fn of(sweep: &Sweep, goal: Goal) -> Self {
        if sweep.question().settings.target_rests() && goal != Goal::Worst {
            return Self::Minimum;
        }
        let points = sweep.curves().iter().flat_map(|curve| &curve.points);
        let metrics = points.filter_map(|point| {
            let staleness = goal.of(&point.outcome)?.as_secs_f64();
            Some((point.outcome.share, staleness))
        });
        Self::of_best(metrics)
    }

    /// Creates the unit that compares with the best setting. `metrics` are, for each setting, the fraction of time
    /// spent on tasks and the staleness in seconds.
    pub fn of_best(metrics: impl Iterator<Item = (f64, f64)>) -> Self {
        let products = metrics.map(|(share, staleness)| share * staleness);
        let products = products.filter(|product| *product > 0.0);
        Self::Best(products.fold(f64::INFINITY, f64::min))
    }

    /// Returns the staleness of a setting as a multiple, or `None` if it is not known. `share` is the fraction of time
    /// spent on tasks, `staleness` is in seconds, and `times_minimum` is a multiple of the theoretical minimum.
    pub fn times(self, share: f64, staleness: f64, times_minimum: Option<f64>) -> Option<f64> {
        match self {
            Self::Minimum => times_minimum,
            Self::Best(least) => Some(share * staleness / least).filter(|it| *it > 0.0),
        }
    }

    /// Returns the staleness of a tried setting as a multiple, or `None` if it is not known.
    pub fn times_of(self, goal: Goal, outcome: &Outcome) -> Option<f64> {
        let staleness = goal.of(outcome)?.as_secs_f64();
        self.times(outcome.share, staleness, goal.times_minimum(outcome))
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
    /// The objective of this setting as a multiple of the recommended setting's objective.
    pub times: f64,
    /// Whether the setting keeps all limits.
    pub keeps: bool,
}

impl Column {
    /// Returns for each strategy its best setting, or the setting that is closest to keeping the limits. The entry is
    /// `None` if some tasks never run with the strategy.
    pub fn tuned(&self) -> Vec<Option<Tuned>> {
        let answer = self.sweep.answer();
        let mut tuned = vec![None; self.sweep.curves().len()];
        let best = answer.advised().and_then(|it| answer.goal.of(&it.outcome));
        let Some(best) = best.filter(|best| !best.is_zero()) else {
            return tuned;
        };
        for choice in answer.choices() {
            tuned[choice.curve] = answer.goal.of(&choice.outcome).map(|own| Tuned {
                times: own.over(best),
                keeps: answer.limits.keeps(&choice.outcome),
                choice: choice.clone(),
            });
        }
        tuned
    }
}
