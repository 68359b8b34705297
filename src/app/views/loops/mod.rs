//! The Loops view, which shows how each frame loop behaves on two machines: a fast and a slow one, or one with an exact
//! clock and one whose clock has jitter. All metrics and sentences come from [`LoopComparison`].

mod lane;

use super::layout::Layout;
use crate::app::input::bindings::DISTURB;
use crate::app::input::output::UiOutput;
use crate::app::panels::knob_control::KnobControl;
use crate::app::panels::knob_panel::{disturbance_buttons, heading, scrolled};
use crate::app::panels::status_line::{self, StatusLine};
use crate::app::state::command::Command;
use crate::app::state::{Flow, State};
use crate::app::widgets::buttons::{part_shown, too_small, warning};
use crate::app::widgets::paint::{self, left, right};
use crate::app::widgets::wheel::first_shown;
use crate::app::widgets::{theme, tooltip};
use egui::text::LayoutJob;
use egui::{Color32, Galley, Id, Painter, Pos2, Rangef, Rect, Stroke, StrokeKind, Ui, pos2, vec2};
use lab::catalog::knob::Knob;
use lab::comparison::loops::{LoopComparison, LoopRow, Machines, Side, shared_knobs};
use lab::sim::machine::{self, JITTER_MS};
use lab::sim::world::COST;
use lab::text::format;
use lab::text::sentence::{Clause, Sentence};
use std::sync::Arc;

const SIDE_MARGIN: f32 = 16.0;
const GAP: f32 = 5.0;
const HEADER: f32 = 36.0;
const FOOTER: f32 = 30.0;
const TEXT_COLUMN_WIDTH: f32 = 212.0;
const TEXT_RIGHT: f32 = TEXT_COLUMN_WIDTH - 14.0;
const MIN_ROW_HEIGHT: f32 = 44.0;
const MIN_LANE_WIDTH: f32 = 80.0;
const LANE_GAP: f32 = 24.0;
const TEXT_SIZE: f32 = 12.0;
const JERK_TEXT_MARGIN: f32 = 2.0;
const MIN_ROW_HEIGHT_FOR_JERK_TEXT: f32 = 72.0;
const MIN_HEIGHT_ABOVE_CODE: f32 = 82.0;

/// In rows narrower than this, in points, a line above the lanes shows the loop's name and whether it is reproducible.
const MIN_ROW_WIDTH_FOR_TEXT: f32 = 560.0;
const NAME_LINE_HEIGHT: f32 = 22.0;

const REPRODUCIBLE: &str = "Reproducible";

pub fn show(ui: &mut Ui, layout: &Layout, state: &State, output: &mut UiOutput) {
    let loop_comparison = &state.loop_comparison;
    rows(ui, layout.view, state, output);
    if !state.interface.panels {
        return;
    }
    let mut status = loop_comparison.verdict();
    if state.lags {
        status
            .clauses
            .push(Clause::warning("too much to simulate in real time"));
    }
    let line = StatusLine {
        subject: "Frame loops",
        status: &status,
        explanation: "The metrics cover the last second of simulated time.".to_owned(),
        clock: format::seconds(loop_comparison.time().as_secs_f64()),
        simulated: true,
        clock_steps: None,
    };
    line.show(ui, layout.status);
    panel(ui, layout.left, state, output);
}

struct Columns {
    /// The lanes of the fast and the slow machine.
    lanes: [Rangef; 2],
    /// Whether the rows are too narrow ([`MIN_ROW_WIDTH_FOR_TEXT`]) for text next to the lanes.
    is_narrow: bool,
}

impl Columns {
    fn new(inner: Rect) -> Self {
        let is_narrow = inner.width() < MIN_ROW_WIDTH_FOR_TEXT;
        let left = inner.left() + if is_narrow { 14.0 } else { TEXT_COLUMN_WIDTH };
        let width = (inner.right() - left - LANE_GAP - 14.0) / 2.0;
        let lefts = [left, left + width + LANE_GAP];
        Self {
            lanes: lefts.map(|left| Rangef::new(left, left + width)),
            is_narrow,
        }
    }
}

/// Shows a row for each frame loop. If the rows do not all fit, the user can scroll them with the mouse wheel.
fn rows(ui: &Ui, rect: Rect, state: &State, output: &mut UiOutput) {
    let loop_comparison = &state.loop_comparison;
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, 0.0, theme::FLOOR);
    let inner = rect.shrink2(vec2(SIDE_MARGIN, 0.0));
    let columns = Columns::new(inner);
    let count = loop_comparison.rows.len();
    let name_line = if columns.is_narrow {
        NAME_LINE_HEIGHT
    } else {
        0.0
    };
    let least = MIN_ROW_HEIGHT + name_line;
    let mut free = inner.height() - HEADER - FOOTER;
    let fitting = ((free / (least + GAP)).max(0.0) as usize).min(count);
    if columns.lanes[0].span() < MIN_LANE_WIDTH || fitting == 0 {
        return too_small(&painter, rect, "the frame loops");
    }
    header(&painter, inner, &columns, loop_comparison);
    let jerk_text = layout_jerk_text(&painter, inner.width() - 2.0 * SIDE_MARGIN, loop_comparison);
    let height_with_jerk_text = free - jerk_text.size().y - JERK_TEXT_MARGIN;
    if fitting == count && height_with_jerk_text / count as f32 >= MIN_ROW_HEIGHT_FOR_JERK_TEXT {
        free = height_with_jerk_text;
        let at = pos2(inner.left() + SIDE_MARGIN, inner.top() + HEADER + free);
        painter.galley(at, jerk_text, theme::TEXT);
    }
    let height = free / fitting as f32;
    let first = first_shown(ui, rect, Id::new("first loop"), fitting, count);
    let visible = &loop_comparison.rows[first..first + fitting];
    for (index, row) in visible.iter().enumerate() {
        let top = inner.top() + HEADER + index as f32 * height;
        let card = Rect::from_x_y_ranges(inner.x_range(), top..=top + height - GAP);
        show_row(ui, &painter, card, &columns, row, state, output);
    }
    let foot = inner.with_min_y(inner.bottom() - FOOTER);
    if fitting < count {
        part_shown(&painter, foot, "loops", first, fitting, count);
    } else {
        let at = foot.left_center() + vec2(SIDE_MARGIN, 0.0);
        lane::legend(&painter, at, foot.right());
    }
}

/// Lays out why motion with a fixed step is jerky, or which drawback drawing between updates has, once measured.
fn layout_jerk_text(
    painter: &Painter,
    width: f32,
    loop_comparison: &LoopComparison,
) -> Arc<Galley> {
    let (mut job, jerks) = (LayoutJob::default(), loop_comparison.jerks());
    job.wrap.max_width = width;
    if !jerks.clauses.is_empty() {
        let format = paint::centred(theme::text(TEXT_SIZE + 0.5), theme::BRIGHT);
        job.append("Motion with a fixed step:  ", 0.0, format);
        status_line::add(&mut job, &jerks.clauses, TEXT_SIZE);
    }
    painter.layout_job(job)
}

fn header(painter: &Painter, inner: Rect, columns: &Columns, loop_comparison: &LoopComparison) {
    let y = inner.top() + HEADER / 2.0 + 2.0;
    if !columns.is_narrow {
        let at = |x| pos2(inner.left() + x, y);
        left(painter, at(SIDE_MARGIN), "Loop", 14.0, theme::BRIGHT);
        right(painter, at(TEXT_RIGHT), REPRODUCIBLE, 12.0, theme::DIM);
    }
    for side in Side::BOTH {
        let lane = columns.lanes[side as usize];
        let at = pos2(lane.min, y);
        let title = loop_comparison.machines.titles()[side as usize];
        let name = left(painter, at, title, 14.0, theme::BRIGHT);
        let hz = format::number(loop_comparison.refresh_hz(side));
        let jitter = match loop_comparison.knob(side, &JITTER_MS) {
            0.0 => String::new(),
            ms => format!(", clock jitter {} ms", format::number(ms)),
        };
        let words = [format!("{hz} Hz display{jitter}"), format!("{hz} Hz")];
        let at = pos2(name.right() + 12.0, y);
        let room = lane.max + LANE_GAP / 2.0 - at.x;
        let style = (12.0, theme::DIM);
        paint::fitting(painter, at, words, style, room);
    }
}

/// Shows the row of a frame loop, outlined if the Grid view uses it. A click selects it for the Grid view.
fn show_row(
    ui: &Ui,
    painter: &Painter,
    card: Rect,
    columns: &Columns,
    row: &LoopRow,
    state: &State,
    output: &mut UiOutput,
) {
    let entry = row.entry;
    let (name, choose) = (format!("race:{}", entry.key), Command::FrameLoop(entry));
    let response = output.clickable(ui, card, name, choose);
    let is_chosen = entry == state.settings.frame_loop;
    let (ground, edge) = match (is_chosen, response.hovered()) {
        (true, _) => (theme::CHOSEN_ROW, Stroke::new(1.0, theme::TEAL)),
        (false, true) => (theme::RAISED, Stroke::NONE),
        (false, false) => (theme::BAR, Stroke::NONE),
    };
    painter.rect(card, 8.0, ground, edge, StrokeKind::Inside);
    let summary = row.summary(state.loop_comparison.machines.names());
    let at = card.left_top() + vec2(SIDE_MARGIN, 18.0);
    let name = left(painter, at, entry.name, 13.5, theme::BRIGHT);
    let mut lanes = card;
    if columns.is_narrow {
        let (output, ink, _) = reproducible(row);
        let column = format!("{}: ", REPRODUCIBLE.to_lowercase());
        let at = name.right_center() + vec2(16.0, 0.0);
        let column = left(painter, at, &column, 12.0, theme::DIM);
        left(painter, column.right_center(), output, 12.0, ink);
        lanes.min.y += NAME_LINE_HEIGHT;
    } else {
        paint_text(painter, card, name.right_center(), row, &summary);
    }
    let is_paused = state.flow == Flow::Paused;
    for side in Side::BOTH {
        let cell = Rect::from_x_y_ranges(columns.lanes[side as usize], lanes.y_range());
        let loop_machine = &row.loop_machines[side as usize];
        lane::paint_metrics(painter, cell, loop_machine.stats().as_ref(), is_paused);
        lane::paint(painter, cell, loop_machine);
    }
    let (is_reproducible, _, reason) = reproducible(row);
    let (name, rule, source) = (entry.name, entry.rule, entry.source);
    // The row may show only a part of the summary.
    let tip = format!(
        "{summary}\n{name}: {rule}\n{REPRODUCIBLE}: {is_reproducible}, {reason}.\nSource: {source}\n\
         Click to use this frame loop in the Grid view."
    );
    tooltip::offer(&response, tip.trim_start());
}

/// Says whether a frame loop is reproducible. Returns a text such as `yes`, the text's colour, and the reason.
fn reproducible(row: &LoopRow) -> (&'static str, Color32, &'static str) {
    match row.is_reproducible() {
        Some(true) => (
            "yes",
            theme::TEAL,
            "because a shot ends at the same position on both machines",
        ),
        Some(false) => (
            "no",
            theme::BRIGHT,
            "because a shot ends at a different position on each machine",
        ),
        None => (
            "–",
            theme::DIM,
            "because a shot has not ended on both machines yet",
        ),
    }
}

/// Paints the text of a row after the name, which ends at `name_end`, and the loop's code below if there is room.
fn paint_text(painter: &Painter, card: Rect, name_end: Pos2, row: &LoopRow, summary: &Sentence) {
    if summary.is_warning() {
        warning(painter, pos2(name_end.x + 14.0, name_end.y), 4.0);
    }
    let (output, ink, _) = reproducible(row);
    let at = pos2(card.left() + TEXT_RIGHT, name_end.y);
    right(painter, at, output, 13.5, ink);

    let left = card.left() + SIDE_MARGIN;
    let code = row.entry.code.to_owned();
    let code = painter.layout_no_wrap(code, theme::mono(10.0), theme::DIM);
    let mut bottom = card.bottom();
    let above_code = bottom - 9.0 - code.size().y;
    if above_code - card.top() >= MIN_HEIGHT_ABOVE_CODE {
        bottom = above_code;
        painter.galley(pos2(left, bottom), code, theme::DIM);
    }
    let rows = ((bottom - card.top() - 36.0) / 16.0).max(1.0) as usize;
    let width = TEXT_COLUMN_WIDTH - 2.0 * SIDE_MARGIN;
    let summaries = status_line::shortened(&summary.clauses, TEXT_SIZE);
    if let Some(galley) = paint::first_fitting(painter, summaries, width, rows) {
        painter.galley(pos2(left, card.top() + 32.0), galley, theme::TEXT);
    }
}

/// Shows the knobs of both machines, the cost of a task, the knobs of the frame loops, and the disturbances.
fn panel(ui: &mut Ui, rect: Rect, state: &State, output: &mut UiOutput) {
    let loop_comparison = &state.loop_comparison;
    let defaults = loop_comparison.default_knobs();
    let control = |ui: &mut Ui, side, place, knob: &'static Knob, output: &mut UiOutput| {
        let control = KnobControl {
            knob,
            value: loop_comparison.knob(side, knob),
            default: defaults[side as usize].get(knob),
            side: Some(side),
            place,
        };
        control.show(ui, output);
    };
    scrolled(ui, rect, |ui| {
        ui.horizontal(|ui| {
            for machines in Machines::ALL {
                let [one, other] = machines.names();
                let is_shown = machines == loop_comparison.machines;
                let button = ui.selectable_label(is_shown, format!("{one} and {other}"));
                let help = match machines {
                    Machines::FastAndSlow => "Compares a fast machine with a slow one.",
                    Machines::ExactAndJittery => {
                        "Compares two equal machines. Only the clock of the second one has jitter."
                    }
                };
                output.control(&button, format!("machines:{one}"), help);
                if button.clicked() {
                    output.give(Command::Machines(machines));
                }
            }
        });
        for (side, place) in [(Side::Left, "left:"), (Side::Right, "right:")] {
            let hz = format::number(loop_comparison.refresh_hz(side));
            let is_slowed = loop_comparison.has_slow_display();
            let remark = is_slowed.then(|| format!("display at {hz} Hz"));
            let title = loop_comparison.machines.titles()[side as usize];
            heading(ui, title, &remark.unwrap_or_default());
            for knob in machine::KNOBS {
                control(ui, side, place, knob, output);
            }
            ui.separator();
        }
        let tasks = format::counted(loop_comparison.tasks_per_update() as u64, "task");
        heading(ui, "Both machines", &format!("{tasks} per update"));
        control(ui, Side::Left, "both:", &COST, output);
        ui.separator();
        heading(ui, "Loops", "");
        for knob in shared_knobs().filter(|it| **it != COST) {
            control(ui, Side::Left, "both:", knob, output);
        }
        ui.separator();
        // The comparison's strategy runs every task in each update, so it takes no requests.
        heading(ui, DISTURB, "");
        disturbance_buttons(ui, state, false, output);
    });
}

#[cfg(test)]
mod tests;
