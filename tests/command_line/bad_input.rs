//! Bad arguments: status 2, the flag, the value and what is allowed on standard error, nothing else.

use crate::lab::lab;
use timeslice::frame_loop::FRAME_LOOPS;
use timeslice::strategy::STRATEGIES;
use timeslice_lab::sim::settings::all_knobs;

fn assert_refused(words: &[&str], parts: &[&str]) {
    let done = lab(words);
    assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{words:?}");
    for part in parts {
        let named = done.stderr.contains(part);
        assert!(named, "{words:?}: no {part} in {}", done.stderr);
    }
    assert!(!done.stderr.contains("panicked"), "{}", done.stderr);
}

#[test]
fn every_knob_refuses_values_out_of_range_and_other_text() {
    for (_, knob) in all_knobs() {
        let flag = format!("--{}", knob.key);
        let (min, max) = (knob.min.to_string(), knob.max.to_string());
        let (above, below) = ((knob.max + 1.0).to_string(), (knob.min - 1.0).to_string());
        for bad in [above.as_str(), &below, "NaN", "inf", "many", "", "1,5"] {
            let quoted = format!("'{bad}'");
            assert_refused(&["run", &flag, bad], &[&flag, &quoted, &min, &max]);
        }
        if knob.whole {
            assert_refused(&["run", &flag, "1.5"], &[&flag, "'1.5'", "whole number"]);
        }
        assert_refused(&["run", &flag], &[&flag]);
    }
}

#[test]
fn an_unknown_key_is_answered_with_every_known_one() {
    let strategies: Vec<&str> = STRATEGIES.iter().map(|entry| entry.key).collect();
    let loops: Vec<&str> = FRAME_LOOPS.iter().map(|entry| entry.key).collect();
    for bad in ["fixed", "Every-Frame", "é"] {
        let quoted = format!("'{bad}'");
        assert_refused(&["run", "--strategy", bad], &strategies);
        assert_refused(&["run", "--strategy", bad], &["--strategy", &quoted]);
        assert_refused(&["run", "--loop", bad], &loops);
        assert_refused(&["run", "--loop", bad], &["--loop", &quoted]);
    }
}

#[test]
fn lengths_and_seeds_out_of_range_are_refused() {
    for (flag, bad, allowed) in [
        ("--frames", "-1", "from 0"),
        ("--frames", "1.5", "whole number"),
        ("--seconds", "-0.1", "from 0 to 604800"),
        ("--seconds", "NaN", "from 0 to 604800"),
        ("--seconds", "1e300", "from 0 to 604800"),
        ("--seed", "-1", "from 0 to 18446744073709551615"),
        ("--seed", "18446744073709551616", "from 0 to"),
    ] {
        assert_refused(&["run", flag, bad], &[flag, &format!("'{bad}'"), allowed]);
    }
    assert_refused(
        &["run", "--frames", "5", "--seconds", "1"],
        &["--frames", "--seconds"],
    );
}

#[test]
fn unknown_flags_and_commands_are_refused_by_name() {
    assert_refused(&["run", "--entitys", "5"], &["--entitys", "--entities"]);
    assert_refused(&["list", "--entities", "5"], &["--entities"]);
    assert_refused(&["runs"], &["runs"]);
    assert_refused(&["run", "faster"], &["faster"]);
    assert_refused(&["run", "--seed", "1", "--seed", "2"], &["--seed"]);
}

#[cfg(unix)]
#[test]
fn words_that_are_no_text_are_refused_without_a_panic() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    for words in [["--strategy"], ["--entities"], ["--seconds"]] {
        let mut command = crate::lab::command(&["run"]);
        let output = command.args(words).arg(OsStr::from_bytes(b"\xff")).output();
        let output = output.expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(output.stdout.is_empty());
    }
}
