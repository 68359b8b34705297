//! Exports of each view. The command in an export's `settings.txt` reproduces the export.

use crate::window::support::lab::Lab;
use crate::window::support::picture::Picture;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Presses the key for exports. Returns the new folder.
fn export(lab: &mut Lab) -> PathBuf {
    let line = lab.press_for("d", "exported");
    let name = line.text.strip_prefix("exported ").expect("a name");
    lab.folder().join(name)
}

fn read(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Asserts that the folder has these files and a picture of this size.
fn assert_contains(folder: &Path, names: &[&str], size: (u32, u32)) {
    let entries = fs::read_dir(folder).expect("the folder exists");
    let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("text");
    let mut found: Vec<String> = entries.map(|entry| name(entry.expect("a file"))).collect();
    found.sort();
    assert_eq!(found, names);
    let picture = Picture::read(&folder.join("picture.png"));
    assert_eq!((picture.width, picture.height), size);
}

/// Returns the line with this command in the folder's `settings.txt`.
fn line(folder: &Path, command: &str) -> String {
    let settings = read(folder, "settings.txt");
    let mut lines = settings.lines();
    let line = lines.find(|line| line.starts_with(&format!("timeslice-lab {command} ")));
    line.unwrap_or_else(|| panic!("no {command} in {settings}"))
        .to_owned()
}

/// Runs a command line with additional flags. Returns its standard output.
fn stdout(line: &str, more: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_timeslice-lab"))
        .args(line.split(' ').skip(1))
        .args(more)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{line}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

const COMPARE_FILES: [&str; 4] = ["compare.json", "compare.txt", "picture.png", "settings.txt"];
const GRID_FILES: [&str; 4] = ["frames.csv", "picture.png", "settings.txt", "trace.json"];
const LOOPS_FILES: [&str; 3] = ["loops.json", "picture.png", "settings.txt"];

#[test]
fn comparisons_match_their_commands() {
    let flags = [
        "--view",
        "compare",
        "--seed",
        "7",
        "--entities",
        "300",
        "--churn-per-s",
        "15",
        "--cost-us",
        "180",
        "--cost-spread",
        "0.8",
        "--loop",
        "fixed-step",
        "--interval-s",
        "0.3",
        "--size",
        "700x400",
    ];
    let Some(mut lab) = Lab::open_still(1, 211, &flags) else {
        return;
    };
    for state in ["paused", "running"] {
        let folder = export(&mut lab);
        let line = line(&folder, "compare");
        let [json, text] = [stdout(&line, &["--json"]), stdout(&line, &[])];
        assert_eq!(read(&folder, "compare.json"), json, "{state}");
        assert_eq!(read(&folder, "compare.txt"), text, "{state}");
        assert_contains(&folder, &COMPARE_FILES, (700, 400));
        if state == "paused" {
            lab.press_for("space", "running");
            lab.pictures(10);
        }
    }
}

#[test]
fn frames_of_a_simulated_machine_match_run() {
    let flags = [
        "--strategy",
        "time-budget",
        "--seed",
        "3",
        "--entities",
        "90",
    ];
    let Some(mut lab) = Lab::open_still(1, 300, &flags) else {
        return;
    };
    // The files must match even if the window shows a past frame.
    lab.press_for("Left", "look");
    let folder = export(&mut lab);
    let line = line(&folder, "run");
    assert_eq!(read(&folder, "frames.csv"), stdout(&line, &[]));
    let trace = stdout(&line, &["--trace", "-"]);
    assert_eq!(read(&folder, "trace.json"), trace);
    assert_contains(&folder, &GRID_FILES, (1280, 800));
}

#[test]
fn frames_are_saved_while_running_and_paused() {
    let flags = ["--entities", "30", "--size", "900x600"];
    let Some(mut lab) = Lab::open(&flags) else {
        return;
    };
    lab.frames(30);
    let running = export(&mut lab);
    lab.press_for("space", "paused");
    let paused = export(&mut lab);
    let second = export(&mut lab);
    assert_ne!(paused, second, "a second export needs its own folder");
    let rows = |folder| read(folder, "frames.csv").lines().count() - 1;
    assert!(rows(&running) >= 30 && rows(&paused) > rows(&running));
    assert_eq!(read(&paused, "frames.csv"), read(&second, "frames.csv"));
    let frames = read(&paused, "trace.json")
        .matches("\"name\":\"frame\"")
        .count();
    assert_eq!(frames, rows(&paused));
    for folder in [running, paused, second] {
        assert_contains(&folder, &GRID_FILES, (900, 600));
    }
}

#[test]
fn view_loops_is_exported() {
    let Some(mut lab) = Lab::open_still(1, 300, &["--view", "loops"]) else {
        return;
    };
    let folder = export(&mut lab);
    assert!(read(&folder, "loops.json").contains("\"max-frame-skip\""));
    assert_contains(&folder, &LOOPS_FILES, (1280, 800));
}
