//! Chooses the knob values that a sweep tries: evenly spaced ones first, then values between those already tried.

use crate::catalog::knob::{Knob, Scale};
use libm::{exp, log, log10};

/// Returns `count` evenly spaced values that cover the range of a knob, in ascending order. On a logarithmic scale, the
/// ratio between neighbouring values is constant, and the first is the smallest value above zero. Duplicates are
/// removed.
pub fn spread(knob: &Knob, count: u32) -> Vec<f64> {
    let from = match knob.scale {
        Scale::Linear => knob.min,
        Scale::Logarithmic { from } => from,
    };
    spread_between(knob, from, knob.max, count)
}

/// Returns `count` evenly spaced values from `from` to `to`, in ascending order. On a logarithmic scale, the ratio
/// between neighbouring values is constant, except after a first value of zero. Duplicates are removed.
pub fn spread_between(knob: &Knob, from: f64, to: f64, count: u32) -> Vec<f64> {
    if let Scale::Logarithmic { from: above } = knob.scale
        && from == 0.0
        && above < to
    {
        let others = spread_between(knob, above, to, count.max(3) - 1);
        return [0.0].into_iter().chain(others).collect();
    }
    let last = f64::from(count.max(2) - 1);
    let shares = (0..count.max(1)).map(|nth| f64::from(nth) / last);
    let mut values: Vec<f64> = shares
        .map(|share| match share {
            0.0 => knob.nearest(from),
            1.0 => knob.nearest(to),
            _ => rounded(knob, interpolated(knob, from, to, share), 3),
        })
        .collect();
    values.dedup();
    values
}

/// Interpolates between two values on the scale of the knob. A `fraction` of 0 returns `from`, and 1 returns `to`.
fn interpolated(knob: &Knob, from: f64, to: f64, fraction: f64) -> f64 {
    match knob.scale {
        Scale::Logarithmic { .. } if from > 0.0 => {
            exp(log(from) + (log(to) - log(from)) * fraction)
        }
        _ => from + (to - from) * fraction,
    }
}

/// Rounds `value` to `digits` significant digits, and returns the nearest value that the knob allows.
pub fn rounded(knob: &Knob, value: f64, digits: i32) -> f64 {
    knob.nearest(to_digits(value, digits, f64::round))
}

/// Rounds `value` to `digits` significant digits with `round`.
pub fn to_digits(value: f64, digits: i32, round: fn(f64) -> f64) -> f64 {
    if value == 0.0 {
        return 0.0;
    }
    // Powers of ten below 1 are not exact, but their inverses are.
    let power = log10(value.abs()).floor() as i32 - digits + 1;
    let unit = 10_f64.powi(power.abs());
    if power < 0 {
        round(value * unit) / unit
    } else {
        round(value / unit) * unit
    }
}

/// Rounds `value` down and up to two significant digits. The results are equal if it has no more digits.
pub fn two_digits(knob: &Knob, value: f64) -> [f64; 2] {
    [f64::floor, f64::ceil].map(|round| knob.nearest(to_digits(value, 2, round)))
}

/// Returns `count` values between `from` and `to`, evenly spaced on the knob's scale, with three significant digits.
/// Returns fewer if the knob has fewer values, and none if `from` and `to` differ by at most the fraction `close`.
pub fn between(knob: &Knob, from: f64, to: f64, count: u32, close: f64) -> Vec<f64> {
    let is_close = (to - from).abs() <= close * from.abs().max(to.abs());
    if is_close {
        return Vec::new();
    }
    let shares = (1..=count).map(|nth| f64::from(nth) / f64::from(count + 1));
    let values = shares.map(|share| rounded(knob, interpolated(knob, from, to, share), 3));
    let mut values: Vec<f64> = values.filter(|it| from < *it && *it < to).collect();
    values.dedup();
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::strategy::STRATEGIES;
    use crate::catalog::strategy::knobs::{GROUPS, INTERVAL};
    use proptest::prelude::*;

    #[test]
    fn values_go_from_end_to_end() {
        let values = spread(&INTERVAL, 4);
        assert_eq!(values, [0.01, 0.1, 1.0, 10.0]);
        let groups = spread(&GROUPS, 100);
        assert!(groups.is_sorted_by(|one, next| one < next), "{groups:?}");
        assert_eq!((groups[0], groups[groups.len() - 1]), (1.0, 600.0));
        assert_eq!(spread(&INTERVAL, 1), [0.01]);
    }

    #[test]
    fn two_digits_enclose_a_value() {
        assert_eq!(two_digits(&INTERVAL, 0.417), [0.41, 0.42]);
        assert_eq!(two_digits(&INTERVAL, 0.42), [0.42, 0.42]);
        assert_eq!(two_digits(&GROUPS, 123.0), [120.0, 130.0]);
    }

    proptest! {
        #[test]
        fn values_between_two_others_are_between_them_and_end(
            entry in 0..STRATEGIES.len(),
            shares in (0.0..1.0_f64, 0.0..1.0_f64),
        ) {
            let Some(knob) = STRATEGIES[entry].main_knob() else { return Ok(()) };
            let range = spread(knob, 2);
            let [one, other] = [shares.0, shares.1].map(|it| rounded(knob, interpolated(knob, range[0], range[1], it), 3));
            let (mut from, to) = (one.min(other), one.max(other));
            for _ in 0..20 {
                let values = between(knob, from, to, 3, 0.011);
                prop_assert!(values.iter().all(|it| from < *it && *it < to && knob.takes(*it)));
                let Some(&last) = values.last() else { return Ok(()) };
                from = last;
            }
            prop_assert!(false, "still values between {} and {}", from, to);
        }
    }
}
