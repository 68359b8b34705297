//! Errors: the exit status is 2 for a bad argument and 1 for anything else. Standard output is empty, and standard
//! error has one sentence that names the flag, the value and what is allowed. The parser's unit tests check the
//! sentences themselves.

use crate::command_line::lab::{folder, lab};
use std::fs;

#[test]
fn errors_have_their_status_stream_and_words() {
    let folder = folder("errors");
    let path = folder.display();
    let missing = format!("{path}/missing/out");
    let good = format!("{path}/good.csv");
    let bad_costs = env!("CARGO_MANIFEST_PATH");
    let names = |path: &str| format!("{path}: ");
    let (folder_as_file, no_folder) = (names(&path.to_string()), names(&missing));
    let cases: [(&str, i32, &[&str]); 11] = [
        (
            &format!("run --costs {bad_costs}"),
            2,
            &["--costs", bad_costs, "line 1: ", "'[workspace]'"],
        ),
        (
            &format!("run --frame-times {bad_costs}"),
            2,
            &["--frame-times", bad_costs, "line 1: ", "'[workspace]'"],
        ),
        ("run --entities -1", 2, &["--entities", "'-1'"]),
        ("list --entities 5", 2, &["--entities"]),
        ("runs", 2, &["runs"]),
        ("run --csv - --trace -", 2, &["--csv", "--trace", "'-'"]),
        (
            &format!("--still 1 --costs {missing}"),
            1,
            &["--costs cannot read", &no_folder],
        ),
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
    let mut command = crate::command_line::lab::command(&["run", "--strategy"]);
    let output = command.arg(OsStr::from_bytes(b"\xff")).output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
}
