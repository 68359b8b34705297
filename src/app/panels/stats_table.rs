//! The table at the lower right: figures of the recent frames.

use crate::app::widgets::buttons::warning;
use crate::app::widgets::theme;
use crate::app::widgets::tooltip;
use crate::history::{Cell, LENGTHS_HELP, StatsTable};
use egui::{
    Align, Color32, CornerRadius, Label, Layout, Rect, Response, RichText, Sense, Stroke, Ui,
    UiBuilder, Vec2, vec2,
};

/// Margin at both sides.
const INSET: f32 = 16.0;
/// Height of the caption, which has a button at its right.
const CAPTION: f32 = 38.0;
/// Height of a row.
const ROW: f32 = 16.6;

/// Shows the table in `rect`, unless that is empty.
pub fn show(ui: &mut Ui, rect: Rect, table: &StatsTable) {
    if rect.width() < 1.0 || rect.height() < 1.0 {
        return;
    }
    let place = rect
        .shrink2(vec2(INSET + 1.0, 0.0))
        .translate(vec2(-1.0, 0.0));
    let builder = UiBuilder::new().max_rect(place).id_salt("table");
    let inner = &mut ui.new_child(builder.layout(Layout::top_down(Align::Min)));
    inner.set_clip_rect(rect.intersect(ui.clip_rect()));
    let painter = inner.painter();
    painter.rect_filled(rect, CornerRadius::ZERO, theme::BAR);
    let edge = Stroke::new(1.0, theme::LINE);
    painter.hline(rect.x_range(), rect.top() + 0.5, edge);
    let divider = rect.top() + 14.0..=rect.bottom() - 14.0;
    painter.vline(rect.left() + 0.5, divider, edge);
    inner.spacing_mut().item_spacing = Vec2::ZERO;
    row(inner, CAPTION, |ui| {
        words(ui, RichText::new(&table.caption).color(theme::DIM));
    });
    lengths(inner, table);
    for line in &table.rows {
        let shown = row(inner, ROW, |ui| {
            words(ui, RichText::new(line.figure.label));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                figure(ui, &line.cell, true);
            });
        });
        tooltip::offer(&shown, line.figure.help);
    }
}

/// Shows the frame lengths, one column for each percentile.
fn lengths(ui: &mut Ui, table: &StatsTable) {
    let cell = vec2((ui.available_width() - 54.0) / 4.0, 17.0);
    let heads = row(ui, 22.0, |ui| {
        words(ui, RichText::new("frame ms").size(11.5));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for (name, value) in table.lengths.iter().rev() {
                right(ui, cell, |ui| {
                    words(ui, RichText::new(*name).size(11.0).color(theme::DIM));
                    // The warning sign is next to the name, because there is no room next to the figure.
                    if matches!(value, Cell::Wrong(_)) {
                        mark(ui, 3.5);
                    }
                });
            }
        });
    });
    tooltip::offer(&heads, LENGTHS_HELP);
    let figures = row(ui, 17.0, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for (_, value) in table.lengths.iter().rev() {
                right(ui, cell, |ui| figure(ui, value, false));
            }
        });
    });
    tooltip::offer(&figures, LENGTHS_HELP);
    tooltip::keep_off(ui.ctx(), heads.rect.union(figures.rect));
    ui.add_space(4.0);
    ui.add(egui::Separator::default().spacing(3.0));
    ui.add_space(2.0);
}

fn row(ui: &mut Ui, height: f32, contents: impl FnOnce(&mut Ui)) -> Response {
    let size = vec2(ui.available_width(), height);
    let layout = Layout::left_to_right(Align::Center);
    let row = ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_size(size);
        contents(ui);
    });
    row.response
}

/// Lays out a cell from the right.
fn right(ui: &mut Ui, size: Vec2, contents: impl FnOnce(&mut Ui)) {
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_size(size);
        contents(ui);
    });
}

fn words(ui: &mut Ui, text: RichText) {
    ui.add(Label::new(text).selectable(false).extend());
}

fn figure(ui: &mut Ui, cell: &Cell, marked: bool) {
    words(ui, RichText::new(cell.text()).monospace().color(ink(cell)));
    if marked && matches!(cell, Cell::Wrong(_)) {
        mark(ui, 4.0);
    }
}

/// Shows the warning sign. `half` is half its width and height.
fn mark(ui: &mut Ui, half: f32) {
    ui.add_space(4.0);
    let (place, _) = ui.allocate_exact_size(Vec2::splat(2.0 * half), Sense::hover());
    warning(ui.painter(), place.center(), half);
}

fn ink(cell: &Cell) -> Color32 {
    match cell {
        Cell::Nothing => theme::DIM,
        Cell::Fine(_) => theme::BRIGHT,
        Cell::Wrong(_) => theme::AMBER,
    }
}
