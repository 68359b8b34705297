//! The `list` command, which prints all strategies, frame loops and knobs.

use crate::catalog::frame_loop::FRAME_LOOPS;
use crate::catalog::knob::{Knob, Scale};
use crate::catalog::strategy::STRATEGIES;
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
    let keys = |knobs: &[Knob]| json!(knobs.iter().map(|knob| knob.key).collect::<Vec<_>>());
    let strategies = (1..).zip(STRATEGIES).map(|(hotkey, entry)| {
        json!({
            "key": entry.key,
            "name": entry.name,
            "rule": entry.rule,
            "source": entry.source,
            "hotkey": hotkey,
            "on_request": entry.on_request(),
            "default": *entry == default.strategy,
            "knobs": keys(entry.knobs),
        })
    });
    let frame_loops = FRAME_LOOPS.iter().map(|entry| {
        json!({
            "key": entry.key,
            "name": entry.name,
            "rule": entry.rule,
            "source": entry.source,
            "default": *entry == default.frame_loop,
            "knobs": keys(entry.knobs),
        })
    });
    let knobs = all_knobs().into_iter();
    json!({
        "strategies": strategies.collect::<Vec<_>>(),
        "frame_loops": frame_loops.collect::<Vec<_>>(),
        "knobs": knobs.map(|(owner, knob)| knob_json(owner, knob)).collect::<Vec<_>>(),
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
    for (hotkey, entry) in (1..).zip(STRATEGIES) {
        let _ = writeln!(text, "  {hotkey:>2}  {:<17} {}", entry.key, entry.rule); // a String never fails
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
