//! Looking at past frames while the game is paused.

use super::Window;
use crate::app::state::Flow;
use egui::Rect;

#[test]
fn the_table_covers_the_frames_before_a_past_frame() {
    let mut window = Window::still(400, &["--strategy", "max-per-frame"]);
    assert!(window.shows("last 2.0 s") && !window.shows("frames 1"));
    let stalest = |window: &Window| {
        let texts = window.texts().into_iter();
        let waits = |text: &String| text.starts_with('E') && text.contains(" for ");
        texts.filter(waits).collect::<Vec<_>>()
    };
    let present = stalest(&window);
    window.press("shift+Left");
    window.press("Left");
    window.frame();
    assert!(
        window.shows("frames 269 to 388, 2.0 s"),
        "{:?}",
        window.texts()
    );
    assert!(!window.shows("last 2.0 s"), "in table and plots");
    assert_ne!(stalest(&window), present);
    window.press("End");
    window.frame();
    assert!(window.shows("last 2.0 s") && stalest(&window) == present);
}

#[test]
fn a_click_on_a_plot_or_the_timeline_goes_to_that_frame() {
    for key in ["p", "t"] {
        let mut window = Window::open(&["--strategy", "max-per-frame"]);
        if key == "t" {
            window.press("t");
        }
        window.frames(100);
        assert_eq!(window.state().flow, Flow::Running);
        let plots = window.place("part:plots");
        let at = (plots.left() + 0.8 * plots.width(), plots.center().y + 20.0);
        window.click_at(at.0, at.1);
        let displayed_frame = window
            .state()
            .grid
            .selection
            .displayed_frame
            .expect("a past frame");
        assert_eq!(window.state().flow, Flow::Paused, "{key}");
        window.frames(2);
        assert!(window.shows(&format!("to {displayed_frame}, ")), "{key}");
        // The chart has moved by at most the frame that was in progress.
        window.click_at(at.0, at.1);
        let again = window
            .state()
            .grid
            .selection
            .displayed_frame
            .expect("a past frame");
        assert!(
            again.abs_diff(displayed_frame) <= 1,
            "{key}: {again} and {displayed_frame}"
        );
        window.press("End");
        assert_eq!(window.state().grid.selection.displayed_frame, None);
        window.press("space");
        assert_eq!(window.state().flow, Flow::Running);
    }
}

#[test]
fn the_card_of_a_frame_covers_no_chart_no_table_and_few_capsules() {
    for size in [(1280.0, 800.0), (900.0, 600.0), (640.0, 400.0)] {
        for key in [None, Some("t")] {
            let mut window = Window::still(300, &["--strategy", "time-budget"]);
            window.resize(size.0, size.1);
            if let Some(key) = key {
                window.press(key);
            }
            let plots = window.place("part:plots");
            window.point(plots.left() + 0.7 * plots.width(), plots.center().y);
            window.frames(2);
            let texts = window.placed_texts().into_iter();
            let card = texts.filter(|(text, ..)| text.contains(" back · "));
            let cards: Vec<Rect> = card.map(|(_, place, _)| place.expand(3.0)).collect();
            assert_eq!(cards.len(), 1, "{size:?} {key:?}");
            let capsules = window.place("capsules");
            assert!(!cards[0].intersects(plots), "{size:?} {key:?}");
            if window.has("stalest") {
                assert!(cards[0].right() < window.place("stalest").left());
            }
            let covered = cards[0].intersect(capsules);
            let share = if covered.is_positive() {
                covered.area() / capsules.area()
            } else {
                0.0
            };
            assert!(share < 0.3, "{share} of the capsules at {size:?} {key:?}");
        }
    }
}

#[test]
fn no_text_of_the_grid_is_cut_in_a_small_window_with_large_text() {
    let strategies: [&[&str]; 2] = [
        &["--strategy", "weighted-share", "--target", "0.5,0.2"],
        &["--strategy", "time-budget"],
    ];
    for (flags, keys) in strategies
        .into_iter()
        .zip([[None, Some("a")], [Some("t"), Some("s")]])
    {
        for (width, height) in [(900.0, 600.0), (1280.0, 800.0), (1920.0, 1080.0)] {
            for key in keys {
                let mut window = Window::still(300, flags);
                (0..4).for_each(|_| window.press("ctrl+plus"));
                window.resize(width, height);
                if let Some(key) = key {
                    window.press(key);
                }
                window.press("Left");
                for part in ["capsules", "part:plots"] {
                    window.point_at(part);
                    window.frames(2);
                    check_texts(&window, &format!("{key:?} at {width}x{height}"));
                }
            }
        }
    }
}

/// Asserts that no text is clipped, except at the top or the bottom of an area that scrolls, such as the knobs or the
/// table.
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
