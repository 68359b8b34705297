//! What all plots have in common: a heading with figures, an axis with labels, bars and notes.

use super::columns::Columns;
use crate::app::widgets::{paint, theme};
use egui::{Align2, Color32, Galley, Mesh, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};
use headless::history::{History, PastFrame, WindowStats};
use std::sync::Arc;

/// A figure above a plot: the colour of its dot, if any, its name and its value.
pub type HeadingFigure<'a> = (Option<Color32>, &'a str, String);

/// Distances of a heading's row from the plot: of the only row, and of two rows.
const ONE_ROW: [f32; 1] = [15.0];
const TWO_ROWS: [f32; 2] = [25.0, 10.0];
/// Minimum space above a plot for two rows.
const HIGH: f32 = 33.0;
/// Space after a figure.
const AFTER: f32 = 14.0;

struct LaidOut {
    dot: Option<Color32>,
    name: Arc<Galley>,
    value: Arc<Galley>,
}

impl LaidOut {
    fn new(painter: &Painter, (dot, name, value): &HeadingFigure<'_>) -> Self {
        let lay = |text: &str, font| painter.layout_no_wrap(text.to_owned(), font, theme::DIM);
        Self {
            dot: *dot,
            name: lay(name, theme::text(12.0)),
            value: lay(value, theme::mono(12.0)),
        }
    }

    fn dot_width(&self) -> f32 {
        if self.dot.is_some() { 16.0 } else { 0.0 }
    }

    fn width(&self) -> f32 {
        self.dot_width() + self.name.size().x + 6.0 + self.value.size().x
    }

    fn paint(&self, painter: &Painter, right: f32, y: f32) {
        let left = right - self.width();
        if let Some(dot) = self.dot {
            let square = Rect::from_center_size(pos2(left + 4.0, y), vec2(8.0, 8.0));
            painter.rect_filled(square, 2.0, dot);
        }
        let name = pos2(left + self.dot_width(), y - self.name.size().y / 2.0);
        let value = pos2(right - self.value.size().x, y - self.value.size().y / 2.0);
        painter.galley(name, self.name.clone(), theme::DIM);
        painter.galley_with_override_text_color(value, self.value.clone(), theme::BRIGHT);
    }
}

/// Returns the number of figures in each row, with these widths. The first row has less room than the others. Figures
/// beyond the last row are left out.
fn rows<const N: usize>(widths: &[f32], first: f32, others: f32) -> [usize; N] {
    let mut rest = widths;
    std::array::from_fn(|row| {
        let mut room = if row == 0 { first } else { others };
        let fitting = rest.iter().take_while(|width| {
            room -= *width;
            room >= 0.0
        });
        let count = fitting.count();
        rest = &rest[count..];
        count
    })
}

#[derive(Clone, Copy)]
pub struct Plot<'a> {
    pub painter: &'a Painter,
    pub rect: Rect,
    pub columns: &'a Columns<'a>,
    pub history: &'a History,
    pub stats: &'a WindowStats,
}

impl Plot<'_> {
    /// Returns the vertical position of a share of the plot's height.
    pub fn y(&self, share: f64) -> f32 {
        self.rect.bottom() - self.rect.height() * share as f32
    }

    /// Paints the plot's name at its upper left, and the `figures` at its upper right, in two rows if one is too short.
    /// If one is enough, the first of the `remarks` that has room follows the name.
    pub fn heading(&self, name: &str, remarks: &[&str], figures: &[HeadingFigure<'_>]) {
        let (painter, plot) = (self.painter, self.rect);
        let lay = |figure| LaidOut::new(painter, figure);
        let figures: Vec<LaidOut> = figures.iter().map(lay).collect();
        let widths: Vec<f32> = figures.iter().map(|it| it.width() + AFTER).collect();
        let name = painter.layout_no_wrap(name.to_owned(), theme::text(13.0), theme::BRIGHT);
        let first = plot.width() - name.size().x;
        let [in_one] = rows::<1>(&widths, first, 0.0);
        let is_whole = in_one == figures.len();
        let is_high = plot.top() - painter.clip_rect().top() >= HIGH;
        let (counts, above): (Vec<usize>, &[f32]) = if is_whole || !is_high {
            (vec![in_one], &ONE_ROW)
        } else {
            let counts = rows::<2>(&widths, first, plot.width() + AFTER);
            (counts.to_vec(), &TWO_ROWS)
        };
        let y = plot.top() - above[0];
        let name_end = plot.left() + name.size().x;
        painter.galley(
            pos2(plot.left(), y - name.size().y / 2.0),
            name,
            theme::BRIGHT,
        );
        let mut rest = &figures[..];
        let mut left = plot.right();
        for (count, above) in counts.into_iter().zip(above) {
            let (row, others) = rest.split_at(count);
            rest = others;
            let mut right = plot.right();
            for figure in row.iter().rev() {
                figure.paint(painter, right, plot.top() - above);
                right -= figure.width() + AFTER;
            }
            left = left.min(right);
        }
        let style = (theme::text(12.0), theme::DIM);
        let room = if is_whole { left - name_end - 8.0 } else { 0.0 };
        if let Some(remark) = paint::fitting(painter, remarks.iter().copied(), style, room) {
            let start = pos2(name_end + 8.0, y - remark.size().y / 2.0);
            painter.galley(start, remark, theme::DIM);
        }
        painter.rect_filled(plot, 0.0, theme::WELL);
    }

    pub fn axis_label(&self, y: f32, text: String, ink: Color32) {
        let (at, font) = (pos2(self.rect.left() - 8.0, y), theme::mono(10.0));
        self.painter.text(at, Align2::RIGHT_CENTER, text, font, ink);
    }

    /// Paints lines at the bottom, in the middle and at the top, with a label for each share.
    pub fn grid(&self, label: impl Fn(f64) -> String) {
        for share in [0.0, 0.5, 1.0] {
            let y = self.y(share);
            let edge = Stroke::new(1.0, theme::LINE);
            self.painter
                .hline(self.rect.x_range(), y.round() - 0.5, edge);
            self.axis_label(y, label(share), theme::DIM);
        }
    }

    /// Paints a bar for each column in which `share` is positive. It is at least `least` points high, so that a small
    /// share is visible, and has a `gap` before the next column.
    pub fn bars(
        &self,
        ink: Color32,
        least: f32,
        gap: f32,
        share: impl Fn(&[&PastFrame]) -> Option<f64>,
    ) {
        let mut mesh = Mesh::default();
        let bottom = self.rect.bottom();
        for (left, frames) in self.columns.iter() {
            let Some(share) = share(frames).filter(|share| *share > 0.0) else {
                continue;
            };
            let top = self.y(share).min(bottom - least).round();
            let right = left + self.columns.width - gap;
            let bar = Rect::from_min_max(pos2(left, top), pos2(right, bottom));
            mesh.add_colored_rect(bar, ink);
        }
        self.painter.add(Shape::mesh(mesh));
    }

    pub fn dashed_line(&self, y: f32, stroke: Stroke, [dash, gap]: [f32; 2]) {
        let ends = [pos2(self.rect.left(), y), pos2(self.rect.right(), y)];
        self.painter
            .extend(Shape::dashed_line(&ends, stroke, dash, gap));
    }
}

/// Paints text in a plot, on a background that hides the bars and lines behind it. Returns the background's area.
pub fn note(painter: &Painter, at: Pos2, align: Align2, text: &str, ink: Color32) -> Rect {
    let galley = painter.layout_no_wrap(text.to_owned(), theme::text(10.5), ink);
    paint::label(painter, at, align, galley, vec2(3.0, 0.0), theme::WELL)
}
