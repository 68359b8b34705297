//! The `list` command, which prints all strategies, frame loops and knobs.

use crate::catalog::frame_loop::FRAME_LOOPS;
use crate::catalog::knob::{Knob, Scale};
use crate::catalog::strategy::{HOTKEYS, STRATEGIES};
use crate::files::output::{Failure, write_whole};
use crate::sim::settings::{Owner, Settings, all_knobs};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

pub fn list(as_json: bool) -> Result<(), Failure> {
    let text = if as_json {
        format!("{:#}\n", json())
    } else {
        table()
    };
    write_whole(Path::new("-"), text.as_bytes())
}

fn json() -> Value {
    let default = Settings::default();
    let entry = |[key, name, rule, source]: [&str; 4], is_default, knobs: &[Knob]| {
        let knobs: Vec<&str> = knobs.iter().map(|knob| knob.key).collect();
        json!({
            "key": key,
            "name": name,
            "rule": rule,
            "source": source,
            "default": is_default,
            "knobs": knobs,
        })
    };
    let strategies = (1..).zip(STRATEGIES).map(|(hotkey, it)| {
        let texts = [it.key, it.name, it.rule, it.source];
        let mut json = entry(texts, *it == default.strategy, it.knobs);
        json["hotkey"] = json!(hotkey);
        json["on_request"] = it.on_request().into();
        json
    });
    let frame_loops = FRAME_LOOPS.iter().map(|it| {
        let texts = [it.key, it.name, it.rule, it.source];
        entry(texts, *it == default.frame_loop, it.knobs)
    });
    let knobs = all_knobs().into_iter();
    json!({
        "strategies": strategies.collect::<Value>(),
        "frame_loops": frame_loops.collect::<Value>(),
        "knobs": knobs.map(|(owner, knob)| knob_json(owner, knob)).collect::<Value>(),
    })
}

fn knob_json(owner: Owner, knob: &Knob) -> Value {
    json!({
        "key": knob.key,
        "flag": format!("--{}", knob.key),
        "label": knob.label,
        "owner": owner.name(),
        "unit": knob.unit,
        "min": knob.min,
        "max": knob.max,
        "default": knob.default,
        "whole": knob.whole,
        "scale": match knob.scale {
            Scale::Linear => "linear",
            Scale::Logarithmic { .. } => "logarithmic",
        },
        "help": knob.help,
    })
}

fn table() -> String {
    let mut text = String::from("Strategies\n");
    let hotkeys = HOTKEYS.chars().chain(std::iter::repeat(' '));
    for (hotkey, entry) in hotkeys.zip(STRATEGIES) {
        let _ = writeln!(text, "   {hotkey}  {:<17} {}", entry.key, entry.rule); // a String never fails
    }
    text.push_str("\nFrame loops\n");
    for entry in FRAME_LOOPS {
        let _ = writeln!(text, "      {:<17} {}", entry.key, entry.rule);
    }
    text.push_str("\nKnobs            range, default, unit\n");
    for (_, knob) in all_knobs() {
        let range = format!("{} to {}, {}", knob.min, knob.max, knob.default);
        let _ = writeln!(
            text,
            "  --{:<14} {range:<24} {:<3} {}",
            knob.key, knob.unit, knob.help
        );
    }
    text
}
