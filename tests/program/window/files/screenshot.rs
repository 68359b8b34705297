//! Screenshots by `--screenshot`, with any number of entities and any window size.

use crate::window::support::lab::{End, Lab};
use crate::window::support::picture::{Picture, RED, TEAL};

/// Runs the program until it has saved a screenshot.
fn screenshot(flags: &[&str]) -> Option<(Picture, End)> {
    let lab = Lab::start(&[flags, &["--screenshot", "picture.png"]].concat())?;
    let end = lab.end().expect_success();
    Some((Picture::read(&end.folder().join("picture.png")), end))
}

#[test]
fn a_screenshot_shows_runs_in_red() {
    let flags = ["--frames", "20", "--strategy", "every-frame"];
    let flags = [&flags[..], &["--cost-us", "0"]].concat();
    let Some((picture, end)) = screenshot(&flags) else {
        return;
    };
    assert_eq!((picture.width, picture.height), (1280, 800));
    let capsules = picture.part(252, 80, 1028, 494);
    assert!(capsules.count(RED) > 10_000, "{} red", capsules.count(RED));
    assert!(picture.count(TEAL) > 100, "{} teal", picture.count(TEAL));
    // The program saves the twentieth frame and quits before that frame ends.
    let frames = end.lines.iter().filter(|line| line.is_frame()).count();
    assert_eq!(frames, 19);
}

#[test]
fn size_sets_the_size_of_the_window() {
    for (size, width, height) in [("900x600", 900, 600), ("300x90", 300, 90), ("1x1", 1, 1)] {
        let Some((picture, _)) = screenshot(&["--frames", "5", "--size", size]) else {
            return;
        };
        assert_eq!((picture.width, picture.height), (width, height));
    }
}

#[test]
fn any_number_of_entities_can_be_drawn() {
    for count in ["0", "1", "1000000"] {
        // Only a few frames, because a frame with a million entities may take a second on a busy computer.
        let flags = ["--frames", "6", "--cost-us", "0", "--entities", count];
        let Some((picture, end)) = screenshot(&flags) else {
            return;
        };
        let colours = picture.part(252, 80, 1028, 494).colours();
        assert!(colours > 10, "{count}: {colours} colours");
        let frame = end.lines.iter().rfind(|line| line.is_frame());
        let entities = frame.expect("frames were drawn").number("entities");
        assert_eq!(entities.to_string(), count);
    }
}
