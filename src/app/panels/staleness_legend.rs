//! Legend of the staleness colours.

use crate::app::capsules::staleness_ramp;
use crate::app::capsules::staleness_ramp::STALE_MS;
use crate::app::widgets::theme;
use egui::{Align2, Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

const BAR: egui::Vec2 = vec2(150.0, 8.0);
/// Height of the strip, and minimum width.
pub const HEIGHT: f32 = 32.0;
const WIDTH: f32 = 250.0;
/// Times below the bar, far enough apart not to touch.
const TICKS: [(f32, &str); 4] = [
    (0.0, "now"),
    (100.0, "0.1 s"),
    (1_000.0, "1 s"),
    (STALE_MS, "10 s+"),
];
const NAME: &str = "last run"; // short for: time since the last run

/// Paints the legend in one line that ends at `right`, vertically centred. Returns the left end.
pub fn line(painter: &Painter, right: Pos2) -> f32 {
    let font = theme::text(12.0);
    let text = |at: Pos2, words: &str| {
        painter.text(at, Align2::RIGHT_CENTER, words, font.clone(), theme::DIM)
    };
    let end = text(right, "10 s or more").left() - 6.0;
    let bar = Rect::from_min_size(pos2(end - 90.0, right.y - 4.0), vec2(90.0, 8.0));
    gradient(painter, bar);
    let now = text(pos2(bar.left() - 6.0, right.y), "now");
    text(pos2(now.left() - 6.0, right.y), NAME).left()
}

/// Paints the legend with ticks at the right end of `strip`, if there is room.
pub fn strip(painter: &Painter, strip: Rect) {
    painter.rect_filled(strip, 0.0, theme::FLOOR);
    if strip.height() < HEIGHT || strip.width() < WIDTH {
        return;
    }
    let corner = pos2(strip.right() - 30.0 - BAR.x, strip.top() + 6.0);
    let bar = Rect::from_min_size(corner, BAR);
    let at = pos2(bar.left() - 12.0, bar.center().y);
    let font = theme::text(12.0);
    painter.text(at, Align2::RIGHT_CENTER, NAME, font, theme::TEXT);
    gradient(painter, bar);
    for (ms, words) in TICKS {
        let x = bar.left() + bar.width() * staleness_ramp::place(ms);
        painter.vline(
            x,
            bar.bottom()..=bar.bottom() + 3.0,
            Stroke::new(1.0, theme::DIM),
        );
        let at = pos2(x, bar.bottom() + 11.0);
        let font = theme::text(10.5);
        painter.text(at, Align2::CENTER_CENTER, words, font, theme::TEXT);
    }
}

/// Paints the colours from just run to stalest.
pub fn gradient(painter: &Painter, bar: Rect) {
    const STEPS: usize = 32;
    let mut mesh = Mesh::default();
    for step in 0..=STEPS {
        let place = step as f32 / STEPS as f32;
        let [red, green, blue] = staleness_ramp::colour(place);
        let ink = Color32::from_rgb(red, green, blue);
        let x = bar.left() + bar.width() * place;
        mesh.colored_vertex(pos2(x, bar.top()), ink);
        mesh.colored_vertex(pos2(x, bar.bottom()), ink);
        if step > 0 {
            let last = 2 * step as u32;
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
    }
    painter.add(Shape::mesh(mesh));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_span_the_bar_and_do_not_touch() {
        let places = TICKS.map(|(ms, _)| BAR.x * staleness_ramp::place(ms));
        assert_eq!((places[0], places[3]), (0.0, BAR.x));
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] > 30.0));
    }
}
