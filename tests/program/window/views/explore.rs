//! The pinned entity, the timeline and the history.

use crate::window::support::lab::Lab;

const CHEAP: [&str; 2] = ["--cost-us", "0"];

/// Moves the pointer to half the height of the view of capsules, and to this fraction of its width.
fn point(lab: &Lab, x: f64) {
    let view = lab.place("capsules");
    lab.point(view.x + view.width * x, view.y + view.height / 2.0);
}

fn click(lab: &mut Lab, x: f64) {
    point(lab, x);
    lab.frames(2);
    // Press and release in one command. On a busy computer, two commands may take longer than 0.8 s, and egui ignores
    // such long clicks.
    lab.xdotool(&["click", "1"]);
}

#[test]
fn clicking_a_capsule_pins_its_entity() {
    let flags = ["--entities", "2", "--strategy", "every-frame"];
    let Some(mut lab) = Lab::open(&[&flags[..], &CHEAP].concat()) else {
        return;
    };
    // The two capsules are at a quarter and at three quarters of the width.
    click(&mut lab, 0.25);
    lab.wait_for("pinned 0");
    click(&mut lab, 0.75);
    lab.wait_for("pinned 1");
    click(&mut lab, 0.003);
    lab.wait_for("unpinned");
}

#[test]
fn the_panel_shows_the_capacity() {
    // The window is tall enough for the whole panel.
    let Some(mut lab) = Lab::open(&["--entities", "20", "--size", "1280x1100"]) else {
        return;
    };
    lab.frames(2);
    let (capacity, last) = (lab.place("part:capacity"), lab.place("entities"));
    assert!(capacity.y > last.y && capacity.width > 100.0);
}

#[test]
fn dragging_makes_requests_and_clicking_does_not() {
    let flags = ["--entities", "2", "--strategy", "request-list"];
    let Some(mut lab) = Lab::open(&[&flags[..], &["--requests-per-s", "0"]].concat()) else {
        return;
    };
    click(&mut lab, 0.25);
    lab.wait_for("pinned 0");
    lab.frames(3);
    assert!(!lab.log().iter().any(|line| line.matches("request")));
    lab.mouse_down();
    lab.frames(2);
    point(&lab, 0.75);
    let lines = lab.wait_for("request 1");
    assert!(lines.iter().any(|line| line.matches("request 0")));
    lab.mouse_up();
    let after = lab.frames(3);
    assert!(
        !after.iter().any(|line| line.matches("unpinned")),
        "no click"
    );
}

#[test]
fn a_pin_ends_when_its_entity_dies() {
    let flags = ["--entities", "2", "--churn-per-s", "0.5"];
    let Some(mut lab) = Lab::open(&[&flags[..], &CHEAP].concat()) else {
        return;
    };
    click(&mut lab, 0.25);
    lab.wait_for("pinned");
    lab.wait_for("unpinned");
}

#[test]
fn t_toggles_between_timeline_and_plots() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    lab.press_for("t", "timeline shown");
    lab.frames(3);
    lab.press_for("t", "plots shown");
    lab.frames(3);
    lab.press_for("Escape", "leaving");
    lab.end().expect_success();
}

#[test]
fn arrow_keys_step_through_the_history() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    lab.frames(10);
    let next = lab.press_for("space", "paused").frame;
    for (key, frame) in [("Left", next - 2), ("Left", next - 3), ("Right", next - 2)] {
        lab.press_for(key, &format!("look {frame}"));
    }
    lab.press_for("space", "running");
    lab.frames(3);
}

/// Number of recorded frames of a still window.
const KNOWN: u64 = 60;

#[test]
fn shift_steps_ten_frames_and_home_and_end_jump() {
    let Some(mut lab) = Lab::open_still(1, KNOWN, &CHEAP) else {
        return;
    };
    let present = lab.picture();
    let mut last = present.clone();
    for (key, frame) in [
        ("shift+Left", KNOWN - 11),
        ("shift+Left", KNOWN - 21),
        ("Left", KNOWN - 22),
        ("shift+Right", KNOWN - 12),
        ("Home", 0),
        ("shift+Right", 10),
        ("shift+Left", 0),
        ("Right", 1),
        ("End", KNOWN - 1),
    ] {
        lab.press_to_settle(key, &format!("look {frame}"));
        let picture = lab.picture();
        assert!(picture != last, "{key} to {frame} changes nothing");
        last = picture;
    }
    assert!(last == present, "End does not show the newest frame");
}

#[test]
fn a_held_key_repeats() {
    let Some(mut lab) = Lab::open_still(1, KNOWN, &CHEAP) else {
        return;
    };
    lab.xdotool(&["keydown", "Left"]);
    let mut lines = lab.wait_for(&format!("look {}", KNOWN - 6)); // the display repeats the key
    lab.xdotool(&["keyup", "Left"]);
    lab.press("End");
    lines.extend(lab.wait_for(&format!("look {}", KNOWN - 1)));
    let looks: Vec<f64> = lines
        .iter()
        .filter(|line| line.matches("look"))
        .map(|line| line.number("look"))
        .collect();
    let (_, steps) = looks.split_last().expect("at least one line");
    assert!(steps.len() >= 5, "{looks:?}");
    // Each step goes back one frame.
    let expected = (2..).map(|back| (KNOWN - back) as f64);
    assert!(
        steps.iter().copied().eq(expected.take(steps.len())),
        "{looks:?}"
    );
}
