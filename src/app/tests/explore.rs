//! The pinned entity, the lower tabs and the history.

use super::Window;
use crate::app::state::Flow;
use crate::app::state::grid::LowerTab;

/// Number of recorded frames of a still window.
const KNOWN: u64 = 60;

/// Returns the point at half the height of the capsules and at this fraction of their width.
fn at(window: &Window, x: f32) -> (f32, f32) {
    let view = window.place("capsules");
    (view.left() + view.width() * x, view.center().y)
}

fn click(window: &mut Window, x: f32) {
    let (x, y) = at(window, x);
    window.click_at(x, y);
}

/// Returns the number of the pinned entity.
fn pinned(window: &Window) -> Option<u64> {
    let grid = &window.state().grid;
    let task = grid.selection.pinned()?;
    let entity = grid.lane.world().entity(task);
    Some(entity.expect("a pinned entity lives").number)
}

/// Returns the number of the past frame on screen, or `None` for the present.
fn looked_at(window: &Window) -> Option<u64> {
    window.state().grid.selection.looked_at
}

#[test]
fn clicking_a_capsule_pins_its_entity() {
    let mut window = Window::open(&["--entities", "2", "--strategy", "every-frame"]);
    // The two capsules are at a quarter and at three quarters of the width.
    for (x, entity) in [(0.25, Some(0)), (0.75, Some(1)), (0.003, None)] {
        click(&mut window, x);
        assert_eq!(pinned(&window), entity, "{x}");
    }
    assert_eq!(window.state().settings.target, None, "it only unpins");
}

#[test]
fn the_panel_shows_the_capacity() {
    // The window is tall enough for the whole panel.
    let window = Window::open(&["--entities", "20", "--size", "1280x1100"]);
    let (capacity, knob) = (window.place("part:capacity"), window.place("entities"));
    assert!(capacity.top() > knob.top() && capacity.width() > 100.0);
}

#[test]
fn dragging_makes_requests_and_clicking_does_not() {
    let flags = ["--entities", "2", "--strategy", "request-list"];
    let mut window = Window::open(&[&flags[..], &["--requests-per-s", "0"]].concat());
    let runs = |window: &Window| window.state().grid.lane.last_frame().runs;
    window.frames(3);
    click(&mut window, 0.25);
    assert_eq!(pinned(&window), Some(0));
    for _ in 0..3 {
        window.frame();
        assert_eq!(runs(&window), 0, "a click requests nothing");
    }
    window.mouse_down();
    let (x, y) = at(&window, 0.75);
    window.point(x, y);
    window.frame();
    assert_eq!(runs(&window), 2, "both entities");
    window.mouse_up();
    assert_eq!(pinned(&window), Some(0), "a drag is no click");
}

#[test]
fn t_and_u_show_a_tab_and_again_the_plots() {
    let mut window = Window::open(&[]);
    for (key, tab, part) in [
        ("t", LowerTab::Timeline, "part:timeline"),
        ("t", LowerTab::Plots, "part:plots"),
        ("u", LowerTab::Code, "part:code"),
        ("t", LowerTab::Timeline, "part:timeline"),
        ("u", LowerTab::Code, "part:code"),
        ("u", LowerTab::Plots, "part:plots"),
    ] {
        window.press(key);
        assert_eq!(window.state().grid.lower, tab, "{key}");
        assert!(window.has(part), "{key}");
    }
}

#[test]
fn arrow_keys_step_through_the_history_while_paused() {
    let mut window = Window::open(&[]);
    window.frames(10);
    window.press("Left");
    assert_eq!(looked_at(&window), None, "the game runs");
    window.press("space");
    let next = window.state().grid.next_frame();
    for (key, frame) in [("Left", next - 2), ("Left", next - 3), ("Right", next - 2)] {
        window.press(key);
        assert_eq!(looked_at(&window), Some(frame), "{key}");
    }
    window.press("space");
    window.frame();
    assert_eq!(window.state().flow, Flow::Running);
    assert_eq!(looked_at(&window), None);
}

#[test]
fn shift_steps_ten_frames_and_home_and_end_jump() {
    let mut window = Window::still(KNOWN, &[]);
    for (key, frame) in [
        ("shift+Left", KNOWN - 11),
        ("shift+Left", KNOWN - 21),
        ("Left", KNOWN - 22),
        ("shift+Right", KNOWN - 12),
        ("Home", 0),
        ("shift+Right", 10),
        ("shift+Left", 0),
        ("Right", 1),
    ] {
        window.press(key);
        assert_eq!(looked_at(&window), Some(frame), "{key}");
        let past = window.state().grid.past().expect("it is recorded");
        assert_eq!(past.record.number, frame);
    }
    window.press("End");
    assert_eq!(looked_at(&window), None, "the newest frame is the present");
}

#[test]
fn a_held_key_repeats() {
    let mut window = Window::still(KNOWN, &[]);
    window.press("Left");
    for back in 3..8 {
        window.repeat("Left");
        assert_eq!(looked_at(&window), Some(KNOWN - back));
    }
    // Holding other keys does not repeat them.
    let tab = window.state().grid.lower;
    window.repeat("t");
    assert_eq!(window.state().grid.lower, tab);
}
