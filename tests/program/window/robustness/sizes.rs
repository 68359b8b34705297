//! Small windows, and displays with two pixels per point.

use crate::window::input::sliders::on_track;
use crate::window::support::lab::{Lab, Place};
use timeslice::strategy::STRATEGIES;

const SMALL: [&str; 4] = ["--size", "900x600", "--cost-us", "0"];

/// Turns the wheel over the middle of a control and waits for a line of the log.
fn turn_wheel(lab: &mut Lab, place: Place, button: &str, words: &str) {
    lab.point(place.x + place.width / 2.0, place.y + place.height / 2.0);
    lab.frames(2);
    lab.xdotool(&["click", button]);
    lab.wait_for(words);
}

#[test]
fn sliders_set_the_same_values_at_every_scale() {
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
        lab.wait_for("knob entities");
        // At both scales, the pointer is 120 points from the slider's left edge.
        lab.point(slider.x + 120.0 * size, y);
        let knob = lab.wait_for("knob entities").pop().expect("a line");
        lab.mouse_up();
        lab.wait_for_entities(knob.number("entities"));
        set.push(knob.text);
    }
    assert_eq!(set[0], set[1]);
}

#[test]
fn the_wheel_zooms_plots_and_scrolls_knobs_at_every_scale() {
    for scale in [1, 2] {
        // In this low window the knobs do not all fit, so they can be scrolled.
        let flags = ["--size", "900x400", "--cost-us", "0"];
        let Some(mut lab) = Lab::open_at(scale, 900, &flags) else {
            return;
        };
        let knobs = lab.place("part:knobs");
        let before = lab.places().clone();
        turn_wheel(&mut lab, knobs, "5", "control");
        lab.frames(10); // scrolling is animated
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
        lab.end().expect_success();
    }
}

#[test]
fn controls_of_a_small_window_do_not_overlap() {
    for scale in [1, 2] {
        let Some(mut lab) = Lab::open_still(scale, 30, &SMALL) else {
            return;
        };
        let (width, height) = (900.0 * f64::from(scale), 600.0 * f64::from(scale));
        for entry in STRATEGIES {
            let words = format!("strategy {}", entry.key);
            lab.press_to_settle("bracketright", "strategy");
            // These overlap by design: parts contain controls, and a knob contains the button that resets its value.
            let overlapping = ["part:", "revert:"];
            let is_checked = |name: &str| {
                name != "capsules" && !overlapping.iter().any(|prefix| name.starts_with(prefix))
            };
            let controls = lab.places().iter().filter(|(name, _)| is_checked(name));
            let controls: Vec<(&String, &Place)> = controls.collect();
            assert!(controls.len() >= STRATEGIES.len() + 6, "{controls:?}");
            for (index, &(name, a)) in controls.iter().enumerate() {
                let (right, bottom) = (a.x + a.width, a.y + a.height);
                let inside = a.x >= 0.0 && a.y >= 0.0 && right <= width && bottom <= height;
                assert!(inside, "scale {scale}, {words}: {name} at {a:?}");
                for &(other, b) in &controls[..index] {
                    let apart = b.x >= right
                        || b.y >= bottom
                        || b.x + b.width <= a.x
                        || b.y + b.height <= a.y;
                    assert!(apart, "scale {scale}, {words}: {name} covers {other}");
                }
            }
        }
    }
}

#[test]
fn a_wide_bar_has_room_for_every_name() {
    for width in [1280, 1900] {
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
fn ctrl_with_plus_minus_or_0_scales_the_interface() {
    let Some(mut lab) = Lab::open(&["--size", "1280x800", "--cost-us", "0"]) else {
        return;
    };
    for (key, factor) in [
        ("ctrl+plus", 1.25_f64),
        ("ctrl+KP_Add", 1.5),
        ("ctrl+minus", 1.25),
        ("ctrl+KP_Subtract", 1.0),
        ("ctrl+minus", 0.875),
        ("ctrl+0", 1.0),
        ("ctrl+equal", 1.25),
    ] {
        lab.press_for(key, &format!("scale {factor}"));
        lab.wait_for("control part:bar");
        lab.frames(2); // until all controls are logged
        let (slider, capsules) = (lab.place("entities"), lab.place("capsules"));
        assert_eq!(lab.place("part:bar").width, 1280.0);
        assert_eq!(slider.width, 216.0 * factor);
        assert!(
            (capsules.x - 252.0 * factor).abs() <= 0.5,
            "the log rounds to whole pixels"
        );
        let (x, y) = on_track(slider, 0.5 + (factor - 1.0) / 4.0, factor);
        lab.point(x, y);
        lab.mouse_down();
        lab.wait_for("knob entities");
        lab.mouse_up();
    }
    for _ in 0..9 {
        lab.press_for("ctrl+minus", "scale"); // down to the minimum
    }
}
