//! Lays out and paints a chart.

use super::model::{ChartModel, Pointed, StrategyCurve};
use crate::app::widgets::{paint, theme};
use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};
use lab::catalog::strategy::{Family, STRATEGIES, StrategyEntry};

pub const FONT_SIZE: f32 = 11.0;
const Y_LABEL_WIDTH: f32 = 44.0;
const X_LABEL_HEIGHT: f32 = 22.0;
const MIN_PLOT_SIZE: Vec2 = vec2(160.0, 50.0);
const MIN_TICK_DISTANCE: Vec2 = vec2(50.0, 19.0);
const RIBBON_HEIGHT: f32 = 18.0;
/// The height of the ribbon and of the gap between it and the plot.
pub const RIBBON_SPACE: f32 = 22.0;
const LEGEND_WIDTH: f32 = 138.0;
const LEGEND_GAP: f32 = 22.0;
const LEGEND_ROW_HEIGHT: f32 = 14.0;
/// The width of the line beside a name in the legend.
const SAMPLE_WIDTH: f32 = 22.0;
const POINT_RADIUS: f32 = 1.5;
/// The radius of points in a chart without marks.
const LARGE_POINT_RADIUS: f32 = 2.7;
const MARK_RADIUS: f32 = 3.7;
pub const RING_RADIUS: f32 = 7.5;

/// Returns the plot of a chart in an area, and the number of rows in the legend, which is zero in a narrow area. Returns
/// `None` if there is no room for the chart.
pub fn layout(area: Rect, has_ribbon: bool) -> Option<(Rect, usize)> {
    let mut plot = area;
    plot.min.x += Y_LABEL_WIDTH;
    plot.min.y += if has_ribbon { RIBBON_SPACE } else { 0.0 };
    plot.max.y -= X_LABEL_HEIGHT;
    let has_legend = plot.width() >= MIN_PLOT_SIZE.x + LEGEND_GAP + LEGEND_WIDTH;
    let mut legend_rows = 0;
    if has_legend {
        plot.max.x -= LEGEND_GAP + LEGEND_WIDTH;
        legend_rows = ((area.bottom() - plot.top()) / LEGEND_ROW_HEIGHT) as usize;
    }
    let has_room = plot.width() >= MIN_PLOT_SIZE.x && plot.height() >= MIN_PLOT_SIZE.y;
    has_room.then_some((plot, legend_rows))
}

/// Paints a chart from back to front. `pointed` is the mark or point under the pointer.
pub fn paint(painter: &Painter, legend_rows: usize, chart: &ChartModel, pointed: Option<Pointed>) {
    painter.rect_filled(chart.plot, 0.0, theme::WELL);
    let inside = painter.with_clip_rect(chart.plot.intersect(painter.clip_rect()));
    paint_axes(painter, chart);
    if let Some(bound) = &chart.bound {
        let line = bound.ends.into_iter().map(|end| (end, bound.fill));
        let bottom = chart.plot.bottom().max(bound.ends[1].y);
        paint::fill_below(&inside, line, bottom);
        dashed_line(&inside, &bound.ends, bound.ink);
    }
    for curve in chart.curves.iter().rev() {
        paint_curve(painter, &inside, chart, curve, pointed);
    }
    paint_vertical_line(painter, chart);
    for (index, mark) in chart.marks.iter().enumerate() {
        let at = mark.at;
        let ink = strategy_colour(STRATEGIES[mark.lane]);
        paint_dot(painter, at, MARK_RADIUS, ink, mark.keeps_limits);
        if pointed == Some(Pointed::Mark(index)) {
            paint_ring(painter, at, theme::BRIGHT);
        } else if mark.is_recommended {
            paint_ring(painter, at, theme::TEAL);
        }
    }
    paint_ribbon(painter, chart);
    paint_legend(painter, legend_rows, chart);
}

/// Moves a point to the centre of a pixel, where horizontal and vertical lines are sharp.
fn sharp(at: Pos2) -> Pos2 {
    at.round() + vec2(0.5, 0.5)
}

fn sharp_line(painter: &Painter, points: &[Pos2], width: f32, ink: Color32) {
    let points = points.iter().copied().map(sharp).collect();
    painter.add(Shape::line(points, Stroke::new(width, ink)));
}

fn dashed_line(painter: &Painter, points: &[Pos2], ink: Color32) {
    painter.extend(Shape::dashed_line(points, Stroke::new(1.2, ink), 4.0, 3.0));
}

fn paint_dot(painter: &Painter, at: Pos2, radius: f32, ink: Color32, is_filled: bool) {
    let fill = if is_filled { ink } else { theme::WELL };
    painter.circle(at, radius, fill, Stroke::new(1.0, ink));
}

fn paint_ring(painter: &Painter, at: Pos2, ink: Color32) {
    painter.circle_stroke(at, RING_RADIUS, Stroke::new(1.2, ink));
}

/// Paints the grid lines, the tick labels and the axes.
fn paint_axes(painter: &Painter, chart: &ChartModel) {
    let plot = chart.plot;
    let label = |at: Pos2, align: Align2, words: String| {
        painter.text(at, align, words, theme::mono(10.0), theme::DIM);
    };
    for (x, words) in chart.x.ticks(MIN_TICK_DISTANCE.x) {
        let line = [pos2(x, plot.top()), pos2(x, plot.bottom())];
        sharp_line(painter, &line, 1.0, theme::LINE);
        let below = pos2(x, plot.bottom() + 12.0);
        label(below, Align2::CENTER_CENTER, words);
    }
    for (y, words) in chart.y.ticks(MIN_TICK_DISTANCE.y) {
        let line = [pos2(plot.left(), y), pos2(plot.right(), y)];
        sharp_line(painter, &line, 1.0, theme::LINE);
        let beside = pos2(plot.left() - 7.0, y);
        label(beside, Align2::RIGHT_CENTER, words);
    }
    let corners = [plot.left_top(), plot.left_bottom(), plot.right_bottom()];
    sharp_line(painter, &corners, 1.0, theme::DIM);
}

fn paint_curve(
    painter: &Painter,
    inside: &Painter,
    chart: &ChartModel,
    curve: &StrategyCurve,
    pointed: Option<Pointed>,
) {
    let ink = strategy_colour(STRATEGIES[curve.lane]);
    let is_pointed = matches!(pointed, Some(Pointed::Point { lane, .. }) if lane == curve.lane);
    let is_opaque = curve.is_strong || is_pointed;
    let opacity = if is_opaque { 1.0 } else { 0.65 };
    let width = if curve.is_strong { 2.0 } else { 1.2 };
    let stroke = Stroke::new(width, ink.gamma_multiply(opacity));
    for (is_solid, points) in curve.parts() {
        if is_solid {
            inside.add(Shape::line(points, stroke));
        } else {
            inside.extend(Shape::dashed_line(&points, stroke, 1.5, 3.5));
        }
    }
    let radius = if chart.marks.is_empty() {
        LARGE_POINT_RADIUS
    } else {
        POINT_RADIUS
    };
    for point in chart.visible_points(curve) {
        paint_dot(painter, point.at, radius, ink, point.keeps_limits);
        let (lane, index) = (curve.lane, point.index);
        if pointed == Some(Pointed::Point { lane, index }) {
            paint_ring(painter, point.at, theme::BRIGHT);
        }
    }
}

/// Paints the vertical line, with its label next to its upper end.
fn paint_vertical_line(painter: &Painter, chart: &ChartModel) {
    let Some((x, label)) = &chart.vertical_line else {
        return;
    };
    let plot = chart.plot;
    let line = [pos2(*x, plot.top()), pos2(*x, plot.bottom())].map(sharp);
    dashed_line(painter, &line, theme::TEXT);
    let width = paint::width(painter, label, FONT_SIZE);
    let is_right = x + width + 10.0 <= plot.right();
    let left = if is_right { x + 6.0 } else { x - 6.0 - width };
    let ground = Rect::from_x_y_ranges(
        left - 3.0..=left + width + 3.0,
        plot.top() + 2.0..=plot.top() + 6.0 + FONT_SIZE,
    );
    painter.rect_filled(ground, 0.0, theme::WELL.gamma_multiply(0.8));
    let at = pos2(left, ground.center().y);
    paint::left(painter, at, label, FONT_SIZE, theme::TEXT);
}

/// Paints the words about each range of knob values, and a vertical line between ranges.
fn paint_ribbon(painter: &Painter, chart: &ChartModel) {
    let top = chart.plot.top() - RIBBON_SPACE;
    for (index, section) in chart.sections.iter().enumerate() {
        let [left, right] = section.ends;
        let (fill, ink) = match section.strategy {
            Some(strategy) => (strategy_colour(strategy), theme::TEXT),
            None => (theme::AMBER, theme::AMBER),
        };
        let ribbon = Rect::from_x_y_ranges(left + 0.5..=right - 0.5, top..=top + RIBBON_HEIGHT);
        painter.rect_filled(ribbon, 0.0, fill.gamma_multiply(0.3));
        let at = pos2(left + 6.0, ribbon.center().y);
        paint::fitting(painter, at, &section.words, (FONT_SIZE, ink), right - at.x);
        if index > 0 {
            let border = [pos2(left, top), pos2(left, chart.plot.bottom())];
            sharp_line(painter, &border, 1.0, theme::DIM);
        }
    }
}

/// Paints the column on the right that names the curves and, in the last row, the bound. Without enough rows, the last
/// curves are left out.
fn paint_legend(painter: &Painter, rows: usize, chart: &ChartModel) {
    let count = rows.saturating_sub(1);
    let left = chart.plot.right() + LEGEND_GAP;
    let mut middle = chart.plot.top() + 0.6 * FONT_SIZE;
    let mut row = |name: &str, ink: Color32| {
        let sample = [pos2(left, middle), pos2(left + SAMPLE_WIDTH, middle)];
        let at = pos2(left + SAMPLE_WIDTH + 8.0, middle);
        paint::left(painter, at, name, FONT_SIZE, ink);
        middle += LEGEND_ROW_HEIGHT;
        sample
    };
    for curve in chart.curves.iter().take(count) {
        let strategy = STRATEGIES[curve.lane];
        let ink = if curve.is_strong {
            theme::BRIGHT
        } else {
            theme::TEXT
        };
        let [start, end] = row(strategy.name, ink);
        let colour = strategy_colour(strategy);
        sharp_line(painter, &[start, end], 2.0, colour);
        let at = start.lerp(end, 0.5);
        paint_dot(painter, at, MARK_RADIUS, colour, curve.keeps_limits);
    }
    if let Some(bound) = chart.bound.as_ref().filter(|_| count > 0) {
        let sample = row(bound.name, theme::TEXT);
        dashed_line(painter, &sample.map(sharp), bound.ink);
    }
}

/// Returns the line colour of a strategy. Strategies of the same family have similar colours.
pub fn strategy_colour(strategy: &StrategyEntry) -> Color32 {
    let shades: &[u32] = match strategy.family {
        Family::Periodic => &[
            0xb9_b2_a6, 0xd9_a9_bf, 0xb8_c7_8f, 0xf3_f0_ea, 0xa8_c4_cf, 0xd8_cc_9a, 0x8e_b8_a2,
        ],
        Family::OnRequest => &[0xd0_92_6c, 0xa8_77_5e],
        Family::BySignificance => &[0x6f_b5_f2, 0x8f_8f_f5, 0xc3_9b_f7],
    };
    let of_family = STRATEGIES
        .iter()
        .filter(|entry| entry.family == strategy.family);
    let index = of_family.take_while(|entry| **entry != strategy).count();
    let [_, red, green, blue] = shades[index % shades.len()].to_be_bytes();
    Color32::from_rgb(red, green, blue)
}
