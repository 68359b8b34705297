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
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn read(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Asserts that the folder has these files and a picture of this size, then deletes it.
fn assert_contains(folder: &Path, names: &[&str], size: (u32, u32)) {
    let entries = fs::read_dir(folder).expect("the folder exists");
    let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("text");
    let mut found: Vec<String> = entries.map(|entry| name(entry.expect("a file"))).collect();
    found.sort();
    assert_eq!(found, names);
    let path = folder.join("picture.png");
    let picture = Picture::read(path.to_str().expect("text"));
    assert_eq!((picture.width, picture.height), size);
    fs::remove_dir_all(folder).expect("the folder can be deleted");
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
fn a_still_comparison_matches_its_command() {
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
    ];
    let Some(mut lab) = Lab::open_still(1, 211, &flags) else {
        return;
    };
    let folder = export(&mut lab);
    let line = line(&folder, "compare");
    assert_eq!(read(&folder, "compare.json"), stdout(&line, &["--json"]));
    assert_eq!(read(&folder, "compare.txt"), stdout(&line, &[]));
    assert_contains(&folder, &COMPARE_FILES, (1280, 800));
}

#[test]
fn a_running_comparison_matches_its_command() {
    let Some(mut lab) = Lab::open(&["--entities", "40", "--size", "700x400"]) else {
        return;
    };
    lab.press_for("F2", "view compare");
    lab.press_to_settle("period", "step"); // so that there is a frame to compare
    lab.press_for("space", "running");
    for _ in 0..3 {
        let folder = export(&mut lab);
        let line = line(&folder, "compare");
        assert_eq!(read(&folder, "compare.json"), stdout(&line, &["--json"]));
        assert_contains(&folder, &COMPARE_FILES, (700, 400));
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
    lab.press_to_settle("Left", "look");
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

/// Creates an empty folder for the program's files.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}

#[test]
fn a_key_saves_a_picture() {
    let folder = folder("saves-a-picture");
    let Some(mut lab) = Lab::open_in(&folder, &[], &["--cost-us", "0", "--size", "900x600"]) else {
        return;
    };
    let line = lab.press_for("F12", "screenshot");
    let name = line.text.strip_prefix("screenshot ").expect("a name");
    let picture = Picture::read(folder.join(name).to_str().expect("text"));
    assert_eq!((picture.width, picture.height), (900, 600));
    assert!(picture.colours() > 100);
    fs::remove_dir_all(folder).expect("the folder can be deleted");
}

#[test]
fn saving_finishes_before_the_program_quits() {
    let folder = folder("saves-and-leaves");
    let Some(lab) = Lab::open_in(&folder, &[], &["--cost-us", "0"]) else {
        return;
    };
    lab.xdotool(&["key", "--delay", "0", "d", "F12", "Escape"]);
    let end = lab.end().expect_success();
    for words in ["exported", "screenshot"] {
        assert!(end.lines.iter().any(|line| line.matches(words)), "{end:?}");
    }
    let saved = fs::read_dir(&folder).expect("the folder exists").flatten();
    assert_eq!(saved.count(), 2);
    fs::remove_dir_all(folder).expect("the folder can be deleted");
}

#[test]
fn quitting_reports_a_failed_save() {
    let folder = folder("saves-nowhere");
    let Some(lab) = Lab::open_in(&folder, &[], &["--cost-us", "0"]) else {
        return;
    };
    fs::remove_dir_all(&folder).expect("the folder can be deleted");
    lab.xdotool(&["key", "--delay", "0", "F12", "Escape"]);
    let end = lab.end();
    assert_eq!(end.status, Some(1), "{end:?}");
    assert!(end.stderr.contains(".png"), "{end:?}");
}
