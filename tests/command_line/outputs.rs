//! Where the output goes, and what is left when it cannot go there.

use crate::lab::{command, folder, lab, stdout};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

const BUSY: &str =
    "run --entities 60 --churn-per-s 20 --requests-per-s 4 --cost-spread 1 --frames 200";

#[test]
fn files_hold_what_standard_output_would_and_standard_output_stays_empty() {
    let folder = folder("files");
    let (csv, list) = (folder.join("frames.csv"), folder.join("events.csv"));
    let (csv_name, list_name) = (csv.display(), list.display());
    let nothing = stdout(&format!("{BUSY} --csv {csv_name} --events {list_name}"));
    assert_eq!(nothing, "");
    assert_eq!(fs::read_to_string(&csv).unwrap(), stdout(BUSY));
    let events = stdout(&format!("{BUSY} --events -"));
    assert_eq!(fs::read_to_string(&list).unwrap(), events);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing else");
}

#[test]
fn the_summary_goes_to_standard_error_and_changes_nothing_else() {
    let words: Vec<&str> = BUSY.split_whitespace().chain(["--summary"]).collect();
    let done = lab(&words);
    assert_eq!(done.status, 0);
    assert_eq!(done.stdout, stdout(BUSY));
    assert!(done.stderr.contains("200 frames"), "{}", done.stderr);
}

#[test]
fn one_seed_brings_the_same_bytes_and_another_others() {
    let run = |seed| {
        stdout(&format!(
            "{BUSY} --strategy time-budget --seed {seed} --events -"
        ))
    };
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}

#[test]
fn a_path_that_cannot_be_written_is_status_1_with_its_cause_and_leaves_nothing() {
    let folder = folder("unwritable");
    let good = folder.join("good.csv");
    let good = good.to_str().expect("text");
    let missing = folder.join("missing").join("out.csv");
    for bad in [&missing, &folder] {
        let bad = bad.to_str().expect("text");
        for words in [
            vec!["run", "--csv", bad],
            vec!["run", "--events", bad],
            vec!["run", "--csv", good, "--events", bad],
            vec!["run", "--csv", bad, "--events", good],
        ] {
            let done = lab(&words);
            assert_eq!((done.status, done.stdout.as_str()), (1, ""), "{words:?}");
            let says = format!("cannot write {bad}: ");
            assert!(done.stderr.contains(&says), "{}", done.stderr);
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{words:?}");
        }
    }
}

#[test]
fn two_outputs_in_one_place_are_refused() {
    let folder = folder("same");
    let path = folder.join("out.csv");
    for place in [path.to_str().expect("text"), "-"] {
        let done = lab(&["run", "--frames", "50", "--csv", place, "--events", place]);
        assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{place}");
        for part in ["--csv", "--events", &format!("'{place}'")] {
            assert!(done.stderr.contains(part), "{}", done.stderr);
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    }
}

#[test]
fn a_reader_that_leaves_after_the_first_line_ends_the_run_without_a_complaint() {
    for line in [
        "run --frames 1000000000",
        "run --frames 1000000000 --events -",
    ] {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut child = command(&words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut reader = BufReader::new(child.stdout.take().expect("piped"));
        let mut first = String::new();
        reader.read_line(&mut first).expect("a line");
        assert!(first.starts_with("frame,"));
        drop(reader);
        let output = child.wait_with_output().expect("it ends");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*complaint), (Some(0), ""), "{line}");
    }
}

/// The status and the complaint of a program whose output nobody has ever read.
fn unread(line: &str) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let words: Vec<&str> = line.split_whitespace().collect();
    let output = command(&words).stdout(writer).output();
    let output = output.expect("the program starts");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), complaint)
}

#[test]
fn nobody_reading_at_all_is_no_panic() {
    for line in ["run --frames 5", "run --seconds 60", "list", "list --json"] {
        assert_eq!(unread(line), (Some(0), String::new()), "{line}");
    }
}

#[test]
fn help_that_nobody_reads_is_no_panic() {
    for line in ["--help", "run --help", "--version"] {
        assert_eq!(unread(line), (Some(0), String::new()), "{line}");
    }
}

#[test]
fn a_complaint_that_nobody_reads_keeps_its_status() {
    for (line, status) in [("run --entities many", 2), ("run --csv /nowhere/a.csv", 1)] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let words: Vec<&str> = line.split_whitespace().collect();
        let done = command(&words).stderr(writer).status();
        assert_eq!(done.expect("it starts").code(), Some(status), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_status_1_with_its_cause() {
    for words in [
        ["run", "--csv", "/dev/full"],
        ["run", "--events", "/dev/full"],
    ] {
        let done = lab(&words);
        assert_eq!(done.status, 1, "{words:?}");
        assert!(
            done.stderr.contains("cannot write /dev/full: "),
            "{}",
            done.stderr
        );
    }
    let full = fs::File::create("/dev/full").expect("Linux has it");
    let output = command(&["run"]).stdout(full).output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        complaint.starts_with("timeslice-lab: cannot write "),
        "{complaint}"
    );
    assert!(!complaint.contains("panicked"));
}
