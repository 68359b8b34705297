//! The target that the crowd watches, and its trail.

use super::inspector;
use crate::app::capsules::screen_map::ScreenMap;
use crate::app::widgets::{paint, theme};
use egui::{Align2, Painter, Pos2, Rect, Stroke, vec2};
use headless::history::History;
use headless::sim::world::Point;
use headless::text::format;
use timeslicer::time::{GameTime, Nanos};

/// Distance from the middle of the sign within which a click is on the target.
pub const REACH: f32 = 12.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    Free,
    Led,
    Pinned,
}

/// Paints the target. If capsules are smaller than pixels, also shows the number of entities per pixel.
pub fn paint(painter: &Painter, map: &ScreenMap, target: Point, motion: Motion) {
    let (view, per_pixel) = (map.view(), map.places_per_pixel());
    paint_sign(painter, map.to_screen(target), view, motion);
    if per_pixel > 0.5 {
        let text = format!(
            "about {} entities per pixel",
            format::number(f64::from(per_pixel))
        );
        inspector::badge(
            painter,
            view.left_bottom() + vec2(38.0, -38.0),
            Align2::LEFT_CENTER,
            &text,
        );
    }
}

fn paint_sign(painter: &Painter, at: Pos2, view: Rect, motion: Motion) {
    let stroke = Stroke::new(1.6, theme::TEAL);
    painter.circle_filled(at, 9.0, theme::FLOOR.gamma_multiply(0.35));
    painter.circle_stroke(at, 9.0, stroke);
    painter.circle_filled(at, 2.5, theme::TEAL);
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let direction = vec2(x, y);
        painter.line_segment([at + direction * 7.0, at + direction * 12.0], stroke);
    }
    let words = match motion {
        Motion::Free => "target",
        Motion::Led => "target: your pointer",
        Motion::Pinned => "target: pinned",
    };
    if motion == Motion::Pinned {
        painter.circle_filled(at, 5.0, theme::TEAL);
    }
    let galley = painter.layout_no_wrap(words.to_owned(), theme::text(12.0), theme::TEAL);
    let (side, align) = if at.x > view.right() - galley.size().x - 40.0 {
        (-16.0, Align2::RIGHT_CENTER)
    } else {
        (16.0, Align2::LEFT_CENTER)
    };
    let up = if at.y < view.top() + 30.0 {
        14.0
    } else {
        -14.0
    };
    let (at, ground) = (at + vec2(side, up), theme::FLOOR.gamma_multiply(0.8));
    paint::label(painter, at, align, galley, vec2(5.0, 2.0), ground);
}

pub fn trail(painter: &Painter, map: &ScreenMap, history: &History, now: GameTime) {
    const FOR: Nanos = Nanos::from_millis(1200);
    let recent = history
        .frames()
        .iter()
        .rev()
        .take_while(|past| now - past.now < FOR);
    let points: Vec<(Pos2, f64)> = recent
        .map(|past| (map.to_screen(past.target), (now - past.now).as_secs_f64()))
        .collect();
    for pair in points.windows(2) {
        let strength = 1.0 - pair[1].1 / FOR.as_secs_f64();
        let ink = theme::TEAL.gamma_multiply(0.7 * strength as f32);
        painter.line_segment([pair[0].0, pair[1].0], Stroke::new(1.8, ink));
    }
}
