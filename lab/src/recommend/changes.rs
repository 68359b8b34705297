//! The changes that a descent tries. Each changes the values of one or two knobs of a setting.

use super::search::{FIRST_STEP, Score};
use super::setting::Setting;
use super::values::rounded;
use crate::catalog::knob::{Knob, Scale};
use crate::catalog::strategy::knobs::{FASTEST, SLOWEST};

/// If the limits are exceeded by no more than this factor, two changes together may be enough to keep them.
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

/// Returns a setting with a knob set to `value`. If the fastest interval would exceed the slowest, both get this value.
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

/// Returns pairs of changes that may help together although neither helps alone. The first improves the goal but may
/// exceed a limit, which the second, of another knob, may prevent. If the limits are nearly kept, all pairs may help.
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

/// Returns the next values below and above `value`. On a logarithmic scale, these differ from it by the factor `step`,
/// and on a linear scale by a fraction of the range. A switch has only one other value, which fine steps do not try.
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
