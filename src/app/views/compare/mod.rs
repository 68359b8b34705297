//! The Compare view, which runs all strategies side by side. It contains a table with a row for each strategy, a chart,
//! the recommended settings, and a panel with the controls. All metrics are computed in `headless::stats`.

mod below;
mod cards;
mod charts;
mod columns;
mod footer;
mod limit_fields;
mod panel;
mod plots;

use super::layout::Layout;
use super::{UiContext, with_lag};
use crate::app::capsules::screen_map::pixels;
use crate::app::capsules::{Capsules, Colours, Zoom};
use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::panels::status_line::StatusLine;
use crate::app::state::State;
use crate::app::state::command::Command;
use crate::app::state::game_limits::key_of;
use crate::app::widgets::buttons::too_small;
use crate::app::widgets::wheel::{first_shown, scroll_to};
use crate::app::widgets::{paint, theme, tooltip};
use columns::{
    Column, NO_MINIMUM, Row, capsule_area, columns, format_metric, heading_width,
    is_multiple_of_minimum, limit_of, name_width,
};
use egui::{Id, Painter, Rangef, Rect, Response, Sense, Stroke, Ui, pos2};
use headless::experiment::comparison::Comparison;
use headless::judge::Broken;
use headless::sim::lane::ChangedSlots;
use headless::stats::{Mark, Report, verdict};
use headless::text::format;
use plots::PlotScale;

/// The mark after a metric that is measured in game time. It is shown only if game time differs from real time. The
/// legend explains the mark.
const GAME_TIME_MARK: &str = "*";
const STATUS_EXPLANATION: &str = "The best settings are found by simulating the workload without disturbances. The \
    metrics in the table cover all simulated time since the last setting change. Only staleness and the longest task \
    time leave out the first round, in which every task runs once.";
const SIDE_MARGIN: f32 = 16.0;
const ROW_OUTLINE_MARGIN: f32 = 10.0;
const HEADING_HEIGHT: f32 = 28.0;
const FOOTER_HEIGHT: f32 = 26.0;
const CAPTION_HEIGHT: f32 = 17.0;
const MIN_ROW_HEIGHT: f32 = 26.0;
const PREFERRED_MIN_ROW_HEIGHT: f32 = 35.0;
const MAX_ROW_HEIGHT: f32 = 120.0;
const RELATIVE_LOWER_HEIGHT: f32 = 0.28;
const LOWER_HEIGHT_RANGE: [f32; 2] = [168.0, 340.0];

#[derive(Default)]
pub struct CompareView {
    crowds: Vec<Capsules>,
    /// The areas in which the capsules of the strategies are drawn, in points. An area is empty if its capsules are
    /// hidden.
    capsule_areas: Vec<Rect>,
    epoch: u64,
    selected: Option<usize>,
}

fn selected(state: &State) -> usize {
    state.compare.selected(&state.settings)
}

/// Returns whether game time differs from real time for any strategy.
fn has_game_time(state: &State) -> bool {
    let mut reports = state.compare.reports.iter();
    reports.any(|report| !report.game_speed().keeps_real_time())
}

impl CompareView {
    pub fn show(
        &mut self,
        ui: &mut Ui,
        layout: &Layout,
        state: &State,
        context: &mut UiContext<'_>,
    ) {
        self.table(ui, layout.view, state, context.output);
        if !state.interface.panels {
            return;
        }
        let line = StatusLine {
            subject: "Compare",
            status: &with_lag(state.lags, &state.compare.status(&state.settings)),
            explanation: STATUS_EXPLANATION.to_owned(),
            clock: format::time(state.compare.comparison.time().as_secs_f64()),
            simulated: true,
            clock_steps: None,
        };
        line.show(ui, layout.status);
        panel::show(ui, layout.left, state, context.output);
    }

    fn table(&mut self, ui: &mut Ui, view: Rect, state: &State, output: &mut UiOutput) {
        let (compare, entries) = (&state.compare, state.compare.comparison.strategies());
        self.capsule_areas = vec![Rect::NOTHING; entries.len()];
        if self.epoch != compare.epoch {
            self.epoch = compare.epoch;
            self.crowds.iter_mut().for_each(Capsules::invalidate);
        }
        let painter = ui.painter().with_clip_rect(view);
        let rows = compare.rows();
        let families = entries.chunk_by(|one, next| one.family == next.family);
        let captions = families.count() * usize::from(compare.order.is_none());
        let fit = fit(view.height(), rows.len(), captions);
        let Some(fit) = fit.filter(|_| view.width() >= 2.0 * SIDE_MARGIN) else {
            return too_small(&painter, view, "the comparison");
        };
        let (selected, scroll) = (selected(state), Id::new("first lane"));
        if self.selected.replace(selected) != Some(selected)
            && let Some(row) = rows.iter().position(|lane| *lane == selected)
        {
            scroll_to(ui, scroll, row, fit.rows);
        }
        let first = first_shown(ui, view, scroll, fit.rows, rows.len());
        let mut top = view.top();
        let mut take = |height: f32| {
            let part = Rect::from_x_y_ranges(view.x_range(), top..=top + height);
            top += height;
            part
        };
        let headings = take(HEADING_HEIGHT);
        let scale = PlotScale::of(&state.compare.comparison);
        let columns = columns_in(&painter, view.x_range(), fit.row_height, state);
        for (column, x) in &columns {
            let place = Rect::from_x_y_ranges(*x, headings.y_range());
            column.heading(ui, place, &scale, state, output);
        }
        let marks: Vec<Vec<Mark>> = columns.iter().map(|it| marks(it.0, state)).collect();
        let recommended = compare.recommended();
        let mut family = None;
        for &lane in rows.iter().skip(first).take(fit.rows) {
            let own = entries[lane].family;
            if fit.has_captions && family.replace(own) != Some(own) {
                paint_caption(&painter, take(CAPTION_HEIGHT), own.name());
            }
            let (rect, report) = (take(fit.row_height), &compare.reports[lane]);
            let painter = &painter.with_clip_rect(rect.intersect(view));
            let row = Row {
                painter,
                lane,
                rect,
                report,
                is_selected: lane == selected,
                is_recommended: recommended == Some(lane),
                is_hovered: operate_row(ui, lane, rect, state, output).hovered(),
            };
            let capsules = capsule_area(rect, &columns);
            if let Some(capsules) = capsules {
                self.capsule_areas[lane] = capsules.intersect(view);
            }
            row.paint_background(capsules);
            for (column, marks) in columns.iter().zip(&marks) {
                row.paint_cell(*column, marks[lane], &scale, state);
                explain_cell(ui, *column, lane, rect, state, output);
            }
        }
        let hidden = (fit.rows < rows.len()).then_some((first, fit.rows, rows.len()));
        let footer = take(FOOTER_HEIGHT).intersect(view);
        footer::show(ui, footer, hidden, state, output);
        if fit.has_lower {
            below::show(ui, view.with_min_y(footer.bottom()), state, output);
        }
    }

    /// Draws the capsules of all strategies in the areas that [`show`](Self::show) has chosen.
    ///
    /// # Errors
    ///
    /// Returns an error if the graphics driver rejects the capsule shader.
    pub fn paint_capsules(
        &mut self,
        comparison: &Comparison,
        changed: &mut [ChangedSlots],
        pixels_per_point: f32,
        colours: Colours,
        is_paused: bool,
    ) -> Result<(), String> {
        while self.crowds.len() < comparison.lanes().len() {
            let crowd = Capsules::new(self.crowds.first())?;
            self.crowds.push(crowd);
        }
        let lanes = comparison.lanes().iter().zip(changed);
        for ((crowd, place), (lane, changed)) in
            self.crowds.iter_mut().zip(&self.capsule_areas).zip(lanes)
        {
            if !place.is_positive() {
                crowd.invalidate(); // update all capsules once they are visible again
                continue;
            }
            crowd.follow(lane, changed, pixels(*place, pixels_per_point), is_paused);
            crowd.draw(lane.now(), lane.world().target(), colours, Zoom::ALL);
        }
        Ok(())
    }
}

/// Describes which parts of the table fit into the view.
#[derive(Debug)]
struct Fit {
    rows: usize,
    row_height: f32,
    has_captions: bool,
    has_lower: bool,
}

/// Chooses the parts of the table that fit into a view of the given height. If space is short, the rows become shorter.
/// If even the shortest rows do not fit, the captions are hidden first, followed by the area below the table and
/// finally some of the rows. Returns `None` if not even a single row fits.
fn fit(height: f32, lanes: usize, captions: usize) -> Option<Fit> {
    let room = height - HEADING_HEIGHT - FOOTER_HEIGHT;
    let [least, most] = LOWER_HEIGHT_RANGE;
    let wanted = (height * RELATIVE_LOWER_HEIGHT).clamp(least, most).round();
    for (lower, captions, min_row_height) in [
        (wanted, captions, PREFERRED_MIN_ROW_HEIGHT),
        (least, captions, MIN_ROW_HEIGHT),
        (least, 0, MIN_ROW_HEIGHT),
    ] {
        let of_rows = room - lower - captions as f32 * CAPTION_HEIGHT;
        let row_height = (of_rows / lanes.max(1) as f32).floor().min(MAX_ROW_HEIGHT);
        if row_height >= min_row_height {
            return Some(Fit {
                rows: lanes,
                row_height,
                has_captions: captions > 0,
                has_lower: true,
            });
        }
    }
    let rows = (room / MIN_ROW_HEIGHT).floor().min(lanes as f32);
    (rows >= 1.0).then(|| Fit {
        rows: rows as usize,
        row_height: (room / rows).floor(),
        has_captions: false,
        has_lower: false,
    })
}

fn columns_in(painter: &Painter, x: Rangef, row: f32, state: &State) -> Vec<(Column, Rangef)> {
    let compare = &state.compare;
    let names = compare.reports.iter().map(|it| name_width(painter, it));
    let metrics = compare.metrics.iter();
    let metrics = metrics.map(|metric| (*metric, heading_width(painter, metric)));
    let metrics: Vec<_> = metrics.collect();
    let has_effect = compare.comparison.last_disturbance().is_some();
    columns(x, names.fold(0.0, f32::max), &metrics, has_effect, row)
}

/// Returns a mark for each strategy's value in a column, such as a warning for a value that exceeds a limit.
fn marks(column: Column, state: &State) -> Vec<Mark> {
    let reports = &state.compare.reports;
    let Column::Metric(metric) = column else {
        return vec![Mark::None; reports.len()];
    };
    let broken = &state.compare.broken;
    let keeps_limits = |of: &Report| exceeded_limits(of, state).is_empty();
    let best = metric.best_of(reports, keeps_limits, |value| {
        format_metric(value, metric.unit)
    });
    let breaks = |it: &Broken| limit_of(metric) == Some(it.limit);
    let mark = |(broken, is_best): (&Vec<Broken>, bool)| match is_best {
        _ if broken.iter().any(breaks) => Mark::Warning,
        true => Mark::Best,
        false => Mark::None,
    };
    broken.iter().zip(best).map(mark).collect()
}

/// Returns the limits that a report's strategy exceeds.
fn exceeded_limits<'a>(report: &Report, state: &'a State) -> &'a [Broken] {
    let compare = &state.compare;
    let mut lanes = compare.reports.iter().zip(&compare.broken);
    let lane = lanes.find(|(it, _)| it.subject.strategy == report.subject.strategy);
    lane.map_or(&[], |(_, broken)| broken)
}

/// Shows a tooltip if the pointer is over a cell that needs an explanation: a value that exceeds a limit, an unknown
/// value, or the best setting of a strategy.
fn explain_cell(
    ui: &Ui,
    (column, x): (Column, Rangef),
    lane: usize,
    row: Rect,
    state: &State,
    output: &mut UiOutput,
) {
    let compare = &state.compare;
    let strategy = compare.reports[lane].subject.strategy.key;
    let (name, text) = match column {
        Column::Metric(metric)
            if is_multiple_of_minimum(metric)
                && (metric.value)(&compare.reports[lane]).is_none() =>
        {
            let rests = compare.comparison.settings().target_rests();
            let why = NO_MINIMUM[usize::from(rests)];
            (
                format!("no-minimum:{}:{strategy}", metric.key),
                why.to_owned(),
            )
        }
        Column::Metric(metric) => {
            let mut broken = compare.broken[lane].iter();
            let Some(broken) = broken.find(|it| limit_of(metric) == Some(it.limit)) else {
                return;
            };
            let times = format::times(broken.excess());
            let judged = if compare.reports[lane].has_run_all() {
                "not counting the first round"
            } else {
                "measured before the end of the first round"
            };
            let key = key_of(broken.limit);
            let words = broken.words();
            let text = format!(
                "This value exceeds a limit of your game: {words}. The value is {times} the limit, {judged}."
            );
            (format!("broken:{key}:{strategy}"), text)
        }
        Column::BestSetting => {
            let Some(output) = compare.best_setting.recommendation() else {
                return;
            };
            (
                format!("setting:{strategy}"),
                cards::explain_best_setting(output, lane),
            )
        }
        _ => return,
    };
    if text.is_empty() {
        return;
    }
    let place = Rect::from_x_y_ranges(x, row.y_range());
    let response = ui.interact(place, Id::new(&name), Sense::hover());
    tooltip::offer(&response, text);
    output.report(name, place);
}

fn paint_caption(painter: &Painter, rect: Rect, name: &str) {
    let at = pos2(rect.left() + SIDE_MARGIN, rect.center().y);
    let end = paint::left(painter, at, name, 10.5, theme::DIM);
    let line = Rangef::new(end.right() + 10.0, rect.right() - SIDE_MARGIN);
    if line.span() > 0.0 {
        let stroke = Stroke::new(1.0, theme::LINE);
        painter.hline(line, at.y.round() + 0.5, stroke);
    }
}

/// Makes a table row clickable. A click selects the strategy, and a double-click opens the strategy in the Grid view.
fn operate_row(ui: &Ui, lane: usize, rect: Rect, state: &State, output: &mut UiOutput) -> Response {
    let report = &state.compare.reports[lane];
    let key = report.subject.strategy.key;
    let select = Command::SelectLane(lane);
    let response = clickable(ui, rect, format!("lane:{key}"), select, output);
    // egui counts a recent click on another row as the first click of a double click, so check that this row is
    // selected.
    if response.double_clicked() && lane == selected(state) {
        let open = Command::Strategy(report.subject.strategy);
        output.commands.push(open);
    }
    if response.hovered() {
        let disturbance = state.compare.comparison.last_disturbance();
        let effect = disturbance.zip(state.compare.effects[lane].as_ref());
        let effect = effect.map_or_else(String::new, |(name, effect)| {
            format!("{name}: {effect}\n\n")
        });
        let (verdict, rule) = (verdict(report), report.subject.strategy.rule);
        let clicks = "Click to select this strategy, or double-click to open it in the Grid view.";
        tooltip::offer(&response, format!("{effect}{verdict}\n\n{rule}\n{clicks}"));
    }
    response
}

/// Makes an area clickable and gives it a `name` that scripts can use. A click adds `command` to the output, unless the
/// click closes a drop-down list.
fn clickable(
    ui: &Ui,
    rect: Rect,
    name: String,
    command: Command,
    output: &mut UiOutput,
) -> Response {
    // `Sense::click()` is not used because the area could then get the keyboard focus, but would not show that it is
    // focused.
    let response = ui.interact(rect, Id::new(&name), Sense::CLICK);
    output.report(name, rect);
    if response.clicked() && !output.list_was_open {
        output.commands.push(command);
    }
    response
}

fn caps(report: &Report) -> &'static str {
    caps_of(Command::Strategy(report.subject.strategy))
}

#[cfg(test)]
mod tests;
