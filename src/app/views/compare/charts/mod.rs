//! The charts below the comparison table.
//!
//! - This file contains the heading with the tabs, and what both charts share.
//! - `trade_off` plots staleness over the fraction of time that is spent on tasks. Each strategy has a curve with one
//!   point for each value of its main knob, and a dot for its current setting.
//! - `crossovers` plots the best setting of each strategy over a knob of the workload. `ribbon` names the best strategy
//!   for each range of knob values.
//! - `labels` finds positions for labels that do not overlap.

mod crossovers;
mod labels;
mod ribbon;
mod trade_off;

use super::below::TITLE_CENTER_Y;
use super::{SIDE_MARGIN, has_game_time};
use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::state::State;
use crate::app::state::command::{Command, CompareCommand};
use crate::app::state::compare::{Chart, knobs_to_set};
use crate::app::widgets::buttons::wide_button;
use crate::app::widgets::{paint, theme, tooltip};
use egui::{
    Align, Align2, Color32, ComboBox, Galley, LayerId, Layout, Order, Painter, Pos2, Rect,
    Response, RichText, Shape, Stroke, Ui, UiBuilder, Vec2, pos2, vec2,
};
use lab::catalog::strategy::{Family, STRATEGIES, StrategyEntry};
use lab::chart::Axis;
use lab::judge::{Broken, OVER, Outcome, joined};
use lab::measure::WeightedStaleness::{self, Mean, Worst};
use lab::sim::settings::Settings;
use lab::text::format;
use lab::text::rich::Phrase;
use std::sync::Arc;

const HEADING_HEIGHT: f32 = 34.0;
const Y_LABEL_WIDTH: f32 = 44.0;
const X_LABEL_HEIGHT: f32 = 22.0;
const MIN_PLOT_SIZE: Vec2 = vec2(160.0, 50.0);
const BUTTON_HEIGHT: f32 = 20.0;
const LABEL_FONT_SIZE: f32 = 11.0;
const LABEL_MARGIN: Vec2 = vec2(4.0, 1.0);
const MIN_TICK_DISTANCES: [f64; 2] = [56.0, 18.0];
const KNOB_LIST_WIDTH: f32 = 104.0;
const MIN_WIDTH_FOR_SHORTCUTS: f32 = 420.0;
const MIN_WIDTH_FOR_ABSOLUTE: f32 = 330.0;
/// The widths of a card to try, in points. The first one at which the card fits beside the chart is used.
const CARD_WIDTHS: [f32; 4] = [400.0, 320.0, 240.0, 200.0];
/// A line or a dot is under the pointer if it is at most this far away, in points.
const POINTER_DISTANCE: f32 = 8.0;

/// The buttons that choose between mean and worst staleness, with their labels and tooltips. They are listed from right
/// to left because the layout adds widgets in this order.
const STALENESS_BUTTONS: [(WeightedStaleness, &str, &str); 2] = [
    (
        Worst,
        "Worst",
        "Compares the strategies by their worst weighted staleness, which is the largest product of a task's weight \
            and staleness.",
    ),
    (
        Mean,
        "Mean",
        "Compares the strategies by the mean staleness of all tasks, weighted by their significance.",
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
    // Tooltips and cards must not cover the table, which is above the chart.
    let room = Rect::from_x_y_ranges(ui.ctx().screen_rect().x_range(), rect.y_range());
    if plot.width() >= MIN_PLOT_SIZE.x && plot.height() >= MIN_PLOT_SIZE.y {
        let painter = ui.painter().with_clip_rect(rect);
        let pointed = match state.compare.chart {
            Chart::TradeOff => trade_off::show(ui, &painter, plot, state, output),
            Chart::Crossovers => crossovers::show(ui, &painter, plot, state, output),
        };
        if let Some((response, setting)) = pointed {
            setting.paint_card(&response, inner, room);
            if response.clicked() && !output.list_was_open {
                output.commands.extend(setting.commands);
            }
        }
    }
    tooltip::keep_in(ui.ctx(), inner, room);
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
        let key = caps_of(Command::Compare(CompareCommand::Chart(Chart::Crossovers)));
        let key = if has_key { key } else { "" };
        let response = wide_button(0.0, words, key, is_shown).show(&mut tabs);
        output.report(format!("chart:{words}"), response.rect);
        if response.clicked() && !is_shown {
            output
                .commands
                .push(Command::Compare(CompareCommand::Chart(chart)));
        }
        tooltip::offer(&response, help);
    }
    let left = tabs.min_rect().right() + 8.0;

    let mut controls = ui.new_child(of(Layout::right_to_left(Align::Center), "chart"));
    style(&mut controls);
    for (staleness, words, help) in STALENESS_BUTTONS {
        let is_shown = staleness == state.compare.staleness;
        let key = caps_of(Command::Compare(CompareCommand::TradeOff));
        let key = if is_shown { "" } else { key };
        let response = wide_button(0.0, words, key, is_shown).show(&mut controls);
        output.report(format!("trade-off:{words}"), response.rect);
        if response.clicked() && !is_shown {
            output
                .commands
                .push(Command::Compare(CompareCommand::TradeOff));
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
        output
            .commands
            .push(Command::Compare(CompareCommand::Absolute));
    }
    let relative = trade_off::relative_words(state);
    tooltip::offer(
        &response,
        if is_absolute {
            format!("The chart shows staleness as a time. Click to show it {relative}.")
        } else {
            format!("The chart shows staleness {relative}. Click to show it as a time.")
        },
    );
}

/// Shows a drop-down list for choosing the knob on the horizontal axis of the crossovers chart.
fn show_knob_list(ui: &mut Ui, state: &State, output: &mut UiOutput) {
    let over = state.compare.best_setting.over;
    ui.spacing_mut().button_padding = vec2(7.0, 1.0);
    let list = ComboBox::from_id_salt("over")
        .width(KNOB_LIST_WIDTH)
        .selected_text(RichText::new(over.label).size(LABEL_FONT_SIZE));
    let list = list.show_ui(ui, |ui| {
        output.list_is_open = true;
        for (knob, _) in &OVER {
            let item = ui.selectable_label(*knob == *over, knob.label);
            output.report(format!("over:{}", knob.key), item.rect);
            tooltip::offer(&item, crossovers::knob_tooltip(knob));
            if item.clicked() {
                output
                    .commands
                    .push(Command::Compare(CompareCommand::Over(knob)));
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

/// Returns the screen position of a point, which may lie outside the plot.
fn place(x: Axis, y: Axis, at: (f64, f64)) -> Pos2 {
    const FAR: f64 = 1e5;
    let [x, y] = [x.at(at.0), y.at(at.1)].map(|it| it.clamp(-FAR, FAR) as f32);
    pos2(x, y)
}

fn lay(painter: &Painter, words: impl Into<String>, ink: Color32) -> Arc<Galley> {
    painter.layout_no_wrap(words.into(), theme::text(LABEL_FONT_SIZE), ink)
}

/// Returns the size of a text on a background.
fn label_size(words: &Galley) -> Vec2 {
    words.size() + 2.0 * LABEL_MARGIN
}

/// Paints a text on a background that lets the chart shine through.
fn paint_label(painter: &Painter, place: Rect, words: Arc<Galley>) {
    painter.rect_filled(place, 3.0, theme::WELL.gamma_multiply(0.8));
    painter.galley(place.min + LABEL_MARGIN, words, theme::TEXT);
}

/// Paints a message in the middle of a plot that has nothing to show yet.
fn paint_message(painter: &Painter, plot: Rect, words: &str) {
    let words = lay(painter, words, theme::DIM);
    paint::galley(
        painter,
        plot.center(),
        Align2::CENTER_CENTER,
        words,
        theme::DIM,
    );
}

fn paint_dashes(painter: &Painter, points: &[Pos2], stroke: Stroke) {
    painter.extend(Shape::dashed_line(points, stroke, 4.0, 3.0));
}

/// Paints the point of a line that is under the pointer.
fn paint_pointed(painter: &Painter, at: Pos2, ink: Color32) {
    painter.circle_filled(at, 3.5, ink);
    painter.circle_stroke(at, 5.5, Stroke::new(1.0, theme::BRIGHT));
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
    let [across, upwards] = MIN_TICK_DISTANCES;
    for tick in x.ticks(across) {
        let at = x.at(tick).round() as f32 + 0.5;
        painter.vline(at, plot.y_range(), line);
        let below = pos2(at, plot.bottom() + 9.0);
        text(below, Align2::CENTER_CENTER, words_of_x(tick));
    }
    for tick in y.ticks(upwards) {
        let at = y.at(tick).round() as f32 + 0.5;
        painter.hline(plot.x_range(), at, line);
        let beside = pos2(plot.left() - 6.0, at);
        text(beside, Align2::RIGHT_CENTER, words_of_y(tick));
    }
}

/// Formats a multiple for a tick label, such as `1.2`.
fn times_tick(times: f64) -> String {
    format!("{times:.1}")
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

/// Returns the index of the line that is closest to the pointer, and the index of the closest point on this line.
/// Returns `None` if no line is near the pointer. If the line with the index `preferred` is almost as close as the
/// closest line, it is chosen instead.
fn nearest(
    lines: &[Vec<Pos2>],
    plot: Rect,
    at: Pos2,
    preferred: Option<usize>,
) -> Option<[usize; 2]> {
    let distance_to = |line: &[Pos2]| {
        if let [point] = *line {
            return point.distance(at);
        }
        let parts = line.windows(2).map(|ends| distance(at, ends[0], ends[1]));
        parts.fold(f32::INFINITY, f32::min)
    };
    let all = lines.iter().enumerate();
    let all = all.map(|(index, line)| {
        let bonus = if preferred == Some(index) { 0.5 } else { 0.0 };
        (index, distance_to(line) - bonus)
    });
    let (line, far) = all.min_by(|one, other| one.1.total_cmp(&other.1))?;
    let points = lines[line].iter().enumerate();
    let inside = points.filter(|(_, point)| plot.expand(1.0).contains(**point));
    let point = inside.min_by(|one, other| one.1.distance(at).total_cmp(&other.1.distance(at)))?;
    (far <= POINTER_DISTANCE).then_some([line, point.0])
}

/// Returns the distance between a point and a line segment.
fn distance(point: Pos2, from: Pos2, to: Pos2) -> f32 {
    let (by, offset) = (to - from, point - from);
    let share = (offset.dot(by) / by.length_sq().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    (offset - share * by).length()
}

/// Returns the commands that give a strategy its knob values in `tried`, and select it.
fn set_commands(lane: usize, tried: &Settings, state: &State) -> Vec<Command> {
    let values = knobs_to_set(tried, &state.settings).into_iter();
    let set = values.map(|(knob, value)| Command::SetKnob(knob, value));
    set.chain([Command::Compare(CompareCommand::SelectLane(lane))])
        .collect()
}

/// The setting under the pointer, as the card beside the chart describes it.
struct PointedSetting {
    at: Pos2,
    title: String,
    /// The staleness of this setting compared with that of other settings.
    comparison: String,
    effects: String,
    broken: Vec<String>,
    click: String,
    /// The commands that a click gives.
    commands: Vec<Command>,
}

impl PointedSetting {
    /// Describes a setting that a click sets with `commands`.
    fn new(
        at: Pos2,
        title: String,
        comparison: &Phrase,
        outcome: &Outcome,
        broken: &[Broken],
        commands: Vec<Command>,
    ) -> Self {
        Self {
            at,
            title,
            comparison: comparison.with_capital().to_string(),
            effects: joined(&outcome.effects(), "; ").to_string(),
            broken: broken.iter().map(|it| it.words().to_string()).collect(),
            click: "Click to set it.".to_owned(),
            commands,
        }
    }

    /// Paints a card beside the chart, where it hides neither the chart nor the table.
    fn paint_card(&self, response: &Response, chart: Rect, room: Rect) {
        let layer = LayerId::new(Order::Tooltip, response.id);
        let painter = response.ctx.layer_painter(layer);
        let lay = |width: f32| {
            let broken = self.broken.iter();
            let broken = broken.map(|it| (format!("Exceeds a limit: {it}."), theme::AMBER));
            let first = [
                (self.title.clone(), theme::BRIGHT),
                (self.comparison.clone(), theme::TEXT),
                (self.effects.clone(), theme::TEXT),
            ];
            let last = (self.click.clone(), theme::DIM);
            let lines = first.into_iter().chain(broken).chain([last]);
            let lines =
                lines.map(|(words, ink)| painter.layout(words, theme::text(11.5), ink, width));
            let lines: Vec<Arc<Galley>> = lines.collect();
            let width = lines.iter().map(|it| it.size().x).fold(0.0, f32::max);
            let height: f32 = lines.iter().map(|it| it.size().y).sum();
            let size = vec2(width, height) + vec2(16.0, 10.0);
            (tooltip::beside(chart, size, room, self.at), lines)
        };
        let mut cards = CARD_WIDTHS.into_iter().map(lay);
        let best = cards.find(|(place, _)| !place.intersect(chart).is_positive());
        let (place, lines) = best.unwrap_or_else(|| lay(CARD_WIDTHS[0]));
        paint::card(&painter, place, theme::BAR, theme::HOVER);
        let mut top = place.min + vec2(8.0, 5.0);
        for line in lines {
            let size = line.size();
            painter.galley(top, line, theme::TEXT);
            top.y += size.y;
        }
    }
}

#[cfg(test)]
mod tests;
