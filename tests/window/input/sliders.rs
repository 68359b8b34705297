//! The controls of knobs: dragged, typed into, reset, and worked by the keyboard.

use crate::support::lab::{Lab, Line, Place};
use timeslice::strategy::STRATEGIES;
use timeslice_lab::sim::world::ENTITIES;

/// Radius of the handle, which the track is inset by.
const HANDLE: f64 = 6.0;

/// Where the handle of a slider stands at this fraction of its way, where a point is `scale` pixels wide.
pub fn on_track(slider: Place, fraction: f64, scale: f64) -> (f64, f64) {
    let handle = HANDLE * scale;
    let x = slider.x + handle + fraction * (slider.width - 2.0 * handle);
    (x.round(), slider.y + 27.5 * scale)
}

/// The least and most that a slider of `ENTITIES` can say with its handle at `x`, a pixel more or less.
fn entities_at(slider: Place, x: f64) -> (f64, f64) {
    let way = slider.width - 2.0 * HANDLE;
    let at = |x: f64| ENTITIES.max.powf((x - slider.x - HANDLE) / way);
    // A drag sets two digits.
    (0.95 * at(x - 1.0), 1.05 * at(x + 1.0))
}

/// A window with 400 entities, the pointer over the value of their slider, which it has clicked.
fn typing() -> Option<Lab> {
    let mut lab = Lab::open(&["--cost-us", "0"])?;
    let slider = lab.place("entities");
    lab.point(slider.x + slider.width - 20.0, slider.y + 9.0);
    lab.frames(2);
    // At once: what is held for 0.8 s, as three frames of a busy computer may take, is no click to egui.
    lab.xdotool(&["click", "1"]);
    lab.frames(4);
    Some(lab)
}

fn tells_of_a_change(line: &Line) -> bool {
    line.tells("knob") || line.tells("strategy")
}

#[test]
fn dragging_the_handle_changes_how_many_live_at_once() {
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
        let knob = lab.until("knob entities").pop().expect("the line sought");
        let value = knob.number("entities");
        let (least, most) = entities_at(slider, x);
        assert!((least..=most).contains(&value), "{fraction}: {knob:?}");
        lab.until_entities(value);
    }
    lab.mouse_up();
    // A pointer that is only moved drags nothing.
    let before = lab.told().len();
    let (x, y) = on_track(slider, 0.9, 1.0);
    lab.point(x, y);
    lab.frames(4);
    assert!(!lab.told()[before..].iter().any(tells_of_a_change));
    // Nor does a slider keep the keyboard.
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
    lab.until("knob entities");
    lab.point(slider.x - 15.0, y);
    lab.until("knob entities 0");
    lab.until_entities(0.0);
    lab.point(1200.0, y);
    lab.until("knob entities 1000000");
    lab.until_entities(1_000_000.0);
    lab.mouse_up();
}

#[test]
fn the_arrow_at_a_changed_value_resets_it() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0", "--entities", "50"]) else {
        return;
    };
    lab.click_for("revert:entities", "knob entities 400");
    lab.until_entities(400.0);
    lab.press_for("space", "paused"); // the click has left no focus
}

#[test]
fn tab_focuses_controls_and_arrow_keys_turn_a_slider() {
    let Some(mut lab) = Lab::open(&["--cost-us", "0"]) else {
        return;
    };
    // From the bar's buttons on, with two stops at each knob: the first slider takes the arrow.
    let mut turned = false;
    for _ in 0..60 {
        let before = lab.told().len();
        lab.press("Tab");
        lab.frames(2);
        lab.press("Right");
        lab.frames(2);
        turned = lab.told()[before..].iter().any(|line| line.tells("knob"));
        if turned {
            break;
        }
    }
    assert!(turned, "no slider has been focused");
    let before = lab.told().len();
    lab.press("Escape"); // gives the focus back, and does not quit
    lab.press_for("space", "paused");
    assert!(
        !lab.told()[before..]
            .iter()
            .any(|line| line.tells("leaving"))
    );
}

#[test]
fn a_number_can_be_typed_and_its_digits_switch_no_strategy() {
    let Some(mut lab) = typing() else { return };
    let before = lab.told().len();
    lab.xdotool(&["type", "--delay", "30", "1234"]);
    lab.press("Return");
    lab.until("knob entities 1234");
    lab.until_entities(1234.0);
    let changes: Vec<_> = lab.told()[before..]
        .iter()
        .filter(|line| tells_of_a_change(line))
        .collect();
    assert_eq!(changes.len(), 1, "{changes:?}");
    // The keyboard is free again.
    lab.press_for("1", &format!("strategy {}", STRATEGIES[0].key));
}

#[test]
fn no_key_but_those_of_a_number_does_anything_while_one_is_typed() {
    let Some(mut lab) = typing() else { return };
    let before = lab.told().len();
    // Every other key that means something elsewhere. (Return, Escape and Tab end the typing.)
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
    let told: Vec<&Line> = lab.told()[before..]
        .iter()
        .filter(|line| !line.is_frame())
        .collect();
    assert!(told.is_empty(), "{told:?}");
    lab.press("Escape");
    lab.frames(2);
    lab.press_for("space", "paused");
}

#[test]
fn nonsense_is_dropped_and_too_much_is_clamped() {
    let Some(mut lab) = typing() else { return };
    let before = lab.told().len();
    lab.xdotool(&["type", "--delay", "30", "4x5"]);
    lab.press("Return");
    let frames = lab.frames(4);
    assert!(frames.iter().all(|frame| frame.number("entities") == 400.0));
    assert!(!lab.told()[before..].iter().any(tells_of_a_change));
    lab.xdotool(&["click", "1"]);
    lab.frames(4);
    lab.xdotool(&["type", "--delay", "30", "99999999"]);
    lab.press("Return");
    lab.until("knob entities 1000000");
}

#[test]
fn escape_drops_what_was_typed_and_leaves_nothing_else() {
    let Some(mut lab) = typing() else { return };
    let before = lab.told().len();
    lab.xdotool(&["type", "--delay", "30", "55"]);
    lab.press("Escape");
    let frames = lab.frames(4);
    assert!(frames.iter().all(|frame| frame.number("entities") == 400.0));
    assert!(!lab.told()[before..].iter().any(tells_of_a_change));
    lab.press_for("1", &format!("strategy {}", STRATEGIES[0].key));
    lab.press_for("Escape", "leaving");
}

#[test]
fn typing_ends_with_its_view_and_the_keys_do_what_they_do() {
    for (key, words) in [("F2", "view compare"), ("F3", "view loops")] {
        let Some(mut lab) = typing() else { return };
        lab.press("7");
        lab.press_for(key, words);
        lab.press_for("space", "paused");
        lab.press_for("Escape", "leaving");
    }
}

#[test]
fn typing_ends_where_its_field_has_no_room_any_more() {
    let Some(mut lab) = typing() else { return };
    lab.press("7");
    let window = lab.window.clone();
    lab.xdotool(&["windowsize", &window, "30", "30"]);
    while lab.place("part:bar").width != 30.0 {
        lab.until("control part:bar");
    }
    lab.press_for("Escape", "leaving");
}
