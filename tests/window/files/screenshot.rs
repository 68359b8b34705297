//! The pictures that the window writes, with any number of entities and in any size.

use crate::support::lab::{End, Lab};
use crate::support::picture::{Picture, RED, TEAL};

/// Lets the program draw some frames and write the last one to `path`.
fn shoot(path: &str, flags: &[&str]) -> Option<(Picture, End)> {
    let lab = Lab::start(&[flags, &["--screenshot", path]].concat())?;
    let end = lab.end().well();
    Some((Picture::read(path), end))
}

#[test]
fn the_last_frame_is_written_with_runs_red_and_choices_teal() {
    let path = Picture::path("last");
    let flags = ["--frames", "20", "--strategy", "every-frame"];
    let Some((picture, end)) = shoot(&path, &[&flags[..], &["--cost-us", "0"]].concat()) else {
        return;
    };
    assert_eq!((picture.width, picture.height), (1280, 800));
    let capsules = picture.part(252, 80, 1028, 494);
    assert!(capsules.count(RED) > 10_000, "{} red", capsules.count(RED));
    assert!(picture.count(TEAL) > 100, "{} teal", picture.count(TEAL));
    // The twentieth picture is taken, and the program leaves before its frame is over.
    let frames = end.lines.iter().filter(|line| line.is_frame()).count();
    assert_eq!(frames, 19);
}

#[test]
fn the_window_has_the_size_that_was_asked_for() {
    for (size, width, height) in [("900x600", 900, 600), ("300x90", 300, 90), ("1x1", 1, 1)] {
        let path = Picture::path(size);
        let Some((picture, _)) = shoot(&path, &["--frames", "5", "--size", size]) else {
            return;
        };
        assert_eq!((picture.width, picture.height), (width, height));
    }
}

#[test]
fn none_one_and_a_million_entities_are_a_picture() {
    for count in ["0", "1", "1000000"] {
        let path = Picture::path(&format!("entities-{count}"));
        // Few frames: on a computer that is busy with other things, one of a million may take a second.
        let flags = ["--frames", "6", "--cost-us", "0", "--entities", count];
        let Some((picture, end)) = shoot(&path, &flags) else {
            return;
        };
        let colours = picture.part(252, 80, 1028, 494).colours();
        assert!(colours > 10, "{count}: {colours} colours");
        let frame = end.lines.iter().rfind(|line| line.is_frame());
        let entities = frame.expect("frames were drawn").number("entities");
        assert_eq!(entities.to_string(), count);
    }
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let path = "/nowhere/at/all/picture.png";
    let Some(lab) = Lab::start(&["--frames", "3", "--screenshot", path]) else {
        return;
    };
    let end = lab.end();
    assert_eq!(end.status, Some(1), "{end:?}");
    assert!(end.stderr.contains(path), "{end:?}");
    assert!(!end.stderr.contains("panicked"), "{end:?}");
}
