//! Chart of staleness against task time, one dot for each strategy, on logarithmic axes. It shows figures that `stats`
//! has computed.

use super::labels::{LabelPlace, Labelled, free_place, place_labels};
use super::log_axis::{LogAxis, is_positive};
use crate::app::widgets::{paint, theme};
use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};
use headless::text::format;

/// Room for the ticks' texts at the left and below.
pub const LEFT: f32 = 44.0;
pub const BELOW: f32 = 18.0;
/// Minimum width and height of the plot.
pub const LEAST: Vec2 = vec2(120.0, 50.0);
/// Minimum distances between ticks.
const TICKS: [f32; 2] = [56.0, 18.0];
/// Radius of a dot, and of the ring around the best.
const DOT: f32 = 4.5;
const RING: f32 = 8.0;
/// Size of the labels' text, and the margin around it.
const POINTS: f32 = 11.0;
const MARGIN: Vec2 = vec2(4.0, 1.0);
/// Number of lines that approximate the curve.
const CURVE: u32 = 48;
/// From this distance between a dot and the closest point of its label on, a line joins both.
const JOINED_FROM: f32 = 14.0;

/// Label of the minimum if it is a bound, and if not.
const IMPOSSIBLE: &str = "below this line: impossible";
const AT_REST: &str = "minimum for a target at rest; it moves";

#[derive(Clone, Debug)]
pub struct ChartPoint<'a> {
    pub lane: usize,
    pub caps: &'a str,
    pub name: &'a str,
    /// Task time per frame in milliseconds, and staleness in seconds. Both are positive.
    pub at: [f64; 2],
    pub is_within: bool,
    /// True for the best strategy within the budget.
    pub is_best: bool,
    pub is_selected: bool,
}

impl ChartPoint<'_> {
    /// Returns the label and its short form.
    fn labels(&self) -> [String; 2] {
        let (caps, name) = (self.caps, self.name);
        match caps {
            "" => [name.to_owned(), name.chars().take(3).collect()],
            caps => [format!("{caps} {name}"), caps.to_owned()],
        }
    }
}

#[derive(Clone, Debug)]
pub struct TradeOffChart<'a> {
    pub points: Vec<ChartPoint<'a>>,
    /// Time that a frame may spend on tasks, in milliseconds.
    pub budget_ms: f64,
    /// Product of task time per frame, in milliseconds, and the least staleness, in seconds, if it is known.
    pub minimum: Option<f64>,
    /// Time per frame that counts as task time in that product, because births replace runs.
    pub births_ms: f64,
    /// True if the target rests. Otherwise, the minimum is no bound.
    pub target_rests: bool,
}

#[derive(Clone, Debug)]
pub struct ChartLayout {
    pub plot: Rect,
    axes: [LogAxis; 2],
    pub dots: Vec<Pos2>,
    pub labels: Vec<Option<LabelPlace>>,
    pub budget: Option<Rect>,
    pub curve: Vec<Pos2>,
    pub remark: Option<Rect>,
}

impl TradeOffChart<'_> {
    fn budget_words(&self) -> String {
        format!("budget {} ms", format::number(self.budget_ms))
    }

    fn remark(&self) -> &'static str {
        if self.target_rests {
            IMPOSSIBLE
        } else {
            AT_REST
        }
    }

    /// Places the chart's parts in `area`. `size` measures a text. Returns `None` without room or without points.
    pub fn layout(&self, area: Rect, size: impl Fn(&str) -> Vec2) -> Option<ChartLayout> {
        let plot = area.with_min_x(area.left() + LEFT);
        let plot = plot.with_max_y(area.bottom() - BELOW);
        if self.points.is_empty() || !(plot.width() >= LEAST.x && plot.height() >= LEAST.y) {
            return None;
        }
        let [times, stale] = [0, 1].map(|axis| self.points.iter().map(move |it| it.at[axis]));
        let times = times.chain([self.budget_ms]);
        let x = LogAxis::covering(times, [plot.left(), plot.right()])?;
        let y = LogAxis::covering(stale, [plot.bottom(), plot.top()])?;
        let to_screen = |[time, staleness]: [f64; 2]| pos2(x.point(time), y.point(staleness));
        let dots: Vec<Pos2> = self.points.iter().map(|it| to_screen(it.at)).collect();
        let curve = self.curve(x, y);

        let label = |words: &str| size(words) + 2.0 * MARGIN;
        let mut lines: Vec<Rect> = curve
            .windows(2)
            .map(|ends| Rect::from_two_pos(ends[0], ends[1]).expand(1.0))
            .collect();
        let mut budget = None;
        if is_positive(self.budget_ms) {
            let (at, size) = (x.point(self.budget_ms), label(&self.budget_words()));
            lines.push(Rect::from_x_y_ranges(at - 2.0..=at + 2.0, plot.y_range()));
            let is_wide = at + 2.0 + size.x <= plot.right();
            let left = if is_wide { at + 2.0 } else { at - 2.0 - size.x };
            let place = Rect::from_min_size(pos2(left, plot.top() + 2.0), size);
            budget = Some(place).filter(|place| plot.contains_rect(*place));
        }
        let labelled = |(point, &dot): (&ChartPoint<'_>, &Pos2)| Labelled {
            dot,
            sizes: point.labels().map(|words| label(&words)),
            is_first: point.is_best || point.is_selected,
        };
        let labelled: Vec<Labelled> = self.points.iter().zip(&dots).map(labelled).collect();
        let labels = place_labels(plot, &labelled, budget.as_slice(), &lines);
        let mut taken: Vec<Rect> = dots.iter().map(|&dot| ring_around(dot)).collect();
        taken.extend(budget);
        taken.extend(labels.iter().flatten().map(|it| it.rect));
        let is_below_curve = |rect: &Rect| {
            let is_above = |at: &Pos2| at.x > rect.right() + 1.0 || at.y < rect.top();
            curve.iter().all(is_above) && curve.iter().any(|at| at.x > rect.right())
        };
        let remark = if curve.len() > 1 {
            free_place(plot, label(self.remark()), &taken, is_below_curve)
        } else {
            None
        };
        Some(ChartLayout {
            plot,
            axes: [x, y],
            dots,
            labels,
            budget,
            curve,
            remark,
        })
    }

    fn curve(&self, x: LogAxis, y: LogAxis) -> Vec<Pos2> {
        let Some(minimum) = self.minimum.filter(|&minimum| is_positive(minimum)) else {
            return Vec::new();
        };
        let births = self.births_ms.max(0.0);
        let points = x.steps(CURVE).map(|time| (time, minimum / (time + births)));
        points
            .filter(|(_, staleness)| y.contains(*staleness))
            .map(|(time, staleness)| pos2(x.point(time), y.point(staleness)))
            .collect()
    }
}

fn ring_around(dot: Pos2) -> Rect {
    Rect::from_center_size(dot, Vec2::splat(2.0 * RING))
}

impl ChartLayout {
    pub fn parts(&self, index: usize) -> impl Iterator<Item = Rect> {
        let label = self.labels[index].map(|it| it.rect);
        [ring_around(self.dots[index])].into_iter().chain(label)
    }

    pub fn paint(&self, painter: &Painter, chart: &TradeOffChart<'_>, hovered: Option<usize>) {
        painter.rect_filled(self.plot, 0.0, theme::WELL);
        self.paint_axes(painter);
        self.paint_minimum(painter, chart);
        if is_positive(chart.budget_ms) {
            let x = self.axes[0].point(chart.budget_ms).round() + 0.5;
            let line = [pos2(x, self.plot.top()), pos2(x, self.plot.bottom())];
            paint_dashes(painter, &line, Stroke::new(1.0, theme::TEXT));
        }
        if let Some(rect) = self.budget {
            paint_words(painter, rect, &chart.budget_words(), theme::TEXT);
        }
        for (index, (point, dot)) in chart.points.iter().zip(&self.dots).enumerate() {
            if let Some(label) = self.labels[index] {
                paint_label(painter, *dot, label, point, hovered == Some(index));
            }
        }
        for (dot, point) in self.dots.iter().zip(&chart.points) {
            paint_dot(painter, *dot, point);
        }
    }

    fn paint_axes(&self, painter: &Painter) {
        let (plot, [x, y]) = (self.plot, self.axes);
        let line = Stroke::new(1.0, theme::LINE);
        let text = |at, align, words: String| {
            painter.text(at, align, words, theme::mono(10.0), theme::DIM);
        };
        for tick in x.ticks(TICKS[0]) {
            let at = x.point(tick).round() + 0.5;
            painter.vline(at, plot.y_range(), line);
            let words = format!("{} ms", format::number(tick));
            text(pos2(at, plot.bottom() + 9.0), Align2::CENTER_CENTER, words);
        }
        for tick in y.ticks(TICKS[1]) {
            let at = y.point(tick).round() + 0.5;
            painter.hline(plot.x_range(), at, line);
            let beside = pos2(plot.left() - 6.0, at);
            text(beside, Align2::RIGHT_CENTER, seconds(tick));
        }
    }

    /// Paints the theoretical minimum. If it is a bound, the area below it is tinted.
    fn paint_minimum(&self, painter: &Painter, chart: &TradeOffChart<'_>) {
        if self.curve.len() < 2 {
            return;
        }
        // Without a tint, the label may be on the curve.
        let (line, words, ground) = if chart.target_rests {
            let tint = theme::TEAL_GROUND.gamma_multiply(0.45);
            let left = pos2(self.plot.left(), self.curve[0].y);
            let line = [left].into_iter().chain(self.curve.iter().copied());
            paint::fill_below(painter, line.map(|at| (at, tint)), self.plot.bottom());
            (theme::TEAL, theme::TEAL, Color32::TRANSPARENT)
        } else {
            (theme::DIM.gamma_multiply(0.5), theme::DIM, theme::WELL)
        };
        paint_dashes(painter, &self.curve, Stroke::new(1.2, line));
        if let Some(rect) = self.remark {
            painter.rect_filled(rect, 3.0, ground);
            paint_words(painter, rect, chart.remark(), words);
        }
    }
}

fn paint_dashes(painter: &Painter, points: &[Pos2], stroke: Stroke) {
    painter.extend(Shape::dashed_line(points, stroke, 4.0, 3.0));
}

fn paint_label(
    painter: &Painter,
    dot: Pos2,
    LabelPlace { rect, is_short }: LabelPlace,
    point: &ChartPoint<'_>,
    is_hovered: bool,
) {
    let closest = rect.clamp(dot);
    if closest.distance(dot) >= JOINED_FROM {
        let line = Stroke::new(1.0, theme::DIM.gamma_multiply(0.6));
        painter.line_segment([dot, closest], line);
    }
    if point.is_selected {
        paint::card(painter, rect, theme::CHOSEN_ROW, theme::TEAL);
    } else if is_hovered {
        painter.rect_filled(rect, 4.0, theme::BAR);
    }
    let ink = if point.is_best {
        theme::TEAL
    } else {
        theme::BRIGHT
    };
    let words = &point.labels()[usize::from(is_short)];
    paint_words(painter, rect, words, ink);
}

pub fn text_size(painter: &Painter, words: &str) -> Vec2 {
    painter
        .layout_no_wrap(words.to_owned(), theme::text(POINTS), theme::TEXT)
        .size()
}

/// Paints a dot: filled if the strategy keeps the budget, teal with a ring for the best of these.
fn paint_dot(painter: &Painter, at: Pos2, point: &ChartPoint<'_>) {
    if point.is_best {
        painter.circle_filled(at, DOT, theme::TEAL);
        painter.circle_stroke(at, RING - 0.5, Stroke::new(1.2, theme::TEAL));
    } else if point.is_within {
        painter.circle_filled(at, DOT, theme::BRIGHT);
    } else {
        painter.circle_filled(at, DOT, theme::WELL);
        painter.circle_stroke(at, DOT - 0.7, Stroke::new(1.4, theme::BRIGHT));
    }
    if point.is_selected && !point.is_best {
        painter.circle_stroke(at, RING - 1.5, Stroke::new(1.0, theme::TEAL));
    }
}

/// Formats a staleness for the axis, in seconds, or in milliseconds below a tenth of a second.
fn seconds(value: f64) -> String {
    // A tick of 0.1 may be computed a little less.
    if value > 0.099 {
        format!("{} s", format::number(value))
    } else {
        format!("{} ms", format::number(value * 1e3))
    }
}

fn paint_words(painter: &Painter, rect: Rect, words: &str, ink: Color32) {
    let font = theme::text(POINTS);
    painter.text(rect.min + MARGIN, Align2::LEFT_TOP, words, font, ink);
}
