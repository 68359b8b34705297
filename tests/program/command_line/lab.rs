//! Runs the program and parses its output.

use std::path::PathBuf;
use std::process::{Command, Stdio};

pub(crate) const HEADER: &str =
    "frame,start_ms,delta_ms,updates,tasks,backlog,task_ms,frame_ms,alpha";
pub(crate) const EVENTS_HEADER: &str = "frame,time_ms,entity,elapsed_ms";

/// Exit status and output of the program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Exited {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

pub(crate) fn command(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_timeslice-lab"));
    command.args(words).stdin(Stdio::null());
    command
}

/// Runs the program with these arguments.
pub(crate) fn lab(words: &[&str]) -> Exited {
    let output = command(words).output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Exited {
        status: output.status.code().expect("no signal"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// Runs the program and returns its standard output. Asserts status 0 and an empty standard error.
pub(crate) fn stdout(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let exited = lab(&words);
    assert_eq!((exited.status, exited.stderr.as_str()), (0, ""), "{line}");
    exited.stdout
}

/// Creates an empty folder for a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder); // from an earlier run
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}

/// Parses a time in milliseconds with six decimals. Returns nanoseconds.
pub(crate) fn nanos(text: &str) -> u64 {
    let (whole, decimals) = text.split_once('.').expect("a decimal point");
    assert_eq!(decimals.len(), 6, "{text}");
    format!("{whole}{decimals}").parse().expect("digits")
}

/// A line of the CSV. Times are in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) number: u64,
    pub(crate) start: u64,
    pub(crate) delta: u64,
    pub(crate) updates: u64,
    pub(crate) tasks: u64,
    pub(crate) backlog: u64,
    pub(crate) in_tasks: u64,
    pub(crate) length: u64,
    pub(crate) alpha: f64,
}

/// A line of the events. Times are in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) frame: u64,
    pub(crate) time: u64,
    pub(crate) entity: u64,
    pub(crate) elapsed: u64,
}

fn rows<'a, const N: usize>(csv: &'a str, header: &str) -> Vec<[&'a str; N]> {
    assert!(csv.ends_with('\n') && !csv.contains('\r'));
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some(header));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            fields.try_into().unwrap_or_else(|_| panic!("{line}"))
        })
        .collect()
}

pub(crate) fn frames(csv: &str) -> Vec<Frame> {
    let whole = |text: &str| text.parse().expect("a whole number");
    rows::<9>(csv, HEADER)
        .into_iter()
        .map(|row| {
            nanos(row[8]); // alpha must have six decimals, too
            Frame {
                number: whole(row[0]),
                start: nanos(row[1]),
                delta: nanos(row[2]),
                updates: whole(row[3]),
                tasks: whole(row[4]),
                backlog: whole(row[5]),
                in_tasks: nanos(row[6]),
                length: nanos(row[7]),
                alpha: row[8].parse().expect("a number"),
            }
        })
        .collect()
}

pub(crate) fn events(csv: &str) -> Vec<Event> {
    let whole = |text: &str| text.parse().expect("a whole number");
    rows::<4>(csv, EVENTS_HEADER)
        .into_iter()
        .map(|row| Event {
            frame: whole(row[0]),
            time: nanos(row[1]),
            entity: whole(row[2]),
            elapsed: nanos(row[3]),
        })
        .collect()
}
