//! The files that the window writes on a flag or a key: screenshots, exports and recordings.

use crate::window::support::image::{colours, read};
use crate::window::support::lab::{End, Lab};
use gif::DecodeOptions;
use std::fs::{self, File};
use std::path::Path;

#[test]
fn files_saved_by_key_are_whole_after_quitting() {
    let Some(mut lab) = Lab::open(1, "--cost-us 0 --size 640x400 --record lab.gif") else {
        return;
    };
    assert_shows(&lab.saved("F12", "screenshot"), (640, 400));

    lab.pictures(20);
    let before = lab.log.len();
    lab.type_keys(&["d", "F12", "Escape", "Escape"]);
    lab.end_well();
    let [folder, picture] = ["exported", "screenshot"].map(|words| {
        let mut names = lab.log[before..].iter().filter_map(|it| it.after(words));
        lab.folder().join(names.next().expect(words))
    });
    assert_shows(&folder.join("picture.png"), (640, 400));
    assert_shows(&picture, (640, 400));
    assert_records(&lab.folder().join("lab.gif"), (640, 400));
    let saved = fs::read_dir(lab.folder()).expect("the folder exists");
    assert_eq!(saved.count(), 4);
}

/// Asserts that the file is an image of the window, which has this size.
fn assert_shows(path: &Path, size: (u32, u32)) {
    let picture = read(path);
    assert_eq!(picture.dimensions(), size);
    assert!(colours(&picture) > 100, "{}", path.display());
}

#[test]
fn files_that_cannot_be_written_are_errors() {
    let Some(mut lab) = Lab::open(1, "--cost-us 0") else {
        return;
    };
    fs::remove_dir_all(lab.folder()).expect("the folder can be deleted");
    lab.type_keys(&["F12", "Escape", "Escape"]);
    assert_names(&lab.end(), ".png");

    let path = "/nowhere/at/all/picture.png";
    let Some(mut lab) = Lab::start(1, &format!("--frames 3 --screenshot {path}")) else {
        return;
    };
    assert_names(&lab.end(), path);

    let path = "/nowhere/at/all.gif";
    let Some(mut lab) = Lab::start(1, &format!("--record {path}")) else {
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
        let flags = format!(
            "--frames 6 --cost-us 0 --screenshot picture.png --entities {entities} --size {width}x{height}"
        );
        let Some(mut lab) = Lab::start(1, &flags) else {
            return;
        };
        lab.end_well();
        let picture = read(&lab.folder().join("picture.png"));
        assert_eq!(picture.dimensions(), size);
        assert!(colours(&picture) >= least_colours, "{entities}");
    }
}

/// Asserts that the file is a recording of this size that contains movement.
fn assert_records(path: &Path, size: (u16, u16)) {
    let file = File::open(path).expect("the recording is saved");
    let mut decoder = DecodeOptions::new().read_info(file).expect("a GIF");
    assert_eq!((decoder.width(), decoder.height()), size);
    // A frame without a change only prolongs the previous one, so a second frame shows a change.
    let mut count = 0;
    while decoder.read_next_frame().expect("a whole GIF").is_some() {
        count += 1;
    }
    assert!(count > 1, "{count} pictures");
}
