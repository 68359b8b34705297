//! The charts below the comparison table: the trade-off between staleness and time for each strategy, and the
//! crossovers between strategies.
//!
//! - This file contains the heading with the tabs, and what both charts share.
//! - `trade_off` plots staleness over the fraction of the frame time that is spent on tasks. `dots` draws the current
//!   setting of each lane, and `curves` draws all other settings.
//! - `crossovers` plots the best setting of each strategy over a knob of the workload. `ribbon` names the best strategy
//!   for each range of knob values.
//! - `axis` converts values to screen positions, and `placement` finds positions for labels that do not overlap.

mod axis;
mod crossovers;
mod curves;
mod dots;
mod placement;
mod ribbon;
mod trade_off;

use super::below::TITLE_CENTER_Y;
use super::{SIDE_MARGIN, has_game_time};
use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::state::State;
use crate::app::state::best_setting::RANGES;
use crate::app::state::command::Command;
use crate::app::state::compare::Chart;
use crate::app::widgets::buttons::wide_button;
use crate::app::widgets::{paint, theme, tooltip};
use axis::Axis;
use egui::{
    Align, Align2, Color32, ComboBox, Galley, LayerId, Layout, Order, Painter, Pos2, Rect,
    Response, RichText, Shape, Stroke, Ui, UiBuilder, Vec2, pos2, vec2,
};
use headless::stats::WeightedStaleness::{self, Mean, Worst};
use headless::text::format;
use std::sync::Arc;
use timeslicer::strategy::{Family, STRATEGIES, StrategyEntry};
use tooltip::Side;

const HEADING_HEIGHT: f32 = 34.0;
const Y_LABEL_WIDTH: f32 = 44.0;
const X_LABEL_HEIGHT: f32 = 22.0;
const MIN_PLOT_SIZE: Vec2 = vec2(160.0, 50.0);
const BUTTON_HEIGHT: f32 = 20.0;
const LABEL_FONT_SIZE: f32 = 11.0;
const LABEL_MARGIN: Vec2 = vec2(4.0, 1.0);
const MIN_TICK_DISTANCES: [f32; 2] = [56.0, 18.0];
const KNOB_LIST_WIDTH: f32 = 104.0;
const MIN_WIDTH_FOR_SHORTCUTS: f32 = 420.0;
const MIN_WIDTH_FOR_ABSOLUTE: f32 = 330.0;

/// The fraction of the vertical axis's length that is reserved for values below 1.
const BELOW_ONE_SHARE: f64 = 0.13;
/// The possible upper ends of the vertical axis. The smallest one that is large enough for the values is used.
const AXIS_MAXIMA: [f64; 12] = [
    1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 20.0, 50.0, 100.0, 300.0, 1_000.0,
];
/// A value is an outlier if it is greater than the median times this factor. The vertical axis is not extended to show
/// outliers.
const OUTLIER_FACTOR: f64 = 1.8;

/// The buttons that choose between mean and worst staleness, with their labels and tooltips. They are listed from right
/// to left because the layout adds widgets in this order.
const STALENESS_BUTTONS: [(WeightedStaleness, &str, &str); 2] = [
    (
        Worst,
        "Worst",
        "Shows the worst weighted staleness, which is the largest product of a task's weight and staleness.",
    ),
    (
        Mean,
        "Mean",
        "Shows the mean staleness of all tasks, weighted by their significance.",
    ),
];

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
    let plot = Rect::from_min_max(
        inner.min + vec2(Y_LABEL_WIDTH, HEADING_HEIGHT),
        inner.max - vec2(0.0, X_LABEL_HEIGHT),
    );
    if plot.width() < MIN_PLOT_SIZE.x || plot.height() < MIN_PLOT_SIZE.y {
        return;
    }
    let painter = ui.painter().with_clip_rect(rect);
    match state.compare.chart {
        Chart::TradeOff => trade_off::show(ui, &painter, plot, state, output),
        Chart::Crossovers => crossovers::show(ui, &painter, plot, state, output),
    }
    tooltip::keep_off(ui.ctx(), chart_area(plot));
}

/// Returns the area of a whole chart, given the area of its plot. The chart also includes a heading and tick labels.
fn chart_area(plot: Rect) -> Rect {
    Rect::from_min_max(
        plot.min - vec2(Y_LABEL_WIDTH, HEADING_HEIGHT),
        plot.max + vec2(0.0, X_LABEL_HEIGHT),
    )
}

/// Shows the tabs on the left and the controls of the chart on the right.
fn show_heading(ui: &mut Ui, inner: Rect, state: &State, output: &mut UiOutput) {
    let middle = pos2(inner.center().x, inner.top() + TITLE_CENTER_Y);
    let row = Rect::from_center_size(middle, vec2(inner.width(), BUTTON_HEIGHT));
    let of = |layout, id: &str| UiBuilder::new().max_rect(row).layout(layout).id_salt(id);
    let style = |ui: &mut Ui| {
        ui.spacing_mut().interact_size.y = BUTTON_HEIGHT;
        ui.spacing_mut().item_spacing.x = 4.0;
    };
    let mut tabs = ui.new_child(of(Layout::left_to_right(Align::Center), "charts"));
    style(&mut tabs);
    let shown = state.compare.chart;
    for (chart, words, help) in TABS {
        let is_shown = chart == shown;
        // Show the key on the tab that is not selected, because the key switches to that tab.
        let has_key = !is_shown && inner.width() >= MIN_WIDTH_FOR_SHORTCUTS;
        let key = caps_of(Command::Chart(Chart::Crossovers));
        let key = if has_key { key } else { "" };
        let response = wide_button(0.0, words, key, is_shown).show(&mut tabs);
        output.report(format!("chart:{words}"), response.rect);
        if response.clicked() && !is_shown {
            output.commands.push(Command::Chart(chart));
        }
        tooltip::offer(&response, help);
    }
    let left = tabs.min_rect().right() + 8.0;

    let mut controls = ui.new_child(of(Layout::right_to_left(Align::Center), "chart"));
    style(&mut controls);
    for (staleness, words, help) in STALENESS_BUTTONS {
        let is_shown = staleness == state.compare.staleness;
        let key = caps_of(Command::TradeOff);
        let key = if is_shown { "" } else { key };
        let response = wide_button(0.0, words, key, is_shown).show(&mut controls);
        output.report(format!("trade-off:{words}"), response.rect);
        if response.clicked() && !is_shown {
            output.commands.push(Command::TradeOff);
        }
        tooltip::offer(&response, help);
    }
    controls.add_space(4.0);
    match shown {
        Chart::TradeOff if inner.width() >= MIN_WIDTH_FOR_ABSOLUTE => {
            show_absolute_button(&mut controls, state, output);
        }
        Chart::TradeOff => {}
        Chart::Crossovers => show_knob_list(&mut controls, state, output),
    }
    let right = controls.min_rect().left() - 8.0;

    let remarks = match shown {
        Chart::TradeOff => trade_off::axis_descriptions(state),
        Chart::Crossovers => crossovers::axis_descriptions(),
    };
    let style = (theme::text(11.5), theme::DIM);
    let texts = remarks.iter().map(|it| &**it);
    if let Some(remark) = paint::fitting(ui.painter(), texts, style, right - left) {
        let at = pos2(left, middle.y);
        paint::galley(ui.painter(), at, Align2::LEFT_CENTER, remark, theme::DIM);
    }
}

/// Shows a button that switches between absolute staleness and multiples of the theoretical minimum.
fn show_absolute_button(ui: &mut Ui, state: &State, output: &mut UiOutput) {
    let is_absolute = state.compare.is_absolute;
    let response = wide_button(0.0, "Absolute", "", is_absolute).show(ui);
    output.report("trade-off:Absolute", response.rect);
    if response.clicked() {
        output.commands.push(Command::Absolute);
    }
    let help = if is_absolute {
        "The chart shows staleness as a time. Click to show staleness relative to the theoretical minimum or, while \
            the target moves, relative to the most efficient setting."
    } else {
        "The chart shows staleness relative to the theoretical minimum or, while the target moves, relative to the \
            most efficient setting. Click to show staleness as a time."
    };
    tooltip::offer(&response, help);
}

/// Shows a drop-down list for choosing the knob on the horizontal axis of the crossovers chart.
fn show_knob_list(ui: &mut Ui, state: &State, output: &mut UiOutput) {
    let over = state.compare.over;
    ui.spacing_mut().button_padding = vec2(7.0, 1.0);
    let list = ComboBox::from_id_salt("over")
        .width(KNOB_LIST_WIDTH)
        .selected_text(RichText::new(over.label).size(LABEL_FONT_SIZE));
    let list = list.show_ui(ui, |ui| {
        output.list_is_open = true;
        for (knob, _) in RANGES {
            let item = ui.selectable_label(*knob == *over, knob.label);
            output.report(format!("over:{}", knob.key), item.rect);
            tooltip::offer(&item, crossovers::knob_tooltip(knob));
            if item.clicked() {
                output.commands.push(Command::Over(knob));
            }
        }
    });
    output.report("over", list.response.rect);
    tooltip::offer(&list.response, "Selects the knob on the horizontal axis.");
}

/// Returns the line colour of a strategy. Strategies of the same family have similar colours.
fn ink(strategy: &StrategyEntry) -> Color32 {
    let shades: &[u32] = match strategy.family {
        Family::Periodic => &[
            0xb9_b2_a6, 0xd9_a9_bf, 0xb8_c7_8f, 0xf3_f0_ea, 0xa8_c4_cf, 0xd8_cc_9a,
        ],
        Family::OnRequest => &[0xd0_92_6c, 0xa8_77_5e],
        Family::BySignificance => &[0x6f_b5_f2, 0x8f_8f_f5, 0xc3_9b_f7],
    };
    let of_family = STRATEGIES.iter().filter(|it| it.family == strategy.family);
    let place = of_family.take_while(|it| **it != strategy).count();
    let [_, red, green, blue] = shades[place % shades.len()].to_be_bytes();
    Color32::from_rgb(red, green, blue)
}

/// Returns a logarithmic axis for values that are multiples of a reference value. The axis begins slightly below 1.
/// Outliers are left out because they would squeeze the other values together.
fn times_axis(times: impl Iterator<Item = f64>, ends: [f32; 2]) -> Axis {
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    let middle = times.get(times.len() / 2).copied().unwrap_or(1.0);
    let near = times
        .iter()
        .filter(|it| **it <= middle.max(1.0) * OUTLIER_FACTOR);
    let most = near.fold(1.0, |most: f64, it| most.max(*it)) * 1.08;
    let to = AXIS_MAXIMA.iter().find(|to| most <= **to);
    let to = to.copied().unwrap_or(most);
    let least = times.first().copied().unwrap_or(1.0);
    let from = to.powf(-BELOW_ONE_SHARE / (1.0 - BELOW_ONE_SHARE));
    Axis::logarithmic([from.min(0.96 * least).max(0.3), to], ends)
}

/// Formats a keyboard shortcut as a short label for its strategy, such as `[8]`.
fn key_label(caps: &str) -> String {
    if caps.is_empty() {
        String::new()
    } else {
        format!("[{caps}]")
    }
}

fn lay(painter: &Painter, words: &str, ink: Color32) -> Arc<Galley> {
    painter.layout_no_wrap(words.to_owned(), theme::text(LABEL_FONT_SIZE), ink)
}

fn paint_dashes(painter: &Painter, points: &[Pos2], stroke: Stroke) {
    painter.extend(Shape::dashed_line(points, stroke, 4.0, 3.0));
}

/// Paints the grid lines and the tick labels of the axes.
fn paint_axes(
    painter: &Painter,
    plot: Rect,
    (x, words_of_x): (Axis, impl Fn(f64) -> String),
    (y, words_of_y): (Axis, impl Fn(f64) -> String),
) {
    let line = Stroke::new(1.0, theme::LINE);
    let text = |at, align, words: String| {
        painter.text(at, align, words, theme::mono(10.0), theme::DIM);
    };
    for tick in x.ticks(MIN_TICK_DISTANCES[0]) {
        let at = x.point(tick).round() + 0.5;
        painter.vline(at, plot.y_range(), line);
        text(
            pos2(at, plot.bottom() + 9.0),
            Align2::CENTER_CENTER,
            words_of_x(tick),
        );
    }
    for tick in y.ticks(MIN_TICK_DISTANCES[1]) {
        let at = y.point(tick).round() + 0.5;
        painter.hline(plot.x_range(), at, line);
        text(
            pos2(plot.left() - 6.0, at),
            Align2::RIGHT_CENTER,
            words_of_y(tick),
        );
    }
}

/// Formats a multiple for a tick label, such as `1.2`.
fn times_tick(times: f64) -> String {
    if times < 10.0 {
        format!("{times:.1}")
    } else {
        format::number(times)
    }
}

/// Returns the index of the line that is closest to the pointer, and the index of the closest point on this line.
/// Returns `None` if no line is near the pointer. If the line with the index `preferred` is almost as close as the
/// closest line, it is chosen instead.
fn nearest(
    lines: &[Vec<Pos2>],
    plot: Rect,
    at: Pos2,
    preferred: Option<usize>,
) -> Option<[usize; 2]> {
    const NEAR: f32 = 8.0;
    let far = |line: &[Pos2]| {
        if let [point] = *line {
            return point.distance(at);
        }
        let parts = line.windows(2);
        let parts = parts.map(|ends| placement::distance(at, [ends[0], ends[1]]));
        parts.fold(f32::INFINITY, f32::min)
    };
    let all = lines.iter().enumerate();
    let all = all.map(|(index, line)| {
        let bonus = if preferred == Some(index) { 0.5 } else { 0.0 };
        (index, far(line) - bonus)
    });
    let (line, far) = all.min_by(|one, other| one.1.total_cmp(&other.1))?;
    let points = lines[line].iter().enumerate();
    let inside = points.filter(|(_, point)| plot.expand(1.0).contains(**point));
    let point = inside.min_by(|one, other| one.1.distance(at).total_cmp(&other.1.distance(at)))?;
    (far <= NEAR).then_some([line, point.0])
}

/// The text of a card that describes a point on a chart line. `broken` lists the limits that the point exceeds, and
/// `click` explains what a click on the point does.
struct PointDescription {
    title: String,
    metrics: String,
    broken: Vec<String>,
    click: String,
}

/// Paints a card that describes a point on a chart line. The card is placed outside the chart so that it hides neither
/// lines nor names.
fn paint_card(response: &Response, chart: Rect, at: Pos2, described: &PointDescription) {
    const MOST: f32 = 360.0;
    let layer = LayerId::new(Order::Tooltip, response.id);
    let painter = response.ctx.layer_painter(layer);
    let broken = described
        .broken
        .iter()
        .map(|it| format!("This setting exceeds a limit: {it}."));
    let broken: Vec<(String, Color32)> = broken.map(|it| (it, theme::AMBER)).collect();
    let first = [
        (described.title.clone(), theme::BRIGHT),
        (described.metrics.clone(), theme::TEXT),
    ];
    let last = (described.click.clone(), theme::DIM);
    let lines = first.into_iter().chain(broken).chain([last]);
    let lines = lines.map(|(words, ink)| painter.layout(words, theme::text(11.5), ink, MOST));
    let lines: Vec<Arc<Galley>> = lines.collect();
    let width = lines.iter().map(|it| it.size().x).fold(0.0, f32::max);
    let height: f32 = lines.iter().map(|it| it.size().y).sum();
    let size = vec2(width, height) + vec2(16.0, 10.0);
    let sides = [Side::Above, Side::Right, Side::Left, Side::Below];
    let place = tooltip::beside(chart, size, response.ctx.screen_rect(), at, sides);
    paint::card(&painter, place, theme::BAR, theme::HOVER);
    let mut top = place.min + vec2(8.0, 5.0);
    for line in lines {
        let size = line.size();
        painter.galley(top, line, theme::TEXT);
        top.y += size.y;
    }
}

fn percent(share: f64) -> String {
    format!("{} %", format::number(100.0 * share))
}

fn time_axis_name(state: &State) -> &'static str {
    if has_game_time(state) {
        "share of game time"
    } else {
        "share of time"
    }
}

#[cfg(test)]
mod tests;
