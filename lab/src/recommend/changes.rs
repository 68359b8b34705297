//! The changes of a setting that a descent tries: other values of one knob or of two.

use super::search::{FIRST_STEP, Score};
use super::setting::Setting;
use super::values::rounded;
use crate::catalog::knob::{Knob, Scale};
use crate::catalog::strategy::knobs::{FASTEST, SLOWEST};

/// Pairs of changes may help to keep the limits if they are exceeded by no more than this factor.
const NEAR_LIMITS: f64 = 1.15;

#[derive(Clone, Copy)]
pub struct Change {
    pub knob: &'static Knob,
    pub to: f64,
}

impl Change {
    pub fn apply(&self, setting: &Setting) -> Setting {
        with_value(setting, self.knob, self.to)
    }
}

/// Returns a setting with another value of a knob. Of the fastest and the slowest interval, the other one may follow.
pub fn with_value(setting: &Setting, knob: &'static Knob, value: f64) -> Setting {
    let changed = setting.with(knob, value);
    let (Some(fastest), Some(slowest)) = (changed.get(&FASTEST), changed.get(&SLOWEST)) else {
        return changed;
    };
    let other = if *knob == FASTEST { &SLOWEST } else { &FASTEST };
    if fastest > slowest {
        changed.with(other, value)
    } else {
        changed
    }
}

/// Returns pairs of changes that may help together although neither helps alone: one that would improve the goal but
/// exceeds a limit, and one of another knob that keeps the limits. If the limits are nearly kept, all pairs may help.
pub fn promising_pairs(
    changes: &[Change],
    scores: &[Score],
    before: Score,
) -> impl Iterator<Item = (Change, Change)> {
    let all: Vec<(Change, Score)> = changes
        .iter()
        .copied()
        .zip(scores.iter().copied())
        .collect();
    let is_near_limits = before.excess > 1.0 && before.excess <= NEAR_LIMITS;
    let improving = all.clone().into_iter();
    let improving = improving.filter(move |(_, score)| score.goal < before.goal || is_near_limits);
    improving.flat_map(move |(one, score)| {
        let others = all.clone().into_iter().filter(move |(other, its)| {
            let helps = its.excess < score.excess || its.goal < before.goal;
            other.knob != one.knob && (helps || is_near_limits)
        });
        others.map(move |(other, _)| (one, other))
    })
}

/// Returns the values below and above `value`. On a linear scale, a step is a fraction of the range. A switch has only
/// one other value, and is left alone in the fine steps.
pub fn neighbours(knob: &Knob, value: f64, step: f64) -> Vec<f64> {
    if knob.is_switch() {
        return Vec::from_iter((step >= FIRST_STEP).then_some(1.0 - value));
    }
    let [below, above] = match knob.scale {
        Scale::Linear => {
            let by = (knob.max - knob.min) * (step - 1.0) / 4.0;
            [value - by, value + by]
        }
        Scale::Logarithmic { from } if value < from => [0.0, from],
        Scale::Logarithmic { from } if value == from && knob.min == 0.0 => [0.0, value * step],
        Scale::Logarithmic { from } => [(value / step).max(from), value * step],
    };
    let near = |value: f64, by: f64| {
        let moved = rounded(knob, value, 3);
        // A small step must still reach the next whole number.
        if knob.whole && moved == rounded(knob, value - by, 3) {
            knob.nearest(moved + by.signum())
        } else {
            moved
        }
    };
    let values = [near(below, below - value), near(above, above - value)];
    values.into_iter().filter(|it| *it != value).collect()
}
