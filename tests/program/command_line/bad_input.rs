//! Invalid arguments: exit status 2, nothing on standard output, and an error that names the flag and the value. The
//! parser's unit tests assert the sentences.

use crate::command_line::lab::lab;
use headless::sim::settings::all_knobs;
use timeslicer::frame_loop::FRAME_LOOPS;
use timeslicer::strategy::STRATEGIES;

fn assert_rejected(words: &[&str], parts: &[&str]) {
    let exited = lab(words);
    assert_eq!(
        (exited.status, exited.stdout.as_str()),
        (2, ""),
        "{words:?}"
    );
    for part in parts {
        let found = exited.stderr.contains(part);
        assert!(found, "{words:?}: no {part} in {}", exited.stderr);
    }
    assert!(!exited.stderr.contains("panicked"), "{}", exited.stderr);
}

#[test]
fn knobs_reject_text_and_values_out_of_range() {
    for (_, knob) in all_knobs() {
        let flag = format!("--{}", knob.key);
        let (min, max) = (knob.min.to_string(), knob.max.to_string());
        let (above, below) = ((knob.max + 1.0).to_string(), (knob.min - 1.0).to_string());
        for bad in [above.as_str(), &below, "NaN", "inf", "many", "", "1,5"] {
            let quoted = format!("'{bad}'");
            assert_rejected(&["run", &flag, bad], &[&flag, &quoted, &min, &max]);
        }
        if knob.whole {
            assert_rejected(&["run", &flag, "1.5"], &[&flag, "'1.5'"]);
        }
        assert_rejected(&["run", &flag], &[&flag]);
    }
}

#[test]
fn an_unknown_key_is_rejected_with_a_list_of_keys() {
    let strategies: Vec<&str> = STRATEGIES.iter().map(|entry| entry.key).collect();
    let loops: Vec<&str> = FRAME_LOOPS.iter().map(|entry| entry.key).collect();
    for bad in ["fixed", "Every-Frame", "é"] {
        let quoted = format!("'{bad}'");
        assert_rejected(&["run", "--strategy", bad], &strategies);
        assert_rejected(&["run", "--strategy", bad], &["--strategy", &quoted]);
        assert_rejected(&["run", "--loop", bad], &loops);
        assert_rejected(&["run", "--loop", bad], &["--loop", &quoted]);
    }
}

#[test]
fn a_number_as_key_is_rejected_with_its_key() {
    let meant = |number: &str, key: &str| format!("'{number}'; number {number} of them is {key}");
    for (number, entry) in (1..).zip(STRATEGIES) {
        let number = number.to_string();
        for command in ["run", "compare"] {
            let parts = ["--strategy", &meant(&number, entry.key)];
            assert_rejected(&[command, "--strategy", &number], &parts);
        }
    }
    for (number, entry) in (1..).zip(FRAME_LOOPS) {
        let number = number.to_string();
        let parts = ["--loop", &meant(&number, entry.key)];
        assert_rejected(&["--loop", &number], &parts);
    }
    for none in ["0", "99"] {
        let exited = lab(&["run", "--loop", none]);
        let keys = FRAME_LOOPS
            .iter()
            .map(|entry| entry.key)
            .collect::<Vec<_>>()
            .join(", ");
        let error = format!("error: --loop takes one of {keys}, not '{none}'\n");
        assert!(exited.stderr.starts_with(&error), "{}", exited.stderr);
    }
}

#[test]
fn compare_rejects_a_length_of_zero() {
    for (flag, bad) in [
        ("--frames", "0"),
        ("--seconds", "0"),
        ("--seconds", "-0"),
        ("--seconds", "1e-300"),
        ("--seconds", "-1"),
        ("--seconds", "NaN"),
    ] {
        for more in [&[][..], &["--json"]] {
            let words = [&["compare", flag, bad], more].concat();
            assert_rejected(&words, &[flag, &format!("'{bad}'")]);
        }
    }
}

#[test]
fn lengths_and_seeds_out_of_range_are_rejected() {
    let largest_seed = u64::MAX.to_string();
    for (flag, bad, allowed) in [
        ("--frames", "-1", "0"),
        ("--frames", "1.5", "0"),
        ("--seconds", "-0.1", "604800"),
        ("--seconds", "NaN", "604800"),
        ("--seconds", "1e300", "604800"),
        ("--seed", "-1", &largest_seed),
        ("--seed", "18446744073709551616", &largest_seed),
    ] {
        assert_rejected(&["run", flag, bad], &[flag, &format!("'{bad}'"), allowed]);
    }
    assert_rejected(
        &["run", "--frames", "5", "--seconds", "1"],
        &["--frames", "--seconds"],
    );
}

#[test]
fn unknown_flags_and_commands_are_named_in_the_error() {
    assert_rejected(&["run", "--entitys", "5"], &["--entitys", "--entities"]);
    assert_rejected(&["list", "--entities", "5"], &["--entities"]);
    assert_rejected(&["runs"], &["runs"]);
    assert_rejected(&["run", "faster"], &["faster"]);
    assert_rejected(&["run", "--seed", "1", "--seed", "2"], &["--seed"]);
}

#[cfg(unix)]
#[test]
fn invalid_utf8_is_rejected_without_a_panic() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    for words in [["--strategy"], ["--entities"], ["--seconds"]] {
        let mut command = crate::command_line::lab::command(&["run"]);
        let output = command.args(words).arg(OsStr::from_bytes(b"\xff")).output();
        let output = output.expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(output.stdout.is_empty());
    }
}
