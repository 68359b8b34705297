//! Saving by key, quitting while files are saved, and files that cannot be written.

use crate::window::support::lab::{End, Lab};
use crate::window::support::picture::Picture;
use std::fs;

#[test]
fn files_saved_by_key_are_whole_after_quitting() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0", "--size", "900x600"]) else {
        return;
    };
    let line = lab.press_for("F12", "screenshot");
    let name = line.text.strip_prefix("screenshot ").expect("a name");
    let picture = Picture::read(&lab.folder().join(name));
    assert_eq!((picture.width, picture.height), (900, 600));
    assert!(picture.colours() > 100);

    let before = lab.log().len();
    lab.type_keys(&["d", "F12", "Escape"]);
    let end = lab.end().expect_success();
    for words in ["exported", "screenshot"] {
        let mut lines = end.lines[before..].iter();
        assert!(lines.any(|line| line.matches(words)), "{end:?}");
    }
    let saved = fs::read_dir(end.folder()).expect("the folder exists");
    assert_eq!(saved.count(), 3);
}

#[test]
fn files_that_cannot_be_written_are_errors() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0"]) else {
        return;
    };
    fs::remove_dir_all(lab.folder()).expect("the folder can be deleted");
    lab.type_keys(&["F12", "Escape"]);
    assert_names(&lab.end(), ".png");

    let path = "/nowhere/at/all/picture.png";
    let Some(lab) = Lab::start(&["--frames", "3", "--screenshot", path]) else {
        return;
    };
    assert_names(&lab.end(), path);

    let path = "/nowhere/at/all.gif";
    let Some(lab) = Lab::start(&["--record", path]) else {
        return;
    };
    let end = lab.end();
    assert_names(&end, path);
    assert!(end.lines.is_empty(), "the error comes at once: {end:?}");
}

/// Asserts that the program has failed with an error that names a file.
fn assert_names(end: &End, file: &str) {
    assert_eq!(end.status, Some(1), "{end:?}");
    assert!(end.stderr.contains(file), "{end:?}");
    assert!(!end.stderr.contains("panicked"), "{end:?}");
}
