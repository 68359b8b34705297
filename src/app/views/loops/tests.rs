//! Tests of the Loops view, in a window without a display.

use crate::app::tests::Window;
use lab::comparison::loops::{LoopComparison, Machines, Side};
use lab::sim::machine::DISPLAY_HZ;

#[test]
fn no_texts_overlap() {
    let mut window = Window::still(90, "--view loops");
    for width in (240..600).step_by(20) {
        for height in [200.0, 270.0, 600.0] {
            window.resize(width as f32, height);
            window.assert_texts_apart(0.0, &format!("{width} x {height}"));
        }
    }
}

#[test]
fn the_reason_for_jerks_is_shown_whole_below_the_rows() {
    for (mode, words) in [
        ("0", "last update:"),
        ("1", "extrapolated:"),
        ("2", "interpolated:"),
    ] {
        let flags = format!("--view loops --step-ms 40 --interpolate {mode}");
        let mut window = Window::still(342, &flags);
        let jerks = window.state().loop_comparison.jerks().to_string();
        for (width, height) in [(1280.0, 800.0), (900.0, 600.0)] {
            window.resize(width, height);
            let mut texts = window.placed_texts().into_iter();
            let why = texts.find(|(text, ..)| text.starts_with("Motion with a fixed step"));
            let (text, place, clip) = why.expect("the reason");
            assert!(text.contains(words) && jerks.contains(words), "{text}");
            assert!(
                text.len() >= jerks.len() && clip.contains_rect(place),
                "{text}"
            );
            window.assert_texts_apart(252.0, &format!("{width} x {height}"));
        }
    }
}

#[test]
fn a_reset_restores_the_default_of_its_machine() {
    let flags = "--view loops --size 1280x2000";
    let mut window = Window::open(flags);
    window.drag_slider("right:display-hz", 0.9);
    window.frame();
    assert!(!window.has("revert:left:display-hz"));
    window.click("revert:right:display-hz");
    let loops = &window.state().loop_comparison;
    for (side, defaults) in [Side::Left, Side::Right]
        .into_iter()
        .zip(LoopComparison::of(Machines::FastAndSlow).default_knobs())
    {
        assert_eq!(loops.knob(side, &DISPLAY_HZ), defaults.get(&DISPLAY_HZ));
    }
}
