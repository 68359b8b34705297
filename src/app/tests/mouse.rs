//! Clicks on the tabs and buttons of the bars, and the pointer over the capsules.

use super::Window;
use lab::catalog::strategy::STRATEGIES;
use lab::sim::world::WEIGHT_RULE;
use lab::text::csharp;

#[test]
fn buttons_give_the_commands_of_their_keys() {
    // Only a wide window has room for all buttons and all names.
    let mut window = Window::open(&["--strategy", STRATEGIES[1].key, "--size", "1800x800"]);
    for (control, words) in [
        ("button:R", "restarted"),
        ("button:F", "panels hidden"),
        ("button:F", "panels shown"),
        ("button:?", "help shown"),
        // Help covers everything, so a click anywhere only hides it.
        ("tab:every-frame", "help hidden"),
        ("tab:timeline", "timeline shown"),
        ("tab:plots", "plots shown"),
        ("button:Space", "running"),
        ("button:Space", "paused"),
        ("view:F2", "view compare"),
        ("view:F3", "view loops"),
        ("view:F1", "view grid"),
        ("button:Esc", "leaving"),
    ] {
        window.click_for(control, words);
        window.frame(); // egui places the help in the layout after the one that first shows it
    }
}

#[test]
fn a_click_beside_a_list_only_closes_it() {
    let mut window = Window::still(60, &["--entities", "2"]);
    window.click("loop");
    window.frames(2);
    let capsules = window.place("capsules");
    let beside = (
        capsules.left() + 0.25 * capsules.width(),
        capsules.center().y,
    );
    for is_pinned in [false, true] {
        window.click_at(beside.0, beside.1);
        window.frames(2);
        let pin = window.state().grid.selection.pin;
        assert_eq!(pin.is_some(), is_pinned);
    }

    let mut window = Window::still(60, &["--view", "compare"]);
    window.click("columns");
    window.frames(2);
    let row = format!("lane:{}", STRATEGIES[1].key);
    for selects in [false, true] {
        let from = window.log().len();
        window.click(&row);
        window.frames(2);
        let new = &window.log()[from..];
        let selected = new.iter().any(|line| line.matches("selected"));
        assert_eq!(selected, selects, "{new:?}");
    }
}

#[test]
fn the_target_follows_the_pointer() {
    let mut window = Window::open(&[]);
    let capsules = window.place("capsules");
    for share in [0.25, 0.75] {
        window.point(
            capsules.left() + share * capsules.width(),
            capsules.center().y,
        );
        window.frames(60);
        let target = window.state().grid.lane.world().target();
        let off = (target.x - share).abs().max((target.y - 0.25).abs());
        assert!(off < 0.01, "{target:?}");
    }
}

#[test]
fn pointing_at_a_frame_in_the_plots_highlights_its_runs() {
    let mut window = Window::still(60, &["--strategy", "max-per-frame"]);
    let capsules = window.place("capsules");
    let mut shown_at = |x: f32, y: f32| {
        window.point(x, y);
        window.frame();
        let shapes = window.shapes().iter();
        let over = shapes.map(|shape| shape.shape.visual_bounding_rect());
        over.filter(|rect| capsules.contains_rect(*rect))
            .collect::<Vec<_>>()
    };
    let outside = shown_at(100.0, 795.0);
    let newest = shown_at(1030.0, 640.0);
    let older = shown_at(1000.0, 640.0);
    assert!(newest != older && older != outside);
    assert!(shown_at(100.0, 795.0) == outside);
}

#[test]
fn wheel_and_shift_magnify_and_move_the_crowd() {
    let mut window = Window::open(&["--entities", "20000"]);
    window.point(800.0, 300.0);
    window.turn_wheel(12);
    window.frames(20); // egui spreads a step over several frames
    assert!(window.state().grid.zoom.factor > 2.0 && window.has("overview"));
    for _ in 0..2 {
        let before = window.state().grid.zoom.center;
        window.hold_shift(true);
        window.mouse_down();
        window.point(700.0, 350.0);
        window.frame();
        window.mouse_up();
        window.hold_shift(false);
        assert_ne!(window.state().grid.zoom.center, before);
        window.point(800.0, 300.0);
    }
    let requested = window.last("request");
    assert!(requested.is_none(), "a drag with Shift requests no runs");
    window.press_for("Home", "magnified 1.00");
}

#[test]
fn the_copy_button_copies_the_code_with_the_knobs() {
    let mut entries = STRATEGIES.iter();
    let found = entries.find_map(|entry| Some((*entry, entry.own_knobs().next()?)));
    let (entry, knob) = found.expect("a strategy has a knob");
    let (flag, value) = (format!("--{}", knob.key), knob.max.to_string());
    let mut window = Window::open(&["--strategy", entry.key, &flag, &value]);
    window.press("u");
    window.click("button:Copy");
    let code = entry
        .snippet(&window.state().settings.knobs, &WEIGHT_RULE)
        .text;
    assert_eq!(window.state().clipboard, Some(code));

    window.click("button:C#");
    window.click("button:Copy");
    let file = csharp::file(entry, &window.state().settings.knobs);
    assert!(file.is_some());
    assert_eq!(window.state().clipboard, file);
}
