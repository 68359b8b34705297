//! Readers that close the pipe, full disks, and runs that are interrupted.

use crate::command_line::lab::{command, started};
use std::io::{BufRead, BufReader};

#[test]
fn a_reader_that_leaves_early_ends_the_run() {
    for output in ["--csv", "--events"] {
        let mut child = started(&["run", "--frames", "1000000000", output, "-"]);
        let mut reader = BufReader::new(child.stdout.take().expect("piped"));
        let mut first = String::new();
        reader.read_line(&mut first).expect("a line");
        assert!(first.starts_with("frame,"));
        drop(reader);
        let output = child.wait_with_output().expect("the run ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*stderr), (Some(0), ""));
    }
}

#[test]
fn without_a_reader_the_status_is_the_same() {
    let broken_pipe = || {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        writer
    };
    for line in [
        "run --frames 5",
        "run --seconds 60",
        "sweep --json --frames 5 --steps 2",
        "list",
        "list --json",
        "run --help",
        "--version",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let output = command(&words).stdout(broken_pipe()).output();
        let output = output.expect("the program starts");
        assert_eq!(output.status.code(), Some(0), "{line}");
        assert!(output.stderr.is_empty(), "{line}");
    }
    for (line, status) in [("run --entities many", 2), ("run --csv /nowhere/a.csv", 1)] {
        let words: Vec<&str> = line.split(' ').collect();
        let exited = command(&words).stderr(broken_pipe()).status();
        let exited = exited.expect("the program starts");
        assert_eq!(exited.code(), Some(status), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_exits_with_status_1() {
    use crate::command_line::lab::lab;
    for output in ["--csv", "--events", "--trace"] {
        let exited = lab(&format!("run {output} /dev/full"));
        assert_eq!(exited.status, 1, "{output}");
        let with_cause = exited.stderr.contains("/dev/full: ");
        assert!(with_cause, "{}", exited.stderr);
    }
    let full = std::fs::File::create("/dev/full").expect("Linux has /dev/full");
    let output = command(&["run"]).stdout(full).output();
    let output = output.expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("standard output: ") && !stderr.contains("panicked"));
}

#[cfg(unix)]
mod interrupted {
    use crate::command_line::lab::{folder, signalled, started};
    use std::fs::{self, DirEntry};

    /// Starts a run that writes two files, and interrupts it. Asserts its exit status, and returns its standard error
    /// and the names of the files that it leaves.
    fn interrupted(signal: &str, status: Option<i32>) -> (String, Vec<String>) {
        let folder = folder(&format!("interrupted-{signal}"));
        let [csv, trace] = ["a.csv", "a.json"].map(|name| folder.join(name).display().to_string());
        let run = ["run", "--frames", "1000000000"];
        let child = started(&[&run[..], &["--csv", &csv, "--trace", &trace]].concat());
        let entries = || fs::read_dir(&folder).expect("the folder exists").flatten();
        let is_written = |file: &DirEntry| file.metadata().is_ok_and(|it| it.len() > 0);
        while entries().filter(is_written).count() < 2 {
            std::thread::yield_now();
        }
        let output = signalled(child, signal);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), status, "{stderr}");
        let names = entries().map(|entry| entry.file_name().to_string_lossy().into_owned());
        (stderr, names.collect())
    }

    #[test]
    fn ctrl_c_removes_incomplete_files() {
        let (stderr, names) = interrupted("INT", Some(130));
        let start = "timeslice-lab: interrupted after ";
        assert!(stderr.starts_with(start) && stderr.lines().count() == 1);
        assert!(names.is_empty(), "{names:?}");
    }

    #[test]
    fn files_of_a_run_that_is_ended_never_have_their_final_name() {
        assert!(interrupted("TERM", Some(130)).1.is_empty());
        // A killed program cannot remove its files.
        let (_, names) = interrupted("KILL", None);
        assert!(names.iter().all(|it| it.ends_with(".partial")), "{names:?}");
    }
}
