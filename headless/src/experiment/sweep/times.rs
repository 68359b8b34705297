//! Staleness as a multiple: of the theoretical minimum, or of the best. Charts show these.

use super::answer::Choice;
use super::outcome::{Goal, Outcome};
use super::{Column, Sweep};

/// What the staleness of a setting is compared with in a chart over the share of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// The theoretical minimum for the same share of time, which is known while the target rests, but not for the longest wait.
    Minimum,
    /// The least product of seconds of staleness and share of time that any setting has. Divided by a share of time, it is
    /// the staleness that the best setting would have there.
    Best(f64),
}

impl Unit {
    /// Returns the unit for the points of a sweep.
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

    /// Returns the unit for settings whose shares of time and seconds of staleness are these.
    pub fn of_best(metrics: impl Iterator<Item = (f64, f64)>) -> Self {
        let products = metrics.map(|(share, staleness)| share * staleness);
        let products = products.filter(|product| *product > 0.0);
        Self::Best(products.fold(f64::INFINITY, f64::min))
    }

    /// Returns the multiple for a share of time, seconds of staleness, and their multiple of the theoretical minimum. `None` if
    /// it is not known.
    pub fn times(self, share: f64, staleness: f64, times_minimum: Option<f64>) -> Option<f64> {
        match self {
            Self::Minimum => times_minimum,
            Self::Best(least) => Some(share * staleness / least).filter(|it| *it > 0.0),
        }
    }

    /// Returns the multiple for a setting that was tried; `None` if it is not known.
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

/// A strategy with its best setting at one value of the knob over which crossovers are sought.
#[derive(Clone, Debug)]
pub struct Tuned {
    pub choice: Choice,
    /// Its goal as a multiple of that of the advised setting.
    pub times: f64,
    /// True if it keeps all limits.
    pub keeps: bool,
}

impl Column {
    /// Returns the best setting of each strategy of the question, or the one that is closest to keeping the limits. `None` for a
    /// strategy with which not every task runs.
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
