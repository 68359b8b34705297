//! A control or a list that is no longer shown takes no keys and no clicks, and no key moves the focus to another control.

use super::Window;
use crate::app::state::Flow;

/// Each drop-down list: its view, its control, and one of its items.
const LISTS: [(&str, &str, &str); 4] = [
    ("grid", "loop", "loop:fixed-step"),
    ("compare", "loop", "loop:fixed-step"),
    ("compare", "columns", "show:entities"),
    ("compare", "sort", "sort:frame_ms.mean"),
];

/// Reopens the window and opens this list.
fn open_list(window: &mut Window, (view, list, item): (&str, &str, &str)) {
    let flags = ["--view", view, "--size", "1280x2000", "--entities", "50"];
    window.reopen(1, &flags);
    window.click(list);
    assert!(window.has(item), "{list}");
}

#[test]
fn escape_closes_a_list_and_then_quits() {
    let mut window = Window::open(&[]);
    for list in LISTS {
        open_list(&mut window, list);
        window.press("Escape");
        assert!(!window.state().quits && !window.has(list.2), "{list:?}");
        window.press("Escape");
        assert!(window.state().quits, "{list:?}");
    }
}

/// Keys that hide a list with its control: all of them, or only if the list is in the panel.
const HIDING: [&str; 4] = ["F3", "F1", "F2", "1"];
const HIDING_PANEL: [&str; 2] = ["f", "a"];

#[test]
fn escape_quits_after_an_open_list_was_hidden() {
    let mut window = Window::open(&[]);
    for list in LISTS {
        for key in HIDING.iter().chain(&HIDING_PANEL) {
            open_list(&mut window, list);
            let view = window.state().view;
            window.press(key);
            let is_hidden = window.state().view != view || !window.has(list.1);
            if is_hidden {
                assert!(!window.has(list.2), "{list:?} after {key}");
                window.press("Escape");
            } else {
                assert!(window.has(list.2), "{list:?} after {key}");
                window.press("Escape"); // closes the list
                assert!(!window.state().quits, "{list:?} after {key}");
                window.press("Escape");
            }
            assert!(window.state().quits, "{list:?} after {key}");
        }
    }
}

#[test]
fn a_list_does_not_open_again_with_its_panel() {
    let mut window = Window::open(&[]);
    for list in LISTS.into_iter().filter(|list| list.1 != "columns") {
        for key in HIDING_PANEL {
            open_list(&mut window, list);
            window.press(key);
            assert!(!window.has(list.1), "{list:?} after {key}");
            window.press(key);
            assert!(window.has(list.1), "{list:?} after {key}");
            assert!(!window.has(list.2), "{list:?} after {key}");
        }
    }
}

#[test]
fn the_help_closes_an_open_list() {
    let mut window = Window::open(&[]);
    for list in LISTS {
        open_list(&mut window, list);
        window.press("h");
        assert!(!window.has(list.2), "{list:?}");
        window.press("Escape");
        assert!(!window.state().interface.help, "{list:?}");
        assert!(!window.has(list.2), "{list:?}");
        window.press("Escape");
        assert!(window.state().quits, "{list:?}");
    }
}

/// Reopens the window in this view, and moves the focus to a control.
fn open_with_focus(window: &mut Window, view: &str, tabs: usize) {
    let flags = ["--view", view, "--size", "1280x1500", "--entities", "50"];
    window.reopen(1, &flags);
    (0..tabs).for_each(|_| window.press("Tab"));
    let focused = window.context().memory(egui::Memory::focused);
    assert!(focused.is_some(), "{view} after {tabs} tabs");
}

/// Asserts that keys which operate a focused control act as hotkeys.
fn assert_unfocused(window: &mut Window, label: &str) {
    let knobs = window.state().settings.knobs.clone();
    for key in ["Right", "Up", "space"] {
        window.press(key);
    }
    assert_eq!(window.state().settings.knobs, knobs, "{label}");
    assert_eq!(window.state().flow, Flow::Running, "{label}");
}

#[test]
fn a_focused_control_of_another_view_takes_no_keys() {
    let mut window = Window::open(&[]);
    for view in ["grid", "compare", "loops"] {
        for key in ["F1", "F2", "F3"] {
            for tabs in [25, 40] {
                open_with_focus(&mut window, view, tabs);
                let before = window.state().view;
                window.press(key);
                if window.state().view != before {
                    assert_unfocused(&mut window, &format!("{view} {tabs} {key}"));
                    window.press("Escape");
                    assert!(window.state().quits, "{view} {tabs} {key}");
                }
            }
        }
    }
}

#[test]
fn a_focused_control_in_a_hidden_panel_takes_no_keys() {
    let mut window = Window::open(&[]);
    for view in ["grid", "compare", "loops"] {
        for key in ["f", "a", "h"] {
            open_with_focus(&mut window, view, 30);
            window.press(key);
            let label = format!("{view} {key}");
            assert_unfocused(&mut window, &label);
            if key == "h" {
                window.press("Escape"); // closes the help
            }
            window.press("Escape");
            assert!(window.state().quits, "{label}");
        }
    }
}

/// Returns the name of the control that has the keyboard focus.
fn focused_control(window: &Window) -> Option<String> {
    let ctx = window.context();
    let focused = ctx.memory(egui::Memory::focused)?;
    let place = ctx.read_response(focused)?.rect;
    let mut places = window.places();
    places.retain(|(name, rect)| !name.starts_with("part:") && rect.contains(place.center()));
    places.sort_by(|a, b| a.1.area().total_cmp(&b.1.area()));
    places.first().map(|(name, _)| name.clone())
}

#[test]
fn no_key_moves_the_focus_to_another_control() {
    let mut window = Window::open(&[]);
    open_with_focus(&mut window, "grid", 1);
    let mut controls = Vec::new();
    for _ in 0..60 {
        controls.extend(window.context().memory(egui::Memory::focused));
        window.press("Tab");
    }
    for key in ["bracketright", "l", "j"] {
        for &control in &controls {
            window.reopen(1, &["--size", "1280x1500"]);
            let context = window.context();
            context.memory_mut(|memory| memory.request_focus(control));
            window.frame();
            let before = focused_control(&window);
            window.press(key);
            window.frame();
            let after = focused_control(&window);
            assert!(
                after.is_none() || after == before,
                "{key}: {before:?} to {after:?}"
            );
        }
    }
}
