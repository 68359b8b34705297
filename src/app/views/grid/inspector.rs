//! Details next to the capsule under the pointer and the pinned one.

use crate::app::capsules::screen_map::ScreenMap;
use crate::app::widgets::theme;
use egui::{Align2, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2};
use headless::history::entity_info::{entity_info, past_entity_info};
use headless::history::{EntityInfo, History, PastFrame, PastPlace, PastState};
use headless::sim::machine::Machine;
use headless::sim::world::{Point, World};
use headless::stats::MeasuredLane;
use timeslicer::scheduler::TaskId;

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
        // The ends may be far outside the view of a magnified crowd.
        if let Some(line) = clipped([center, seen], view.expand(8.0)) {
            painter.extend(Shape::dashed_line(&line, faint, 4.0, 4.0));
        }
        painter.circle_stroke(seen, 5.0, faint);
    }
    ring(painter, center, radius);
    let place = (center, radius);
    card(painter, view, [covered, other], place, &capsule.info)
}

/// Returns the part of a line inside `rect`, if any.
fn clipped([from, to]: [Pos2; 2], rect: Rect) -> Option<[Pos2; 2]> {
    let along = to - from;
    let (mut first, mut last) = (0.0_f32, 1.0_f32);
    for (start, step, min, max) in [
        (from.x, along.x, rect.left(), rect.right()),
        (from.y, along.y, rect.top(), rect.bottom()),
    ] {
        if step == 0.0 {
            if !(min..=max).contains(&start) {
                return None;
            }
            continue;
        }
        let (enters, leaves) = ((min - start) / step, (max - start) / step);
        first = first.max(enters.min(leaves));
        last = last.min(enters.max(leaves));
    }
    (first <= last).then(|| [from + along * first, from + along * last])
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
    rect
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

    #[test]
    fn lines_are_cut_at_the_view() {
        let view = Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 50.0));
        let whole = [pos2(10.0, 10.0), pos2(90.0, 40.0)];
        assert_eq!(clipped(whole, view), Some(whole));
        let long = [pos2(-60_000.0, 25.0), pos2(60_000.0, 25.0)];
        let [from, to] = clipped(long, view).expect("it crosses the view");
        assert!((from.x - 0.0).abs() < 0.1 && (to.x - 100.0).abs() < 0.1);
        let beside = [pos2(-60_000.0, 60.0), pos2(60_000.0, 60.0)];
        assert_eq!(clipped(beside, view), None);
        let past_a_corner = [pos2(-40.0, 20.0), pos2(20.0, -40.0)];
        assert_eq!(clipped(past_a_corner, view), None);
        let point = [pos2(5.0, 5.0); 2];
        assert_eq!(clipped(point, view), Some(point));
    }
}
