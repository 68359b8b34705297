//! Formats numbers, times, counts and knob values for display.

use crate::catalog::knob::Knob;
use timeslicer::time::Nanos;

/// Formats a number, such as `0.028`, `0.12`, `4`, `12.5` or `1,000,000`. Numbers below a thousand have at most three
/// significant digits. Larger numbers are rounded to an integer, with digits in groups of three. A number other than
/// zero is never written as `0`.
///
/// Measured values and limits are both rounded to the nearest value. A value within a limit is therefore never
/// displayed as larger than the limit.
pub fn number(value: f64) -> String {
    let value = value + 0.0; // -0 becomes 0
    let size = value.abs();
    if value >= 999.5 {
        return grouped(value.round() as u64);
    }
    let decimals = match size {
        0.0 | 100.0.. => 0,
        10.0.. => 1,
        0.1.. => 2,
        0.001.. => 3,
        1e-6.. => (1.0 - size.log10().floor()) as usize, // two significant digits
        _ => return format!("{value:.0e}"),
    };
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Formats a number with a fixed number of decimal places, so that columns align. Small numbers get more, so that only
/// zero looks like zero. With one decimal place, the results look like `16.0`, `0.1`, `0.028` and `0.0`.
pub fn fixed(value: f64, decimals: usize) -> String {
    let is_small = value != 0.0 && value.abs() < 0.1_f64.powf(decimals as f64);
    if is_small {
        number(value)
    } else {
        format!("{value:.decimals$}")
    }
}

/// Formats a time in milliseconds with at most four digits, such as `0.028`, `16.0` or `140`.
pub fn millis(time: Nanos) -> String {
    let millis = time.as_millis_f64();
    fixed(millis, usize::from(millis < 99.95))
}

/// Formats the time that a strategy takes for scheduling, in total and per run, such as `4.1 µs, 10 ns/run`.
pub fn scheduling(time: Nanos, runs: f64) -> String {
    let nanos = time.as_nanos() as f64;
    let all = if nanos < 999_500.0 {
        format!("{} µs", number(nanos / 1e3))
    } else {
        format!("{} ms", number(nanos / 1e6))
    };
    let per_run = nanos / runs;
    match per_run {
        _ if runs == 0.0 => all,
        999.5.. => format!("{all}, {:.1} µs/run", per_run / 1e3),
        10.0.. => format!("{all}, {per_run:.0} ns/run"),
        1.0.. => format!("{all}, {per_run:.1} ns/run"),
        _ => format!("{all}, {} ns/run", number(per_run)),
    }
}

/// Abbreviates a large number, such as `40k` or `1.5M`.
pub fn short(value: f64) -> String {
    if value >= 999_500.0 {
        format!("{}M", number(value / 1e6))
    } else if value >= 1e4 {
        format!("{}k", number(value / 1e3))
    } else {
        number(value)
    }
}

/// Formats a time with three digits in a suitable unit, such as `41.8 µs` or `16.7 ms`.
pub fn time(time: Nanos) -> String {
    let (nanos_per_unit, unit) = match time.as_nanos() {
        1..1_000 => (1.0, "ns"),
        1_000..100_000 => (1e3, "µs"),
        0 | 100_000..999_500_000 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    format!("{} {unit}", number(time.as_nanos() as f64 / nanos_per_unit))
}

/// Formats a time in seconds to two decimal places, such as `398,000.40 s`.
pub fn seconds(seconds: f64) -> String {
    let hundredths = (seconds * 100.0).round() as u64;
    format!("{}.{:02} s", grouped(hundredths / 100), hundredths % 100)
}

/// Formats how far a frame is from real time: `12.3 ms`, and the direction as `behind real time` and as `behind`.
pub fn lateness(error_nanos: i64) -> (String, [&'static str; 2]) {
    let directions = match error_nanos {
        -49_999..=49_999 => return ("0 ms".to_owned(), ["from real time", ""]),
        50_000.. => ["ahead of real time", "ahead"],
        _ => ["behind real time", "behind"],
    };
    let size = match error_nanos.unsigned_abs() as f64 / 1e6 {
        size @ ..99.95 => format!("{size:.1} ms"),
        size => format!("{} ms", grouped(size.round() as u64)),
    };
    (size, directions)
}

/// Formats a fraction as a percentage. Values close to 0 or 1 are not rounded to `0 %` or `100 %`.
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        0.0 => "0 %".to_owned(),
        percent @ 0.0..9.95 => format!("{} %", fixed(percent, 1)),
        percent if share < 1.0 => format!("{:.0} %", percent.min(99.0)),
        _ => "100 %".to_owned(),
    }
}

/// Formats an integer with its digits in groups of three, such as `1,000,000`.
pub fn grouped(value: u64) -> String {
    match (value / 1000, value % 1000) {
        (0, rest) => rest.to_string(),
        (thousands, rest) => format!("{},{rest:03}", grouped(thousands)),
    }
}

/// Formats a number with a noun, such as `1 frame` or `2,000 frames`.
pub fn counted(count: u64, thing: &str) -> String {
    let things = match thing.strip_suffix('y') {
        _ if count == 1 => thing.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None if thing.ends_with("ch") => format!("{thing}es"),
        None => format!("{thing}s"),
    };
    format!("{} {things}", grouped(count))
}

/// Formats a ratio, such as `2×`.
pub fn multiple(ratio: f64) -> String {
    format!("{}×", number(ratio))
}

pub fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Joins words with commas and "and", such as `A, B and C`.
pub fn listed(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words[..] {
        [ref most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        _ => words.concat(),
    }
}

/// Breaks text into lines of at most this many characters. Never starts a line with a unit or with the separator `·`.
pub fn wrapped(words: &str, max_letters: usize) -> Vec<String> {
    const STAY: [&str; 7] = ["ns", "µs", "ms", "s", "×", "%", "·"];
    let mut lines: Vec<String> = Vec::new();
    let mut words = words.split(' ').peekable();
    while let Some(word) = words.next() {
        let stays = |next: &&str| STAY.contains(&next.trim_end_matches([',', ')', ':']));
        let next = words.next_if(stays);
        let word = next.map_or_else(|| word.to_owned(), |next| format!("{word} {next}"));
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < max_letters => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// Formats a knob's value with its unit, such as `5 ms`, or as the name of a choice, such as `on` or `off`.
pub fn knob(knob: &Knob, value: f64) -> String {
    if let Some(choice) = knob.choices.get(value as usize) {
        return (*choice).to_owned();
    }
    let (value, unit) = in_unit(knob, value);
    format!("{} {unit}", number(value)).trim_end().to_owned()
}

/// Formats a knob's value as its flag accepts it: with all digits and its unit, such as `0.293 s`, or as `on` or `off`.
pub fn exact(knob: &Knob, value: f64) -> String {
    if knob.is_switch() {
        self::knob(knob, value)
    } else {
        format!("{value} {}", knob.unit).trim_end().to_owned()
    }
}

/// Converts a value to the unit in which to display it: the knob's own or, for microseconds, milliseconds from 1,000 µs
/// on and seconds from 1,000,000 µs on.
pub fn in_unit(knob: &Knob, value: f64) -> (f64, &'static str) {
    match knob.unit {
        "µs" if value >= 1e6 => (value / 1e6, "s"),
        "µs" if value >= 1e3 => (value / 1e3, "ms"),
        unit => (value, unit),
    }
}

/// Formats a factor, such as `3.1 times` or `over 1,000 times`.
pub fn times(factor: f64) -> String {
    if factor > 1000.0 {
        "over 1,000 times".to_owned()
    } else {
        format!("{} times", fixed(factor, usize::from(factor < 100.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::frame_loop::knobs::DROP_DEBT;
    use crate::catalog::strategy::knobs::INTERVAL;

    #[test]
    fn lists_end_with_and() {
        assert_eq!(listed(&[""; 0]), "");
        assert_eq!(listed(&["A"]), "A");
        assert_eq!(listed(&["A", "B"]), "A and B");
        assert_eq!(listed(&["A", "B", "C"]), "A, B and C");
    }

    #[test]
    fn figures_keep_their_units_when_wrapped() {
        let line = "x".repeat(7); // has room for a number, but not for its unit
        for words in ["4 ms, off", "7 s · 3", "2 µs"] {
            assert_eq!(wrapped(&format!("{line} {words}"), 10), [&line, words]);
        }
        let lines = wrapped(&format!("{line} 3 times"), 10);
        assert_eq!(lines, [&format!("{line} 3"), "times"]);
    }

    #[test]
    fn numbers_are_rounded_and_grouped() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (0.000_004_2, "0.0000042"),
            (4.2e-7, "4e-7"),
            (0.000_42, "0.00042"),
            (0.0999, "0.1"),
            (0.25, "0.25"),
            (4.0, "4"),
            (12.5, "12.5"),
            (999.4, "999"),
            (999.7, "1,000"),
            (1_000_000.0, "1,000,000"),
        ] {
            assert_eq!(number(value), text);
        }
        for (value, text) in [
            (9_999.0, "9,999"),
            (10_000.0, "10k"),
            (67_449.0, "67.4k"),
            (999_400.0, "999k"),
            (999_600.0, "1M"),
            (250_000_000.0, "250M"),
        ] {
            assert_eq!(short(value), text);
        }
        for (value, text) in [
            (16.0, "16.0"),
            (0.25, "0.2"),
            (0.06, "0.06"),
            (0.0284, "0.028"),
        ] {
            assert_eq!(fixed(value, 1), text);
        }
        for (nanos, text) in [
            (0, "0.0"),
            (28_000, "0.028"),
            (16_666_667, "16.7"),
            (99_950_000, "100"),
        ] {
            assert_eq!(millis(Nanos::from_nanos(nanos)), text);
        }
        for (share, text) in [
            (0.0004, "0.04 %"),
            (0.031, "3.1 %"),
            (0.9999, "99 %"),
            (1.0, "100 %"),
        ] {
            assert_eq!(percent(share), text);
        }
    }

    #[test]
    fn rounding_keeps_the_order_of_figures() {
        let mut last = f64::NEG_INFINITY;
        for step in 0..60_000 {
            let value = 1e-4 * 1.0003_f64.powi(step);
            let shown: f64 = number(value).replace(',', "").parse().unwrap();
            assert!(shown >= last, "{value} is written {shown}, after {last}");
            last = shown;
        }
    }

    #[test]
    fn scheduling_is_in_microseconds_and_nanoseconds_per_run() {
        for (nanos, runs, text) in [
            (4_000, 400.0, "4 µs, 10 ns/run"),
            (1_234_000, 100_000.0, "1.23 ms, 12 ns/run"),
            (39_600, 5_605.0, "39.6 µs, 7.1 ns/run"),
            (280, 1_000.0, "0.28 µs, 0.28 ns/run"),
            (1_490, 0.174, "1.49 µs, 8.6 µs/run"),
            (50, 0.0, "0.05 µs"),
            (0, 3.0, "0 µs, 0 ns/run"),
        ] {
            assert_eq!(scheduling(Nanos::from_nanos(nanos), runs), text);
        }
    }

    #[test]
    fn lateness_has_a_size_and_a_direction() {
        for (nanos, text) in [
            (-49_000, "0 ms from real time"),
            (51_000, "0.1 ms ahead of real time"),
            (-12_340_000, "12.3 ms behind real time"),
            (99_960_000, "100 ms ahead of real time"),
            (1_500_000_000, "1,500 ms ahead of real time"),
            (i64::MIN, "9,223,372,036,855 ms behind real time"),
        ] {
            let (size, [words, direction]) = lateness(nanos);
            assert_eq!(format!("{size} {words}"), text);
            assert!(words.starts_with(direction));
        }
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
            assert_eq!(time(Nanos::from_nanos(nanos)), text);
        }
    }

    #[test]
    fn counts_have_a_plural() {
        for (count, thing, text) in [
            (1, "frame", "1 frame"),
            (2000, "run", "2,000 runs"),
            (2, "hitch", "2 hitches"),
            (0, "entity", "0 entities"),
        ] {
            assert_eq!(counted(count, thing), text);
        }
    }

    #[test]
    fn knob_values_have_units() {
        let with_unit = |unit| Knob { unit, ..INTERVAL };
        assert_eq!(knob(&with_unit("µs"), 120.0), "120 µs");
        assert_eq!(knob(&with_unit("µs"), 5000.0), "5 ms");
        assert_eq!(knob(&with_unit(""), 400.0), "400");
        assert_eq!(
            [0.0, 1.0].map(|value| knob(&DROP_DEBT, value)),
            ["off", "on"]
        );
    }
}
