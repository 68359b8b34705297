//! The README's tables against what the program knows.

use std::path::Path;
use std::process::Command;
use timeslice::frame_loop::FRAME_LOOPS;
use timeslice::strategy::STRATEGIES;
use timeslice::time::Nanos;
use timeslice_lab::experiment::comparison::Comparison;
use timeslice_lab::history::FRAMES;
use timeslice_lab::sim::gaze_error::{SAMPLE, WRONG_FROM_DEGREES};
use timeslice_lab::sim::settings::{Settings, all_knobs};
use timeslice_lab::stats::recommend;
use timeslice_lab::text::format::grouped;

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
            "| `{hotkey}` | [`{}`](timeslice/src/strategy/{file}.rs) | {} |",
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
            "| [`{}`](timeslice/src/frame_loop/{file}.rs) | {} |",
            entry.key, entry.rule
        ));
    }
}

#[test]
fn it_lists_every_knob_with_range_default_and_help() {
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

/// Its text with every line's end a space.
fn on_a_line() -> String {
    README.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_file_that_it_links_to_is_there() {
    let targets = README
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    let files: Vec<&str> = targets.filter(|it| !it.starts_with("http")).collect();
    assert!(files.len() > 20, "{files:?}");
    for file in files {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        assert!(path.exists(), "the README links to {file}");
    }
}

#[test]
fn it_says_what_every_dependency_is_for() {
    let manifest = include_str!("../Cargo.toml");
    let (_, rows) = README
        .split_once("| dependency | what it is for |")
        .expect("the table");
    let rows = rows.split("\n\n").next().unwrap_or_default();
    let named: Vec<&str> = rows
        .lines()
        .filter_map(|row| row.strip_prefix("| ")?.split(" |").next())
        .flat_map(|names| names.split(", "))
        .collect();
    let mut count = 0;
    for section in manifest.split("\n[").filter(|it| {
        it.lines()
            .next()
            .is_some_and(|head| head.ends_with("dependencies]"))
    }) {
        for line in section.lines().skip(1) {
            if let Some((key, _)) = line.split_once(" = ") {
                assert!(
                    named.contains(&key),
                    "the README does not say what {key} is for"
                );
                count += 1;
            }
        }
    }
    assert!(count >= 12, "{count} dependencies");
}

#[test]
fn its_bounds_are_the_programs() {
    let text = on_a_line();
    for words in [
        format!("up to {} frames as `frames.csv`", grouped(FRAMES as u64)),
        format!("more than {WRONG_FROM_DEGREES} degrees beside the target"),
        format!(
            "of more than {0} entities, about {0} are asked",
            grouped(SAMPLE as u64)
        ),
    ] {
        assert!(text.contains(&words), "the README lacks {words}");
    }
}

#[test]
fn who_keeps_within_the_budget_is_whom_it_says() {
    let words =
        "99 of 100 frames spend no more than that on tasks, and none more than half as much again";
    assert!(on_a_line().contains(words));
    let mut comparison = Comparison::new(&Settings::default(), &STRATEGIES[..1]);
    comparison.advance(Nanos::from_secs(3));
    let mut report = comparison.reports().remove(0);
    let budget = Nanos::from_millis(4);
    let more = Nanos::from_micros(10);
    let half_again = Nanos::from_millis(6);
    for (p99, max, keeps) in [
        (budget, half_again, true),
        (budget + more, half_again, false),
        (budget, half_again + more, false),
    ] {
        (report.frame_tasks.p99, report.frame_tasks.max) = (p99, max);
        let advice = recommend(std::slice::from_ref(&report), budget);
        assert_eq!(advice.keep.len() == 1, keeps, "{p99} and {max}");
    }
}
