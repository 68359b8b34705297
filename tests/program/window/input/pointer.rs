//! The pointer over the capsules moves the target, and dragging makes requests.

use crate::window::support::lab::{Lab, Line};
use crate::window::support::picture::{Picture, TEAL};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn dragging_requests_runs_for_the_next_frame() {
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
    lab.wait_for("request");
    for x in [200.0, 350.0, 700.0] {
        lab.point(capsules.x + x, y);
        lab.wait_for("request");
        lab.frames(2);
    }
    lab.mouse_up();
    lab.frames(3);

    let mut requests: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    for line in lab.log().iter().filter(|line| line.matches("request")) {
        requests
            .entry(line.frame)
            .or_default()
            .insert(line.text.clone());
    }
    let entities: BTreeSet<&String> = requests.values().flatten().collect();
    // The drag covers 600 pixels, and capsules are 35 pixels apart.
    assert!((17..=18).contains(&entities.len()), "{entities:?}");
    for frame in lab.log().iter().filter(|line| line.is_frame()) {
        let runs = requests.get(&frame.frame).map_or(0, BTreeSet::len);
        assert_eq!(frame.number("runs"), runs as f64, "{frame:?}");
    }

    // Moving the pointer without a button makes no request.
    let before = lab.log().len();
    lab.point(capsules.x + 100.0, y + 80.0);
    lab.frames(4);
    let is_request = |line: &Line| line.matches("request");
    assert!(!lab.log()[before..].iter().any(is_request));
}

#[test]
fn the_target_follows_the_pointer() {
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
    lab.end().expect_success();
    let picture = Picture::read(&path);
    let around = picture.part(x as u32 - 2, y as u32 - 2, 5, 5);
    assert!(around.count(TEAL) >= 9, "{} teal", around.count(TEAL));
    let elsewhere = picture.part(x as u32 + 100, y as u32 - 100, 5, 5);
    assert_eq!(elsewhere.count(TEAL), 0);
}

#[test]
fn pointing_at_a_frame_in_the_plots_shows_its_runs() {
    let Some(mut lab) = Lab::open_still(1, 60, &["--strategy", "max-per-frame"]) else {
        return;
    };
    // The key End changes nothing at the newest frame, but it makes the log report when the picture is drawn.
    let mut capsules_at = |x: f64, y: f64| {
        lab.point(x, y);
        lab.press_to_settle("End", "look 59");
        let view = lab.place("capsules");
        let [x, y, width, height] =
            [view.x, view.y, view.width, view.height].map(|side| side as u32);
        lab.picture().part(x, y, width, height)
    };
    let outside = capsules_at(100.0, 795.0);
    let newest = capsules_at(1030.0, 640.0);
    let older = capsules_at(1000.0, 640.0);
    assert!(newest != older && older != outside);
    assert!(capsules_at(100.0, 795.0) == outside);
}
