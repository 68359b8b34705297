//! The pointer over the capsules: it leads the target, and a drag makes them ask.

use crate::support::lab::{Lab, Line};
use crate::support::picture::{Picture, TEAL};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn capsules_under_a_drag_ask_and_run_in_the_next_frame() {
    let flags = ["--strategy", "request-list", "--requests-per-s", "0"];
    let Some(mut lab) = Lab::open(&[&flags[..], &["--cost-us", "0"]].concat()) else {
        return;
    };
    let capsules = lab.place("capsules");
    let y = capsules.y + capsules.height / 2.0;
    lab.point(capsules.x + 100.0, y);
    lab.frames(2);
    let quiet = lab.frames(3);
    assert!(quiet.iter().all(|frame| frame.number("runs") == 0.0));
    lab.mouse_down();
    lab.until("request");
    for x in [200.0, 350.0, 700.0] {
        lab.point(capsules.x + x, y);
        lab.until("request");
        lab.frames(2);
    }
    lab.mouse_up();
    lab.frames(3);

    let mut asked: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    for line in lab.told().iter().filter(|line| line.tells("request")) {
        asked
            .entry(line.frame)
            .or_default()
            .insert(line.what.clone());
    }
    let places: BTreeSet<&String> = asked.values().flatten().collect();
    // 600 pixels of capsules that stand 26 pixels apart.
    assert!((22..=25).contains(&places.len()), "{places:?}");
    for frame in lab.told().iter().filter(|line| line.is_frame()) {
        let runs = asked.get(&frame.frame).map_or(0, BTreeSet::len);
        assert_eq!(frame.number("runs"), runs as f64, "{frame:?}");
    }

    // A pointer that is only moved asks for nothing.
    let before = lab.told().len();
    lab.point(capsules.x + 100.0, y + 80.0);
    lab.frames(4);
    let asks = |line: &Line| line.tells("request");
    assert!(!lab.told()[before..].iter().any(asks));
}

#[test]
fn the_pointer_leads_the_target() {
    let path = Picture::path("target");
    let flags = ["--cost-us", "0", "--screenshot", &path];
    let Some(mut lab) = Lab::open(&flags) else {
        return;
    };
    let capsules = lab.place("capsules");
    let (x, y) = (capsules.x + 300.0, capsules.y + 350.0);
    lab.point(x, y);
    lab.frames(3);
    lab.press_for("Escape", "leaving");
    lab.end().well();
    let picture = Picture::read(&path);
    let around = picture.part(x as u32 - 2, y as u32 - 2, 5, 5);
    assert!(around.count(TEAL) >= 9, "{} teal", around.count(TEAL));
    let elsewhere = picture.part(x as u32 + 100, y as u32 - 100, 5, 5);
    assert_eq!(elsewhere.count(TEAL), 0);
}

#[test]
fn a_frame_that_is_pointed_at_in_the_plots_shows_who_ran_in_it() {
    let Some(mut lab) = Lab::open_still(1, 60, &["--strategy", "max-per-frame"]) else {
        return;
    };
    // A key that changes nothing at the present, and waits for the picture.
    let mut shown_at = |x: f64, y: f64| {
        lab.point(x, y);
        lab.press_to_settle("End", "look 59");
        let view = lab.place("capsules");
        let side = |at: f64| at as u32;
        let picture = lab.picture();
        picture.part(
            side(view.x),
            side(view.y),
            side(view.width),
            side(view.height),
        )
    };
    let beside = shown_at(100.0, 795.0);
    let newest = shown_at(1030.0, 640.0);
    let older = shown_at(1000.0, 640.0);
    assert!(newest != older && older != beside);
    assert!(shown_at(100.0, 795.0) == beside);
}
