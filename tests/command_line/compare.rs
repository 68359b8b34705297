//! What `compare` says: the same each time, the same as the window's view, and the same in all its forms.

use crate::lab::{lab, stdout};
use serde_json::Value;
use timeslice::knob::KnobValues;
use timeslice::strategy::STRATEGIES;
use timeslice::time::Nanos;
use timeslice_lab::experiment::comparison::Comparison;
use timeslice_lab::io::headless::{RankStyle, comparison_json, comparison_table};
use timeslice_lab::sim::machine::RENDER_MS;
use timeslice_lab::sim::settings::Settings;
use timeslice_lab::sim::world::{CHURN, COST, ENTITIES};
use timeslice_lab::stats::FIGURES;

const WORK: &str = "--entities 300 --cost-us 80 --churn-per-s 30 --render-ms 2 --seconds 8";

fn json(line: &str) -> Value {
    serde_json::from_str(&stdout(line)).expect("JSON")
}

#[test]
fn one_seed_brings_the_same_bytes_and_another_others() {
    for form in ["", "--json"] {
        let compare = |seed| stdout(&format!("compare {WORK} {form} --seed {seed}"));
        assert_eq!(compare(7), compare(7));
        assert_ne!(compare(7), compare(8), "{form}");
    }
}

#[test]
fn lanes_advanced_picture_by_picture_have_the_same_figures() {
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
fn json_has_every_figure_and_the_verdict_of_every_strategy() {
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
fn chosen_strategies_have_the_same_figures_as_among_all() {
    let some = json(&format!(
        "compare {WORK} --json --strategy time-budget --strategy every-frame"
    ));
    let all = json(&format!("compare {WORK} --json"));
    let of = |key: &str| {
        let lanes = all["lanes"].as_array().expect("lanes");
        lanes.iter().find(|lane| lane["strategy"] == key).cloned()
    };
    assert_eq!(some["lanes"][0], of("time-budget").expect("a lane"));
    assert_eq!(some["lanes"][1], of("every-frame").expect("a lane"));
    assert_eq!(some["lanes"][2], Value::Null);
}

#[test]
fn a_lane_has_the_figures_of_the_run_with_its_strategy() {
    let all = json(&format!("compare {WORK} --json --strategy stagger-groups"));
    let line = format!("run {WORK} --strategy stagger-groups --summary --csv /dev/null");
    let words: Vec<&str> = line.split_whitespace().collect();
    let summary = lab(&words).stderr;
    let told = &all["lanes"][0];
    for said in [
        format!(
            "{:.3} p99",
            told["frame_ms"]["p99"].as_f64().expect("a figure")
        ),
        format!("{} in all", told["tasks"]),
        format!(
            "{:.3} worst",
            told["staleness_ms"]["worst"].as_f64().expect("a figure")
        ),
        told["verdict"].as_str().expect("words").to_owned(),
    ] {
        assert!(summary.contains(&said), "no {said} in {summary}");
    }
}

#[test]
fn output_that_is_no_terminals_has_no_colours_marks_or_bars() {
    let done = lab(&["compare", "--seconds", "20", "--entities", "20000"]);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    assert!(!done.stdout.contains('\x1b') && !done.stdout.contains('\r'));
    assert!(!done.stdout.contains("the best of its column"));
}

#[test]
fn predicted_and_measured_stand_side_by_side() {
    let line = "run --entities 1000 --cost-us 200 --interval-s 0.5 --render-ms 4 --display-hz 1000 --summary \
                --csv /dev/null";
    let words: Vec<&str> = line.split_whitespace().collect();
    let summary = lab(&words).stderr;
    let part = summary.split("frames of ").nth(1).expect("a prediction");
    let figures: Vec<f64> = part
        .split([' ', ','])
        .filter_map(|word| word.parse().ok())
        .collect();
    let law = 4.0 / (1.0 - 0.4);
    assert!((figures[0] / law - 1.0).abs() < 0.001, "{summary}");
    assert!((figures[1] / law - 1.0).abs() < 0.05, "{summary}");
}
