//! Small windows, and displays on which a point is two pixels wide.

use crate::input::sliders::on_track;
use crate::support::lab::{Lab, Place};
use timeslice::strategy::STRATEGIES;

const SMALL: [&str; 4] = ["--size", "900x600", "--cost-us", "0"];

/// Turns the wheel over the middle of a place until the log tells these words.
fn turn_wheel(lab: &mut Lab, place: Place, button: &str, words: &str) {
    lab.point(place.x + place.width / 2.0, place.y + place.height / 2.0);
    lab.frames(2);
    lab.xdotool(&["click", button]);
    lab.until(words);
}

#[test]
fn a_slider_dragged_at_scale_2_sets_what_it_sets_at_scale_1() {
    let mut set = Vec::new();
    for scale in [1, 2] {
        let Some(mut lab) = Lab::open_at(scale, 900, &SMALL) else {
            return;
        };
        let size = f64::from(scale);
        let slider = lab.place("entities");
        assert_eq!(slider.width, 216.0 * size, "a point is {scale} pixels");
        let (x, y) = on_track(slider, 0.3, size);
        lab.point(x, y);
        lab.mouse_down();
        lab.until("knob entities");
        // The pixel of a scale of 1 is in the middle between two of a scale of 2.
        lab.point(slider.x + 120.0 * size, y);
        let knob = lab.until("knob entities").pop().expect("the line sought");
        lab.mouse_up();
        lab.until_entities(knob.number("entities"));
        set.push(knob.what);
    }
    assert_eq!(set[0], set[1]);
}

#[test]
fn the_wheel_zooms_plots_and_scrolls_knobs_at_every_scale() {
    for scale in [1, 2] {
        // So low a window has no room for all knobs.
        let flags = ["--size", "900x400", "--cost-us", "0"];
        let Some(mut lab) = Lab::open_at(scale, 900, &flags) else {
            return;
        };
        let knobs = lab.place("part:knobs");
        let before = lab.places().clone();
        turn_wheel(&mut lab, knobs, "5", "control");
        lab.frames(10); // it scrolls softly
        let moved: Vec<f64> = lab
            .places()
            .iter()
            .filter_map(|(name, place)| Some(before.get(name)?.y - place.y))
            .filter(|by| *by != 0.0)
            .collect();
        let up = moved.iter().all(|by| *by > 0.0 && *by == moved[0]);
        assert!(!moved.is_empty() && up, "scale {scale}: {moved:?}");
        turn_wheel(&mut lab, knobs, "4", "control");
        lab.frames(10);
        assert_eq!(*lab.places(), before, "scale {scale}");

        let plots = lab.place("part:plots");
        for button in ["5", "4"] {
            turn_wheel(&mut lab, plots, button, "zoomed");
        }
        lab.press_for("Escape", "leaving");
        lab.end().well();
    }
}

#[test]
fn controls_of_a_small_window_are_in_sight_and_apart() {
    for scale in [1, 2] {
        let Some(mut lab) = Lab::open_still(scale, 30, &SMALL) else {
            return;
        };
        let (width, height) = (900.0 * f64::from(scale), 600.0 * f64::from(scale));
        for entry in STRATEGIES {
            let words = format!("strategy {}", entry.key);
            lab.press_to_settle("bracketright", "strategy");
            // An area holds controls, and a knob the button that reverts it.
            let holds = ["part:", "revert:"];
            let is_a_control = |name: &str| {
                name != "capsules" && !holds.iter().any(|prefix| name.starts_with(prefix))
            };
            let controls = lab.places().iter().filter(|(name, _)| is_a_control(name));
            let controls: Vec<(&String, &Place)> = controls.collect();
            assert!(controls.len() >= STRATEGIES.len() + 6, "{controls:?}");
            for (index, &(name, place)) in controls.iter().enumerate() {
                let right = place.x + place.width;
                let lower = place.y + place.height;
                let inside = place.x >= 0.0 && place.y >= 0.0 && right <= width && lower <= height;
                assert!(inside, "scale {scale}, {words}: {name} at {place:?}");
                for &(other, there) in &controls[..index] {
                    let apart = there.x >= right
                        || there.y >= lower
                        || there.x + there.width <= place.x
                        || there.y + there.height <= place.y;
                    assert!(apart, "scale {scale}, {words}: {name} covers {other}");
                }
            }
        }
    }
}

#[test]
fn a_wide_bar_names_every_strategy() {
    for width in [1700, 1900] {
        let size = format!("{width}x700");
        let Some(lab) = Lab::open_still(1, 1, &["--size", &size]) else {
            return;
        };
        for entry in STRATEGIES {
            let tab = lab.place(&format!("tab:{}", entry.key));
            assert!(tab.width > 80.0, "{size}: {} has {tab:?}", entry.key);
        }
    }
}

#[test]
fn plus_and_minus_scale_the_interface_and_the_mouse_follows() {
    let Some(mut lab) = Lab::open(&["--size", "1280x800", "--cost-us", "0"]) else {
        return;
    };
    for (key, factor) in [
        ("plus", 1.25_f64),
        ("KP_Add", 1.5),
        ("minus", 1.25),
        ("KP_Subtract", 1.0),
        ("minus", 0.875),
    ] {
        lab.press_for(key, &format!("scale {factor}"));
        lab.until("control part:bar");
        lab.frames(2); // all places are told
        let (slider, capsules) = (lab.place("entities"), lab.place("capsules"));
        assert_eq!(lab.place("part:bar").width, 1280.0);
        assert_eq!(slider.width, 216.0 * factor);
        assert!(
            (capsules.x - 252.0 * factor).abs() <= 0.5,
            "whole pixels are told"
        );
        let (x, y) = on_track(slider, 0.5 + (factor - 1.0) / 4.0, factor);
        lab.point(x, y);
        lab.mouse_down();
        lab.until("knob entities");
        lab.mouse_up();
    }
    for _ in 0..9 {
        lab.press_for("minus", "scale 0.75"); // and no smaller
    }
}
