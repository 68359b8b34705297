//! Paints everything on top of the capsules: rings around the capsules whose tasks ran, the target and the circle
//! around it, and cards with details of entities. Tasks inside the circle have their full weight.

use crate::app::crowd::screen_map::ScreenMap;
use crate::app::input::output::UiOutput;
use crate::app::plots::frame_card::FORGOTTEN;
use crate::app::state::{ColourMode, Flow, State};
use crate::app::widgets::{paint, theme};
use egui::epaint::RectShape;
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align2, FontId, Galley, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, vec2,
};
use lab::catalog::strategy::Family;
use lab::history::entity_info::entity_info;
use lab::history::{EntityInfo, PastFrame};
use lab::sim::world::{FALLOFF, NEAR, Point, WEIGHT_STEPS};
use lab::text::format;
use std::cmp::Ordering::Equal;
use std::sync::Arc;
use timeslicer::time::Nanos;

/// The maximum number of highlighted capsules. If there are more, no capsules are highlighted, because the rings would
/// hide the capsules and take longer to draw than the capsules themselves.
const MAX_HIGHLIGHTED: usize = 3000;
/// The minimum radius of a capsule that is highlighted with a ring, in points. Smaller capsules are highlighted with a
/// dot.
const MIN_RING_RADIUS: f32 = 4.0;

const CIRCLE_SEGMENTS: usize = 96;
/// The index of the point on the target's circle at which the circle's label is placed if it fits there. The points are
/// numbered clockwise, starting on the right.
const FIRST_LABEL_POINT: usize = 84;

/// The text widths to try for an entity card, in points. Wide cards are preferred because they cover fewer rows of
/// capsules than tall cards.
const CARD_TEXT_WIDTHS: [f32; 3] = [480.0, 240.0, 160.0];
const CARD_MARGIN: Vec2 = vec2(10.0, 4.0);
const CARD_DISTANCE: f32 = 4.0;

/// How long the trail behind the target remains visible, in game time.
const TRAIL_DURATION: Nanos = Nanos::from_millis(1200);

pub struct Overlay<'a> {
    /// A painter that is clipped to the area of the capsules.
    pub painter: Painter,
    pub map: &'a ScreenMap,
    pub state: &'a State,
}

impl Overlay<'_> {
    /// Highlights the capsules whose tasks ran in `frame`, with a ring around each, or a dot if the capsules are small. If
    /// too many tasks ran, no capsules are highlighted.
    pub fn highlight(&self, frame: &PastFrame) {
        let (painter, radius) = (&self.painter, self.map.radius());
        let entities = self.state.grid.lane.world().tasks().len();
        let ran = frame.runs().iter().map(|run| run.task.index);
        for center in highlighted_centers(self.map, ran, entities) {
            if radius < MIN_RING_RADIUS {
                let dot = Rect::from_center_size(center, Vec2::splat(radius.max(2.0)));
                painter.rect_filled(dot, 0.0, theme::BRIGHT);
            } else {
                painter.add(ring(center, radius, Stroke::new(1.6, theme::BRIGHT)));
            }
        }
    }

    /// Paints the target, and cards with the details of the pinned and hovered entities. The cards avoid
    /// `reserved_area` if possible.
    pub fn paint(&self, has_circle: bool, hovered_slot: Option<u32>, reserved_area: Rect) {
        let (grid, view) = (&self.state.grid, self.map.view);
        let (past, pinned) = (grid.past(), grid.pin);
        let target = past.map_or(grid.lane.world().target(), |past| past.target);
        if has_circle {
            self.paint_circle(target);
        }
        if past.is_none() {
            self.paint_trail();
        }
        let mut covered = vec![reserved_area, self.paint_target(target)];
        // The caption hides the first capsules, so show it only if no status line names the frame, or if the runs of
        // the frame are no longer recorded.
        let panels = self.state.interface.panels;
        if let Some(past) = past.filter(|past| !panels || past.has_forgotten()) {
            covered.push(self.badge(view.left_top() + vec2(24.0, 12.0), &caption(past)));
        }
        let pinned = pinned.map(|task| task.index);
        let hovered_slot = hovered_slot.filter(|_| hovered_slot != pinned);
        let places = [(pinned, true), (hovered_slot, false)].into_iter();
        let mark = |(place, is_pinned): (Option<u32>, bool)| {
            self.paint_marker(place?, is_pinned, &mut covered)
        };
        let marked: Vec<(Rect, EntityInfo)> = places.filter_map(mark).collect();
        // Paint the cards last, so that no marker covers them. They avoid the markers if there is room elsewhere.
        for (capsule, info) in &marked {
            let place = entity_card(&self.painter, view, *capsule, &covered, info);
            covered.push(place);
        }
    }

    /// Paints a dashed circle around the target. Tasks inside the circle have their full weight. The circle may appear
    /// as an ellipse because the view stretches the world.
    fn paint_circle(&self, target: Point) {
        let near = self.state.grid.lane.settings().knobs.get(&NEAR);
        let points = circle_points(self.map, target, near);
        let stroke = Stroke::new(1.0, theme::TEAL.gamma_multiply(0.7));
        let painter = &self.painter;
        painter.extend(Shape::dashed_line(&points, stroke, 4.0, 4.0));
        let words = "full rate".to_owned();
        let galley = painter.layout_no_wrap(words, theme::text(11.0), theme::TEAL);
        let margin = vec2(4.0, 1.0);
        let size = galley.size() + 2.0 * margin;
        if let Some(at) = label_center(self.map.view, &points, size) {
            let ground = theme::FLOOR.gamma_multiply(0.7);
            paint::label(painter, at, Align2::CENTER_CENTER, galley, margin, ground);
        }
    }

    fn paint_trail(&self) {
        let (frames, now) = (self.state.grid.history.frames(), self.state.grid.lane.now());
        for (newer, older) in frames.iter().rev().zip(frames.iter().rev().skip(1)) {
            let age = now - older.now;
            if age >= TRAIL_DURATION {
                break;
            }
            let ink = theme::TEAL.gamma_multiply(0.7 * (1.0 - age.over(TRAIL_DURATION)) as f32);
            let ends = [newer, older].map(|frame| self.map.to_screen(frame.target));
            self.painter.line_segment(ends, Stroke::new(1.8, ink));
        }
    }

    /// Paints the target with its label and returns the area that they cover. If the capsules are smaller than a pixel,
    /// also shows the number of entities per pixel.
    fn paint_target(&self, target: Point) -> Rect {
        let (painter, view) = (&self.painter, self.map.view);
        let (at, stroke) = (self.map.to_screen(target), Stroke::new(1.6, theme::TEAL));
        painter.circle_filled(at, 9.0, theme::FLOOR.gamma_multiply(0.35));
        painter.circle_stroke(at, 9.0, stroke);
        painter.circle_filled(at, 2.5, theme::TEAL);
        for direction in [Vec2::RIGHT, Vec2::LEFT, Vec2::DOWN, Vec2::UP] {
            painter.line_segment([at + direction * 7.0, at + direction * 12.0], stroke);
        }
        let grid = &self.state.grid;
        let words = if grid.past().is_some() {
            "target"
        } else if grid.lane.settings().target.is_some() {
            painter.circle_filled(at, 5.0, theme::TEAL);
            "target: pinned"
        } else if follows_pointer(self.state) {
            "target: your pointer"
        } else {
            "target"
        };
        let galley = painter.layout_no_wrap(words.to_owned(), theme::text(12.0), theme::TEAL);
        let room = galley.size().x + 40.0;
        let (side, align) = if at.x > view.right() - room {
            (-16.0, Align2::RIGHT_CENTER)
        } else {
            (16.0, Align2::LEFT_CENTER)
        };
        let is_high = at.y < view.top() + 30.0;
        let mut covered = Rect::from_center_size(at, Vec2::splat(24.0));
        if side > 0.0 || at.x >= view.left() + room {
            let at = at + vec2(side, if is_high { 14.0 } else { -14.0 });
            let ground = theme::FLOOR.gamma_multiply(0.8);
            let name = paint::label(painter, at, align, galley, vec2(5.0, 2.0), ground);
            covered = covered.union(name);
        }
        let per_pixel = self.map.slots_per_pixel();
        if per_pixel > 0.5 {
            let number = format::number(f64::from(per_pixel));
            let text = format!("about {number} entities per pixel");
            self.badge(view.left_bottom() + vec2(38.0, -38.0), &text);
        }
        covered
    }

    fn badge(&self, at: Pos2, text: &str) -> Rect {
        let painter = &self.painter;
        let galley = painter.layout_no_wrap(text.to_owned(), theme::text(12.0), theme::TEXT);
        let ground = theme::WELL.gamma_multiply(0.9);
        let (align, margin) = (Align2::LEFT_CENTER, vec2(9.0, 4.0));
        paint::label(painter, at, align, galley, margin, ground)
    }

    /// Paints a ring around a capsule and a line to the point that the capsule looks at. Adds the areas of the ring and
    /// the point to `covered`. Returns the area of the capsule and the details of its entity.
    fn paint_marker(
        &self,
        slot: u32,
        is_pinned: bool,
        covered: &mut Vec<Rect>,
    ) -> Option<(Rect, EntityInfo)> {
        let (grid, painter) = (&self.state.grid, &self.painter);
        let info = entity_info(&grid.lane, &grid.history, grid.past(), slot, is_pinned)?;
        let center = self.map.center(slot)?;
        if let Some(seen) = info.seen {
            let seen = self.map.to_screen(seen);
            let faint = Stroke::new(1.2, theme::TEAL.gamma_multiply(0.8));
            painter.extend(Shape::dashed_line(&[center, seen], faint, 4.0, 4.0));
            painter.circle_stroke(seen, 5.0, faint);
            covered.push(Rect::from_center_size(seen, Vec2::splat(12.0)));
        }
        let ring = ring(center, self.map.radius(), Stroke::new(1.6, theme::TEAL));
        let capsule = ring.rect.expand(1.0);
        painter.add(ring);
        covered.push(capsule);
        Some((capsule, info))
    }
}

/// Returns whether to show the circle in which tasks have their full weight. It is shown if the strategy or the colours
/// depend on significance, or while the pointer is over a knob that affects the weights.
pub fn has_circle(ui: &Ui, state: &State, output: &UiOutput) -> bool {
    let pointer = ui.input(|input| {
        let pointer = &input.pointer;
        pointer.press_origin().or(pointer.latest_pos())
    });
    let is_at_knob = pointer.is_some_and(|at| {
        let mut controls = output.controls.iter();
        controls.any(|control| {
            let affects_weights =
                [NEAR.key, FALLOFF.key, WEIGHT_STEPS.key].contains(&&*control.name);
            affects_weights && control.rect.contains(at)
        })
    });
    state.grid.lane.settings().strategy.family == Family::BySignificance
        || state.colours == ColourMode::Significance
        || is_at_knob
}

/// Returns whether the target follows the pointer. The target does not move while the game is paused.
pub fn follows_pointer(state: &State) -> bool {
    let lane = &state.grid.lane;
    !lane.settings().target_rests() && lane.world().pointer.is_some() && state.flow == Flow::Running
}

/// Returns the centres of the visible capsules in the given `slots`, or no centres if there are too many to highlight.
fn highlighted_centers(
    map: &ScreenMap,
    slots: impl ExactSizeIterator<Item = u32>,
    entities: usize,
) -> Vec<Pos2> {
    if 2 * slots.len() > entities {
        return Vec::new(); // highlights would only repeat what the flashes show
    }
    let in_view = slots.filter(|&slot| map.shows(slot));
    let centers = in_view.filter_map(|slot| map.center(slot));
    let centers: Vec<Pos2> = centers.take(MAX_HIGHLIGHTED + 1).collect();
    if centers.len() > MAX_HIGHLIGHTED {
        return Vec::new();
    }
    centers
}

fn ring(center: Pos2, radius: f32, stroke: Stroke) -> RectShape {
    let half = vec2(radius + 3.0, radius * 1.75 + 3.0);
    let rect = Rect::from_center_size(center, half * 2.0);
    let rounding = (radius + 3.0).clamp(1.0, 255.0) as u8;
    RectShape::stroke(rect, rounding, stroke, StrokeKind::Middle)
}

/// Returns the screen positions of points on a circle around the target. The last point equals the first.
fn circle_points(map: &ScreenMap, target: Point, radius: f64) -> Vec<Pos2> {
    let point = |index: usize| {
        let turn = (index % CIRCLE_SEGMENTS) as f32 / CIRCLE_SEGMENTS as f32;
        let offset = Vec2::angled(turn * std::f32::consts::TAU) * radius as f32;
        map.to_screen(Point {
            x: target.x + offset.x,
            y: target.y + offset.y,
        })
    };
    (0..=CIRCLE_SEGMENTS).map(point).collect()
}

/// Returns a point on the target's circle at which a label of the given `size` fits into the view, or `None` if there
/// is no such point.
fn label_center(view: Rect, circle: &[Pos2], size: Vec2) -> Option<Pos2> {
    let mut points = circle
        .iter()
        .cycle()
        .skip(FIRST_LABEL_POINT)
        .take(circle.len());
    points
        .find(|at| view.contains_rect(Rect::from_center_size(**at, size)))
        .copied()
}

/// Paints a card with the details of an entity. The card is close to the entity's capsule and avoids the `covered`
/// areas if possible. If the view is too small, some details are left out. Returns the area of the card.
fn entity_card(
    painter: &Painter,
    view: Rect,
    capsule: Rect,
    covered: &[Rect],
    info: &EntityInfo,
) -> Rect {
    let most = view.size() - 2.0 * (CARD_MARGIN + Vec2::splat(CARD_DISTANCE));
    let place_of = |width: f32| {
        let room = width.min(most.x).max(1.0);
        let counts = (1..=info.lines.len()).rev();
        let mut galleys = counts.map(|count| layout_details(painter, info, count, room));
        let fitting = galleys.find(|galley| galley.size().y <= most.y);
        let galley = fitting.unwrap_or_else(|| layout_details(painter, info, 0, room));
        let size = galley.size() + 2.0 * CARD_MARGIN;
        (free_place(view, capsule, covered, size), galley)
    };
    // In a small view, only a narrow card fits next to the capsule.
    let mut cards = CARD_TEXT_WIDTHS.into_iter().map(place_of);
    let beside = cards.find(|(place, _)| !place.intersects(capsule));
    let (place, galley) = beside.unwrap_or_else(|| place_of(CARD_TEXT_WIDTHS[0]));
    paint::card(painter, place, theme::WELL, theme::HOVER);
    painter.galley(place.min + CARD_MARGIN, galley, theme::TEXT);
    place
}

/// Lays out the name of an entity and the first `count` lines of its details. The text is wrapped at `max_width`
/// points.
fn layout_details(
    painter: &Painter,
    info: &EntityInfo,
    count: usize,
    max_width: f32,
) -> Arc<Galley> {
    let format = |font: FontId, ink| TextFormat {
        line_height: Some(15.0),
        ..TextFormat::simple(font, ink)
    };
    let mut job = LayoutJob::default();
    job.wrap.max_width = max_width;
    job.append(&info.name, 0.0, format(theme::mono(12.0), theme::TEAL));
    for line in &info.lines[..count] {
        // Rows end only at the space between two details.
        let line = line.replace(' ', paint::NO_BREAK);
        let line = format!("{}· {line}", paint::NO_BREAK);
        job.append(&line, 0.0, format(theme::text(12.0), theme::TEXT));
    }
    painter.layout_job(job)
}

/// Returns a rectangle of the given `size` inside the view. It overlaps the capsule and the `covered` areas as little as
/// possible, and it is as close to the capsule as possible.
fn free_place(view: Rect, capsule: Rect, covered: &[Rect], size: Vec2) -> Rect {
    let free = (view.size() - size).max(Vec2::ZERO);
    let margin = free.min(Vec2::splat(2.0 * CARD_DISTANCE)) / 2.0;
    let corners = Rect::from_min_max(view.min + margin, view.min + free - margin);
    // A card with its corner at the edge of this area is beside the capsule.
    let around = Rect::from_min_max(capsule.min - size, capsule.max).expand(CARD_DISTANCE);
    let beside = [
        around.right_center(),
        around.left_center(),
        around.center_top(),
        around.center_bottom(),
    ];
    // If there is no room beside the capsule, any place of a coarse grid will do.
    let steps = (0..=8_u8).flat_map(|row| (0..=8_u8).map(move |column| (column, row)));
    let anywhere = steps.map(|(column, row)| {
        corners.lerp_inside(vec2(f32::from(column) / 8.0, f32::from(row) / 8.0))
    });
    let places = beside.into_iter().chain(anywhere);
    let places = places.map(|corner| Rect::from_min_size(corners.clamp(corner).round(), size));
    let rank = |place: &Rect| {
        let covered = covered.iter().map(|area| place.intersect(*area));
        let overlap: f32 = covered
            .filter(Rect::is_positive)
            .map(|area| area.area())
            .sum();
        let distance = place.distance_to_pos(capsule.center());
        (place.intersects(capsule), overlap, distance)
    };
    let best = places.min_by(|one, other| rank(one).partial_cmp(&rank(other)).unwrap_or(Equal));
    best.unwrap_or(Rect::from_min_size(view.min, size))
}

fn caption(past: &PastFrame) -> String {
    let number = format::grouped(past.record.number);
    if past.has_forgotten() {
        format!("frame {number}: {FORGOTTEN}")
    } else {
        format!("frame {number} (past)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    fn map(places: u32) -> ScreenMap {
        let view = Rect::from_min_size(pos2(252.0, 122.0), vec2(1028.0, 452.0));
        ScreenMap::new(places, view, 1.0)
    }

    #[test]
    fn all_capsules_are_highlighted_or_none() {
        for (ran, entities, count) in [
            (200, 400, 200),
            (201, 400, 0),
            (3000, 10_000, 3000),
            (3001, 1_000_000, 0),
            (1, 1, 0),
        ] {
            let centers = highlighted_centers(&map(entities), 0..ran, entities as usize);
            assert_eq!(centers.len(), count, "{ran} of {entities}");
        }
    }

    #[test]
    fn a_card_covers_neither_its_capsule_nor_the_target() {
        for size in [vec2(1028.0, 446.0), vec2(648.0, 246.0), vec2(512.0, 130.0)] {
            let view = Rect::from_min_size(pos2(252.0, 114.0), size);
            let at =
                |x: f32, y: f32, size| Rect::from_center_size(view.lerp_inside(vec2(x, y)), size);
            for index in 0..60_u8 {
                let [x, y] = [7, 11].map(|by| f32::from(index.wrapping_mul(by) % 20) / 19.0);
                let target = at(1.0 - x, y, vec2(24.0, 24.0));
                let capsule = at(x, y, vec2(22.0, 32.0));
                let place = free_place(view, capsule, &[target], vec2(240.0, 38.0));
                assert!(view.contains_rect(place), "{place} in {view}");
                assert!(!place.intersects(capsule), "{place}: {capsule}");
                assert!(!place.intersects(target), "{place}: {target}");
            }
        }
    }
}
