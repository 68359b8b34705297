//! Generates Rust code that uses a strategy. The user can paste the code into a game.
//!
//! The lines that add tasks and run updates are in this file, because they are the same for every strategy. The line
//! that creates the strategy is made from its knobs and [`StrategyEntry::options`]. An example in the documentation of
//! each strategy shows this line with the default values.

use super::knobs::{FALLOFF, NEAR};
use super::{Family, StrategyEntry};
use crate::catalog::knob::{Knob, KnobValues};
use std::ops::Range;
use timeslicer::time::Nanos;

/// Generated source code that the user can paste into a game. It contains the current values of a strategy's knobs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    /// The text of the code.
    pub text: String,
    /// The byte ranges of the knob values in `text`, so that a program can highlight them.
    pub knob_values: Vec<Range<usize>>,
}

/// Converts a name such as `pay_back` or `fixed-interval` to `PayBack` or `FixedInterval`.
pub fn pascal_case(name: &str) -> String {
    let words = name.split(['_', '-']);
    words
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect()
}

impl Snippet {
    /// Appends code that contains no knob values.
    pub fn push(&mut self, code: &str) {
        self.text += code;
    }

    fn push_value(&mut self, value: &str) {
        let start = self.text.len();
        self.text += value;
        self.knob_values.push(start..self.text.len());
    }

    /// Appends a call of `function` with the values of these knobs, each formatted by `literal`.
    pub fn push_call<'a>(
        &mut self,
        function: &str,
        arguments: impl IntoIterator<Item = &'a Knob>,
        values: &KnobValues,
        literal: fn(&Knob, f64) -> String,
    ) {
        self.push(function);
        self.push("(");
        for (index, knob) in arguments.into_iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            self.push_value(&literal(knob, values.get(knob)));
        }
        self.push(")");
    }

    /// Appends the Rust expression that creates a strategy.
    fn push_constructor(&mut self, entry: &StrategyEntry, values: &KnobValues) {
        let new = format!("{}::new", entry.type_name());
        self.push_call(&new, entry.arguments(), values, rust_literal);
        for (option, arguments) in entry.options {
            let with = format!("\n    .with_{option}");
            self.push_call(&with, *arguments, values, rust_literal);
        }
    }

    /// Appends an update in which the game computes the weights of tasks with the same rule as the simulated world.
    fn push_weighted_update(&mut self, values: &KnobValues) {
        self.push(
            "\
thinking.update_weighted(
    delta,
    &mut game,
    |game, guard| {
        let distance = game.distance(guard); // in widths of your world
        (distance / ",
        );
        self.push_value(&rust_literal(&NEAR, values.get(&NEAR)));
        self.push(").max(1.0).powf(-");
        self.push_value(&rust_literal(&FALLOFF, values.get(&FALLOFF)));
        self.push(
            ")
    },
    |game, guard, elapsed| game.think(guard, elapsed),
);",
        );
    }
}

impl StrategyEntry {
    /// Returns the name of the strategy's type, such as `FixedInterval`.
    pub fn type_name(&self) -> String {
        pascal_case(self.key)
    }

    /// Returns the path of the strategy's type, such as `timeslicer::strategy::FixedInterval`.
    pub fn type_path(&self) -> String {
        format!("timeslicer::strategy::{}", self.type_name())
    }

    /// Returns the knobs whose values are the arguments of the strategy's function `new`.
    pub fn arguments(&self) -> impl Iterator<Item = &'static Knob> {
        let of_options = |knob: &Knob| self.options.iter().any(|(_, knobs)| knobs.contains(knob));
        self.own_knobs().filter(move |knob| !of_options(knob))
    }

    /// Returns Rust code that uses the strategy with these knob values. Each line is at most 72 characters wide.
    ///
    /// The game must define the variables `game`, `guard` (the key of a task) and `delta`, which the code uses. For
    /// `fixed-interval`, the code looks like this:
    ///
    /// ```
    /// # struct Game;
    /// # impl Game { fn think(&mut self, _: u32, _: Duration) {} }
    /// # let (delta, guard, mut game) = (Duration::from_millis(16), 0, Game);
    /// use std::time::Duration;
    /// use timeslicer::Timeslicer;
    /// use timeslicer::strategy::FixedInterval;
    ///
    /// let strategy = FixedInterval::new(Duration::from_millis(500));
    /// let mut thinking = Timeslicer::new(strategy);
    ///
    /// let task = thinking.add(guard); // when a guard is born
    ///
    /// // in each update
    /// thinking.update(delta, |guard, elapsed| game.think(guard, elapsed));
    ///
    /// thinking.remove(task); // when it dies
    /// ```
    pub fn snippet(&self, values: &KnobValues) -> Snippet {
        let is_time = |knob: &Knob| matches!(knob.unit, "s" | "ms" | "µs");
        let mut snippet = Snippet::default();
        if self.own_knobs().any(is_time) {
            snippet.push("use std::time::Duration;\n");
        }
        snippet.push(&format!(
            "\
use timeslicer::Timeslicer;
use timeslicer::strategy::{};

let strategy = ",
            self.type_name()
        ));
        snippet.push_constructor(self, values);
        snippet.push(
            ";
let mut thinking = Timeslicer::new(strategy);

let task = thinking.add(guard); // when a guard is born
",
        );
        if self.on_request() {
            snippet.push("thinking.request(task); // when it needs to run\n");
        }
        snippet.push("\n// in each update\n");
        if self.family == Family::BySignificance {
            snippet.push_weighted_update(values);
        } else {
            snippet.push("thinking.update(delta, |guard, elapsed| game.think(guard, elapsed));");
        }
        snippet.push("\n\nthinking.remove(task); // when it dies\n");
        snippet
    }

    /// Returns the Rust expression that creates this strategy, such as `FixedInterval::new(Duration::from_millis(500))`.
    pub fn constructor_snippet(&self, values: &KnobValues) -> Snippet {
        let mut snippet = Snippet::default();
        snippet.push_constructor(self, values);
        snippet
    }
}

/// Formats a knob's value as Rust code. The result is a [`Duration`](std::time::Duration) if the knob's unit is a unit
/// of time, a `bool` if the knob is a switch, and otherwise a number.
pub fn rust_literal(knob: &Knob, value: f64) -> String {
    match knob.unit {
        "s" | "ms" | "µs" => duration(knob.span(value)),
        _ if knob.is_switch() => (value != 0.0).to_string(),
        _ if knob.whole => value.to_string(),
        _ => format!("{value:?}"),
    }
}

/// Formats a time span as Rust code, such as `Duration::from_millis(500)`, in the largest unit that gives a whole
/// number.
fn duration(span: Nanos) -> String {
    const UNITS: [(&str, u64); 4] = [
        ("from_secs", 1_000_000_000),
        ("from_millis", 1_000_000),
        ("from_micros", 1_000),
        ("from_nanos", 1),
    ];
    let whole = |unit: &&(&str, u64)| span.as_nanos().is_multiple_of(unit.1);
    match UNITS.iter().find(whole) {
        Some((function, unit)) if !span.is_zero() => {
            format!("Duration::{function}({})", span.as_nanos() / unit)
        }
        _ => "Duration::ZERO".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::strategy::knobs::PREDICT;
    use crate::catalog::strategy::{STRATEGIES, fixed_interval};

    #[test]
    fn values_are_written_as_in_a_program() {
        let spans = [
            (0, "Duration::ZERO"),
            (10_000_000_000, "Duration::from_secs(10)"),
            (1_500_000_000, "Duration::from_millis(1500)"),
            (33_300_000, "Duration::from_micros(33300)"),
            (16_666_667, "Duration::from_nanos(16666667)"),
        ];
        for (span, text) in spans {
            assert_eq!(duration(Nanos::from_nanos(span)), text);
        }
        let switches = [0.0, 1.0].map(|value| rust_literal(&PREDICT, value));
        assert_eq!(switches, ["false", "true"]);
    }

    #[test]
    fn snippets_are_short_and_mark_the_value_of_each_own_knob() {
        for entry in STRATEGIES {
            let snippet = entry.snippet(&KnobValues::default());
            let is_short = snippet.text.lines().count() <= 32;
            assert!(is_short, "{}", snippet.text);
            let mut widths = snippet.text.lines().map(|line| line.chars().count());
            assert!(widths.all(|width| width <= 72), "{}", snippet.text);
            let values = snippet.knob_values.iter();
            let mut marked: Vec<&str> = values.map(|range| &snippet.text[range.clone()]).collect();
            let is_weighted = entry.family == Family::BySignificance;
            let of_weights = [&NEAR, &FALLOFF].into_iter().filter(|_| is_weighted);
            let knobs = entry.own_knobs().chain(of_weights);
            let values = knobs.map(|knob| rust_literal(knob, knob.default));
            let mut values: Vec<String> = values.collect();
            marked.sort_unstable();
            values.sort_unstable();
            assert_eq!(marked, values, "{}", entry.key);
        }
    }

    /// The examples in the documentation are compiled, so this proves that the snippets compile.
    #[test]
    fn each_strategy_documents_the_default_constructor() {
        let compact = |text: &str| text.replace(char::is_whitespace, "");
        for entry in STRATEGIES {
            let file = entry.key.replace('-', "_");
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../timeslicer/src/strategy");
            let source = std::fs::read_to_string(format!("{folder}/{file}.rs")).unwrap();
            let documentation = source.lines().filter_map(|line| line.strip_prefix("///"));
            let documentation = compact(&documentation.collect::<String>());
            let values = KnobValues::default();
            let constructor = entry.constructor_snippet(&values).text;
            assert!(
                documentation.contains(&compact(&constructor)),
                "an example in {file}.rs should contain {constructor}"
            );
        }
    }

    #[test]
    fn the_documentation_shows_whole_snippets() {
        let source = include_str!("snippet.rs").lines();
        let documented = source.filter_map(|line| line.trim().strip_prefix("///"));
        let documented: String = documented
            .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n")
            .collect();
        let snippet = fixed_interval::ENTRY.snippet(&KnobValues::default());
        assert!(documented.contains(&snippet.text), "{}", snippet.text);
    }
}
