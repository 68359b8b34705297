//! Tests of the top bar: the strategies fit, with fewer names in a narrower window.

use super::detail::FULL;
use super::*;
use crate::app::input::bindings::bindings;
use timeslice::strategy::STRATEGIES;

/// Returns the detail of a bar with `count` strategies, and the width that it needs.
fn fitted(count: usize, room: f32) -> (Detail, f32) {
    let mut found = (FULL, f32::INFINITY);
    let strategies: Vec<_> = STRATEGIES.iter().cycle().take(count).copied().collect();
    let ctx = egui::Context::default();
    theme::install(&ctx);
    let size = Rect::from_min_size(egui::Pos2::ZERO, vec2(room, 100.0));
    let input = egui::RawInput {
        screen_rect: Some(size),
        ..egui::RawInput::default()
    };
    let _ = ctx.run(input, |ctx| {
        egui::CentralPanel::default()
            .frame(Frame::NONE)
            .show(ctx, |ui| {
                let bar = TopBar {
                    view: View::Grid,
                    strategies: &strategies,
                    strategy: STRATEGIES[3],
                    looked_at: None,
                    paused: false,
                    panels: true,
                    knobs: None,
                    bindings: &bindings(),
                };
                let detail = bar.detail(ui);
                found = (detail, bar.width(ui, detail));
            });
    });
    found
}

#[test]
fn twelve_strategies_fit_in_any_window_with_tabs() {
    for room in [ONE_ROW, 760.0, 1280.0, 1920.0] {
        let room = room - 2.0 * MARGIN;
        let (_, width) = fitted(12, room);
        assert!(width <= room, "{width} in {room}");
    }
    assert_eq!(fitted(12, 1900.0).0.tabs, Named::All);
}

#[test]
fn a_narrow_bar_names_only_the_chosen_strategy() {
    let all = STRATEGIES.len();
    assert_eq!(fitted(all, 1900.0).0.tabs, Named::All);
    assert_eq!(fitted(all, 880.0).0.tabs, Named::Chosen);
}
