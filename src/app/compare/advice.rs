//! Which strategy to take: the lanes by whether they keep within the budget, and how stale they let anybody become.

use crate::app::answer::Answer;
use crate::app::command::Command;
use crate::app::theme;
use crate::app::widgets::warning;
use egui::{Align2, CornerRadius, Id, Painter, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use timeslice_lab::figure;
use timeslice_lab::metrics::{Advice, Report};

const INSET: f32 = 12.0;
/// From the top to the first row, and the most from a row to the next.
const ROWS: f32 = 58.0;
const ROW: f32 = 30.0;
/// Widths of the two columns of figures.
const COLUMN: f32 = 62.0;
/// A card narrower than this has only one of them.
const NARROW: f32 = 220.0;

/// Paints it in `card`; a click on a row opens the lane.
pub fn show(ui: &Ui, card: Rect, advice: &Advice, reports: &[Report], answer: &mut Answer) {
    let painter = ui.painter().with_clip_rect(card);
    let corners = CornerRadius::same(8);
    painter.rect_filled(card, corners, theme::FLOOR);
    let edge = Stroke::new(1.0, theme::LINE);
    painter.rect_stroke(card, corners, edge, StrokeKind::Inside);
    let budget = figure::number(advice.budget.as_millis_f64());
    let is_narrow = card.width() < NARROW;
    let title = if is_narrow {
        format!("Within {budget} ms?")
    } else {
        format!("Who keeps within {budget} ms of tasks?")
    };
    let at = card.left_top() + vec2(INSET, 16.0);
    painter.text(
        at,
        Align2::LEFT_CENTER,
        title,
        theme::text(13.0),
        theme::BRIGHT,
    );
    let heads = card.top() + 42.0;
    let (stale, tasks) = (card.right() - INSET, card.right() - INSET - COLUMN);
    let columns = [(stale, "stale worst"), (tasks, "tasks p99")];
    let shown = if is_narrow { 1 } else { 2 };
    for (x, words) in columns.into_iter().take(shown) {
        let font = theme::text(10.5);
        painter.text(
            pos2(x, heads),
            Align2::RIGHT_CENTER,
            words,
            font,
            theme::DIM,
        );
    }
    let at = pos2(card.left() + INSET, heads);
    let words = if is_narrow { "" } else { "freshest first" };
    painter.text(
        at,
        Align2::LEFT_CENTER,
        words,
        theme::text(10.5),
        theme::DIM,
    );

    let count = reports.len().max(1) as f32;
    let row = ((card.height() - ROWS - 8.0) / count).min(ROW);
    let kept = advice.keep.iter().map(|&lane| (lane, true));
    let passed = advice.pass.iter().map(|&lane| (lane, false));
    for (place, (lane, keeps)) in kept.chain(passed).enumerate() {
        let top = card.top() + ROWS + place as f32 * row;
        let rect = Rect::from_x_y_ranges(card.x_range(), top..=top + row).shrink2(vec2(4.0, 0.0));
        let report = &reports[lane];
        let key = report.strategy.key;
        answer.stands(format!("advice:{key}"), rect);
        let response = ui.interact(rect, Id::new(("advice", key)), Sense::click());
        if response.hovered() {
            painter.rect_filled(rect, CornerRadius::same(theme::RADIUS), theme::BAR);
        }
        if response.clicked() {
            answer.commands.push(Command::OpenLane(lane));
        }
        response.on_hover_text(if keeps {
            "In 99 of 100 frames its tasks took no longer than the budget, which is a slider at the left."
        } else {
            "In more than one of 100 frames its tasks took longer than the budget, which is a slider at the left."
        });
        paint_row(&painter, rect, report, keeps, [tasks, stale]);
    }
}

fn paint_row(
    painter: &Painter,
    rect: Rect,
    report: &Report,
    keeps: bool,
    [tasks, stale]: [f32; 2],
) {
    let y = rect.center().y;
    let left = rect.left() + INSET - 4.0;
    let sign = pos2(left + 4.0, y);
    let ink = if keeps {
        painter.circle_filled(sign, 4.0, theme::TEAL);
        theme::BRIGHT
    } else {
        warning(painter, sign, 4.0);
        theme::DIM
    };
    let name = report.strategy.name;
    let at = pos2(left + 14.0, y);
    painter.text(at, Align2::LEFT_CENTER, name, theme::text(12.5), ink);
    let took = format!(
        "{} ms",
        figure::number(report.frame_tasks.p99.as_millis_f64())
    );
    let ink = if keeps { theme::BRIGHT } else { theme::AMBER };
    if rect.width() + 8.0 >= NARROW {
        painter.text(
            pos2(tasks, y),
            Align2::RIGHT_CENTER,
            took,
            theme::mono(11.5),
            ink,
        );
    }
    let worst = format!("{} s", figure::number(report.worst_staleness.as_secs_f64()));
    let ink = theme::BRIGHT;
    painter.text(
        pos2(stale, y),
        Align2::RIGHT_CENTER,
        worst,
        theme::mono(11.5),
        ink,
    );
}
