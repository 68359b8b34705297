//! The documents list the columns and keys of the files that the program writes.

use crate::command_line::lab::{lab, stdout};
use crate::documents::blocks::{check, table};
use crate::documents::markdown::read;
use lab::catalog::knob::KnobValues;
use lab::comparison::loops::LoopComparison;
use lab::files::export::FRAMES_HEADER;
use serde_json::Value;
use timeslicer::time::Nanos;

/// Returns the columns listed in the table below a heading, separated by commas.
fn columns_below(heading: &str) -> String {
    let page = read("docs/command-line.md");
    let (_, rest) = page.split_once(heading).expect("the heading");
    let section = rest.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|row| row.strip_prefix("| `"));
    let columns: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    columns.join(",")
}

#[test]
fn every_column_of_csv_files_is_documented() {
    assert_eq!(columns_below("\n## Frames as CSV\n"), FRAMES_HEADER);
    let events = stdout("run --frames 1 --events -");
    let header = events.lines().next().expect("a header");
    assert_eq!(columns_below("\n## Events as CSV\n"), header);
    let settings = lab("sweep --strategy every-frame --entities 0 --frames 1").stdout;
    let header = settings.lines().next().expect("a header");
    assert_eq!(columns_below("\n## Settings as CSV\n"), header);
}

/// Returns the keys of an object, each in backticks.
fn keys(object: &Value) -> String {
    let object = object.as_object().expect("an object");
    let keys: Vec<String> = object.keys().map(|key| format!("`{key}`")).collect();
    keys.join(", ")
}

#[test]
fn every_key_of_the_list_is_documented() {
    let list: Value = serde_json::from_str(&stdout("list --json")).expect("JSON");
    let arrays = list.as_object().expect("an object");
    let rows = arrays
        .iter()
        .map(|(name, array)| format!("| `{name}` | {} |", keys(&array[0])));
    check(
        "docs/command-line.md",
        "list",
        &table("| array | keys of its entries |", rows),
    );
}

#[test]
fn every_key_of_a_sweep_is_documented() {
    let page = read("docs/command-line.md");
    let (_, section) = page
        .split_once("\n### A sweep as JSON\n")
        .expect("the heading");
    let section = section.split("\n## List\n").next().unwrap_or_default();
    let work =
        "sweep --json --strategy max-per-frame --strategy fixed-interval --frames 60 --steps 3";
    for flags in ["", "--worst-s 0.001", "--over entities=10..20"] {
        let swept: Value = serde_json::from_str(&stdout(&format!("{work} {flags}"))).expect("JSON");
        let mut open = vec![swept];
        while let Some(value) = open.pop() {
            if let Value::Array(items) = value {
                open.extend(items);
            } else if let Value::Object(items) = value {
                for (key, item) in items {
                    let is_strategy = key == "max-per-frame" || key == "fixed-interval";
                    let is_documented = section.contains(&format!("`{key}`"));
                    assert!(is_strategy || is_documented, "{key}");
                    open.push(item);
                }
            }
        }
    }
}

#[test]
fn every_key_of_saved_loops_is_documented() {
    let mut loop_comparison = LoopComparison::new(&KnobValues::default());
    for _ in 0..300 {
        loop_comparison.advance(Nanos::from_millis(20));
    }
    let json = loop_comparison.to_json();
    let row = &json["loops"][0];
    let rows = [
        ("the file", &json),
        ("an entry of `loops`", row),
        ("its `fast` and `slow`", &row["fast"]),
        ("its `ends`", &row["ends"]),
    ];
    let rows = rows.map(|(name, object)| format!("| {name} | {} |", keys(object)));
    check("docs/views.md", "loops", &table("| object | keys |", rows));
}
