//! The Compare view: a table with a row for each strategy, the advice and the selected strategy below it, and a panel
//! with the knobs of all lanes. Figures and their marks come from `stats`; this folder measures nothing.

mod crowds;
mod footer;
mod headings;
mod panel;
mod plots;
mod recommendation;
mod row;
mod selected;
mod table_layout;
mod trade_off;

use super::layout::Layout;
use super::{UiContext, smaller, with_lag};
use crate::app::capsules::Colours;
use crate::app::input::bindings::caps_of;
use crate::app::input::response::UiResponse;
use crate::app::panels::status_line::StatusLine;
use crate::app::state::command::Command;
use crate::app::state::experiments::{CompareState, budget};
use crate::app::state::{ColourMode, State};
use crate::app::widgets::buttons::too_small;
use crate::app::widgets::theme;
use crate::app::widgets::tooltip;
use crate::app::widgets::wheel::{first_shown, scroll_to};
use crowds::Crowds;
use egui::{Id, Rect, Sense, Stroke, Ui, UiBuilder};
use headings::Headings;
use headless::experiment::comparison::{Comparison, Effect};
use headless::sim::lane::ChangedPlaces;
use headless::sim::settings::Settings;
use headless::stats::{Figure, Mark, Report, verdict};
use headless::text::format;
use plots::{PlotScale, RecentFrames};
use row::Row;
use table_layout::{ColumnContent, Columns, INSET, TableLayout, families};
use timeslicer::time::Nanos;

/// Marks a figure in game time, if that is not real time. The heading explains the mark.
const GAME_TIME: &str = "*";
/// Minimum widths of the area below the table for the chart and the selected strategy, and also for the advice.
const BOTH: f32 = 560.0;
const ALL_THREE: f32 = 1300.0;
/// Shares of that area for the chart, next to one or to two other parts, and for the advice.
const CHART: [f32; 2] = [0.56, 0.5];
const ADVICE: f32 = 0.22;

#[derive(Default)]
pub struct CompareView {
    crowds: Crowds,
    shown: Option<(u64, usize)>,
    selected: Option<usize>,
}

#[derive(Clone, Copy)]
pub struct CompareDisplay<'a> {
    pub state: &'a CompareState,
    pub colours: ColourMode,
    pub settings: &'a Settings,
    pub panels: bool,
    pub smaller: Option<&'a str>,
}

impl CompareView {
    pub fn show(
        &mut self,
        ui: &mut Ui,
        layout: &Layout,
        state: &State,
        context: &mut UiContext<'_>,
    ) {
        let Some(comparison) = &state.compare.comparison else {
            return;
        };
        let display = CompareDisplay {
            state: &state.compare,
            colours: state.colours,
            settings: &state.settings,
            panels: state.interface.panels,
            smaller: smaller(state.interface.scale),
        };
        self.table(ui, layout.view, comparison, display, context.answer);
        if !state.interface.panels {
            return;
        }
        let summary = state.compare.advice.text(&state.compare.reports);
        let line = StatusLine {
            subject: "Compare",
            status: &with_lag(&state.experiment_clock, &summary),
            explanation: "Figures cover all simulated time since the last change.".to_owned(),
            clock: format::time(comparison.time().as_secs_f64()),
            simulated: true,
            clock_steps: None,
        };
        line.show(ui, layout.status);
        panel::show(ui, layout.left, comparison, display, context.answer);
    }

    fn table(
        &mut self,
        ui: &mut Ui,
        view: Rect,
        comparison: &Comparison,
        display: CompareDisplay<'_>,
        answer: &mut UiResponse,
    ) {
        self.crowds.hide();
        let shown = Some((display.state.epoch, comparison.lanes().len()));
        if self.shown != shown {
            self.shown = shown;
            self.crowds.renew();
        }
        let entries = comparison.strategies();
        let by_family = display.state.order.is_none();
        let rows = display.state.rows();
        let captions = if by_family { families(entries) } else { 0 };
        let fitting = TableLayout::fitting(view, rows.len(), captions);
        let selected = display.state.selected(display.settings);
        let first = self.first(ui, view, &rows, fitting, selected);
        let table = TableLayout::new(view, &rows, first, entries, by_family);
        let Some(table) = table.filter(|_| view.width() >= 2.0 * INSET) else {
            let hide = caps_of(Command::Panels);
            let hide = Some(hide).filter(|_| display.panels);
            let painter = ui.painter().with_clip_rect(view);
            too_small(&painter, view, "the comparison", hide, display.smaller);
            return;
        };
        let columns = columns(ui, view, &table, display);
        let scale = PlotScale::of(comparison);
        let headings = Headings {
            rect: table.headings,
            columns: &columns,
            scale: &scale,
            order: display.state.order,
            disturbance: display.state.disturbance.as_deref(),
        };
        headings.show(ui, answer);
        let painter = ui.painter().with_clip_rect(view);
        for (family, rect) in &table.captions {
            row::caption(&painter, *rect, family.name());
        }
        let marks = marks(&columns, display.state, budget(comparison));
        for place in &table.rows {
            let Some(report) = display.state.reports.get(place.lane) else {
                continue;
            };
            let (lane, rect) = (place.lane, place.rect);
            let effect = display.state.effects.get(lane).and_then(Option::as_ref);
            let is_hovered = operate_row(ui, (lane, rect), (report, effect), display, answer);
            if let Some(capsules) = row::capsules_in(rect, &columns) {
                self.crowds.show(lane, capsules.intersect(view));
            }
            let row = Row {
                rect,
                columns: &columns,
                caps: caps(report),
                report,
                effect,
                recent: RecentFrames {
                    frames: comparison.recent(lane),
                    disturbances: comparison.disturbances(lane),
                },
                scale: &scale,
                is_selected: lane == selected,
                is_hovered,
            };
            row.paint(&painter, |figure| {
                let of = marks.iter().find(|(marked, _)| *marked == figure);
                of.map_or(Mark::None, |(_, marks)| marks[lane])
            });
        }
        let shown = footer::Shown {
            first,
            fitting,
            count: rows.len(),
        };
        footer::show(ui, table.footer, comparison, shown, display, answer);
        if table.lower.is_positive() {
            below(ui, table.lower, comparison, selected, display, answer);
        }
    }

    /// Returns the first row to show, if not all fit. The wheel scrolls; a newly selected row is scrolled into view.
    fn first(
        &mut self,
        ui: &Ui,
        view: Rect,
        rows: &[usize],
        fitting: usize,
        selected: usize,
    ) -> usize {
        let id = Id::new("first lane");
        if self.selected.replace(selected) != Some(selected)
            && let Some(row) = rows.iter().position(|lane| *lane == selected)
        {
            scroll_to(ui, id, row, fitting);
        }
        first_shown(ui, view, id, fitting, rows.len())
    }

    /// Draws the capsules in the places from the layout.
    ///
    /// # Errors
    /// If the graphics driver rejects the capsules' shader.
    pub fn paint_capsules(
        &mut self,
        comparison: &Comparison,
        changed: &mut [ChangedPlaces],
        pixels_per_point: f32,
        colours: Colours,
        is_paused: bool,
    ) -> Result<(), String> {
        self.crowds
            .paint(comparison, changed, pixels_per_point, colours, is_paused)
    }
}

fn columns(ui: &Ui, view: Rect, table: &TableLayout, display: CompareDisplay<'_>) -> Columns {
    let state = display.state;
    let painter = ui.painter();
    let name = |report: &Report| {
        let name = report.subject.strategy.name;
        row::name_width(painter, caps(report), name)
    };
    let widest = state.reports.iter().map(name).fold(0.0, f32::max);
    let mut figures = state.figures.clone();
    if let Some(order) = state.order.filter(|order| !figures.contains(&order.figure)) {
        figures.insert(0, order.figure);
    }
    let of = |figure| (figure, headings::width(painter, figure));
    let content = ColumnContent {
        name: widest,
        figures: &figures.into_iter().map(of).collect::<Vec<_>>(),
        has_effect: state.disturbance.is_some(),
        row: table.rows.first().map_or(0.0, |row| row.rect.height()),
    };
    Columns::new(view.x_range(), &content)
}

type FigureMarks = (&'static Figure, Vec<Mark>);

fn marks(columns: &Columns, state: &CompareState, budget: Nanos) -> Vec<FigureMarks> {
    let of = |(figure, _): &(&'static Figure, _)| {
        let written = |value| row::written(value, figure.unit);
        (*figure, figure.marks(&state.reports, budget, written))
    };
    columns.figures.iter().map(of).collect()
}

/// Makes a row selectable. Returns true if the pointer is over it.
fn operate_row(
    ui: &Ui,
    (lane, rect): (usize, Rect),
    (report, effect): (&Report, Option<&Effect>),
    display: CompareDisplay<'_>,
    answer: &mut UiResponse,
) -> bool {
    let key = report.subject.strategy.key;
    answer.report(format!("lane:{key}"), rect);
    // Not `Sense::click()`: that can take the keyboard focus, which would not be visible here.
    let response = ui.interact(rect, Id::new(("lane", key)), Sense::CLICK);
    // egui also counts a click elsewhere, shortly before, as the first of a double click.
    let is_selected = lane == display.state.selected(display.settings);
    if response.double_clicked() && is_selected {
        answer.commands.push(Command::OpenLane(lane));
    } else if response.clicked() && !answer.list_was_open {
        answer.commands.push(Command::SelectLane(lane));
    }
    if response.hovered() {
        let or_press = match caps(report) {
            "" => String::new(),
            caps => format!(" or press {caps}"),
        };
        let effect = effect.map_or_else(String::new, |effect| format!("{}\n\n", effect.in_full()));
        let (verdict, rule) = (verdict(report), report.subject.strategy.rule);
        let clicks = format!("Click to select it. Double click{or_press} to open it in Grid.");
        tooltip::offer(&response, format!("{effect}{verdict}\n\n{rule}\n{clicks}"));
    }
    response.hovered()
}

/// Shows the trade-off chart, the advice and the selected strategy below the table. Without room for all, leaves out the
/// advice, then the selected strategy.
fn below(
    ui: &mut Ui,
    rect: Rect,
    comparison: &Comparison,
    selected: usize,
    display: CompareDisplay<'_>,
    answer: &mut UiResponse,
) {
    let line = Stroke::new(1.0, theme::LINE);
    let painter = ui.painter().clone();
    painter.hline(rect.x_range(), rect.top() + 0.5, line);
    let mut left = rect;
    let mut take = |share: f32| {
        let middle = (left.left() + rect.width() * share).round();
        painter.vline(middle + 0.5, left.y_range().shrink(8.0), line);
        let part = left.with_max_x(middle);
        left.min.x = middle;
        part
    };
    let (advice, reports) = (&display.state.advice, &display.state.reports);
    let has_advice = rect.width() >= ALL_THREE && recommendation::has_room(rect, reports.len());
    let chart = if rect.width() < BOTH {
        rect
    } else {
        take(CHART[usize::from(has_advice)])
    };
    if has_advice {
        recommendation::show(ui, take(ADVICE), advice, reports, answer);
    }
    let chart_of = trade_off::Shown {
        budget: budget(comparison),
        period: comparison.game_time_per_frame(),
        selected,
    };
    trade_off::show(ui, chart, chart_of, display, answer);
    if rect.width() < BOTH {
        return;
    }
    let Some(report) = reports.get(selected) else {
        return;
    };
    let builder = UiBuilder::new().max_rect(left).id_salt("selected lane");
    selected::show(&mut ui.new_child(builder), left, report, display, answer);
}

fn caps(report: &Report) -> &'static str {
    caps_of(Command::Strategy(report.subject.strategy))
}

#[cfg(test)]
mod tests;
