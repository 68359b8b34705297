//! The charts below the comparison table: the trade-off between staleness and time for each strategy, and the
//! crossovers between strategies.
//!
//! - This file contains the heading with the tabs, and what both charts share.
//! - `trade_off` plots staleness over the fraction of time spent on tasks. `dots` draws the current setting of each
//!   lane, and `curves` draws all other settings.
//! - `crossovers` plots the best setting of each strategy over a knob of the workload. `ribbon` names the best strategy
//!   in each range of the knob.
//! - `axis` converts values to screen positions, and `placement` finds positions for labels that do not overlap.

mod axis;
mod crossovers;
mod curves;
mod dots;
mod placement;
mod ribbon;
mod trade_off;

use super::below::TITLE;
use super::{INSET, has_game_time};
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

/// Distance from the top of the chart to the plot, in points.
const ABOVE: f32 = 34.0;
/// Width of the tick labels on the left of the plot, in points.
const LEFT: f32 = 44.0;
/// Height of the tick labels below the plot, in points.
const BELOW: f32 = 22.0;
/// Minimum size of the plot, in points.
const LEAST: Vec2 = vec2(160.0, 50.0);
const BUTTON: f32 = 20.0;
/// Font size of labels in the charts, in points.
const POINTS: f32 = 11.0;
/// Margin around the text of a label, in points.
const MARGIN: Vec2 = vec2(4.0, 1.0);
/// Minimum distance between ticks on the horizontal and the vertical axis, in points.
const TICKS: [f32; 2] = [56.0, 18.0];
/// Width of the drop-down list of knobs, in points.
const KNOBS: f32 = 104.0;
/// Minimum chart width for showing keyboard shortcuts on the tabs, in points.
const WITH_KEYS: f32 = 420.0;
/// Minimum chart width for showing the "Absolute" switch, in points.
const WITH_SWITCH: f32 = 330.0;

/// Fraction of the vertical axis that shows multiples below 1.
const BELOW_ONE: f64 = 0.13;
/// The multiples at which the vertical axis may end.
const TO_TIMES: [f64; 12] = [
    1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 20.0, 50.0, 100.0, 300.0, 1_000.0,
];
/// If a strategy's multiple exceeds the median by more than this factor, the axis is not extended to show it.
const FAR_OFF: f64 = 1.8;

/// The kinds of weighted staleness, from right to left, with the labels and tooltips of their buttons.
const CHOICES: [(WeightedStaleness, &str, &str); 2] = [
    (Worst, "Worst", "Shows the largest product of weight and staleness."),
    (Mean, "Mean", "Shows the mean staleness, weighted by significance."),
];

const TABS: [(Chart, &str, &str); 2] = [
    (
        Chart::TradeOff,
        "Trade-off",
        "Shows how stale each strategy is for the time that it takes: one curve per strategy, over the values of its \
            main knob.",
    ),
    (
        Chart::Crossovers,
        "Crossovers",
        "Shows which strategy is best for each value of a workload knob, with every strategy at its best setting.",
    ),
];

/// Shows the selected chart and its heading in `rect`.
pub fn show(ui: &mut Ui, rect: Rect, state: &State, output: &mut UiOutput) {
    let inner = rect.shrink2(vec2(INSET, 0.0));
    if inner.width() <= 0.0 {
        return;
    }
    heading(ui, inner, state, output);
    let plot = Rect::from_min_max(inner.min + vec2(LEFT, ABOVE), inner.max - vec2(0.0, BELOW));
    if plot.width() < LEAST.x || plot.height() < LEAST.y {
        return;
    }
    let painter = ui.painter().with_clip_rect(rect);
    match state.compare.chart {
        Chart::TradeOff => trade_off::show(ui, &painter, plot, state, output),
        Chart::Crossovers => crossovers::show(ui, &painter, plot, state, output),
    }
    tooltip::keep_off(ui.ctx(), around(plot));
}

/// Returns the whole area of a chart with this plot, including its heading and tick labels.
fn around(plot: Rect) -> Rect {
    Rect::from_min_max(plot.min - vec2(LEFT, ABOVE), plot.max + vec2(0.0, BELOW))
}

/// Shows the tabs on the left and the controls of the chart on the right.
fn heading(ui: &mut Ui, inner: Rect, state: &State, output: &mut UiOutput) {
    let middle = pos2(inner.center().x, inner.top() + TITLE);
    let row = Rect::from_center_size(middle, vec2(inner.width(), BUTTON));
    let of = |layout, id: &str| UiBuilder::new().max_rect(row).layout(layout).id_salt(id);
    let style = |ui: &mut Ui| {
        ui.spacing_mut().interact_size.y = BUTTON;
        ui.spacing_mut().item_spacing.x = 4.0;
    };
    let mut tabs = ui.new_child(of(Layout::left_to_right(Align::Center), "charts"));
    style(&mut tabs);
    let shown = state.compare.chart;
    for (chart, words, help) in TABS {
        let is_shown = chart == shown;
        // Show the key on the tab that is not selected, because the key switches to that tab.
        let has_key = !is_shown && inner.width() >= WITH_KEYS;
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
    for (staleness, words, help) in CHOICES {
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
        Chart::TradeOff if inner.width() >= WITH_SWITCH => absolute(&mut controls, state, output),
        Chart::TradeOff => {}
        Chart::Crossovers => knobs(&mut controls, state, output),
    }
    let right = controls.min_rect().left() - 8.0;

    let remarks = match shown {
        Chart::TradeOff => trade_off::remarks(state),
        Chart::Crossovers => crossovers::remarks(),
    };
    let style = (theme::text(11.5), theme::DIM);
    let texts = remarks.iter().map(|it| &**it);
    if let Some(remark) = paint::fitting(ui.painter(), texts, style, right - left) {
        let at = pos2(left, middle.y);
        paint::galley(ui.painter(), at, Align2::LEFT_CENTER, remark, theme::DIM);
    }
}

/// Shows the switch between multiples of the minimum and absolute times.
fn absolute(ui: &mut Ui, state: &State, output: &mut UiOutput) {
    let is_absolute = state.compare.is_absolute;
    let response = wide_button(0.0, "Absolute", "", is_absolute).show(ui);
    output.report("trade-off:Absolute", response.rect);
    if response.clicked() {
        output.commands.push(Command::Absolute);
    }
    let help = if is_absolute {
        "The chart shows staleness as a time. Click to show it relative to the lowest staleness that is possible in \
            the same share of time."
    } else {
        "Shows staleness as a time. The chart currently shows it relative to the lowest that is possible in the same \
            share of time: the theoretical minimum or, while the target moves, the lowest point of all curves."
    };
    tooltip::offer(&response, help);
}

/// Shows the drop-down list of knobs over which the crossovers can be plotted.
fn knobs(ui: &mut Ui, state: &State, output: &mut UiOutput) {
    let over = state.compare.over;
    ui.spacing_mut().button_padding = vec2(7.0, 1.0);
    let list = ComboBox::from_id_salt("over")
        .width(KNOBS)
        .selected_text(RichText::new(over.label).size(POINTS));
    let list = list.show_ui(ui, |ui| {
        output.list_is_open = true;
        for (knob, _) in RANGES {
            let item = ui.selectable_label(*knob == *over, knob.label);
            output.report(format!("over:{}", knob.key), item.rect);
            tooltip::offer(&item, crossovers::about(knob));
            if item.clicked() {
                output.commands.push(Command::Over(knob));
            }
        }
    });
    output.report("over", list.response.rect);
    tooltip::offer(
        &list.response,
        "Selects the knob for which the strategies are compared.",
    );
}

/// Returns the line colour of a strategy, which is a shade of its family's colour.
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

/// Returns an axis for multiples, from slightly below 1 to above most of the values. Outliers are left out because they
/// would squeeze the other values. The axis is logarithmic because strategies differ by ratios.
fn times_axis(times: impl Iterator<Item = f64>, ends: [f32; 2]) -> Axis {
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    let middle = times.get(times.len() / 2).copied().unwrap_or(1.0);
    let near = times.iter().filter(|it| **it <= middle.max(1.0) * FAR_OFF);
    let most = near.fold(1.0, |most: f64, it| most.max(*it)) * 1.08;
    let to = TO_TIMES.iter().find(|to| most <= **to);
    let to = to.copied().unwrap_or(most);
    let least = times.first().copied().unwrap_or(1.0);
    let from = to.powf(-BELOW_ONE / (1.0 - BELOW_ONE));
    Axis::logarithmic([from.min(0.96 * least).max(0.3), to], ends)
}

fn lay(painter: &Painter, words: &str, ink: Color32) -> Arc<Galley> {
    painter.layout_no_wrap(words.to_owned(), theme::text(POINTS), ink)
}

fn paint_dashes(painter: &Painter, points: &[Pos2], stroke: Stroke) {
    painter.extend(Shape::dashed_line(points, stroke, 4.0, 3.0));
}

/// Paints the grid lines and the labels of their ticks.
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
    for tick in x.ticks(TICKS[0]) {
        let at = x.point(tick).round() + 0.5;
        painter.vline(at, plot.y_range(), line);
        text(
            pos2(at, plot.bottom() + 9.0),
            Align2::CENTER_CENTER,
            words_of_x(tick),
        );
    }
    for tick in y.ticks(TICKS[1]) {
        let at = y.point(tick).round() + 0.5;
        painter.hline(plot.x_range(), at, line);
        text(
            pos2(plot.left() - 6.0, at),
            Align2::RIGHT_CENTER,
            words_of_y(tick),
        );
    }
}

/// Formats a tick of an axis of multiples, such as `1.2`.
fn times_tick(times: f64) -> String {
    if times < 10.0 {
        format!("{times:.1}")
    } else {
        format::number(times)
    }
}

/// Returns the index of the line closest to the pointer, and the index of that line's closest point. Returns `None` if
/// no line is near the pointer. If several lines coincide, the `preferred` line is chosen.
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

/// The text of the card that describes a point of a line. `metrics` lists its values, `broken` the limits that it
/// breaks, and `click` what a click does.
struct Described {
    title: String,
    metrics: String,
    broken: Vec<String>,
    click: String,
}

/// Paints a card that describes the point `at`. It is placed outside the chart, so that it hides neither lines nor
/// names.
fn paint_card(response: &Response, chart: Rect, at: Pos2, described: &Described) {
    const MOST: f32 = 360.0;
    let layer = LayerId::new(Order::Tooltip, response.id);
    let painter = response.ctx.layer_painter(layer);
    let broken = described
        .broken
        .iter()
        .map(|it| format!("breaks a limit: {it}"));
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

/// Formats a fraction of time as a percentage, which may exceed 100 %.
fn percent(share: f64) -> String {
    format!("{} %", format::number(100.0 * share))
}

/// Returns the title of the trade-off chart's horizontal axis.
fn time_name(state: &State) -> &'static str {
    if has_game_time(state) {
        "share of game time"
    } else {
        "share of time"
    }
}

#[cfg(test)]
mod tests;
