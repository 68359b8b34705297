//! Chart of staleness against task time, one dot for each strategy, on logarithmic axes. It shows figures that `stats`
//! has computed.

mod labels;
mod log_axis;

use crate::app::widgets::theme;
use egui::{
    Align2, Color32, CornerRadius, Mesh, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2,
    pos2, vec2,
};
use headless::text::format;
use labels::{LabelPlace, Labelled, place_labels};
use log_axis::{LogAxis, is_positive};

/// Room for the ticks' texts at the left and below.
const LEFT: f32 = 44.0;
const BELOW: f32 = 18.0;
/// Minimum width and height of the plot.
const LEAST: Vec2 = vec2(120.0, 50.0);
/// Minimum distances between ticks.
const TICKS: [f32; 2] = [56.0, 18.0];
/// Radius of a dot, and of the ring around the best.
const DOT: f32 = 4.5;
const RING: f32 = 8.0;
/// Size of the labels.
const POINTS: f32 = 11.0;
/// Margin around the text of a label.
const MARGIN: Vec2 = vec2(4.0, 1.0);
/// Number of lines that approximate the curve.
const CURVE: u32 = 48;
/// Lengths of the dashes of a line, and of the gaps between them.
const DASH: [f32; 2] = [4.0, 3.0];

/// Label of the minimum if it is a bound, and if not.
const IMPOSSIBLE: &str = "below this line: impossible";
const AT_REST: &str = "minimum for a target at rest; it moves";

/// A strategy in the chart.
#[derive(Clone, Debug)]
pub struct ChartPoint<'a> {
    /// Key of the strategy.
    pub caps: &'a str,
    /// Name of the strategy.
    pub name: &'a str,
    /// Task time per frame in milliseconds, and staleness in seconds; `None` without figures.
    pub at: Option<[f64; 2]>,
    /// True if the strategy keeps the budget.
    pub is_within: bool,
    /// True for the best strategy within the budget.
    pub is_best: bool,
    /// True for the selected strategy.
    pub is_selected: bool,
}

impl ChartPoint<'_> {
    /// Returns the whole label and a short one.
    fn labels(&self) -> [String; 2] {
        let (caps, name) = (self.caps, self.name);
        match caps {
            "" => [name.to_owned(), name.chars().take(3).collect()],
            caps => [format!("{caps} {name}"), caps.to_owned()],
        }
    }
}

/// Content of the chart.
#[derive(Clone, Debug)]
pub struct TradeOffChart<'a> {
    /// The strategies.
    pub points: &'a [ChartPoint<'a>],
    /// Time that a frame may spend on tasks, in milliseconds.
    pub budget_ms: f64,
    /// Product of task time per frame, in milliseconds, and the least staleness, in seconds, if it is known.
    pub minimum: Option<f64>,
    /// Time per frame that counts as task time in that product, because births replace runs.
    pub births_ms: f64,
    /// True if the target rests. Otherwise, the minimum is no bound.
    pub target_rests: bool,
}

/// Places of the chart's parts.
#[derive(Clone, Debug)]
pub struct ChartLayout {
    plot: Rect,
    axes: [LogAxis; 2],
    /// Dot of each strategy.
    pub dots: Vec<Option<Pos2>>,
    /// Label of each strategy.
    labels: Vec<Option<LabelPlace>>,
    /// Label of the budget, if it has room.
    budget: Option<Rect>,
    curve: Vec<Pos2>,
    /// Label of the curve, if it has room.
    remark: Option<Rect>,
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

    /// Places the chart's parts in `area`. `size` measures a text. Returns `None` without room or without figures.
    pub fn layout(&self, area: Rect, size: impl Fn(&str) -> Vec2) -> Option<ChartLayout> {
        let min = pos2(area.left() + LEFT, area.top());
        let plot = Rect::from_min_max(min, pos2(area.right(), area.bottom() - BELOW));
        if !(plot.width() >= LEAST.x && plot.height() >= LEAST.y) {
            return None;
        }
        let shown = || self.points.iter().filter_map(shown_at);
        shown().next()?;
        let times = shown().map(|at| at[0]).chain([self.budget_ms]);
        let x = LogAxis::covering(times, [plot.left(), plot.right()])?;
        let y = LogAxis::covering(shown().map(|at| at[1]), [plot.bottom(), plot.top()])?;
        let to_screen = |[time, staleness]: [f64; 2]| pos2(x.point(time), y.point(staleness));
        let dots: Vec<Option<Pos2>> = self
            .points
            .iter()
            .map(|it| shown_at(it).map(to_screen))
            .collect();

        let label = |words: &str| size(words) + 2.0 * MARGIN;
        let mut taken = Vec::new();
        let budget = is_positive(self.budget_ms).then(|| {
            let (at, size) = (x.point(self.budget_ms), label(&self.budget_words()));
            let is_wide = at + 2.0 + size.x <= plot.right();
            let left = if is_wide { at + 2.0 } else { at - 2.0 - size.x };
            Rect::from_min_size(pos2(left, plot.top() + 2.0), size)
        });
        let budget = budget.filter(|rect| plot.contains_rect(*rect));
        taken.extend(budget);
        let (mut labelled, mut indices) = (Vec::new(), Vec::new());
        for (index, (point, dot)) in self.points.iter().zip(&dots).enumerate() {
            if let Some(dot) = *dot {
                let sizes = point.labels().map(|words| label(&words));
                let is_first = point.is_best || point.is_selected;
                labelled.push(Labelled {
                    dot,
                    sizes,
                    is_first,
                });
                indices.push(index);
            }
        }
        let minimum = self.minimum.filter(|&minimum| is_positive(minimum));
        let on_curve = |minimum: f64| {
            let births = self.births_ms.max(0.0);
            let curve = move |time: f64| (time, minimum / (time + births));
            let steps = x.steps(CURVE).map(curve);
            let inside = steps.filter(|(_, staleness)| y.contains(*staleness));
            inside
                .map(|(time, staleness)| to_screen([time, staleness]))
                .collect()
        };
        let curve: Vec<Pos2> = minimum.map(on_curve).unwrap_or_default();
        let mut lines: Vec<Rect> = curve
            .windows(2)
            .map(|ends| Rect::from_two_pos(ends[0], ends[1]).expand(1.0))
            .collect();
        lines.extend(is_positive(self.budget_ms).then(|| {
            let at = x.point(self.budget_ms);
            Rect::from_x_y_ranges(at - 2.0..=at + 2.0, plot.y_range())
        }));
        let mut labels = vec![None; self.points.len()];
        for (index, place) in indices
            .into_iter()
            .zip(place_labels(plot, &labelled, &taken, &lines))
        {
            labels[index] = place;
        }
        taken.extend(labels.iter().flatten().map(|it: &LabelPlace| it.rect));
        taken.extend(
            dots.iter()
                .flatten()
                .map(|&dot| Rect::from_center_size(dot, Vec2::splat(2.0 * RING))),
        );
        let remark = (curve.len() > 1).then(|| {
            let below = |rect: &Rect| {
                curve
                    .iter()
                    .all(|at| at.x > rect.right() + 1.0 || at.y < rect.top())
                    && curve.iter().any(|at| at.x > rect.right())
            };
            free_place(plot, label(self.remark()), &taken, below)
        });
        Some(ChartLayout {
            plot,
            axes: [x, y],
            dots,
            labels,
            budget,
            curve,
            remark: remark.flatten(),
        })
    }
}

/// Returns the coordinates of a strategy, if a logarithmic chart can show them.
fn shown_at(point: &ChartPoint<'_>) -> Option<[f64; 2]> {
    point
        .at
        .filter(|at| at.iter().all(|&value| is_positive(value)))
}

/// Returns a place of this size inside `plot` that overlaps nothing in `taken`: one that `is_best` if there is any, the
/// lowest one at the left.
fn free_place(
    plot: Rect,
    size: Vec2,
    taken: &[Rect],
    is_best: impl Fn(&Rect) -> bool,
) -> Option<Rect> {
    const STEP: Vec2 = vec2(16.0, 6.0);
    let room = plot.shrink(4.0);
    let count = |extent: f32, step: f32| (extent / step).clamp(0.0, 200.0) as u32;
    let free = || {
        let rows = 0..=count(room.height() - size.y, STEP.y);
        let columns = 0..=count(room.width() - size.x, STEP.x);
        let places = rows.flat_map(move |row| columns.clone().map(move |column| (column, row)));
        let places = places.map(|(column, row)| {
            let up = room.bottom() - size.y - row as f32 * STEP.y;
            Rect::from_min_size(pos2(room.left() + column as f32 * STEP.x, up), size)
        });
        places.filter(|rect| {
            let overlaps = |other: &Rect| other.intersect(*rect).is_positive();
            room.contains_rect(*rect) && !taken.iter().any(overlaps)
        })
    };
    free().find(is_best).or_else(|| free().next())
}

impl ChartLayout {
    /// Returns the place of the plot.
    pub fn plot(&self) -> Rect {
        self.plot
    }

    /// Returns the places of a strategy that react to the pointer: its dot, and its label.
    pub fn parts(&self, index: usize) -> impl Iterator<Item = Rect> {
        let dot = self.dots.get(index).copied().flatten();
        let dot = dot.map(|dot| Rect::from_center_size(dot, Vec2::splat(2.0 * RING)));
        let label = self.labels.get(index).copied().flatten();
        dot.into_iter().chain(label.map(|it| it.rect))
    }

    /// Paints the chart. The strategy at `hovered` is under the pointer.
    pub fn paint(&self, painter: &Painter, chart: &TradeOffChart<'_>, hovered: Option<usize>) {
        painter.rect_filled(self.plot, 0.0, theme::WELL);
        self.paint_axes(painter);
        self.paint_minimum(painter, chart);
        self.paint_budget(painter, chart);
        for (index, point) in chart.points.iter().enumerate() {
            self.paint_label(painter, index, point, hovered == Some(index));
        }
        for (dot, point) in self.dots.iter().zip(chart.points) {
            if let Some(dot) = *dot {
                paint_dot(painter, dot, point);
            }
        }
    }

    fn paint_axes(&self, painter: &Painter) {
        let (plot, [x, y]) = (self.plot, self.axes);
        let (line, font) = (Stroke::new(1.0, theme::LINE), theme::mono(10.0));
        for tick in x.ticks(TICKS[0]) {
            let at = x.point(tick).round() + 0.5;
            painter.vline(at, plot.y_range(), line);
            let words = format!("{} ms", format::number(tick));
            let below = pos2(at, plot.bottom() + 9.0);
            painter.text(
                below,
                Align2::CENTER_CENTER,
                words,
                font.clone(),
                theme::DIM,
            );
        }
        for tick in y.ticks(TICKS[1]) {
            let at = y.point(tick).round() + 0.5;
            painter.hline(plot.x_range(), at, line);
            let beside = pos2(plot.left() - 6.0, at);
            painter.text(
                beside,
                Align2::RIGHT_CENTER,
                seconds(tick),
                font.clone(),
                theme::DIM,
            );
        }
    }

    /// Paints the theoretical minimum. If it is a bound, the area below it is tinted.
    fn paint_minimum(&self, painter: &Painter, chart: &TradeOffChart<'_>) {
        if self.curve.len() < 2 {
            return;
        }
        let ink = if chart.target_rests {
            let (first, floor) = (self.curve[0], self.plot.bottom());
            let left = pos2(self.plot.left(), first.y);
            let mut mesh = Mesh::default();
            let tint = theme::TEAL_GROUND.gamma_multiply(0.45);
            for (index, at) in [left].iter().chain(&self.curve).enumerate() {
                mesh.colored_vertex(*at, tint);
                mesh.colored_vertex(pos2(at.x, floor), tint);
                if index > 0 {
                    let last = 2 * index as u32;
                    mesh.add_triangle(last - 2, last - 1, last);
                    mesh.add_triangle(last - 1, last, last + 1);
                }
            }
            painter.add(Shape::mesh(mesh));
            theme::TEAL
        } else {
            theme::DIM.gamma_multiply(0.5)
        };
        let [dash, gap] = DASH;
        painter.extend(Shape::dashed_line(
            &self.curve,
            Stroke::new(1.2, ink),
            dash,
            gap,
        ));
        if let Some(rect) = self.remark {
            let ground = if chart.target_rests {
                Color32::TRANSPARENT
            } else {
                theme::WELL // without a tint, the label may be on the curve
            };
            painter.rect_filled(rect, CornerRadius::same(3), ground);
            let ink = if chart.target_rests {
                theme::TEAL
            } else {
                theme::DIM
            };
            paint_words(painter, rect, chart.remark(), ink);
        }
    }

    fn paint_budget(&self, painter: &Painter, chart: &TradeOffChart<'_>) {
        if !is_positive(chart.budget_ms) {
            return;
        }
        let x = self.axes[0].point(chart.budget_ms).round() + 0.5;
        let line = [pos2(x, self.plot.top()), pos2(x, self.plot.bottom())];
        let [dash, gap] = DASH;
        painter.extend(Shape::dashed_line(
            &line,
            Stroke::new(1.0, theme::TEXT),
            dash,
            gap,
        ));
        if let Some(rect) = self.budget {
            paint_words(painter, rect, &chart.budget_words(), theme::TEXT);
        }
    }

    fn paint_label(
        &self,
        painter: &Painter,
        index: usize,
        point: &ChartPoint<'_>,
        is_hovered: bool,
    ) {
        let (Some(place), Some(dot)) = (self.labels[index], self.dots[index]) else {
            return;
        };
        let line = Stroke::new(1.0, theme::DIM.gamma_multiply(0.6));
        if let Some(at) = place.joined_at {
            painter.line_segment([dot, at], line);
        }
        let corners = CornerRadius::same(4);
        if point.is_selected {
            painter.rect_filled(place.rect, corners, theme::CHOSEN_ROW);
            let edge = Stroke::new(1.0, theme::TEAL);
            painter.rect_stroke(place.rect, corners, edge, StrokeKind::Inside);
        } else if is_hovered {
            painter.rect_filled(place.rect, corners, theme::BAR);
        }
        let [whole, short] = point.labels();
        let words = if place.is_short { short } else { whole };
        let ink = if point.is_best {
            theme::TEAL
        } else {
            theme::BRIGHT
        };
        paint_words(painter, place.rect, &words, ink);
    }
}

/// Returns the size of a label's text.
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

#[cfg(test)]
mod tests;
