//! The track along which a projectile moves. It is used by the Loops view.

use super::buttons::warning;
use super::theme;
use egui::{
    Align2, Color32, CornerRadius, Mesh, Painter, Pos2, Rangef, Rect, Shape, Stroke, StrokeKind,
    Vec2, pos2, vec2,
};
use lab::sim::projectile::{LAP, Sight};
use timeslicer::time::Nanos;

/// Half the width and half the height of the projectile, in points.
pub const HALF: Vec2 = vec2(8.0, 5.0);
const MAX_UNMARKED_ERROR_NANOS: u64 = 100_000_000;

#[derive(Clone, Copy, Debug)]
pub struct Track {
    pub left: f32,
    pub right: f32,
    /// The y coordinate of the projectile when it touches the floor.
    pub floor: f32,
    /// The vertical distance between the lowest and the highest point of the projectile's path.
    pub rise: f32,
}

impl Track {
    /// Converts a position on the track, from 0 at its start to 1 at its end, to an x coordinate.
    pub fn x(&self, position: f64) -> f32 {
        self.left + position as f32 * (self.right - self.left)
    }

    /// Converts a position on the track and a height, from 0 at the floor to 1 at the top, to a point on the screen.
    pub fn point(&self, position: f64, height: f64) -> Pos2 {
        pos2(self.x(position), self.floor - self.rise * height as f32)
    }

    pub fn paint_floor(&self, painter: &Painter) {
        let y = self.floor + HALF.y + 0.5;
        painter.hline(self.left..=self.right, y, (1.0, theme::LINE));
    }

    /// Paints the projectile, with a dashed line to where it would be in real time, or an arrow beyond `right_edge`.
    pub fn paint(&self, painter: &Painter, sight: &Sight, right_edge: f32) {
        let (drawn, truth) = (self.point(sight.drawn, sight.height), self.x(sight.truth));
        let (seen, y) = (drawn.x.min(right_edge - HALF.x), drawn.y);
        if (seen - truth).abs() > 2.5 * HALF.x {
            let line = [pos2(truth, y), pos2(seen, y)];
            let stroke = Stroke::new(1.4, theme::AMBER);
            painter.extend(Shape::dashed_line(&line, stroke, 3.0, 3.0));
        }
        if drawn.x > right_edge {
            let tip = pos2(right_edge - 4.0, y);
            let points = vec![tip, tip + vec2(-9.0, -6.0), tip + vec2(-9.0, 6.0)];
            painter.add(Shape::convex_polygon(points, theme::AMBER, Stroke::NONE));
        } else {
            bullet(painter, pos2(seen, y), theme::BRIGHT);
        }
    }

    /// Adds a tick mark for each update of a frame, at the position that the projectile had after the update.
    pub fn updates(
        &self,
        mesh: &mut Mesh,
        sight: &Sight,
        (updates, step): (u32, Nanos),
        high: Rangef,
        ink: Color32,
    ) {
        for back in 0..updates {
            let position = sight.updated - f64::from(back) * step.over(LAP);
            if (0.0..=1.0).contains(&position) {
                tick(mesh, self.x(position), high, ink);
            }
        }
    }
}

fn tick(mesh: &mut Mesh, x: f32, high: Rangef, ink: Color32) {
    let x = x.round();
    mesh.add_colored_rect(Rect::from_x_y_ranges(x..=x + 1.0, high), ink);
}

pub fn bullet(painter: &Painter, center: Pos2, ink: Color32) {
    let body = Rect::from_center_size(center, HALF * 2.0);
    painter.rect_filled(body, CornerRadius::same(5), ink);
}

pub fn ghost(painter: &Painter, center: Pos2, ink: Color32) {
    let body = Rect::from_center_size(center, HALF * 2.0);
    let stroke = Stroke::new(1.2, ink);
    painter.rect_stroke(body, CornerRadius::same(5), stroke, StrokeKind::Inside);
}

/// Paints `text` about the drawing error `nanos`, amber and with an icon if large. Returns its area without the icon.
pub fn error(painter: &Painter, at: Pos2, nanos: i64, text: &str) -> Rect {
    let wrong = nanos.unsigned_abs() > MAX_UNMARKED_ERROR_NANOS;
    let ink = theme::warning_or(wrong, theme::BRIGHT);
    let at = at + vec2(if wrong { 15.0 } else { 0.0 }, 0.0);
    let place = painter.text(at, Align2::LEFT_CENTER, text, theme::mono(12.0), ink);
    if wrong {
        warning(painter, pos2(place.left() - 10.0, at.y), 4.5);
    }
    place
}
