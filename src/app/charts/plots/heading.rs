//! Headings, axis labels and notes of the plots.

use crate::app::widgets::buttons::line;
use crate::app::widgets::theme;
use egui::{Align2, Color32, Galley, Painter, Pos2, Rect, pos2, vec2};
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

/// A figure, laid out.
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

    /// Paints the figure, which ends at `right`.
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

/// Paints a plot's name at its upper left, and the `figures` at its upper right, in two rows if one is too short. If one
/// is enough, the first of the `remarks` that has room follows the name.
pub fn heading(
    painter: &Painter,
    plot: Rect,
    name: &str,
    remarks: &[&str],
    figures: &[HeadingFigure<'_>],
) {
    let figures: Vec<LaidOut> = figures
        .iter()
        .map(|figure| LaidOut::new(painter, figure))
        .collect();
    let widths: Vec<f32> = figures.iter().map(|it| it.width() + AFTER).collect();
    let at = |text: &str, font| painter.layout_no_wrap(text.to_owned(), font, theme::DIM);
    let name_width = at(name, theme::text(13.0)).size().x;
    let first = plot.width() - name_width;
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
    let parts = [(name, false, theme::BRIGHT)];
    let name_end = line(painter, pos2(plot.left(), y), &parts, 13.0);
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
    if !is_whole {
        return;
    }
    for remark in remarks {
        let galley = at(remark, theme::text(12.0));
        let start = pos2(name_end + 8.0, y - galley.size().y / 2.0);
        if start.x + galley.size().x < left {
            painter.galley(start, galley, theme::DIM);
            break;
        }
    }
}

/// Paints a label at a plot's left axis.
pub fn axis_label(painter: &Painter, plot: Rect, y: f32, text: String, ink: Color32) {
    let at = pos2(plot.left() - 8.0, y);
    painter.text(at, Align2::RIGHT_CENTER, text, theme::mono(10.0), ink);
}

/// Paints text in a plot, on a background that hides the bars and lines behind it. Returns the background's area.
pub fn note(painter: &Painter, at: Pos2, align: Align2, text: &str, ink: Color32) -> Rect {
    let galley = painter.layout_no_wrap(text.to_owned(), theme::text(10.5), ink);
    let ground = align.anchor_size(at, galley.size()).expand2(vec2(3.0, 0.0));
    painter.rect_filled(ground, 2.0, theme::WELL);
    painter.galley(ground.min + vec2(3.0, 0.0), galley, ink);
    ground
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_that_do_not_fit_one_row_take_two() {
        let widths = [100.0; 5];
        assert_eq!(rows::<1>(&widths, 520.0, 0.0), [5]);
        assert_eq!(rows::<2>(&widths, 270.0, 340.0), [2, 3]);
        assert_eq!(
            rows::<2>(&widths, 90.0, 340.0),
            [0, 3],
            "the last are left out"
        );
    }
}
