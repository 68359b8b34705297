//! The selected strategy, below the table: its rule, its verdict and its code.

use super::{CompareDisplay, INSET, TITLE, clickable};
use crate::app::input::bindings::caps_of;
use crate::app::input::response::UiResponse;
use crate::app::panels::status_line;
use crate::app::state::command::Command;
use crate::app::widgets::code_block::CodeBlock;
use crate::app::widgets::{paint, theme, tooltip};
use egui::{Align2, Galley, Id, Painter, Rect, Ui, pos2, vec2};
use headless::stats::verdict;

const POINTS: f32 = 12.0;
/// Distance from the top to the rule.
const RULE: f32 = 32.0;
const GAP: f32 = 6.0;
/// Space below the code, and minimum height of the code.
const FOOT: f32 = 8.0;
const LEAST_CODE: f32 = 64.0;

pub fn show(ui: &mut Ui, rect: Rect, display: CompareDisplay<'_>, answer: &mut UiResponse) {
    let Some(report) = display.state.reports.get(display.selected()) else {
        return;
    };
    let entry = report.subject.strategy;
    let painter = ui.painter().with_clip_rect(rect);
    let inner = rect.shrink2(vec2(INSET, 0.0));
    title(ui, &painter, inner, entry.name, answer);
    let (left, width) = (inner.left(), inner.width().max(1.0));
    let mut top = inner.top() + RULE;
    let rule = entry.rule.to_owned();
    let rule = painter.layout(rule, theme::text(POINTS), theme::TEXT, width);
    let height = rule.size().y;
    painter.galley(pos2(left, top), rule, theme::TEXT);
    top += height + GAP;
    let bottom = inner.bottom() - FOOT;
    let has_code = bottom - top >= 2.0 * LEAST_CODE;
    let for_code = if has_code { LEAST_CODE + GAP } else { 0.0 };
    let room = bottom - top - for_code;
    let fits = |galley: &Galley| galley.size().y <= room;
    let clauses = verdict(report).clauses;
    if let Some(verdict) = status_line::fitting(&painter, &clauses, POINTS, width, fits) {
        let height = verdict.size().y;
        painter.galley(pos2(left, top), verdict, theme::TEXT);
        top += height + GAP;
    }
    if has_code {
        let place = Rect::from_min_max(pos2(left, top), pos2(inner.right(), bottom));
        let snippet = entry.snippet(&display.settings.knobs);
        let block = CodeBlock::new(ui, &snippet, place.size());
        let copy = block.show(ui, place, Id::new("selected code"));
        answer.report("button:Copy", copy.rect);
        if copy.clicked() {
            answer.commands.push(Command::CopyCode(entry));
        }
    }
}

/// Shows the strategy's name, and words that open it in Grid.
fn title(ui: &Ui, painter: &Painter, inner: Rect, name: &str, answer: &mut UiResponse) {
    let at = pos2(inner.left(), inner.top() + TITLE);
    let name = paint::left(painter, at, name, 14.0, theme::BRIGHT);
    let words = format!("selected; {} opens it", caps_of(Command::OpenSelected));
    let words = painter.layout_no_wrap(words, theme::text(11.5), theme::DIM);
    let at = pos2(name.right() + 8.0, at.y + 1.0);
    let place = Align2::LEFT_CENTER.anchor_size(at, words.size());
    let response = clickable(ui, place, "open:selected".to_owned(), answer);
    let ink = if response.hovered() {
        theme::BRIGHT
    } else {
        theme::DIM
    };
    painter.galley_with_override_text_color(place.min, words, ink);
    if response.clicked() {
        answer.commands.push(Command::OpenSelected);
    }
    tooltip::offer(&response, "Opens the strategy in Grid.");
}
