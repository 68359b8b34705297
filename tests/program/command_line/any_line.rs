//! Properties of every command line. The fuzz target in `fuzz/` includes this file.

use headless::io::cli::{Invocation, VIEWS, parse};
use headless::io::commands::Over;
use headless::io::settings_file::{run_line, window_line};
use headless::sim::settings::{Owner, Settings, all_knobs};
use std::ffi::OsString;

/// Parses bytes as a command line with one argument per line. Asserts that the line is rejected with a message, or that
/// its settings are in range. A command line generated from these settings, for `run` or for the window, must give the
/// same settings again.
pub fn check(bytes: &[u8]) {
    let words = bytes.split(|byte| *byte == b'\n').map(word);
    let parsed = parse(std::iter::once(OsString::from("timeslice-lab")).chain(words));
    match parsed {
        // The generated command line would expect the costs file in another place.
        Ok((settings, _)) if settings.own_costs.is_some() => assert_in_range(&settings),
        Ok((settings, Invocation::Run(_))) => {
            assert_in_range(&settings);
            assert_reproduced(&settings, &run_line(&settings, 1), |_| true);
        }
        Ok((settings, Invocation::Window(options))) => {
            assert_in_range(&settings);
            assert!(VIEWS.contains(&options.view.as_str()));
            let (width, height) = options.size;
            assert!(width > 0 && height > 0);
            let line = window_line(&settings);
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
        Ok((_, Invocation::List { .. })) => {}
        Err(exit) => {
            let cannot_read = exit.text.contains("--costs cannot read");
            assert!(
                [0, 2].contains(&exit.status) || exit.status == 1 && cannot_read,
                "{exit:?}"
            );
            assert!(!exit.text.trim().is_empty(), "{exit:?}");
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
