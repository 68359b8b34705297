//! The statistics table at the lower right. It covers the most recent frames, or those up to the past frame on screen.

use crate::app::input::output::UiOutput;
use crate::app::state::command::GridCommand;
use crate::app::widgets::buttons::{LinePart, line_job, warning};
use crate::app::widgets::row::row;
use crate::app::widgets::{paint, theme, tooltip};
use egui::{
    Align, Color32, Label, Layout, Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, Vec2,
    WidgetInfo, WidgetText, WidgetType, vec2,
};
use lab::history::stats_table::{Cell, LENGTHS_HELP, frame_lengths, rows};
use lab::history::{LongestWait, WindowStats};
use lab::measure::Report;
use lab::sim::world::World;

const SIDE_MARGIN: f32 = 16.0;
const CAPTION_HEIGHT: f32 = 38.0;
const PERCENTILE_NAMES_HEIGHT: f32 = 19.0;
const PERCENTILES_HEIGHT: f32 = 16.0;
const ROW_HEIGHT: f32 = 16.6;
const NAME_VALUE_GAP: f32 = 6.0;
const BOTTOM_MARGIN: f32 = 5.0;

/// Shows the table. Its last row contains the entity that has waited the longest to run. A click on this row pins the
/// entity if it is still alive. Returns the entity's slot if the mouse pointer is over this row.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    stats: &WindowStats,
    world: &World,
    output: &mut UiOutput,
) -> Option<u32> {
    if rect.width() < 1.0 || rect.height() < 1.0 {
        return None;
    }
    let inside = rect.shrink2(vec2(SIDE_MARGIN, 0.0));
    let builder = UiBuilder::new().max_rect(inside.with_max_x(inside.right() - 2.0));
    let inner = &mut ui.new_child(builder.id_salt("table"));
    inner.set_clip_rect(rect.intersect(ui.clip_rect()));
    let painter = inner.painter();
    painter.rect_filled(rect, 0.0, theme::BAR);
    let edge = (1.0, theme::LINE);
    painter.hline(rect.x_range(), rect.top() + 0.5, edge);
    let divider = rect.y_range().shrink(14.0);
    painter.vline(rect.left() + 0.5, divider, edge);
    inner.spacing_mut().item_spacing = Vec2::ZERO;
    let caption = RichText::new(stats.caption()).size(12.0).color(theme::DIM);
    let caption = Label::new(caption).wrap();
    row(inner, CAPTION_HEIGHT, |ui| ui.add(caption), |_, _| ());
    frame_length_percentiles(inner, &stats.report);
    let free = rect.bottom() - BOTTOM_MARGIN - inner.cursor().top();
    let area = ScrollArea::vertical().id_salt("rows").auto_shrink(false);
    let area = area.max_height(free).min_scrolled_height(0.0);
    let shown = area.show(inner, |ui| {
        for line in rows(stats) {
            let name = |ui: &mut Ui| words(ui, &*line.label);
            let shown = row(ui, ROW_HEIGHT, name, |ui, ()| metric(ui, &line.cell));
            tooltip::offer(&shown.response, line.help);
        }
        let stalest = stats.stalest.as_ref()?;
        longest_wait(ui, stalest, world, output)
    });
    shown.inner
}

fn longest_wait(
    ui: &mut Ui,
    longest: &LongestWait,
    world: &World,
    output: &mut UiOutput,
) -> Option<u32> {
    let is_alive = world.tasks().contains(longest.task);
    let (name, waited) = (longest.name(), longest.waited());
    let (ink, sense, click) = if is_alive {
        let click = " Click to pin this entity.";
        (theme::TEAL, Sense::CLICK, click)
    } else {
        (theme::TEXT, Sense::hover(), "")
    };
    let parts: [LinePart<'_>; 3] = [
        (&name, true, ink),
        (" for  ", false, theme::DIM),
        (&waited, true, theme::BRIGHT),
    ];
    let label = |ui: &mut Ui| words(ui, "longest wait");
    let shown = row(ui, ROW_HEIGHT, label, |ui, ()| {
        let lines = [&parts[..], &parts[..1]].map(|parts| line_job(parts, 12.0));
        let room = ui.available_width() - NAME_VALUE_GAP;
        if let Some(galley) = paint::first_fitting(ui.painter(), lines, room, 1) {
            words(ui, galley);
        }
    });
    let place = shown.response.rect;
    let response = ui.interact(place, ui.id().with("stalest"), sense);
    let label = format!("Longest wait: {name} for {waited}");
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Link, is_alive, &label));
    if response.clicked() {
        output.give(GridCommand::Pin(Some(longest.task.index)));
    }
    let help = format!(
        "At the end of these frames, {name} had waited longer than any other entity: {waited} since its last run or \
            its birth.{click}"
    );
    output.control(&response, "stalest", help);
    response.hovered().then_some(longest.task.index)
}

fn frame_length_percentiles(ui: &mut Ui, report: &Report) {
    let (lengths, unit) = frame_lengths(report);
    let size = vec2((ui.available_width() - 54.0) / 4.0, PERCENTILES_HEIGHT);
    let column = Layout::right_to_left(Align::Center);
    let line = |ui: &mut Ui, height, caption: RichText, cell: fn(&mut Ui, &str, &Cell)| {
        let caption = |ui: &mut Ui| words(ui, caption);
        let shown = row(ui, height, caption, |ui, ()| {
            for (name, value) in lengths.iter().rev() {
                ui.allocate_ui_with_layout(size, column, |ui| {
                    ui.set_min_size(size);
                    cell(ui, name, value);
                });
            }
        });
        tooltip::offer(&shown.response, LENGTHS_HELP);
        shown.response.rect
    };
    let caption = RichText::new(format!("frame {unit}")).size(11.5);
    let names = line(ui, PERCENTILE_NAMES_HEIGHT, caption, |ui, name, value| {
        words(ui, RichText::new(name).size(11.0).color(theme::DIM));
        // The warning icon is next to the name, because there is no room next to the value.
        if matches!(value, Cell::Wrong(_)) {
            warning_icon(ui, 3.5);
        }
    });
    let metrics = line(ui, PERCENTILES_HEIGHT, "".into(), |ui, _, value| {
        let metric = RichText::new(value.text()).monospace();
        words(ui, metric.color(ink(value)));
    });
    tooltip::keep_off(ui.ctx(), names.union(metrics), None);
    ui.add_space(3.0);
    ui.add(egui::Separator::default().spacing(2.0));
    ui.add_space(1.0);
}

fn words(ui: &mut Ui, text: impl Into<WidgetText>) {
    ui.add(Label::new(text).extend());
}

/// Shows a value. Uses a smaller font if the value would otherwise touch the name on its left.
fn metric(ui: &mut Ui, cell: &Cell) {
    let is_wrong = matches!(cell, Cell::Wrong(_));
    let room = ui.available_width() - NAME_VALUE_GAP - if is_wrong { 12.0 } else { 0.0 };
    let part = (cell.text(), true, ink(cell));
    match paint::first_fitting(ui.painter(), [line_job(&[part], 12.0)], room, 1) {
        Some(galley) => words(ui, galley),
        None => words(ui, line_job(&[part], 10.0)),
    }
    if is_wrong {
        warning_icon(ui, 4.0);
    }
}

fn warning_icon(ui: &mut Ui, half_size: f32) {
    ui.add_space(4.0);
    let (place, _) = ui.allocate_exact_size(Vec2::splat(2.0 * half_size), Sense::hover());
    warning(ui.painter(), place.center(), half_size);
}

fn ink(cell: &Cell) -> Color32 {
    match cell {
        Cell::Nothing => theme::DIM,
        Cell::Fine(_) => theme::BRIGHT,
        Cell::Wrong(_) => theme::AMBER,
    }
}
