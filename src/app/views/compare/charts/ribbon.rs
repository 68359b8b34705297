//! The ribbon above the crossovers chart. Each section of the ribbon shows which strategy is best for a range of
//! workloads.

use super::axis::Axis;
use super::{LABEL_FONT_SIZE, ink};
use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::panels::strategy_bar::short_name;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::warning;
use crate::app::widgets::{paint, theme};
use egui::{Align2, Color32, Painter, Rangef, Rect, Stroke, pos2};
use headless::judge::Range;
use timeslicer::strategy::StrategyEntry;

pub const HEIGHT: f32 = 16.0;
const PADDING: f32 = 5.0;
const TINT_OPACITY: f32 = 0.2;
const NO_STRATEGY_BACKGROUND: Color32 = Color32::from_rgb(0x45, 0x35, 0x20);

/// A section of the ribbon. `strategy` is the best strategy in this section, or `None` if no strategy stays within all
/// limits.
pub struct Part {
    pub x: Rangef,
    pub strategy: Option<&'static StrategyEntry>,
}

/// Returns the sections of the ribbon, one for each range of values on the horizontal axis. The border between two
/// sections is halfway between the end of the first range and the start of the second range.
pub fn parts(ranges: &[Range], x: Axis) -> Vec<Part> {
    let halfway = |one: &Range, next: &Range| f32::midpoint(x.point(one.to), x.point(next.from));
    let borders = ranges.windows(2).map(|pair| halfway(&pair[0], &pair[1]));
    let first = ranges.first().map(|it| x.point(it.from));
    let last = ranges.last().map(|it| x.point(it.to));
    let ends: Vec<f32> = first.into_iter().chain(borders).chain(last).collect();
    let parts = ranges.iter().zip(ends.windows(2));
    let parts = parts.map(|(range, ends)| Part {
        x: Rangef::new(ends[0], ends[1]),
        strategy: range.strategy,
    });
    parts.collect()
}

/// Paints the sections of the ribbon. The plot below each section is tinted, and a vertical line marks the border
/// between two sections.
pub fn show(painter: &Painter, parts: &[Part], top: f32, bottom: f32, output: &mut UiOutput) {
    let y = Rangef::new(top, top + HEIGHT);
    for part in parts {
        let rect = Rect::from_x_y_ranges(part.x, y);
        let key = part.strategy.map_or("none", |it| it.key);
        output.report(format!("best:{key}"), rect);
        let (ground, ink) = match part.strategy {
            Some(strategy) => (ink(strategy).gamma_multiply(0.35), theme::BRIGHT),
            None => (NO_STRATEGY_BACKGROUND, theme::AMBER),
        };
        painter.rect_filled(rect.shrink2(egui::vec2(0.5, 0.0)), 3.0, ground);
        let below = Rect::from_x_y_ranges(part.x, rect.bottom()..=bottom);
        painter.rect_filled(below, 0.0, ground.gamma_multiply(TINT_OPACITY));
        let mut left = rect.left() + PADDING;
        if part.strategy.is_none() && rect.width() > 3.0 * PADDING {
            warning(painter, pos2(left + 4.0, rect.center().y), 4.0);
            left += 12.0;
        }
        let names = names(part.strategy);
        let room = rect.right() - PADDING / 2.0 - left;
        let style = (theme::text(LABEL_FONT_SIZE), ink);
        if let Some(name) = paint::fitting(painter, names, style, room) {
            let at = pos2(left, rect.center().y);
            paint::galley(painter, at, Align2::LEFT_CENTER, name, ink);
        }
    }
    for pair in parts.windows(2) {
        let at = pair[0].x.max.round() + 0.5;
        let line = Stroke::new(1.0, theme::DIM.gamma_multiply(0.8));
        painter.vline(at, Rangef::new(top, bottom), line);
    }
}

/// Returns alternative names for a strategy, from the longest to the shortest. The ribbon shows the first name that
/// fits.
fn names(strategy: Option<&'static StrategyEntry>) -> [&'static str; 3] {
    strategy.map_or(["no strategy meets all limits", "none", ""], |it| {
        [it.name, short_name(it.name), caps_of(Command::Strategy(it))]
    })
}
