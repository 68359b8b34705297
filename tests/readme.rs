//! The README's tables against what the program knows.

use std::process::Command;
use timeslice_lab::frame_loop::FRAME_LOOPS;
use timeslice_lab::settings::all_knobs;
use timeslice_lab::strategy::STRATEGIES;

const README: &str = include_str!("../README.md");

#[track_caller]
fn holds(row: &str) {
    assert!(README.contains(row), "the README lacks the row\n{row}");
}

#[test]
fn it_lists_every_strategy_with_its_key_its_file_and_its_rule() {
    for (hotkey, entry) in (1..).zip(STRATEGIES) {
        let file = entry.key.replace('-', "_");
        holds(&format!(
            "| `{hotkey}` | [`{}`](src/strategy/{file}.rs) | {} |",
            entry.key, entry.rule
        ));
    }
}

#[test]
fn its_speeds_are_those_of_every_strategy() {
    let begin = "<!-- speed: begin -->";
    let (_, rest) = README.split_once(begin).expect("benches/table.sh needs it");
    let (speeds, _) = rest
        .split_once("<!-- speed: end -->")
        .expect("benches/table.sh needs it");
    for entry in STRATEGIES {
        let rows = speeds.matches(&format!("\n| `{}` |", entry.key)).count();
        assert_eq!(rows, 4, "{}: benches/table.sh makes them", entry.key);
    }
}

#[test]
fn it_lists_every_frame_loop() {
    for entry in FRAME_LOOPS {
        let file = entry.key.replace('-', "_");
        holds(&format!(
            "| [`{}`](src/frame_loop/{file}.rs) | {} |",
            entry.key, entry.rule
        ));
    }
}

#[test]
fn it_lists_every_knob_with_its_range_its_default_and_what_it_sets() {
    for (_, knob) in all_knobs() {
        let unit = if knob.unit.is_empty() {
            String::new()
        } else {
            format!(" {}", knob.unit)
        };
        holds(&format!(
            "| `--{}` | {} to {}{unit} | {} | {} |",
            knob.key, knob.min, knob.max, knob.default, knob.help
        ));
    }
}

#[test]
fn its_comparison_is_what_the_command_prints() {
    let command = "compare --entities 2000 --cost-us 50 --churn-per-s 20 --seconds 60";
    assert!(README.contains(&format!("cargo run --release -- {command}\n")));
    let output = Command::new(env!("CARGO_BIN_EXE_timeslice-lab"))
        .args(command.split(' '))
        .output()
        .expect("cargo has built it");
    let table = String::from_utf8(output.stdout).expect("it is text");
    holds(table.trim_end());
}
