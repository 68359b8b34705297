//! Keyboard focus: text fields take keys, but a control or a list that is no longer shown takes none.

use super::Window;
use crate::app::input::keys::Modifier;
use crate::app::state::Flow;
use lab::catalog::strategy::STRATEGIES;
use lab::cli::View;
use macroquad::input::KeyCode as K;

/// Adds a click on the number of entities to the input of the next frame.
fn click_number(window: &mut Window) {
    let slider = window.place("entities");
    window.add_click_at(slider.right() - 20.0, slider.top() + 9.0);
}

/// Opens a window with 400 entities and clicks their number to edit it.
fn typing() -> Window {
    let mut window = Window::open("");
    click_number(&mut window);
    window.frame();
    window
}

/// Asserts that the first Escape asks and the second one quits, because nothing else takes the key.
fn assert_quits(window: &mut Window, label: &str) {
    assert!(!window.state().quits, "{label}");
    window.press_together(&[K::Escape; 2]);
    assert!(window.state().quits, "{label}");
}

#[test]
fn keys_in_a_frame_with_a_text_field_are_no_hotkeys() {
    let mut window = typing();
    let strategy = window.state().settings.strategy;
    window.press_together(&[K::Key5, K::Key5, K::Escape]);
    assert_eq!(window.state().settings.strategy, strategy);
    assert_eq!(window.entities(), 400.0);
    assert!(window.last("asked to quit").is_none());
    // Escape has removed the focus from the field, and this click returns it.
    click_number(&mut window);
    window.press_together(&[K::Key5, K::Escape]);
    assert_eq!(window.state().settings.strategy, strategy);
    assert!(window.last("asked to quit").is_none());
    window.press(K::Escape);
    window.press_together(&[K::Key5, K::Key5, K::Escape]);
    assert_eq!(window.state().settings.strategy, STRATEGIES[4]);
    assert!(window.last("asked to quit").is_some());
}

#[test]
fn a_key_that_leaves_the_view_sets_the_typed_value_first() {
    let mut window = typing();
    for key in [K::Key7, K::Key0, K::F2] {
        window.press(key);
    }
    assert_eq!(window.state().view, View::Compare);
    assert_eq!(window.entities(), 70.0);
}

#[test]
fn a_text_field_takes_all_keys_until_enter() {
    let mut window = typing();
    window.press_together(&[K::Key1, K::Key2]);
    window.add_chord(Modifier::Ctrl, K::Key0).frame();
    for key in [K::Key3, K::Key2, K::Backspace, K::Key4, K::R, K::Space] {
        window.press(key);
    }
    assert_eq!(window.entities(), 400.0, "not before Enter");
    assert_eq!(window.state().flow, Flow::Running);
    (0..2).for_each(|_| window.press(K::Backspace));
    window.press(K::Enter);
    assert_eq!(window.entities(), 1234.0);
    assert!(window.last("strategy").is_none() && window.last("restarted").is_none());
    // The field has released the keyboard focus.
    window.press(K::Key1);
    assert_eq!(window.state().settings.strategy, STRATEGIES[0]);
    assert_quits(&mut window, "typing");
}

#[test]
fn a_field_keeps_the_focus_whatever_appears_above_it() {
    // The first statistics add lines to the panel of Grid, and the answer of Compare changes everything above the table.
    for (view, fold, field) in [
        ("grid", Some("fold:disturb"), "button:Z"),
        ("grid", Some("fold:world"), "churn-per-s"),
        ("compare", None, "all:entities"),
        ("compare", None, "field:worst-s"),
        ("loops", None, "both:cost-us"),
    ] {
        let mut window = Window::open(&format!("--view {view} --size 1280x2000"));
        if let Some(fold) = fold {
            window.click(fold);
            window.frames(2);
        }
        let place = window.place(field);
        let is_button = field.starts_with("button:");
        let right = if is_button {
            place.right() + 40.0
        } else {
            place.right() - 20.0
        };
        window.add_click_at(right, place.top() + 9.0);
        window.frame();
        assert!(window.is_in_text_field(), "{view} {field}");
        window.frames(200);
        while view == "compare" && !window.state().compare.best_setting.is_final() {
            window.frame();
        }
        window.frame();
        assert!(window.is_in_text_field(), "{view} {field}");
    }
}

#[test]
fn escape_closes_an_open_list_and_quits_after_a_hidden_one() {
    // Without a key, the list stays open. Each of the keys hides or covers it.
    for key in [None, Some(K::F2), Some(K::F3), Some(K::F), Some(K::H)] {
        let mut window = Window::still(1, "--size 1280x2000 --entities 50");
        window.unfold("loop");
        window.click("loop");
        assert!(window.has("loop:fixed-step"), "{key:?}");
        if let Some(key) = key {
            window.press(key);
        }
        let is_hidden = [Some(K::F3), Some(K::F)].contains(&key);
        assert_eq!(window.has("loop"), !is_hidden, "{key:?}");
        assert_eq!(window.has("loop:fixed-step"), key.is_none(), "{key:?}");
        if key == Some(K::F) {
            window.press(K::F);
            assert!(window.has("loop") && !window.has("loop:fixed-step"));
        } else if !is_hidden {
            window.press(K::Escape);
            assert!(!window.has("loop:fixed-step") && !window.state().interface.help);
        }
        assert_quits(&mut window, &format!("{key:?}"));
    }
}

#[test]
fn a_focused_control_that_is_hidden_takes_no_keys() {
    for (shown, key, tabs) in [
        ("grid", K::F2, 40),
        ("grid", K::A, 30),
        ("compare", K::F3, 25),
        ("compare", K::H, 30),
        ("loops", K::F1, 40),
        ("loops", K::F, 30),
    ] {
        let label = format!("{shown} {key:?}");
        let flags = format!("--view {shown} --size 1280x1500 --entities 50");
        let mut window = Window::still(1, &flags);
        (0..tabs).for_each(|_| window.press(K::Tab));
        assert!(window.focused().is_some(), "{label}");
        // A text field takes typed letters, so move the focus on.
        if window.is_in_text_field() {
            window.press(K::Tab);
        }
        window.press(key);
        let knobs = window.state().settings.knobs.clone();
        for key in [K::Right, K::Up, K::Space] {
            window.press(key);
        }
        assert_eq!(window.state().settings.knobs, knobs, "{label}");
        assert_eq!(window.state().flow, Flow::Running, "{label}");
        if key == K::H {
            window.press(K::Escape); // closes the help
        }
        assert_quits(&mut window, &label);
    }
}
