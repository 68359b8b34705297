//! Switching frame loops, and view Loops.

use super::Window;
use crate::app::state::Flow;
use crate::app::state::view::View;
use headless::experiment::loop_race::{Race, Side};
use headless::sim::machine::RENDER_MS;
use timeslicer::frame_loop::FRAME_LOOPS;
use timeslicer::strategy::STRATEGIES;

fn race(window: &Window) -> &Race {
    window
        .state()
        .loops
        .race
        .as_ref()
        .expect("its view was shown")
}

#[test]
fn l_cycles_through_all_loops() {
    let mut window = Window::open(&[]);
    let first = window.state().settings.frame_loop;
    let mut seen = Vec::new();
    for _ in FRAME_LOOPS {
        window.press("l");
        window.frame(); // no loop stops the game
        let state = window.state();
        assert_eq!(
            state.grid.lane.settings().frame_loop,
            state.settings.frame_loop
        );
        seen.push(state.settings.frame_loop.key);
    }
    assert_eq!(seen.last(), Some(&first.key));
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), FRAME_LOOPS.len(), "{seen:?}");
}

#[test]
fn keys_and_tabs_switch_views() {
    let mut window = Window::still(1, &[]);
    for (key, view) in [
        ("F3", View::Loops),
        ("F2", View::Compare),
        ("F1", View::Grid),
    ] {
        window.press(key);
        assert_eq!(window.state().view, view);
    }
    for (tab, view) in [
        ("view:F2", View::Compare),
        ("view:F1", View::Grid),
        ("view:F3", View::Loops),
    ] {
        window.click(tab);
        assert_eq!(window.state().view, view);
    }
    window.press("2");
    assert_eq!(
        window.state().view,
        View::Grid,
        "strategies are shown in Grid"
    );
    assert_eq!(window.state().settings.strategy, STRATEGIES[1]);
}

#[test]
fn a_restart_of_the_race_repeats_it() {
    let mut window = Window::still(60, &["--view", "loops"]);
    let first = race(&window).to_json();
    window.press("period");
    window.frame();
    assert_eq!(window.state().flow, Flow::Paused);
    assert_ne!(race(&window).to_json(), first, "a step changes nothing");
    window.press("r");
    assert_eq!(race(&window).to_json(), first);
}

#[test]
fn a_row_selects_its_loop_and_sliders_tune_machines() {
    let mut window = Window::still(60, &["--view", "loops"]);
    let row = window.place("race:fixed-step");
    window.click_at(row.left() + 20.0, row.bottom() - 12.0);
    assert_eq!(window.state().settings.frame_loop.key, "fixed-step");
    assert_eq!(window.state().view, View::Loops);
    let rendering = |window: &Window| Side::BOTH.map(|side| race(window).knob(side, &RENDER_MS));
    let [fast, slow] = rendering(&window);
    window.drag_slider("slow:render-ms", 0.2);
    let [fast_after, slow_after] = rendering(&window);
    assert!(fast_after == fast && slow_after != slow, "{slow_after}");
}

#[test]
fn the_list_selects_a_loop() {
    for view in ["grid", "compare"] {
        // The window is tall enough for the list to fit in the panel.
        let flags = ["--view", view, "--size", "1280x2000", "--entities", "50"];
        let mut window = Window::still(10, &flags);
        window.click("loop");
        window.click("loop:fixed-step");
        assert_eq!(window.state().settings.frame_loop.key, "fixed-step");
        assert!(!window.has("loop:fixed-step"), "the list stays open");
    }
}
