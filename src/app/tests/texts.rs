//! Rules for all texts on screen.

use super::Window;
use crate::app::input::keys::Modifier;
use egui::Rect;
use lab::testing::overlong_metric;
use macroquad::input::KeyCode as K;

/// Returns the numbers that were not rounded, in the window's texts and in tooltips that contain numbers.
fn overlong_numbers(window: &mut Window) -> Vec<String> {
    let mut texts = window.texts();
    let with_numbers = ["part:", "lane:", "tuned:", "set:", "broken:", "race:"];
    for (name, place) in window.places() {
        if with_numbers.iter().any(|prefix| name.starts_with(prefix)) {
            window.rest_at(place.center());
            texts.extend(window.texts());
        }
    }
    let overlong = |text: &String| Some(format!("{} in {text}", overlong_metric(text)?));
    texts.iter().filter_map(overlong).collect()
}

#[test]
fn no_text_or_tooltip_has_more_than_four_digits_of_a_rounded_number() {
    let flags = "--strategy balanced-slots --cost-us 123.4 --display-hz 59.94 --churn-per-s 7";
    let mut window = Window::still(400, flags);
    for key in [K::T, K::U, K::F2, K::F3] {
        assert_eq!(overlong_numbers(&mut window), [""; 0], "before {key:?}");
        window.press(key);
        window.frames(3);
    }
}

#[test]
fn no_text_of_the_grid_is_cut_in_a_small_window_with_large_text() {
    let flags = "--strategy weighted-share --target 0.5,0.2";
    let mut window = Window::still(300, flags);
    for _ in 0..4 {
        window.add_chord(Modifier::Ctrl, K::Equal).frame();
    }
    window.press(K::Left);
    for (width, height) in [(900.0, 600.0), (1280.0, 800.0)] {
        window.resize(width, height);
        for key in [K::A, K::A, K::T, K::T] {
            window.press(key);
            for part in ["capsules", "part:plots"] {
                window.point_at(part);
                window.frames(2);
                check_texts(&window, &format!("{key:?} at {width}x{height}"));
            }
        }
    }
}

/// Asserts that no text is clipped, except at the top or the bottom of a scrolled area, such as the knobs.
fn check_texts(window: &Window, case: &str) {
    let scale = window.context().pixels_per_point();
    let screen = window.context().screen_rect();
    let scrolls = |place: &Rect| {
        let knobs = window
            .has("part:knobs")
            .then(|| window.place("part:knobs") / scale);
        let beside_plots = place.left() > window.place("part:plots").right() / scale;
        beside_plots || knobs.is_some_and(|knobs| knobs.x_range().contains(place.left()))
    };
    for (text, place, clip) in window.placed_texts() {
        let visible = clip.intersect(screen).expand(0.6);
        let is_whole = if scrolls(&place) {
            visible.x_range().contains(place.left()) && visible.x_range().contains(place.right())
        } else {
            visible.contains_rect(place)
        };
        assert!(
            is_whole || !place.intersects(visible),
            "{text:?} at {place}, {case}"
        );
    }
}
