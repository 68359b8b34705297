//! Maps values to pixels on linear and logarithmic axes, and chooses their ticks.

use crate::catalog::knob::{Knob, Scale};

/// The fraction of a logarithmic axis that lies between zero and the smallest value above zero, if the axis includes
/// zero.
const ZERO_FRACTION: f64 = 0.1;

/// The smallest and the largest value at which a logarithmic axis can start.
const AXIS_STARTS: [f64; 2] = [1e-9, 1e12];

/// An axis that shows `values[0]` at the pixel `pixels[0]`, and `values[1]` at `pixels[1]`.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    pub values: [f64; 2],
    pub pixels: [f64; 2],
    is_logarithmic: bool,
    /// The position of zero in pixels. `None` unless the axis is logarithmic and includes zero.
    zero: Option<f64>,
}

impl Axis {
    pub fn logarithmic(values: [f64; 2], pixels: [f64; 2]) -> Self {
        let [least, most] = AXIS_STARTS;
        let from = values[0].max(least).min(most);
        // The ends of an axis must differ.
        let to = values[1].max(from * 1.01).min(most * 1.01);
        Self {
            values: [from, to],
            pixels,
            is_logarithmic: true,
            zero: None,
        }
    }

    /// Creates an axis that covers the given values of a knob. It is logarithmic if the knob has a logarithmic scale.
    pub fn of_knob(knob: &Knob, values: &[f64], pixels: [f64; 2]) -> Self {
        let values = values.iter().filter(|it| it.is_finite());
        let values: Vec<f64> = values
            .map(|it| it.clamp(-AXIS_STARTS[1], AXIS_STARTS[1]))
            .collect();
        let most = values.iter().copied().fold(0.0, f64::max);
        let least = values.iter().copied().fold(most, f64::min);
        let Scale::Logarithmic { from } = knob.scale else {
            let to = most.max(least + 0.01).max(least * 1.000_001);
            return Self {
                values: [least, to],
                pixels,
                is_logarithmic: false,
                zero: None,
            };
        };
        let above = values.iter().copied().filter(|value| *value > 0.0);
        let above = above.fold(f64::INFINITY, f64::min);
        if least > 0.0 {
            return Self::logarithmic([least, most], pixels);
        }
        let above = if above.is_finite() { above } else { from };
        let start = pixels[0] + (pixels[1] - pixels[0]) * ZERO_FRACTION;
        Self {
            zero: Some(pixels[0]),
            ..Self::logarithmic([above, most.max(above)], [start, pixels[1]])
        }
    }

    /// Returns the position of a value in pixels, which may be beyond the ends of the axis.
    pub fn at(&self, value: f64) -> f64 {
        if let Some(zero) = self.zero
            && value == 0.0
        {
            return zero;
        }
        let on_scale = |value: f64| {
            if self.is_logarithmic {
                // Zero and negative values have no logarithm. They are placed far beyond the lower end.
                libm::log(value.clamp(f64::MIN_POSITIVE, f64::MAX))
            } else {
                value
            }
        };
        let [from, to] = self.values.map(on_scale);
        let share = (on_scale(value) - from) / (to - from);
        self.pixels[0] + share * (self.pixels[1] - self.pixels[0])
    }

    pub fn between(&self, one: f64, other: f64) -> f64 {
        f64::midpoint(self.at(one), self.at(other))
    }

    /// Returns round values for ticks that are at least `min_distance` pixels apart.
    pub fn ticks(&self, min_distance: f64) -> Vec<f64> {
        const STEPS: [&[f64]; 5] = [
            &[
                1.0, 1.1, 1.2, 1.3, 1.5, 1.7, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0,
            ],
            &[1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0],
            &[1.0, 2.0, 5.0],
            &[1.0, 3.0],
            &[1.0],
        ];
        if !self.is_logarithmic {
            return self.even_ticks(min_distance);
        }
        let are_apart = |ticks: &Vec<f64>| {
            let pixels: Vec<f64> = ticks.iter().map(|tick| self.at(*tick)).collect();
            pixels
                .windows(2)
                .all(|pair| (pair[1] - pair[0]).abs() >= min_distance)
        };
        let powers = -9..=9;
        let ticks_of = |steps: &[f64]| {
            let values = powers.clone().flat_map(|power| {
                // Powers of ten below 1 are not exact, but their inverses are.
                let unit = 10_f64.powi(i32::abs(power));
                let of = move |step: &f64| if power < 0 { step / unit } else { step * unit };
                steps.iter().map(of).collect::<Vec<_>>()
            });
            let [from, to] = self.values;
            let mut ticks: Vec<f64> = values
                .filter(|tick| (from * 0.9999..=to * 1.0001).contains(tick))
                .collect();
            if self.zero.is_some() {
                ticks.insert(0, 0.0);
            }
            ticks
        };
        let all = STEPS.iter().map(|steps| ticks_of(steps));
        let mut all = all.filter(are_apart);
        all.next().unwrap_or_default()
    }

    fn even_ticks(&self, min_distance: f64) -> Vec<f64> {
        let [from, to] = self.values;
        let length = (self.pixels[1] - self.pixels[0]).abs();
        let most = (length / min_distance).floor().max(1.0);
        let units = (-3..=9).flat_map(|power| [1.0, 2.0, 5.0].map(|it| it * 10_f64.powi(power)));
        let Some(unit) = units.into_iter().find(|unit| (to - from) / unit <= most) else {
            return Vec::new();
        };
        let ticks = (from / unit).ceil() as i64..=(to / unit + 1e-9).floor() as i64;
        ticks.map(|nth| nth as f64 * unit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::world::{CHURN, COST_SPREAD, ENTITIES};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_axis_is_defined(
            values in prop::collection::vec(prop::num::f64::ANY, 0..4),
            low in prop::num::f64::ANY,
            high in prop_oneof![Just(0.0), Just(f64::NAN), 0.0..9.0_f64],
        ) {
            let pixels = [0.0, 400.0];
            let knobs = [&ENTITIES, &CHURN, &COST_SPREAD];
            let axes = knobs.map(|knob| Axis::of_knob(knob, &values, pixels));
            for axis in axes.into_iter().chain([Axis::logarithmic([low, high], pixels)]) {
                prop_assert!(axis.ticks(22.0).len() < 300, "{axis:?}");
                prop_assert!([0.0, 0.5, 1e9].iter().all(|it| axis.at(*it).is_finite()), "{axis:?}");
            }
        }
    }
}
