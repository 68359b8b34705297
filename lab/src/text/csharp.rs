//! Generates C# code that uses a strategy, so that the user can paste it into a game. The code requires the C# library
//! `ports/csharp/Timeslicer.cs`, which contains the strategies.
//!
//! A strategy is supported if the C# library declares a class for it, so this module need not be changed when a strategy
//! is ported to C#.

use crate::catalog::knob::{Knob, KnobValues};
use crate::catalog::strategy::{
    Call, CodeWriter, Snippet, StrategyEntry, camel_case, fixed_interval,
};

/// The path of the C# library, relative to the repository root.
pub const PATH: &str = "ports/csharp/Timeslicer.cs";

/// The contents of the C# library. A comment at its top contains example code, which uses the strategy "fixed interval"
/// with default values.
const FILE: &str = include_str!("../../../ports/csharp/Timeslicer.cs");

/// Returns true if the C# library contains this strategy.
pub fn is_ported(entry: &StrategyEntry) -> bool {
    FILE.contains(&format!("class {} : Strategy", entry.type_name()))
}

/// Returns a C# expression that creates a strategy with these knob values, or `None` if the C# library does not contain
/// the strategy.
pub fn constructor(entry: &StrategyEntry, values: &KnobValues) -> Option<String> {
    let mut code = CodeWriter::new(values, literal);
    write_constructor(entry, &mut code);
    is_ported(entry).then(|| code.finish().text)
}

/// Returns example code in C# that uses a strategy with these knob values, or `None` if the C# library does not contain
/// the strategy. Lines are at most 72 characters wide. The game must define the variables `guard`, of class `Guard`,
/// and `delta`, the frame time in seconds.
pub fn snippet(entry: &StrategyEntry, values: &KnobValues) -> Option<Snippet> {
    let mut code = CodeWriter::new(values, literal);
    code.text(
        "\
using System;
using Timeslicing;

var strategy = ",
    );
    write_constructor(entry, &mut code);
    code.text(
        ";
var thinking = new Timeslicer<Guard>(strategy);

// Keep this in a field, so that updates allocate nothing.
Action<Guard, Nanos> think =
    (npc, elapsed) => npc.Think(elapsed.Seconds);

TaskId task = thinking.Add(guard); // when a guard is born
",
    );
    if entry.on_request() {
        code.text("thinking.Request(task); // when it needs to run\n");
    }
    code.text(
        "
// in each frame; delta is Time.deltaTime in Unity
thinking.Update(Nanos.FromSeconds(delta), think);

thinking.Remove(task); // when it dies
",
    );
    is_ported(entry).then(|| code.finish())
}

/// Returns the C# library with [`snippet`] as the example at its top, or `None` if the library does not contain the
/// strategy.
pub fn file(entry: &StrategyEntry, values: &KnobValues) -> Option<String> {
    let shown = snippet(&fixed_interval::ENTRY, &KnobValues::default())?;
    let wanted = snippet(entry, values)?;
    Some(FILE.replacen(&comment(&shown.text), &comment(&wanted.text), 1))
}

/// Turns example code into a C# comment, like the one at the top of the C# library.
fn comment(lines: &str) -> String {
    let commented = lines.lines().map(|line| format!("//     {line}"));
    commented
        .map(|line| line.trim_end().to_owned() + "\n")
        .collect()
}

/// Writes the Rust constructor of a strategy in C#, such as `new TimeBudget(...).WithPrediction(true)`.
fn write_constructor(entry: &StrategyEntry, code: &mut CodeWriter<'_>) {
    code.text(&format!("new {}", entry.type_name()));
    code.arguments(entry.arguments);
    for Call(name, knobs) in entry.calls {
        code.text(&format!("\n    .{}", camel_case(name)));
        code.arguments(knobs);
    }
}

/// Formats a knob's value as C# code: a `Nanos` value for a time, a `bool` for a switch, and otherwise a number.
fn literal(knob: &Knob, value: f64) -> String {
    match knob.unit {
        "s" => format!("Nanos.FromSeconds({value})"),
        "ms" => format!("Nanos.FromMilliseconds({value})"),
        "µs" => format!("Nanos.FromMicroseconds({value})"),
        _ if knob.is_switch() => (value != 0.0).to_string(),
        _ if knob.whole => value.to_string(),
        _ => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::strategy::{Family, STRATEGIES, by_key};
    use crate::catalog::strategy::knobs::{BUDGET, INTERVAL, PREDICT};

    #[test]
    fn the_periodic_strategies_and_those_on_request_are_ported() {
        for entry in STRATEGIES {
            let ported = entry.family != Family::BySignificance;
            let file = file(entry, &KnobValues::default());
            assert_eq!((is_ported(entry), file.is_some()), (ported, ported));
        }
    }

    #[test]
    fn constructors_have_the_values_of_the_knobs() {
        let values = KnobValues::with(&[(&INTERVAL, 0.25), (&BUDGET, 1.5), (&PREDICT, 0.0)]);
        for (key, expected) in [
            ("every-frame", "new EveryFrame()"),
            (
                "fixed-interval",
                "new FixedInterval(Nanos.FromSeconds(0.25))",
            ),
            (
                "time-budget",
                "new TimeBudget(Nanos.FromMilliseconds(1.5))\n    .WithPrediction(false)\n    .WithPayBack(true)",
            ),
        ] {
            let entry = by_key(key).unwrap();
            assert_eq!(constructor(entry, &values).as_deref(), Some(expected));
        }
    }

    #[test]
    fn the_copied_file_begins_with_the_lines_of_the_strategy() {
        let values = KnobValues::with(&[(&INTERVAL, 0.25), (&BUDGET, 1.5)]);
        for entry in STRATEGIES.iter().filter(|entry| is_ported(entry)) {
            let lines = snippet(entry, &values).unwrap().text;
            assert!(
                lines.lines().all(|line| line.chars().count() <= 72),
                "{lines}"
            );
            let file = file(entry, &values).unwrap();
            let (begin, code) = file.split_once("\nusing System;").unwrap();
            assert!(begin.contains(&comment(&lines)), "{begin}");
            assert_eq!(begin.matches("var strategy").count(), 1, "{begin}");
            assert!(FILE.ends_with(code));
        }
    }
}
