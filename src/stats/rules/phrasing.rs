//! Words for times.

use crate::phrase;
use crate::text::format;
use crate::text::rich::{Phrase, figure};
use timeslice::time::Nanos;

/// A mean with its deviation, unless that is negligible: `500 ms ± 3 ms`.
pub(in crate::stats) fn spread(mean: Nanos, deviation: Nanos) -> Phrase {
    if deviation.as_nanos().saturating_mul(1000) <= mean.as_nanos() {
        return time(mean);
    }
    phrase![time(mean), " ± ", time(deviation)]
}

/// A time in a suitable unit, with three digits.
pub(in crate::stats) fn time(time: Nanos) -> Phrase {
    in_its_unit(time, |figure| figure)
}

/// Like [`time`], but rounded up, so that no maximum is understated.
pub(in crate::stats) fn at_most(time: Nanos) -> Phrase {
    in_its_unit(time, |figure| {
        // One unit of the last digit that `format::number` writes.
        let step = match figure {
            ..0.1 => 0.001,
            0.1..10.0 => 0.01,
            10.0..100.0 => 0.1,
            _ => 1.0,
        };
        let steps = figure / step;
        // Do not round up an error of the division.
        (steps - 1e-12 * steps).ceil() * step
    })
}

fn in_its_unit(time: Nanos, rounded: impl Fn(f64) -> f64) -> Phrase {
    let nanos = time.as_nanos() as f64;
    let (unit, name) = match time.as_nanos() {
        0 => return phrase![figure(0), " ms"],
        1..1_000 => (1.0, "ns"),
        1_000..100_000 => (1e3, "µs"),
        100_000..999_500_000 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    phrase![figure(format::number(rounded(nanos / unit))), " ", name]
}

/// A factor: `three times`.
pub(in crate::stats) fn times_in_words(factor: u64) -> String {
    match factor {
        2 => "twice".to_owned(),
        3 => "three times".to_owned(),
        more => format!("{more} times"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negligible_deviations_are_left_out() {
        let text = |nanos| spread(Nanos::from_millis(500), Nanos::from_nanos(nanos)).to_string();
        assert_eq!([text(0), text(500_000)], ["500 ms", "500 ms"]);
        assert_eq!(text(3_000_000), "500 ms ± 3 ms");
    }

    #[test]
    fn maxima_are_rounded_up() {
        for (nanos, text) in [
            (0, "0 ms"),
            (1, "1 ns"),
            (16_666_667, "16.7 ms"),
            (16_610_001, "16.7 ms"),
            (25_000_000, "25 ms"),
            (100_000_000, "100 ms"),
            (100_000_001, "101 ms"),
            (4_060_000_000, "4.06 s"),
            (4_060_000_001, "4.07 s"),
        ] {
            assert_eq!(at_most(Nanos::from_nanos(nanos)).to_string(), text);
        }
        assert_eq!(time(Nanos::from_nanos(16_610_001)).to_string(), "16.6 ms");
    }
}
