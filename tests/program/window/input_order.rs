//! In a slow frame, a key or a click goes to the control that the user saw when pressing it.

use crate::window::support::lab::{Lab, Line};
use timeslicer::strategy::{STRATEGIES, by_key};

#[test]
fn digits_before_escape_in_a_slow_frame_are_no_hotkeys() {
    // A frame takes 100 ms, so it contains several of the keys.
    let flags = ["--strategy", "every-frame", "--cost-us", "250"];
    let Some(mut lab) = Lab::open(&[&flags[..], &["--entities", "400"]].concat()) else {
        return;
    };
    let slider = lab.place("entities");
    lab.point((slider.x + slider.width - 20.0, slider.y + 9.0));
    lab.click(); // opens the number for editing
    let before = lab.log().len();
    lab.type_keys(&["5", "5", "Escape"]);
    let is_change = |line: &&Line| line.matches("strategy") || line.matches("knob");
    let changes: Vec<&Line> = lab.log()[before..].iter().filter(is_change).collect();
    assert!(changes.is_empty(), "{changes:?}");
    let frame = lab.frames(1).remove(0);
    assert_eq!(frame.number("entities"), 400.0);
    lab.press_for("5", &format!("strategy {}", STRATEGIES[4].key));
    lab.press_for("Escape", "leaving");
}

/// Returns the key of a strategy on the number row, as xdotool names it.
fn key_of(strategy: &str) -> String {
    let entry = by_key(strategy).expect("it is registered");
    let place = STRATEGIES.iter().position(|it| *it == entry);
    (place.expect("it is listed") + 1).to_string()
}

#[test]
fn clicks_hit_controls_that_a_command_has_just_moved() {
    let Some(mut lab) = Lab::open(&["--entities", "50", "--cost-us", "0"]) else {
        return;
    };
    lab.press_for("j", "tour step 1");
    lab.press_for(&key_of("all-at-once"), "tour done 1");
    lab.click_for("tour:next", "tour step 2");
    lab.press_for(&key_of("fixed-interval"), "tour done 2");
    lab.click_for("tour:next", "tour step 3");
    for step in 4..=8 {
        lab.click_for("tour:next", &format!("tour step {step}"));
    }
    lab.press_for("F3", "tour done 8");
    lab.click_for("tour:back", "tour step 7");
    lab.click_for("tour:next", "tour step 8");
    lab.click_for("tour:next", "tour over");
    lab.wait_for("view grid");
}
