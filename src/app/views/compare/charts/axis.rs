//! A chart axis, which converts values to screen positions and chooses the ticks. Invalid ranges are adjusted, and NaN
//! is placed at the lower end.

use timeslicer::knob::{Knob, Scale};

/// The minimum margin of an axis that is created by [`Axis::covering`], as a factor. The smallest value is divided by
/// this factor and the largest value is multiplied by it.
const MARGIN_FACTOR: f64 = 1.4;
/// The minimum ratio between the upper and lower ends of a logarithmic axis.
const MIN_END_RATIO: f64 = 1.01;
/// The minimum ratio between the ends of an axis that is created by [`Axis::covering`]. With a smaller ratio, values
/// that are almost equal would look very different.
const MIN_COVERING_RATIO: f64 = 12.0;
/// The smallest and largest values that a logarithmic axis can show.
const LOGARITHMIC_RANGE: [f64; 2] = [1e-12, 1e15];
const MAX_LINEAR_TICKS: f64 = 100.0;
/// The fraction of a logarithmic axis that lies between zero and the smallest positive value, if the axis shows zero.
const ZERO_SECTION: f64 = 0.08;

/// Sets of ticks, sorted from dense to sparse. A set has ticks at these multiples of each power of ten. An axis uses
/// the first set whose ticks are far enough apart on the screen.
const TICK_MULTIPLES: [&[f64]; 6] = [
    &[1.0, 1.1, 1.2, 1.3, 1.5, 1.7, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0],
    &[1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0],
    &[1.0, 1.5, 2.0, 3.0, 5.0, 7.0],
    &[1.0, 2.0, 5.0],
    &[1.0, 3.0],
    &[1.0],
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    ends: [f32; 2],
    is_logarithmic: bool,
    /// Whether a logarithmic axis shows zero at its lower end.
    has_zero: bool,
}

impl Axis {
    /// Returns a logarithmic axis that covers all positive, finite `values`, or `None` if there are no such values.
    /// `ends` contains the screen positions of the lower and upper ends.
    pub fn covering(values: impl Iterator<Item = f64>, ends: [f32; 2]) -> Option<Self> {
        let known = values.filter(|&value| is_positive(value));
        let (low, high) = known.fold((f64::INFINITY, 0.0_f64), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let missing = MIN_COVERING_RATIO / (high / low * MARGIN_FACTOR * MARGIN_FACTOR);
        let beyond = MARGIN_FACTOR * missing.max(1.0).sqrt();
        (low <= high).then(|| Self::logarithmic([low / beyond, high * beyond], ends))
    }

    /// Returns a logarithmic axis between two values. A value that is zero, negative or not finite is replaced by the
    /// other one. The upper end is always above the lower end.
    pub fn logarithmic(values: [f64; 2], ends: [f32; 2]) -> Self {
        let positive = values.into_iter().filter(|it| is_positive(*it));
        let [least, most] = LOGARITHMIC_RANGE;
        let low = positive.clone().reduce(f64::min).unwrap_or(1.0);
        let high = positive.fold(low, f64::max);
        let low = low.clamp(least, most);
        Self {
            low,
            high: high.clamp(low * MIN_END_RATIO, most * MIN_END_RATIO),
            ends,
            is_logarithmic: true,
            has_zero: false,
        }
    }

    /// Returns an axis that covers the given `values` of a knob. The axis is linear or logarithmic, depending on the
    /// knob's scale.
    pub fn of_knob(knob: &Knob, values: &[f64], ends: [f32; 2]) -> Self {
        let values = values.iter().filter(|it| it.is_finite());
        let values = values.map(|value| value.clamp(-LOGARITHMIC_RANGE[1], LOGARITHMIC_RANGE[1]));
        let high = values.clone().fold(0.0, f64::max);
        let low = values.clone().fold(high, f64::min);
        let Scale::Logarithmic { from } = knob.scale else {
            let least = (0.01_f64).max(1e-6 * low.abs());
            return Self {
                low,
                high: high.max(low + least),
                ends,
                is_logarithmic: false,
                has_zero: false,
            };
        };
        let above = values.filter(|it| *it > 0.0).reduce(f64::min);
        Self {
            has_zero: low <= 0.0,
            ..Self::logarithmic([above.unwrap_or(from), high], ends)
        }
    }

    /// Returns the screen position of a value. Values outside the axis are clamped to the nearest end.
    pub fn point(&self, value: f64) -> f32 {
        self.at(self.share(value).clamp(0.0, 1.0))
    }

    /// Returns the screen position of a value, which may lie beyond the ends of the axis.
    pub fn point_beyond(&self, value: f64) -> f32 {
        self.at(self.share(value).clamp(-9.0, 9.0))
    }

    fn at(&self, share: f64) -> f32 {
        self.ends[0] + (self.ends[1] - self.ends[0]) * share as f32
    }

    fn share(&self, value: f64) -> f64 {
        if !self.is_logarithmic {
            let share = (value - self.low) / (self.high - self.low);
            return if share.is_nan() { 0.0 } else { share };
        }
        let has_logarithm = value > 0.0; // false for NaN
        let share = (value / self.low).ln() / (self.high / self.low).ln();
        match (has_logarithm, self.has_zero) {
            (true, true) => ZERO_SECTION + (1.0 - ZERO_SECTION) * share,
            (true, false) => share,
            (false, true) => 0.0,
            (false, false) => f64::NEG_INFINITY,
        }
    }

    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value) || self.has_zero && value == 0.0
    }

    /// Divides a logarithmic axis into `count` sections of equal length and returns the values at their ends. A `count`
    /// of zero is treated as one.
    pub fn steps(&self, count: u32) -> impl Iterator<Item = f64> {
        let (low, ratio, count) = (self.low, self.high / self.low, count.max(1));
        (0..=count).map(move |step| low * ratio.powf(f64::from(step) / f64::from(count)))
    }

    /// Returns the values of the ticks, which are round numbers and at least `min_distance` points apart on the screen.
    pub fn ticks(&self, min_distance: f32) -> Vec<f64> {
        let choices: Vec<Vec<f64>> = if self.is_logarithmic {
            let of = |multiples: &&[f64]| self.multiples_of_powers(multiples);
            TICK_MULTIPLES.iter().map(of).collect()
        } else {
            let units =
                (-3..=9).flat_map(|power| [1.0, 2.0, 5.0].map(|it| times_power_of_ten(it, power)));
            units.map(|unit| self.multiples_of(unit)).collect()
        };
        let is_apart = |ticks: &Vec<f64>| {
            let mut pairs = ticks.windows(2);
            pairs.all(|pair| (self.point(pair[1]) - self.point(pair[0])).abs() >= min_distance)
        };
        choices.into_iter().find(is_apart).unwrap_or_default()
    }

    fn multiples_of_powers(&self, multiples: &[f64]) -> Vec<f64> {
        // There are only a few powers of ten, because `LOGARITHMIC_RANGE` limits the axis.
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        let zero = self.has_zero.then_some(0.0);
        let powers = first..=last;
        let all = powers.flat_map(|power| {
            multiples
                .iter()
                .map(move |it| times_power_of_ten(*it, power))
        });
        let all = all.filter(|&tick| self.contains(tick));
        zero.into_iter().chain(all).collect()
    }

    /// Returns the multiples of `unit` on a linear axis.
    fn multiples_of(&self, unit: f64) -> Vec<f64> {
        let (first, last) = ((self.low / unit).ceil(), (self.high / unit + 1e-9).floor());
        if last - first > MAX_LINEAR_TICKS {
            // There are too many to list. The caller rejects two equal ticks as too close together.
            return vec![self.low; 2];
        }
        let count = (last - first).max(-1.0) as i32;
        (0..=count)
            .map(|nth| (first + f64::from(nth)) * unit)
            .collect()
    }
}

fn times_power_of_ten(value: f64, power: i32) -> f64 {
    // Negative powers of ten are inexact, so divide by the positive power instead.
    let unit = 10_f64.powi(power.abs());
    if power < 0 {
        value / unit
    } else {
        value * unit
    }
}

pub fn is_positive(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use headless::sim::world::{CHURN, COST_SPREAD, ENTITIES};
    use proptest::prelude::*;

    fn axis(values: &[f64]) -> Option<Axis> {
        Axis::covering(values.iter().copied(), [0.0, 400.0])
    }

    #[test]
    fn values_that_have_no_logarithm_are_left_out() {
        assert_eq!(axis(&[]), None);
        assert_eq!(axis(&[0.0, -1.0, f64::NAN, f64::INFINITY]), None);
        assert_eq!(axis(&[0.0, 3.0, f64::NAN]), axis(&[3.0]));
    }

    #[test]
    fn ticks_are_round_and_apart() {
        let ticks = |values: &[f64]| axis(values).unwrap().ticks(56.0);
        assert_eq!(ticks(&[0.2, 100.0]), [0.3, 1.0, 3.0, 10.0, 30.0, 100.0]);
        assert_eq!(ticks(&[0.2, 1e5]), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5]);
        assert_eq!(ticks(&[1.0, 4.0]), [1.0, 2.0, 5.0]);
        let narrow = Axis::logarithmic([0.9, 2.5], [130.0, 0.0]);
        assert_eq!(narrow.ticks(16.0), [1.0, 1.2, 1.5, 2.0, 2.5]);
    }

    #[test]
    fn the_axis_of_a_knob_has_its_scale() {
        let of = |knob, values: &[f64]| Axis::of_knob(knob, values, [0.0, 500.0]);
        let entities = of(&ENTITIES, &[100.0, 1_000.0, 10_000.0]);
        assert!((entities.point(1_000.0) - 250.0).abs() < 0.1);
        let spread = of(&COST_SPREAD, &[0.0, 0.5, 2.0]);
        assert_eq!(
            [0.0, 0.5, 2.0].map(|it| spread.point(it)),
            [0.0, 125.0, 500.0]
        );
        let churn = of(&CHURN, &[0.0, 1.0, 1_000.0]);
        assert_eq!(
            [0.0, 1.0, 1_000.0].map(|it| churn.point(it)),
            [0.0, 40.0, 500.0]
        );
        assert_eq!(churn.ticks(38.0)[0], 0.0);
    }

    /// Generates any `f64`, including infinities, NaN and other edge cases.
    fn anything() -> impl Strategy<Value = f64> {
        let special = prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            -1.0,
            1e-300,
            5e-324,
            f64::MAX,
            f64::MIN,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ]);
        prop_oneof![special, prop::num::f64::ANY, -1e3_f64..1e3]
    }

    proptest! {
        #[test]
        fn any_axis_is_defined(
            values in prop::collection::vec(anything(), 0..5),
            range in [anything(), anything()],
            room in prop_oneof![Just(0.0_f32), Just(-1.0), Just(f32::NAN), 8.0_f32..90.0],
        ) {
            let ends = [0.0, 400.0];
            let mut axes = vec![Axis::logarithmic(range, ends)];
            axes.extend(Axis::covering(values.iter().copied(), ends));
            axes.extend([&ENTITIES, &CHURN, &COST_SPREAD].map(|knob| Axis::of_knob(knob, &values, ends)));
            for axis in axes {
                let ticks = axis.ticks(room);
                prop_assert!(ticks.len() <= 400, "{} ticks of {axis:?}", ticks.len());
                prop_assert!(!axis.is_logarithmic || axis.steps(48).all(is_positive));
                for value in ticks.into_iter().chain(values.iter().copied()).chain(range) {
                    prop_assert!((0.0..=400.0).contains(&axis.point(value)), "{value} on {axis:?}");
                    prop_assert!(axis.point_beyond(value).is_finite(), "{value} on {axis:?}");
                }
            }
        }

        #[test]
        fn an_axis_covers_its_values(values in prop::collection::vec(1e-9_f64..1e9, 1..9), room in 8.0_f32..90.0) {
            let axis = axis(&values).unwrap();
            for pair in values.windows(2) {
                let points = axis.point(pair[1]) - axis.point(pair[0]);
                prop_assert!(points == 0.0 || (points > 0.0) == (pair[1] > pair[0]));
            }
            for value in values {
                prop_assert!(axis.contains(value));
                prop_assert_eq!(axis.point(value), axis.point_beyond(value));
            }
            let ticks = axis.ticks(room);
            for pair in ticks.windows(2) {
                prop_assert!(axis.point(pair[1]) - axis.point(pair[0]) >= room);
            }
        }

        #[test]
        fn an_even_axis_has_even_ticks(low in 0.0_f64..5.0, length in 0.05_f64..900.0, room in 8.0_f32..90.0) {
            let axis = Axis::of_knob(&COST_SPREAD, &[low, low + length], [0.0, 400.0]);
            let ticks = axis.ticks(room);
            for pair in ticks.windows(2) {
                prop_assert!(axis.point(pair[1]) - axis.point(pair[0]) >= room);
            }
            prop_assert!(ticks.iter().all(|tick| axis.contains(tick - 1e-9) || axis.contains(tick + 1e-9)));
        }
    }
}
