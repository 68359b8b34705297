//! Tests of `list` and `--help`.

use crate::command_line::lab::{command, folder, stdout};
use lab::catalog::frame_loop::FRAME_LOOPS;
use lab::catalog::strategy::STRATEGIES;
use lab::cli::{Invocation, parse};
use lab::sim::settings::all_knobs;
use serde_json::Value;
use std::process::{Command, Stdio};

#[test]
fn json_has_every_strategy_loop_and_knob() {
    let list: Value = serde_json::from_str(&stdout("list --json")).expect("JSON");
    let keys = |array: &str| -> Vec<Value> {
        let entries = list[array].as_array().expect("an array").iter();
        entries.map(|entry| entry["key"].clone()).collect()
    };
    let strategies = STRATEGIES.iter().map(|it| it.key);
    assert_eq!(keys("strategies"), strategies.collect::<Vec<_>>());
    let loops = FRAME_LOOPS.iter().map(|it| it.key);
    assert_eq!(keys("frame_loops"), loops.collect::<Vec<_>>());
    let knobs = all_knobs().into_iter().map(|(_, it)| it.key);
    assert_eq!(keys("knobs"), knobs.collect::<Vec<_>>());
}

#[cfg_attr(not(unix), ignore = "the examples need a shell")]
#[test]
fn help_ends_with_four_examples_that_work() {
    let folder = folder("examples");
    let program = command(&[]).get_program().to_owned();
    for name in ["", "run", "compare", "sweep"] {
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
