//! The projectile above the capsules: drawn where the frame loop puts it, with a ghost where true time says it
//! should be, and below it the updates and frames of the last second, where they happened on its way.

use super::theme;
use egui::{
    Align2, Color32, CornerRadius, Id, Mesh, Painter, Pos2, Rect, Sense, Shape, Stroke, StrokeKind,
    Ui, pos2, vec2,
};
use timeslice_lab::frame_loop::FrameLoopEntry;
use timeslice_lab::observe::{History, PastFrame};
use timeslice_lab::projectile::{CROSSING, Sight};
use timeslice_lab::time::Nanos;

/// Updates and frames of so much time are shown.
const SHOWN: Nanos = Nanos::SECOND;
/// Room at both ends, and for the figures at the right.
const INSET: f32 = 28.0;
const FIGURES: f32 = 176.0;
/// Half the projectile's extent.
const HALF: egui::Vec2 = vec2(8.0, 5.0);
/// An error of more than this is wrong.
const NOTICED: i64 = 100_000_000;

/// Shows it in `rect`, if that has any extent: as of the frame that is looked at, or of the last.
pub fn show(
    ui: &Ui,
    rect: Rect,
    history: &History,
    looked_at: Option<u64>,
    frame_loop: &FrameLoopEntry,
) {
    if rect.height() < 1.0 || rect.width() < FIGURES + 120.0 {
        return;
    }
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, CornerRadius::ZERO, theme::WELL);
    let edge = Stroke::new(1.0, theme::LINE);
    painter.hline(rect.x_range(), rect.bottom() - 0.5, edge);
    let response = ui.interact(rect, Id::new("flight"), Sense::hover());
    response.on_hover_text(format!(
        "A projectile crosses in {} s of true time. Filled: where the loop draws it; outline: where true time says \
         that it should be. Below, on its way: updates (white) and frames (blue) of the last second.\n\n{}: {}",
        CROSSING.as_secs_f64(),
        frame_loop.name,
        frame_loop.rule
    ));
    let frames = history.frames();
    let last = looked_at.map_or_else(|| frames.back(), |number| history.frame(number));
    let Some(last) = last else {
        return;
    };
    let way = Way {
        left: rect.left() + INSET,
        right: rect.right() - FIGURES,
        y: rect.top() + 14.0,
    };
    painter.hline(way.left..=way.right, way.y, edge);
    let until = frames.partition_point(|past| past.record.number <= last.record.number);
    let recent = frames.range(..until).rev();
    let recent = recent.take_while(|past| last.record.start - past.record.start < SHOWN);
    ticks(&painter, &way, rect, last, recent);
    way.paint(&painter, &last.sight);
    figures(&painter, rect, &way, &last.sight);
}

struct Way {
    left: f32,
    right: f32,
    y: f32,
}

impl Way {
    fn x(&self, position: f64) -> f32 {
        self.left + position as f32 * (self.right - self.left)
    }

    fn paint(&self, painter: &Painter, sight: &Sight) {
        let body = |x: f32| Rect::from_center_size(pos2(x, self.y), HALF * 2.0);
        let (drawn, truth) = (self.x(sight.drawn), self.x(sight.truth));
        let corners = CornerRadius::same(5);
        let seen = drawn.min(self.right);
        if (seen - truth).abs() > 2.0 * HALF.x {
            let line = [pos2(truth, self.y), pos2(seen, self.y)];
            let stroke = Stroke::new(1.4, theme::AMBER);
            painter.extend(Shape::dashed_line(&line, stroke, 3.0, 3.0));
        }
        if drawn <= self.right + 1.0 {
            painter.rect_filled(body(drawn), corners, theme::BRIGHT);
        } else {
            // It has left the picture.
            let tip = pos2(self.right + 6.0, self.y);
            let points = vec![tip, tip + vec2(-9.0, -5.0), tip + vec2(-9.0, 5.0)];
            painter.add(Shape::convex_polygon(points, theme::AMBER, Stroke::NONE));
        }
        let ghost = Stroke::new(1.4, theme::TEAL);
        let around = body(truth).expand(1.5);
        painter.rect_stroke(around, CornerRadius::same(7), ghost, StrokeKind::Middle);
    }
}

/// Updates above, frames below: each where it happened, the older the fainter.
fn ticks<'a>(
    painter: &Painter,
    way: &Way,
    rect: Rect,
    last: &PastFrame,
    recent: impl Iterator<Item = &'a PastFrame>,
) {
    let mut mesh = Mesh::default();
    let mut tick = |x: f32, top: f32, ink: Color32| {
        let tick = Rect::from_min_size(pos2(x.round(), rect.top() + top), vec2(1.0, 5.0));
        mesh.add_colored_rect(tick, ink);
    };
    for past in recent {
        let age = (last.record.start - past.record.start).over(SHOWN) as f32;
        let fresh = 1.0 - 0.75 * age;
        tick(
            way.x(past.sight.truth),
            32.0,
            theme::FRAME.gamma_multiply(fresh),
        );
        let step = past.record.step.over(CROSSING);
        let newest = past.sight.drawn - past.record.alpha * step;
        for back in 0..past.record.updates {
            let position = newest - f64::from(back) * step;
            if (0.0..=1.0).contains(&position) {
                tick(way.x(position), 25.0, theme::TEXT.gamma_multiply(fresh));
            }
        }
    }
    painter.add(Shape::mesh(mesh));
}

/// How far the picture is from true time, in milliseconds and in points.
fn figures(painter: &Painter, rect: Rect, way: &Way, sight: &Sight) {
    let wrong = sight.error_nanos.abs() > NOTICED;
    let ink = if wrong { theme::AMBER } else { theme::BRIGHT };
    let points = (sight.drawn - sight.truth) * f64::from(way.right - way.left);
    let (error, way) = error_text(sight.error_nanos, points);
    let right = rect.right() - 16.0;
    let font = theme::mono(12.0);
    let at = pos2(right, rect.top() + 14.0);
    let error = painter.text(at, Align2::RIGHT_CENTER, error, font, ink);
    if wrong {
        super::widgets::warning(painter, pos2(error.left() - 9.0, at.y), 4.0);
    }
    let at = pos2(right, rect.top() + 30.0);
    painter.text(at, Align2::RIGHT_CENTER, way, theme::text(11.5), theme::DIM);
}

/// An error in words: `-12 ms, -4 px`, `behind true time`.
fn error_text(nanos: i64, points: f64) -> (String, &'static str) {
    let millis = nanos as f64 / 1e6;
    let decimals = usize::from(millis.abs() < 100.0);
    let pixels = points.round() + 0.0;
    let way = match nanos {
        _ if millis.abs() < 0.05 => "on true time",
        1.. => "ahead of true time",
        _ => "behind true time",
    };
    if millis.abs() < 0.05 {
        return ("0.0 ms, 0 px".to_owned(), way);
    }
    (format!("{millis:+.decimals$} ms, {pixels:+.0} px"), way)
}

/// The sign of the ghost, for the help.
pub fn sign(painter: &Painter, center: Pos2) {
    let body = Rect::from_center_size(center - vec2(5.0, 0.0), HALF * 1.6);
    painter.rect_filled(body, CornerRadius::same(4), theme::BRIGHT);
    let ghost = body.translate(vec2(11.0, 0.0));
    let stroke = Stroke::new(1.3, theme::TEAL);
    painter.rect_stroke(ghost, CornerRadius::same(4), stroke, StrokeKind::Middle);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_in_milliseconds_and_pixels() {
        let of = |nanos, points| {
            let (error, way) = error_text(nanos, points);
            format!("{error} {way}")
        };
        assert_eq!(of(0, 0.0), "0.0 ms, 0 px on true time");
        assert_eq!(of(-40_000, -0.2), "0.0 ms, 0 px on true time");
        assert_eq!(of(-12_340_000, -4.2), "-12.3 ms, -4 px behind true time");
        assert_eq!(
            of(1_500_000_000, 577.0),
            "+1500 ms, +577 px ahead of true time"
        );
    }
}
