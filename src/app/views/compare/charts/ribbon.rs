//! The ribbon above the crossovers chart. Each section of the ribbon shows which strategy is best for a range of
//! workloads.

use super::{LABEL_FONT_SIZE, ink};
use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::panels::strategy_bar::short_name;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::warning;
use crate::app::widgets::{paint, theme};
use egui::{Align2, Color32, Painter, Rangef, Rect, Stroke, pos2, vec2};
use lab::chart::Axis;
use lab::judge::Range;

pub const HEIGHT: f32 = 16.0;
const PADDING: f32 = 5.0;
const TINT_OPACITY: f32 = 0.2;
const NO_STRATEGY_BACKGROUND: Color32 = Color32::from_rgb(0x45, 0x35, 0x20);

/// Paints a section for each range at the top of `area`. The border between two sections is halfway between the end of
/// the first range and the start of the second one. The plot below each section is tinted, and a vertical line marks
/// each border.
pub fn show(painter: &Painter, ranges: &[Range], x: Axis, area: Rect, output: &mut UiOutput) {
    let mut left = ranges.first().map_or(0.0, |it| x.at(it.from)) as f32;
    for (index, range) in ranges.iter().enumerate() {
        let next = ranges.get(index + 1);
        let right =
            next.map_or_else(|| x.at(range.to), |next| x.between(range.to, next.from)) as f32;
        let below = Rect::from_x_y_ranges(left..=right, area.y_range());
        let section = below.with_max_y(area.top() + HEIGHT);
        show_section(painter, range, section, below, output);
        if next.is_some() {
            let line = Stroke::new(1.0, theme::DIM.gamma_multiply(0.8));
            painter.vline(right.round() + 0.5, area.y_range(), line);
        }
        left = right;
    }
}

fn show_section(
    painter: &Painter,
    range: &Range,
    section: Rect,
    below: Rect,
    output: &mut UiOutput,
) {
    let key = range.strategy.map_or("none", |it| it.key);
    output.report(format!("best:{key}"), section);
    let (ground, ink, names) = if let Some(it) = range.strategy {
        let key = caps_of(Command::Strategy(it));
        let names = [it.name, short_name(it.name), key];
        (ink(it).gamma_multiply(0.35), theme::BRIGHT, names)
    } else {
        let names = ["no strategy keeps all limits", "none", ""];
        (NO_STRATEGY_BACKGROUND, theme::AMBER, names)
    };
    painter.rect_filled(section.shrink2(vec2(0.5, 0.0)), 3.0, ground);
    painter.rect_filled(below, 0.0, ground.gamma_multiply(TINT_OPACITY));
    let mut left = section.left() + PADDING;
    if range.strategy.is_none() && section.width() > 3.0 * PADDING {
        warning(painter, pos2(left + 4.0, section.center().y), 4.0);
        left += 12.0;
    }
    let room = Rangef::new(left, section.right() - PADDING / 2.0).span();
    let style = (theme::text(LABEL_FONT_SIZE), ink);
    if let Some(name) = paint::fitting(painter, names, style, room) {
        let at = pos2(left, section.center().y);
        paint::galley(painter, at, Align2::LEFT_CENTER, name, ink);
    }
}
