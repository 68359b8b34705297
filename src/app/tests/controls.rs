//! In every view and window size, controls are inside the window and apart, and tooltips cover nothing that they explain.

use super::Window;
use crate::app::plots::recent_frames::LEAST_HEIGHT;
use crate::app::views::layout::fits_all;
use crate::app::widgets::tooltip;
use egui::{Context, Event, Pos2, RawInput, Rect, Sense, Vec2, pos2, vec2};
use macroquad::input::KeyCode as K;

/// Prefixes of the controls that must never overlap.
const APART: [&str; 6] = ["button:", "tab:", "view:", "lane:", "column:", "set:"];

#[test]
fn controls_are_inside_and_apart_in_every_view_and_size() {
    for key in [K::F1, K::T, K::U, K::F2, K::F3] {
        let mut window = Window::still(3, "");
        window.press(key);
        for size in all_sizes() {
            window.resize(size.x, size.y);
            window.frames(2);
            let screen = Rect::from_min_size(Pos2::ZERO, size).expand(0.5);
            let controls = window.places();
            for (name, place) in &controls {
                assert!(screen.contains_rect(*place), "{name} of {key:?} at {size}");
            }
            let is_apart =
                |(name, _): &&(String, Rect)| APART.iter().any(|prefix| name.starts_with(prefix));
            let apart: Vec<&(String, Rect)> = controls.iter().filter(is_apart).collect();
            for (index, (name, place)) in apart.iter().enumerate() {
                for (other, other_place) in &apart[..index] {
                    let covers = place.intersect(*other_place).shrink(0.5).is_positive();
                    assert!(!covers, "{name} covers {other} of {key:?} at {size}");
                }
            }
            let offers_knobs = window.has("button:A");
            assert_eq!(offers_knobs, !fits_all(size.x), "{key:?} at {size}");
            if key == K::F1 {
                // The tab of the running strategy shows its name, because with only its key it would be narrower.
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

/// Returns the sizes, in points, of three windows at every text size.
fn all_sizes() -> impl Iterator<Item = Vec2> {
    let windows = [(900.0, 600.0), (1280.0, 800.0), (1920.0, 1080.0)];
    let scales = [0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0].into_iter();
    scales.flat_map(move |scale| windows.map(|(x, y)| vec2(x, y) / scale))
}

#[test]
fn no_tooltip_covers_what_it_explains() {
    for view in ["grid", "compare", "loops"] {
        // Two windows, each at scale 1 and 2.
        for size in ["900x600", "1280x800", "450x300", "640x400"] {
            let flags = format!("--view {view} --size {size} --entities 50");
            let mut window = Window::still(60, &flags);
            let screen = window.context().screen_rect();
            let mut explained = 0;
            for (name, rect) in window.places() {
                let at = rect.left_top() + vec2(12.0, 8.0).min(rect.size() / 2.0);
                window.rest_at(at);
                if let Some(shown) = tooltip::shown(window.context()) {
                    let case = format!("{name} at {at} of {view} {size}: {shown:?}");
                    assert!(shown.explained.contains(at), "{case}");
                    assert!(screen.contains_rect(shown.place), "{case}");
                    let covered = shown.place.intersect(shown.explained);
                    assert!(!covered.is_positive(), "{case}");
                    explained += 1;
                }
            }
            assert!(explained > 8, "{explained} of {view} {size}");
        }
    }
}

#[test]
fn the_innermost_of_nested_controls_has_the_only_tooltip() {
    let context = Context::default();
    for (x, explained) in [(130.0, 40.0), (250.0, 200.0), (130.0, 40.0)] {
        for events in [
            vec![Event::PointerMoved(pos2(x, 130.0))],
            Vec::new(),
            Vec::new(),
        ] {
            let input = RawInput {
                events,
                predicted_dt: 1.0,
                ..RawInput::default()
            };
            let _ = context.run(input, |ctx| {
                egui::CentralPanel::default().show(ctx, |ui| {
                    let outer = Rect::from_min_size(pos2(100.0, 100.0), vec2(200.0, 100.0));
                    let inner = Rect::from_min_size(pos2(120.0, 120.0), vec2(40.0, 20.0));
                    for (area, sense) in [(outer, Sense::CLICK), (inner, Sense::hover())] {
                        let response = ui.interact(area, ui.id().with(area.min.x as u32), sense);
                        tooltip::offer(&response, "text");
                    }
                });
                tooltip::show(ctx);
            });
        }
        let shown = tooltip::shown(&context).expect("a tooltip");
        assert_eq!(shown.explained.width(), explained);
    }
}
