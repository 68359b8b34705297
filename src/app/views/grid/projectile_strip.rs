//! The strip above the capsules: the projectile as the frame loop draws it, an outline at its real-time position, and
//! the updates and frames of the last second as ticks along the track.

use crate::app::widgets::projectile_track;
use crate::app::widgets::projectile_track::{HALF, Track};
use crate::app::widgets::theme;
use crate::app::widgets::tooltip;
use egui::{
    Align2, Color32, CornerRadius, Id, Mesh, Painter, Pos2, Rangef, Rect, Sense, Shape, Stroke,
    StrokeKind, Ui, pos2, vec2,
};
use headless::history::{History, PastFrame};
use headless::sim::projectile::{CROSSING, Sight};
use headless::text::format;
use timeslicer::time::Nanos;

/// Time span of the ticks.
const SHOWN: Nanos = Nanos::SECOND;
/// Width of the names on the left and the figures on the right.
const LEFT: f32 = 126.0;
const FIGURES: f32 = 216.0;

pub fn show(ui: &Ui, rect: Rect, history: &History, looked_at: Option<u64>) {
    if rect.height() < 1.0 || rect.width() < LEFT + FIGURES + 100.0 {
        return;
    }
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, CornerRadius::ZERO, theme::WELL);
    let edge = Stroke::new(1.0, theme::LINE);
    painter.hline(rect.x_range(), rect.bottom() - 0.5, edge);
    let response = ui.interact(rect, Id::new("flight"), Sense::hover());
    tooltip::offer(
        &response,
        "The projectile as the frame loop draws it, and an outline where real time puts it. Ticks: updates (white) and \
         frames (blue) of the last second.",
    );
    names(&painter, rect);
    let frames = history.frames();
    let last = looked_at.map_or_else(|| frames.back(), |number| history.frame(number));
    let Some(last) = last else {
        return;
    };
    let track = Track {
        left: rect.left() + LEFT,
        right: rect.right() - FIGURES,
        y: rect.top() + 14.0,
    };
    painter.hline(track.left..=track.right, track.y, edge);
    let until = frames.partition_point(|past| past.record.number <= last.record.number);
    let recent = frames.range(..until).rev();
    let recent = recent.take_while(|past| last.record.start - past.record.start < SHOWN);
    ticks(&painter, &track, rect, last, recent);
    track.paint(&painter, &last.sight, track.right + HALF.x + 2.0);
    let truth = Rect::from_center_size(pos2(track.x(last.sight.truth), track.y), HALF * 2.0);
    let outline = Stroke::new(1.4, theme::TEAL);
    let around = truth.expand(1.5);
    painter.rect_stroke(around, CornerRadius::same(7), outline, StrokeKind::Middle);
    figures(&painter, rect, &track, &last.sight);
}

fn names(painter: &Painter, rect: Rect) {
    let at = |x: f32, y: f32| rect.min + vec2(x, y);
    let left = Align2::LEFT_CENTER;
    let (large, small) = (theme::text(12.0), theme::text(10.5));
    painter.text(at(16.0, 14.0), left, "Projectile", large, theme::TEXT);
    let updates = painter.text(at(16.0, 31.0), left, "updates, ", small.clone(), theme::DIM);
    let after = pos2(updates.right(), updates.center().y);
    painter.text(after, left, "frames", small, theme::FRAME);
}

fn ticks<'a>(
    painter: &Painter,
    track: &Track,
    rect: Rect,
    last: &PastFrame,
    recent: impl Iterator<Item = &'a PastFrame>,
) {
    let mut mesh = Mesh::default();
    let high = |top: f32| Rangef::new(rect.top() + top, rect.top() + top + 5.0);
    for past in recent {
        let age = (last.record.start - past.record.start).over(SHOWN) as f32;
        let fresh = 1.0 - 0.75 * age;
        let faint = |ink: Color32| ink.gamma_multiply(fresh);
        let frame = track.x(past.sight.truth);
        projectile_track::tick(&mut mesh, frame, high(32.0), faint(theme::FRAME));
        let (step, updates) = (past.record.step, past.record.updates);
        let newest = past.sight.drawn - past.record.alpha * step.over(CROSSING);
        let ink = faint(theme::TEXT);
        track.updates(&mut mesh, newest, step, updates, high(25.0), ink);
    }
    painter.add(Shape::mesh(mesh));
}

fn figures(painter: &Painter, rect: Rect, track: &Track, sight: &Sight) {
    let pixels = track.error_pixels(sight, painter.ctx().pixels_per_point());
    let (error, which_way) = error_text(sight.error_nanos, pixels);
    let right = rect.right() - 16.0;
    let at = pos2(right, rect.top() + 14.0);
    projectile_track::error(painter, at, Align2::RIGHT_CENTER, sight.error_nanos, &error);
    let at = pos2(right, rect.top() + 30.0);
    let font = theme::text(11.5);
    // The text names the crossing, because each crossing starts without an error.
    let words = format!("{which_way} (this crossing)");
    painter.text(at, Align2::RIGHT_CENTER, words, font, theme::DIM);
}

fn error_text(nanos: i64, pixels: f64) -> (String, &'static str) {
    let lateness = format::lateness(nanos);
    let text = format!("{}, {:.0} px", lateness.size, pixels.abs());
    (text, lateness.from_real_time)
}

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
    fn an_error_is_in_milliseconds_and_pixels() {
        for (nanos, pixels, expected) in [
            (0, 0.0, "0 ms, 0 px"),
            (-40_000, 0.0, "0 ms, 0 px"),
            (-12_340_000, -4.0, "12.3 ms, 4 px"),
            (1_500_000_000, 577.0, "1,500 ms, 577 px"),
        ] {
            let words = format::lateness(nanos).from_real_time;
            assert_eq!(error_text(nanos, pixels), (expected.to_owned(), words));
        }
    }
}
