//! Functions that format, parse and round the values of settings.

use lab::catalog::knob::Knob;
use lab::text::format;

/// Formats the value of a knob with its unit, shortened only if it still parses to the same value.
pub fn shown(knob: &Knob, value: f64) -> String {
    let short = format::knob(knob, value);
    let (in_unit, unit) = format::in_unit(knob, value);
    if !knob.choices.is_empty() || parse(knob, &short, unit) == Some(value) {
        return short;
    }
    if knob.whole && unit == knob.unit {
        return format!("{} {unit}", format::grouped(value as u64))
            .trim_end()
            .to_owned();
    }
    // Use at most six significant digits and no trailing zeros.
    let number: f64 = format!("{in_unit:.5e}").parse().unwrap_or(in_unit);
    format!("{number} {unit}").trim_end().to_owned()
}

/// Parses a value such as `250 ms`, `20k`, `1M` or `1,000`, by default in the default unit, and clamps it to the range.
pub fn parse(knob: &Knob, text: &str, default_unit: &str) -> Option<f64> {
    knob.read(text, default_unit)
        .map(|value| knob.nearest(value))
}

/// Rounds a value to four digits, to remove errors of egui's sliders, and clamps it to the knob's range.
pub fn rounded(knob: &Knob, value: f64) -> f64 {
    knob.nearest(format!("{value:.3e}").parse().unwrap_or(value))
}

pub fn increment(knob: &Knob, value: f64) -> f64 {
    let least = if knob.whole { 1.0 } else { 0.001 };
    if value == 0.0 {
        return least;
    }
    10f64
        .powi(value.abs().log10().floor() as i32 - 1)
        .max(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::catalog::strategy::STRATEGIES;
    use lab::catalog::strategy::knobs::INTERVAL;
    use lab::sim::world::{CHURN, COST, ENTITIES};

    #[test]
    fn displayed_values_parse_back_unchanged() {
        for (knob, value, text) in [
            (&INTERVAL, 0.5, "0.5 s"),
            (&COST, 100.0, "100 µs"),
            (&COST, 1900.5, "1.9005 ms"),
            (&COST, 10_000_000.0, "10 s"),
            (&ENTITIES, 20_000.0, "20,000"),
            (&ENTITIES, 1_234_567.0, "1,234,567"),
            (&CHURN, 1234.5, "1234.5 /s"),
        ] {
            assert_eq!(shown(knob, value), text);
        }
        let knobs = STRATEGIES.iter().flat_map(|entry| entry.knobs);
        for knob in knobs.filter(|knob| !knob.is_switch()) {
            assert_eq!(rounded(knob, knob.max), knob.max, "{}", knob.key);
            for step in 0..=200 {
                let share = f64::from(step) / 200.0;
                let value = rounded(knob, knob.min + share * (knob.max - knob.min));
                let (_, unit) = format::in_unit(knob, value);
                let text = shown(knob, value);
                assert_eq!(parse(knob, &text, unit), Some(value), "{}", knob.key);
            }
        }
    }
}
