//! Tests of the top bar and the panels, in a window without a display.

mod tooltips;

use super::layout::fits_all;
use crate::app::input::output::UiOutput;
use crate::app::plots::recent_frames::LEAST_HEIGHT;
use crate::app::tests::Window;
use crate::app::widgets::paint::NO_BREAK;
use crate::app::widgets::{theme, tooltip};
use egui::{
    CentralPanel, Event, Frame, Modifiers, PointerButton, Rect, Sense, Shape, Ui, Vec2, pos2, vec2,
};
use egui_kittest::Harness;
use macroquad::input::KeyCode as K;

pub fn window<'a>(
    size: Vec2,
    mut show: impl FnMut(&mut Ui, &mut UiOutput) + 'a,
) -> Harness<'a, UiOutput> {
    let builder = Harness::builder().with_size(size);
    let mut window = builder.build_state(
        move |ctx, all: &mut UiOutput| {
            ctx.set_style(theme::style());
            let mut output = UiOutput::default();
            let panel = CentralPanel::default().frame(Frame::NONE);
            panel.show(ctx, |ui| show(ui, &mut output));
            tooltip::show(ctx);
            all.controls = output.controls;
            all.commands.extend(output.commands);
        },
        UiOutput::default(),
    );
    window.run_steps(2);
    window
}

pub fn place(window: &Harness<'_, UiOutput>, name: &str) -> Option<Rect> {
    let mut controls = window.state().controls.iter();
    controls.find(|it| it.name == name).map(|it| it.rect)
}

/// Returns all texts on screen, each with its position and the area to which it is clipped. A truncated text ends with
/// `…`.
pub fn texts(window: &Harness<'_, UiOutput>) -> Vec<(String, Rect, Rect)> {
    let shapes = window.output().shapes.iter();
    let texts = shapes.filter_map(|it| {
        let Shape::Text(text) = &it.shape else {
            return None;
        };
        let elided = if text.galley.elided { "…" } else { "" };
        let words = text.galley.text().replace(NO_BREAK, " ") + elided;
        Some((words, text.visual_bounding_rect(), it.clip_rect))
    });
    texts.filter(|(text, ..)| !text.trim().is_empty()).collect()
}

pub fn shows(window: &Harness<'_, UiOutput>, words: &str) -> bool {
    texts(window).iter().any(|(text, ..)| text.contains(words))
}

pub fn assert_no_texts_overlap(window: &Harness<'_, UiOutput>, case: &str) {
    let texts = texts(window);
    for (index, (text, at, _)) in texts.iter().enumerate() {
        for (other, other_at, _) in &texts[..index] {
            let both = at.intersect(*other_at).shrink(0.5);
            assert!(!both.is_positive(), "{text:?} and {other:?}, {case}");
        }
    }
}

pub fn click(window: &mut Harness<'_, UiOutput>, name: &str) {
    let pos = place(window, name).expect(name).left_top() + vec2(5.0, 5.0);
    window.input_mut().events.push(Event::PointerMoved(pos));
    window.step();
    click_at(window, pos);
}

pub fn click_at<State>(window: &mut Harness<'_, State>, pos: egui::Pos2) {
    for pressed in [true, false] {
        window.input_mut().events.push(Event::PointerMoved(pos));
        window.input_mut().events.push(Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
        window.step();
    }
}

const SIZES: [Vec2; 3] = [
    vec2(900.0, 600.0),
    vec2(1280.0, 800.0),
    vec2(1920.0, 1080.0),
];

/// Prefixes of the controls that must never overlap.
const APART: [&str; 6] = ["button:", "tab:", "view:", "lane:", "column:", "set:"];

#[test]
fn controls_are_inside_and_apart_in_every_view_and_size() {
    for keys in [&[K::F1][..], &[K::T], &[K::U], &[K::F2], &[K::F3]] {
        let mut window = Window::still(3, &[]);
        for key in keys {
            window.press(*key);
        }
        for size in all_sizes() {
            window.resize(size.x, size.y);
            window.frames(2);
            let screen = Rect::from_min_size(egui::Pos2::ZERO, size).expand(0.5);
            let controls = window.places();
            for (name, place) in &controls {
                assert!(screen.contains_rect(*place), "{name} of {keys:?} at {size}");
            }
            let is_apart =
                |(name, _): &&(String, Rect)| APART.iter().any(|prefix| name.starts_with(prefix));
            let apart: Vec<&(String, Rect)> = controls.iter().filter(is_apart).collect();
            for (index, (name, place)) in apart.iter().enumerate() {
                for (other, other_place) in &apart[..index] {
                    let covers = place.intersect(*other_place).shrink(0.5).is_positive();
                    assert!(!covers, "{name} covers {other} of {keys:?} at {size}");
                }
            }
            let offers_knobs = window.has("button:A");
            assert_eq!(offers_knobs, !fits_all(size.x), "{keys:?} at {size}");
            if *keys == [K::F1] {
                // A tab that shows only its key would be narrower.
                let running = window.state().settings.strategy.key;
                assert!(window.place(&format!("tab:{running}")).width() > 60.0);
                assert!(
                    window.place("part:plots").height() >= LEAST_HEIGHT,
                    "{size}"
                );
                assert!(window.place("capsules").height() >= 40.0, "{size}");
            }
        }
    }
}

/// Returns every window size in points: each of `SIZES` at every text size.
fn all_sizes() -> impl Iterator<Item = Vec2> {
    let scales = [0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0].into_iter();
    scales.flat_map(|scale| SIZES.map(|pixels| pixels / scale))
}
