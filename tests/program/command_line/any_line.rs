//! Properties of every command line, checked for random lines. The fuzz target in `fuzz/` includes this file.

use lab::cli::settings_file::{run_line, window_line};
use lab::cli::{Invocation, Over, View, parse};
use lab::sim::settings::{Owner, Settings, all_knobs};
use std::ffi::OsString;

/// Parses bytes as a command line with one argument per line. Asserts that the line is rejected with a message, or that
/// its settings are in range. A command line generated from these settings, for `run` or for the window, must give the
/// same settings again.
pub fn check(bytes: &[u8]) {
    let words = bytes.split(|byte| *byte == b'\n').map(word);
    let parsed = parse(std::iter::once(OsString::from("timeslice-lab")).chain(words));
    match parsed {
        // Do not parse the generated command line, because it would expect the costs file in another place.
        Ok((settings, _)) if settings.own_costs.is_some() => assert_in_range(&settings),
        Ok((settings, Invocation::Run(_))) => {
            assert_in_range(&settings);
            assert_reproduced(&settings, &run_line(&settings, 1), |_| true);
        }
        Ok((settings, Invocation::Window(options))) => {
            assert_in_range(&settings);
            let (width, height) = options.size;
            assert!(width > 0 && height > 0);
            let line = window_line(&settings, &options.limits(&settings), View::Grid);
            assert_reproduced(&settings, &line, |owner| owner != Owner::Machine);
        }
        Ok((settings, Invocation::Compare(options))) => {
            assert_in_range(&settings);
            assert!(!options.strategies.is_empty());
        }
        Ok((settings, Invocation::Sweep(options))) => {
            assert_in_range(&settings);
            let question = options.question(&settings);
            assert!(!question.strategies.is_empty() && question.steps >= 2);
            if let Some(Over { knob, from, to }) = options.over {
                assert!(from < to && knob.takes(from) && knob.takes(to));
            }
        }
        Ok((_, Invocation::List { .. } | Invocation::Capture(_))) => {}
        Err(exit) => {
            let cannot_read = exit.to_string().contains("--costs cannot read");
            assert!(
                [0, 2].contains(&exit.status) || exit.status == 1 && cannot_read,
                "{exit:?}"
            );
            assert!(!exit.to_string().trim().is_empty(), "{exit:?}");
        }
    }
}

#[cfg(unix)]
fn word(bytes: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec())
}

#[cfg(not(unix))]
fn word(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

fn assert_in_range(settings: &Settings) {
    for (_, knob) in all_knobs() {
        let value = settings.knobs.get(knob);
        let is_in_range = (knob.min..=knob.max).contains(&value);
        assert!(is_in_range, "--{} {value}", knob.key);
        assert!(
            !knob.whole || value.fract() == 0.0,
            "--{} {value}",
            knob.key
        );
    }
}

/// Asserts that `line` parses to `settings`. Compares only knobs whose owner is `included`.
fn assert_reproduced(settings: &Settings, line: &str, included: fn(Owner) -> bool) {
    let Ok((parsed, Invocation::Run(_) | Invocation::Window(_))) = parse(line.split(' ')) else {
        panic!("{line} is rejected");
    };
    assert_eq!(parsed.strategy.key, settings.strategy.key, "{line}");
    assert_eq!(parsed.frame_loop.key, settings.frame_loop.key, "{line}");
    assert_eq!(parsed.seed, settings.seed, "{line}");
    assert_eq!(parsed.target, settings.target, "{line}");
    for (owner, knob) in all_knobs() {
        if included(owner) {
            let (value, expected) = (parsed.knobs.get(knob), settings.knobs.get(knob));
            assert_eq!(value, expected, "--{} in {line}", knob.key);
        }
    }
}

#[cfg(test)] // not in the fuzz target
mod tests {
    use super::check;
    use lab::sim::settings::all_knobs;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    const COMMANDS: [&str; 6] = ["run", "compare", "sweep", "list", "", "walk"];

    /// Flags that belong to no knob, with their values.
    const FLAGS: &str = "--strategy time-budget,--strategy every-frame,--loop fixed-step,--seed 7,--target 0.5,0.25,--frames 9,\
        --seconds 2,--csv -,--events a.csv,--trace -,--json,--summary,--over entities=5..50,--steps 3,\
        --view compare,--size 900x600,--worst-s 1,--near-ms 20,--tasks-ms 3,--no-budget-limit,--still 5,--vsync off,\
        --screenshot a.png,--record a.gif,--log -,--costs missing.txt,--help,--version,--frame";

    fn knob_flag() -> impl Strategy<Value = String> {
        let knobs: Vec<_> = all_knobs().into_iter().map(|(_, knob)| knob).collect();
        (select(knobs), 0.0..=1.0_f64).prop_map(|(knob, at)| {
            let value = knob.min + at * (knob.max - knob.min);
            let value = if knob.whole { value.round() } else { value };
            format!("--{}\n{value}", knob.key)
        })
    }

    fn other_flag() -> impl Strategy<Value = String> {
        let flags = FLAGS.split(",--").map(|flag| flag.replace(' ', "\n"));
        let flags = flags.map(|flag| format!("--{}", flag.trim_start_matches("--")));
        select(flags.collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn a_line_is_parsed_or_rejected(
            command in select(&COMMANDS),
            flags in vec(prop_oneof![knob_flag(), other_flag()], 0..6),
        ) {
            check(format!("{command}\n{}", flags.join("\n")).trim().as_bytes());
        }

        #[test]
        fn a_flag_with_any_value_is_parsed_or_rejected(
            command in select(&COMMANDS),
            flag in prop_oneof![knob_flag(), other_flag()],
            value in vec(any::<u8>(), 0..9),
        ) {
            let flag = flag.split('\n').next().unwrap_or_default();
            check(&[command.as_bytes(), flag.as_bytes(), &value].join(&b'\n'));
        }
    }
}
