//! Generates Rust code that uses a strategy. The user can paste the code into a game.
//!
//! The lines that add tasks and run updates are the same for every strategy. The line that creates the strategy has the
//! arguments and the calls of its entry. An example in the documentation of each strategy shows this line with the
//! default values. If the strategy needs weights, the program that shows the code provides a [`WeightRule`].

use super::{Call, Family, StrategyEntry};
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

/// Writes code that contains knob values, and marks where these values are.
pub struct CodeWriter<'a> {
    snippet: Snippet,
    values: &'a KnobValues,
    /// Formats a knob's value in the language of the code.
    literal: fn(&Knob, f64) -> String,
}

impl<'a> CodeWriter<'a> {
    pub fn new(values: &'a KnobValues, literal: fn(&Knob, f64) -> String) -> Self {
        Self {
            snippet: Snippet::default(),
            values,
            literal,
        }
    }

    pub fn text(&mut self, text: &str) {
        self.snippet.text += text;
    }

    pub fn value(&mut self, knob: &Knob) {
        let start = self.snippet.text.len();
        self.text(&(self.literal)(knob, self.values.get(knob)));
        let range = start..self.snippet.text.len();
        self.snippet.knob_values.push(range);
    }

    /// Writes the values of the knobs as the arguments of a call, in parentheses.
    pub fn arguments(&mut self, knobs: &[Knob]) {
        self.text("(");
        for (nth, knob) in knobs.iter().enumerate() {
            if nth > 0 {
                self.text(", ");
            }
            self.value(knob);
        }
        self.text(")");
    }

    pub fn finish(self) -> Snippet {
        self.snippet
    }
}

/// Writes the Rust code with which a game computes the weight of a task, for the snippets of strategies that use
/// weights. The code is the body of a closure with the arguments `game` and `guard`.
pub type WeightRule = fn(&mut CodeWriter<'_>);

/// Joins words to a name in camel case. For example, `fixed-interval` becomes `FixedInterval`, and `with_pay_back`
/// becomes `WithPayBack`.
pub fn camel_case(words: &str) -> String {
    let capitalized = words.split(['-', '_']).map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    capitalized.collect()
}

impl StrategyEntry {
    /// Returns the name of the strategy's type, such as `FixedInterval`.
    pub fn type_name(&self) -> String {
        camel_case(self.key)
    }

    /// Returns the path of the strategy's type, such as `timeslicer::strategy::FixedInterval`.
    pub fn type_path(&self) -> String {
        format!("timeslicer::strategy::{}", self.type_name())
    }

    /// Returns Rust code that uses the strategy with these knob values. Each line is at most 72 characters wide. If the
    /// strategy uses weights, the code computes them with `rule`.
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
    pub fn snippet(&self, values: &KnobValues, rule: &WeightRule) -> Snippet {
        let is_time = |knob: &Knob| matches!(knob.unit, "s" | "ms" | "µs");
        let mut code = CodeWriter::new(values, literal);
        if self.own_knobs().any(is_time) {
            code.text("use std::time::Duration;\n");
        }
        code.text("use timeslicer::Timeslicer;\n");
        code.text(&format!("use {};\n", self.type_path()));
        code.text("\nlet strategy = ");
        self.write_constructor(&mut code);
        code.text(
            ";
let mut thinking = Timeslicer::new(strategy);

let task = thinking.add(guard); // when a guard is born
",
        );
        if self.on_request() {
            code.text("thinking.request(task); // when it needs to run\n");
        }
        code.text("\n// in each update\n");
        if self.family == Family::BySignificance {
            code.text(
                "\
thinking.update_weighted(
    delta,
    &mut game,
    |game, guard| {
        ",
            );
            rule(&mut code);
            code.text(
                "
    },
    |game, guard, elapsed| game.think(guard, elapsed),
);
",
            );
        } else {
            code.text("thinking.update(delta, |guard, elapsed| game.think(guard, elapsed));\n");
        }
        code.text("\nthinking.remove(task); // when it dies\n");
        code.finish()
    }

    /// Returns the Rust expression that creates this strategy, such as `FixedInterval::new(Duration::from_millis(500))`.
    pub fn constructor_snippet(&self, values: &KnobValues) -> Snippet {
        let mut code = CodeWriter::new(values, literal);
        self.write_constructor(&mut code);
        code.finish()
    }

    fn write_constructor(&self, code: &mut CodeWriter<'_>) {
        code.text(&format!("{}::new", self.type_name()));
        code.arguments(self.arguments);
        for Call(name, knobs) in self.calls {
            code.text(&format!("\n    .{name}"));
            code.arguments(knobs);
        }
    }
}

/// Formats a knob's value as Rust code. The result is a [`Duration`](std::time::Duration) if the knob's unit is a unit
/// of time, a `bool` if the knob is a switch, and otherwise a number.
fn literal(knob: &Knob, value: f64) -> String {
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

    const RULE: WeightRule = |code| code.text("1.0 / (1.0 + game.distance(guard))");

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
        let switches = [0.0, 1.0].map(|value| literal(&PREDICT, value));
        assert_eq!(switches, ["false", "true"]);
    }

    #[test]
    fn snippets_are_short_and_mark_the_value_of_each_own_knob() {
        for entry in STRATEGIES {
            let snippet = entry.snippet(&KnobValues::default(), &RULE);
            let is_short = snippet.text.lines().count() <= 32;
            assert!(is_short, "{}", snippet.text);
            let mut widths = snippet.text.lines().map(|line| line.chars().count());
            assert!(widths.all(|width| width <= 72), "{}", snippet.text);
            let values = snippet.knob_values.iter();
            let mut marked: Vec<&str> = values.map(|range| &snippet.text[range.clone()]).collect();
            let values = entry.own_knobs().map(|knob| literal(knob, knob.default));
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
            let constructor = entry.constructor_snippet(&KnobValues::default()).text;
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
        let snippet = fixed_interval::ENTRY.snippet(&KnobValues::default(), &RULE);
        assert!(documented.contains(&snippet.text), "{}", snippet.text);
    }
}
