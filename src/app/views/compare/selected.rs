//! The selected strategy, below the table: its rule, its verdict and its code.

use super::CompareDisplay;
use super::table_layout::INSET;
use crate::app::input::bindings::caps_of;
use crate::app::input::response::UiResponse;
use crate::app::panels::status_line;
use crate::app::state::command::Command;
use crate::app::widgets::code_block::CodeBlock;
use crate::app::widgets::theme;
use crate::app::widgets::tooltip;

use egui::{Align2, Galley, Id, Painter, Rect, Sense, Ui, pos2};
use headless::stats::{Report, verdict};
use std::sync::Arc;
use timeslicer::strategy::StrategyEntry;

const POINTS: f32 = 12.0;
/// Distance from the top to the middle of the title, and to the rule.
const TITLE: f32 = 18.0;
const RULE: f32 = 32.0;
const GAP: f32 = 6.0;
/// Space below the code, and minimum height of the code.
const FOOT: f32 = 8.0;
const LEAST_CODE: f32 = 64.0;

pub fn show(
    ui: &mut Ui,
    rect: Rect,
    report: &Report,
    display: CompareDisplay<'_>,
    answer: &mut UiResponse,
) {
    let painter = ui.painter().with_clip_rect(rect);
    let inner = rect.shrink2(egui::vec2(INSET, 0.0));
    title(ui, &painter, inner, report, answer);
    let mut top = inner.top() + RULE;
    let rule = wrapped(&painter, report.subject.strategy.rule, inner.width());
    let height = rule.size().y;
    painter.galley(pos2(inner.left(), top), rule, theme::TEXT);
    top += height + GAP;
    let bottom = inner.bottom() - FOOT;
    let has_code = bottom - top >= 2.0 * LEAST_CODE;
    let for_code = if has_code { LEAST_CODE + GAP } else { 0.0 };
    let room = bottom - top - for_code;
    if let Some(verdict) = verdict_in(&painter, report, inner.width(), room) {
        let height = verdict.size().y;
        painter.galley(pos2(inner.left(), top), verdict, theme::TEXT);
        top += height + GAP;
    }
    if has_code {
        let place = Rect::from_min_max(pos2(inner.left(), top), pos2(inner.right(), bottom));
        code(ui, place, report.subject.strategy, display, answer);
    }
}

fn code(
    ui: &mut Ui,
    place: Rect,
    entry: &'static StrategyEntry,
    display: CompareDisplay<'_>,
    answer: &mut UiResponse,
) {
    let snippet = entry.snippet(&display.settings.knobs);
    let block = CodeBlock::new(ui, &snippet, place.size());
    let copy = block.show(ui, place, Id::new("selected code"));
    answer.report("button:Copy", copy.rect);
    if copy.clicked() {
        answer.commands.push(Command::CopyCode(entry));
    }
}

fn title(ui: &Ui, painter: &Painter, inner: Rect, report: &Report, answer: &mut UiResponse) {
    let at = pos2(inner.left(), inner.top() + TITLE);
    let name = report.subject.strategy.name;
    let font = theme::text(14.0);
    let name = painter.text(at, Align2::LEFT_CENTER, name, font, theme::BRIGHT);
    let key = caps_of(Command::OpenSelected);
    let words = format!("selected; {key} opens it");
    let galley = painter.layout_no_wrap(words, theme::text(11.5), theme::DIM);
    let size = galley.size();
    let corner = pos2(name.right() + 8.0, at.y - size.y / 2.0 + 1.0);
    let place = Rect::from_min_size(corner, size);
    let response = ui.interact(place, Id::new("open selected"), Sense::CLICK);
    let ink = if response.hovered() {
        theme::BRIGHT
    } else {
        theme::DIM
    };
    painter.galley_with_override_text_color(corner, galley, ink);
    answer.report("open:selected", place);
    if response.clicked() {
        answer.commands.push(Command::OpenSelected);
    }
    tooltip::offer(&response, "Opens the strategy in Grid.");
}

fn wrapped(painter: &Painter, words: &str, width: f32) -> Arc<Galley> {
    let font = theme::text(POINTS);
    painter.layout(words.to_owned(), font, theme::TEXT, width.max(1.0))
}

fn verdict_in(painter: &Painter, report: &Report, width: f32, room: f32) -> Option<Arc<Galley>> {
    let clauses = verdict(report).clauses;
    let fits = |galley: &Galley| galley.size().y <= room;
    status_line::fitting(painter, &clauses, POINTS, width.max(1.0), fits)
}
