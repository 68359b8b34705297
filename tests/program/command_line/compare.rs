//! The table and the JSON of `compare` must be deterministic, agree with the numbers of `run`, and never be better than
//! the theoretical bounds.

use crate::command_line::lab::{stdout, summary};
use headless::catalog::strategy::STRATEGIES;
use headless::stats::METRICS;
use serde_json::Value;

const WORK: &str = "--entities 300 --cost-us 80 --churn-per-s 30 --render-ms 2 --seconds 8";

/// Returns the lanes in the JSON of a comparison.
fn lanes(flags: &str) -> Vec<Value> {
    let json = stdout(&format!("compare --json {flags}"));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    json["lanes"].as_array().expect("lanes").clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
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
fn json_has_the_figures_and_verdict_of_every_strategy() {
    let all = lanes(WORK);
    let keys: Vec<&str> = all
        .iter()
        .filter_map(|it| it["strategy"].as_str())
        .collect();
    let registered: Vec<&str> = STRATEGIES.iter().map(|entry| entry.key).collect();
    assert_eq!(keys, registered);
    for lane in &all {
        for metric in METRICS {
            let pointer = format!("/{}", metric.key.replace('.', "/"));
            let value = lane.pointer(&pointer);
            let is_strong = value.is_some_and(|value| value.is_number() || value.is_null());
            assert!(is_strong, "{pointer}");
        }
        assert!(lane["verdict"].as_str().is_some_and(|it| !it.is_empty()));
    }
    // A selection of strategies has the same numbers, in its own order.
    let some = lanes(&format!(
        "{WORK} --strategy time-budget --strategy every-frame"
    ));
    let of = |key: &str| all.iter().find(|lane| lane["strategy"] == key).cloned();
    assert_eq!(
        Some(some),
        ["time-budget", "every-frame"].map(of).into_iter().collect()
    );
}

#[test]
fn a_lane_has_the_figures_of_run() {
    let lane = &lanes(&format!("{WORK} --strategy stagger-groups"))[0];
    let summary = summary(&format!("{WORK} --strategy stagger-groups"));
    for part in [
        format!("{:.3} p99", number(&lane["frame_ms"]["p99"])),
        format!("{:.3} worst", number(&lane["staleness_ms"]["worst"])),
        format!("{} total", lane["tasks"]),
        lane["verdict"].as_str().expect("a sentence").to_owned(),
    ] {
        assert!(summary.contains(&part), "no {part} in {summary}");
    }
}

#[test]
fn piped_output_has_no_colours_marks_or_progress() {
    let table = stdout("compare --seconds 20 --entities 20000");
    assert!(!table.contains('\x1b') && !table.contains('\r'));
    let rows = table.lines().take_while(|line| !line.is_empty());
    assert_eq!(rows.count(), 1 + STRATEGIES.len(), "no legend of marks");
}

#[test]
fn no_strategy_is_better_than_the_bound() {
    let rests =
        "--entities 1000 --cost-us 400 --cost-spread 0.5 --requests-per-s 10 --target 0.4,0.2";
    for lane in lanes(&format!("--seconds 30 {rests}")) {
        let staleness = &lane["staleness_ms"];
        let task_time = number(&lane["per_frame_ms"]["tasks"]) * number(&lane["frames"]);
        // No entity is stale at the start, which is worth at most one more run of each task.
        let start = 1.0 + 1.2 * 400.0 / task_time;
        for metric in ["weighted_mean", "weighted_worst"] {
            let least = number(&staleness[format!("{metric}_bound")]) / start;
            let measured = number(&staleness[metric]);
            assert!(measured >= least, "{metric} {measured} {least}: {lane}");
        }
    }
}

#[test]
fn sharing_by_weight_reaches_the_bound() {
    for (spread, most) in [(0.0, 1.02), (0.9, 1.03)] {
        let lanes = lanes(&format!(
            "--strategy weighted-share --share-exponent 2 --target 0.5,0.25 --entities 2000 --cost-us 50 \
             --cost-spread {spread} --seconds 60"
        ));
        let staleness = &lanes[0]["staleness_ms"];
        let [mean, least] =
            ["weighted_mean", "weighted_mean_bound"].map(|key| number(&staleness[key]));
        assert!(mean <= most * least, "spread {spread}: {mean} {least}");
    }
}
