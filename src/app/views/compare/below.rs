//! The area below the table: the trade-off chart, the strategies within the budget, and the selected strategy.

use super::{INSET, charts, clickable, has_game_time, selected};
use crate::app::input::bindings::caps_of;
use crate::app::input::response::UiResponse;
use crate::app::panels::status_line;
use crate::app::state::State;
use crate::app::state::command::Command;
use crate::app::state::compare::budget;
use crate::app::state::grid::Language;
use crate::app::widgets::code_block::{COPY_LINES, CodeBlock};
use crate::app::widgets::{paint, theme, tooltip};
use egui::{Align2, CornerRadius, Galley, Id, Rect, Stroke, Ui, UiBuilder, Vec2, pos2, vec2};
use headless::sim::world::WEIGHT_RULE;
use headless::stats::{WeightedStaleness, joined, verdict};
use headless::text::format;

/// Distance from the top of a part below the table to the middle of its title.
pub const TITLE: f32 = 18.0;
/// Minimum width of the area below the table for the chart and the selected strategy, and minimum size for the list, too.
const BOTH: f32 = 560.0;
const ALL_THREE: Vec2 = vec2(1300.0, 190.0);

/// Distance from the top to the first row of the list, maximum height of a row, and width of a column of figures.
const LIST: f32 = 30.0;
const ROW: f32 = 24.0;
const COLUMN: f32 = 46.0;

/// Size of the text, and distance from the top to the selected strategy's rule.
const POINTS: f32 = 12.0;
const RULE: f32 = 32.0;
const GAP: f32 = 6.0;
/// Space below the list and the code, and minimum height of the code.
const FOOT: f32 = 8.0;
const LEAST_CODE: f32 = 64.0;

/// Shows the trade-off chart, the list and the selected strategy below the table. Without room for all, leaves out the
/// list, then the selected strategy.
pub fn show(ui: &mut Ui, rect: Rect, state: &State, answer: &mut UiResponse) {
    let line = Stroke::new(1.0, theme::LINE);
    let painter = ui.painter().clone();
    painter.hline(rect.x_range(), rect.top() + 0.5, line);
    if rect.width() < BOTH {
        return charts::show(ui, rect, state, answer);
    }
    let has_list = rect.width() >= ALL_THREE.x && rect.height() >= ALL_THREE.y;
    let shares = if has_list { [0.5, 0.72] } else { [0.56; 2] };
    let [chart, list] = shares.map(|share| (rect.left() + share * rect.width()).round());
    for x in [chart, list] {
        painter.vline(x + 0.5, rect.y_range().shrink(8.0), line);
    }
    charts::show(ui, rect.with_max_x(chart), state, answer);
    if has_list {
        let part = rect.with_min_x(chart).with_max_x(list);
        within_budget(ui, part, state, answer);
    }
    let others = rect.with_min_x(list);
    let builder = UiBuilder::new().max_rect(others).id_salt("selected lane");
    selected_strategy(&mut ui.new_child(builder), others, state, answer);
}

/// Lists the strategies within the budget, the best first.
fn within_budget(ui: &Ui, area: Rect, state: &State, answer: &mut UiResponse) {
    let (advice, reports) = (&state.compare.advice, &state.compare.reports);
    let painter = ui.painter().with_clip_rect(area);
    let left = area.left() + INSET;
    let rights = [2.0, 1.0, 0.0].map(|back| area.right() - INSET - back * COLUMN);
    let at = pos2(left, area.top() + TITLE);
    let budget = format::number(budget(&state.compare.comparison).as_millis_f64());
    let title = format!("Within {budget} ms");
    let within = advice.order.iter().copied();
    let within = within.filter(|&lane| advice.keeps_budget[lane] && reports[lane].frames > 0);
    let within: Vec<usize> = within.collect();
    let remark = if within.is_empty() {
        "none"
    } else {
        "as set, freshest first"
    };
    let names_to = rights[0] - COLUMN;
    paint::title(&painter, at, &title, [14.0, 11.5], &[remark], names_to);
    let last_head = match (advice.measure.by, has_game_time(state)) {
        (WeightedStaleness::Mean, false) => "mean s",
        (WeightedStaleness::Mean, true) => "mean s*",
        (WeightedStaleness::Worst, false) => "worst s",
        (WeightedStaleness::Worst, true) => "worst s*",
    };
    for (head, right) in ["p99 ms", "max ms", last_head].into_iter().zip(rights) {
        paint::right(&painter, pos2(right, at.y), head, 10.5, theme::DIM);
    }
    let count = reports.len().max(1) as f32;
    let height = ((area.height() - LIST - FOOT) / count).min(ROW);
    for (row, lane) in within.into_iter().enumerate() {
        let top = area.top() + LIST + row as f32 * height;
        let rect = Rect::from_x_y_ranges(area.x_range(), top..=top + height);
        let rect = rect.shrink2(vec2(4.0, 0.0));
        let report = &reports[lane];
        let key = report.subject.strategy.key;
        let select = Command::SelectLane(lane);
        let response = clickable(ui, rect, format!("advice:{key}"), select, answer);
        if response.hovered() {
            painter.rect_filled(rect, CornerRadius::same(theme::RADIUS), theme::BAR);
        }
        let text = format!("{} Click to select the lane.", explained(state, lane));
        tooltip::offer(&response, text);
        let (y, name) = (rect.center().y, report.subject.strategy.name);
        let at = pos2(left, y);
        paint::cut(&painter, at, name, POINTS, theme::TEXT, names_to + 8.0);
        let is_best = advice.why_not[lane].is_empty() && report.has_run_all();
        let last_ink = if is_best { theme::TEAL } else { theme::BRIGHT };
        let (tasks, bright) = (report.frame_tasks, theme::BRIGHT);
        let staleness = advice.measure.of(report).unwrap_or_default();
        for (right, value, ink) in [
            (rights[0], tasks.p99.as_millis_f64(), bright),
            (rights[1], tasks.max.as_millis_f64(), bright),
            (rights[2], staleness.as_secs_f64(), last_ink),
        ] {
            let (words, font) = (format::short(value), theme::mono(11.0));
            painter.text(pos2(right, y), Align2::RIGHT_CENTER, words, font, ink);
        }
    }
}

/// Explains how a lane stands in the advice, in a sentence.
pub fn explained(state: &State, lane: usize) -> String {
    let advice = &state.compare.advice;
    let mut words = match advice.why_not.get(lane) {
        Some(why_not) if !why_not.is_empty() => joined(why_not),
        _ => "the freshest".to_owned(),
    };
    if advice.keeps_budget.get(lane) == Some(&true) {
        words.insert_str(0, "keeps the budget in every update, ");
    }
    words[..1].make_ascii_uppercase();
    words + "."
}

/// Shows the selected strategy: its rule, its verdict and its code.
fn selected_strategy(ui: &mut Ui, rect: Rect, state: &State, answer: &mut UiResponse) {
    let Some(report) = state.compare.reports.get(selected(state)) else {
        return;
    };
    let entry = report.subject.strategy;
    let painter = ui.painter().with_clip_rect(rect);
    let inner = rect.shrink2(vec2(INSET, 0.0));
    let words = format!("selected; {} opens it", caps_of(Command::OpenSelected));
    let at = pos2(inner.left(), inner.top() + TITLE);
    paint::title(
        &painter,
        at,
        entry.name,
        [14.0, 11.5],
        &[&words],
        inner.right(),
    );
    let (mut at, width) = (inner.min + vec2(0.0, RULE), inner.width().max(1.0));
    let rule = entry.rule.to_owned();
    let rule = painter.layout(rule, theme::text(POINTS), theme::TEXT, width);
    let align = Align2::LEFT_TOP;
    at.y = paint::galley(&painter, at, align, rule, theme::TEXT).bottom() + GAP;
    let bottom = inner.bottom() - FOOT;
    let has_code = bottom - at.y >= 2.0 * LEAST_CODE;
    let for_code = if has_code { LEAST_CODE + GAP } else { 0.0 };
    let room = bottom - at.y - for_code;
    let fits = |galley: &Galley| galley.size().y <= room;
    let clauses = verdict(report).clauses;
    if let Some(verdict) = status_line::fitting(&painter, &clauses, POINTS, width, fits) {
        at.y = paint::galley(&painter, at, align, verdict, theme::TEXT).bottom() + GAP;
    }
    if has_code {
        let place = Rect::from_min_max(at, pos2(inner.right(), bottom));
        let snippet = entry.snippet(&state.settings.knobs, &WEIGHT_RULE);
        let block = CodeBlock::new(ui, &snippet, 11.0, COPY_LINES);
        let copy = block.show(ui, place, Id::new("selected code"));
        answer.report("button:Copy", copy.rect);
        if copy.clicked() {
            answer
                .commands
                .push(Command::CopyCode(entry, Language::Rust));
        }
    }
}
