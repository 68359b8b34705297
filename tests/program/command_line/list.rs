//! `list` and `--help`.

use crate::command_line::lab::{command, folder, stdout};
use headless::io::cli::{Invocation, parse};
use headless::sim::settings::{Settings, all_knobs};
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use timeslicer::frame_loop::FRAME_LOOPS;
use timeslicer::strategy::STRATEGIES;

/// Asserts that a list of JSON objects has these keys and values, at least.
fn assert_lists(list: &Value, expected: &[Value]) {
    let list = list.as_array().expect("an array");
    assert_eq!(list.len(), expected.len());
    for (listed, expected) in list.iter().zip(expected) {
        for (key, value) in expected.as_object().expect("an object") {
            assert_eq!(&listed[key], value, "{key} of {listed}");
        }
    }
}

#[test]
fn json_has_every_strategy_loop_and_knob() {
    let list: Value = serde_json::from_str(&stdout("list --json")).expect("JSON");
    let strategies = STRATEGIES.iter().map(|entry| {
        let knobs: Vec<&str> = entry.knobs.iter().map(|knob| knob.key).collect();
        json!({
            "key": entry.key, "name": entry.name, "rule": entry.rule, "on_request": entry.on_request(),
            "knobs": knobs, "default": *entry == Settings::default().strategy,
        })
    });
    assert_lists(&list["strategies"], &strategies.collect::<Vec<_>>());
    let loops = FRAME_LOOPS.iter().map(|entry| json!({"key": entry.key}));
    assert_lists(&list["frame_loops"], &loops.collect::<Vec<_>>());
    let knobs = all_knobs().into_iter().map(|(_, knob)| {
        let numbers = [knob.min, knob.max, knob.default].map(Value::from);
        let [min, max, default] = numbers;
        json!({
            "key": knob.key, "flag": format!("--{}", knob.key), "min": min, "max": max, "default": default,
            "unit": knob.unit, "whole": knob.whole, "help": knob.help,
        })
    });
    assert_lists(&list["knobs"], &knobs.collect::<Vec<_>>());
}

#[test]
fn help_ends_with_four_examples_that_work() {
    let folder = folder("examples");
    let program = command(&[]).get_program().to_owned();
    for name in ["", "run", "compare", "list"] {
        let help = stdout(&format!("{name} --help"));
        let (_, examples) = help.split_once("\nExamples:\n").expect("examples");
        let lines = examples.lines().map(str::trim);
        let (purposes, lines): (Vec<&str>, Vec<&str>) =
            lines.partition(|line| line.starts_with("# "));
        assert_eq!((purposes.len(), lines.len()), (4, 4), "{examples}");
        for line in lines {
            if name.is_empty() {
                let parsed = parse(line.split(' '));
                assert!(matches!(parsed, Ok((_, Invocation::Window(_)))), "{line}");
                continue;
            }
            assert!(line.starts_with(&format!("timeslice-lab {name}")), "{line}");
            let line = line.replace("timeslice-lab", "\"$0\"");
            let mut shell = Command::new("sh");
            shell.args(["-c", &line]).arg(&program).current_dir(&folder);
            let output = shell.stdin(Stdio::null()).output().expect("a shell");
            assert!(output.status.success(), "{line}: {output:?}");
        }
    }
}
