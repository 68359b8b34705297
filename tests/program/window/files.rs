//! The files that the window writes on a flag or a key: screenshots, exports and recordings.

use crate::window::support::image::{Image, RED, TEAL};
use crate::window::support::lab::{End, Lab};
use gif::DecodeOptions;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Presses the key that exports, and returns the new folder.
fn export(lab: &mut Lab) -> PathBuf {
    saved(lab, "d", "exported")
}

/// Presses a key, and returns the path of the new file or folder, which the log names after `words`.
fn saved(lab: &mut Lab, key: &str, words: &str) -> PathBuf {
    let line = lab.press_for(key, words);
    lab.folder().join(line.after(words).expect("a name"))
}

fn read(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Asserts that the folder contains these files, `settings.txt` and an image of this size.
fn assert_contains(folder: &Path, data: &[&str], size: (u32, u32)) {
    let entries = fs::read_dir(folder).expect("the folder exists").flatten();
    let mut found: Vec<_> = entries.map(|entry| entry.file_name()).collect();
    found.sort();
    let mut expected = [data, &["picture.png", "settings.txt"]].concat();
    expected.sort_unstable();
    assert_eq!(found, expected);
    let picture = Image::read(&folder.join("picture.png"));
    assert_eq!((picture.width, picture.height), size);
}

/// Runs the line of the folder's `settings.txt` that has this command, with additional flags. Returns its output.
fn reproduced(folder: &Path, command: &str, more: &[&str]) -> String {
    let settings = read(folder, "settings.txt");
    let start = format!("timeslice-lab {command} ");
    let line = settings.lines().find(|line| line.starts_with(&start));
    let line = line.unwrap_or_else(|| panic!("no {command} in {settings}"));
    let output = Command::new(env!("CARGO_BIN_EXE_timeslice-lab"))
        .args(line.split(' ').skip(1))
        .args(more)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{line}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn exported_frames_match_run() {
    let flags = "--strategy time-budget --entities 90 --size 900x600";
    let flags: Vec<&str> = flags.split(' ').collect();
    let Some(mut lab) = Lab::open_still(1, 300, &flags) else {
        return;
    };
    // The files must match even if the window shows a past frame.
    lab.press_for("Left", "look");
    let folder = export(&mut lab);
    assert_eq!(read(&folder, "frames.csv"), reproduced(&folder, "run", &[]));
    let trace = reproduced(&folder, "run", &["--trace", "-"]);
    assert_eq!(read(&folder, "trace.json"), trace);
    assert_contains(&folder, &["frames.csv", "trace.json"], (900, 600));

    lab.press_for("F3", "view loops");
    let folder = export(&mut lab);
    assert!(read(&folder, "loops.json").contains("\"max-frame-skip\""));
    assert_contains(&folder, &["loops.json"], (900, 600));
}

#[test]
fn a_dropped_file_sets_the_task_costs() {
    let Some(mut lab) = Lab::open(&["--entities", "20", "--cost-us", "1"]) else {
        return;
    };
    let drop = |lab: &mut Lab, name: &str, text: &str| {
        let path = lab.folder().join(name);
        fs::write(&path, text).expect("the folder is writable");
        let path = path.to_str().expect("UTF-8").to_owned();
        lab.display.drop_file(&lab.window, &path);
    };
    drop(&mut lab, "costs.txt", "1\n2.5\n7\n");
    lab.wait_for("costs 3");
    drop(&mut lab, "bad.txt", "1\nmany\n");
    let line = lab.wait_for("not opened:");
    let words = line.after("not opened:").expect("a reason");
    assert!(words.contains("bad.txt: line 2: "), "{words}");
}

#[test]
fn files_saved_by_key_are_whole_after_quitting() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0", "--size", "900x600"]) else {
        return;
    };
    let picture = Image::read(&saved(&mut lab, "F12", "screenshot"));
    assert_eq!((picture.width, picture.height), (900, 600));
    assert!(picture.colours() > 100);

    let before = lab.log.len();
    lab.type_keys(&["d", "F12", "Escape", "Escape"]);
    lab.end_well();
    for words in ["exported", "screenshot"] {
        let mut lines = lab.log[before..].iter();
        assert!(lines.any(|line| line.matches(words)), "{:?}", lab.log);
    }
    let saved = fs::read_dir(lab.folder()).expect("the folder exists");
    assert_eq!(saved.count(), 3);
}

#[test]
fn files_that_cannot_be_written_are_errors() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0"]) else {
        return;
    };
    fs::remove_dir_all(lab.folder()).expect("the folder can be deleted");
    lab.type_keys(&["F12", "Escape", "Escape"]);
    assert_names(&lab.end(), ".png");

    let path = "/nowhere/at/all/picture.png";
    let Some(mut lab) = Lab::start(1, &["--frames", "3", "--screenshot", path]) else {
        return;
    };
    assert_names(&lab.end(), path);

    let path = "/nowhere/at/all.gif";
    let Some(mut lab) = Lab::start(1, &["--record", path]) else {
        return;
    };
    assert_names(&lab.end(), path);
    assert!(lab.log.is_empty(), "the error comes at once");
}

/// Asserts that the program failed with an error that names a file.
fn assert_names(end: &End, file: &str) {
    assert_eq!(end.status, Some(1), "{end:?}");
    assert!(end.stderr.contains(file), "{end:?}");
    assert!(!end.stderr.contains("panicked"), "{end:?}");
}

#[test]
fn screenshots_have_any_size_and_any_number_of_entities() {
    for (entities, size, least_colours) in [
        ("1", (1280, 800), 100),
        ("1000000", (900, 600), 100),
        ("0", (300, 90), 10),
        ("400", (1, 1), 1),
    ] {
        let (width, height) = size;
        let size_flag = format!("{width}x{height}");
        let flags =
            "--frames 6 --cost-us 0 --screenshot picture.png --strategy every-frame --entities";
        let own = [entities, "--size", &size_flag];
        let flags: Vec<&str> = flags.split(' ').chain(own).collect();
        let Some(mut lab) = Lab::start(1, &flags) else {
            return;
        };
        lab.end_well();
        let picture = Image::read(&lab.folder().join("picture.png"));
        assert_eq!((picture.width, picture.height), size);
        assert!(picture.colours() >= least_colours, "{entities}");
        // The program saves the sixth frame, then quits before that frame ends.
        let frames: Vec<_> = lab
            .log
            .iter()
            .filter(|line| line.matches("frame"))
            .collect();
        assert_eq!(frames.len(), 5);
        assert_eq!(frames[4].number("entities").to_string(), entities);
        if entities == "1" {
            let [red, teal] = [RED, TEAL].map(|colour| picture.count(colour));
            assert!(red > 1_000 && teal > 100, "{red} red, {teal} teal");
        }
    }
}

/// Asserts that the file is a recording of this size that contains movement.
fn assert_records(path: &Path, size: (u16, u16)) {
    let file = File::open(path).expect("the recording is saved");
    let mut decoder = DecodeOptions::new().read_info(file).expect("a GIF");
    assert_eq!((decoder.width(), decoder.height()), size);
    // A frame without a change only prolongs the previous one, so a second frame shows a change.
    let mut count = 0;
    while let Some(frame) = decoder.read_next_frame().expect("a whole GIF") {
        assert!(frame.delay >= 3, "at least 30 ms apart");
        count += 1;
    }
    assert!(count > 1, "{count} pictures");
}

#[test]
fn recordings_by_flag_and_by_key_move() {
    let size = ["--size", "640x400"];
    let flags = [&size[..], &["--frames", "20", "--record", "flag.gif"]].concat();
    let Some(mut lab) = Lab::start(1, &flags) else {
        return;
    };
    lab.end_well();
    assert!(lab.log.iter().any(|line| line.matches("recorded")));
    assert_records(&lab.folder().join("flag.gif"), (640, 400));

    let Some(mut lab) = Lab::open(&[&size[..], &["--cost-us", "0"]].concat()) else {
        return;
    };
    lab.press_for("g", "recording");
    lab.frames(20);
    assert_records(&saved(&mut lab, "g", "recorded"), (640, 400));
}
