//! Headings, axis labels and notes of the plots.

use crate::app::widgets::buttons::line;
use crate::app::widgets::theme;
use egui::{Align2, Color32, Painter, Rect, pos2, vec2};

/// A figure above a plot: the colour of its dot, if any, its name and its value.
pub type HeadingFigure<'a> = (Option<Color32>, &'a str, String);

/// Paints a plot's name at its upper left, and as many of the first `figures` as fit at its upper right. If all figures
/// fit, the first of the `remarks` that has room follows the name.
pub fn heading(
    painter: &Painter,
    plot: Rect,
    name: &str,
    remarks: &[&str],
    figures: &[HeadingFigure<'_>],
) {
    let y = plot.top() - 15.0;
    let name_end = line(
        painter,
        pos2(plot.left(), y),
        &[(name, false, theme::BRIGHT)],
        13.0,
    );
    let layouts: Vec<_> = figures
        .iter()
        .map(|(dot, name, value)| {
            let name = painter.layout_no_wrap((*name).to_owned(), theme::text(12.0), theme::DIM);
            let value = painter.layout_no_wrap(value.clone(), theme::mono(12.0), theme::BRIGHT);
            let dot_width = if dot.is_some() { 16.0 } else { 0.0 };
            let width = dot_width + name.size().x + 6.0 + value.size().x + 14.0;
            (dot, dot_width, name, value, width)
        })
        .collect();
    let mut room = plot.right() - name_end;
    let fitting = layouts.iter().take_while(|(.., width)| {
        room -= width;
        room >= 0.0
    });
    let fitting = fitting.count();
    let mut right = plot.right();
    for (dot, dot_width, name, value, width) in layouts.into_iter().take(fitting).rev() {
        let left = right - width + 14.0;
        if let Some(dot) = dot {
            let square = Rect::from_center_size(pos2(left + 4.0, y), vec2(8.0, 8.0));
            painter.rect_filled(square, 2.0, *dot);
        }
        let name_left = pos2(left + dot_width, y - name.size().y / 2.0);
        let value_left = pos2(right - value.size().x, y - value.size().y / 2.0);
        painter.galley(name_left, name, theme::DIM);
        painter.galley(value_left, value, theme::BRIGHT);
        right -= width;
    }
    if fitting < figures.len() {
        return;
    }
    for remark in remarks {
        let galley = painter.layout_no_wrap((*remark).to_owned(), theme::text(12.0), theme::DIM);
        let left = pos2(name_end + 8.0, y - galley.size().y / 2.0);
        if left.x + galley.size().x < right {
            painter.galley(left, galley, theme::DIM);
            break;
        }
    }
}

/// Paints a label at a plot's left axis.
pub fn axis_label(painter: &Painter, plot: Rect, y: f32, text: String, ink: Color32) {
    let at = pos2(plot.left() - 8.0, y);
    painter.text(at, Align2::RIGHT_CENTER, text, theme::mono(10.0), ink);
}

/// Paints text in a plot, on a background that keeps it legible over the bars. Returns the background's area.
pub fn note(painter: &Painter, at: egui::Pos2, align: Align2, text: &str, ink: Color32) -> Rect {
    let galley = painter.layout_no_wrap(text.to_owned(), theme::text(10.5), ink);
    let ground = align.anchor_size(at, galley.size()).expand2(vec2(3.0, 0.0));
    painter.rect_filled(ground, 2.0, theme::WELL.gamma_multiply(0.75));
    painter.galley(ground.min + vec2(3.0, 0.0), galley, ink);
    ground
}
