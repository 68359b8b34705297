//! Readers that leave, disks that are full, and runs that are interrupted.

use crate::command_line::lab::{command, folder, lab};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

#[test]
fn a_reader_that_leaves_early_ends_the_run() {
    for output in ["--csv", "--events"] {
        let mut child = command(&["run", "--frames", "1000000000", output, "-"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
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
    for output in ["--csv", "--events", "--trace"] {
        let exited = lab(&format!("run {output} /dev/full"));
        assert_eq!(exited.status, 1, "{output}");
        let with_cause = exited.stderr.contains("/dev/full: ");
        assert!(with_cause, "{}", exited.stderr);
    }
    let full = fs::File::create("/dev/full").expect("Linux has /dev/full");
    let output = command(&["run"]).stdout(full).output();
    let output = output.expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("standard output: ") && !stderr.contains("panicked"));
}

/// A mounted file system, unmounted on drop.
struct Mounted(PathBuf);

impl Mounted {
    /// Mounts a file system in memory with these options. If mounting is not permitted, reports that the test is
    /// skipped and returns `None`.
    fn new(name: &str, options: &str) -> Option<Self> {
        let mounted = Self(folder(name));
        let mut mount = Command::new("mount");
        let mount = mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]);
        let exited = mount.arg(&mounted.0).stderr(Stdio::null()).status();
        if exited.is_ok_and(|status| status.success()) {
            return Some(mounted);
        }
        eprintln!("SKIPPED: mounting {name} needs root");
        None
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let mut umount = Command::new("umount");
        let _ = umount.arg(&self.0).stderr(Stdio::null()).status();
    }
}

fn files_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder exists").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.collect()
}

#[cfg(target_os = "linux")]
#[test]
fn files_that_fill_the_disk_are_removed() {
    let Some(disk) = Mounted::new("tiny-disk", "size=64k") else {
        return;
    };
    let path = disk.0.display();
    for outputs in [
        format!("--csv {path}/a.csv"),
        format!("--csv /dev/null --events {path}/b.csv"),
        format!("--csv {path}/a.csv --events {path}/b.csv --trace {path}/c.json"),
    ] {
        let exited = lab(&format!("run --frames 100000 --entities 50 {outputs}"));
        assert_eq!(exited.status, 1, "{outputs}");
        let is_full = exited.stderr.contains("No space left on device");
        assert!(is_full && exited.stderr.lines().count() == 1);
        assert!(files_in(&disk.0).is_empty(), "{outputs}");
    }
    // An existing file keeps its contents.
    let csv = disk.0.join("a.csv");
    fs::write(&csv, "before").expect("the disk has room");
    assert_eq!(
        lab(&format!("run --frames 100000 --csv {path}/a.csv")).status,
        1
    );
    assert_eq!(fs::read_to_string(&csv).expect("the file exists"), "before");
    assert_eq!(files_in(&disk.0), ["a.csv"]);
}

/// Starts a run that does not end by itself, and waits until it has written to both of its files.
fn endless(folder: &Path) -> Child {
    let path = |name: &str| folder.join(name).display().to_string();
    let (csv, trace) = (path("frames.csv"), path("trace.json"));
    let words = ["run", "--frames", "1000000000", "--csv", &csv];
    let child = command(&[&words[..], &["--trace", &trace]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let is_written = |name: &String| fs::metadata(folder.join(name)).is_ok_and(|it| it.len() > 0);
    while files_in(folder)
        .iter()
        .filter(|name| is_written(name))
        .count()
        < 2
    {
        std::thread::yield_now();
    }
    child
}

#[cfg(unix)]
#[test]
fn interrupted_runs_leave_no_file() {
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let folder = folder(&format!("interrupted-{signal}"));
        let child = endless(&folder);
        let id = child.id().to_string();
        let kill = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(kill.expect("every Unix has kill").success());
        let output = child.wait_with_output().expect("the run ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{stderr}");
        let start = "timeslice-lab: interrupted after ";
        assert!(stderr.starts_with(start) && stderr.lines().count() == 1);
        assert!(files_in(&folder).is_empty());
    }
}
