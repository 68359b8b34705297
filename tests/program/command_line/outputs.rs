//! Output to files, pipes and full disks, and interrupted runs.

use crate::command_line::lab::{command, folder, lab, stdout};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

const BUSY: &str =
    "run --entities 60 --churn-per-s 20 --requests-per-s 4 --cost-spread 1 --frames 200";

#[test]
fn files_and_standard_output_have_the_same_contents() {
    let folder = folder("files");
    let (csv, events) = (folder.join("frames.csv"), folder.join("events.csv"));
    let (csv_name, events_name) = (csv.display(), events.display());
    let printed = stdout(&format!("{BUSY} --csv {csv_name} --events {events_name}"));
    assert_eq!(printed, "");
    assert_eq!(fs::read_to_string(&csv).unwrap(), stdout(BUSY));
    let printed = stdout(&format!("{BUSY} --events -"));
    assert_eq!(fs::read_to_string(&events).unwrap(), printed);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "no other file");
}

#[test]
fn the_summary_goes_to_standard_error() {
    let words: Vec<&str> = BUSY.split_whitespace().chain(["--summary"]).collect();
    let exited = lab(&words);
    assert_eq!(exited.status, 0);
    assert_eq!(exited.stdout, stdout(BUSY));
    assert!(exited.stderr.contains("200 frames"), "{}", exited.stderr);
}

#[test]
fn the_seed_alone_determines_the_output() {
    let run = |seed| {
        stdout(&format!(
            "{BUSY} --strategy time-budget --seed {seed} --events -"
        ))
    };
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}

#[test]
fn an_unwritable_path_exits_with_status_1() {
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
            let exited = lab(&words);
            assert_eq!(
                (exited.status, exited.stdout.as_str()),
                (1, ""),
                "{words:?}"
            );
            let with_cause = exited.stderr.contains(&format!("{bad}: "));
            assert!(with_cause, "{}", exited.stderr);
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{words:?}");
        }
    }
}

#[test]
fn two_outputs_to_one_file_are_rejected() {
    let folder = folder("same");
    let path = folder.join("out.csv");
    for path in [path.to_str().expect("text"), "-"] {
        let exited = lab(&["run", "--frames", "50", "--csv", path, "--events", path]);
        assert_eq!((exited.status, exited.stdout.as_str()), (2, ""), "{path}");
        for part in ["--csv", "--events", &format!("'{path}'")] {
            assert!(exited.stderr.contains(part), "{}", exited.stderr);
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    }
}

#[test]
fn a_reader_that_leaves_early_ends_the_run() {
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
        let output = child.wait_with_output().expect("the run ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*stderr), (Some(0), ""), "{line}");
    }
}

/// Runs the program with a closed standard output. Returns the exit status and standard error.
fn without_reader(line: &str) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let words: Vec<&str> = line.split_whitespace().collect();
    let output = command(&words).stdout(writer).output();
    let output = output.expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), stderr)
}

#[test]
fn commands_without_a_reader_exit_with_status_0() {
    for line in ["run --frames 5", "run --seconds 60", "list", "list --json"] {
        assert_eq!(without_reader(line), (Some(0), String::new()), "{line}");
    }
}

#[test]
fn help_without_a_reader_exits_with_status_0() {
    for line in ["--help", "run --help", "--version"] {
        assert_eq!(without_reader(line), (Some(0), String::new()), "{line}");
    }
}

#[test]
fn errors_without_a_reader_keep_their_status() {
    for (line, status) in [("run --entities many", 2), ("run --csv /nowhere/a.csv", 1)] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let words: Vec<&str> = line.split_whitespace().collect();
        let exited = command(&words).stderr(writer).status();
        let exited = exited.expect("the program starts");
        assert_eq!(exited.code(), Some(status), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_exits_with_status_1() {
    for words in [
        ["run", "--csv", "/dev/full"],
        ["run", "--events", "/dev/full"],
    ] {
        let exited = lab(&words);
        assert_eq!(exited.status, 1, "{words:?}");
        let with_cause = exited.stderr.contains("/dev/full: ");
        assert!(with_cause, "{}", exited.stderr);
    }
    let full = fs::File::create("/dev/full").expect("Linux has /dev/full");
    let output = command(&["run"]).stdout(full).output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("standard output: "), "{stderr}");
    assert!(!stderr.contains("panicked"));
}

/// A mounted file system, unmounted on drop.
#[cfg(target_os = "linux")]
struct Mounted(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl Mounted {
    /// Mounts a file system in memory with these options. If mounting is not permitted, reports that the test is
    /// skipped and returns `None`.
    fn new(name: &str, options: &str) -> Option<Self> {
        let mounted = Self(folder(name));
        let mut mount = std::process::Command::new("mount");
        let mount = mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]);
        let exited = mount.arg(&mounted.0).stderr(Stdio::null()).status();
        if exited.is_ok_and(|status| status.success()) {
            return Some(mounted);
        }
        eprintln!("SKIPPED: mounting {name} needs root");
        None
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn count(&self) -> usize {
        fs::read_dir(&self.0).expect("the folder exists").count()
    }
}

#[cfg(target_os = "linux")]
impl Drop for Mounted {
    fn drop(&mut self) {
        let mut umount = std::process::Command::new("umount");
        let _ = umount.arg(&self.0).stderr(Stdio::null()).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn files_that_fill_the_disk_are_removed() {
    let Some(disk) = Mounted::new("tiny-disk", "size=64k") else {
        return;
    };
    let (csv, events, trace) = (disk.path("a.csv"), disk.path("b.csv"), disk.path("c.json"));
    let run = ["run", "--frames", "100000", "--entities", "50"];
    for files in [
        vec!["--csv", &csv],
        vec!["--csv", "/dev/null", "--events", &events],
        vec!["--csv", "/dev/null", "--trace", &trace],
        vec!["--csv", &csv, "--events", &events, "--trace", &trace],
    ] {
        let exited = lab(&[&run[..], &files].concat());
        assert_eq!(exited.status, 1, "{files:?}");
        let is_full = exited.stderr.contains("No space left on device");
        let is_one_line = exited.stderr.lines().count() == 1;
        assert!(is_full && is_one_line, "{}", exited.stderr);
        assert_eq!(disk.count(), 0, "{files:?}");
    }
    // An existing file keeps its contents.
    fs::write(&csv, "before").expect("the disk has room");
    assert_eq!(lab(&[&run[..], &["--csv", &csv]].concat()).status, 1);
    assert_eq!(fs::read_to_string(&csv).expect("the file exists"), "before");
    assert_eq!(disk.count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_is_reported_before_the_run() {
    let Some(disk) = Mounted::new("read-only", "ro,size=64k") else {
        return;
    };
    for flag in ["--csv", "--events", "--trace"] {
        let path = disk.path("out");
        let exited = lab(&["run", "--frames", "1000000000", flag, &path]);
        assert_eq!((exited.status, exited.stdout.as_str()), (1, ""), "{flag}");
        let expected = format!("timeslice-lab: cannot write {path}: Read-only file system");
        assert!(exited.stderr.starts_with(&expected), "{}", exited.stderr);
        assert_eq!(disk.count(), 0);
    }
}

/// Starts a run that does not end by itself, and waits until it has written to both of its files. Returns the process
/// and the folder of the files.
#[cfg(unix)]
fn endless(name: &str) -> (std::process::Child, std::path::PathBuf) {
    let folder = folder(name);
    let path = |name: &str| folder.join(name).display().to_string();
    let (csv, trace) = (path("frames.csv"), path("trace.json"));
    let words = ["run", "--frames", "1000000000", "--csv", &csv];
    let child = command(&[&words[..], &["--trace", &trace]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let is_written = |entry: &fs::DirEntry| entry.metadata().is_ok_and(|it| it.len() > 0);
    let written = || {
        let entries = fs::read_dir(&folder).expect("the folder exists").flatten();
        entries.filter(is_written).count()
    };
    while written() < 2 {
        std::thread::yield_now();
    }
    (child, folder)
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_no_file() {
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let (child, folder) = endless(&format!("interrupted-{signal}"));
        let id = child.id().to_string();
        let kill = std::process::Command::new("kill")
            .args(["-s", signal, &id])
            .status();
        assert!(kill.expect("every Unix has kill").success());
        let output = child.wait_with_output().expect("the run ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{stderr}");
        assert!(
            stderr.starts_with("timeslice-lab: interrupted after "),
            "{stderr}"
        );
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert_eq!(fs::read_dir(&folder).expect("the folder exists").count(), 0);
    }
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_only_partial_files() {
    let (mut child, folder) = endless("killed");
    child.kill().expect("the run has not ended");
    child.wait().expect("the run ends");
    for entry in fs::read_dir(&folder).expect("the folder exists").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(name.ends_with(".partial"), "{name}");
    }
}
