//! The table and the JSON of `compare` must have every strategy and agree with the numbers of `run`.

use crate::command_line::lab::{stdout, summary};
use lab::catalog::strategy::STRATEGIES;
use lab::measure::METRICS;
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
fn piped_output_has_no_progress() {
    let table = stdout("compare --seconds 20 --entities 20000");
    assert!(!table.contains('\x1b') && !table.contains('\r'));
}
