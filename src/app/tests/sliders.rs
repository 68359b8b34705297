//! Sliders of knobs: dragging, typing, resetting and the keyboard.

use super::Window;
use crate::app::state::Flow;
use crate::app::state::view::View;
use egui::Rect;
use headless::sim::world::ENTITIES;
use timeslicer::strategy::STRATEGIES;

/// Radius of the handle in points. The track is inset by the same distance at both ends.
const HANDLE: f32 = 6.0;

/// Returns the position of a slider's handle at this fraction of the track.
pub fn on_track(slider: Rect, fraction: f32) -> (f32, f32) {
    let x = slider.left() + HANDLE + fraction * (slider.width() - 2.0 * HANDLE);
    (x.round(), slider.top() + 27.5)
}

/// Returns the lowest and highest value that a slider of `ENTITIES` may have if its handle is within a pixel of `x`.
fn entities_at(slider: Rect, x: f32) -> (f64, f64) {
    let track = slider.width() - 2.0 * HANDLE;
    let at = |x: f32| {
        ENTITIES
            .max
            .powf(f64::from((x - slider.left() - HANDLE) / track))
    };
    // Dragging rounds to two significant digits, which changes a value by up to 5 %.
    (0.95 * at(x - 1.0), 1.05 * at(x + 1.0))
}

pub fn entities(window: &Window) -> f64 {
    window.state().settings.knobs.get(&ENTITIES)
}

/// Opens a window with 400 entities and clicks their number to edit it.
pub fn typing(flags: &[&str]) -> Window {
    let mut window = Window::open(flags);
    click_number(&mut window);
    window.frame();
    window
}

/// Adds a click on the number of entities to the input of the next frame.
pub fn click_number(window: &mut Window) {
    let slider = window.place("entities");
    window.add_click_at(slider.right() - 20.0, slider.top() + 9.0);
}

#[test]
fn dragging_a_slider_changes_its_knob() {
    let mut window = Window::open(&[]);
    let slider = window.place("entities");
    let (x, y) = on_track(slider, 0.3);
    window.point(x, y);
    window.mouse_down();
    for fraction in [0.3, 0.5, 0.75, 0.1] {
        let (x, y) = on_track(slider, fraction);
        window.point(x, y);
        let (least, most) = entities_at(slider, x);
        let value = entities(&window);
        assert!((least..=most).contains(&value), "{fraction}: {value}");
        let population = window.state().grid.lane.world().tasks().len();
        assert_eq!(population as f64, value);
    }
    for (x, end) in [(slider.left() - 15.0, 0.0), (1200.0, ENTITIES.max)] {
        window.point(x, y);
        assert_eq!(entities(&window), end);
    }
    window.mouse_up();
    // Moving the pointer without a button changes nothing.
    let (x, y) = on_track(slider, 0.9);
    window.point(x, y);
    assert_eq!(entities(&window), ENTITIES.max);
    // The slider does not keep the keyboard focus.
    window.press_for("space", "paused");
}

#[test]
fn the_arrow_next_to_a_value_resets_it() {
    let mut window = Window::open(&["--entities", "50"]);
    window.click("revert:entities");
    assert_eq!(entities(&window), 400.0);
    window.press_for("space", "paused"); // the button does not keep the focus
}

#[test]
fn tab_and_arrow_keys_move_sliders() {
    let mut window = Window::open(&[]);
    // Tab visits the bars' buttons first, then the controls of each knob.
    let is_turned = (0..60).any(|_| {
        window.press("Tab");
        let before = window.log().len();
        window.press("Up"); // changes a slider, or moves the focus to the control above
        window.press("Down");
        window.log()[before..].iter().any(|it| it.matches("knob"))
    });
    assert!(is_turned, "no slider got the focus");
    window.press("Escape"); // releases the focus and does not quit
    window.press_for("space", "paused");
    assert!(!window.state().quits);
}

#[test]
fn typed_digits_set_the_knob_only() {
    let mut window = typing(&[]);
    let strategy = window.state().settings.strategy;
    window.type_text("1234");
    assert_eq!(entities(&window), 400.0, "not before Enter");
    window.press("Return");
    assert_eq!(entities(&window), 1234.0);
    assert_eq!(window.state().settings.strategy, strategy);
    // The field has released the keyboard focus.
    window.press("1");
    assert_eq!(window.state().settings.strategy, STRATEGIES[0]);
}

#[test]
fn a_chord_with_ctrl_types_nothing() {
    let mut window = typing(&[]);
    for key in ["7", "7", "ctrl+0", "ctrl+minus", "5", "Return"] {
        window.press(key);
    }
    assert_eq!(entities(&window), 775.0);
}

#[test]
fn other_keys_do_nothing_while_a_number_is_typed() {
    let mut window = typing(&[]);
    let before = window.log().len();
    // Keys with a function, except those that end typing.
    for key in [
        "r",
        "t",
        "h",
        "p",
        "o",
        "question",
        "space",
        "bracketleft",
        "bracketright",
        "Left",
        "Right",
        "period",
        "KP_2",
        "d",
    ] {
        window.press(key);
    }
    for line in &window.log()[before..] {
        let is_routine = ["frame", "picture", "control"]
            .iter()
            .any(|it| line.matches(it));
        assert!(is_routine, "{line:?}");
    }
    window.press("Escape");
    assert_eq!(entities(&window), 400.0);
    window.press_for("space", "paused");
}

#[test]
fn invalid_numbers_are_dropped_and_large_ones_clamped() {
    let mut window = typing(&[]);
    for (typed, expected) in [("4x5", 400.0), ("99999999", ENTITIES.max)] {
        window.type_text(typed);
        window.press("Return");
        assert_eq!(entities(&window), expected, "{typed}");
        click_number(&mut window);
        window.frame();
    }
}

#[test]
fn escape_cancels_typing() {
    let mut window = typing(&[]);
    window.type_text("55");
    window.press("Escape");
    assert_eq!(entities(&window), 400.0);
    window.press("1");
    assert_eq!(window.state().settings.strategy, STRATEGIES[0]);
    window.press("Escape");
    assert!(window.state().quits);
}

#[test]
fn switching_views_ends_typing() {
    for (key, view) in [("F2", View::Compare), ("F3", View::Loops)] {
        let mut window = typing(&[]);
        window.press("7");
        window.press(key);
        assert_eq!(window.state().view, view);
        window.press("space");
        assert_eq!(window.state().flow, Flow::Paused);
        window.press("Escape");
        assert!(window.state().quits);
    }
}

#[test]
fn typing_ends_if_its_field_no_longer_fits() {
    let mut window = typing(&[]);
    window.press("7");
    window.resize(30.0, 30.0);
    window.press("Escape");
    assert!(window.state().quits);
}
