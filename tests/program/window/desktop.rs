//! How the window and the desktop work together: drags, key repeat, sizes, scales, and closing.

use crate::window::support::display::output_of;
use crate::window::support::lab::Lab;
use egui::{Rect, pos2, vec2};
use std::process::Command;

#[test]
fn a_drag_lasts_until_its_button_is_released_even_outside_the_window() {
    let Some(mut lab) = Lab::open(2, "--size 900x600 --cost-us 0") else {
        return;
    };
    // X11 opens the window at scale 1, and the program enlarges it during the first frames.
    lab.wait_for_width(1800.0);
    let slider = lab.place("entities");
    assert_eq!(slider.width(), 432.0, "a point is two pixels");
    let on_track = |points: f32| slider.min + 2.0 * vec2(points, 27.5);
    lab.point(on_track(70.0));
    lab.mouse_down();
    lab.wait_for("knob entities");
    lab.leave();
    lab.point(on_track(70.0));
    lab.point(on_track(120.0));
    lab.wait_for("knob entities");
    lab.leave();
    lab.mouse_up_outside();
    lab.point(on_track(70.0));
    let before = lab.log.len();
    lab.point(on_track(150.0));
    assert!(!lab.log[before..].iter().any(|line| line.matches("knob")));
}

#[test]
fn a_tiny_window_can_be_enlarged_again_and_closed() {
    let Some(mut lab) = Lab::open(1, "--cost-us 0") else {
        return;
    };
    for (width, height) in [(1, 1), (1400, 2), (3, 900), (260, 90)] {
        lab.resize(width, height);
        lab.pictures(10);
    }
    lab.resize(1100, 700);
    lab.wait_until("the usual layout", |lab| {
        let capsules = lab.places.get("capsules");
        let usual = Rect::from_min_size(pos2(252.0, 114.0), vec2(848.0, 346.0));
        capsules == Some(&usual)
    });
    lab.display.ask_to_close(&lab.window);
    lab.end_well();
}

#[test]
fn without_a_display_the_error_suggests_run_and_compare() {
    for display in ["", ":999", "nonsense"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_timeslice-lab"));
        command
            .env("DISPLAY", display)
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("XDG_RUNTIME_DIR");
        let output = output_of(command);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{display:?}: {stderr}");
        for word in ["`timeslice-lab run`", "`compare`"] {
            assert!(stderr.contains(word), "{display:?}: {stderr}");
        }
        assert_eq!(stderr.lines().count(), 1, "{display:?}: {stderr}");
    }
}

#[test]
fn a_held_key_repeats() {
    const KNOWN: u64 = 400;
    let Some(mut lab) = Lab::open_still(1, KNOWN, "--cost-us 0") else {
        return;
    };
    let before = lab.log.len();
    lab.send(&["keydown", "Left"], 1);
    lab.wait_for(&format!("look {}", KNOWN - 6)); // the display repeats the key
    lab.send(&["keyup", "Left"], 1);
    let looks: Vec<f64> = lab.log[before..]
        .iter()
        .filter(|line| line.matches("look"))
        .map(|line| line.number("look"))
        .collect();
    assert!(looks.len() >= 5, "{looks:?}");
    // Each step goes back one frame.
    let expected = (2..).map(|back| (KNOWN - back) as f64);
    assert!(
        looks.iter().copied().eq(expected.take(looks.len())),
        "{looks:?}"
    );
}
