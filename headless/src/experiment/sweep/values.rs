//! Values of a knob: those that a sweep tries first, and those between them.

use timeslicer::knob::{Knob, Scale};

/// Values that differ by no more than this share need no others between them.
const CLOSE: f64 = 0.011;

/// Number of values that are tried at once between two others.
const BETWEEN: u32 = 3;

/// Returns `count` values from one end of the knob's range to the other, in order: at equal ratios if the knob is
/// logarithmic, from its smallest value above zero. Whole numbers that are rounded to the same one count once.
pub fn spread(knob: &Knob, count: u32) -> Vec<f64> {
    let from = match knob.scale {
        Scale::Linear => knob.min,
        Scale::Logarithmic { from } => from,
    };
    spread_between(knob, from, knob.max, count)
}

/// Like [`spread`], from `from` to `to`. If a logarithmic knob begins at zero, so do the values.
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
            _ => rounded(knob, at(knob, from, to, share), 3),
        })
        .collect();
    values.dedup();
    values
}

/// Returns the value at a share (0 to 1) of the way between two others, on the knob's scale.
fn at(knob: &Knob, from: f64, to: f64, share: f64) -> f64 {
    match knob.scale {
        Scale::Logarithmic { .. } if from > 0.0 => {
            (from.ln() + (to.ln() - from.ln()) * share).exp()
        }
        _ => from + (to - from) * share,
    }
}

/// Returns the allowed value that is nearest to `value` rounded to this many significant digits.
pub fn rounded(knob: &Knob, value: f64, digits: i32) -> f64 {
    knob.nearest(to_digits(value, digits, f64::round))
}

fn to_digits(value: f64, digits: i32, round: fn(f64) -> f64) -> f64 {
    if value == 0.0 {
        return 0.0;
    }
    // Powers of ten below 1 are not exact, but their inverses are.
    let power = value.abs().log10().floor() as i32 - digits + 1;
    let unit = 10_f64.powi(power.abs());
    if power < 0 {
        round(value * unit) / unit
    } else {
        round(value / unit) * unit
    }
}

/// Returns the value in the middle between two others on the knob's scale, rounded to three digits. `None` if they differ by
/// `close` (a share) or less, or if no allowed value is between them.
pub fn middle(knob: &Knob, from: f64, to: f64, close: f64) -> Option<f64> {
    let is_close = (to - from).abs() <= close * from.abs().max(to.abs());
    let middle = rounded(knob, at(knob, from, to, 0.5), 3);
    (!is_close && from < middle && middle < to).then_some(middle)
}

/// Returns the next values of two digits below and above `value`.
pub fn two_digits(knob: &Knob, value: f64) -> [f64; 2] {
    [f64::floor, f64::ceil].map(|round| knob.nearest(to_digits(value, 2, round)))
}

/// Returns a few values of three digits between two others; none if these are close.
pub fn between(knob: &Knob, from: f64, to: f64) -> Vec<f64> {
    let is_close = (to - from).abs() <= CLOSE * from.abs().max(to.abs());
    if is_close {
        return Vec::new();
    }
    let shares = (1..=BETWEEN).map(|nth| f64::from(nth) / f64::from(BETWEEN + 1));
    let values = shares.map(|share| rounded(knob, at(knob, from, to, share), 3));
    let mut values: Vec<f64> = values.filter(|it| from < *it && *it < to).collect();
    values.dedup();
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use timeslicer::strategy::STRATEGIES;
    use timeslicer::strategy::knobs::{GROUPS, INTERVAL};

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
            let [one, other] = [shares.0, shares.1].map(|it| rounded(knob, at(knob, range[0], range[1], it), 3));
            let (mut from, to) = (one.min(other), one.max(other));
            for _ in 0..20 {
                let values = between(knob, from, to);
                prop_assert!(values.iter().all(|it| from < *it && *it < to && knob.takes(*it)));
                let Some(&last) = values.last() else { return Ok(()) };
                from = last;
            }
            prop_assert!(false, "still values between {} and {}", from, to);
        }
    }
}
