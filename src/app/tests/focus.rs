//! Keyboard focus: text fields take keys, but a control or a list that is no longer shown takes none.

use super::Window;
use crate::app::state::Flow;
use crate::app::state::view::View;
use egui::text_edit::TextEditState;
use lab::catalog::strategy::STRATEGIES;
use lab::sim::world::ENTITIES;

pub fn entities(window: &Window) -> f64 {
    window.state().settings.knobs.get(&ENTITIES)
}

/// Adds a click on the number of entities to the input of the next frame.
fn click_number(window: &mut Window) {
    let slider = window.place("entities");
    window.add_click_at(slider.right() - 20.0, slider.top() + 9.0);
}

/// Opens a window with 400 entities and clicks their number to edit it.
fn typing() -> Window {
    let mut window = Window::open(&[]);
    click_number(&mut window);
    window.frame();
    window
}

/// Asserts that the first Escape asks and the second one quits, because nothing else takes the key.
fn assert_quits(window: &mut Window, label: &str) {
    assert!(!window.state().quits, "{label}");
    window.add_key("Escape").add_key("Escape").frame();
    assert!(window.state().quits, "{label}");
}

#[test]
fn keys_in_a_frame_with_a_text_field_are_no_hotkeys() {
    let mut window = typing();
    let strategy = window.state().settings.strategy;
    window.add_key("5").add_key("5").add_key("Escape").frame();
    assert_eq!(window.state().settings.strategy, strategy);
    assert_eq!(entities(&window), 400.0);
    assert!(window.last("asked to quit").is_none());
    // The field loses the focus to Escape, and has it again from this click on.
    click_number(&mut window);
    window.add_key("5").add_key("Escape").frame();
    assert_eq!(window.state().settings.strategy, strategy);
    assert!(window.last("asked to quit").is_none());
    window.press("Escape");
    window.add_key("5").add_key("5").add_key("Escape").frame();
    assert_eq!(window.state().settings.strategy, STRATEGIES[4]);
    assert!(window.last("asked to quit").is_some());
}

#[test]
fn a_key_that_leaves_the_view_sets_the_typed_value_first() {
    let mut window = typing();
    for key in ["7", "0", "F2"] {
        window.press(key);
    }
    assert_eq!(window.state().view, View::Compare);
    assert_eq!(entities(&window), 70.0);
}

#[test]
fn a_text_field_takes_all_keys_until_enter() {
    let mut window = typing();
    for key in ["1", "2", "ctrl+0", "3", "2", "BackSpace", "4", "r", "space"] {
        window.press(key);
    }
    assert_eq!(entities(&window), 400.0, "not before Enter");
    assert_eq!(window.state().flow, Flow::Running);
    (0..2).for_each(|_| window.press("BackSpace"));
    window.press("Return");
    assert_eq!(entities(&window), 1234.0);
    assert!(window.last("strategy").is_none() && window.last("restarted").is_none());
    // The field has released the keyboard focus.
    window.press("1");
    assert_eq!(window.state().settings.strategy, STRATEGIES[0]);
    assert_quits(&mut window, "typing");
}

#[test]
fn escape_closes_an_open_list_and_quits_after_a_hidden_one() {
    let mut window = Window::open(&[]);
    // Each key hides the list, leaves it open, or covers it.
    for key in ["", "F2", "f", "h"] {
        window.reopen(1, &["--size", "1280x2000", "--entities", "50"]);
        window.click("loop");
        assert!(window.has("loop:fixed-step"), "{key}");
        if !key.is_empty() {
            window.press(key);
        }
        let is_hidden = ["F2", "f"].contains(&key);
        assert_eq!(window.has("loop"), !is_hidden, "{key}");
        assert_eq!(window.has("loop:fixed-step"), key.is_empty(), "{key}");
        if key == "f" {
            window.press(key);
            assert!(window.has("loop") && !window.has("loop:fixed-step"));
        } else if !is_hidden {
            window.press("Escape");
            assert!(!window.has("loop:fixed-step") && !window.state().interface.help);
        }
        assert_quits(&mut window, key);
    }
}

#[test]
fn a_focused_control_that_is_hidden_takes_no_keys() {
    let mut window = Window::open(&[]);
    for (shown, key, tabs) in [
        ("grid", "F2", 40),
        ("grid", "a", 30),
        ("compare", "F3", 25),
        ("compare", "h", 30),
        ("loops", "F1", 40),
        ("loops", "f", 30),
    ] {
        let label = format!("{shown} {key}");
        let flags = ["--view", shown, "--size", "1280x1500", "--entities", "50"];
        window.reopen(1, &flags);
        (0..tabs).for_each(|_| window.press("Tab"));
        let focused = window.context().memory(egui::Memory::focused);
        let focused = focused.unwrap_or_else(|| panic!("{label}"));
        // A text field takes typed letters, so move the focus on.
        if TextEditState::load(window.context(), focused).is_some() {
            window.press("Tab");
        }
        window.press(key);
        let knobs = window.state().settings.knobs.clone();
        for key in ["Right", "Up", "space"] {
            window.press(key);
        }
        assert_eq!(window.state().settings.knobs, knobs, "{label}");
        assert_eq!(window.state().flow, Flow::Running, "{label}");
        if key == "h" {
            window.press("Escape"); // closes the help
        }
        assert_quits(&mut window, &label);
    }
}
