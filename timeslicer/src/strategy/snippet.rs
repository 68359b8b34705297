//! Lines of Rust that use a strategy, to paste into a game.
//!
//! The lines that create tasks, insert them and make updates are the same for every strategy and are written here. An
//! entry adds only [`StrategyEntry::constructor`]; an example in the strategy's documentation shows it with the default
//! values. The program that shows a snippet adds its [`WeightRule`].

use super::{Family, StrategyEntry};
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

/// A game's answer to the question how much a task matters, for the snippets of strategies by significance.
#[derive(Clone, Copy, Debug)]
pub struct WeightRule {
    /// Body of [`Runner::weight`](crate::scheduler::Runner::weight) in a snippet, whose argument is `guard`. The key of a
    /// knob in braces marks the place for its value.
    pub body: &'static str,
    /// Knobs of the rule.
    pub knobs: &'static [Knob],
}

impl StrategyEntry {
    /// Returns the name of the strategy's type: `FixedInterval`.
    pub fn type_name(&self) -> &'static str {
        let name = self.constructor.split("::").next();
        name.unwrap_or_default()
    }

    /// Returns the path of the strategy's type: `timeslicer::strategy::FixedInterval`.
    pub fn type_path(&self) -> String {
        format!("timeslicer::strategy::{}", self.type_name())
    }

    /// Returns lines of Rust, at most 72 characters wide, that use the strategy with these knob values. Strategies by
    /// significance ask the game how much a task matters; the game answers with `rule`.
    ///
    /// The lines expect the variables `delta`, `now` and `game`: the first two arguments of
    /// [`UpdateContext::new`](crate::scheduler::UpdateContext::new) and a [`Runner`](crate::scheduler::Runner). Those of
    /// `fixed-interval`:
    ///
    /// ```
    /// # use timeslicer::{scheduler::TaskId, time::GameTime};
    /// # let (delta, now) = (timeslicer::time::Nanos::SECOND, GameTime::START);
    /// # let mut game = |_: TaskId, _: timeslicer::time::Nanos| ();
    /// use timeslicer::scheduler::{Tasks, UpdateContext};
    /// use timeslicer::strategy::{FixedInterval, Strategy};
    /// use timeslicer::time::Nanos;
    ///
    /// let mut tasks = Tasks::new();
    /// let mut strategy = FixedInterval::new(Nanos::from_millis(500));
    ///
    /// let guard = tasks.insert(now); // when a guard is born
    /// strategy.insert(guard);
    ///
    /// // in each update; game is |guard: TaskId, elapsed: Nanos| { ... }
    /// let mut context = UpdateContext::new(delta, now, &mut tasks, &mut game);
    /// strategy.update(&mut context);
    /// ```
    ///
    /// Those of `distance-lod`, with a game of the type `Game`:
    ///
    /// ```
    /// # use timeslicer::time::GameTime;
    /// # let (delta, now, mut game) = (Nanos::SECOND, GameTime::START, Game);
    /// # struct Game;
    /// # impl Game {
    /// #     fn think(&mut self, _: TaskId, _: Nanos) {}
    /// #     fn distance(&self, _: TaskId) -> f64 { 0.0 }
    /// # }
    /// use timeslicer::scheduler::{Runner, TaskId, Tasks, UpdateContext};
    /// use timeslicer::strategy::{DistanceLod, Strategy};
    /// use timeslicer::time::Nanos;
    ///
    /// impl Runner for Game {
    ///     fn run(&mut self, guard: TaskId, elapsed: Nanos, _: &mut Tasks) {
    ///         self.think(guard, elapsed);
    ///     }
    ///     fn weight(&self, guard: TaskId) -> f64 {
    ///         1.0 / (1.0 + self.distance(guard))
    ///     }
    /// }
    ///
    /// let mut tasks = Tasks::new();
    /// let mut strategy = DistanceLod::new()
    ///     .with_intervals(Nanos::from_millis(50), Nanos::from_secs(1))
    ///     .with_hysteresis(10.0);
    ///
    /// let guard = tasks.insert(now); // when a guard is born
    /// strategy.insert(guard);
    ///
    /// // in each update; game is a Game
    /// let mut context = UpdateContext::new(delta, now, &mut tasks, &mut game);
    /// strategy.update(&mut context);
    /// ```
    pub fn snippet(&self, values: &KnobValues, rule: &WeightRule) -> Snippet {
        let weighs = self.family == Family::BySignificance;
        let mut imported = [self.type_name(), "Strategy"];
        imported.sort_unstable();
        let is_time = |knob: &Knob| matches!(knob.unit, "s" | "ms" | "µs");
        let time = if weighs || self.own_knobs().any(is_time) {
            "use timeslicer::time::Nanos;\n"
        } else {
            ""
        };
        let request = if self.on_request() {
            "strategy.request(guard); // when it needs a run\n"
        } else {
            ""
        };
        let (of_runner, runner, game) = if weighs {
            ("Runner, TaskId, ", runner(rule), "a Game")
        } else {
            let closure = "|guard: TaskId, elapsed: Nanos| { ... }";
            ("", String::new(), closure)
        };
        let template = format!(
            "\
use timeslicer::scheduler::{{{of_runner}Tasks, UpdateContext}};
use timeslicer::strategy::{{{}}};
{time}
{runner}let mut tasks = Tasks::new();
let mut strategy = {};

let guard = tasks.insert(now); // when a guard is born
strategy.insert(guard);
{request}
// in each update; game is {game}
let mut context = UpdateContext::new(delta, now, &mut tasks, &mut game);
strategy.update(&mut context);
",
            imported.join(", "),
            self.constructor
        );
        self.filled(&template, values, rule.knobs)
    }

    /// Returns `template` with values of the strategy's knobs, and of `others`, in place of keys in braces. Other braces
    /// stay.
    fn filled(&self, template: &str, values: &KnobValues, others: &[Knob]) -> Snippet {
        let mut snippet = Snippet::default();
        let mut rest = template;
        while let Some((before, from_key)) = rest.split_once('{') {
            snippet.text += before;
            let (key, after) = from_key.split_once('}').unwrap_or((from_key, ""));
            let mut knobs = self.knobs.iter().chain(others);
            if let Some(knob) = knobs.find(|knob| knob.key == key) {
                let start = snippet.text.len();
                snippet.text += &literal(knob, values.get(knob));
                snippet.knob_values.push(start..snippet.text.len());
                rest = after;
            } else {
                snippet.text.push('{');
                rest = from_key;
            }
        }
        snippet.text += rest;
        snippet
    }
}

/// Returns the template of a game that answers with `rule` how much a task matters.
fn runner(rule: &WeightRule) -> String {
    format!(
        "\
impl Runner for Game {{
    fn run(&mut self, guard: TaskId, elapsed: Nanos, _: &mut Tasks) {{
        self.think(guard, elapsed);
    }}
    fn weight(&self, guard: TaskId) -> f64 {{
        {}
    }}
}}

",
        rule.body
    )
}

/// Returns a knob's value as Rust: a [`Nanos`] if its unit is one of time, a `bool` if it is a switch, else a number.
fn literal(knob: &Knob, value: f64) -> String {
    match knob.unit {
        "s" | "ms" | "µs" => nanos(knob.span(value)),
        _ if knob.is_switch() => (value != 0.0).to_string(),
        _ if knob.whole => value.to_string(),
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
            format!("Nanos::{function}({})", span.as_nanos() / unit)
        }
        _ => "Nanos::ZERO".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::STRATEGIES;
    use crate::strategy::knobs::{HYSTERESIS, PREDICT};

    const RULE: WeightRule = WeightRule {
        body: "1.0 / (1.0 + self.distance(guard))",
        knobs: &[],
    };

    #[test]
    fn values_are_written_as_in_a_program() {
        let spans = [
            (0, "Nanos::ZERO"),
            (10_000_000_000, "Nanos::from_secs(10)"),
            (1_500_000_000, "Nanos::from_millis(1500)"),
            (33_300_000, "Nanos::from_micros(33300)"),
            (16_666_667, "Nanos::from_nanos(16666667)"),
        ];
        for (span, text) in spans {
            assert_eq!(nanos(Nanos::from_nanos(span)), text);
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

    /// The documentation is compiled, so this proves that the snippets compile.
    #[test]
    fn each_strategy_documents_the_default_constructor() {
        let compact = |text: &str| text.replace(char::is_whitespace, "");
        for entry in STRATEGIES {
            let file = entry.key.replace('-', "_");
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/strategy");
            let source = std::fs::read_to_string(format!("{folder}/{file}.rs")).unwrap();
            let documentation = source.lines().filter_map(|line| line.strip_prefix("///"));
            let documentation = compact(&documentation.collect::<String>());
            let values = KnobValues::default();
            let constructor = entry.filled(entry.constructor, &values, &[]).text;
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
        for key in ["fixed-interval", "distance-lod"] {
            let entry = super::super::by_key(key).unwrap();
            let snippet = entry.snippet(&KnobValues::default(), &RULE);
            assert!(documented.contains(&snippet.text), "{}", snippet.text);
        }
    }

    #[test]
    fn the_rule_of_weights_has_its_values_if_the_strategy_asks_for_weights() {
        let rule = WeightRule {
            body: "{hysteresis} * 0.01",
            knobs: &[HYSTERESIS],
        };
        for entry in STRATEGIES {
            let snippet = entry.snippet(&KnobValues::with(&[(&HYSTERESIS, 7.5)]), &rule);
            let weighs = entry.family == Family::BySignificance;
            assert_eq!(snippet.text.contains("fn weight"), weighs, "{}", entry.key);
            assert_eq!(snippet.text.contains("7.5 * 0.01"), weighs);
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
