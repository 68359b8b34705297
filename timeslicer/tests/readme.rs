//! Checks the crate's README against the registries and the crate's documentation.

use timeslicer::frame_loop::FRAME_LOOPS;
use timeslicer::strategy::STRATEGIES;

const README: &str = include_str!("../README.md");

/// Returns the text between `heading` and the next heading.
fn section(heading: &str) -> &'static str {
    let (_, rest) = README.split_once(heading).expect("the heading");
    rest.split("\n## ").next().unwrap_or_default()
}

/// Returns the table row of a strategy or frame loop. For example, the row of `fixed-interval` links `FixedInterval` to
/// `fixed_interval.rs`.
fn row(folder: &str, key: &str, rule: &str) -> String {
    let file = key.replace('-', "_");
    let words = key.split('-').map(|word| match word {
        "fps" => "Fps".to_owned(),
        word => word[..1].to_uppercase() + &word[1..],
    });
    let name: String = words.collect();
    format!("| [`{name}`](src/{folder}/{file}.rs) | {rule} |")
}

/// Returns the rows of a section's table, without the table's header.
fn rows(heading: &str) -> Vec<&'static str> {
    let lines = section(heading).lines();
    lines.filter(|line| line.starts_with("| [")).collect()
}

#[test]
fn every_strategy_is_listed_in_registry_order() {
    let all = STRATEGIES.iter();
    let all: Vec<String> = all.map(|it| row("strategy", it.key, it.rule)).collect();
    assert_eq!(rows("\n## Strategies\n"), all);
}

#[test]
fn every_frame_loop_is_listed_in_registry_order() {
    let all = FRAME_LOOPS.iter();
    let all: Vec<String> = all.map(|it| row("frame_loop", it.key, it.rule)).collect();
    assert_eq!(rows("\n## Frame loops\n"), all);
}

#[test]
fn the_first_example_is_in_the_crate_documentation() {
    let example = README.split("```rust\n").nth(1).expect("an example");
    let example = example.split("```").next().unwrap_or_default();
    let documented: String = include_str!("../src/lib.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n")
        .collect();
    assert!(documented.contains(example), "{documented}");
}
