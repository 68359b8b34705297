//! Generates Rust code that uses a strategy, so that the user can paste it into a game.
//!
//! The lines that add tasks and run updates are the same for every strategy. The line that creates the strategy is made
//! from its knobs and [`StrategyEntry::options`]. An example in the documentation of each strategy shows this line with
//! the default values.

use crate::catalog::knob::{Knob, KnobValues};
use crate::catalog::strategy::knobs::{FALLOFF, NEAR, WEIGHT_STEPS};
use crate::catalog::strategy::{Family, StrategyEntry};
use timeslicer::time::Nanos;

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
pub fn snippet(entry: &StrategyEntry, values: &KnobValues) -> String {
    let is_time = |knob: &Knob| matches!(knob.unit, "s" | "ms" | "µs");
    let duration = if entry.own_knobs().any(is_time) {
        "use std::time::Duration;\n"
    } else {
        ""
    };
    let request = if entry.on_request() {
        "thinking.request(task); // when it needs to run\n"
    } else {
        ""
    };
    let update = if entry.family == Family::BySignificance {
        weighted_update(values)
    } else {
        "thinking.update(delta, |guard, elapsed| game.think(guard, elapsed));".to_owned()
    };
    format!(
        "\
{duration}use timeslicer::Timeslicer;
use timeslicer::strategy::{};

let strategy = {};
let mut thinking = Timeslicer::new(strategy);

let task = thinking.add(guard); // when a guard is born
{request}
// in each update
{update}

thinking.remove(task); // when it dies
",
        entry.type_name(),
        constructor(entry, values)
    )
}

/// Returns an update in which the game computes the weights of tasks with the same rule as the simulated world.
fn weighted_update(values: &KnobValues) -> String {
    let [near, falloff] = [NEAR, FALLOFF].map(|knob| literal(&knob, values.get(&knob)));
    // To round the distance up to a power of two, the code rounds its logarithm up.
    let steps = if values.get(&WEIGHT_STEPS) > 0.0 {
        ".log2().ceil().exp2()"
    } else {
        ""
    };
    format!(
        "\
thinking.update_weighted(
    delta,
    &mut game,
    |game, guard| {{
        let distance = game.distance(guard); // in widths of your world
        (distance / {near}).max(1.0){steps}.powf(-{falloff})
    }},
    |game, guard, elapsed| game.think(guard, elapsed),
);"
    )
}

/// Returns the Rust expression that creates a strategy, such as `FixedInterval::new(Duration::from_millis(500))`.
pub fn constructor(entry: &StrategyEntry, values: &KnobValues) -> String {
    let new = format!("{}::new", entry.type_name());
    let mut code = call(&new, entry.arguments(), values, literal);
    for (option, arguments) in entry.options_for(values) {
        let with = format!("\n    .with_{option}");
        code += &call(&with, *arguments, values, literal);
    }
    code
}

/// Returns a call of `function` with the values of these knobs, each formatted by `literal`.
pub(super) fn call<'a>(
    function: &str,
    arguments: impl IntoIterator<Item = &'a Knob>,
    values: &KnobValues,
    literal: fn(&Knob, f64) -> String,
) -> String {
    let arguments = arguments.into_iter();
    let arguments = arguments.map(|knob| literal(knob, values.get(knob)));
    let arguments: Vec<String> = arguments.collect();
    format!("{function}({})", arguments.join(", "))
}

/// Formats a knob's value as Rust code: a [`Duration`](std::time::Duration), a `bool` for a switch, or a number.
pub(super) fn literal(knob: &Knob, value: f64) -> String {
    match knob.unit {
        "s" | "ms" | "µs" => duration(knob.span(value)),
        _ if knob.is_switch() => (value != 0.0).to_string(),
        _ if knob.whole => value.to_string(),
        _ => format!("{value:?}"),
    }
}

/// Formats a time span as Rust code in the largest whole unit, such as `Duration::from_millis(500)`.
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
        let switches = [0.0, 1.0].map(|value| literal(&PREDICT, value));
        assert_eq!(switches, ["false", "true"]);
    }

    #[test]
    fn snippets_are_short_and_have_the_value_of_each_own_knob() {
        for entry in STRATEGIES {
            let text = snippet(entry, &KnobValues::default());
            assert!(text.lines().count() <= 32, "{text}");
            let mut widths = text.lines().map(|line| line.chars().count());
            assert!(widths.all(|width| width <= 72), "{text}");
            let is_weighted = entry.family == Family::BySignificance;
            let of_weights = [&NEAR, &FALLOFF].into_iter().filter(|_| is_weighted);
            let knobs = entry.own_knobs().chain(of_weights);
            let knobs = knobs.filter(|knob| knob.default != 0.0); // a game need not turn these off
            let mut values = knobs.map(|knob| literal(knob, knob.default));
            assert!(values.all(|value| text.contains(&value)), "{text}");
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
            let constructor = constructor(entry, &values);
            assert!(
                documentation.contains(&compact(&constructor)),
                "an example in {file}.rs should contain {constructor}"
            );
        }
    }

    #[test]
    fn the_documentation_shows_whole_snippets() {
        let source = include_str!("rust.rs").lines();
        let documented = source.filter_map(|line| line.trim().strip_prefix("///"));
        let documented: String = documented
            .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n")
            .collect();
        let snippet = snippet(&fixed_interval::ENTRY, &KnobValues::default());
        assert!(documented.contains(&snippet), "{snippet}");
    }
}
