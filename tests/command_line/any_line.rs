//! What holds for every command line there can be. The fuzzer's target (`fuzz/`) is this file, too.

use std::ffi::OsString;
use timeslice_lab::io::cli::{Invocation, VIEWS, parse};
use timeslice_lab::io::cli::{run_line, window_line};
use timeslice_lab::sim::settings::{Owner, Settings, all_knobs};

/// Reads bytes as a command line, its arguments apart by line ends: it is followed with settings in their ranges,
/// which the command lines that bring settings back bring back, or it is refused in words.
pub fn check(bytes: &[u8]) {
    let words = bytes.split(|byte| *byte == b'\n').map(word);
    let asked = parse(std::iter::once(OsString::from("timeslice-lab")).chain(words));
    match asked {
        Ok(Invocation::Run(settings, _)) => {
            in_range(&settings);
            brought_back(&settings, &run_line(&settings, 1), |_| true);
        }
        Ok(Invocation::Window(settings, options)) => {
            in_range(&settings);
            assert!(VIEWS.contains(&options.view));
            let (width, height) = options.size;
            assert!(width > 0 && height > 0);
            let line = window_line(&settings);
            brought_back(&settings, &line, |owner| owner != Owner::Machine);
        }
        Ok(Invocation::Compare(settings, options)) => {
            in_range(&settings);
            assert!(!options.strategies.is_empty());
        }
        Ok(Invocation::List { .. }) => {}
        Err(refusal) => {
            assert!([0, 2].contains(&refusal.status), "{refusal:?}");
            assert!(!refusal.text.trim().is_empty(), "{refusal:?}");
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

fn in_range(settings: &Settings) {
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

fn brought_back(settings: &Settings, line: &str, is_told: fn(Owner) -> bool) {
    let Ok(Invocation::Run(again, _) | Invocation::Window(again, _)) = parse(line.split(' '))
    else {
        panic!("{line} is refused");
    };
    assert_eq!(again.strategy.key, settings.strategy.key, "{line}");
    assert_eq!(again.frame_loop.key, settings.frame_loop.key, "{line}");
    assert_eq!(again.seed, settings.seed, "{line}");
    for (owner, knob) in all_knobs() {
        if is_told(owner) {
            let (value, told) = (settings.knobs.get(knob), again.knobs.get(knob));
            assert_eq!(value, told, "--{} in {line}", knob.key);
        }
    }
}
