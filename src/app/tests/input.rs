//! Keys, buttons, the pointer and the wheel reach the state in every view.

use super::Window;
use crate::app::input::bindings::caps_of;
use crate::app::input::keys::Modifier;
use crate::app::state::command::Command;
use lab::catalog::strategy::STRATEGIES;
use lab::sim::disturbance::Disturbance;
use macroquad::input::KeyCode as K;

#[test]
fn keys_give_their_commands() {
    let mut window = Window::open(&format!("--strategy {}", STRATEGIES[1].key));
    for (key, words) in [
        (K::LeftBracket, &*format!("strategy {}", STRATEGIES[0].key)),
        (K::F2, "view compare"),
        (K::Down, &format!("selected {}", STRATEGIES[1].key)),
        (K::Enter, &format!("opened {}", STRATEGIES[1].key)),
        (K::F3, "view loops"),
        (K::R, "race restarted"),
    ] {
        window.press_for(key, words);
    }
}

#[test]
fn buttons_give_their_commands() {
    // Only a wide window has room for all buttons and all names.
    let mut window = Window::open(&format!("--strategy {} --size 1800x800", STRATEGIES[1].key));
    window.press_for(K::Space, "paused");
    for (control, words) in [
        ("button:R", "restarted"),
        ("button:F", "panels hidden"),
        ("button:F", "panels shown"),
        ("button:?", "help shown"),
        // Help covers everything, so a click anywhere only hides it.
        ("tab:every-frame", "help hidden"),
        ("tab:timeline", "timeline shown"),
        ("button:Space", "running"),
        ("view:F2", "view compare"),
        ("view:F1", "view grid"),
        ("button:Esc", "leaving"),
    ] {
        window.click_for(control, words);
        window.frame(); // egui places the help in the layout after the one that first shows it
    }
    assert!(window.state().quits);
}

#[test]
fn disturbances_have_buttons_in_each_view() {
    for view in ["grid", "compare", "loops"] {
        let flags = format!("--view {view} --size 1280x1400 --entities 50");
        let mut window = Window::still(10, &flags);
        if view != "loops" {
            window.unfold("disturb");
        }
        for disturbance in Disturbance::ALL {
            window.frame(); // new metrics can move the buttons
            let caps = caps_of(Command::Disturb(disturbance));
            let words = format!("disturbance {}", disturbance.key());
            window.click_for(&format!("button:{caps}"), &words);
        }
    }
}

#[test]
fn controls_take_clicks_but_keep_no_focus() {
    let flags = "--view loops --entities 50";
    let mut window = Window::open(flags);
    for (control, words) in [
        ("race:fixed-step", "loop fixed-step"),
        ("button:Space", "paused"),
        ("view:F2", "view compare"),
        ("lane:every-frame", "selected every-frame"),
        ("column:strategy", "sorted"),
    ] {
        window.click_for(control, words);
        assert_eq!(window.focused(), None, "{control}");
    }
    // Tab reaches no rows or headings, because they would not show the focus.
    for _ in 0..60 {
        window.press(K::Tab);
        let areas = ["lane:every-frame", "column:strategy"].map(egui::Id::new);
        assert!(window.focused().is_none_or(|id| !areas.contains(&id)));
    }
}

#[test]
fn a_double_click_opens_only_the_selected_lane() {
    let [lane, other] = [STRATEGIES[1].key, STRATEGIES[2].key];
    for (clicked, words) in [(other, "selected"), (lane, "opened")] {
        let flags = format!("--view compare --entities 50 --strategy {lane}");
        let mut window = Window::open(&flags);
        let at = window.place(&format!("lane:{clicked}")).center();
        window.add_click_at(at.x, at.y).add_click_at(at.x, at.y);
        window.frame();
        assert_eq!(window.last("opened").is_some(), words == "opened");
        assert!(window.last(&format!("{words} {clicked}")).is_some());
    }
}

#[test]
fn the_tour_walks_by_its_buttons_and_returns_to_the_view() {
    let mut window = Window::open("--view loops");
    window.press_for(K::J, "tour step 1");
    window.press_for(K::Key4, "tour done 1");
    window.frames(2);
    window.click_for("tour:next", "tour step 2");
    window.frames(2);
    window.click_for("tour:back", "tour step 1");
    window.press_for(K::Escape, "view loops");
    assert!(!window.has("tour:card"));
}

#[test]
fn a_click_beside_a_list_only_closes_it() {
    let mut window = Window::still(60, "--entities 2");
    window.unfold("loop");
    window.click("loop");
    window.frames(2);
    let capsules = window.place("capsules");
    let x = capsules.left() + 0.25 * capsules.width();
    for is_pinned in [false, true] {
        window.click_at(x, capsules.center().y);
        window.frames(2);
        let pin = window.state().grid.pin;
        assert_eq!(pin.is_some(), is_pinned);
    }
}

#[test]
fn the_wheel_scrolls_the_knobs() {
    // In this low window the knobs do not all fit, so they can be scrolled.
    let mut window = Window::still(30, "--size 900x400");
    let before = window.places();
    window.point_at("part:knobs");
    window.add_wheel(0.0, -1.0).frame();
    window.frames(20); // scrolling is animated
    assert_ne!(window.places(), before);
    window.add_wheel(0.0, 1.0).frame();
    window.frames(20);
    assert_eq!(window.places(), before);
}

#[test]
fn ctrl_with_plus_minus_or_0_scales_the_interface() {
    let mut window = Window::open("--size 1280x800");
    for (key, factor) in [
        (K::Equal, 1.25_f32),
        (K::KpAdd, 1.5),
        (K::Minus, 1.25),
        (K::Key0, 1.0),
        (K::Minus, 0.75),
    ] {
        window.add_chord(Modifier::Ctrl, key).frame();
        assert_eq!(window.state().interface.scale, factor, "{key:?}");
        window.frame(); // egui applies a scale in the next layout
        for (length, expected) in [
            (window.place("part:bar").width(), 1280.0),
            (window.place("entities").width(), 216.0 * factor),
        ] {
            assert!((length - expected).abs() <= 0.5, "{key:?}: {length}");
        }
        let before = window.entities();
        window.drag_slider("entities", 0.5 + (factor - 1.0) / 4.0);
        assert_ne!(window.entities(), before, "{key:?}");
    }
}
