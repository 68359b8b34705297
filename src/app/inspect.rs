//! What one capsule has to tell: shown for the one under the pointer and for the one that is pinned.

use super::crowd::CrowdPicture;
use super::theme;
use egui::{Align2, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2};
use timeslice_lab::lane::Lane;
use timeslice_lab::machine::Machine;
use timeslice_lab::observe::story::story;
use timeslice_lab::observe::{History, Story};
use timeslice_lab::scheduler::TaskId;
use timeslice_lab::world::Point;

/// Paints a ring around a capsule, its story beside it, and the line to where it looks.
pub fn paint<M: Machine>(
    painter: &Painter,
    view: Rect,
    lane: &Lane<M>,
    history: &History,
    crowd: &CrowdPicture,
    task: TaskId,
) {
    let (center, radius) = crowd.capsule(task.index, painter.ctx().pixels_per_point());
    let place = Point {
        x: (center.x - view.left()) / view.width().max(1.0),
        y: (center.y - view.top()) / view.height().max(1.0),
    };
    let Some(story) = story(lane, history, task, place, (view.width(), view.height())) else {
        return;
    };
    let painter = painter.with_clip_rect(view);
    if let Some(entity) = lane.world().entity(task).filter(|entity| entity.runs > 0) {
        let seen = pos2(
            view.left() + entity.seen.x * view.width(),
            view.top() + entity.seen.y * view.height(),
        );
        let faint = Stroke::new(1.2, theme::TEAL.gamma_multiply(0.8));
        painter.extend(Shape::dashed_line(&[center, seen], faint, 4.0, 4.0));
        painter.circle_stroke(seen, 5.0, faint);
    }
    ring(&painter, center, radius, theme::TEAL);
    card(&painter, view, center, radius, &story);
}

/// A ring around a capsule.
pub fn ring(painter: &Painter, center: Pos2, radius: f32, ink: egui::Color32) {
    let half = vec2(radius + 3.0, radius * 1.75 + 3.0);
    let rect = Rect::from_center_size(center, half * 2.0);
    let rounding = (radius + 3.0).clamp(1.0, 255.0) as u8;
    let stroke = Stroke::new(1.6, ink);
    painter.rect_stroke(
        rect,
        CornerRadius::same(rounding),
        stroke,
        StrokeKind::Middle,
    );
}

fn card(painter: &Painter, view: Rect, center: Pos2, radius: f32, story: &Story) {
    let name = painter.layout_no_wrap(story.name.clone(), theme::mono(12.0), theme::TEAL);
    let layout =
        |line: &String| painter.layout_no_wrap(line.clone(), theme::text(12.0), theme::TEXT);
    let galleys: Vec<_> = std::iter::once(name)
        .chain(story.lines.iter().map(layout))
        .collect();
    let width = galleys
        .iter()
        .map(|galley| galley.size().x)
        .fold(0.0, f32::max)
        + 20.0;
    let height = galleys.len() as f32 * 15.0 + 12.0;
    let gap = radius + 12.0;
    let left = if center.x + gap + width < view.right() {
        center.x + gap
    } else {
        center.x - gap - width
    };
    let top = (center.y - height / 2.0).clamp(
        view.top() + 4.0,
        (view.bottom() - height - 4.0).max(view.top() + 4.0),
    );
    let rect = Rect::from_min_size(pos2(left, top), vec2(width, height));
    let corners = CornerRadius::same(theme::RADIUS);
    painter.rect_filled(rect, corners, theme::WELL.gamma_multiply(0.94));
    painter.rect_stroke(
        rect,
        corners,
        Stroke::new(1.0, theme::HOVER),
        StrokeKind::Inside,
    );
    for (index, galley) in galleys.into_iter().enumerate() {
        let at = rect.min + vec2(10.0, 6.0 + index as f32 * 15.0);
        painter.galley(at, galley, theme::TEXT);
    }
}

/// Marks a capsule as one among several.
pub fn mark(painter: &Painter, center: Pos2, radius: f32) {
    if radius >= 4.0 {
        ring(painter, center, radius, theme::BRIGHT);
    } else {
        let size = vec2(2.0, 2.0).max(vec2(radius, radius));
        painter.rect_filled(Rect::from_center_size(center, size), 0.0, theme::BRIGHT);
    }
}

/// Words at the upper left of the view.
pub fn caption(painter: &Painter, view: Rect, text: &str) {
    badge(
        painter,
        view.left_top() + vec2(24.0, 18.0),
        Align2::LEFT_CENTER,
        text,
    );
}

/// A short text on a dark ground.
pub fn badge(painter: &Painter, at: Pos2, align: Align2, text: &str) {
    let galley = painter.layout_no_wrap(text.to_owned(), theme::text(12.0), theme::TEXT);
    let ground = align.anchor_size(at, galley.size()).expand2(vec2(9.0, 4.0));
    painter.rect_filled(
        ground,
        CornerRadius::same(theme::RADIUS),
        theme::WELL.gamma_multiply(0.9),
    );
    painter.galley(ground.min + vec2(9.0, 4.0), galley, theme::TEXT);
}
