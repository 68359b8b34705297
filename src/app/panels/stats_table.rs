//! The table at the lower right: what the last frames were like, in figures.

use crate::app::widgets::buttons::warning;
use crate::app::widgets::theme;
use crate::history::{Cell, LENGTHS_HELP, StatsTable};
use egui::{Align2, Color32, CornerRadius, Id, Painter, Pos2, Rect, Sense, Stroke, Ui, pos2};

/// Room at the left and at the right.
const INSET: f32 = 16.0;
/// From the top to the first row, and from a row to the next.
const ROWS: f32 = 94.0;
const ROW: f32 = 16.6;

/// Shows the table in `rect`, if that has any extent.
pub fn show(ui: &Ui, rect: Rect, table: &StatsTable) {
    if rect.width() < 1.0 || rect.height() < 1.0 {
        return;
    }
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, CornerRadius::ZERO, theme::BAR);
    let edge = Stroke::new(1.0, theme::LINE);
    painter.hline(rect.x_range(), rect.top() + 0.5, edge);
    let divider = rect.top() + 14.0..=rect.bottom() - 14.0;
    painter.vline(rect.left() + 0.5, divider, edge);
    rows(table, ui, &painter, rect);
}

fn rows(table: &StatsTable, ui: &Ui, painter: &Painter, rect: Rect) {
    let (left, right) = (rect.left() + INSET, rect.right() - INSET - 2.0);
    let label = |y: f32, text: &str, ink| {
        let at = pos2(left, y);
        painter.text(at, Align2::LEFT_CENTER, text, theme::text(12.5), ink)
    };
    label(rect.top() + 19.0, &table.caption, theme::DIM);

    // Frame lengths: a small table of its own.
    let (heads, figures) = (rect.top() + 50.0, rect.top() + 67.0);
    if figures + 10.0 > rect.bottom() {
        return;
    }
    let font = theme::text(11.5);
    painter.text(
        pos2(left, heads),
        Align2::LEFT_CENTER,
        "frame ms",
        font,
        theme::TEXT,
    );
    let column = (right - left - 54.0) / 4.0;
    for (index, (name, cell)) in (1..).zip(&table.lengths) {
        let x = right - (table.lengths.len() as f32 - index as f32) * column;
        let head = theme::text(11.0);
        painter.text(pos2(x, heads), Align2::RIGHT_CENTER, name, head, theme::DIM);
        // No room for the triangle before the figure: it stands beside the column's head.
        paint_figure(painter, pos2(x, figures), cell, false);
        if matches!(cell, Cell::Wrong(_)) {
            warning(painter, pos2(x - 26.0, heads), 3.5);
        }
    }
    let area = Rect::from_x_y_ranges(left..=right, heads - 9.0..=figures + 9.0);
    tip(ui, area, "lengths", LENGTHS_HELP);
    painter.hline(
        left..=right,
        rect.top() + 81.5,
        Stroke::new(1.0, theme::LINE),
    );

    for (index, row) in table.rows.iter().enumerate() {
        let y = rect.top() + ROWS + index as f32 * ROW;
        if y + ROW / 2.0 > rect.bottom() {
            break;
        }
        label(y, row.figure.label, theme::TEXT);
        paint_figure(painter, pos2(right, y), &row.cell, true);
        let area = Rect::from_x_y_ranges(left..=right, y - ROW / 2.0..=y + ROW / 2.0);
        tip(ui, area, row.figure.key, row.figure.help);
    }
}

fn tip(ui: &Ui, area: Rect, name: &str, words: &str) {
    ui.interact(area, Id::new(("table", name)), Sense::hover())
        .on_hover_text(words);
}

fn paint_figure(painter: &Painter, right: Pos2, cell: &Cell, marked: bool) {
    let font = theme::mono(12.0);
    let place = painter.text(right, Align2::RIGHT_CENTER, cell.text(), font, ink(cell));
    if marked && matches!(cell, Cell::Wrong(_)) {
        warning(painter, pos2(place.left() - 9.0, right.y), 4.0);
    }
}

fn ink(cell: &Cell) -> Color32 {
    match cell {
        Cell::Nothing => theme::DIM,
        Cell::Fine(_) => theme::BRIGHT,
        Cell::Wrong(_) => theme::AMBER,
    }
}
