//! Where the output goes, and what is left when it cannot go there.

use crate::lab::{command, folder, lab, stdout};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

const BUSY: &str =
    "run --entities 60 --churn-per-s 20 --requests-per-s 4 --cost-spread 1 --frames 200";

#[test]
fn files_hold_what_standard_output_would() {
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
fn a_path_that_cannot_be_written_ends_with_status_1() {
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
fn a_reader_that_leaves_early_ends_the_run_quietly() {
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

/// A file system of so few kilobytes, or one that nobody can write to; gone with the value.
#[cfg(target_os = "linux")]
struct Mounted(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl Mounted {
    /// None where that is not allowed, which the test says.
    fn new(name: &str, options: &str) -> Option<Self> {
        let mounted = Self(folder(name));
        let mut mount = std::process::Command::new("mount");
        let mount = mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]);
        let done = mount.arg(&mounted.0).stderr(Stdio::null()).status();
        if done.is_ok_and(|status| status.success()) {
            return Some(mounted);
        }
        eprintln!("SKIPPED: only the system's administrator may mount {name}");
        None
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn count(&self) -> usize {
        fs::read_dir(&self.0).expect("it is there").count()
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
fn of_files_that_fill_the_disk_nothing_is_left() {
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
        let done = lab(&[&run[..], &files].concat());
        assert_eq!(done.status, 1, "{files:?}");
        let full = done.stderr.contains("No space left on device");
        let says = done.stderr.contains("cannot write ") && done.stderr.lines().count() == 1;
        assert!(full && says, "{}", done.stderr);
        assert_eq!(disk.count(), 0, "{files:?}");
    }
    // What was there before is as it was.
    fs::write(&csv, "before").expect("there is room for so much");
    assert_eq!(lab(&[&run[..], &["--csv", &csv]].concat()).status, 1);
    assert_eq!(fs::read_to_string(&csv).expect("it is there"), "before");
    assert_eq!(disk.count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_without_write_access_is_named_before_the_run() {
    let Some(disk) = Mounted::new("read-only", "ro,size=64k") else {
        return;
    };
    for flag in ["--csv", "--events", "--trace"] {
        let path = disk.path("out");
        let done = lab(&["run", "--frames", "1000000000", flag, &path]);
        assert_eq!((done.status, done.stdout.as_str()), (1, ""), "{flag}");
        let says = format!("timeslice-lab: cannot write {path}: Read-only file system");
        assert!(done.stderr.starts_with(&says), "{}", done.stderr);
        assert_eq!(disk.count(), 0);
    }
}

/// A run without end that has begun to write all its files, and its folder.
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
        let entries = fs::read_dir(&folder).expect("it was made").flatten();
        entries.filter(is_written).count()
    };
    while written() < 2 {
        std::thread::yield_now();
    }
    (child, folder)
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_so_and_leaves_no_file() {
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let (child, folder) = endless(&format!("interrupted-{signal}"));
        let number = child.id().to_string();
        let kill = std::process::Command::new("kill");
        let told = { kill }.args(["-s", signal, &number]).status();
        assert!(told.expect("every Unix has it").success());
        let output = child.wait_with_output().expect("it ends");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{complaint}");
        assert!(
            complaint.starts_with("timeslice-lab: interrupted after "),
            "{complaint}"
        );
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 0);
    }
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_nothing_under_a_final_name() {
    let (mut child, folder) = endless("killed");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    for entry in fs::read_dir(&folder).expect("it is there").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(name.ends_with(".partial"), "{name}");
    }
}
