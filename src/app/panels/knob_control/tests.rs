//! Tests of cancelled touches, of the selection of numbers, and of the reset button.

use crate::app::tests::Window;
use lab::catalog::frame_loop::knobs::INTERPOLATE;
use lab::sim::world::{COST_SPREAD, ENTITIES};
use macroquad::input::KeyCode;

#[test]
fn a_cancelled_touch_changes_nothing() {
    let mut window = Window::open("");
    let slider = window.place("entities");
    window.point(slider.left() + 20.0, slider.bottom() - 7.0);
    window.mouse_down();
    window.frame();
    let pressed = window.entities();
    assert!(pressed < 100.0);
    window.point(-32_000.0, -32_000.0);
    window.mouse_up();
    window.frame();
    assert_eq!(window.entities(), pressed);
}

#[test]
fn a_number_is_selected_whole_by_a_double_click_and_by_tab() {
    for by_tab in [false, true] {
        let mut window = Window::open("--entities 150000");
        let slider = window.place("entities");
        if by_tab {
            while !window.is_in_text_field() {
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
        assert_eq!(window.entities(), 7.0, "by Tab: {by_tab}");
    }
}

#[test]
fn a_number_of_one_digit_is_as_easy_to_hit_as_others() {
    let mut window = Window::open("");
    let slider = window.place("cost-spread");
    window.add_click_at(slider.right() - 34.0, slider.top() + 9.0);
    window.frame();
    window.press(KeyCode::Key2);
    window.press(KeyCode::Enter);
    assert_eq!(window.state().settings.knobs.get(&COST_SPREAD), 2.0);
}

#[test]
fn arrow_keys_step_a_number_and_its_slider_by_a_round_share() {
    let mut window = Window::open("--entities 20000");
    let slider = window.place("entities");
    window.add_click_at(slider.right() - 20.0, slider.top() + 9.0);
    window.frame();
    window.press(KeyCode::Up);
    assert_eq!(window.entities(), 21_000.0);
    for key in [KeyCode::Tab, KeyCode::Tab, KeyCode::Left] {
        window.press(key); // past the reset button
    }
    assert_eq!(window.entities(), 20_000.0);
}

#[test]
fn a_choice_is_shown_in_words() {
    let mut window = Window::open("--loop fixed-step --size 1280x1000");
    window.unfold("loop");
    window.click("choice:between");
    assert_eq!(window.state().settings.knobs.get(&INTERPOLATE), 2.0);
    window.frame();
    window.click("revert:interpolate");
    assert_eq!(window.state().settings.knobs.get(&INTERPOLATE), 1.0);
}

#[test]
fn only_a_changed_value_has_a_reset_button() {
    let mut window = Window::open("--entities 5");
    let slider = window.place("entities");
    window.click_at(slider.right() - 25.0, slider.top() + 9.0);
    assert_eq!(window.entities(), 5.0, "beside the number");
    window.click("revert:entities");
    window.frame();
    assert_eq!(window.entities(), ENTITIES.default);
    assert!(!window.has("revert:entities"));
}
