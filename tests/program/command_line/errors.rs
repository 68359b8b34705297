//! Errors: the exit status is 2 for a bad argument and 1 for anything else. Standard output is empty, and standard
//! error has one sentence that names the flag, the value and what is allowed. The parser's unit tests check the
//! sentences themselves.

use crate::command_line::lab::{folder, lab};
use headless::catalog::frame_loop::FRAME_LOOPS;
use headless::catalog::strategy::STRATEGIES;
use headless::io::cli::parse;
use headless::sim::settings::all_knobs;
use std::fs;

/// Returns the error for these arguments, or an empty string if they are valid.
fn error_of(words: &[&str]) -> String {
    let all = std::iter::once("timeslice-lab").chain(words.iter().copied());
    match parse(all) {
        Ok(_) => String::new(),
        Err(exit) => {
            assert_eq!(exit.status, 2, "{words:?}");
            exit.text
        }
    }
}

#[test]
fn knobs_accept_their_range_and_reject_all_else() {
    for (_, knob) in all_knobs() {
        let flag = format!("--{}", knob.key);
        let (min, max) = (knob.min.to_string(), knob.max.to_string());
        for good in [&min, &max] {
            assert_eq!(error_of(&["run", &flag, good]), "", "{flag} {good}");
        }
        let (above, below) = ((knob.max + 1.0).to_string(), (knob.min - 1.0).to_string());
        let fraction = if knob.whole { "1.5" } else { "1,5" };
        for bad in [&above, &below, "NaN", "inf", "many", "", fraction] {
            let error = error_of(&["run", &flag, bad]);
            for part in [&flag, &format!("'{bad}'"), &min, &max] {
                assert!(error.contains(part), "{flag} {bad}: {error}");
            }
        }
        assert!(error_of(&["run", &flag]).contains(&flag));
    }
}

#[test]
fn keys_of_entries_are_listed() {
    let strategies: Vec<&str> = STRATEGIES.iter().map(|entry| entry.key).collect();
    let loops: Vec<&str> = FRAME_LOOPS.iter().map(|entry| entry.key).collect();
    for (flag, keys) in [("--strategy", strategies), ("--loop", loops)] {
        for bad in ["fixed", "Every-Frame", "é", "0", "99"] {
            let error = error_of(&["run", flag, bad]);
            let (all, quoted) = (keys.join(", "), format!("'{bad}'"));
            for part in [flag, &all, &quoted] {
                assert!(error.contains(part), "{error}");
            }
        }
    }
}

#[test]
fn errors_have_their_status_stream_and_words() {
    let folder = folder("errors");
    let path = folder.display();
    let missing = format!("{path}/missing/out");
    let good = format!("{path}/good.csv");
    let names = |path: &str| format!("{path}: ");
    let (folder_as_file, no_folder) = (names(&path.to_string()), names(&missing));
    let cases: [(&str, i32, &[&str]); 12] = [
        ("run --entities -1", 2, &["--entities", "'-1'"]),
        ("compare --seconds 1e-300", 2, &["--seconds", "'1e-300'"]),
        ("run --frames 5 --seconds 1", 2, &["--frames", "--seconds"]),
        ("run --seed 1 --seed 2", 2, &["--seed"]),
        ("run --entitys 5", 2, &["--entitys", "--entities"]),
        ("list --entities 5", 2, &["--entities"]),
        ("runs", 2, &["runs"]),
        ("run --csv - --trace -", 2, &["--csv", "--trace", "'-'"]),
        (&format!("run --csv {path}"), 1, &[&folder_as_file]),
        (
            &format!("run --csv {good} --events {missing}"),
            1,
            &[&no_folder],
        ),
        (
            &format!("run --events {good} --csv {missing}"),
            1,
            &[&no_folder],
        ),
        // This error is reported before the run, which would never end.
        (
            &format!("run --frames 1000000000 --trace {missing}"),
            1,
            &[&no_folder],
        ),
    ];
    for (line, status, parts) in cases {
        let exited = lab(line);
        let (actual, stdout) = (exited.status, exited.stdout.as_str());
        assert_eq!((actual, stdout), (status, ""), "{line}");
        for part in parts {
            assert!(exited.stderr.contains(part), "{line}: {}", exited.stderr);
        }
        assert!(!exited.stderr.contains("panicked"), "{}", exited.stderr);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{line}");
    }
}

#[cfg(unix)]
#[test]
fn invalid_utf8_is_rejected_without_a_panic() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    for flag in ["--strategy", "--entities", "--seconds"] {
        let mut command = crate::command_line::lab::command(&["run", flag]);
        let output = command.arg(OsStr::from_bytes(b"\xff")).output();
        let output = output.expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{flag}");
        assert!(output.stdout.is_empty());
    }
}
