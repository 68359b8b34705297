//! Tests of the top bar: its buttons fit in any window, with fewer words in a narrower one.

use super::super::command_button::tests::{assert_apart, laid_out};
use super::*;
use crate::app::input::bindings::{bindings, bindings_of};
use timeslicer::strategy::STRATEGIES;

fn shown(width: f32, paused: bool, knobs: Option<bool>) -> (UiResponse, Detail) {
    let bindings = bindings();
    let bar = TopBar {
        view: View::Grid,
        paused,
        panels: true,
        knobs,
        recording: false,
        bindings: &bindings,
    };
    let mut detail = DETAILS[0];
    let answer = laid_out(width, |ui, rect, answer| {
        bar.show(ui, rect, answer);
        show_bar(ui, rect, "measure", |ui| detail = bar.detail(ui));
    });
    (answer, detail)
}

#[test]
fn controls_are_inside_and_apart_at_every_width() {
    for width in (200..=2000).step_by(7) {
        let width = width as f32;
        for knobs in [None, Some(true)] {
            let (answer, _) = shown(width, false, knobs);
            assert_apart(&answer, width);
            for name in ["button:Space", "button:?", "view:F1", "view:F2", "view:F3"] {
                let is_shown = answer.controls.iter().any(|control| control.name == name);
                assert!(is_shown, "{name} at {width}");
            }
        }
    }
}

#[test]
fn buttons_have_words_and_keys_at_1280_and_words_at_900() {
    let detail = |width| shown(width, false, None).1;
    assert_eq!(detail(1280.0), DETAILS[0]);
    let (face, rank) = (detail(900.0).face, detail(900.0).rank);
    assert_eq!((face, rank), (Face::Words, Rank::Saving));
    assert_eq!(detail(450.0).face, Face::Icons);
}

#[test]
fn every_keycap_can_be_drawn() {
    for page in [false, true] {
        let bindings = bindings_of(page, STRATEGIES);
        laid_out(900.0, |ui, _, _| {
            for binding in &bindings {
                let font = theme::mono(11.0);
                let is_known = ui.fonts(|fonts| fonts.has_glyphs(&font, &binding.caps));
                assert!(is_known, "{}", binding.caps);
            }
        });
    }
}
