//! Maps values to coordinates on a logarithmic axis, and chooses its ticks.

use egui::lerp;
use lab::text::format;

/// The fraction of an axis that lies between zero and the smallest value above zero, if the axis includes zero.
const ZERO_FRACTION: f64 = 0.1;

/// The largest value on an axis that shows staleness as a multiple. Larger values are above the plot.
const MOST_TIMES: f64 = 4.0;

/// The maximum distance of a position from the start of the axis, as a multiple of the axis length.
const FAR: f64 = 1e3;

/// The tick values per power of ten, from the densest to the sparsest. The first list whose labels have room is used.
const STEPS: [&[f64]; 5] = [
    &[
        1.0, 1.1, 1.2, 1.3, 1.5, 1.7, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0,
    ],
    &[1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0],
    &[1.0, 2.0, 5.0],
    &[1.0, 3.0],
    &[1.0],
];

#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// The values at both ends. If the axis includes zero, the first one is the smallest value above zero.
    values: [f64; 2],
    includes_zero: bool,
    /// The coordinates of both ends.
    ends: [f32; 2],
    format: fn(f64) -> String,
}

impl Axis {
    /// Creates an axis between the coordinates `ends`. Its values are positive. `format` formats the tick labels.
    pub fn new([from, to]: [f64; 2], ends: [f32; 2], format: fn(f64) -> String) -> Self {
        Self {
            // The ends of an axis must differ.
            values: [from, to.max(from * 1.01)],
            includes_zero: false,
            ends,
            format,
        }
    }

    /// Creates an axis for all `values` of a knob.
    pub fn of_knob(values: &[f64], ends: [f32; 2]) -> Self {
        let above_zero = values.iter().copied().filter(|value| *value > 0.0);
        let start = above_zero.clone().reduce(f64::min).unwrap_or(1.0);
        let end = above_zero.fold(start, f64::max);
        Self {
            includes_zero: values.contains(&0.0),
            ..Self::new([start, end], ends, format::short)
        }
    }

    /// Creates an axis that shows staleness as a multiple. It is long enough for all `values` up to `MOST_TIMES`.
    pub fn of_multiples(values: impl Iterator<Item = f64>, ends: [f32; 2]) -> Self {
        const TOPS: [f64; 4] = [1.5, 2.0, 3.0, MOST_TIMES];
        let most = values.filter(|it| *it <= MOST_TIMES).fold(1.0, f64::max);
        let top = TOPS.into_iter().find(|top| most * 1.05 <= *top);
        Self::new([0.92, top.unwrap_or(MOST_TIMES)], ends, |times| {
            format!("{times:.1}")
        })
    }

    pub fn values(&self) -> [f64; 2] {
        self.values
    }

    /// Returns the coordinate of a value, which is outside the axis if the value is beyond an end.
    pub fn at(&self, value: f64) -> f32 {
        let [start, end] = self.ends;
        lerp(start..=end, self.fraction(value) as f32)
    }

    fn fraction(&self, value: f64) -> f64 {
        if self.includes_zero && value == 0.0 {
            return 0.0;
        }
        let start = if self.includes_zero {
            ZERO_FRACTION
        } else {
            0.0
        };
        // Zero and negative values have no logarithm. They are far beyond the lower end.
        let scaled = |value: f64| value.clamp(f64::MIN_POSITIVE, f64::MAX).ln();
        let [from, to] = self.values.map(scaled);
        let fraction = (scaled(value) - from) / (to - from);
        (start + (1.0 - start) * fraction).clamp(-FAR, FAR)
    }

    /// Returns the coordinates and the labels of ticks at round values, at least `min_distance` apart.
    pub fn ticks(&self, min_distance: f32) -> Vec<(f32, String)> {
        let all = STEPS.iter().map(|steps| self.round_values(steps));
        let mut fitting = all.filter(|values| {
            let mut pairs = values.windows(2);
            pairs.all(|pair| (self.at(pair[1]) - self.at(pair[0])).abs() >= min_distance)
        });
        let values = fitting.next().unwrap_or_default();
        let ticks = values.iter();
        ticks
            .map(|value| (self.at(*value), (self.format)(*value)))
            .collect()
    }

    /// Returns the values on the axis that are one of `steps` times a power of ten, and zero if the axis includes it.
    fn round_values(&self, steps: &[f64]) -> Vec<f64> {
        let [from, to] = self.values;
        let values = (-9..=9).flat_map(|power: i32| {
            // Powers of ten below 1 are not exact, but their inverses are.
            let unit = 10_f64.powi(power.abs());
            let value = move |step: &f64| {
                if power < 0 { step / unit } else { step * unit }
            };
            steps.iter().map(value)
        });
        let inside = values.filter(|value| (from * 0.9999..=to * 1.0001).contains(value));
        let zero = self.includes_zero.then_some(0.0);
        zero.into_iter().chain(inside).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ENDS: [f32; 2] = [0.0, 1.0];

    proptest! {
        #[test]
        fn any_axis_is_defined(
            values in prop::collection::vec(prop_oneof![Just(0.0), 1e-9..1e9_f64], 0..4),
            low in 1e-9..1e9_f64,
            high in 0.0..9.0_f64,
        ) {
            let axes = [Axis::of_knob(&values, ENDS), Axis::new([low, high], ENDS, format::short)];
            for axis in axes {
                let ticks = axis.ticks(0.05);
                prop_assert!(ticks.len() <= 21 && ticks.is_sorted_by(|one, next| one.0 < next.0), "{axis:?}");
                prop_assert!([0.0, 0.5, 1e9].iter().all(|value| axis.at(*value).is_finite()), "{axis:?}");
            }
        }
    }
}
