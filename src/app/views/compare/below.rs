//! The area below the table: the trade-off chart, the recommendation and the selected strategy.

use super::{CompareDisplay, INSET, clickable, recommendation, trade_off};
use crate::app::input::bindings::caps_of;
use crate::app::input::response::UiResponse;
use crate::app::panels::status_line;
use crate::app::state::command::Command;
use crate::app::widgets::code_block::CodeBlock;
use crate::app::widgets::{paint, theme, tooltip};
use egui::{Align2, Galley, Id, Painter, Rect, Stroke, Ui, UiBuilder, pos2, vec2};
use headless::stats::verdict;

/// Distance from the top of a part below the table to the middle of its title.
pub const TITLE: f32 = 18.0;
/// Minimum widths of the area below the table for the chart and the selected strategy, and also for the advice.
const BOTH: f32 = 560.0;
const ALL_THREE: f32 = 1300.0;
/// Shares of that area for the chart, next to one or to two other parts, and for the advice.
const CHART: [f32; 2] = [0.56, 0.5];
const ADVICE: f32 = 0.22;

/// Size of the selected strategy's text, and distance from the top to its rule.
const POINTS: f32 = 12.0;
const RULE: f32 = 32.0;
const GAP: f32 = 6.0;
/// Space below the code, and minimum height of the code.
const FOOT: f32 = 8.0;
const LEAST_CODE: f32 = 64.0;

/// Shows the trade-off chart, the advice and the selected strategy below the table. Without room for all, leaves out the
/// advice, then the selected strategy.
pub fn show(ui: &mut Ui, rect: Rect, display: CompareDisplay<'_>, answer: &mut UiResponse) {
    let line = Stroke::new(1.0, theme::LINE);
    let painter = ui.painter().clone();
    painter.hline(rect.x_range(), rect.top() + 0.5, line);
    if rect.width() < BOTH {
        return trade_off::show(ui, rect, display, answer);
    }
    let mut left = rect;
    let mut take = |share: f32| {
        let middle = (left.left() + rect.width() * share).round();
        painter.vline(middle + 0.5, left.y_range().shrink(8.0), line);
        let part = left.with_max_x(middle);
        left.min.x = middle;
        part
    };
    let lanes = display.state.reports.len();
    let has_advice = rect.width() >= ALL_THREE && recommendation::has_room(rect, lanes);
    trade_off::show(ui, take(CHART[usize::from(has_advice)]), display, answer);
    if has_advice {
        recommendation::show(ui, take(ADVICE), display, answer);
    }
    let builder = UiBuilder::new().max_rect(left).id_salt("selected lane");
    selected(&mut ui.new_child(builder), left, display, answer);
}

/// Shows the selected strategy: its rule, its verdict and its code.
fn selected(ui: &mut Ui, rect: Rect, display: CompareDisplay<'_>, answer: &mut UiResponse) {
    let Some(report) = display.state.reports.get(display.selected()) else {
        return;
    };
    let entry = report.subject.strategy;
    let painter = ui.painter().with_clip_rect(rect);
    let inner = rect.shrink2(vec2(INSET, 0.0));
    selected_title(ui, &painter, inner, entry.name, answer);
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
fn selected_title(ui: &Ui, painter: &Painter, inner: Rect, name: &str, answer: &mut UiResponse) {
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
    if response.clicked() && !answer.list_was_open {
        answer.commands.push(Command::OpenSelected);
    }
    tooltip::offer(&response, "Opens the strategy in Grid.");
}

/// Paints the title of a part below the table, and smaller words after it if they fit to the left of `right`.
pub fn paint_title(painter: &Painter, part: Rect, title: &str, words: &str, right: f32) {
    let at = pos2(part.left() + INSET, part.top() + TITLE);
    let title = paint::left(painter, at, title, 14.0, theme::BRIGHT);
    let at = pos2(title.right() + 8.0, at.y + 1.0);
    let style = (theme::text(11.5), theme::DIM);
    if let Some(words) = paint::fitting(painter, [words], style, right - at.x) {
        paint::galley(painter, at, Align2::LEFT_CENTER, words, theme::DIM);
    }
}
