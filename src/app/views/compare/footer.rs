//! The footer of the comparison table: a list for choosing metrics, and which rows are visible or a warning.

use super::common::{GAME_TIME_MARK, SIDE_MARGIN, has_game_time};
use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::panels::colour_legend::ColourLegend;
use crate::app::panels::status_line;
use crate::app::state::State;
use crate::app::state::command::{Command, CompareCommand};
use crate::app::widgets::buttons::{part_shown, warning};
use crate::app::widgets::{paint, theme};
use egui::text::LayoutJob;
use egui::{
    Align2, ComboBox, Painter, PopupCloseBehavior, Pos2, Rect, RichText, Ui, UiBuilder, pos2, vec2,
};
use lab::measure::{Metric, metrics};
use lab::text::sentence::Clause;

const FONT_SIZE: f32 = 11.5;
const ITEM_GAP: f32 = 20.0;
const COLUMNS_BUTTON_SIZE: egui::Vec2 = vec2(84.0, 20.0);
const MAX_LIST_HEIGHT: f32 = 420.0;

/// The metrics that can be added to the table, in groups.
static METRICS: &[(&str, &[&Metric])] = &[
    (
        "Frames",
        &[
            &metrics::FPS,
            &metrics::FRAME_MS_P99,
            &metrics::FRAME_MS_MAX,
            &metrics::HITCH_PERCENT,
            &metrics::FRAMES_BY_UPDATES_NONE,
        ],
    ),
    (
        "Tasks",
        &[
            &metrics::PER_FRAME_MS_TASKS,
            &metrics::PER_FRAME_MS_TASKS_MAX,
            &metrics::PER_FRAME_MS_SCHEDULING,
            &metrics::TASKS_PER_FRAME_PEAK_OVER_MEAN,
        ],
    ),
    (
        "Staleness",
        &[
            &metrics::STALENESS_MS_NEAR,
            &metrics::STALENESS_MS_MEAN,
            &metrics::STALENESS_MS_WORST,
            &metrics::STALENESS_MS_WEIGHTED_MEAN,
            &metrics::TIMES_MINIMUM,
            &metrics::LOOKING_WRONG_PERCENT_MEAN,
        ],
    ),
    (
        "Requests",
        &[&metrics::REQUEST_WAIT_MS_P99, &metrics::BACKLOG_PEAK],
    ),
];

/// `visible_rows` is the first visible row, their number and the number of all rows, or `None` if all fit.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    visible_rows: Option<(usize, usize, usize)>,
    state: &State,
    output: &mut UiOutput,
) {
    let inner = rect.shrink2(vec2(SIDE_MARGIN, 0.0));
    if inner.width() < COLUMNS_BUTTON_SIZE.x {
        return;
    }
    let painter = &ui.painter().with_clip_rect(rect);
    let y = inner.center().y;
    let button = Rect::from_center_size(
        pos2(inner.right() - COLUMNS_BUTTON_SIZE.x / 2.0, y),
        COLUMNS_BUTTON_SIZE,
    );
    columns(ui, button, state, output);
    let mut right = button.left() - ITEM_GAP;
    if let Some(legend) = ColourLegend::of(state.colours) {
        right = legend.line(painter, pos2(right, y)) - ITEM_GAP;
    }
    if let Some((first, fitting, count)) = visible_rows {
        let place = inner.with_max_x(right);
        return part_shown(painter, place, "strategies", first, fitting, count);
    }
    let at = inner.left_center();
    remarks(painter, at, right, state);
}

fn columns(ui: &mut Ui, place: Rect, state: &State, output: &mut UiOutput) {
    let builder = UiBuilder::new().max_rect(place).id_salt("columns");
    let ui = &mut ui.new_child(builder);
    ui.spacing_mut().interact_size.y = place.height();
    ui.spacing_mut().button_padding = vec2(7.0, 1.0);
    let list = ComboBox::from_id_salt("columns")
        .width(place.width())
        .height(MAX_LIST_HEIGHT)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .selected_text(RichText::new("Columns").size(FONT_SIZE));
    let rests = state.compare.comparison.settings().target_rests();
    let list = list.show_ui(ui, |ui| {
        output.list_is_open = true;
        ui.set_min_width(150.0);
        for &(group, metrics) in METRICS {
            ui.label(RichText::new(group).size(10.5).color(theme::DIM));
            let metrics = metrics.iter().copied();
            for metric in metrics.filter(|it| rests || **it != metrics::TIMES_MINIMUM) {
                let mut is_shown = state.compare.metrics.contains(&metric);
                let item = ui.checkbox(&mut is_shown, metric.label);
                output.control(&item, format!("show:{}", metric.key), metric.help);
                if item.changed() {
                    output.give(CompareCommand::ToggleMetric(metric));
                }
            }
        }
    });
    let help = "Adds metrics to the table. They are measured with the current settings.";
    output.control(&list.response, "columns", help);
}

fn remarks(painter: &Painter, mut at: Pos2, right: f32, state: &State) {
    let clauses = clauses(state);
    if clauses.iter().any(Clause::is_warning) {
        warning(painter, at + vec2(5.0, 0.0), 4.5);
        at.x += 14.0;
    }
    let lines = (1..=clauses.len()).rev().map(|count| {
        let mut job = LayoutJob::default();
        status_line::add(&mut job, &clauses[..count], FONT_SIZE);
        job
    });
    if let Some(line) = paint::first_fitting(painter, lines, right - at.x, 1) {
        paint::galley(painter, at, Align2::LEFT_CENTER, line, theme::DIM);
    }
}

/// Returns what keeps the strategies from being comparable, and the meaning of the mark on some metrics.
fn clauses(state: &State) -> Vec<Clause> {
    let comparison = &state.compare.comparison;
    let mut clauses = Vec::new();
    if state.lags {
        let words = "there is too much to simulate in real time";
        clauses.push(Clause::warning(words));
    }
    if comparison.speed_follows_machine() {
        let frame_loop = comparison.settings().frame_loop.name;
        let key = caps_of(Command::StepFrameLoop(1));
        let words = format!(
            "{frame_loop}: game speed depends on the load (press {key} to change the loop)"
        );
        clauses.push(Clause::warning(words));
    }
    if has_game_time(state) {
        clauses.push(Clause::normal(format!("{GAME_TIME_MARK} in game time")));
    }
    clauses
}
