//! A logarithmic axis: from values to points of the screen, and its ticks.

/// Space between the outermost values and the ends of the axis, as a ratio.
const BEYOND: f64 = 1.4;
/// Least ratio between both ends.
const LEAST_RATIO: f64 = 12.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogAxis {
    low: f64,
    high: f64,
    ends: [f32; 2],
}

impl LogAxis {
    /// Returns an axis that covers all positive and finite `values`, with its lower end at `ends[0]` and its upper end at
    /// `ends[1]`. `None` if there is no such value.
    pub fn covering(values: impl Iterator<Item = f64>, ends: [f32; 2]) -> Option<Self> {
        let known = values.filter(|&value| is_positive(value));
        let (low, high) = known.fold((f64::INFINITY, 0.0_f64), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let missing = LEAST_RATIO / (high / low * BEYOND * BEYOND);
        let beyond = BEYOND * missing.max(1.0).sqrt();
        (low <= high).then_some(Self {
            low: low / beyond,
            high: high * beyond,
            ends,
        })
    }

    /// Returns the point of a positive value; outside the axis, that of the closest end.
    pub fn point(&self, value: f64) -> f32 {
        let share = (value / self.low).ln() / (self.high / self.low).ln();
        self.ends[0] + (self.ends[1] - self.ends[0]) * share.clamp(0.0, 1.0) as f32
    }

    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Returns values from one end to the other, in `count` steps.
    pub fn steps(&self, count: u32) -> impl Iterator<Item = f64> {
        let (low, ratio) = (self.low, self.high / self.low);
        (0..=count).map(move |step| low * ratio.powf(f64::from(step) / f64::from(count)))
    }

    /// Returns round values on the axis, `room` points apart or more: powers of ten and two and five times these, or only
    /// the powers.
    pub fn ticks(&self, room: f32) -> Vec<f64> {
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        let round = |multiples: &[f64]| -> Vec<f64> {
            let powers = (first..=last).map(|power| 10_f64.powi(power));
            let all = powers.flat_map(|power| multiples.iter().map(move |it| it * power));
            all.filter(|&tick| self.contains(tick)).collect()
        };
        let is_apart = |ticks: &Vec<f64>| {
            let mut pairs = ticks.windows(2);
            pairs.all(|pair| (self.point(pair[1]) - self.point(pair[0])).abs() >= room)
        };
        let mut choices = [round(&[1.0, 2.0, 5.0]), round(&[1.0])].into_iter();
        choices.find(is_apart).unwrap_or_default()
    }
}

pub fn is_positive(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn axis(values: &[f64]) -> Option<LogAxis> {
        LogAxis::covering(values.iter().copied(), [0.0, 400.0])
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
        assert_eq!(ticks(&[0.2, 100.0]), [1.0, 10.0, 100.0]);
        assert_eq!(ticks(&[1.0, 4.0]), [1.0, 2.0, 5.0]);
    }

    proptest! {
        #[test]
        fn an_axis_covers_its_values(values in prop::collection::vec(1e-9_f64..1e9, 1..9), room in 8.0_f32..90.0) {
            let axis = axis(&values).unwrap();
            for pair in values.windows(2) {
                let points = axis.point(pair[1]) - axis.point(pair[0]);
                prop_assert!(points == 0.0 || (points > 0.0) == (pair[1] > pair[0]));
            }
            for value in values {
                prop_assert!(axis.contains(value));
            }
            let ticks = axis.ticks(room);
            for pair in ticks.windows(2) {
                prop_assert!(axis.point(pair[1]) - axis.point(pair[0]) >= room);
            }
        }
    }
}
