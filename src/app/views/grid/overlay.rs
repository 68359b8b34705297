//! Paints everything on top of the capsules: rings around the capsules whose tasks ran, the target and the circle
//! around it, and cards with details of entities. Tasks inside the circle have their full weight. If weights come in
//! steps, there are further circles, between which all tasks have the same weight.

use crate::app::crowd::screen_map::ScreenMap;
use crate::app::plots::FORGOTTEN;
use crate::app::state::{Flow, State};
use crate::app::widgets::{paint, theme, tooltip};
use egui::epaint::RectShape;
use egui::text::{LayoutJob, TextFormat};
use egui::{Align2, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, vec2};
use lab::catalog::strategy::Family;
use lab::history::entity_info::entity_info;
use lab::history::{EntityInfo, PastFrame};
use lab::sim::world::{NEAR, Point, WEIGHT_STEPS};
use lab::text::format;
use timeslicer::time::Nanos;

/// The maximum number of highlighted capsules. If there are more, no capsules are highlighted, because the rings would
/// hide the capsules and take longer to draw than the capsules themselves.
const MAX_HIGHLIGHTED: usize = 3000;
/// The minimum radius of a capsule that is highlighted with a ring, in points. Smaller capsules are highlighted with a
/// dot.
const MIN_RING_RADIUS: f32 = 4.0;

/// No entity is farther than this from the target, because the world is 1 wide and 0.5 high.
const MAX_DISTANCE: f64 = 1.12;

const CIRCLE_SEGMENTS: usize = 96;

const LABEL_MARGIN: Vec2 = vec2(5.0, 2.0);
/// The maximum text width of an entity card. Cards are wide because a tall card would cover more rows of capsules.
const MAX_CARD_TEXT_WIDTH: f32 = 480.0;
const CARD_LINE_HEIGHT: f32 = 15.0;
const CARD_MARGIN: Vec2 = vec2(10.0, 8.0);

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

    /// Paints the target, rings around the pinned and the hovered capsule, and a card with the details of one of their
    /// entities. The hovered one comes first.
    pub fn paint(&self, hovered_slot: Option<u32>) {
        let grid = &self.state.grid;
        let past = grid.past();
        let target = past.map_or(grid.lane.world().target(), |past| past.target);
        if grid.lane.settings().strategy.family == Family::BySignificance {
            self.paint_circles(target);
        }
        if past.is_none() {
            self.paint_trail();
        }
        self.paint_target(target);
        // The caption hides the first capsules, so show it only if no status line names the frame, or if the runs of
        // the frame are no longer recorded.
        let panels = self.state.interface.panels;
        if let Some(past) = past.filter(|past| !panels || past.has_forgotten()) {
            self.paint_caption(past);
        }
        let pinned = grid.pin.map(|task| task.index);
        let hovered = hovered_slot.filter(|_| hovered_slot != pinned);
        let slots = [pinned, hovered].into_iter().flatten();
        let mut marked = None;
        for slot in slots {
            marked = self.paint_marker(slot, Some(slot) == pinned).or(marked);
        }
        if let Some((capsule, info)) = marked {
            self.paint_card(capsule, &info);
        }
    }

    /// Paints a dashed circle around the target. Tasks inside the circle have their full weight. If weights come in
    /// steps, fainter circles are the borders of the bands beyond. The circles may appear as ellipses because the view
    /// stretches the world.
    fn paint_circles(&self, target: Point) {
        let knobs = &self.state.grid.lane.settings().knobs;
        let near = knobs.get(&NEAR);
        let mut border = 2.0 * near;
        while knobs.get(&WEIGHT_STEPS) > 0.0 && border < MAX_DISTANCE {
            let points = circle_points(self.map, target, border);
            let stroke = Stroke::new(1.0, theme::TEAL.gamma_multiply(0.35));
            self.painter.add(Shape::line(points, stroke));
            border *= 2.0;
        }
        let points = circle_points(self.map, target, near);
        let stroke = Stroke::new(1.0, theme::TEAL.gamma_multiply(0.7));
        let painter = &self.painter;
        painter.extend(Shape::dashed_line(&points, stroke, 4.0, 4.0));
        // The label is at the upper right of the circle, or else farther to the left.
        let places = points.iter().rev().skip(CIRCLE_SEGMENTS / 8);
        self.label("full rate", places.map(|at| (*at, Align2::CENTER_CENTER)));
    }

    fn paint_trail(&self) {
        let (frames, now) = (self.state.grid.history.frames(), self.state.grid.lane.now());
        for (newer, older) in frames.iter().rev().zip(frames.iter().rev().skip(1)) {
            let age = now - older.record.now;
            if age >= TRAIL_DURATION {
                break;
            }
            let ink = theme::TEAL.gamma_multiply(0.7 * (1.0 - age.over(TRAIL_DURATION)) as f32);
            let ends = [newer, older].map(|frame| self.map.to_screen(frame.target));
            self.painter.line_segment(ends, Stroke::new(1.8, ink));
        }
    }

    /// Paints the target with its label.
    fn paint_target(&self, target: Point) {
        let painter = &self.painter;
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
        let sides = [(16.0, Align2::LEFT_CENTER), (-16.0, Align2::RIGHT_CENTER)];
        let place = |(x, align)| [-14.0, 14.0].map(|y| (at + vec2(x, y), align));
        self.label(words, sides.into_iter().flat_map(place));
    }

    /// Paints a label at the first of the `places` at which it is inside the view, if there is one.
    fn label(&self, words: &str, places: impl IntoIterator<Item = (Pos2, Align2)>) {
        let (painter, view) = (&self.painter, self.map.view);
        let galley = painter.layout_no_wrap(words.to_owned(), theme::text(12.0), theme::TEAL);
        let is_inside = |&(at, align): &(Pos2, Align2)| {
            let place = align.anchor_size(at, galley.size());
            view.contains_rect(place.expand2(LABEL_MARGIN))
        };
        if let Some((at, align)) = places.into_iter().find(is_inside) {
            let ground = theme::FLOOR.gamma_multiply(0.8);
            paint::label(painter, at, align, galley, LABEL_MARGIN, ground);
        }
    }

    fn paint_caption(&self, past: &PastFrame) {
        let (painter, at) = (&self.painter, self.map.view.left_top() + vec2(24.0, 12.0));
        let number = format::grouped(past.record.number);
        let words = if past.has_forgotten() {
            format!("frame {number}: {FORGOTTEN}")
        } else {
            format!("frame {number} (past)")
        };
        let galley = painter.layout_no_wrap(words, theme::text(12.0), theme::TEXT);
        let ground = theme::WELL.gamma_multiply(0.9);
        let (align, margin) = (Align2::LEFT_CENTER, vec2(9.0, 4.0));
        paint::label(painter, at, align, galley, margin, ground);
    }

    /// Paints a ring around a capsule and a line to the point that the capsule looks at. Returns the area of the
    /// capsule and the details of its entity.
    fn paint_marker(&self, slot: u32, is_pinned: bool) -> Option<(Rect, EntityInfo)> {
        let (grid, painter) = (&self.state.grid, &self.painter);
        let info = entity_info(&grid.lane, &grid.history, grid.past(), slot, is_pinned)?;
        let center = self.map.center(slot)?;
        if let Some(seen) = info.seen {
            let seen = self.map.to_screen(seen);
            let faint = Stroke::new(1.2, theme::TEAL.gamma_multiply(0.8));
            painter.extend(Shape::dashed_line(&[center, seen], faint, 4.0, 4.0));
            painter.circle_stroke(seen, 5.0, faint);
        }
        let ring = ring(center, self.map.radius(), Stroke::new(1.6, theme::TEAL));
        let capsule = ring.rect.expand(1.0);
        painter.add(ring);
        Some((capsule, info))
    }

    /// Paints a card with the details of an entity next to its capsule. If the view is too small, some details are left
    /// out.
    fn paint_card(&self, capsule: Rect, info: &EntityInfo) {
        let (painter, view) = (&self.painter, self.map.view);
        let [width, height] = [view.width(), view.height()];
        let width = (width - 3.0 * CARD_MARGIN.x).min(MAX_CARD_TEXT_WIDTH);
        let rows = (height - 3.0 * CARD_MARGIN.y) / CARD_LINE_HEIGHT;
        let jobs = (0..=info.lines.len()).rev();
        let jobs = jobs.map(|count| details(&info.name, &info.lines[..count]));
        if let Some(text) = paint::first_fitting(painter, jobs, width, rows.max(1.0) as usize) {
            let size = text.size() + 2.0 * CARD_MARGIN;
            let place = tooltip::beside(capsule, size, view, capsule.left_top());
            paint::card(painter, place, theme::WELL, theme::HOVER);
            painter.galley(place.min + CARD_MARGIN, text, theme::TEXT);
        }
    }
}

/// Returns whether the target follows the pointer. The target does not move while the game is paused.
pub fn follows_pointer(state: &State) -> bool {
    let lane = &state.grid.lane;
    !lane.settings().target_rests() && lane.world().pointer.is_some() && state.flow == Flow::Running
}

/// Returns the centres of the capsules in the given `slots`, or no centres if there are too many to highlight.
fn highlighted_centers(
    map: &ScreenMap,
    slots: impl ExactSizeIterator<Item = u32>,
    entities: usize,
) -> Vec<Pos2> {
    if 2 * slots.len() > entities {
        return Vec::new(); // highlights would only repeat what the flashes show
    }
    let centers = slots.filter_map(|slot| map.center(slot));
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

fn details(name: &str, lines: &[String]) -> LayoutJob {
    let format = |font: FontId, ink| TextFormat {
        line_height: Some(CARD_LINE_HEIGHT),
        ..TextFormat::simple(font, ink)
    };
    let mut job = LayoutJob::default();
    job.append(name, 0.0, format(theme::mono(12.0), theme::TEAL));
    for line in lines {
        // Rows end only at the space between two details.
        let line = line.replace(' ', paint::NO_BREAK);
        let line = format!("{}· {line}", paint::NO_BREAK);
        job.append(&line, 0.0, format(theme::text(12.0), theme::TEXT));
    }
    job
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
}
