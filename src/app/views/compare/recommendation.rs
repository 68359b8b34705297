//! The list of the strategies within the budget, the best first, next to the trade-off chart.

use super::below::{POINTS, TITLE};
use super::{INSET, clickable, has_game_time};
use crate::app::input::response::UiResponse;
use crate::app::state::State;
use crate::app::state::command::Command;
use crate::app::widgets::{paint, theme, tooltip};
use egui::{Align2, CornerRadius, Rect, Ui, pos2, vec2};
use headless::stats::{BudgetClass, stalest};
use headless::text::format;

/// Distance from the top to the first row, and maximum height of a row.
const ROWS: f32 = 30.0;
const ROW: f32 = 24.0;
/// Width of a column of figures.
const COLUMN: f32 = 46.0;
/// Space below the last row.
const FOOT: f32 = 6.0;

pub fn show(ui: &Ui, area: Rect, state: &State, answer: &mut UiResponse) {
    let (advice, reports) = (&state.compare.advice, &state.compare.reports);
    let painter = ui.painter().with_clip_rect(area);
    let left = area.left() + INSET;
    let rights = [2.0, 1.0, 0.0].map(|back| area.right() - INSET - back * COLUMN);
    let at = pos2(left, area.top() + TITLE);
    let budget = format::number(advice.budget.as_millis_f64());
    let title = format!("Within {budget} ms");
    let within = advice.order.iter().copied();
    let within = within.filter(|&lane| advice.classes[lane].is_within());
    let within: Vec<usize> = within.collect();
    let remark = if within.is_empty() {
        "none"
    } else {
        "shortest wait first"
    };
    let names_to = rights[0] - COLUMN;
    paint::title(&painter, at, &title, [14.0, 11.5], &[remark], names_to);
    let third = if has_game_time(state) {
        "stale s*"
    } else {
        "stale s"
    };
    for (head, right) in ["p99 ms", "max ms", third].into_iter().zip(rights) {
        paint::right(&painter, pos2(right, at.y), head, 10.5, theme::DIM);
    }
    let count = reports.len().max(1) as f32;
    let height = ((area.height() - ROWS - FOOT) / count).min(ROW);
    for (row, lane) in within.into_iter().enumerate() {
        let top = area.top() + ROWS + row as f32 * height;
        let rect = Rect::from_x_y_ranges(area.x_range(), top..=top + height);
        let rect = rect.shrink2(vec2(4.0, 0.0));
        let report = &reports[lane];
        let (key, class) = (report.subject.strategy.key, advice.classes[lane]);
        let select = Command::SelectLane(lane);
        let response = clickable(ui, rect, format!("advice:{key}"), select, answer);
        if response.hovered() {
            painter.rect_filled(rect, CornerRadius::same(theme::RADIUS), theme::BAR);
        }
        let text = format!("{} Click to select the lane.", explained(class));
        tooltip::offer(&response, text);
        let (y, name) = (rect.center().y, report.subject.strategy.name);
        let at = pos2(left, y);
        paint::cut(&painter, at, name, POINTS, theme::TEXT, names_to + 8.0);
        let is_behind = advice.behind.contains(&lane);
        let third = if is_behind {
            theme::AMBER
        } else {
            theme::BRIGHT
        };
        let (tasks, bright) = (report.frame_tasks, theme::BRIGHT);
        for (right, value, ink) in [
            (rights[0], tasks.p99.as_millis_f64(), bright),
            (rights[1], tasks.max.as_millis_f64(), bright),
            (rights[2], stalest(report).as_secs_f64(), third),
        ] {
            let (words, font) = (format::short(value), theme::mono(11.0));
            painter.text(pos2(right, y), Align2::RIGHT_CENTER, words, font, ink);
        }
    }
}

pub fn explained(class: BudgetClass) -> &'static str {
    match class {
        BudgetClass::Within => "Within the budget: no frame exceeded it.",
        BudgetClass::Rarely | BudgetClass::LastTask => "Nearly within the budget.",
        BudgetClass::Exceeds => "Exceeds the budget.",
        BudgetClass::Unknown => "Too few frames since the last change.",
    }
}
