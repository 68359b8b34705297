//! `list` prints every strategy, frame loop and knob.

use crate::command_line::lab::stdout;
use headless::sim::settings::{Settings, all_knobs};
use serde_json::Value;
use timeslicer::frame_loop::FRAME_LOOPS;
use timeslicer::knob::Knob;
use timeslicer::strategy::STRATEGIES;

fn list() -> Value {
    serde_json::from_str(&stdout("list --json")).expect("JSON")
}

fn keys(list: &Value) -> Vec<&str> {
    let entries = list.as_array().expect("an array");
    let keys = entries.iter().map(|entry| entry["key"].as_str());
    keys.map(|key| key.expect("a key")).collect()
}

fn own_keys(knobs: &[Knob]) -> Vec<&str> {
    knobs.iter().map(|knob| knob.key).collect()
}

#[test]
fn json_lists_strategies_with_their_knobs() {
    let list = list();
    let registered: Vec<&str> = STRATEGIES.iter().map(|entry| entry.key).collect();
    assert_eq!(keys(&list["strategies"]), registered);
    for (entry, listed) in STRATEGIES
        .iter()
        .zip(list["strategies"].as_array().unwrap())
    {
        assert_eq!(listed["name"], entry.name);
        assert_eq!(listed["rule"], entry.rule);
        assert_eq!(listed["on_request"], entry.on_request());
        assert_eq!(listed["knobs"], serde_json::json!(own_keys(entry.knobs)));
        let default = *entry == Settings::default().strategy;
        assert_eq!(listed["default"], default);
    }
}

#[test]
fn json_lists_frame_loops() {
    let list = list();
    let registered: Vec<&str> = FRAME_LOOPS.iter().map(|entry| entry.key).collect();
    assert_eq!(keys(&list["frame_loops"]), registered);
}

#[test]
fn json_lists_knobs_with_range_unit_and_default() {
    let list = list();
    let knobs = all_knobs();
    let registered: Vec<&str> = knobs.iter().map(|(_, knob)| knob.key).collect();
    assert_eq!(keys(&list["knobs"]), registered);
    for ((_, knob), listed) in knobs.iter().zip(list["knobs"].as_array().unwrap()) {
        for (name, value) in [
            ("min", knob.min),
            ("max", knob.max),
            ("default", knob.default),
        ] {
            assert_eq!(listed[name].as_f64(), Some(value), "{} {name}", knob.key);
        }
        assert_eq!(listed["flag"], format!("--{}", knob.key));
        assert_eq!(listed["unit"], knob.unit);
        assert_eq!(listed["whole"], knob.whole);
        assert_eq!(listed["help"], knob.help);
    }
}

#[test]
fn the_table_has_every_key_of_the_json() {
    let (list, table) = (list(), stdout("list"));
    for part in ["strategies", "frame_loops", "knobs"] {
        for key in keys(&list[part]) {
            assert!(table.contains(key), "{key}");
        }
    }
}

#[test]
fn flags_accept_both_ends_of_their_ranges() {
    for (_, knob) in all_knobs() {
        for value in [knob.min, knob.max] {
            stdout(
                &format!("run --frames 0 --entities 3 --{} {value}", knob.key)
                    .replace("--entities 3 --entities", "--entities"),
            );
        }
    }
}
