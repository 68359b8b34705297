//! The key for data: what it saves of each view, and that the commands print the same.

use crate::support::lab::Lab;
use crate::support::picture::Picture;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Presses the key; returns the folder that the log names then.
fn export(lab: &mut Lab) -> PathBuf {
    let line = lab.press_for("d", "exported");
    let name = line.what.strip_prefix("exported ").expect("a name");
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn read(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Asserts that the folder holds these files, and a picture of that size; takes it away.
fn assert_holds(folder: &Path, names: &[&str], size: (u32, u32)) {
    let entries = fs::read_dir(folder).expect("it is there");
    let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("text");
    let mut found: Vec<String> = entries.map(|entry| name(entry.expect("a file"))).collect();
    found.sort();
    assert_eq!(found, names);
    let path = folder.join("picture.png");
    let picture = Picture::read(path.to_str().expect("text"));
    assert_eq!((picture.width, picture.height), size);
    fs::remove_dir_all(folder).expect("it is ours");
}

/// The command line in the settings of that folder that begins with this command.
fn line(folder: &Path, command: &str) -> String {
    let settings = read(folder, "settings.txt");
    let mut lines = settings.lines();
    let line = lines.find(|line| line.starts_with(&format!("timeslice-lab {command} ")));
    line.unwrap_or_else(|| panic!("no {command} in {settings}"))
        .to_owned()
}

/// What the program prints for a command line from the settings, and these words.
fn printed(line: &str, more: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_timeslice-lab"))
        .args(line.split(' ').skip(1))
        .args(more)
        .stdin(Stdio::null())
        .output()
        .expect("cargo has built it");
    assert!(output.status.success(), "{line}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

const COMPARED: [&str; 4] = ["compare.json", "compare.txt", "picture.png", "settings.txt"];
const OF_FRAMES: [&str; 4] = ["frames.csv", "picture.png", "settings.txt", "trace.json"];
const OF_LOOPS: [&str; 3] = ["loops.json", "picture.png", "settings.txt"];

#[test]
fn the_window_and_the_command_compare_byte_for_byte_alike() {
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
    assert_eq!(read(&folder, "compare.json"), printed(&line, &["--json"]));
    assert_eq!(read(&folder, "compare.txt"), printed(&line, &[]));
    assert_holds(&folder, &COMPARED, (1280, 800));
}

#[test]
fn a_comparison_can_be_repeated_from_wherever_it_was_caught() {
    let Some(mut lab) = Lab::open(&["--entities", "40", "--size", "700x400"]) else {
        return;
    };
    lab.press_for("F2", "view compare");
    for _ in 0..3 {
        let folder = export(&mut lab);
        let line = line(&folder, "compare");
        assert_eq!(read(&folder, "compare.json"), printed(&line, &["--json"]));
        assert_holds(&folder, &COMPARED, (700, 400));
    }
}

#[test]
fn frames_of_a_simulated_machine_are_those_that_run_makes() {
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
    // Also while the past is looked at.
    lab.press_to_settle("Left", "look");
    let folder = export(&mut lab);
    let line = line(&folder, "run");
    assert_eq!(read(&folder, "frames.csv"), printed(&line, &[]));
    assert_eq!(
        read(&folder, "trace.json"),
        printed(&line, &["--trace", "-"])
    );
    assert_holds(&folder, &OF_FRAMES, (1280, 800));
}

#[test]
fn frames_are_saved_while_running_and_while_paused() {
    let flags = ["--entities", "30", "--size", "900x600"];
    let Some(mut lab) = Lab::open(&flags) else {
        return;
    };
    lab.frames(30);
    let running = export(&mut lab);
    lab.press_for("space", "paused");
    let standing = export(&mut lab);
    let again = export(&mut lab);
    assert_ne!(standing, again, "nothing is written over");
    let rows = |folder| read(folder, "frames.csv").lines().count() - 1;
    assert!(rows(&running) >= 30 && rows(&standing) > rows(&running));
    assert_eq!(read(&standing, "frames.csv"), read(&again, "frames.csv"));
    let frames = read(&standing, "trace.json")
        .matches("\"name\":\"frame\"")
        .count();
    assert_eq!(frames, rows(&standing));
    for folder in [running, standing, again] {
        assert_holds(&folder, &OF_FRAMES, (900, 600));
    }
}

#[test]
fn the_view_of_loops_is_saved_too() {
    let Some(mut lab) = Lab::open_still(1, 300, &["--view", "loops"]) else {
        return;
    };
    let folder = export(&mut lab);
    assert!(read(&folder, "loops.json").contains("\"max-frame-skip\""));
    assert_holds(&folder, &OF_LOOPS, (1280, 800));
}

/// An empty folder of this name for a program to save in.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the build's own folder");
    folder
}

#[test]
fn a_key_saves_a_picture() {
    let folder = folder("saves-a-picture");
    let Some(mut lab) = Lab::open_in(&folder, &[], &["--cost-us", "0", "--size", "900x600"]) else {
        return;
    };
    let line = lab.press_for("F12", "screenshot");
    let name = line.what.strip_prefix("screenshot ").expect("a name");
    let picture = Picture::read(folder.join(name).to_str().expect("text"));
    assert_eq!((picture.width, picture.height), (900, 600));
    assert!(picture.colours() > 100);
    fs::remove_dir_all(folder).expect("it is ours");
}

#[test]
fn who_leaves_right_after_the_keys_has_all_that_they_save() {
    let folder = folder("saves-and-leaves");
    let Some(lab) = Lab::open_in(&folder, &[], &["--cost-us", "0"]) else {
        return;
    };
    lab.xdotool(&["key", "--delay", "0", "d", "F12", "Escape"]);
    let end = lab.end().well();
    for words in ["exported", "screenshot"] {
        assert!(end.lines.iter().any(|line| line.tells(words)), "{end:?}");
    }
    let saved = fs::read_dir(&folder).expect("it is there").flatten();
    assert_eq!(saved.count(), 2);
    fs::remove_dir_all(folder).expect("it is ours");
}

#[test]
fn who_leaves_hears_of_what_cannot_be_saved() {
    let folder = folder("saves-nowhere");
    let Some(lab) = Lab::open_in(&folder, &[], &["--cost-us", "0"]) else {
        return;
    };
    fs::remove_dir_all(&folder).expect("it is ours");
    lab.xdotool(&["key", "--delay", "0", "F12", "Escape"]);
    let end = lab.end();
    assert_eq!(end.status, Some(1), "{end:?}");
    assert!(end.stderr.contains("cannot write"), "{end:?}");
}
