//! Details next to the capsule under the pointer and the pinned one.

use crate::app::capsules::screen_map::ScreenMap;
use crate::app::widgets::{paint, theme};
use egui::epaint::RectShape;
use egui::{Align2, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2};
use headless::history::entity_info::{entity_info, past_entity_info};
use headless::history::{EntityInfo, History, PastFrame, PastPlace, PastState};
use headless::sim::machine::Machine;
use headless::sim::world::{Point, World};
use headless::stats::MeasuredLane;
use timeslicer::scheduler::TaskId;

pub struct InspectedCapsule {
    center: Pos2,
    radius: f32,
    info: EntityInfo,
    seen: Option<Point>,
}

impl InspectedCapsule {
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
        let recalled = match history.replay(world, past, place..place + 1)[0] {
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

/// Paints a ring around a capsule, its details in a card, and a line to the point that it looks at. The card is outside
/// the `covered` part of the view and the `other` card. Returns the card's place.
pub fn paint(
    painter: &Painter,
    map: &ScreenMap,
    covered: Rect,
    other: Rect,
    capsule: &InspectedCapsule,
) -> Rect {
    let view = map.view();
    let (center, radius) = (capsule.center, capsule.radius);
    if let Some(seen) = capsule.seen {
        let seen = map.to_screen(seen);
        let faint = Stroke::new(1.2, theme::TEAL.gamma_multiply(0.8));
        painter.extend(Shape::dashed_line(&[center, seen], faint, 4.0, 4.0));
        painter.circle_stroke(seen, 5.0, faint);
    }
    painter.add(ring(center, radius, Stroke::new(1.6, theme::TEAL)));
    let place = (center, radius);
    card(painter, view, [covered, other], place, &capsule.info)
}

pub fn ring(center: Pos2, radius: f32, stroke: Stroke) -> RectShape {
    let half = vec2(radius + 3.0, radius * 1.75 + 3.0);
    let rect = Rect::from_center_size(center, half * 2.0);
    let rounding = (radius + 3.0).clamp(1.0, 255.0) as u8;
    RectShape::stroke(rect, rounding, stroke, StrokeKind::Middle)
}

fn card(
    painter: &Painter,
    view: Rect,
    [covered, other]: [Rect; 2],
    (center, radius): (Pos2, f32),
    info: &EntityInfo,
) -> Rect {
    let name = painter.layout_no_wrap(info.name.clone(), theme::mono(12.0), theme::TEAL);
    let layout =
        |line: &String| painter.layout_no_wrap(line.clone(), theme::text(12.0), theme::TEXT);
    let galleys: Vec<_> = std::iter::once(name)
        .chain(info.lines.iter().map(layout))
        .collect();
    let widths = galleys.iter().map(|galley| galley.size().x);
    let width = widths.fold(0.0, f32::max) + 20.0;
    let height = galleys.len() as f32 * 15.0 + 12.0;
    let gap = radius + 12.0;
    let left = if center.x + gap + width < view.right() {
        center.x + gap
    } else {
        center.x - gap - width
    };
    // The capsule may be outside the view of a magnified crowd.
    let left = left.min(view.right() - width - 4.0).max(view.left() + 4.0);
    let top = (center.y - height / 2.0).clamp(
        view.top() + 4.0,
        (view.bottom() - height - 4.0).max(view.top() + 4.0),
    );
    let mut rect = Rect::from_min_size(pos2(left, top), vec2(width, height));
    if rect.intersects(covered) {
        rect = rect.translate(vec2(0.0, covered.top() - 4.0 - rect.bottom()));
    }
    if rect.intersects(other) {
        let top = if other.top() - 4.0 - rect.height() >= view.top() {
            other.top() - 4.0 - rect.height()
        } else {
            other.bottom() + 4.0
        };
        rect = rect.translate(vec2(0.0, top - rect.top()));
    }
    paint::card(
        painter,
        rect,
        theme::WELL.gamma_multiply(0.94),
        theme::HOVER,
    );
    for (index, galley) in galleys.into_iter().enumerate() {
        let at = rect.min + vec2(10.0, 6.0 + index as f32 * 15.0);
        painter.galley(at, galley, theme::TEXT);
    }
    rect
}

pub fn caption(painter: &Painter, view: Rect, text: &str) {
    badge(
        painter,
        view.left_top() + vec2(24.0, 12.0),
        Align2::LEFT_CENTER,
        text,
    );
}

pub fn badge(painter: &Painter, at: Pos2, align: Align2, text: &str) {
    let galley = painter.layout_no_wrap(text.to_owned(), theme::text(12.0), theme::TEXT);
    let ground = theme::WELL.gamma_multiply(0.9);
    paint::label(painter, at, align, galley, vec2(9.0, 4.0), ground);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_do_not_cover_each_other() {
        let ctx = egui::Context::default();
        let view = Rect::from_min_size(Pos2::ZERO, vec2(600.0, 400.0));
        let info = EntityInfo {
            name: "E7".to_owned(),
            lines: vec!["ran in this frame".to_owned(); 3],
        };
        let _ = ctx.run(egui::RawInput::default(), |ctx| {
            let painter = ctx.layer_painter(egui::LayerId::background());
            for y in [0.0, 40.0, 200.0, 390.0, 400.0] {
                for covered in [
                    Rect::NOTHING,
                    Rect::from_min_max(pos2(0.0, 300.0), view.max),
                ] {
                    let at =
                        |x, other| card(&painter, view, [covered, other], (pos2(x, y), 5.0), &info);
                    let pinned = at(300.0, Rect::NOTHING);
                    let hovered = at(310.0, pinned);
                    assert!(!pinned.intersects(hovered), "{pinned} {hovered}");
                    assert!(view.contains_rect(hovered), "{hovered}");
                    assert!(!hovered.intersects(covered), "{hovered}");
                }
            }
        });
    }
}
