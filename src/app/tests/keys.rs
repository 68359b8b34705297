//! Hotkeys.

use super::Window;
use crate::app::platform::vsync::PERIOD;
use crate::app::state::Flow;
use crate::app::state::view::View;
use headless::sim::settings::Settings;
use timeslicer::strategy::STRATEGIES;
use timeslicer::strategy::knobs::AS_PUBLISHED;
use timeslicer::time::GameTime;

fn now(window: &Window) -> GameTime {
    window.state().grid.lane.now()
}

#[test]
fn the_number_row_switches_to_every_strategy() {
    let mut window = Window::open(&[]);
    let number_row = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "minus"];
    for (entry, key) in STRATEGIES.iter().zip(number_row) {
        window.press(key);
        assert_eq!(window.state().settings.strategy, *entry);
    }
    window.press("KP_2");
    assert_eq!(window.state().settings.strategy, STRATEGIES[1]);
}

#[test]
fn brackets_cycle_through_all_strategies() {
    let mut window = Window::open(&["--strategy", STRATEGIES[0].key]);
    let forwards = STRATEGIES.iter().cycle().skip(1).take(STRATEGIES.len());
    for entry in forwards {
        window.press("bracketright");
        assert_eq!(window.state().settings.strategy, *entry);
    }
    for entry in STRATEGIES.iter().rev() {
        window.press("bracketleft");
        assert_eq!(window.state().settings.strategy, *entry);
    }
}

#[test]
fn backspace_resets_the_figures() {
    let mut window = Window::open(&[]);
    window.frames(5);
    window.press_for("BackSpace", "measuring");
}

#[test]
fn w_switches_to_the_published_form_and_back() {
    let mut window = Window::open(&["--strategy", "fixed-interval"]);
    for published in [1.0, 0.0] {
        window.press("w");
        let knobs = &window.state().settings.knobs;
        assert_eq!(knobs.get(&AS_PUBLISHED), published);
    }
    window.press("F2");
    window.press_for("w", "all as-published 1");
    window.press("F1");
    window.press_for("w", "knob as-published 0");
}

#[test]
fn no_game_time_passes_while_paused() {
    let mut window = Window::open(&[]);
    for key in ["space", "p"] {
        window.press(key);
        window.frame(); // completes the frame in progress
        let paused_at = now(&window);
        window.frames(100);
        assert_eq!(
            (window.state().flow, now(&window)),
            (Flow::Paused, paused_at)
        );
        window.press(key);
        window.frames(2);
        assert_eq!(window.state().flow, Flow::Running);
        let passed = now(&window) - paused_at;
        assert!(passed <= PERIOD + PERIOD + PERIOD, "{passed} ms");
    }
}

#[test]
fn a_step_is_one_frame_of_game_time_and_pauses() {
    let mut window = Window::open(&[]);
    window.press("period");
    window.frames(2);
    assert_eq!(window.state().flow, Flow::Paused);
    for key in ["period", "o", "period"] {
        let before = now(&window);
        window.press(key);
        window.frames(3);
        assert_eq!(now(&window) - before, PERIOD, "{key}");
    }
    window.press_for("space", "running");
}

#[test]
fn a_restart_begins_at_frame_zero() {
    let mut window = Window::open(&[]);
    window.frames(5);
    window.press("r");
    assert_eq!(window.state().grid.lane.frames(), 0);
    window.press("space"); // a simulated machine pauses after a restart
    window.frame();
    let frame = window.last("frame").expect("frames are logged");
    assert_eq!((frame.frame, frame.number("delta")), (0, 0.0));
}

#[test]
fn keys_work_while_the_panels_are_hidden() {
    let mut window = Window::open(&[]);
    for (is_shown, key, entry) in [
        (false, "1", STRATEGIES[0]),
        (true, "2", STRATEGIES[1]),
        (false, "3", STRATEGIES[2]),
    ] {
        window.press("f");
        window.press(key);
        assert_eq!(window.state().interface.panels, is_shown);
        assert_eq!(window.state().settings.strategy, entry);
        window.press_for("space", "paused");
        window.press_for("space", "running");
    }
}

#[test]
fn escape_closes_help_before_it_quits() {
    let mut window = Window::open(&[]);
    for key in ["question", "h"] {
        window.press(key);
        assert!(window.state().interface.help);
        window.press(key);
        assert!(!window.state().interface.help);
    }
    window.press("question");
    window.press("Escape");
    assert!(!window.state().interface.help && !window.state().quits);
    window.press("Escape");
    assert!(window.state().quits);
}

#[test]
fn function_keys_and_tabs_switch_views() {
    let mut window = Window::open(&[]);
    for (key, view) in [
        ("F2", View::Compare),
        ("F3", View::Loops),
        ("F1", View::Grid),
    ] {
        window.press(key);
        assert_eq!(window.state().view, view);
    }
    assert_eq!(
        window.state().settings.strategy,
        Settings::default().strategy
    );
}
