//! The strip above the capsules, which shows how the frame loop draws a moving projectile. An outline shows where the
//! projectile would be in real time, and ticks along the track show the updates and frames of the last second.

use crate::app::widgets::projectile_track::{self, HALF, Track};
use crate::app::widgets::{paint, theme, tooltip};
use egui::{
    Align2, Color32, CornerRadius, Id, Mesh, Painter, Pos2, Rangef, Rect, Sense, Shape, Stroke,
    StrokeKind, Ui, pos2, vec2,
};
use lab::history::{History, PastFrame};
use lab::sim::projectile::Sight;
use lab::text::format;
use timeslicer::time::Nanos;

const TICK_TIME_SPAN: Nanos = Nanos::SECOND;
const TEXT_WIDTH: f32 = 126.0;
const METRICS_WIDTH: f32 = 216.0;

pub fn show(ui: &Ui, rect: Rect, history: &History, displayed_frame: Option<u64>) {
    if rect.height() < 1.0 || rect.width() < TEXT_WIDTH + METRICS_WIDTH + 100.0 {
        return;
    }
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, CornerRadius::ZERO, theme::WELL);
    let edge = Stroke::new(1.0, theme::LINE);
    painter.hline(rect.x_range(), rect.bottom() - 0.5, edge);
    let response = ui.interact(rect, Id::new("flight"), Sense::hover());
    tooltip::offer(
        &response,
        "Shows the projectile as the frame loop draws it. The outline shows where the projectile would be in real \
         time. White ticks mark the updates of the last second, and blue ticks mark the frames. If the projectile is \
         below the line, the frame loop has drawn it past a bounce.",
    );
    let left = rect.left() + 16.0;
    let at = pos2(left, rect.top() + 14.0);
    paint::left(&painter, at, "Projectile", 12.0, theme::TEXT);
    let at = pos2(left, rect.top() + 31.0);
    let updates = paint::left(&painter, at, "updates, ", 10.5, theme::DIM);
    let at = updates.right_center();
    paint::left(&painter, at, "frames", 10.5, theme::FRAME);
    let frames = history.frames();
    let last = displayed_frame.map_or_else(|| frames.back(), |number| history.frame(number));
    let Some(last) = last else {
        return;
    };
    let track = Track {
        left: rect.left() + TEXT_WIDTH,
        right: rect.right() - METRICS_WIDTH,
        floor: rect.top() + 18.0,
        rise: 10.0,
    };
    track.paint_floor(&painter);
    let until = frames.partition_point(|past| past.record.number <= last.record.number);
    let recent = frames.range(..until).rev();
    let recent = recent.take_while(|past| last.record.start - past.record.start < TICK_TIME_SPAN);
    paint_ticks(&painter, &track, rect, last, recent.clone());
    track.paint(&painter, &last.sight, track.right + HALF.x + 2.0);
    let truth = Rect::from_center_size(track.truth(&last.sight), HALF * 2.0);
    let outline = Stroke::new(1.4, theme::TEAL);
    let around = truth.expand(1.5);
    painter.rect_stroke(around, CornerRadius::same(7), outline, StrokeKind::Middle);
    let overshoots = recent.map(|past| past.sight.overshoot());
    let overshoot = overshoots.fold(0.0, f64::max);
    paint_metrics(&painter, rect, &last.sight, overshoot);
}

fn paint_ticks<'a>(
    painter: &Painter,
    track: &Track,
    rect: Rect,
    last: &PastFrame,
    recent: impl Iterator<Item = &'a PastFrame>,
) {
    let mut mesh = Mesh::default();
    let high = |top: f32| Rangef::new(rect.top() + top, rect.top() + top + 5.0);
    for past in recent {
        let age = (last.record.start - past.record.start).over(TICK_TIME_SPAN) as f32;
        let fresh = 1.0 - 0.75 * age;
        let faint = |ink: Color32| ink.gamma_multiply(fresh);
        let frame = track.x(past.sight.truth);
        projectile_track::tick(&mut mesh, frame, high(32.0), faint(theme::FRAME));
        let updates = (past.record.updates, past.record.step);
        let (high, ink) = (high(25.0), faint(theme::TEXT));
        track.updates(&mut mesh, &past.sight, updates, high, ink);
    }
    painter.add(Shape::mesh(mesh));
}

/// Paints how late or early the projectile is drawn, and how far below the floor it was drawn in the last second.
/// `overshoot` is the largest distance below the floor, in metres.
fn paint_metrics(painter: &Painter, rect: Rect, sight: &Sight, overshoot: f64) {
    let (size, [direction, _]) = format::lateness(sight.error_nanos);
    let (right, align) = (rect.right() - 16.0, Align2::RIGHT_CENTER);
    let at = pos2(right, rect.top() + 14.0);
    let error = projectile_track::error(painter, at, align, sight.error_nanos, &size);
    if overshoot > 0.0 {
        let words = format!("{} cm past a bounce", format::number(100.0 * overshoot));
        let at = pos2(error.left() - 26.0, at.y);
        paint::right(painter, at, &words, 11.5, theme::DIM);
    }
    // The text says "this lap" because the error is reset at the start of each lap.
    let words = format!("{direction} (this lap)");
    let at = pos2(right, rect.top() + 30.0);
    paint::right(painter, at, &words, 11.5, theme::DIM);
}

pub fn icon(painter: &Painter, center: Pos2) {
    let body = Rect::from_center_size(center - vec2(5.0, 0.0), HALF * 1.6);
    painter.rect_filled(body, CornerRadius::same(4), theme::BRIGHT);
    let ghost = body.translate(vec2(11.0, 0.0));
    let stroke = Stroke::new(1.3, theme::TEAL);
    painter.rect_stroke(ghost, CornerRadius::same(4), stroke, StrokeKind::Middle);
}
