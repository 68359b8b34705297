//! Details next to the capsule under the pointer and the pinned one.

use crate::app::capsules::screen_map::ScreenMap;
use crate::app::widgets::theme;
use crate::history::entity_info::{entity_info, past_entity_info};
use crate::history::{EntityInfo, History, PastFrame, PastPlace, PastState};
use crate::sim::machine::Machine;
use crate::sim::world::{Point, World};
use crate::stats::MeasuredLane;
use egui::{Align2, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2};
use timeslice::scheduler::TaskId;

/// A capsule whose entity is inspected.
pub struct InspectedCapsule {
    center: Pos2,
    radius: f32,
    info: EntityInfo,
    /// Point that the entity looks at.
    seen: Option<Point>,
}

impl InspectedCapsule {
    /// Returns the entity of a task in its present state, if it is alive.
    pub fn now<M: Machine>(
        map: &ScreenMap,
        lane: &MeasuredLane<M>,
        history: &History,
        task: TaskId,
    ) -> Option<Self> {
        let entity = lane.world().entity(task)?;
        Some(Self {
            center: map.center(task.index)?,
            radius: map.radius(),
            info: entity_info(lane, history, task)?,
            seen: entity.first_run().map(|_| entity.seen),
        })
    }

    /// Returns the entity at `place` in a past frame. A `pinned` entity is returned only if it still lives there now.
    pub fn then(
        map: &ScreenMap,
        world: &World,
        history: &History,
        past: &PastFrame,
        place: u32,
        pinned: bool,
    ) -> Option<Self> {
        let position = world.plane().position(place);
        let recalled = match history.replay(world, past, place) {
            PastPlace::Former(_) if pinned => PastPlace::Empty,
            recalled => recalled,
        };
        let seen = match recalled {
            PastPlace::Current(PastState::Ran(run)) | PastPlace::Former(PastState::Ran(run)) => {
                Some(run.seen)
            }
            _ => None,
        };
        let entity = world.tasks().at(place).and_then(|task| world.entity(task));
        let number = entity.map(|entity| entity.number);
        Some(Self {
            center: map.center(place)?,
            radius: map.radius(),
            info: past_entity_info(history, past, recalled, number, position)?,
            seen,
        })
    }
}

/// Paints a ring around a capsule, its details, and a line to the point that it looks at.
pub fn paint(painter: &Painter, map: &ScreenMap, capsule: &InspectedCapsule) {
    let view = map.view();
    let painter = painter.with_clip_rect(view);
    let (center, radius) = (capsule.center, capsule.radius);
    if let Some(seen) = capsule.seen {
        let seen = map.to_screen(seen);
        let faint = Stroke::new(1.2, theme::TEAL.gamma_multiply(0.8));
        painter.extend(Shape::dashed_line(&[center, seen], faint, 4.0, 4.0));
        painter.circle_stroke(seen, 5.0, faint);
    }
    ring(&painter, center, radius);
    card(&painter, view, center, radius, &capsule.info);
}

/// Paints a ring around a capsule.
fn ring(painter: &Painter, center: Pos2, radius: f32) {
    let half = vec2(radius + 3.0, radius * 1.75 + 3.0);
    let rect = Rect::from_center_size(center, half * 2.0);
    let rounding = (radius + 3.0).clamp(1.0, 255.0) as u8;
    let stroke = Stroke::new(1.6, theme::TEAL);
    painter.rect_stroke(
        rect,
        CornerRadius::same(rounding),
        stroke,
        StrokeKind::Middle,
    );
}

fn card(painter: &Painter, view: Rect, center: Pos2, radius: f32, info: &EntityInfo) {
    let name = painter.layout_no_wrap(info.name.clone(), theme::mono(12.0), theme::TEAL);
    let layout =
        |line: &String| painter.layout_no_wrap(line.clone(), theme::text(12.0), theme::TEXT);
    let galleys: Vec<_> = std::iter::once(name)
        .chain(info.lines.iter().map(layout))
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

/// Paints a caption at the upper left of the view.
pub fn caption(painter: &Painter, view: Rect, text: &str) {
    badge(
        painter,
        view.left_top() + vec2(24.0, 12.0),
        Align2::LEFT_CENTER,
        text,
    );
}

/// Paints a short text on a dark background.
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
