//! Words for times.

use crate::phrase;
use crate::text::format;
use crate::text::rich::{Phrase, figure};
use timeslicer::time::Nanos;

/// A mean with its deviation, unless that is negligible: `500 ms ± 3 ms`.
pub(in crate::stats) fn spread(mean: Nanos, deviation: Nanos) -> Phrase {
    if deviation.as_nanos().saturating_mul(1000) <= mean.as_nanos() {
        return time(mean);
    }
    phrase![time(mean), " ± ", time(deviation)]
}

/// A time in a suitable unit, with three digits.
pub(in crate::stats) fn time(time: Nanos) -> Phrase {
    let nanos = time.as_nanos() as f64;
    let (unit, name) = match time.as_nanos() {
        0 => return phrase![figure(0), " ms"],
        1..1_000 => (1.0, "ns"),
        1_000..100_000 => (1e3, "µs"),
        100_000..999_500_000 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    phrase![figure(format::number(nanos / unit)), " ", name]
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
    fn times_have_a_unit_and_three_digits() {
        for (nanos, text) in [
            (0, "0 ms"),
            (1, "1 ns"),
            (41_800, "41.8 µs"),
            (10_416_666, "10.4 ms"),
            (16_610_001, "16.6 ms"),
            (16_666_667, "16.7 ms"),
            (100_000_001, "100 ms"),
            (4_060_000_001, "4.06 s"),
        ] {
            assert_eq!(time(Nanos::from_nanos(nanos)).to_string(), text);
        }
    }
}
