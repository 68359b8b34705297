//! The table at the lower right: figures of the recent frames.

use crate::app::input::response::UiResponse;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::warning;
use crate::app::widgets::paint::{self, centred, left, right};
use crate::app::widgets::{theme, tooltip};
use egui::text::LayoutJob;
use egui::{
    Align2, Color32, Painter, Pos2, Rect, Sense, Stroke, Ui, UiBuilder, WidgetInfo, WidgetType,
    pos2, vec2,
};
use headless::history::{Cell, LENGTHS_HELP, LongestWait, StatsTable};
use headless::sim::world::World;
use timeslicer::scheduler::TaskId;

/// Margin at both sides.
const INSET: f32 = 16.0;
/// Height of the caption, which has a button at its right.
const CAPTION: f32 = 38.0;
/// Heights of the names and of the values of the lengths, and of the line below them.
const NAMES: f32 = 19.0;
const LENGTHS: f32 = 16.0;
const LINE: f32 = 6.0;
/// Width of the heading of the lengths.
const HEADING: f32 = 54.0;
/// Height of a row. Rows are lower if there are more than fit.
const ROW: f32 = 16.6;
const LEAST_ROW: f32 = 13.0;
/// Space between the name and the value of a figure.
const AFTER_NAME: f32 = 6.0;
/// Margin below the last row.
const FOOT: f32 = 5.0;
/// Sizes of a figure, the usual first. Smaller ones are for figures that would touch their name.
const POINTS: [f32; 3] = [12.0, 11.0, 10.0];

/// Shows the table in `rect`, unless that is empty, and `longest`, the entity that has waited longest. A click on the
/// entity's row gives a command to pin it, if `world` still has it. Returns the entity's task while the pointer is over
/// the row.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    table: &StatsTable,
    longest: Option<&LongestWait>,
    world: &World,
    answer: &mut UiResponse,
) -> Option<TaskId> {
    if rect.width() < 1.0 || rect.height() < 1.0 {
        return None;
    }
    let ui = &mut ui.new_child(UiBuilder::new().max_rect(rect).id_salt("table"));
    ui.set_clip_rect(rect.intersect(ui.clip_rect()));
    let painter = ui.painter();
    painter.rect_filled(rect, 0.0, theme::BAR);
    let edge = Stroke::new(1.0, theme::LINE);
    painter.hline(rect.x_range(), rect.top() + 0.5, edge);
    let divider = rect.top() + 14.0..=rect.bottom() - 14.0;
    painter.vline(rect.left() + 0.5, divider, edge);
    let x = rect.left() + INSET..=rect.right() - INSET - 2.0;
    let row = |top, height| Rect::from_x_y_ranges(x.clone(), top..=top + height);
    let caption = row(rect.top(), CAPTION);
    left(
        painter,
        caption.left_center(),
        &table.caption,
        12.5,
        theme::DIM,
    );
    let heads = row(caption.bottom(), NAMES);
    let lengths = row(heads.bottom(), LENGTHS);
    show_lengths(ui, heads, lengths, table);
    let mut top = lengths.bottom() + LINE;
    painter.hline(caption.x_range(), top - 2.0, edge);
    let free = rect.bottom() - FOOT - top;
    let height = (free / (table.rows.len() + 1) as f32).clamp(LEAST_ROW, ROW);
    for line in &table.rows {
        let place = row(top, height);
        let name = left(painter, place.left_center(), &line.label, 12.5, theme::TEXT);
        figure(painter, place.right_center(), name.right(), &line.cell);
        let id = ui.id().with(&line.label);
        tooltip::offer(&ui.interact(place, id, Sense::hover()), line.help);
        top += height;
    }
    longest.and_then(|longest| longest_wait(ui, row(top, height), longest, world, answer))
}

/// Shows the row of the entity that has waited longest. Returns its task while the pointer is over the row.
fn longest_wait(
    ui: &Ui,
    place: Rect,
    longest: &LongestWait,
    world: &World,
    answer: &mut UiResponse,
) -> Option<TaskId> {
    let is_alive = world.tasks().contains(longest.task);
    let sense = if is_alive {
        Sense::CLICK
    } else {
        Sense::hover()
    };
    let response = ui.interact(place, ui.id().with("stalest"), sense);
    let name_ink = match (is_alive, response.hovered()) {
        (true, true) => theme::BRIGHT,
        (true, false) => theme::TEAL,
        (false, _) => theme::TEXT,
    };
    let (name, waited, since) = (longest.name(), longest.waited(), longest.since());
    let painter = ui.painter();
    let label = left(painter, place.left_center(), "stalest", 12.5, theme::TEXT);
    let room = place.right() - label.right() - 8.0;
    // The longest text that fits.
    let texts = [
        vec![(" since ", &since), (", ", &waited)],
        vec![(", ", &waited)],
        vec![],
    ];
    let galleys = texts.map(|parts| {
        let mut job = LayoutJob::default();
        job.append(&name, 0.0, centred(theme::mono(12.0), name_ink));
        for (words, figure) in parts {
            job.append(words, 0.0, centred(theme::text(12.0), theme::DIM));
            job.append(figure, 0.0, centred(theme::mono(12.0), theme::BRIGHT));
        }
        painter.layout_job(job)
    });
    let fits = galleys.iter().find(|galley| galley.size().x <= room);
    let galley = fits.unwrap_or(&galleys[2]).clone();
    let (at, align) = (place.right_center(), Align2::RIGHT_CENTER);
    paint::galley(painter, at, align, galley, theme::TEXT);
    let label = format!("Stalest: {name}, since {since}");
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Link, is_alive, &label));
    answer.report_in(ui.clip_rect(), "stalest", place);
    if response.clicked() {
        answer.commands.push(Command::Pin(Some(longest.task.index)));
    }
    let click = if is_alive { " Click to pin it." } else { "" };
    tooltip::offer(
        &response,
        format!(
            "{name} has waited longest: {waited}, since its last run or its birth at {since} of game time.{click}"
        ),
    );
    response.hovered().then_some(longest.task)
}

/// Shows the frame lengths, one column for each percentile.
fn show_lengths(ui: &Ui, heads: Rect, figures: Rect, table: &StatsTable) {
    let painter = ui.painter();
    left(painter, heads.left_center(), "frame ms", 11.5, theme::TEXT);
    let width = (heads.width() - HEADING) / 4.0;
    for (index, (name, value)) in table.lengths.iter().rev().enumerate() {
        let x = heads.right() - index as f32 * width;
        let at = pos2(x, heads.center().y - 1.0);
        let name = right(painter, at, name, 11.0, theme::DIM);
        // The warning sign is next to the name, because there is no room next to the figure.
        if matches!(value, Cell::Wrong(_)) {
            let at = pos2(name.left() - 7.5, heads.center().y);
            warning(painter, at, 3.5);
        }
        let (at, font) = (pos2(x, figures.center().y), theme::mono(POINTS[0]));
        painter.text(at, Align2::RIGHT_CENTER, value.text(), font, ink(value));
    }
    let id = ui.id().with("lengths");
    let area = ui.interact(heads.union(figures), id, Sense::hover());
    tooltip::offer(&area, LENGTHS_HELP);
}

/// Paints a figure to the left of `at`, in the largest size that leaves room for the name that ends at `name`.
fn figure(painter: &Painter, at: Pos2, name: f32, cell: &Cell) {
    let is_wrong = matches!(cell, Cell::Wrong(_));
    let sign = if is_wrong { 12.0 } else { 0.0 };
    let room = at.x - name - sign - AFTER_NAME;
    let sizes = POINTS.map(|points| {
        painter.layout_no_wrap(cell.text().to_owned(), theme::mono(points), ink(cell))
    });
    let fits = sizes.iter().find(|galley| galley.size().x <= room);
    let galley = fits.unwrap_or(&sizes[2]).clone();
    let place = paint::galley(painter, at, Align2::RIGHT_CENTER, galley, theme::TEXT);
    if is_wrong {
        warning(painter, place.left_center() - vec2(8.0, 0.0), 4.0);
    }
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
    use headless::history::WindowStats;
    use headless::sim::machine::Simulated;
    use headless::sim::world::ENTITIES;
    use headless::stats::MeasuredLane;
    use headless::testing::lane;
    use headless::testing::{recorded, subject};

    /// Shows the table of a lane after some frames. The state holds the answer, and the task under the pointer.
    fn window(
        lane: &MeasuredLane<Simulated>,
        longest: Option<LongestWait>,
    ) -> Harness<'_, (UiResponse, Option<TaskId>)> {
        let history = headless::history::History::default();
        let stats = WindowStats::of_subject(
            subject("fixed-interval", &[]),
            &history,
            headless::history::WINDOW,
        );
        let table = StatsTable::of(&stats);
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(232.0, 226.0));
        let builder = Harness::builder().with_size(rect.size());
        let mut window = builder.build_ui_state(
            move |ui, (answer, over): &mut (UiResponse, Option<TaskId>)| {
                ui.ctx().set_style(style());
                answer.controls.clear();
                *over = show(ui, rect, &table, longest.as_ref(), lane.world(), answer);
            },
            (UiResponse::default(), None),
        );
        window.run_steps(2);
        window
    }

    fn place(window: &Harness<'_, (UiResponse, Option<TaskId>)>) -> Option<Rect> {
        let controls = &window.state().0.controls;
        Some(controls.iter().find(|it| it.name == "stalest")?.rect)
    }

    fn lane_of(entities: f64) -> MeasuredLane<Simulated> {
        let mut lane = lane("max-per-frame", &[(&ENTITIES, entities)]);
        let _history = recorded(&mut lane, 60);
        lane
    }

    #[test]
    fn a_click_on_the_stalest_entity_pins_it() {
        let lane = lane_of(40.0);
        let longest = LongestWait::of(&lane).expect("there are entities");
        let mut window = window(&lane, Some(longest));
        let label = format!("Stalest: {}, since {}", longest.name(), longest.since());
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
        let pin = Command::Pin(Some(longest.task.index));
        assert_eq!(window.state().0.commands, [pin]);
    }
}
