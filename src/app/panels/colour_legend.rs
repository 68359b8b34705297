//! The legend that explains the colours of the capsules if they show staleness.

use crate::app::crowd::ramps::STALENESS;
use crate::app::widgets::paint::{fill_below, right};
use crate::app::widgets::theme;
use egui::{Painter, Pos2, Rect, pos2, vec2};

/// The height of the strip that contains the legend, in points.
pub const HEIGHT: f32 = 32.0;
const MIN_STRIP_WIDTH: f32 = 250.0;

/// Paints the legend in a single line that ends at `at`. Returns the x coordinate of the left end of the line.
pub fn line(painter: &Painter, at: Pos2) -> f32 {
    let words = |right_end: f32, words| {
        let at = pos2(right_end - 6.0, at.y);
        right(painter, at, words, 12.0, theme::DIM).left()
    };
    let end = words(at.x + 6.0, "10 s+") - 6.0;
    let bar = Rect::from_min_size(pos2(end - 90.0, at.y - 4.0), vec2(90.0, 8.0));
    let step = bar.width() / (STALENESS.len() - 1) as f32;
    let ramp = STALENESS.iter().enumerate().map(|(index, ink)| {
        let x = bar.left() + index as f32 * step;
        (pos2(x, bar.top()), *ink)
    });
    fill_below(painter, ramp, bar.bottom());
    words(words(bar.left(), "now"), "last run") // short for "time since the last run"
}

/// Paints the legend at the right end of a strip. If the strip is too small, it stays empty.
pub fn strip(painter: &Painter, strip: Rect) {
    painter.rect_filled(strip, 0.0, theme::FLOOR);
    if strip.height() >= HEIGHT && strip.width() >= MIN_STRIP_WIDTH {
        line(painter, pos2(strip.right() - 30.0, strip.center().y));
    }
}
