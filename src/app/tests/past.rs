//! Looking back: the picture of a past frame.

use super::Window;
use crate::app::state::Flow;
use egui::Rect;

#[test]
fn the_table_covers_the_frames_before_a_past_frame() {
    let mut window = Window::still(400, &["--strategy", "max-per-frame"]);
    assert!(window.shows("last 2.0 s") && !window.shows("frames 1"));
    let stalest = |window: &Window| {
        let texts = window.texts().into_iter().map(|(text, ..)| text);
        let since = |text: &String| text.starts_with('E') && text.contains(" since ");
        texts.filter(since).collect::<Vec<_>>()
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
        let looked_at = window
            .state()
            .grid
            .selection
            .looked_at
            .expect("a past frame");
        assert_eq!(window.state().flow, Flow::Paused, "{key}");
        window.frames(2);
        assert!(window.shows(&format!("to {looked_at}, ")), "{key}");
        // At most the frame that was in progress has moved the chart since.
        window.click_at(at.0, at.1);
        let again = window
            .state()
            .grid
            .selection
            .looked_at
            .expect("a past frame");
        assert!(
            again.abs_diff(looked_at) <= 1,
            "{key}: {again} and {looked_at}"
        );
        window.press("End");
        assert_eq!(window.state().grid.selection.looked_at, None);
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
            key.into_iter().for_each(|key| window.press(key));
            let plots = window.place("part:plots");
            window.point(plots.left() + 0.7 * plots.width(), plots.center().y);
            window.frames(2);
            let texts = window.texts().into_iter();
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
