//! The Compare view, which runs all strategies side by side: the answer, a table of all strategies in its order, a
//! chart and the selected strategy below, and a panel with the controls.

mod answer;
mod charts;
mod columns;
mod common;
mod footer;
mod limit_fields;
mod offer_button;
mod panel;
mod plots;
mod selected_strategy;

use super::layout::Layout;
use crate::app::crowd::Capsules;
use crate::app::crowd::screen_map::ScreenMap;
use crate::app::input::output::UiOutput;
use crate::app::state::command::{Command, CompareCommand};
use crate::app::state::{Flow, State};
use crate::app::widgets::buttons::too_small;
use crate::app::widgets::tooltip;
use crate::app::widgets::wheel::{first_shown, scroll_to};
use columns::{Column, Content, Row, capsule_area};
use common::{SIDE_MARGIN, answer_for, selected};
use egui::{Id, Rect, Response, Ui};
use lab::measure::verdict;
use lab::sim::lane::ChangedSlots;
use lab::sim::settings::FADE;
use plots::scale_end;

const HEADING_HEIGHT: f32 = 24.0;
const FOOTER_HEIGHT: f32 = 24.0;
const MIN_ROW_HEIGHT: f32 = 23.0;
const PREFERRED_MIN_ROW_HEIGHT: f32 = 28.0;
const MAX_ROW_HEIGHT: f32 = 60.0;
const RELATIVE_LOWER_HEIGHT: f32 = 0.28;
const MIN_WIDTH_FOR_STRATEGY: f32 = 800.0;
const RELATIVE_CHART_WIDTH: f32 = 0.56;
const LOWER_HEIGHT_RANGE: [f32; 2] = [145.0, 340.0];
/// If at least this number of rows fits, further rows may be hidden to make room for the area below the table.
const ENOUGH_ROWS: usize = 7;

#[derive(Default)]
pub struct CompareView {
    crowds: Vec<Capsules>,
    /// The areas of the strategies' capsules, in points, or empty ones if capsules are hidden.
    capsule_areas: Vec<Rect>,
    selected: Option<usize>,
}

impl CompareView {
    pub fn show(&mut self, ui: &mut Ui, layout: &Layout, state: &State, output: &mut UiOutput) {
        self.table(ui, layout.view, state, output);
        if state.interface.panels {
            panel::show(ui, layout.left, state, output);
        }
    }

    fn table(&mut self, ui: &mut Ui, view: Rect, state: &State, output: &mut UiOutput) {
        let compare = &state.compare;
        self.capsule_areas = vec![Rect::NOTHING; compare.reports.len()];
        let painter = ui.painter().with_clip_rect(view);
        let rows = compare.rows();
        let below = answer::show(ui, view, state, output);
        let fit = fit(below.height(), rows.len());
        let Some(fit) = fit.filter(|_| view.width() >= 2.0 * SIDE_MARGIN) else {
            return too_small(&painter, below, "the comparison");
        };
        let (selected, scroll) = (selected(state), Id::new("first lane"));
        if self.selected.replace(selected) != Some(selected)
            && let Some(row) = rows.iter().position(|lane| *lane == selected)
        {
            scroll_to(ui, scroll, row, fit.rows);
        }
        let mut top = below.top();
        let mut take = |height: f32| {
            let part = Rect::from_x_y_ranges(view.x_range(), top..=top + height);
            top += height;
            part
        };
        let headings = take(HEADING_HEIGHT);
        let table = headings.with_max_y(headings.bottom() + fit.row_height * fit.rows as f32);
        let first = first_shown(ui, table, scroll, fit.rows, rows.len());
        let scale_end = scale_end(&compare.comparison);
        let columns = Column::all(&painter, view.width(), fit.row_height, scale_end, compare);
        let columns = columns::fit(columns, view.x_range());
        for column in &columns {
            column.heading(ui, headings.y_range(), state, output);
        }
        let best = compare.best_setting.recommendation();
        let best = best.and_then(|all| all.best);
        for &lane in rows.iter().skip(first).take(fit.rows) {
            let rect = take(fit.row_height);
            let painter = &painter.with_clip_rect(rect.intersect(view));
            let row = Row {
                painter,
                lane,
                rect,
                report: &compare.reports[lane],
                answer: answer_for(state, lane),
                is_selected: lane == selected,
                is_recommended: best == Some(lane),
                is_hovered: operate_row(ui, lane, row_area(rect, &columns), state, output)
                    .hovered(),
            };
            let capsules = capsule_area(rect, &columns);
            if let Some(capsules) = capsules {
                self.capsule_areas[lane] = capsules.intersect(view);
            }
            row.paint_background(capsules);
            row.show_cells(ui, &columns, scale_end, state, output);
        }
        let hidden = (fit.rows < rows.len()).then_some((first, fit.rows, rows.len()));
        let footer = take(FOOTER_HEIGHT).intersect(view);
        footer::show(ui.painter(), footer, hidden, state);
        if fit.has_lower {
            show_lower_area(ui, view.with_min_y(footer.bottom()), state, output);
        }
    }

    /// Draws the capsules of all strategies in the areas that [`show`](Self::show) has chosen.
    pub fn paint_capsules(
        &mut self,
        state: &State,
        changed: &[ChangedSlots],
        pixels_per_point: f32,
    ) -> Result<(), String> {
        let (comparison, is_paused) = (&state.compare.comparison, state.flow == Flow::Paused);
        let fade_ms = state.settings.knobs.get(&FADE) as f32;
        while self.crowds.len() < comparison.lanes.len() {
            let crowd = Capsules::new(self.crowds.first())?;
            self.crowds.push(crowd);
        }
        let lanes = comparison.lanes.iter().zip(changed);
        for ((crowd, place), (lane, changed)) in
            self.crowds.iter_mut().zip(&self.capsule_areas).zip(lanes)
        {
            if !place.is_positive() {
                crowd.hide();
                continue;
            }
            let slots = lane.world().tasks().end();
            let map = ScreenMap::new(slots, *place, pixels_per_point);
            crowd.follow(lane, changed, map, is_paused);
            crowd.draw(lane.now(), state.interface.colours, fade_ms);
        }
        Ok(())
    }
}

/// Describes which parts of the table fit into the view.
#[derive(Debug)]
struct Fit {
    rows: usize,
    row_height: f32,
    has_lower: bool,
}

/// Chooses the parts of the table that fit into this height. If space is short, the rows become shorter. If even the
/// shortest do not fit, the last rows or the area below are hidden. `None` if no row fits.
fn fit(height: f32, lanes: usize) -> Option<Fit> {
    let room = height - HEADING_HEIGHT - FOOTER_HEIGHT;
    let [least, most] = LOWER_HEIGHT_RANGE;
    let wanted = (height * RELATIVE_LOWER_HEIGHT).clamp(least, most).round();
    let few = lanes.min(ENOUGH_ROWS);
    for (lower, min_row_height, min_rows) in [
        (wanted, PREFERRED_MIN_ROW_HEIGHT, lanes),
        (least, MIN_ROW_HEIGHT, few),
        (0.0, MIN_ROW_HEIGHT, 1),
    ] {
        let room = room - lower;
        let rows = ((room / min_row_height).max(0.0) as usize).min(lanes);
        if rows >= min_rows {
            return Some(Fit {
                rows,
                row_height: (room / rows.max(1) as f32).floor().min(MAX_ROW_HEIGHT),
                has_lower: lower > 0.0,
            });
        }
    }
    None
}

/// Shows the chart and the selected strategy. In a narrow window, there is only room for the chart.
fn show_lower_area(ui: &mut Ui, area: Rect, state: &State, output: &mut UiOutput) {
    if area.width() < MIN_WIDTH_FOR_STRATEGY {
        return charts::show(ui, area, state, output);
    }
    let middle = (area.left() + RELATIVE_CHART_WIDTH * area.width()).round();
    charts::show(ui, area.with_max_x(middle), state, output);
    selected_strategy::show(ui, area.with_min_x(middle), state, output);
}

/// Returns the part of a row that selects its strategy. The button that sets the best setting is beside it.
fn row_area(row: Rect, columns: &[Column<'_>]) -> Rect {
    let mut columns = columns.iter();
    let button = columns.find(|it| matches!(it.content, Content::Set));
    button.map_or(row, |button| row.with_max_x(button.x.min - 2.0))
}

/// Makes a table row clickable. A click selects the strategy, and a double-click opens the strategy in the Grid view.
fn operate_row(ui: &Ui, lane: usize, rect: Rect, state: &State, output: &mut UiOutput) -> Response {
    let report = &state.compare.reports[lane];
    let key = report.subject.strategy.key;
    let select = CompareCommand::SelectLane(lane);
    let response = output.clickable(ui, rect, format!("lane:{key}"), select);
    // egui counts a recent click on another row as the first click of a double click, so check that this row is
    // selected.
    if response.double_clicked() && lane == selected(state) {
        output.give(Command::Strategy(report.subject.strategy));
    }
    if response.hovered() {
        let clicks = "Click to select this strategy, or double-click to open it in the Grid view.";
        let verdict = verdict(report);
        tooltip::offer(&response, format!("As it is set now: {verdict}\n{clicks}"));
    }
    response
}

#[cfg(test)]
mod tests;
