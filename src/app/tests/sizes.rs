//! Small windows, displays with two pixels per point, and the scale of the interface.

use super::Window;
use super::focus::entities;

#[test]
fn the_wheel_zooms_plots_and_scrolls_knobs_at_every_scale() {
    for scale in [1.0, 2.0] {
        // In this low window the knobs do not all fit, so they can be scrolled.
        let mut window = Window::still_at(scale, 30, &["--size", "900x400"]);
        let before = window.places();
        window.point_at("part:knobs");
        window.turn_wheel(-1);
        window.frames(20); // scrolling is animated
        let moved: Vec<f32> = before
            .iter()
            .filter(|(name, _)| window.has(name))
            .map(|(name, rect)| rect.top() - window.place(name).top())
            .filter(|by| *by != 0.0)
            .collect();
        let up = moved.iter().all(|by| *by > 0.0 && *by == moved[0]);
        assert!(!moved.is_empty() && up, "scale {scale}: {moved:?}");
        window.turn_wheel(1);
        window.frames(20);
        assert_eq!(window.places(), before, "scale {scale}");

        window.point_at("part:plots");
        for steps in [-1, 1] {
            let from = window.log().len();
            window.turn_wheel(steps);
            let new = &window.log()[from..];
            assert!(new.iter().any(|line| line.matches("zoomed")), "{steps}");
        }
        assert_eq!(window.places(), before, "scale {scale}");
    }
}

#[test]
fn ctrl_with_plus_minus_or_0_scales_the_interface() {
    let mut window = Window::open(&["--size", "1280x800"]);
    for (key, factor) in [
        ("ctrl+plus", 1.25_f32),
        ("ctrl+KP_Add", 1.5),
        ("ctrl+minus", 1.25),
        ("ctrl+KP_Subtract", 1.0),
        ("ctrl+minus", 0.875),
        ("ctrl+0", 1.0),
        ("ctrl+equal", 1.25),
    ] {
        window.press(key);
        assert_eq!(window.state().interface.scale.factor(), factor, "{key}");
        window.frame(); // egui applies a scale in the next layout
        for (length, expected) in [
            (window.place("part:bar").width(), 1280.0),
            (window.place("entities").width(), 216.0 * factor),
            (window.place("capsules").left(), 252.0 * factor),
        ] {
            assert!((length - expected).abs() <= 0.5, "{key}: {length}");
        }
        let before = entities(&window);
        window.drag_slider("entities", 0.5 + (factor - 1.0) / 4.0);
        assert_ne!(entities(&window), before, "{key}");
    }
    let mut least = 1.25;
    for _ in 0..9 {
        window.press("ctrl+minus");
        let factor = window.state().interface.scale.factor();
        assert!(factor <= least);
        least = factor;
    }
    assert!(least > 0.5, "there is a minimum");
}
