//! Draws a chart on a [`Canvas`]: the grid, the curves, the marks, the ribbon and the legend, as lines, areas, marks and
//! texts. The scene names the meaning of a colour ([`Ink`]). The canvas chooses the colour and the font.

use super::{Chart, Position, StrategyCurve};
use crate::catalog::strategy::StrategyEntry;

/// A position in pixels.
pub type Point = [f64; 2];

const MIN_TICK_DISTANCES: [f64; 2] = [50.0, 19.0];
const RIBBON_HEIGHT: f64 = 18.0;
/// The height of the ribbon and of the gap between it and the plot.
pub const RIBBON_SPACE: f64 = 22.0;
const POINT_RADIUS: f64 = 2.0;
const MARK_RADIUS: f64 = 4.2;
const SAMPLE_WIDTH: f64 = 22.0;

pub struct Layout {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
    /// The left edge of the legend.
    pub legend: f64,
    /// The number of rows in the legend, and their height. Without enough rows, the last curves are left out.
    pub legend_rows: usize,
    pub legend_row_height: f64,
    pub font_size: f64,
}

impl Layout {
    pub fn at(&self, position: Position) -> Point {
        [self.x(position.x), self.y(position.y)]
    }

    pub fn x(&self, fraction: f64) -> f64 {
        self.left + fraction * self.width
    }

    fn y(&self, fraction: f64) -> f64 {
        self.top + (1.0 - fraction) * self.height
    }

    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pointed {
    Mark(usize),
    Point { lane: usize, index: usize },
}

/// The meaning of a colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ink {
    Ground,
    Grid,
    Axis,
    Text,
    Dim,
    Strategy(&'static StrategyEntry),
    Minimum,
    Exceeded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    Solid,
    Dashed,
    Dotted,
}

#[derive(Clone, Copy, Debug)]
pub struct Stroke {
    pub ink: Ink,
    pub opacity: f64,
    pub width: f64,
    pub pattern: Pattern,
}

fn solid(ink: Ink, width: f64) -> Stroke {
    Stroke {
        ink,
        opacity: 1.0,
        width,
        pattern: Pattern::Solid,
    }
}

/// Which part of a text is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Font {
    Plain,
    Bold,
    /// For tick labels.
    Figures,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    Plain,
    Recommended,
    Pointed,
}

pub trait Canvas {
    /// Returns the width of a text in the plain font.
    fn text_width(&self, words: &str) -> f64;

    /// Draws a convex area. Areas and lines with `is_in_plot` are clipped at the edges of the plot.
    fn area(&mut self, corners: &[Point], ink: Ink, opacity: f64, is_in_plot: bool);

    fn line(&mut self, points: &[Point], stroke: Stroke, is_in_plot: bool);

    /// Draws the mark of a strategy, which is either filled or hollow.
    fn mark(
        &mut self,
        at: Point,
        radius: f64,
        strategy: &'static StrategyEntry,
        is_filled: bool,
        kind: MarkKind,
    );

    /// Draws a line of text that is centred vertically.
    fn text(&mut self, at: Point, anchor: Anchor, ink: Ink, font: Font, words: &str);
}

/// Draws a chart from back to front. `pointed` is at the pointer, and each curve has one of the `notes` in the legend.
pub fn draw(
    canvas: &mut impl Canvas,
    chart: &Chart,
    layout: &Layout,
    pointed: Option<Pointed>,
    notes: &[String],
) {
    let mut scene = Scene {
        canvas,
        chart,
        layout,
        pointed,
    };
    scene.axes();
    scene.bound();
    for curve in chart.curves.iter().rev() {
        scene.curve(curve);
    }
    scene.vertical_line();
    scene.marks();
    scene.ribbon();
    scene.legend(notes);
}

struct Scene<'a, C> {
    canvas: &'a mut C,
    chart: &'a Chart,
    layout: &'a Layout,
    pointed: Option<Pointed>,
}

impl<C: Canvas> Scene<'_, C> {
    fn rectangle(
        &mut self,
        [left, right]: [f64; 2],
        [top, bottom]: [f64; 2],
        ink: Ink,
        opacity: f64,
    ) {
        let corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
        self.canvas.area(&corners, ink, opacity, false);
    }

    /// Adds the grid lines, the tick labels and the axes.
    fn axes(&mut self) {
        let layout = self.layout;
        let (left, right) = (layout.left, layout.right());
        let (top, bottom) = (layout.top, layout.bottom());
        let [across, upwards] = MIN_TICK_DISTANCES;
        for (fraction, label) in self.chart.x.ticks(across / layout.width) {
            let x = layout.x(fraction);
            let (line, below) = ([[x, top], [x, bottom]], [x, bottom + 12.0]);
            self.canvas.line(&line, solid(Ink::Grid, 1.0), false);
            self.canvas
                .text(below, Anchor::Middle, Ink::Dim, Font::Figures, &label);
        }
        for (fraction, label) in self.chart.y.ticks(upwards / layout.height) {
            let y = layout.y(fraction);
            let (line, beside) = ([[left, y], [right, y]], [left - 7.0, y]);
            self.canvas.line(&line, solid(Ink::Grid, 1.0), false);
            self.canvas
                .text(beside, Anchor::End, Ink::Dim, Font::Figures, &label);
        }
        let corners = [[left, top], [left, bottom], [right, bottom]];
        self.canvas.line(&corners, solid(Ink::Axis, 1.0), false);
    }

    fn bound_stroke(is_minimum: bool) -> Stroke {
        let ink = if is_minimum { Ink::Minimum } else { Ink::Axis };
        Stroke {
            pattern: Pattern::Dashed,
            ..solid(ink, 1.2)
        }
    }

    fn bound(&mut self) {
        let Some(bound) = &self.chart.bound else {
            return;
        };
        let [left, right] = bound.ends.map(|end| self.layout.at(end));
        if bound.is_minimum {
            let bottom = self.layout.bottom().max(right[1]);
            let corners = [left, right, [right[0], bottom], [left[0], bottom]];
            self.canvas.area(&corners, Ink::Minimum, 0.14, true);
        }
        let stroke = Self::bound_stroke(bound.is_minimum);
        self.canvas.line(&[left, right], stroke, true);
    }

    fn curve(&mut self, curve: &StrategyCurve) {
        let ink = Ink::Strategy(curve.strategy);
        let pointed = match self.pointed {
            Some(Pointed::Point { lane, index }) if lane == curve.lane => Some(index),
            _ => None,
        };
        let stroke = Stroke {
            opacity: if pointed.is_some() || curve.is_strong {
                1.0
            } else {
                0.65
            },
            ..solid(ink, if curve.is_strong { 2.0 } else { 1.2 })
        };
        for (is_solid, points) in curve.parts() {
            let points = points.into_iter().map(|at| self.layout.at(at));
            let points: Vec<Point> = points.collect();
            let pattern = if is_solid {
                Pattern::Solid
            } else {
                Pattern::Dotted
            };
            self.canvas
                .line(&points, Stroke { pattern, ..stroke }, true);
        }
        // Without marks for other settings, the points themselves have marks.
        let has_marks = !self.chart.marks.is_empty();
        let radius = if has_marks {
            POINT_RADIUS
        } else {
            1.6 * POINT_RADIUS
        };
        for point in curve.points.iter().filter(|point| point.at.is_in_plot()) {
            let kind = if pointed == Some(point.index) {
                MarkKind::Pointed
            } else {
                MarkKind::Plain
            };
            let at = self.layout.at(point.at);
            let (strategy, is_filled) = (curve.strategy, point.keeps_limits);
            self.canvas.mark(at, radius, strategy, is_filled, kind);
        }
    }

    /// Adds the vertical line, with its label next to its upper end.
    fn vertical_line(&mut self) {
        let Some((fraction, label)) = &self.chart.vertical_line else {
            return;
        };
        let layout = self.layout;
        let x = layout.x(*fraction);
        let stroke = Stroke {
            pattern: Pattern::Dashed,
            ..solid(Ink::Text, 1.2)
        };
        let line = [[x, layout.top], [x, layout.bottom()]];
        self.canvas.line(&line, stroke, false);
        let width = self.canvas.text_width(label);
        let is_right = x + width + 10.0 <= layout.right();
        let left = if is_right { x + 6.0 } else { x - 6.0 - width };
        let ends = [layout.top + 2.0, layout.top + 6.0 + layout.font_size];
        self.rectangle([left - 3.0, left + width + 3.0], ends, Ink::Ground, 0.8);
        let middle = f64::midpoint(ends[0], ends[1]);
        let at = [left, middle];
        self.canvas
            .text(at, Anchor::Start, Ink::Text, Font::Plain, label);
    }

    fn marks(&mut self) {
        for mark in &self.chart.marks {
            let kind = if self.pointed == Some(Pointed::Mark(mark.index)) {
                MarkKind::Pointed
            } else if mark.is_recommended {
                MarkKind::Recommended
            } else {
                MarkKind::Plain
            };
            let at = self.layout.at(mark.at);
            let (strategy, is_filled) = (mark.strategy, mark.keeps_limits);
            self.canvas.mark(at, MARK_RADIUS, strategy, is_filled, kind);
        }
    }

    /// Adds the words about each range of knob values, and a vertical line between ranges.
    fn ribbon(&mut self) {
        let top = self.layout.top - RIBBON_SPACE;
        let bottom = top + RIBBON_HEIGHT;
        for (index, section) in self.chart.sections.iter().enumerate() {
            let [left, right] = section.ends.map(|fraction| self.layout.x(fraction));
            let (ink, text_ink) = match section.strategy {
                Some(strategy) => (Ink::Strategy(strategy), Ink::Text),
                None => (Ink::Exceeded, Ink::Exceeded),
            };
            self.rectangle([left + 0.5, right - 0.5], [top, bottom], ink, 0.3);
            let middle = [left + 6.0, f64::midpoint(top, bottom)];
            let fits = |it: &&String| middle[0] + self.canvas.text_width(it) <= right;
            if let Some(words) = section.words.iter().find(fits) {
                let (start, font) = (Anchor::Start, Font::Plain);
                self.canvas.text(middle, start, text_ink, font, words);
            }
            if index > 0 {
                let border = [[left, top], [left, self.layout.bottom()]];
                self.canvas.line(&border, solid(Ink::Axis, 1.0), false);
            }
        }
    }

    /// Adds the column on the right that names the curves and, in the last row, the bound.
    fn legend(&mut self, notes: &[String]) {
        let layout = self.layout;
        let count = layout.legend_rows.saturating_sub(1);
        let mut top = layout.top;
        let mut row = |canvas: &mut C, stroke: Stroke, font: Font, name: &str, note: &str| {
            let middle = top + 0.6 * layout.font_size;
            let sample = [0.0, SAMPLE_WIDTH].map(|x| [layout.legend + x, middle]);
            canvas.line(&sample, stroke, false);
            let left = layout.legend + SAMPLE_WIDTH + 8.0;
            canvas.text([left, middle], Anchor::Start, Ink::Text, font, name);
            if !note.is_empty() {
                let below = [left, middle + 1.2 * layout.font_size];
                canvas.text(below, Anchor::Start, Ink::Dim, Font::Plain, note);
            }
            top += layout.legend_row_height;
            [layout.legend + SAMPLE_WIDTH / 2.0, middle]
        };
        for (index, curve) in self.chart.curves.iter().take(count).enumerate() {
            let (strategy, stroke) = (curve.strategy, solid(Ink::Strategy(curve.strategy), 2.0));
            let font = if curve.is_strong {
                Font::Bold
            } else {
                Font::Plain
            };
            let note = notes.get(index).map_or("", String::as_str);
            let at = row(self.canvas, stroke, font, strategy.name, note);
            let (is_filled, kind) = (curve.keeps_limits, MarkKind::Plain);
            self.canvas.mark(at, MARK_RADIUS, strategy, is_filled, kind);
        }
        if let Some(bound) = self.chart.bound.as_ref().filter(|_| count > 0) {
            let stroke = Self::bound_stroke(bound.is_minimum);
            row(self.canvas, stroke, Font::Plain, bound.name, "");
        }
    }
}
