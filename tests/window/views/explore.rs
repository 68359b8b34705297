//! Looking closer: the pinned capsule, the timeline, and the way back through the history.

use crate::support::lab::Lab;

const CHEAP: [&str; 2] = ["--cost-us", "0"];

/// Points at half the height of the capsules, and so far from the left.
fn point(lab: &Lab, x: f64) {
    let view = lab.place("capsules");
    lab.point(view.x + view.width * x, view.y + view.height / 2.0);
}

fn click(lab: &mut Lab, x: f64) {
    point(lab, x);
    lab.frames(2);
    // At once: what is held for 0.8 s, as three frames of a busy computer may take, is no click to egui.
    lab.xdotool(&["click", "1"]);
}

#[test]
fn a_click_on_a_capsule_pins_it_and_one_beside_all_unpins() {
    let flags = ["--entities", "2", "--strategy", "every-frame"];
    let Some(mut lab) = Lab::open(&[&flags[..], &CHEAP].concat()) else {
        return;
    };
    // Two capsules stand side by side in the middle.
    click(&mut lab, 0.47);
    lab.until("pinned 0");
    click(&mut lab, 0.53);
    lab.until("pinned 1");
    click(&mut lab, 0.03);
    lab.until("unpinned");
}

#[test]
fn a_drag_asks_from_where_it_began_and_a_click_does_not() {
    let flags = ["--entities", "2", "--strategy", "request-list"];
    let Some(mut lab) = Lab::open(&[&flags[..], &["--requests-per-s", "0"]].concat()) else {
        return;
    };
    click(&mut lab, 0.47);
    lab.until("pinned 0");
    lab.frames(3);
    assert!(!lab.told().iter().any(|line| line.tells("request")));
    lab.mouse_down();
    lab.frames(2);
    point(&lab, 0.53);
    let asked = lab.until("request 1");
    assert!(asked.iter().any(|line| line.tells("request 0")));
    lab.mouse_up();
    let after = lab.frames(3);
    assert!(!after.iter().any(|line| line.tells("unpinned")), "no click");
}

#[test]
fn a_pin_ends_when_its_entity_dies() {
    let flags = ["--entities", "2", "--churn-per-s", "0.5"];
    let Some(mut lab) = Lab::open(&[&flags[..], &CHEAP].concat()) else {
        return;
    };
    click(&mut lab, 0.47);
    lab.until("pinned");
    lab.until("unpinned");
}

#[test]
fn t_shows_the_timeline_and_the_plots_again() {
    let Some(mut lab) = Lab::open(&CHEAP) else {
        return;
    };
    lab.press_for("t", "timeline shown");
    lab.frames(3);
    lab.press_for("t", "plots shown");
    lab.frames(3);
    lab.press_for("Escape", "leaving");
    lab.end().well();
}

#[test]
fn while_paused_the_arrows_walk_the_history() {
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

/// So many frames are known where a window is opened at rest: the last is one less.
const KNOWN: u64 = 60;

#[test]
fn shift_walks_ten_frames_and_home_and_end_go_all_the_way() {
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
        assert!(picture != last, "{key} to {frame} is no other picture");
        last = picture;
    }
    assert!(last == present, "the end is not the present");
}

#[test]
fn a_key_that_is_held_down_walks_on_and_on() {
    let Some(mut lab) = Lab::open_still(1, KNOWN, &CHEAP) else {
        return;
    };
    lab.xdotool(&["keydown", "Left"]);
    let mut lines = lab.until(&format!("look {}", KNOWN - 6)); // the display repeats it
    lab.xdotool(&["keyup", "Left"]);
    lab.press("End");
    lines.extend(lab.until(&format!("look {}", KNOWN - 1)));
    let looks: Vec<f64> = lines
        .iter()
        .filter(|line| line.tells("look"))
        .map(|line| line.number("look"))
        .collect();
    let (_, walked) = looks.split_last().expect("the end was sought");
    assert!(walked.len() >= 5, "{looks:?}");
    // One frame at a time, none left out.
    let expected = (2..).map(|back| (KNOWN - back) as f64);
    assert!(
        walked.iter().copied().eq(expected.take(walked.len())),
        "{looks:?}"
    );
}
