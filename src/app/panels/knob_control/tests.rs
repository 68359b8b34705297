//! A cancelled touch, the selection of a number, and the reset button.

use super::TextEditState;
use crate::app::tests::Window;
use lab::sim::world::ENTITIES;
use macroquad::input::KeyCode;

fn entities(window: &Window) -> f64 {
    window.state().settings.knobs.get(&ENTITIES)
}

fn is_in_text_field(window: &Window) -> bool {
    let context = window.context();
    let focused = context.memory(egui::Memory::focused);
    focused.is_some_and(|id| TextEditState::load(context, id).is_some())
}

#[test]
fn a_cancelled_touch_changes_nothing() {
    let mut window = Window::open(&[]);
    let slider = window.place("entities");
    window.point(slider.left() + 20.0, slider.bottom() - 7.0);
    window.mouse_down();
    window.frame();
    let pressed = entities(&window);
    assert!(pressed < 100.0);
    window.point(-32_000.0, -32_000.0);
    window.mouse_up();
    window.frame();
    assert_eq!(entities(&window), pressed);
}

#[test]
fn a_number_is_selected_whole_by_a_double_click_and_by_tab() {
    for by_tab in [false, true] {
        let mut window = Window::open(&["--entities", "150000"]);
        let slider = window.place("entities");
        if by_tab {
            while !is_in_text_field(&window) {
                window.press(KeyCode::Tab);
            }
        } else {
            let number = (slider.right() - 50.0, slider.top() + 9.0);
            window.add_click_at(number.0, number.1);
            window.add_click_at(number.0, number.1);
            window.frame();
        }
        window.press(KeyCode::Key7);
        window.press(KeyCode::Enter);
        assert_eq!(entities(&window), 7.0, "by Tab: {by_tab}");
    }
}

#[test]
fn only_a_changed_value_has_a_reset_button() {
    let mut window = Window::open(&["--entities", "5"]);
    window.click("revert:entities");
    window.frame();
    assert_eq!(entities(&window), ENTITIES.default);
    assert!(!window.has("revert:entities"));
}
