//! What all plots have in common: a heading with figures, an axis with labels, bars and notes.

use crate::app::charts::columns::Columns;
use crate::app::widgets::{paint, theme};
use egui::{Align2, Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};
use headless::history::{History, PastFrame, WindowStats};

/// A property of frames. The frame with the most of it represents a column of several frames, so that no spike is
/// hidden.
#[derive(Clone, Copy)]
pub struct Peak {
    pub name: &'static str,
    of: fn(&PastFrame) -> f64,
}

pub const MOST_TASKS: Peak = Peak {
    name: "most tasks",
    of: |past| past.record.runs.into(),
};
pub const MOST_WRONG: Peak = Peak {
    name: "most looking wrong",
    of: |past| past.record.looking_wrong.unwrap_or(-1.0),
};
pub const LONGEST: Peak = Peak {
    name: "longest",
    of: |past| (past.record.length + past.outside).as_nanos() as f64,
};

impl Peak {
    /// Returns the frame to show. If several frames are equal, this is the earliest.
    pub fn in_column<'a>(self, frames: &[&'a PastFrame]) -> Option<&'a PastFrame> {
        let frames = frames.iter().copied();
        frames.reduce(|one, other| {
            if (self.of)(other) > (self.of)(one) {
                other
            } else {
                one
            }
        })
    }
}

/// A figure above a plot: the colour of its dot, if any, its name and its value.
pub type HeadingFigure<'a> = (Option<Color32>, &'a str, String);

/// Minimum space above a plot for two rows.
const HIGH: f32 = 33.0;
/// Space after a figure.
const AFTER: f32 = 14.0;

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
        let lay = |text: &str, font, ink| painter.layout_no_wrap(text.to_owned(), font, ink);
        let title = lay(name, theme::text(13.0), theme::BRIGHT);
        let figures: Vec<_> = figures
            .iter()
            .map(|(dot, name, value)| {
                let name = lay(name, theme::text(12.0), theme::DIM);
                let value = lay(value, theme::mono(12.0), theme::BRIGHT);
                let before = if dot.is_some() { 16.0 } else { 0.0 };
                let width = before + name.size().x + 6.0 + value.size().x;
                (dot, before, name, value, width)
            })
            .collect();
        // Figures beyond the last row are left out.
        let fitting = |from: usize, mut room: f32| {
            let fits = figures[from..].iter().take_while(|figure| {
                room -= figure.4 + AFTER;
                room >= 0.0
            });
            from + fits.count()
        };
        let first = fitting(0, plot.width() - title.size().x);
        let is_whole = first == figures.len();
        let rows = if is_whole || plot.top() - painter.clip_rect().top() < HIGH {
            vec![(0..first, 15.0)]
        } else {
            let second = fitting(first, plot.width() + AFTER);
            vec![(0..first, 25.0), (first..second, 10.0)]
        };
        let y = plot.top() - rows[0].1;
        let name_end = plot.left() + title.size().x;
        let at = pos2(plot.left(), y - title.size().y / 2.0);
        painter.galley(at, title, theme::BRIGHT);
        let mut right = plot.right();
        for (row, above) in rows {
            right = plot.right();
            let y = plot.top() - above;
            for (dot, before, name, value, width) in figures[row].iter().rev() {
                let left = right - width;
                if let Some(dot) = dot {
                    let square = Rect::from_center_size(pos2(left + 4.0, y), vec2(8.0, 8.0));
                    painter.rect_filled(square, 2.0, *dot);
                }
                let at = pos2(left + before, y - name.size().y / 2.0);
                painter.galley(at, name.clone(), theme::DIM);
                let at = pos2(right - value.size().x, y - value.size().y / 2.0);
                painter.galley(at, value.clone(), theme::BRIGHT);
                right -= width + AFTER;
            }
        }
        let style = (theme::text(12.0), theme::DIM);
        let room = if is_whole {
            right - name_end - 8.0
        } else {
            0.0
        };
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

    /// Paints a bar for each column with any of the `peak`'s property, whose axis ends at `top`. A bar is at least
    /// `least` points high, so that a small share is visible, and has a `gap` before the next column.
    pub fn bars(&self, peak: Peak, top: f64, ink: Color32, least: f32, gap: f32) {
        let mut mesh = Mesh::default();
        let bottom = self.rect.bottom();
        for (left, frames) in self.columns.iter() {
            let most = frames
                .iter()
                .map(|past| (peak.of)(past))
                .fold(0.0, f64::max);
            if most > 0.0 {
                let top = self.y(most / top).min(bottom - least).round();
                let right = left + self.columns.width - gap;
                let bar = Rect::from_min_max(pos2(left, top), pos2(right, bottom));
                mesh.add_colored_rect(bar, ink);
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use headless::testing::numbered_frame as past;
    use timeslicer::time::Nanos;

    #[test]
    fn column_shows_the_most_tasks_and_the_longest_frame() {
        let (mut busy, mut long, mut interrupted) = (past(0), past(1), past(2));
        busy.record.runs = 400;
        long.record.length = Nanos::from_millis(99);
        let picked = |peak: Peak, frames: &[&PastFrame]| {
            peak.in_column(frames).map(|past| past.record.number)
        };
        assert_eq!(picked(MOST_TASKS, &[&busy, &long]), Some(0));
        assert_eq!(picked(LONGEST, &[&busy, &long]), Some(1));
        interrupted.outside = Nanos::SECOND;
        assert_eq!(picked(LONGEST, &[&long, &interrupted]), Some(2));
        let (first, second) = (past(0), past(1));
        assert_eq!(picked(LONGEST, &[&first, &second]), Some(0));
        assert_eq!(picked(MOST_TASKS, &[]), None);
    }
}
