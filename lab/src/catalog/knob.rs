//! Knobs are parameters that the user of a program can adjust, such as the interval of a strategy.
//!
//! Each knob is declared once, in the file of the entry that uses it, or in `knobs.rs` if several entries use it. Sliders,
//! command-line flags, range checks and help texts are derived from these declarations.

use std::collections::BTreeMap;
use timeslicer::time::Nanos;

/// How the values of a knob are arranged on its slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Equal distances on the slider correspond to equal differences in value.
    Linear,
    /// Equal distances on the slider correspond to equal ratios of values. If the range of the knob begins at zero, so
    /// does the slider.
    Logarithmic {
        /// The smallest value on the slider that is greater than zero.
        from: f64,
    },
}

/// The declaration of an adjustable parameter: its name, unit, range and default value.
#[derive(Clone, Copy, Debug)]
pub struct Knob {
    /// The name of the command-line flag without the leading dashes, such as `interval-s`.
    pub key: &'static str,
    /// The name that is shown on screen.
    pub label: &'static str,
    /// The unit that is displayed after the value. Empty for a plain number.
    pub unit: &'static str,
    pub min: f64,
    pub max: f64,
    pub default: f64,
    pub scale: Scale,
    pub whole: bool,
    /// The names of the values 0, 1 and so on, if the knob offers a choice between them. Otherwise empty.
    pub choices: &'static [&'static str],
    /// An explanation of the knob in one or two sentences.
    pub help: &'static str,
}

/// Compares only the keys, because every knob has its own key. Comparing addresses would not work, because a `const` is
/// copied wherever it is used.
impl PartialEq for Knob {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Knob {}

impl Knob {
    /// A template for fractional numbers that have no unit and are not negative. A declaration takes all fields that it
    /// does not set from this template with `..Knob::NUMBER`.
    pub const NUMBER: Self = Self {
        key: "",
        label: "",
        unit: "",
        min: 0.0,
        max: 1.0,
        default: 0.0,
        scale: Scale::Linear,
        whole: false,
        choices: &[],
        help: "",
    };

    /// A template for whole numbers from 1 upwards.
    pub const COUNT: Self = Self {
        min: 1.0,
        scale: Scale::Logarithmic { from: 1.0 },
        whole: true,
        ..Self::NUMBER
    };

    /// Templates for times. The slider of a time that may be zero goes from zero to 0.01 s or 1 ms.
    pub const SECONDS: Self = Self {
        unit: "s",
        scale: Scale::Logarithmic { from: 0.01 },
        ..Self::NUMBER
    };
    pub const MILLIS: Self = Self {
        unit: "ms",
        scale: Scale::Logarithmic { from: 1.0 },
        ..Self::NUMBER
    };

    /// A template for switches that are off by default. To declare a switch, set its key, label and help, and take all
    /// other fields from this template with `..Knob::SWITCH`.
    pub const SWITCH: Self = Self {
        whole: true,
        choices: &["off", "on"],
        ..Self::NUMBER
    };

    /// Parses a value that a user has typed, such as `250 ms`, `2.5k` or, for a switch, `on`. A number without a unit
    /// is in the knob's own unit. See [`Knob::read`] for the format.
    ///
    /// # Errors
    /// Returns an error if `text` is not a value, if it is out of range, or if it is a fraction although the knob
    /// allows only whole numbers. The message names the flag, the typed text and the allowed values.
    pub fn parse(&self, text: &str) -> Result<f64, String> {
        let value = self.read(text, self.unit);
        value.filter(|&value| self.takes(value)).ok_or_else(|| {
            let allowed = if self.is_switch() {
                SWITCH_WORDS.to_owned()
            } else {
                let kind = if self.whole { "whole number" } else { "number" };
                format!("a {kind} from {}", self.range())
            };
            format!("--{} takes {allowed}, not '{text}'", self.key)
        })
    }

    /// Formats the range for help texts and errors, such as `0 to 100 ms`.
    pub fn range(&self) -> String {
        let range = format!("{} to {} {}", self.min, self.max, self.unit);
        range.trim_end().to_owned()
    }

    /// Parses a value such as `250 ms`, `2.5k`, `1M` or `1,000`. A switch also accepts words such as `on`. If `text`
    /// contains no unit, the number is in `unit`. The result is converted to the knob's own unit and may be out of
    /// range. Returns `None` if `text` is not a value.
    pub fn read(&self, text: &str, unit: &str) -> Option<f64> {
        let text = text.trim();
        if let Some(is_on) = switch(text).filter(|_| self.is_switch()) {
            return Some(f64::from(u8::from(is_on)));
        }
        let Some(own) = units_per_second(self.unit) else {
            return number(text.strip_suffix(self.unit).unwrap_or(text));
        };
        let mut units = ["ms", "us", "µs", "s"].into_iter();
        let named = units.find_map(|unit| Some((text.strip_suffix(unit)?, unit)));
        let (text, unit) = named.unwrap_or((text, unit));
        let typed = units_per_second(unit).unwrap_or(own);
        let value = number(text)?;
        // Multiplying and dividing by the same number could change the last digit.
        let converted = if typed == own {
            value
        } else {
            value * own / typed
        };
        Some(converted).filter(|value| value.is_finite())
    }

    /// Returns true if `value` is in the allowed range, and is a whole number if the knob allows only whole numbers.
    pub fn takes(&self, value: f64) -> bool {
        // NaN is not allowed, because no range contains it.
        (self.min..=self.max).contains(&value) && !(self.whole && value.fract() != 0.0)
    }

    /// Returns true if the knob is a switch, which allows only the values 0 (off) and 1 (on).
    pub fn is_switch(&self) -> bool {
        self.whole && self.min == 0.0 && self.max == 1.0
    }

    /// Returns the allowed value that is nearest to `value`, or the default if `value` is NaN.
    pub fn nearest(&self, value: f64) -> f64 {
        if value.is_nan() {
            return self.default;
        }
        let value = if self.whole { value.round() } else { value };
        value.clamp(self.min, self.max)
    }

    /// Converts `value` from the knob's unit to a time span.
    pub fn span(&self, value: f64) -> Nanos {
        match self.unit {
            "ms" => Nanos::from_millis_f64(value),
            "µs" => Nanos::from_micros_f64(value),
            _ => Nanos::from_secs_f64(value),
        }
    }

    pub fn default_span(&self) -> Nanos {
        self.span(self.default)
    }
}

/// The words that [`switch`] accepts, as listed in error messages.
pub const SWITCH_WORDS: &str = "on or off (or 1 or 0, true or false, yes or no)";

/// Parses the state of a switch and returns true if it is on. Returns `None` if `text` is not one of the words in
/// [`SWITCH_WORDS`]. Case is ignored.
pub fn switch(text: &str) -> Option<bool> {
    let is_any = |words: [&str; 4]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is_any(["1", "on", "true", "yes"]) {
        Some(true)
    } else {
        is_any(["0", "off", "false", "no"]).then_some(false)
    }
}

/// Parses a number such as `5`, `2.5k`, `1M` or `1,000`. Returns `None` if `text` is not a number.
pub fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let mut letters = [('k', 1e3), ('K', 1e3), ('M', 1e6)].into_iter();
    let named = letters.find_map(|(letter, times)| Some((text.strip_suffix(letter)?, times)));
    let (digits, times) = named.unwrap_or((text, 1.0));
    let value = ungrouped(digits.trim())?.parse::<f64>().ok()? * times + 0.0; // turns -0 into 0
    value.is_finite().then_some(value)
}

/// Removes the commas that separate thousands, as in `1,000`. Returns `None` if the commas do not separate groups of
/// three digits, because they may then be decimal commas, as in `0,5`.
fn ungrouped(number: &str) -> Option<String> {
    let whole = number.split('.').next().unwrap_or_default();
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default().len();
    let sound = groups.all(|group| group.len() == 3)
        && (1..=3).contains(&first)
        && !number[whole.len()..].contains(',');
    (sound || !number.contains(',')).then(|| number.replace(',', ""))
}

/// Returns the number of units in a second, such as 1000 for `ms`. Returns `None` if `unit` is not a unit of time.
fn units_per_second(unit: &str) -> Option<f64> {
    match unit {
        "s" => Some(1.0),
        "ms" => Some(1e3),
        "us" | "µs" => Some(1e6),
        _ => None,
    }
}

/// The current values of knobs. A knob that has never been set has its default value. See [`Knob`] for an example.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KnobValues(BTreeMap<&'static str, f64>);

impl KnobValues {
    pub fn with(values: &[(&Knob, f64)]) -> Self {
        let mut all = Self::default();
        for (knob, value) in values {
            all.set(knob, *value);
        }
        all
    }

    pub fn get(&self, knob: &Knob) -> f64 {
        self.given(knob).unwrap_or(knob.default)
    }

    /// Returns the value of `knob` as a time span. The unit of the knob must be a unit of time.
    pub fn span(&self, knob: &Knob) -> Nanos {
        knob.span(self.get(knob))
    }

    /// Returns the value that `knob` has been set to, or `None` if it has never been set.
    pub fn given(&self, knob: &Knob) -> Option<f64> {
        self.0.get(knob.key).copied()
    }

    /// Sets `knob` to the allowed value that is nearest to `value`.
    pub fn set(&mut self, knob: &Knob, value: f64) {
        self.0.insert(knob.key, knob.nearest(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::strategy::knobs::{INTERVAL, PREDICT};

    const COUNT: Knob = Knob {
        key: "count",
        max: 1_000_000.0,
        whole: true,
        ..Knob::NUMBER
    };

    #[test]
    fn errors_name_the_flag_and_the_range() {
        let text = COUNT.parse("2000000").unwrap_err();
        assert_eq!(
            text,
            "--count takes a whole number from 0 to 1000000, not '2000000'"
        );
        let text = INTERVAL.parse("much").unwrap_err();
        assert_eq!(
            text,
            "--interval-s takes a number from 0 to 10 s, not 'much'"
        );
    }

    #[test]
    fn parse_rejects_non_numbers_and_values_out_of_range() {
        for bad in [
            "", "NaN", "inf", "-1", "4.5", "0,5", "1000001", "1,00", ",500", "1,0000", "0x10", "k",
            "2kk", "1 Mk", "2k5", "1.1M", "on", "5 s", "5 ss", "5msms",
        ] {
            assert!(COUNT.parse(bad).is_err(), "{bad}");
        }
        for (good, value) in [
            ("1e3", 1e3),
            ("1k", 1e3),
            ("2.5k", 2500.0),
            ("1,000", 1e3),
            ("1M", 1e6),
        ] {
            assert_eq!(COUNT.parse(good), Ok(value), "{good}");
        }
        for (good, value) in [("250ms", 0.25), ("0.1", 0.1), ("2 s", 2.0), ("5 us", 5e-6)] {
            assert_eq!(INTERVAL.parse(good), Ok(value), "{good}");
        }
        assert_eq!(COUNT.parse("-0").map(f64::is_sign_positive), Ok(true));
    }

    #[test]
    fn a_switch_takes_numbers_and_words() {
        for (on, off) in [("1", "0"), ("on", "off"), ("true", "FALSE"), ("Yes", "no")] {
            assert_eq!(
                [on, off].map(|word| PREDICT.parse(word)),
                [Ok(1.0), Ok(0.0)]
            );
        }
        for bad in ["2", "0.5", "maybe", "", "o n"] {
            let text = PREDICT.parse(bad).unwrap_err();
            let expected = format!(
                "--predict takes on or off (or 1 or 0, true or false, yes or no), not '{bad}'"
            );
            assert_eq!(text, expected);
        }
    }
}
