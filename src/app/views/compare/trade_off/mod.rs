//! The trade-off chart below the table: staleness, weighted by significance, against task time per frame. Its figures
//! come from `stats`, and its picture from `charts`.

mod chart;
mod labels;
mod log_axis;

use super::below::{TITLE, paint_title};
use super::{CompareDisplay, INSET, caps};
use crate::app::input::bindings::caps_of;
use crate::app::input::response::UiResponse;
use crate::app::state::command::Command;
use crate::app::state::compare::budget;
use crate::app::widgets::buttons::wide_button;
use crate::app::widgets::{theme, tooltip};
use chart::{ChartPoint, TradeOffChart, text_size};
use egui::{Align, Align2, Id, Layout, Rect, Sense, Ui, UiBuilder, pos2, vec2};
use headless::stats::{Bounds, BudgetClass, Report, WeightedStaleness};
use headless::text::format;
use log_axis::is_positive;
use timeslicer::time::Nanos;

/// Distance from the top to the chart.
const CHART: f32 = 34.0;
/// Space below the chart.
const FOOT: f32 = 4.0;
const BUTTON: f32 = 20.0;

const HELP: &str = "Each dot is a strategy: lower is fresher, and farther left takes less time. A filled dot keeps the \
    budget; the teal one with a ring is the freshest of these. No strategy can be below the curve in the long run, if \
    the target rests.";

/// Explains a dot below the minimum.
const YOUNG: &str = " (possible only until every entity has run a few times)";

pub fn show(ui: &mut Ui, rect: Rect, display: CompareDisplay<'_>, answer: &mut UiResponse) {
    let (state, inner) = (display.state, rect.shrink2(vec2(INSET, 0.0)));
    if inner.width() <= 0.0 {
        return;
    }
    heading(ui, rect, display, answer);
    let (advice, staleness) = (&state.advice, state.staleness);
    let best = advice.best_by(staleness, &state.reports);
    let point = |(lane, report): (usize, &'_ Report)| {
        let time = report.frame_tasks.mean.as_millis_f64();
        let at = [time, staleness.of(report)?.as_secs_f64()];
        at.into_iter().all(is_positive).then(|| ChartPoint {
            lane,
            caps: caps(report),
            name: report.subject.strategy.name,
            at,
            is_within: advice.classes[lane].is_within(),
            is_best: best == Some(lane),
            is_selected: display.selected() == lane,
        })
    };
    let period_ms = display.comparison.game_time_per_frame().as_millis_f64();
    let minimum = |bounds: Bounds| {
        let births = 0.0;
        staleness.minimum(&Bounds { births, ..bounds }, 1.0)
    };
    let chart = TradeOffChart {
        points: state.reports.iter().enumerate().filter_map(point).collect(),
        budget_ms: budget(display.comparison).as_millis_f64(),
        // The theoretical minimum is inversely proportional to task time.
        minimum: state.bounds.and_then(minimum).map(|it| it * period_ms),
        births_ms: state.bounds.map_or(0.0, |it| it.births * period_ms),
        target_rests: display.settings.target.is_some(),
    };
    let place = Rect::from_min_max(
        pos2(inner.left(), inner.top() + CHART),
        pos2(inner.right(), inner.bottom() - FOOT),
    );
    let painter = ui.painter().with_clip_rect(rect);
    let Some(layout) = chart.layout(place, |words| text_size(&painter, words)) else {
        if place.is_positive() {
            let (at, font) = (place.center(), theme::text(12.0));
            let is_empty = |report: &Report| report.subject.entities == 0;
            let words = if !state.reports.is_empty() && state.reports.iter().all(is_empty) {
                "no entities"
            } else {
                "no figures yet"
            };
            painter.text(at, Align2::CENTER_CENTER, words, font, theme::DIM);
        }
        return;
    };
    let plot = ui.interact(layout.plot, Id::new("trade-off"), Sense::hover());
    answer.report("trade-off", layout.plot);
    tooltip::offer(&plot, HELP);
    let mut hovered = None;
    for (index, point) in chart.points.iter().enumerate() {
        let report = &state.reports[point.lane];
        let key = report.subject.strategy.key;
        for (part, place) in layout.parts(index).enumerate() {
            if part == 0 {
                answer.report(format!("dot:{key}"), place);
            }
            // Not `Sense::click()`: that can take the keyboard focus, which would not be visible here.
            let response = ui.interact(place, Id::new(("dot", key, part)), Sense::CLICK);
            if response.hovered() {
                hovered = Some(index);
                let class = advice.classes[point.lane];
                tooltip::offer(&response, explained(report, staleness, class));
            }
            if response.clicked() && !answer.list_was_open {
                answer.commands.push(Command::SelectLane(point.lane));
            }
        }
    }
    layout.paint(&painter, &chart, hovered);
}

fn heading(ui: &mut Ui, rect: Rect, display: CompareDisplay<'_>, answer: &mut UiResponse) {
    let inner = rect.shrink2(vec2(INSET, 0.0));
    let middle = rect.top() + TITLE;
    let row = Rect::from_center_size(pos2(inner.center().x, middle), vec2(inner.width(), BUTTON));
    let layout = Layout::right_to_left(Align::Center);
    let builder = UiBuilder::new()
        .max_rect(row)
        .layout(layout)
        .id_salt("staleness");
    let mut buttons = ui.new_child(builder);
    buttons.spacing_mut().interact_size.y = BUTTON;
    buttons.spacing_mut().item_spacing.x = 4.0;
    let mut left = row.right();
    for staleness in WeightedStaleness::ALL.into_iter().rev() {
        let (name, words, help) = match staleness {
            WeightedStaleness::Mean => {
                ("mean", "Mean", "Mean staleness, weighted by significance.")
            }
            WeightedStaleness::Worst => {
                ("worst", "Worst", "Largest product of weight and staleness.")
            }
        };
        let is_shown = staleness == display.state.staleness;
        // The key shows the other one.
        let key = caps_of(Command::TradeOff);
        let key = if is_shown { "" } else { key };
        let response = wide_button(0.0, words, key, is_shown).show(&mut buttons);
        answer.report(format!("trade-off:{name}"), response.rect);
        if response.clicked() && !is_shown {
            answer.commands.push(Command::TradeOff);
        }
        tooltip::offer(&response, help);
        left = response.rect.left();
    }
    let painter = ui.painter().with_clip_rect(inner.with_max_x(left - 4.0));
    let staleness = display.state.staleness.name();
    let words = format!("{staleness} against task time per frame");
    paint_title(&painter, rect, "Trade-off", &words, left - 8.0);
}

fn explained(report: &Report, staleness: WeightedStaleness, class: BudgetClass) -> String {
    let name = report.subject.strategy.name;
    let millis = |time: Nanos| format::number(time.as_millis_f64());
    let tasks = report.frame_tasks;
    let (mean, p99) = (millis(tasks.mean), millis(tasks.p99));
    let stale = staleness.of(report).map_or(0.0, Nanos::as_secs_f64);
    let (what, stale) = (staleness.name(), format::number(stale));
    let times = match staleness.over_minimum(report) {
        Some(times) => {
            let young = if times < 1.0 { YOUNG } else { "" };
            format!(", {times:.2} times the theoretical minimum at this task time{young}")
        }
        None => String::new(),
    };
    let class = match class {
        BudgetClass::Within => "Filled: within the budget.",
        BudgetClass::Rarely | BudgetClass::LastTask => "Filled: nearly within the budget.",
        BudgetClass::Exceeds => "Hollow: exceeds the budget.",
        BudgetClass::Unknown => "Hollow: too few frames to compare with the budget.",
    };
    format!(
        "{name}: {mean} ms of tasks a frame on average, 99 of 100 frames up to {p99} ms; {what} {stale} s{times}.\n\
         {class} Click to select the lane."
    )
}

#[cfg(test)]
mod tests;
