//! The area below the comparison table. It contains a chart, the recommended settings, and details of the selected
//! strategy.

use super::{SIDE_MARGIN, cards, charts, selected};
use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::panels::status_line;
use crate::app::state::State;
use crate::app::state::command::Command;
use crate::app::state::grid::Language;
use crate::app::widgets::code_block::{COPY_LINES, CodeBlock};
use crate::app::widgets::{paint, theme};
use egui::{Align2, Galley, Id, Rect, Stroke, Ui, UiBuilder, Vec2, pos2, vec2};
use headless::sim::world::WEIGHT_RULE;
use headless::stats::verdict;
use headless::text::format;

pub const TITLE_CENTER_Y: f32 = 18.0;
const MIN_WIDTH_FOR_CARDS: f32 = 560.0;
const MIN_SIZE_FOR_STRATEGY: Vec2 = vec2(1300.0, 190.0);

const FONT_SIZE: f32 = 12.0;
const DESCRIPTION_TOP: f32 = 32.0;
const GAP: f32 = 6.0;
const BOTTOM_MARGIN: f32 = 8.0;
const MIN_CODE_HEIGHT: f32 = 64.0;

/// Shows the chart, the recommendation cards and the selected strategy. If there is not enough room, the selected
/// strategy is hidden first, followed by the cards.
pub fn show(ui: &mut Ui, rect: Rect, state: &State, output: &mut UiOutput) {
    let line = Stroke::new(1.0, theme::LINE);
    let painter = ui.painter().clone();
    painter.hline(rect.x_range(), rect.top() + 0.5, line);
    if rect.width() < MIN_WIDTH_FOR_CARDS {
        return charts::show(ui, rect, state, output);
    }
    let has_selected =
        rect.width() >= MIN_SIZE_FOR_STRATEGY.x && rect.height() >= MIN_SIZE_FOR_STRATEGY.y;
    let shares = if has_selected {
        [0.44, 0.73]
    } else {
        [0.56, 1.0]
    };
    let [chart, cards] = shares.map(|share| (rect.left() + share * rect.width()).round());
    painter.vline(chart + 0.5, rect.y_range().shrink(8.0), line);
    charts::show(ui, rect.with_max_x(chart), state, output);
    cards::show(ui, rect.with_min_x(chart).with_max_x(cards), state, output);
    if has_selected {
        painter.vline(cards + 0.5, rect.y_range().shrink(8.0), line);
        let others = rect.with_min_x(cards);
        let builder = UiBuilder::new().max_rect(others).id_salt("selected lane");
        show_selected_strategy(&mut ui.new_child(builder), others, state, output);
    }
}

/// Returns a sentence that says whether a strategy stays within the user's limits with its current setting.
pub fn explain_limits(state: &State, lane: usize) -> String {
    match state.compare.broken.get(lane).map(Vec::as_slice) {
        None => String::new(),
        Some([]) => "The strategy meets all limits.".to_owned(),
        Some(broken) => {
            let broken = broken.iter().map(|it| it.words().to_string());
            let broken: Vec<String> = broken.collect();
            let limits = if broken.len() == 1 {
                "a limit"
            } else {
                "several limits"
            };
            format!(
                "The strategy exceeds {limits}: {}.",
                format::listed(&broken)
            )
        }
    }
}

fn show_selected_strategy(ui: &mut Ui, rect: Rect, state: &State, output: &mut UiOutput) {
    let Some(report) = state.compare.reports.get(selected(state)) else {
        return;
    };
    let entry = report.subject.strategy;
    let painter = ui.painter().with_clip_rect(rect);
    let inner = rect.shrink2(vec2(SIDE_MARGIN, 0.0));
    let words = format!(
        "selected (press {} to open it)",
        caps_of(Command::OpenSelected)
    );
    let at = pos2(inner.left(), inner.top() + TITLE_CENTER_Y);
    paint::title(
        &painter,
        at,
        entry.name,
        [14.0, 11.5],
        &[&words],
        inner.right(),
    );
    let (mut at, width) = (
        inner.min + vec2(0.0, DESCRIPTION_TOP),
        inner.width().max(1.0),
    );
    let rule = entry.rule.to_owned();
    let rule = painter.layout(rule, theme::text(FONT_SIZE), theme::TEXT, width);
    let align = Align2::LEFT_TOP;
    at.y = paint::galley(&painter, at, align, rule, theme::TEXT).bottom() + GAP;
    let bottom = inner.bottom() - BOTTOM_MARGIN;
    let has_code = bottom - at.y >= 2.0 * MIN_CODE_HEIGHT;
    let for_code = if has_code { MIN_CODE_HEIGHT + GAP } else { 0.0 };
    let room = bottom - at.y - for_code;
    let fits = |galley: &Galley| galley.size().y <= room;
    let clauses = verdict(report).clauses;
    if let Some(verdict) = status_line::fitting(&painter, &clauses, FONT_SIZE, width, fits) {
        at.y = paint::galley(&painter, at, align, verdict, theme::TEXT).bottom() + GAP;
    }
    if has_code {
        let place = Rect::from_min_max(at, pos2(inner.right(), bottom));
        let snippet = entry.snippet(&state.settings.knobs, &WEIGHT_RULE);
        let block = CodeBlock::new(ui, &snippet, 11.0, COPY_LINES);
        let copy = block.show(ui, place, Id::new("selected code"));
        output.report("button:Copy", copy.rect);
        if copy.clicked() {
            output
                .commands
                .push(Command::CopyCode(entry, Language::Rust));
        }
    }
}
