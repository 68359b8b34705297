//! The recommendation below the table: lanes within budget, the one with the lowest worst staleness first, then lanes that
//! nearly are, and lanes that exceed it.

use super::below::{TITLE, paint_title};
use super::{CompareDisplay, GAME_TIME, INSET, clickable};
use crate::app::input::response::UiResponse;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::warning;
use crate::app::widgets::{paint, theme, tooltip};
use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, CornerRadius, Painter, Rect, Stroke, Ui, pos2, vec2};
use headless::stats::{BudgetClass, Report, stalest};
use headless::text::format;

/// Distance from the top to the first row.
const ROWS: f32 = 30.0;
/// Maximum and minimum height of a row.
const ROW: f32 = 24.0;
const LEAST_ROW: f32 = 14.0;
/// Width of a column of figures.
const COLUMN: f32 = 46.0;
/// An area of at least this width has the long title.
const WIDE: f32 = 380.0;
/// Space below the last row.
const FOOT: f32 = 6.0;

/// Figures, from the left: the head, the value, and true if it is task time.
type Column = (&'static str, fn(&Report) -> f64, bool);
const COLUMNS: [Column; 3] = [
    ("p99 ms", |it| it.frame_tasks.p99.as_millis_f64(), true),
    ("max ms", |it| it.frame_tasks.max.as_millis_f64(), true),
    ("stale s", |it| stalest(it).as_secs_f64(), false),
];

/// True if `area` has room for this many lanes.
pub fn has_room(area: Rect, lanes: usize) -> bool {
    area.height() >= ROWS + lanes as f32 * LEAST_ROW + FOOT
}

/// Returns the right end of each column.
fn rights(right: f32) -> [f32; 3] {
    [2.0, 1.0, 0.0].map(|back| right - back * COLUMN)
}

pub fn show(ui: &Ui, area: Rect, display: CompareDisplay<'_>, answer: &mut UiResponse) {
    let (recommendation, reports) = (&display.state.advice, &display.state.reports);
    let painter = ui.painter().with_clip_rect(area);
    heading(&painter, area, display);
    let count = reports.len().max(1) as f32;
    let row = ((area.height() - ROWS - FOOT) / count).min(ROW);
    let mut group = None;
    for (place, &lane) in recommendation.order.iter().enumerate() {
        let class = recommendation.classes[lane];
        let top = area.top() + ROWS + place as f32 * row;
        let last = group.replace((class == BudgetClass::Within, class.is_within()));
        if place > 0 && last != group {
            let line = Stroke::new(1.0, theme::LINE);
            painter.hline(area.x_range().shrink(INSET), top, line);
        }
        let rect = Rect::from_x_y_ranges(area.x_range(), top..=top + row).shrink2(vec2(4.0, 0.0));
        let report = &reports[lane];
        let key = report.subject.strategy.key;
        let response = clickable(ui, rect, format!("advice:{key}"), answer);
        if response.hovered() {
            painter.rect_filled(rect, CornerRadius::same(theme::RADIUS), theme::BAR);
        }
        if response.clicked() && !answer.list_was_open {
            answer.commands.push(Command::SelectLane(lane));
        }
        let text = format!("{} Click to select the lane.", explained(class));
        tooltip::offer(&response, text);
        let is_behind = recommendation.behind.contains(&lane);
        paint_row(&painter, rect, report, class, is_behind);
    }
}

/// Paints the title, the order of the lanes, and the heads of the columns. The lanes within the budget are sorted by
/// staleness, and those below a line, which exceed it, by task time. If all exceed it, the words describe their order.
fn heading(painter: &Painter, area: Rect, display: CompareDisplay<'_>) {
    let recommendation = &display.state.advice;
    let budget = format::number(recommendation.budget.as_millis_f64());
    let long = if area.width() < WIDE {
        ""
    } else {
        " of tasks a frame"
    };
    let title = format!("Within {budget} ms{long}");
    let rights = rights(area.right() - INSET);
    let words = if recommendation.classes.contains(&BudgetClass::Within) {
        "shortest wait first"
    } else {
        "closest first"
    };
    paint_title(painter, area, &title, words, rights[0] - COLUMN);
    for ((head, _, is_task_time), right) in COLUMNS.into_iter().zip(rights) {
        let is_game_time = !is_task_time && display.has_game_time();
        let head = format!("{head}{}", if is_game_time { GAME_TIME } else { "" });
        let at = pos2(right, area.top() + TITLE);
        paint::right(painter, at, &head, 10.5, theme::DIM);
    }
}

fn explained(class: BudgetClass) -> &'static str {
    match class {
        BudgetClass::Within => "Within the budget: no frame exceeded it.",
        BudgetClass::Rarely => {
            "99 of 100 frames kept the budget, and none exceeded it by more than half."
        }
        BudgetClass::LastTask => {
            "Only the last task of a frame ended after the budget, because the strategy looks at the clock after each \
             task."
        }
        BudgetClass::Exceeds => {
            "Tasks exceeded the budget in more than 1 of 100 frames, or by more than half."
        }
        BudgetClass::Unknown => "Too few frames since the last change.",
    }
}

/// Returns a figure as text. A dash takes its place if nothing was measured, or if there is no entity to be stale.
fn written(report: &Report, (_, value, is_task_time): Column) -> String {
    if report.frames == 0 || !is_task_time && report.subject.entities == 0 {
        return "-".to_owned();
    }
    match value(report) {
        small if small > 0.0 && small < 0.001 => "<.001".to_owned(), // a column has room for five characters
        value => format::short(value),
    }
}

fn paint_row(painter: &Painter, rect: Rect, report: &Report, class: BudgetClass, is_behind: bool) {
    let left = pos2(rect.left() + INSET - 4.0, rect.center().y);
    let sign = left + vec2(4.0, 0.0);
    let ink = match class {
        BudgetClass::Within => {
            painter.circle_filled(sign, 4.0, theme::TEAL);
            theme::BRIGHT
        }
        BudgetClass::Rarely | BudgetClass::LastTask => {
            painter.circle_stroke(sign, 3.5, Stroke::new(1.0, theme::DIM));
            theme::TEXT
        }
        BudgetClass::Exceeds => {
            warning(painter, sign, 4.0);
            theme::DIM
        }
        BudgetClass::Unknown => theme::DIM,
    };
    let at = left + vec2(14.0, 0.0);
    let rights = rights(rect.right() + 4.0 - INSET);
    let name = report.subject.strategy.name.to_owned();
    let mut job = LayoutJob::simple_singleline(name, theme::text(12.0), ink);
    let room = rights[0] - COLUMN + 8.0 - at.x;
    job.wrap = TextWrapping::truncate_at_width(room.max(0.0));
    let name = painter.layout_job(job);
    paint::galley(painter, at, Align2::LEFT_CENTER, name, ink);
    for (column, right) in COLUMNS.into_iter().zip(rights) {
        let is_task_time = column.2;
        let ink = match class {
            BudgetClass::Exceeds if is_task_time => theme::AMBER,
            BudgetClass::Unknown => theme::DIM,
            _ if is_behind && !is_task_time => theme::AMBER,
            _ => theme::BRIGHT,
        };
        let (at, text) = (pos2(right, at.y), written(report, column));
        painter.text(at, Align2::RIGHT_CENTER, text, theme::mono(11.0), ink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use headless::experiment::comparison::Comparison;
    use headless::sim::machine::DISPLAY_HZ;
    use headless::sim::settings::{Setting, Settings};
    use headless::sim::world::{COST, ENTITIES};
    use timeslicer::strategy::STRATEGIES;
    use timeslicer::time::Nanos;

    fn rows(comparison: &Comparison) -> Vec<[String; 3]> {
        let reports = comparison.reports();
        let row = |report: &Report| COLUMNS.map(|column| written(report, column));
        reports.iter().map(row).collect()
    }

    #[test]
    fn figures_are_as_wide_as_their_column() {
        let mut comparison = Comparison::new(&Settings::default(), STRATEGIES);
        for (entities, cost) in [(3.0, 0.0), (3.0, 0.01), (400.0, 10.0), (5000.0, 900.0)] {
            comparison.set(Setting::Knob(&ENTITIES, entities));
            comparison.set(Setting::Knob(&COST, cost));
            comparison.set(Setting::Knob(&DISPLAY_HZ, 144.0 + entities));
            comparison.advance(Nanos::from_secs(2));
            for figure in rows(&comparison).into_iter().flatten() {
                assert!(figure.chars().count() <= 5, "{figure}");
            }
        }
    }
}
