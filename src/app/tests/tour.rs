//! The tour in the window.

use super::Window;
use super::focus::{assert_quits, entities};
use crate::app::state::view::View;

/// Returns the number of the current step. The second value is true if the user has completed the step.
fn step(window: &Window) -> Option<(usize, bool)> {
    let tour = window.state().tour.as_ref();
    tour.map(|tour| (tour.step + 1, tour.is_done))
}

#[test]
fn a_user_follows_the_tour_to_its_end() {
    let mut window = Window::open(&["--entities", "50"]);
    window.press("j");
    for (number, strategy) in [(1, "all-at-once"), (2, "fixed-interval")] {
        window.click(&format!("tab:{strategy}"));
        assert_eq!(step(&window), Some((number, true)));
        window.click("tour:next");
    }
    for x in [800.0, 1200.0].repeat(4) {
        window.point(x, 300.0);
    }
    assert_eq!(step(&window), Some((3, true)));
    window.click("tour:next");
    window.drag_slider("entities", 0.6);
    assert_eq!(step(&window), Some((4, true)));
    window.click("tour:next");
    for number in [5, 6] {
        assert_eq!(step(&window), Some((number, false)));
        window.press("n");
        assert_eq!(step(&window), Some((number, true)));
        window.click("tour:next");
    }
    window.press("F2");
    assert_eq!(step(&window), Some((7, true)));
    // The card moves with each of these clicks, and the log has its new position at once.
    for (button, number) in [("tour:back", 6), ("tour:next", 7), ("tour:next", 8)] {
        window.click(button);
        assert_eq!(step(&window).map(|it| it.0), Some(number), "{button}");
    }
    window.press("F3");
    assert_eq!(step(&window), Some((8, true)));
    window.click("tour:next");
    assert_eq!(step(&window), None);
    assert_eq!((window.state().view, entities(&window)), (View::Grid, 50.0));
    assert_quits(&mut window, "after the tour");
}
