//! Lines of Rust that use a strategy, to paste into a game.
//!
//! The lines that create tasks, insert them and make updates are the same for every strategy and are written here. An
//! entry adds only [`StrategyEntry::constructor`].

use super::StrategyEntry;
use crate::knob::{Knob, KnobValues};
use crate::time::Nanos;
use std::ops::Range;

/// Rust code that shows the values of knobs, ready to paste.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    /// The code.
    pub text: String,
    /// Byte ranges of `text` that show a knob's value.
    pub knob_values: Vec<Range<usize>>,
}

impl StrategyEntry {
    /// Returns the name of the strategy's type: `FixedInterval`.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        let name = self.constructor.split("::").next();
        name.unwrap_or_default()
    }

    /// Returns the path of the strategy's type: `timeslicer::strategy::FixedInterval`.
    #[must_use]
    pub fn type_path(&self) -> String {
        format!("timeslicer::strategy::{}", self.type_name())
    }

    /// Returns lines of Rust, at most 72 characters wide, that use the strategy with these knob values.
    ///
    /// The lines expect the variables `delta`, `now` and `game`: the first two arguments of
    /// [`UpdateContext::new`](crate::scheduler::UpdateContext::new) and a [`Runner`](crate::scheduler::Runner).
    ///
    /// ```
    /// use timeslicer::knob::KnobValues;
    /// use timeslicer::strategy::STRATEGIES;
    ///
    /// for entry in STRATEGIES {
    ///     println!("{}", entry.snippet(&KnobValues::default()).text);
    /// }
    /// ```
    #[must_use]
    pub fn snippet(&self, values: &KnobValues) -> Snippet {
        let constructor = self.constructor_with(values);
        let mut imported = [self.type_name(), "Strategy"];
        imported.sort_unstable();
        let [first, second] = imported;

        let mut snippet = Snippet::default();
        snippet.line("use timeslicer::scheduler::{Tasks, UpdateContext};");
        snippet.line(&format!("use timeslicer::strategy::{{{first}, {second}}};"));
        if constructor.text.contains("Nanos::") {
            snippet.line("use timeslicer::time::Nanos;");
        }
        snippet.line("");
        snippet.line("let mut tasks = Tasks::new();");
        snippet.text += "let mut strategy = ";
        snippet.append(&constructor);
        snippet.line(";");
        snippet.line("");
        snippet.line("let guard = tasks.insert(now); // when a guard is born");
        snippet.line("strategy.insert(guard);");
        if self.on_request() {
            snippet.line("strategy.request(guard); // when it needs a run");
        }
        snippet.line("");
        snippet.line("// in each update; game is |guard: TaskId, elapsed: Nanos| { ... }");
        snippet.line("let mut context = UpdateContext::new(delta, now, &mut tasks, &mut game);");
        snippet.line("strategy.update(&mut context);");
        snippet
    }

    /// Returns the expression that creates the strategy with these knob values.
    #[must_use]
    pub fn constructor_with(&self, values: &KnobValues) -> Snippet {
        let mut expression = Snippet::default();
        let mut parts = self.constructor.split('{');
        expression.text += parts.next().unwrap_or_default();
        for part in parts {
            let (key, rest) = part.split_once('}').unwrap_or((part, ""));
            if let Some(knob) = self.knobs.iter().find(|knob| knob.key == key) {
                let start = expression.text.len();
                expression.text += &literal(knob, values.get(knob));
                expression.knob_values.push(start..expression.text.len());
            }
            expression.text += rest;
        }
        expression
    }
}

impl Snippet {
    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn append(&mut self, other: &Self) {
        let offset = self.text.len();
        let shifted = other.knob_values.iter();
        let shifted = shifted.map(|range| range.start + offset..range.end + offset);
        self.knob_values.extend(shifted);
        self.text += &other.text;
    }
}

/// Returns a knob's value as Rust: a [`Nanos`] if its unit is one of time, a `bool` if it is a switch, else a number.
fn literal(knob: &Knob, value: f64) -> String {
    match knob.unit {
        "s" => nanos(Nanos::from_secs_f64(value)),
        "ms" => nanos(Nanos::from_millis_f64(value)),
        "µs" => nanos(Nanos::from_micros_f64(value)),
        _ if knob.is_switch() => (value != 0.0).to_string(),
        _ if knob.whole => grouped(value as u64),
        _ => format!("{value:?}"),
    }
}

/// Returns the call that makes this span, in the largest unit that gives a whole number.
fn nanos(span: Nanos) -> String {
    const UNITS: [(&str, u64); 4] = [
        ("from_secs", 1_000_000_000),
        ("from_millis", 1_000_000),
        ("from_micros", 1_000),
        ("from_nanos", 1),
    ];
    let whole = |unit: &&(&str, u64)| span.as_nanos().is_multiple_of(unit.1);
    match UNITS.iter().find(whole) {
        Some((function, unit)) if !span.is_zero() => {
            format!("Nanos::{function}({})", grouped(span.as_nanos() / unit))
        }
        _ => "Nanos::ZERO".to_owned(),
    }
}

/// Writes a number with underscores between groups of three digits if it has five digits or more.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::STRATEGIES;

    #[test]
    fn spans_are_exact_and_in_the_largest_whole_unit() {
        let written = [
            (0, "Nanos::ZERO"),
            (10_000_000_000, "Nanos::from_secs(10)"),
            (500_000_000, "Nanos::from_millis(500)"),
            (1_500_000_000, "Nanos::from_millis(1500)"),
            (33_300_000, "Nanos::from_micros(33_300)"),
            (16_666_667, "Nanos::from_nanos(16_666_667)"),
        ];
        for (span, text) in written {
            assert_eq!(nanos(Nanos::from_nanos(span)), text);
        }
    }

    #[test]
    fn numbers_of_five_digits_are_grouped() {
        let written = [0, 9999, 10_000, 100_000, 1_000_000].map(grouped);
        assert_eq!(written, ["0", "9999", "10_000", "100_000", "1_000_000"]);
    }

    #[test]
    fn switches_are_written_as_bools() {
        use crate::strategy::knobs::PREDICT;
        assert_eq!(
            [0.0, 1.0].map(|value| literal(&PREDICT, value)),
            ["false", "true"]
        );
    }

    #[test]
    fn constructors_use_every_own_knob_once_and_no_other_name() {
        for entry in STRATEGIES {
            let mut named: Vec<&str> = entry
                .constructor
                .split('{')
                .skip(1)
                .filter_map(|part| Some(part.split_once('}')?.0))
                .collect();
            let mut keys: Vec<&str> = entry.own_knobs().map(|knob| knob.key).collect();
            named.sort_unstable();
            keys.sort_unstable();
            assert_eq!(named, keys, "{}", entry.key);
        }
    }

    #[test]
    fn snippets_are_short_and_mark_the_values_of_knobs() {
        for entry in STRATEGIES {
            let snippet = entry.snippet(&KnobValues::default());
            let lines = snippet.text.lines().filter(|line| !line.is_empty());
            let lines: Vec<&str> = lines.collect();
            assert!((6..=16).contains(&lines.len()), "{}", snippet.text);
            for line in lines {
                assert!(line.chars().count() <= 72, "{line}");
            }
            let marked: Vec<String> = snippet
                .knob_values
                .iter()
                .map(|range| snippet.text[range.clone()].to_owned())
                .collect();
            let values = entry.own_knobs().map(|knob| literal(knob, knob.default));
            assert_eq!(marked, values.collect::<Vec<_>>(), "{}", entry.key);
        }
    }

    #[test]
    fn only_strategies_on_request_request_a_run() {
        for entry in STRATEGIES {
            let snippet = entry.snippet(&KnobValues::default());
            let requests = snippet.text.contains("strategy.request(guard);");
            assert_eq!(requests, entry.on_request(), "{}", entry.key);
        }
    }

    #[test]
    fn every_entry_helps_to_choose() {
        for entry in STRATEGIES {
            let sentences = [
                (entry.use_when, "Use it "),
                (entry.avoid_when, "Avoid it "),
                (entry.known_from, "Known from "),
            ];
            for (sentence, beginning) in sentences {
                assert!(sentence.starts_with(beginning), "{sentence}");
                assert!(sentence.ends_with('.'), "{sentence}");
                assert_eq!(sentence.matches(". ").count(), 0, "{sentence}");
                assert!(sentence.len() <= 130, "{} {sentence}", sentence.len());
            }
        }
    }
}
