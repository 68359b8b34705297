//! The recommendation below the table: lanes within budget, the one with the lowest worst staleness first, then lanes that nearly are, and lanes that
//! exceed it.

use super::GAME_TIME;
use super::table_layout::INSET;
use crate::app::input::response::UiResponse;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::warning;
use crate::app::widgets::{paint, theme, tooltip};
use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, CornerRadius, Id, Painter, Rect, Sense, Stroke, Ui, pos2, vec2};
use headless::stats::{BudgetClass, Recommendation, Report, stalest};
use headless::text::format;
use timeslicer::time::Nanos;

/// Distance from the top to the middle of the title, and to the first row.
const TITLE: f32 = 18.0;
const ROWS: f32 = 30.0;
/// Maximum and minimum height of a row.
const ROW: f32 = 24.0;
const LEAST_ROW: f32 = 14.0;
/// Width of a column of figures.
const COLUMN: f32 = 46.0;
/// An area narrower than this has only the last column.
const NARROW: f32 = 250.0;
/// An area of at least this width has the long title.
const WIDE: f32 = 380.0;
/// Space below the last row.
const FOOT: f32 = 6.0;

/// True if `area` has room for this many lanes.
pub fn has_room(area: Rect, lanes: usize) -> bool {
    area.height() >= ROWS + lanes as f32 * LEAST_ROW + FOOT
}

pub fn show(
    ui: &Ui,
    area: Rect,
    recommendation: &Recommendation,
    reports: &[Report],
    answer: &mut UiResponse,
) {
    let painter = ui.painter().with_clip_rect(area);
    let budget = format::number(recommendation.budget.as_millis_f64());
    let is_narrow = area.width() < NARROW;
    let title = if area.width() < WIDE {
        format!("Within {budget} ms")
    } else {
        format!("Within {budget} ms of tasks a frame")
    };
    let heads = area.top() + TITLE;
    let at = pos2(area.left() + INSET, heads);
    let font = theme::text(14.0);
    let title = painter.text(at, Align2::LEFT_CENTER, title, font, theme::BRIGHT);
    let column = |back: usize| area.right() - INSET - back as f32 * COLUMN;
    let columns = if is_narrow { &COLUMNS[2..] } else { &COLUMNS };
    let is_slow = |of: &Report| !of.game_speed().keeps_real_time();
    let mark = if reports.iter().any(is_slow) {
        GAME_TIME
    } else {
        ""
    };
    for (back, (head, _, _, of_tasks)) in columns.iter().rev().enumerate() {
        let head = format!("{head}{}", if *of_tasks { "" } else { mark });
        let at = pos2(column(back), heads);
        let font = theme::text(10.5);
        painter.text(at, Align2::RIGHT_CENTER, head, font, theme::DIM);
    }
    // Describes the order of the lanes within budget. Below a line are the lanes that exceed the budget, sorted by task
    // time. If all exceed it, describes their order.
    let keeps = recommendation.classes.contains(&BudgetClass::Within);
    let words = match (is_narrow, keeps) {
        (true, _) => "",
        (false, true) => "shortest wait first",
        (false, false) => "closest first",
    };
    let room = column(columns.len()) - title.right() - 8.0;
    let style = (theme::text(11.5), theme::DIM);
    if let Some(words) = paint::fitting(&painter, [words], style, room) {
        let at = pos2(title.right() + 8.0, heads + 1.0);
        paint::galley(&painter, at, Align2::LEFT_CENTER, words, theme::DIM);
    }

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
        answer.report(format!("advice:{key}"), rect);
        let response = ui.interact(rect, Id::new(("advice", key)), Sense::CLICK);
        if response.hovered() {
            painter.rect_filled(rect, CornerRadius::same(theme::RADIUS), theme::BAR);
        }
        if response.clicked() {
            answer.commands.push(Command::SelectLane(lane));
        }
        let text = format!("{} Click to select the lane.", explained(class));
        tooltip::offer(&response, text);
        let is_behind = recommendation.behind.contains(&lane);
        paint_row(&painter, rect, report, (class, is_behind), columns);
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

/// A column: head, time, its unit, and true if the figure is task time.
type Column = (&'static str, fn(&Report) -> Nanos, Nanos, bool);

const COLUMNS: [Column; 3] = [
    (
        "p99 ms",
        |it| it.frame_tasks.p99,
        Nanos::from_millis(1),
        true,
    ),
    (
        "max ms",
        |it| it.frame_tasks.max,
        Nanos::from_millis(1),
        true,
    ),
    ("stale s", stalest, Nanos::SECOND, false),
];

/// Returns a figure as text. A dash takes its place if nothing was measured, or if there is no entity to be stale.
fn written(report: &Report, (_, time, unit, of_tasks): &Column) -> String {
    if report.frames == 0 || !of_tasks && report.subject.entities == 0 {
        return "-".to_owned();
    }
    match time(report).over(*unit) {
        small if small > 0.0 && small < 0.001 => "<.001".to_owned(), // a column has room for five characters
        value => format::short(value),
    }
}

fn paint_row(
    painter: &Painter,
    rect: Rect,
    report: &Report,
    (class, is_behind): (BudgetClass, bool),
    columns: &[Column],
) {
    let y = rect.center().y;
    let left = rect.left() + INSET - 4.0;
    let sign = pos2(left + 4.0, y);
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
    let name = report.subject.strategy.name;
    let at = pos2(left + 14.0, y);
    let right = rect.right() + 4.0 - INSET;
    let room = right - columns.len() as f32 * COLUMN + 8.0 - at.x;
    let mut job = LayoutJob::simple_singleline(name.to_owned(), theme::text(12.0), ink);
    job.wrap = TextWrapping::truncate_at_width(room.max(0.0));
    let name = painter.layout_job(job);
    paint::galley(painter, at, Align2::LEFT_CENTER, name, ink);
    for (back, column) in columns.iter().rev().enumerate() {
        let is_task_time = column.3;
        let ink = match class {
            BudgetClass::Exceeds if is_task_time => theme::AMBER,
            BudgetClass::Unknown => theme::DIM,
            _ if is_behind && !is_task_time => theme::AMBER,
            _ => theme::BRIGHT,
        };
        let at = pos2(right - back as f32 * COLUMN, y);
        let text = written(report, column);
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

    fn rows(comparison: &Comparison) -> Vec<[String; 3]> {
        let reports = comparison.reports();
        let row = |report: &Report| COLUMNS.each_ref().map(|column| written(report, column));
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
