//! A plot of one property of the most recent frames: its heading, its axis on the left, and its bars.

use super::columns::Columns;
use crate::app::widgets::{paint, theme};
use egui::text::LayoutJob;
use egui::{Align2, Color32, Galley, Mesh, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};
use lab::history::{PastFrame, WindowStats};
use std::sync::Arc;

/// The distance between a plot and the centre of its heading.
const HEADING_CENTER: f32 = 14.0;
const METRIC_GAP: f32 = 10.0;
const MIN_BAR_HEIGHT: f32 = 2.0;

/// A property of a frame that can be plotted.
pub type FrameProperty = fn(&PastFrame) -> f64;
pub const RUNS: FrameProperty = |past| past.record.runs.into();
pub const BACKLOG: FrameProperty = |past| past.record.backlog as f64;

/// Returns where a scale that includes `value` ends: at one of the `round_numbers` times a power of ten.
pub fn scale_end(round_numbers: &[u64], value: f64) -> f64 {
    let mut decade = 1.0;
    loop {
        let mut tops = round_numbers.iter().map(|&top| top as f64 * decade);
        if let Some(top) = tops.find(|&top| top >= value) {
            return top;
        }
        decade *= 10.0;
    }
}

/// A metric above a plot: the colour of its square (if any), its name, and its value (if known).
pub type Metric<'a> = (Option<Color32>, &'a str, Option<String>);

pub struct Plot<'a> {
    pub painter: &'a Painter,
    pub rect: Rect,
    pub columns: &'a Columns<'a>,
    pub stats: &'a WindowStats,
    pub displayed_or_newest: Option<&'a PastFrame>,
}

impl Plot<'_> {
    /// Returns the highest value of a property in the visible frames.
    pub fn highest(&self, property: FrameProperty) -> f64 {
        let values = self.columns.frames.iter().map(|past| property(past));
        values.fold(0.0, f64::max)
    }

    pub fn y_of_fraction(&self, fraction: f64) -> f32 {
        self.rect.bottom() - self.rect.height() * fraction as f32
    }

    /// Paints the name of the plot on the left and its metrics on the right. Metrics that do not fit are left out. The
    /// name is followed by the first of the `remarks` that fits.
    pub fn heading(&self, name: &str, remarks: &[&str], metrics: &[Metric<'_>]) {
        let (painter, plot) = (self.painter, self.rect);
        painter.rect_filled(plot, 0.0, theme::WELL);
        let room = plot.width() - paint::width(painter, name, 13.0) - METRIC_GAP;
        let jobs = (0..=metrics.len()).rev();
        let jobs = jobs.map(|count| metrics_job(&metrics[..count]));
        let y = plot.top() - HEADING_CENTER;
        let mut end = plot.right();
        let at = pos2(plot.right(), y);
        if let Some(shown) = paint::first_line(painter, at, Align2::RIGHT_CENTER, jobs, room) {
            end = shown.left() - METRIC_GAP;
        }
        paint::title(painter, pos2(plot.left(), y), name, remarks, end);
    }

    /// Paints grid lines at the bottom, in the middle and at the top of the plot. `label` returns the text for a height
    /// from 0 (bottom) to 1 (top).
    pub fn grid(&self, label: impl Fn(f64) -> String) {
        for share in [0.0, 0.5, 1.0] {
            let (y, edge) = (self.y_of_fraction(share), Stroke::new(1.0, theme::LINE));
            let x = self.rect.x_range();
            self.painter.hline(x, y.round() - 0.5, edge);
            let (at, font) = (pos2(self.rect.left() - 8.0, y), theme::mono(10.0));
            let (painter, align) = (self.painter, Align2::RIGHT_CENTER);
            painter.text(at, align, label(share), font, theme::DIM);
        }
    }

    /// Paints a bar for the value of each frame. All values except zero are high enough to be visible.
    pub fn bars(&self, property: FrameProperty, scale_end: f64, ink: Color32) {
        let mut mesh = Mesh::default();
        let (bottom, width) = (self.rect.bottom(), self.columns.width - 1.0);
        for (left, past) in self.columns.iter() {
            let value = property(past);
            if value > 0.0 {
                let top = self.y_of_fraction(value / scale_end);
                let y = top.min(bottom - MIN_BAR_HEIGHT).round()..=bottom;
                let bar = Rect::from_x_y_ranges(left..=left + width, y);
                mesh.add_colored_rect(bar, ink);
            }
        }
        self.painter.add(Shape::mesh(mesh));
    }

    /// Paints a horizontal dashed line at a fraction of the plot's height, and returns its y coordinate.
    pub fn dashed_line(&self, fraction: f64, stroke: Stroke, dash: f32) -> f32 {
        let y = self.y_of_fraction(fraction).round() - 0.5;
        let ends = [pos2(self.rect.left(), y), pos2(self.rect.right(), y)];
        let dashes = Shape::dashed_line(&ends, stroke, dash, 3.0);
        self.painter.extend(dashes);
        y
    }

    pub fn note(&self, at: Pos2, align: Align2, words: String, ink: Color32) {
        let galley = self.painter.layout_no_wrap(words, theme::text(10.5), ink);
        note(self.painter, at, align, galley);
    }
}

/// Paints text on a background that hides the plot behind it. Returns the area of the background.
pub fn note(painter: &Painter, at: Pos2, align: Align2, text: Arc<Galley>) -> Rect {
    paint::label(painter, at, align, text, vec2(3.0, 0.0), theme::WELL)
}

fn metrics_job(metrics: &[Metric<'_>]) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (square, name, value) in metrics {
        let gap = if job.is_empty() { 0.0 } else { METRIC_GAP };
        job.append(" ", gap, paint::centred(theme::text(12.0), theme::DIM));
        if let Some(ink) = square {
            job.append("■\u{a0}", 0.0, paint::centred(theme::mono(12.0), *ink));
        }
        let name = format!("{name} ").replace(' ', paint::NO_BREAK);
        job.append(&name, 0.0, paint::centred(theme::text(12.0), theme::DIM));
        let value = value.as_deref().unwrap_or("-");
        job.append(value, 2.0, paint::centred(theme::mono(12.0), theme::BRIGHT));
    }
    job
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_ends_at_round_numbers() {
        let times = |ms| scale_end(&[1, 2, 3, 4, 5, 6, 8, 10], ms);
        for (ms, top) in [(0.4, 1.0), (16.7, 20.0), (41.7, 50.0), (60.0, 60.0)] {
            assert_eq!(times(ms), top);
        }
        assert_eq!(times(61.0), 80.0);
        let counts = |count| scale_end(&[2, 4, 6, 8, 10], count);
        for (count, top) in [(0.0, 2.0), (3.0, 4.0), (11.0, 20.0), (401.0, 600.0)] {
            assert_eq!(counts(count), top);
        }
        assert_eq!(counts(u32::MAX.into()), 6e9);
    }
}
