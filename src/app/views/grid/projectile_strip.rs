//! The projectile above the capsules: drawn where the frame loop puts it, with a ghost where true time says it
//! should be, and below it the updates and frames of the last second, where they happened on its track.

use crate::app::widgets::projectile_track;
use crate::app::widgets::projectile_track::{HALF, Track};
use crate::app::widgets::theme;
use crate::history::{History, PastFrame};
use crate::sim::projectile::{CROSSING, Sight};
use crate::text::format;
use egui::{
    Align2, Color32, CornerRadius, Id, Mesh, Painter, Pos2, Rangef, Rect, Sense, Shape, Stroke,
    StrokeKind, Ui, pos2, vec2,
};
use timeslice::frame_loop::FrameLoopEntry;
use timeslice::time::Nanos;

/// Updates and frames of so much time are shown.
const SHOWN: Nanos = Nanos::SECOND;
/// Room at both ends, and for the figures at the right.
const LEFT: f32 = 126.0;
const FIGURES: f32 = 216.0;

/// Shows it in `rect`, if that has any extent: as of the frame that is looked at, or of the last.
pub fn show(
    ui: &Ui,
    rect: Rect,
    history: &History,
    looked_at: Option<u64>,
    frame_loop: &FrameLoopEntry,
) {
    if rect.height() < 1.0 || rect.width() < LEFT + FIGURES + 100.0 {
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

/// What the rows are.
fn names(painter: &Painter, rect: Rect) {
    let at = |x: f32, y: f32| rect.min + vec2(x, y);
    let left = Align2::LEFT_CENTER;
    let (large, small) = (theme::text(12.0), theme::text(10.5));
    painter.text(at(16.0, 14.0), left, "Projectile", large, theme::TEXT);
    let updates = painter.text(at(16.0, 31.0), left, "updates, ", small.clone(), theme::DIM);
    let after = pos2(updates.right(), updates.center().y);
    painter.text(after, left, "frames", small, theme::FRAME);
}

/// Updates above, frames below: each where it happened, the older the fainter.
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

/// How far the picture is from true time, in milliseconds and in pixels.
fn figures(painter: &Painter, rect: Rect, track: &Track, sight: &Sight) {
    let pixels = track.error_pixels(sight, painter.ctx().pixels_per_point());
    let (told, which_way) = told(sight.error_nanos, pixels);
    let right = rect.right() - 16.0;
    let at = pos2(right, rect.top() + 14.0);
    projectile_track::error(painter, at, Align2::RIGHT_CENTER, sight.error_nanos, &told);
    let at = pos2(right, rect.top() + 30.0);
    let font = theme::text(11.5);
    // With each crossing both set out together.
    let words = format!("{which_way}, this crossing");
    painter.text(at, Align2::RIGHT_CENTER, words, font, theme::DIM);
}

/// An error in words: `-12.3 ms, -4 px`, `behind true time`.
fn told(nanos: i64, pixels: f64) -> (String, &'static str) {
    let (millis, way) = format::lateness(nanos);
    if pixels == 0.0 {
        return (format!("{millis}, 0 px"), way);
    }
    (format!("{millis}, {pixels:+.0} px"), way)
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
        let of = |nanos, pixels| {
            let (error, way) = told(nanos, pixels);
            format!("{error} {way}")
        };
        assert_eq!(of(0, 0.0), "0 ms, 0 px from true time");
        assert_eq!(of(-40_000, 0.0), "0 ms, 0 px from true time");
        assert_eq!(of(-12_340_000, -4.0), "-12.3 ms, -4 px behind true time");
        assert_eq!(
            of(1_500_000_000, 577.0),
            "+1,500 ms, +577 px ahead of true time"
        );
    }
}
