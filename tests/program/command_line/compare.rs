//! The output of `compare` is deterministic. The table, the JSON, and a comparison that advances in small steps as in
//! the window have the same figures.

use crate::command_line::lab::{lab, stdout};
use headless::experiment::comparison::Comparison;
use headless::io::commands::{RankStyle, comparison_json, comparison_table};
use headless::sim::machine::RENDER_MS;
use headless::sim::settings::Settings;
use headless::sim::world::{CHURN, COST, ENTITIES};
use headless::stats::FIGURES;
use serde_json::Value;
use timeslicer::knob::KnobValues;
use timeslicer::strategy::STRATEGIES;
use timeslicer::time::Nanos;

const WORK: &str = "--entities 300 --cost-us 80 --churn-per-s 30 --render-ms 2 --seconds 8";

fn json(line: &str) -> Value {
    serde_json::from_str(&stdout(line)).expect("JSON")
}

#[test]
fn the_seed_alone_determines_the_output() {
    for format in ["", "--json"] {
        let compare = |seed| stdout(&format!("compare {WORK} {format} --seed {seed}"));
        assert_eq!(compare(7), compare(7));
        assert_ne!(compare(7), compare(8), "{format}");
    }
}

#[test]
fn lanes_advanced_in_small_steps_have_the_same_figures() {
    let set = [
        (&ENTITIES, 300.0),
        (&COST, 80.0),
        (&CHURN, 30.0),
        (&RENDER_MS, 2.0),
    ];
    let settings = Settings {
        knobs: KnobValues::with(&set),
        seed: 7,
        ..Settings::default()
    };
    let mut lanes = Comparison::new(&settings, STRATEGIES);
    let end = Nanos::from_secs(8);
    while lanes.time() < end {
        lanes.advance(Nanos::from_nanos(16_600_001).min(end - lanes.time()));
    }
    let reports = lanes.reports();
    let json = format!("{:#}\n", comparison_json(&settings, &reports));
    assert!(json == stdout(&format!("compare {WORK} --seed 7 --json")));
    let table = stdout(&format!("compare {WORK} --seed 7"));
    assert_eq!(
        table,
        comparison_table(&reports, Nanos::from_millis(4), RankStyle::None)
    );
}

#[test]
fn json_has_all_figures_and_verdicts() {
    let all = json(&format!("compare {WORK} --json"));
    let lanes = all["lanes"].as_array().expect("lanes");
    let keys: Vec<&str> = lanes
        .iter()
        .filter_map(|it| it["strategy"].as_str())
        .collect();
    let registered: Vec<&str> = STRATEGIES.iter().map(|entry| entry.key).collect();
    assert_eq!(keys, registered);
    for lane in lanes {
        for figure in FIGURES {
            let pointer = format!("/{}", figure.key.replace('.', "/"));
            let value = lane.pointer(&pointer);
            assert!(
                value.is_some_and(|value| value.is_number() || value.is_null()),
                "{pointer}"
            );
        }
        assert!(lane["verdict"].as_str().is_some_and(|it| !it.is_empty()));
    }
}

#[test]
fn a_selection_of_strategies_has_the_same_figures() {
    let some = json(&format!(
        "compare {WORK} --json --strategy time-budget --strategy every-frame"
    ));
    let all = json(&format!("compare {WORK} --json"));
    let lane = |key: &str| {
        let lanes = all["lanes"].as_array().expect("lanes");
        lanes.iter().find(|lane| lane["strategy"] == key).cloned()
    };
    assert_eq!(some["lanes"][0], lane("time-budget").expect("a lane"));
    assert_eq!(some["lanes"][1], lane("every-frame").expect("a lane"));
    assert_eq!(some["lanes"][2], Value::Null);
}

#[test]
fn a_lane_has_the_figures_of_run() {
    let all = json(&format!("compare {WORK} --json --strategy stagger-groups"));
    let run = format!("run {WORK} --strategy stagger-groups --summary --csv /dev/null");
    let words: Vec<&str> = run.split_whitespace().collect();
    let summary = lab(&words).stderr;
    let lane = &all["lanes"][0];
    let ms = |value: &Value| format!("{:.3}", value.as_f64().expect("a figure"));
    for part in [
        format!("{} p99", ms(&lane["frame_ms"]["p99"])),
        format!("{} worst", ms(&lane["staleness_ms"]["worst"])),
        format!("{} total", lane["tasks"]),
        lane["verdict"].as_str().expect("a sentence").to_owned(),
    ] {
        assert!(summary.contains(&part), "no {part} in {summary}");
    }
}

#[test]
fn piped_output_has_no_colours_marks_or_progress() {
    let line = "compare --seconds 20 --entities 20000";
    let exited = lab(&line.split(' ').collect::<Vec<_>>());
    assert_eq!((exited.status, exited.stderr.as_str()), (0, ""));
    assert!(!exited.stdout.contains('\x1b') && !exited.stdout.contains('\r'));
    let table = exited.stdout.lines().take_while(|line| !line.is_empty());
    assert_eq!(table.count(), 1 + STRATEGIES.len(), "no legend of marks");
}

#[test]
fn the_summary_compares_predicted_and_measured_frames() {
    let line = "run --entities 1000 --cost-us 200 --interval-s 0.5 --render-ms 4 --display-hz 1000 --summary \
                --csv /dev/null";
    let words: Vec<&str> = line.split_whitespace().collect();
    let summary = lab(&words).stderr;
    let mut rows = summary.lines();
    let row = rows.find(|row| row.trim_start().starts_with("predicted"));
    let row = row.expect("a prediction");
    let figures: Vec<f64> = row
        .split([' ', ','])
        .filter_map(|word| word.parse().ok())
        .collect();
    let [utilisation, predicted, measured] = figures[..] else {
        panic!("{row}");
    };
    let law = 4.0 / (1.0 - 0.4);
    assert!((utilisation - 0.4).abs() < 0.001, "{row}");
    assert!((predicted / law - 1.0).abs() < 0.001, "{row}");
    assert!((measured / law - 1.0).abs() < 0.05, "{row}");
}
