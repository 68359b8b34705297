//! Sliders of knobs: dragging, typing, resetting and the keyboard.

use crate::window::support::lab::{Lab, Line, Place};
use headless::sim::world::ENTITIES;
use timeslice::strategy::STRATEGIES;

/// Radius of the handle in points. The track is inset by the same distance at both ends.
const HANDLE: f64 = 6.0;

/// Returns the position of a slider's handle at this fraction of the track, in pixels. A point has `scale` pixels.
pub fn on_track(slider: Place, fraction: f64, scale: f64) -> (f64, f64) {
    let handle = HANDLE * scale;
    let x = slider.x + handle + fraction * (slider.width - 2.0 * handle);
    (x.round(), slider.y + 27.5 * scale)
}

/// Returns the lowest and highest value that a slider of `ENTITIES` may have if its handle is within a pixel of `x`.
fn entities_at(slider: Place, x: f64) -> (f64, f64) {
    let track = slider.width - 2.0 * HANDLE;
    let at = |x: f64| ENTITIES.max.powf((x - slider.x - HANDLE) / track);
    // Dragging rounds to two significant digits, which changes a value by up to 5 %.
    (0.95 * at(x - 1.0), 1.05 * at(x + 1.0))
}

/// Opens a window with 400 entities and clicks on the number 400 to edit it.
fn typing() -> Option<Lab> {
    let mut lab = Lab::open(&["--cost-us", "0"])?;
    let slider = lab.place("entities");
    lab.point(slider.x + slider.width - 20.0, slider.y + 9.0);
    lab.frames(2);
    // Press and release in one command. On a busy computer, two commands may take longer than 0.8 s, and egui ignores
    // such long clicks.
    lab.xdotool(&["click", "1"]);
    lab.frames(4);
    Some(lab)
}

fn is_a_change(line: &Line) -> bool {
    line.matches("knob") || line.matches("strategy")
}

#[test]
fn dragging_a_slider_changes_its_knob() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0"]) else {
        return;
    };
    let slider = lab.place("entities");
    let (x, y) = on_track(slider, 0.3, 1.0);
    lab.point(x, y);
    lab.mouse_down();
    for fraction in [0.3, 0.5, 0.75, 0.1] {
        let (x, y) = on_track(slider, fraction, 1.0);
        lab.point(x, y);
        let knob = lab.wait_for("knob entities").pop().expect("a line");
        let value = knob.number("entities");
        let (least, most) = entities_at(slider, x);
        assert!((least..=most).contains(&value), "{fraction}: {knob:?}");
        lab.wait_for_entities(value);
    }
    lab.mouse_up();
    // Moving the pointer without a button changes nothing.
    let before = lab.log().len();
    let (x, y) = on_track(slider, 0.9, 1.0);
    lab.point(x, y);
    lab.frames(4);
    assert!(!lab.log()[before..].iter().any(is_a_change));
    // The slider does not keep the keyboard focus.
    lab.press_for("space", "paused");
}

#[test]
fn the_ends_of_the_track_are_the_ends_of_the_range() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0"]) else {
        return;
    };
    let slider = lab.place("entities");
    let (x, y) = on_track(slider, 0.2, 1.0);
    lab.point(x, y);
    lab.mouse_down();
    lab.wait_for("knob entities");
    lab.point(slider.x - 15.0, y);
    lab.wait_for("knob entities 0");
    lab.wait_for_entities(0.0);
    lab.point(1200.0, y);
    lab.wait_for("knob entities 1000000");
    lab.wait_for_entities(1_000_000.0);
    lab.mouse_up();
}

#[test]
fn the_arrow_next_to_a_value_resets_it() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0", "--entities", "50"]) else {
        return;
    };
    lab.click_for("revert:entities", "knob entities 400");
    lab.wait_for_entities(400.0);
    lab.press_for("space", "paused"); // the button does not keep the focus
}

#[test]
fn tab_and_arrow_keys_move_sliders() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0"]) else {
        return;
    };
    // Tab visits the bars' buttons first, then two controls for each knob.
    let mut turned = false;
    for count in 16..60 {
        let before = lab.log().len();
        let count = count.to_string();
        lab.xdotool(&["key", "--repeat", &count, "--delay", "40", "Tab"]);
        lab.frames(2);
        lab.press("Right"); // moves the focus of a button
        lab.frames(2);
        turned = lab.log()[before..].iter().any(|line| line.matches("knob"));
        if turned {
            break;
        }
        lab.press("Escape"); // the next round begins at the first button again
        lab.frames(2);
    }
    assert!(turned, "no slider got the focus");
    let before = lab.log().len();
    lab.press("Escape"); // releases the focus and does not quit
    lab.press_for("space", "paused");
    assert!(
        !lab.log()[before..]
            .iter()
            .any(|line| line.matches("leaving"))
    );
}

#[test]
fn typed_digits_set_the_knob_only() {
    let Some(mut lab) = typing() else { return };
    let before = lab.log().len();
    lab.xdotool(&["type", "--delay", "30", "1234"]);
    lab.press("Return");
    lab.wait_for("knob entities 1234");
    lab.wait_for_entities(1234.0);
    let changes: Vec<_> = lab.log()[before..]
        .iter()
        .filter(|line| is_a_change(line))
        .collect();
    assert_eq!(changes.len(), 1, "{changes:?}");
    // The field has released the keyboard focus.
    lab.press_for("1", &format!("strategy {}", STRATEGIES[0].key));
}

#[test]
fn other_keys_do_nothing_while_a_number_is_typed() {
    let Some(mut lab) = typing() else { return };
    let before = lab.log().len();
    // Other keys with a function. (Return, Escape and Tab are left out because they end typing.)
    lab.xdotool(&[
        "key", "--delay", "30", "r", "t", "h", "p", "o", "slash", "question",
    ]);
    lab.xdotool(&[
        "key",
        "--delay",
        "30",
        "space",
        "bracketleft",
        "bracketright",
        "Left",
        "Right",
    ]);
    lab.xdotool(&["key", "--delay", "30", "period", "KP_2", "d", "F12"]);
    lab.frames(4);
    let lines: Vec<&Line> = lab.log()[before..]
        .iter()
        .filter(|line| !line.is_frame() && !line.matches("control"))
        .collect();
    assert!(lines.is_empty(), "{lines:?}");
    lab.press("Escape");
    lab.frames(2);
    lab.press_for("space", "paused");
}

#[test]
fn invalid_numbers_are_dropped_and_large_ones_clamped() {
    let Some(mut lab) = typing() else { return };
    let before = lab.log().len();
    lab.xdotool(&["type", "--delay", "30", "4x5"]);
    lab.press("Return");
    let frames = lab.frames(4);
    assert!(frames.iter().all(|frame| frame.number("entities") == 400.0));
    assert!(!lab.log()[before..].iter().any(is_a_change));
    lab.xdotool(&["click", "1"]);
    lab.frames(4);
    lab.xdotool(&["type", "--delay", "30", "99999999"]);
    lab.press("Return");
    lab.wait_for("knob entities 1000000");
}

#[test]
fn escape_cancels_typing() {
    let Some(mut lab) = typing() else { return };
    let before = lab.log().len();
    lab.xdotool(&["type", "--delay", "30", "55"]);
    lab.press("Escape");
    let frames = lab.frames(4);
    assert!(frames.iter().all(|frame| frame.number("entities") == 400.0));
    assert!(!lab.log()[before..].iter().any(is_a_change));
    lab.press_for("1", &format!("strategy {}", STRATEGIES[0].key));
    lab.press_for("Escape", "leaving");
}

#[test]
fn switching_views_ends_typing() {
    for (key, words) in [("F2", "view compare"), ("F3", "view loops")] {
        let Some(mut lab) = typing() else { return };
        lab.press("7");
        lab.press_for(key, words);
        lab.press_for("space", "paused");
        lab.press_for("Escape", "leaving");
    }
}

#[test]
fn typing_ends_if_its_field_no_longer_fits() {
    let Some(mut lab) = typing() else { return };
    lab.press("7");
    let window = lab.window.clone();
    lab.xdotool(&["windowsize", &window, "30", "30"]);
    while lab.place("part:bar").width != 30.0 {
        lab.wait_for("control part:bar");
    }
    lab.press_for("Escape", "leaving");
}
