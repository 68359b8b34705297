//! Places for the labels of dots: none overlaps another label, a dot or the edge of the chart.

use egui::{Pos2, Rect, Vec2, pos2, vec2};

/// Radius around a dot that its neighbours' labels leave free.
const CLEAR: f32 = 6.0;
/// Space between a dot and its label.
const GAP: f32 = 9.0;
/// Distances of a label from its usual place, as multiples of its height, if that is taken.
const STEPS: [f32; 4] = [0.0, 1.0, 2.0, 3.0];
/// Number of candidates for a place near the dot.
const NEAR: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Labelled {
    pub dot: Pos2,
    pub sizes: [Vec2; 2],
    /// True if the label should get one of the first places.
    pub is_first: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelPlace {
    pub rect: Rect,
    pub is_short: bool,
}

/// Places the label of each dot inside `area`, next to the dot if possible. A label without room is the shorter one, and
/// at last is left out. `taken` are places of other texts. A label covers one of the `lines` only if there is no other
/// place near its dot.
pub fn place_labels(
    area: Rect,
    dots: &[Labelled],
    taken: &[Rect],
    lines: &[Rect],
) -> Vec<Option<LabelPlace>> {
    let near_dots = dots.iter().map(|it| it.dot);
    let near_dots = near_dots.map(|dot| Rect::from_center_size(dot, Vec2::splat(2.0 * CLEAR)));
    let mut occupied: Vec<Rect> = taken.iter().copied().chain(near_dots).collect();
    let mut places = vec![None; dots.len()];
    let mut order: Vec<usize> = (0..dots.len()).collect();
    order.sort_by_key(|&index| !dots[index].is_first);
    for index in order {
        let Labelled { dot, sizes, .. } = dots[index];
        let is_free = |rect: &Rect| area.contains_rect(*rect) && is_apart(rect, &occupied);
        let is_clear = |rect: &Rect| is_free(rect) && is_apart(rect, lines);
        let place = |is_short: bool| {
            let size = sizes[usize::from(is_short)];
            let mut near = candidates(dot, size).take(NEAR);
            let clear = near.find(is_clear);
            let rect = clear.or_else(|| candidates(dot, size).find(is_free))?;
            Some(LabelPlace { rect, is_short })
        };
        places[index] = place(false).or_else(|| place(true));
        occupied.extend(places[index].map(|it| it.rect));
    }
    places
}

/// Returns places for a label of this size, the best first: beside the dot, then above and below it, then farther away.
fn candidates(dot: Pos2, size: Vec2) -> impl Iterator<Item = Rect> {
    let beside = GAP + size.x / 2.0;
    let above = CLEAR + size.y / 2.0;
    STEPS.into_iter().flat_map(move |steps| {
        let far = steps * size.y;
        let offsets = [
            vec2(beside, -far),
            vec2(beside, far),
            vec2(-beside, -far),
            vec2(-beside, far),
            vec2(0.0, -above - far),
            vec2(0.0, above + far),
        ];
        offsets.map(|offset| {
            let middle = dot + offset;
            Rect::from_center_size(pos2(middle.x.round(), middle.y.round()), size)
        })
    })
}

/// Returns a place of this size inside `plot` that overlaps nothing in `taken`: one that `is_best` if there is any, the
/// lowest one at the left.
pub fn free_place(
    plot: Rect,
    size: Vec2,
    taken: &[Rect],
    is_best: impl Fn(&Rect) -> bool,
) -> Option<Rect> {
    const STEP: Vec2 = vec2(16.0, 6.0);
    let room = plot.shrink(4.0);
    let lowest = pos2(room.left(), room.bottom() - size.y);
    let count = ((room.size() - size) / STEP).clamp(Vec2::ZERO, Vec2::splat(200.0));
    let rows = (0..=count.y as u32).flat_map(|row| (0..=count.x as u32).map(move |it| (it, row)));
    let rects = rows.map(|(column, row)| {
        let offset = vec2(column as f32, -(row as f32)) * STEP;
        Rect::from_min_size(lowest + offset, size)
    });
    let free = rects.filter(|rect| room.contains_rect(*rect) && is_apart(rect, taken));
    let free: Vec<Rect> = free.collect();
    let best = free.iter().find(|rect| is_best(rect));
    best.or(free.first()).copied()
}

fn is_apart(rect: &Rect, others: &[Rect]) -> bool {
    let overlaps = |other: &Rect| other.intersect(*rect).is_positive();
    !others.iter().any(overlaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Rect = Rect {
        min: Pos2::ZERO,
        max: pos2(500.0, 140.0),
    };

    fn dot(x: f32, y: f32, width: f32) -> Labelled {
        Labelled {
            dot: pos2(x, y),
            sizes: [vec2(width, 14.0), vec2(10.0, 14.0)],
            is_first: false,
        }
    }

    #[test]
    fn labels_avoid_lines_if_there_is_another_place() {
        let line = Rect::from_x_y_ranges(130.0..=132.0, AREA.y_range());
        let place = place_labels(AREA, &[dot(100.0, 70.0, 80.0)], &[], &[line])[0].unwrap();
        assert_eq!(place.rect.right(), 100.0 - GAP);
        let lines = [line, line.translate(vec2(-60.0, 0.0))];
        let place = place_labels(AREA, &[dot(100.0, 70.0, 80.0)], &[], &lines)[0].unwrap();
        assert_eq!(place.rect.left(), 100.0 + GAP, "no other place is near");
    }

    #[test]
    fn a_label_without_room_is_short_and_then_left_out() {
        let narrow = Rect::from_min_size(Pos2::ZERO, vec2(60.0, 20.0));
        let place = |width, height| {
            let dot = Labelled {
                sizes: [vec2(width, height), vec2(10.0, height)],
                ..dot(30.0, 10.0, 0.0)
            };
            place_labels(narrow, &[dot], &[], &[])[0]
        };
        assert!(place(80.0, 14.0).is_some_and(|it| it.is_short));
        assert_eq!(place(80.0, 30.0), None);
    }
}
