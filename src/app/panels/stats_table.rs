//! The statistics table at the lower right of the window. It covers the most recent frames. If the user is looking at a
//! past frame, it covers the frames up to that one.

use crate::app::input::output::UiOutput;
use crate::app::state::command::{Command, GridCommand};
use crate::app::widgets::buttons::{LinePart, line, warning};
use crate::app::widgets::paint::left;
use crate::app::widgets::{paint, theme, tooltip};
use egui::{
    Align, Align2, Color32, Label, Layout, Rect, Response, RichText, ScrollArea, Sense, Ui,
    UiBuilder, Vec2, WidgetInfo, WidgetText, WidgetType, vec2,
};
use lab::history::{Cell, LENGTHS_HELP, LongestWait, StatsTable};
use lab::sim::world::World;
use timeslicer::scheduler::TaskId;

const SIDE_MARGIN: f32 = 16.0;
const CAPTION_HEIGHT: f32 = 38.0;
const PERCENTILE_NAMES_HEIGHT: f32 = 19.0;
const PERCENTILES_HEIGHT: f32 = 16.0;
const PREFERRED_ROW_HEIGHT: f32 = 16.6;
const MIN_ROW_HEIGHT: f32 = 13.0;
const NAME_VALUE_GAP: f32 = 6.0;
const BOTTOM_MARGIN: f32 = 5.0;

/// Shows the table. Its last row contains the entity that has waited the longest to run. A click on this row pins the
/// entity if it is still alive. Returns the entity's task if the mouse pointer is over this row.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    table: &StatsTable,
    world: &World,
    output: &mut UiOutput,
) -> Option<TaskId> {
    if rect.width() < 1.0 || rect.height() < 1.0 {
        return None;
    }
    let place = Rect::from_x_y_ranges(
        rect.left() + SIDE_MARGIN..=rect.right() - SIDE_MARGIN - 2.0,
        rect.y_range(),
    );
    let builder = UiBuilder::new().max_rect(place).id_salt("table");
    let inner = &mut ui.new_child(builder.layout(Layout::top_down(Align::Min)));
    inner.set_clip_rect(rect.intersect(ui.clip_rect()));
    let painter = inner.painter();
    painter.rect_filled(rect, 0.0, theme::BAR);
    let edge = (1.0, theme::LINE);
    painter.hline(rect.x_range(), rect.top() + 0.5, edge);
    let divider = rect.y_range().shrink(14.0);
    painter.vline(rect.left() + 0.5, divider, edge);
    inner.spacing_mut().item_spacing = Vec2::ZERO;
    row(inner, CAPTION_HEIGHT, "", |ui| caption(ui, &table.caption));
    frame_length_percentiles(inner, table);
    let rows = (table.rows.len() + 1) as f32;
    let free = rect.bottom() - BOTTOM_MARGIN - inner.cursor().top();
    let height = (free / rows).clamp(MIN_ROW_HEIGHT, PREFERRED_ROW_HEIGHT);
    let area = ScrollArea::vertical().id_salt("rows").auto_shrink(false);
    let shown = area
        .max_height(free)
        .min_scrolled_height(0.0)
        .show(inner, |ui| {
            for line in &table.rows {
                let shown = row(ui, height, &*line.label, |ui| metric(ui, &line.cell));
                tooltip::offer(&shown, line.help);
            }
            let stalest = table.stalest.as_ref()?;
            longest_wait(ui, height, stalest, world, output)
        });
    shown.inner
}

/// Shows which frames the table covers. Uses a smaller font if the text would not fit otherwise.
fn caption(ui: &mut Ui, words: &str) {
    let (painter, row) = (ui.painter(), ui.max_rect());
    let lay = |points| painter.layout_no_wrap(words.to_owned(), theme::text(points), theme::DIM);
    let mut galleys = [12.5, 11.5, 10.5, 9.5].map(lay).into_iter();
    let fitting = galleys.find(|galley| galley.size().x <= row.width());
    let galley = fitting.unwrap_or_else(|| lay(9.0));
    paint::galley(
        painter,
        row.left_center(),
        Align2::LEFT_CENTER,
        galley,
        theme::DIM,
    );
}

/// Shows the row for the entity that has waited the longest to run. Returns the entity's task if the mouse pointer is
/// over this row.
fn longest_wait(
    ui: &mut Ui,
    height: f32,
    longest: &LongestWait,
    world: &World,
    output: &mut UiOutput,
) -> Option<TaskId> {
    let is_alive = world.tasks().contains(longest.task);
    let (name, waited, since) = (longest.name(), longest.waited(), longest.since());
    let ink = if is_alive { theme::TEAL } else { theme::TEXT };
    let parts: [LinePart<'_>; 3] = [
        (&name, true, ink),
        (" for ", false, theme::DIM),
        (&waited, true, theme::BRIGHT),
    ];
    let shown = row(ui, height, "", |ui| {
        let at = ui.max_rect().left_center();
        let label = left(ui.painter(), at, "longest wait", 12.5, theme::TEXT);
        // Use the longest text that fits.
        let texts = [&parts[..], &parts[..1]];
        let mut galleys = texts
            .map(|parts| line(ui.painter(), parts, 12.0))
            .into_iter();
        let room = ui.max_rect().right() - label.right() - NAME_VALUE_GAP;
        if let Some(galley) = galleys.find(|galley| galley.size().x <= room) {
            words(ui, galley);
        }
    });
    let sense = if is_alive {
        Sense::CLICK
    } else {
        Sense::hover()
    };
    let response = ui.interact(shown.rect, ui.id().with("stalest"), sense);
    let label = format!("Longest wait: {name} for {waited}");
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Link, is_alive, &label));
    output.report_in(ui.clip_rect(), "stalest", shown.rect);
    if response.clicked() {
        output
            .commands
            .push(Command::Grid(GridCommand::Pin(Some(longest.task.index))));
    }
    let click = if is_alive {
        " Click to pin this entity."
    } else {
        ""
    };
    tooltip::offer(
        &response,
        if longest.is_since_change {
            format!(
                "At the end of these frames, {name} had waited longer than any other entity: {waited} since the last \
                 setting change, which reset all waits.{click}"
            )
        } else {
            format!(
                "At the end of these frames, {name} had waited longer than any other entity: {waited} since its last \
                 run or its birth, which was at {since} of game time.{click}"
            )
        },
    );
    response.hovered().then_some(longest.task)
}

/// Shows percentiles of the frame length, each in its own column.
fn frame_length_percentiles(ui: &mut Ui, table: &StatsTable) {
    let size = vec2((ui.available_width() - 54.0) / 4.0, PERCENTILES_HEIGHT);
    let column = Layout::right_to_left(Align::Center);
    let caption = RichText::new("frame ms").size(11.5);
    let line = |ui: &mut Ui, height, caption: RichText, cell: fn(&mut Ui, &str, &Cell)| {
        let shown = row(ui, height, caption, |ui| {
            for (name, value) in table.lengths.iter().rev() {
                ui.allocate_ui_with_layout(size, column, |ui| {
                    ui.set_min_size(size);
                    cell(ui, name, value);
                });
            }
        });
        tooltip::offer(&shown, LENGTHS_HELP);
        shown.rect
    };
    let heads = line(ui, PERCENTILE_NAMES_HEIGHT, caption, |ui, name, value| {
        words(ui, RichText::new(name).size(11.0).color(theme::DIM));
        // The warning icon is next to the name, because there is no room next to the value.
        if matches!(value, Cell::Wrong(_)) {
            mark(ui, 3.5);
        }
    });
    let metrics = line(ui, PERCENTILES_HEIGHT, "".into(), |ui, _, value| {
        let metric = RichText::new(value.text()).monospace();
        words(ui, metric.color(ink(value)));
    });
    tooltip::keep_off(ui.ctx(), heads.union(metrics));
    ui.add_space(3.0);
    ui.add(egui::Separator::default().spacing(2.0));
    ui.add_space(1.0);
}

/// Shows a row with a label on the left and values on the right.
fn row(
    ui: &mut Ui,
    height: f32,
    label: impl Into<WidgetText>,
    values: impl FnOnce(&mut Ui),
) -> Response {
    let size = vec2(ui.available_width(), height);
    let layout = Layout::left_to_right(Align::Center);
    let row = ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_size(size);
        words(ui, label);
        ui.with_layout(Layout::right_to_left(Align::Center), values);
    });
    row.response
}

fn words(ui: &mut Ui, text: impl Into<WidgetText>) {
    ui.add(Label::new(text).selectable(false).extend());
}

/// Shows a value. Uses a smaller font if the value would otherwise touch the name on its left.
fn metric(ui: &mut Ui, cell: &Cell) {
    let is_wrong = matches!(cell, Cell::Wrong(_));
    let room = ui.available_width() - NAME_VALUE_GAP - if is_wrong { 12.0 } else { 0.0 };
    let part = (cell.text(), true, ink(cell));
    let sizes = [12.0, 11.0, 10.0].map(|points| line(ui.painter(), &[part], points));
    let fitting = sizes.iter().find(|galley| galley.size().x <= room);
    words(ui, fitting.unwrap_or(&sizes[2]).clone());
    if is_wrong {
        mark(ui, 4.0);
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::widgets::theme::style;
    use egui::{Pos2, pos2};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;
    use lab::history::{WINDOW, WindowStats};
    use lab::measure::MeasuredLane;
    use lab::sim::machine::Simulated;
    use lab::sim::world::ENTITIES;
    use lab::testing::{lane, recorded};

    /// Shows this table of a lane. The window's state holds the response and the task under the pointer.
    fn window(
        lane: &MeasuredLane<Simulated>,
        table: StatsTable,
    ) -> Harness<'_, (UiOutput, Option<TaskId>)> {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(232.0, 226.0));
        let builder = Harness::builder().with_size(rect.size());
        let mut window = builder.build_ui_state(
            move |ui, (output, over): &mut (UiOutput, Option<TaskId>)| {
                ui.ctx().set_style(style());
                output.controls.clear();
                *over = show(ui, rect, &table, lane.world(), output);
            },
            (UiOutput::default(), None),
        );
        window.run_steps(2);
        window
    }

    fn place(window: &Harness<'_, (UiOutput, Option<TaskId>)>) -> Option<Rect> {
        let controls = &window.state().0.controls;
        Some(controls.iter().find(|it| it.name == "stalest")?.rect)
    }

    #[test]
    fn a_click_on_the_stalest_entity_pins_it() {
        let mut lane = lane("max-per-frame", &[(&ENTITIES, 40.0)]);
        let history = recorded(&mut lane, 60);
        let table = StatsTable::of(&WindowStats::of(&lane, &history, WINDOW));
        let longest = table.stalest.expect("there are entities");
        let mut window = window(&lane, table);
        let label = format!("Longest wait: {} for {}", longest.name(), longest.waited());
        window.get_by_label(&label);
        let at: Pos2 = place(&window).expect("it fits").center();
        window
            .input_mut()
            .events
            .push(egui::Event::PointerMoved(at));
        window.run_steps(2);
        assert_eq!(window.state().1, Some(longest.task), "it is highlighted");
        window.get_by_label(&label).simulate_click();
        window.run_steps(2);
        let pin = Command::Grid(GridCommand::Pin(Some(longest.task.index)));
        assert_eq!(window.state().0.commands, [pin]);
    }
}
