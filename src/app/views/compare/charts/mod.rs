//! The charts below the comparison table.
//!
//! - This file contains the heading with the tabs, and finds the setting under the pointer.
//! - `trade_off` says what the trade-off chart shows: the settings on all curves, and the current settings.
//! - `crossovers` says what the crossovers chart shows: the best settings over a knob of the workload.
//! - `model` describes either chart, and `axis` its axes; `painting` paints it.

mod axis;
mod crossovers;
mod model;
mod painting;
mod trade_off;

use super::common::{OUTDATED_OPACITY, SIDE_MARGIN, TITLE_CENTER_Y, selected};
use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::panels::bar::CommandButton;
use crate::app::state::State;
use crate::app::state::best_setting::Progress;
use crate::app::state::command::{Command, CompareCommand};
use crate::app::state::compare::{Chart, knobs_to_set};
use crate::app::widgets::{paint, theme, tooltip};
use egui::{
    Align, Align2, ComboBox, Id, Layout, Rect, RichText, Sense, Ui, UiBuilder, Vec2, pos2, vec2,
};
use lab::catalog::strategy::STRATEGIES;
use lab::catalog::strategy::knobs::BUDGET;
use lab::measure::Objective::{self, WeightedMean, WeightedWorst};
use lab::recommend::{Broken, OVER, Outcome, Setting, has_effect};
use lab::text::format;
use model::Pointed;
use painting::RIBBON_SPACE;

const HEADING_HEIGHT: f32 = 34.0;
const BUTTON_HEIGHT: f32 = 20.0;
const KNOB_LIST_WIDTH: f32 = 104.0;

/// The buttons that choose what the strategies are compared by, from right to left as the layout adds them.
const OBJECTIVE_BUTTONS: [(Objective, &str); 2] =
    [(WeightedWorst, "Worst"), (WeightedMean, "Mean")];

const TABS: [(Chart, &str, &str); 2] = [
    (
        Chart::TradeOff,
        "Trade-off",
        "Shows the staleness of each strategy and how much time the strategy spends on tasks. Each strategy has a \
            curve with one point for each value of its main knob.",
    ),
    (
        Chart::Crossovers,
        "Crossovers",
        "Shows which strategy is best for each value of a workload knob, with every strategy at its best setting.",
    ),
];

pub fn show(ui: &mut Ui, rect: Rect, state: &State, output: &mut UiOutput) {
    let inner = rect.shrink2(vec2(SIDE_MARGIN, 0.0));
    if inner.width() <= 0.0 {
        return;
    }
    show_heading(ui, inner, state, output);
    let area = inner.with_min_y(inner.top() + HEADING_HEIGHT);
    show_chart(ui, rect, area, state, output);
    // Tooltips must not cover the table, which is above the chart.
    let room = Rect::from_x_y_ranges(ui.ctx().screen_rect().x_range(), rect.y_range());
    tooltip::keep_off(ui.ctx(), inner, Some(room));
}

fn show_chart(ui: &Ui, clip: Rect, area: Rect, state: &State, output: &mut UiOutput) {
    let mut painter = ui.painter().with_clip_rect(clip);
    let has_ribbon = state.compare.best_setting.chart == Chart::Crossovers;
    let Some((plot, legend_rows)) = painting::layout(area, has_ribbon) else {
        return;
    };
    let best_setting = &state.compare.best_setting;
    let (name, help, chart, is_current) = match best_setting.chart {
        Chart::TradeOff => (
            "trade-off",
            trade_off::HELP,
            trade_off::chart(state, plot),
            best_setting.progress() != Progress::Outdated,
        ),
        Chart::Crossovers => (
            "crossovers",
            crossovers::HELP,
            crossovers::chart(state, plot),
            best_setting.shows_current_crossovers(),
        ),
    };
    let response = ui.interact(plot, Id::new(name), Sense::CLICK);
    output.report(name, plot);
    let Some(mut chart) = chart else {
        painter.rect_filled(plot, 0.0, theme::WELL);
        let message = "Nothing has been measured yet.";
        let (center, font) = (plot.center(), theme::text(painting::FONT_SIZE));
        painter.text(center, Align2::CENTER_CENTER, message, font, theme::DIM);
        tooltip::offer(&response, help);
        return;
    };
    if !is_current {
        painter.multiply_opacity(OUTDATED_OPACITY);
    }
    let (selected, rows) = (selected(state), state.compare.rows());
    // Sort the curves by importance, because the legend may have room only for the first names.
    chart.curves.sort_by_key(|curve| {
        let row = rows.iter().position(|lane| *lane == curve.lane);
        (!curve.is_strong, curve.lane != selected, row)
    });
    for curve in &mut chart.curves {
        curve.is_strong |= curve.lane == selected;
    }
    let at = response.hover_pos().filter(|_| response.hovered());
    let pointed = at.and_then(|at| chart.nearest(at));
    painting::paint(&painter, legend_rows, &chart, pointed);
    for mark in &chart.marks {
        let place = Rect::from_center_size(mark.at, Vec2::splat(2.0 * painting::RING_RADIUS));
        output.report(format!("tuned:{}", STRATEGIES[mark.lane].key), place);
    }
    for section in &chart.sections {
        let key = section.strategy.map_or("none", |strategy| strategy.key);
        let [left, right] = section.ends;
        let ribbon = plot.top() - RIBBON_SPACE..=plot.top();
        let place = Rect::from_x_y_ranges(left..=right, ribbon);
        output.report(format!("best:{key}"), place);
    }
    let setting = match pointed {
        Some(Pointed::Mark(index)) => trade_off::describe_mark(chart.marks[index].lane, state),
        Some(Pointed::Point { lane, index }) => match state.compare.best_setting.chart {
            Chart::TradeOff => trade_off::describe_point(lane, index, state),
            Chart::Crossovers => crossovers::describe(lane, index, state),
        },
        None => None,
    };
    if let Some(setting) = setting {
        tooltip::offer(&response, setting.words());
        if response.clicked() && !output.list_was_open {
            output.commands.extend(setting.commands);
        }
    } else {
        tooltip::offer(&response, help);
    }
}

/// Shows the tabs on the left and the controls of the chart on the right.
fn show_heading(ui: &mut Ui, inner: Rect, state: &State, output: &mut UiOutput) {
    let middle = pos2(inner.center().x, inner.top() + TITLE_CENTER_Y);
    let row = Rect::from_center_size(middle, vec2(inner.width(), BUTTON_HEIGHT));
    let mut part = |layout, id: &str| {
        let mut part = ui.new_child(UiBuilder::new().max_rect(row).layout(layout).id_salt(id));
        part.spacing_mut().interact_size.y = BUTTON_HEIGHT;
        part.spacing_mut().item_spacing.x = 4.0;
        part
    };
    let mut tabs = part(Layout::left_to_right(Align::Center), "charts");
    let mut controls = part(Layout::right_to_left(Align::Center), "chart");
    let shown = state.compare.best_setting.chart;
    for (chart, words, help) in TABS {
        let (is_on, switch) = (chart == shown, CompareCommand::SwitchChart);
        toggle(&mut tabs, "chart", words, help, is_on, switch, output);
    }
    for (weighted, words) in OBJECTIVE_BUTTONS {
        let objective = if state.compare.on_request() {
            weighted.of_requests()
        } else {
            weighted
        };
        let help = format!("Compares the strategies by the {}.", objective.name());
        let is_on = objective == state.compare.objective();
        let (ui, switch) = (&mut controls, CompareCommand::TradeOff);
        toggle(ui, "trade-off", words, &help, is_on, switch, output);
    }
    controls.add_space(4.0);
    if shown == Chart::Crossovers {
        show_knob_list(&mut controls, state, output);
    }

    let remarks = match shown {
        Chart::TradeOff => trade_off::axis_descriptions(state).to_vec(),
        Chart::Crossovers => crossovers::axis_descriptions(state),
    };
    let [left, right] = [
        tabs.min_rect().right() + 8.0,
        controls.min_rect().left() - 8.0,
    ];
    let (at, style) = (pos2(left, middle.y), (11.5, theme::DIM));
    paint::fitting(ui.painter(), at, remarks, style, right - left);
}

/// Shows one of two buttons, the one that is on or the other, which gives the command `switch` and shows its key. `name`
/// is the first part of the control's name for scripts.
fn toggle(
    ui: &mut Ui,
    name: &str,
    words: &str,
    tip: &str,
    is_on: bool,
    switch: CompareCommand,
    output: &mut UiOutput,
) {
    let switch = (!is_on).then_some(Command::from(switch));
    let button = CommandButton {
        log_name: format!("{name}:{words}"),
        command: switch,
        tip: tip.to_owned(),
        ..CommandButton::new(words, switch.map_or("", caps_of), is_on)
    };
    button.show(ui, output);
}

fn show_knob_list(ui: &mut Ui, state: &State, output: &mut UiOutput) {
    let over = state.compare.best_setting.over;
    ui.spacing_mut().button_padding = vec2(7.0, 1.0);
    let list = ComboBox::from_id_salt("over")
        .width(KNOB_LIST_WIDTH)
        .selected_text(RichText::new(over.label).size(painting::FONT_SIZE));
    let list = list.show_ui(ui, |ui| {
        output.list_is_open = true;
        let knobs = OVER.iter().map(|(knob, _)| knob);
        for knob in knobs.filter(|knob| has_effect(knob, &state.settings)) {
            let help = match knob {
                knob if *knob == BUDGET => "Your limit on the task time per frame.",
                knob => knob.help,
            };
            let item = ui.selectable_label(knob == over, knob.label);
            output.control(&item, format!("over:{}", knob.key), help);
            if item.clicked() {
                output.give(CompareCommand::Over(knob));
            }
        }
    });
    let help = "Selects the knob on the horizontal axis.";
    output.control(&list.response, "over", help);
}

/// Returns the strategies that have curves: all of them or, for work on request, those that run tasks on request.
fn considered_lanes(state: &State) -> impl Iterator<Item = usize> {
    (0..STRATEGIES.len()).filter(|lane| state.compare.considers(*lane))
}

/// Returns the commands that apply a setting of a strategy, and select it.
fn set_commands(lane: usize, setting: &Setting, state: &State) -> Vec<Command> {
    let values = knobs_to_set(STRATEGIES[lane], setting, &state.settings).into_iter();
    let set = values.map(|(knob, value)| Command::SetKnob(knob, value));
    set.chain([Command::Compare(CompareCommand::SelectLane(lane))])
        .collect()
}

struct PointedSetting<'a> {
    title: String,
    /// Compares the staleness with that of other settings.
    comparison: String,
    outcome: &'a Outcome,
    broken: Vec<Broken>,
    click: String,
    commands: Vec<Command>,
}

impl PointedSetting<'_> {
    fn words(&self) -> String {
        let mut lines = vec![
            self.title.clone(),
            format::capitalised(&self.comparison),
            self.outcome.effects().join("; "),
        ];
        let broken = self.broken.iter();
        lines.extend(broken.map(|broken| format!("Exceeds a limit: {}.", broken.words())));
        lines.push(self.click.clone());
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests;
