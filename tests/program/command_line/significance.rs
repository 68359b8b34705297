//! A target at rest on the command line, and staleness compared with the least that is possible.

use crate::command_line::lab::{lab, stdout};
use serde_json::Value;

const RESTS: &str =
    "--entities 1000 --cost-us 400 --cost-spread 0.5 --requests-per-s 10 --target 0.4,0.2";

fn lanes(line: &str) -> Vec<Value> {
    let json: Value = serde_json::from_str(&stdout(line)).expect("JSON");
    json["lanes"].as_array().expect("lanes").clone()
}

#[test]
fn bounds_are_known_only_while_the_target_rests() {
    const BOUNDS: [&str; 2] = ["weighted_mean_bound", "weighted_worst_bound"];
    const MEASURED: [&str; 5] = ["weighted_mean", "weighted_worst", "near", "middle", "far"];
    for (target, is_known) in [("", false), ("--target 0.5,0.25", true)] {
        for lane in lanes(&format!("compare --json --seconds 3 {target}")) {
            let staleness = &lane["staleness_ms"];
            for key in BOUNDS {
                assert_eq!(staleness[key].is_f64(), is_known, "{key} in {lane}");
            }
            assert!(MEASURED.iter().all(|key| staleness[key].is_f64()), "{lane}");
        }
    }
}

#[test]
fn without_falloff_the_weighted_mean_is_the_mean() {
    for lane in lanes("compare --json --seconds 3 --falloff 0 --churn-per-s 40") {
        let staleness = &lane["staleness_ms"];
        assert_eq!(staleness["weighted_mean"], staleness["mean"], "{lane}");
    }
}

#[test]
fn no_strategy_is_better_than_the_bound() {
    for lane in lanes(&format!("compare --json --seconds 30 {RESTS}")) {
        let number = |value: &Value| value.as_f64().expect("a number");
        let staleness = &lane["staleness_ms"];
        let task_time = number(&lane["per_frame_ms"]["tasks"]) * number(&lane["frames"]);
        // No entity is stale at first, which is worth one more run of each task at most.
        let start = 1.0 + 1.2 * 400.0 / task_time;
        for figure in ["weighted_mean", "weighted_worst"] {
            let least = number(&staleness[format!("{figure}_bound")]) / start;
            let measured = number(&staleness[figure]);
            assert!(measured >= least, "{figure} {measured} {least}: {lane}");
        }
    }
}

#[test]
fn sharing_by_weight_reaches_the_bound() {
    for (spread, most) in [(0.0, 1.02), (0.9, 1.03)] {
        for seconds in [60, 300] {
            let lanes = lanes(&format!(
                "compare --json --strategy weighted-share --share-exponent 2 --target 0.5,0.25 --entities 2000 \
                 --cost-us 50 --cost-spread {spread} --seconds {seconds}"
            ));
            let [lane] = &lanes[..] else {
                panic!("one strategy was asked for: {lanes:?}");
            };
            assert_eq!(lane["strategy"], "weighted-share");
            let staleness = &lane["staleness_ms"];
            let [mean, least] = ["weighted_mean", "weighted_mean_bound"]
                .map(|key| staleness[key].as_f64().expect("a number"));
            assert!(mean <= most * least, "spread {spread}: {mean} {least}");
        }
    }
}

#[test]
fn the_summary_compares_with_the_least_possible() {
    let summary = |target: &str| {
        let line = format!("run --seconds 2 --summary --csv /dev/null {target}");
        lab(&line.split_whitespace().collect::<Vec<_>>()).stderr
    };
    let rests = summary("--target 0.5,0.25");
    assert_eq!(
        rests.matches("times the least possible").count(),
        2,
        "{rests}"
    );
    let moves = summary("");
    assert!(
        moves.contains(" weighted mean") && !moves.contains("possible"),
        "{moves}"
    );
}

#[test]
fn a_bad_target_is_explained() {
    for target in ["0.5", "1.1,0.2", "0.5,0.51", "a,b", "0.5,0.2,0.1", ""] {
        let exited = lab(&["run", "--target", target]);
        assert_eq!(exited.status, 2);
        let expected = format!(
            "--target takes X,Y with X from 0 to 1 and Y from 0 to 0.5 (for example 0.5,0.25), not '{target}'"
        );
        assert!(exited.stderr.contains(&expected), "{}", exited.stderr);
    }
}
