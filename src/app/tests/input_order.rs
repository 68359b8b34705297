//! Keys, clicks and Escape in any order within one frame have the same effect as in one frame each.

use super::Window;
use timeslice::knob::Knob;

use headless::sim::world::ENTITIES;

fn value(window: &Window, knob: &Knob) -> f64 {
    window.state().settings.knobs.get(knob)
}

/// Opens a window with 400 entities and clicks their number to edit it.
fn typing() -> Window {
    let mut window = Window::open(&["--cost-us", "0"]);
    let slider = window.place("entities");
    window.click_at(slider.right() - 20.0, slider.top() + 9.0);
    window
}

#[test]
fn digits_before_escape_in_one_frame_are_no_hotkeys() {
    let mut window = typing();
    let strategy = window.state().settings.strategy;
    window.add_key("5").add_key("5").add_key("Escape").frame();
    assert_eq!(window.state().settings.strategy, strategy);
    assert_eq!(value(&window, &ENTITIES), 400.0);
    assert!(!window.state().quits);
}
