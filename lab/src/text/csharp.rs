//! Generates C# code that uses a strategy, so that the user can paste it into a game. The code requires the C# library
//! `ports/csharp/Timeslicer.cs`, which contains the strategies.
//!
//! The names are derived from those in Rust, so this module need not be changed when a strategy is ported to C#.

use super::rust;
use crate::catalog::knob::{Knob, KnobValues};
use crate::catalog::strategy::knobs::{FALLOFF, NEAR, WEIGHT_STEPS};
use crate::catalog::strategy::{Family, StrategyEntry, fixed_interval, pascal_case};

/// The path of the C# library, relative to the repository root.
pub const PATH: &str = "ports/csharp/Timeslicer.cs";

/// Returns C# code that uses a strategy with these knob values, in lines of at most 72 letters. The game must define
/// `guard`, of class `Guard`, and `delta`, the frame time in seconds.
pub fn snippet(entry: &StrategyEntry, values: &KnobValues) -> String {
    let request = if entry.on_request() {
        "thinking.Request(task); // when it needs to run\n"
    } else {
        ""
    };
    let (weight, argument) = if entry.family == Family::BySignificance {
        (weight(values), "weight, ")
    } else {
        (String::new(), "")
    };
    format!(
        "\
using System;
using Timeslicing;

var strategy = {};
var thinking = new Timeslicer<Guard>(strategy);

// Keep this in a field, so that updates allocate nothing.
Action<Guard, Nanos> think =
    (npc, elapsed) => npc.Think(elapsed.Seconds);
{weight}
TaskId task = thinking.Add(guard); // when a guard is born
{request}
// in each frame; delta is Time.deltaTime in Unity
thinking.Update(Nanos.FromSeconds(delta), {argument}think);

thinking.Remove(task); // when it dies
",
        constructor(entry, values)
    )
}

/// Returns a function by which the game weighs tasks with the same rule as the simulated world.
fn weight(values: &KnobValues) -> String {
    let [near, falloff] = [NEAR, FALLOFF].map(|knob| literal(&knob, values.get(&knob)));
    let distance = format!("Math.Max(npc.Distance / {near}, 1)");
    let mut power = format!("Math.Pow({distance}, -{falloff})");
    if values.get(&WEIGHT_STEPS) > 0.0 {
        // Like the Rust code, this rounds the distance up to `near` times a power of two.
        let log = format!("Math.Log({distance}, 2)");
        power = format!("Math.Pow(2, -{falloff} * Math.Ceiling(\n        {log}))");
    }
    format!(
        "\
Func<Guard, double> weight = npc => // distance in widths of your world
    {power};
"
    )
}

/// Returns the C# library, whose text is given, with [`snippet`] as the example at its top.
pub fn file(library: &str, entry: &StrategyEntry, values: &KnobValues) -> String {
    // The example in the repository is a strategy with default values.
    let shown = snippet(&fixed_interval::ENTRY, &KnobValues::default());
    let wanted = snippet(entry, values);
    let [shown, wanted] = [shown, wanted].map(|code| comment(&code));
    library.replacen(&shown, &wanted, 1)
}

/// Turns example code into a C# comment, like the one at the top of the C# library.
fn comment(lines: &str) -> String {
    let commented = lines.lines().map(|line| format!("//     {line}"));
    commented
        .map(|line| line.trim_end().to_owned() + "\n")
        .collect()
}

/// Returns a C# expression that creates a strategy, such as `new FixedInterval(Nanos.FromSeconds(0.5))`.
fn constructor(entry: &StrategyEntry, values: &KnobValues) -> String {
    let new = format!("new {}", entry.type_name());
    let mut code = rust::call(&new, entry.arguments(), values, literal);
    for (option, arguments) in entry.options_for(values) {
        let with = format!("\n    .With{}", pascal_case(option));
        code += &rust::call(&with, *arguments, values, literal);
    }
    code
}

/// Formats a knob's value as C# code: a `Nanos` value for a time, and otherwise the same as in Rust.
fn literal(knob: &Knob, value: f64) -> String {
    match knob.unit {
        "s" => format!("Nanos.FromSeconds({value})"),
        "ms" => format!("Nanos.FromMilliseconds({value})"),
        "µs" => format!("Nanos.FromMicroseconds({value})"),
        _ => rust::literal(knob, value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::strategy::knobs::{BUDGET, INTERVAL, PREDICT};
    use crate::catalog::strategy::{STRATEGIES, by_key};

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
            let lines = snippet(entry, &values);
            let line = format!("var strategy = {expected};\n");
            assert!(lines.contains(&line), "{lines}");
        }
    }

    #[test]
    fn weights_come_in_steps_if_the_knob_is_on() {
        let values = KnobValues::with(&[(&WEIGHT_STEPS, 1.0), (&FALLOFF, 3.0), (&NEAR, 0.2)]);
        let lines = snippet(by_key("distance-lod").unwrap(), &values);
        let steps = "Math.Pow(2, -3.0 * Math.Ceiling(\n        Math.Log(Math.Max(npc.Distance / 0.2, 1), 2)));\n";
        assert!(lines.contains(steps), "{lines}");
    }

    #[test]
    fn the_copied_file_begins_with_the_lines_of_the_strategy() {
        let values = KnobValues::with(&[(&INTERVAL, 0.25), (&BUDGET, 1.5)]);
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../ports/csharp/Timeslicer.cs");
        let library = std::fs::read_to_string(path).unwrap();
        for entry in STRATEGIES {
            let lines = snippet(entry, &values);
            assert!(
                lines.lines().all(|line| line.chars().count() <= 72),
                "{lines}"
            );
            let file = file(&library, entry, &values);
            let (begin, code) = file.split_once("\nusing System;").unwrap();
            assert!(begin.contains(&comment(&lines)), "{begin}");
            assert_eq!(begin.matches("var strategy").count(), 1, "{begin}");
            assert!(library.ends_with(code));
        }
    }
}
