//! One loop on one machine: the projectile on its way, where it was in earlier frames, the updates, and the
//! frames.

use crate::app::theme;
use egui::{
    Color32, CornerRadius, Mesh, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2,
};
use timeslice_lab::projectile::CROSSING;
use timeslice_lab::race::{Runner, Sample};

/// Half the projectile's extent.
const HALF: egui::Vec2 = vec2(8.0, 5.0);
/// Ghosts closer together than this are lines.
const APART: f32 = 9.0;
/// The lines of the grid part the crossing into so many: 0.2 s each.
const GRID: usize = 10;

/// Paints it into a cell, between the figures above and below it.
pub fn paint(painter: &Painter, cell: Rect, runner: &Runner) {
    let middle = Rect::from_x_y_ranges(
        cell.x_range(),
        cell.top() + 28.0..=(cell.bottom() - 24.0).max(cell.top() + 30.0),
    );
    // Frames below, as high as a digit where there is room for one.
    let frames_high = (middle.height() * 0.28).min(18.0);
    let track = middle.with_max_y(middle.bottom() - frames_high - 4.0);
    let frames = middle.with_min_y(middle.bottom() - frames_high);
    let way = Way::new(track);
    painter.rect_filled(track, CornerRadius::same(4), theme::WELL);
    for line in 1..GRID {
        let x = way.x(line as f64 / GRID as f64).round() + 0.5;
        painter.vline(x, track.y_range(), Stroke::new(1.0, theme::LINE));
    }
    let Some(last) = runner.samples().back() else {
        return;
    };
    let crossing = runner.samples().iter().rev();
    let crossing = crossing.take_while(|sample| sample.sight.crossing == last.sight.crossing);
    let crossing: Vec<&Sample> = crossing.collect();
    let inside = painter.with_clip_rect(track.expand2(vec2(2.0, 0.0)));
    updates(&inside, &way, &crossing);
    ghosts(&inside, &way, &crossing);
    strip(painter, frames, &way, &crossing);
    projectile(&inside, &way, last);
}

/// Where the projectile's way leads along.
struct Way {
    track: Rect,
    left: f32,
    right: f32,
    y: f32,
}

impl Way {
    fn new(track: Rect) -> Self {
        Self {
            track,
            left: track.left() + 12.0,
            right: track.right() - 12.0,
            y: track.top() + track.height() * 0.42,
        }
    }

    fn x(&self, position: f64) -> f32 {
        self.left + position as f32 * (self.right - self.left)
    }
}

/// A tick at the foot of the track where each update brought the game.
fn updates(painter: &Painter, way: &Way, crossing: &[&Sample]) {
    let mut mesh = Mesh::default();
    let (top, bottom) = (way.track.bottom() - 9.0, way.track.bottom() - 2.0);
    for sample in crossing {
        let step = sample.step.over(CROSSING);
        for back in 0..sample.updates {
            let position = sample.updated - f64::from(back) * step;
            if (0.0..=1.0).contains(&position) {
                let x = way.x(position).round();
                let tick = Rect::from_min_max(pos2(x, top), pos2(x + 1.0, bottom));
                mesh.add_colored_rect(tick, theme::TEXT);
            }
        }
    }
    painter.add(Shape::mesh(mesh));
}

/// Where it was drawn in earlier frames: outlines, or lines where these would overlap.
fn ghosts(painter: &Painter, way: &Way, crossing: &[&Sample]) {
    let mut last_x = f32::NAN;
    let mut lines = Mesh::default();
    for pair in crossing.windows(2) {
        let [newer, sample] = [pair[0], pair[1]];
        let x = way.x(sample.sight.drawn);
        if x > way.track.right() + HALF.x || (x - last_x).abs() < 2.0 {
            continue;
        }
        last_x = x;
        let age = (newer.sight.truth - sample.sight.truth).abs();
        let fresh =
            1.0 - ((crossing[0].sight.truth - sample.sight.truth) * 1.2).clamp(0.0, 0.75) as f32;
        let ink = theme::DIM.gamma_multiply(fresh);
        if way.x(age) - way.left >= APART {
            let ghost = Rect::from_center_size(pos2(x, way.y), HALF * 2.0);
            let stroke = Stroke::new(1.2, ink);
            painter.rect_stroke(ghost, CornerRadius::same(5), stroke, StrokeKind::Inside);
        } else {
            let size = vec2(1.0, HALF.y * 2.0);
            let line = Rect::from_center_size(pos2(x.round() + 0.5, way.y), size);
            lines.add_colored_rect(line, ink);
        }
    }
    painter.add(Shape::mesh(lines));
}

/// The projectile as it is drawn, and the line where true time says it should be.
fn projectile(painter: &Painter, way: &Way, last: &Sample) {
    let truth = way.x(last.sight.truth);
    let drawn = way.x(last.sight.drawn);
    let y = way.track.y_range();
    painter.vline(truth.round() + 0.5, y, Stroke::new(2.0, theme::TEAL));
    let end = drawn.clamp(way.track.left() + HALF.x, way.track.right() - HALF.x);
    if (drawn - truth).abs() > 2.5 * HALF.x {
        let stroke = Stroke::new(1.4, theme::AMBER);
        let line = [pos2(truth, way.y), pos2(end, way.y)];
        painter.extend(Shape::dashed_line(&line, stroke, 3.0, 3.0));
    }
    if drawn > way.track.right() {
        // It has left the picture.
        let tip = pos2(way.track.right() - 4.0, way.y);
        let points = vec![tip, tip + vec2(-9.0, -6.0), tip + vec2(-9.0, 6.0)];
        painter.add(Shape::convex_polygon(points, theme::AMBER, Stroke::NONE));
        return;
    }
    bullet(painter, pos2(end, way.y));
}

fn bullet(painter: &Painter, center: Pos2) {
    let body = Rect::from_center_size(center, HALF * 2.0);
    painter.rect_filled(body, CornerRadius::same(5), theme::BRIGHT);
}

/// The frames, each as wide as it was long, in the colour of its number of updates.
fn strip(painter: &Painter, strip: Rect, way: &Way, crossing: &[&Sample]) {
    let mut mesh = Mesh::default();
    let began = crossing.last().map_or(0.0, |first| first.sight.truth);
    for sample in crossing {
        let length = (sample.end - sample.start).over(CROSSING);
        let left = way.x(sample.sight.truth.max(began));
        let right = way.x((sample.sight.truth + length).min(1.0));
        let gap = if right - left > 4.0 { 1.0 } else { 0.0 };
        let block = Rect::from_x_y_ranges(left..=(right - gap).max(left + 0.5), strip.y_range());
        mesh.add_colored_rect(block, shade(sample.updates));
        if block.width() >= 9.0 && strip.height() >= 12.0 {
            let ink = if sample.updates > 1 {
                theme::FLOOR
            } else {
                theme::BRIGHT
            };
            painter.add(Shape::mesh(std::mem::take(&mut mesh)));
            let (font, count) = (theme::mono(10.0), sample.updates.to_string());
            painter.text(
                block.center(),
                egui::Align2::CENTER_CENTER,
                count,
                font,
                ink,
            );
        }
    }
    painter.add(Shape::mesh(mesh));
}

/// The more updates, the lighter.
fn shade(updates: u32) -> Color32 {
    theme::UPDATES[(updates as usize).min(theme::UPDATES.len() - 1)]
}

/// A sign of this view, painted from its left end; returns its right end.
type Sign = fn(&Painter, Pos2) -> f32;

/// What the signs mean.
pub const SIGNS: [(Sign, &str); 5] = [
    (sign_truth, "true position"),
    (sign_bullet, "as drawn"),
    (sign_ghost, "in earlier frames"),
    (sign_update, "an update"),
    (sign_frames, "a frame by its updates"),
];

fn sign_truth(painter: &Painter, left: Pos2) -> f32 {
    let y = left.y - 7.0..=left.y + 7.0;
    painter.vline(left.x + 1.0, y, Stroke::new(2.0, theme::TEAL));
    left.x + 3.0
}

fn sign_bullet(painter: &Painter, left: Pos2) -> f32 {
    bullet(painter, left + vec2(HALF.x, 0.0));
    left.x + 2.0 * HALF.x
}

fn sign_ghost(painter: &Painter, left: Pos2) -> f32 {
    let ghost = Rect::from_center_size(left + vec2(HALF.x, 0.0), HALF * 2.0);
    let stroke = Stroke::new(1.2, theme::DIM);
    painter.rect_stroke(ghost, CornerRadius::same(5), stroke, StrokeKind::Inside);
    left.x + 2.0 * HALF.x
}

fn sign_update(painter: &Painter, left: Pos2) -> f32 {
    let y = left.y - 4.0..=left.y + 4.0;
    painter.vline(left.x + 0.5, y, Stroke::new(1.0, theme::TEXT));
    left.x + 1.0
}

fn sign_frames(painter: &Painter, left: Pos2) -> f32 {
    let mut x = left.x;
    for (updates, ground) in theme::UPDATES.into_iter().enumerate() {
        let place = Rect::from_min_size(pos2(x, left.y - 7.0), vec2(17.0, 14.0));
        painter.rect_filled(place, CornerRadius::same(2), ground);
        let more = if updates + 1 == theme::UPDATES.len() {
            "+"
        } else {
            ""
        };
        let ink = if updates > 1 {
            theme::FLOOR
        } else {
            theme::BRIGHT
        };
        let (font, count) = (theme::mono(10.0), format!("{updates}{more}"));
        painter.text(
            place.center(),
            egui::Align2::CENTER_CENTER,
            count,
            font,
            ink,
        );
        x += 19.0;
    }
    x - 2.0
}
