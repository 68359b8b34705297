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
/// From this distance between a dot and the closest point of its label on, a line joins both.
const JOINED_FROM: f32 = 14.0;

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
    /// Point of the label to which a line from its dot leads, if it is not next to the dot.
    pub joined_at: Option<Pos2>,
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
    let mut occupied = taken.to_vec();
    occupied.extend(
        dots.iter()
            .map(|it| Rect::from_center_size(it.dot, Vec2::splat(2.0 * CLEAR))),
    );
    let mut places = vec![None; dots.len()];
    for is_first in [true, false] {
        for (place, dot) in places.iter_mut().zip(dots) {
            if dot.is_first != is_first {
                continue;
            }
            let is_free = |rect: &Rect| area.contains_rect(*rect) && is_apart(rect, &occupied);
            let is_clear = |rect: &Rect| is_free(rect) && is_apart(rect, lines);
            let sizes = dot.sizes.iter().zip([false, true]);
            let mut rects = sizes.filter_map(|(size, is_short)| {
                let mut near = candidates(dot.dot, *size).take(NEAR);
                let rect = near
                    .find(is_clear)
                    .or_else(|| candidates(dot.dot, *size).find(is_free))?;
                let joined_at = Some(rect.clamp(dot.dot));
                let joined_at = joined_at.filter(|at| at.distance(dot.dot) >= JOINED_FROM);
                Some(LabelPlace {
                    rect,
                    is_short,
                    joined_at,
                })
            });
            *place = rects.next();
            occupied.extend(place.map(|it| it.rect));
        }
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
    let mut first = None;
    for row in 0..=count.y as u32 {
        for column in 0..=count.x as u32 {
            let offset = vec2(column as f32, -(row as f32)) * STEP;
            let rect = Rect::from_min_size(lowest + offset, size);
            if !room.contains_rect(rect) || !is_apart(&rect, taken) {
                continue;
            }
            if is_best(&rect) {
                return Some(rect);
            }
            first = first.or(Some(rect));
        }
    }
    first
}

fn is_apart(rect: &Rect, others: &[Rect]) -> bool {
    let overlaps = |other: &Rect| other.intersect(*rect).is_positive();
    !others.iter().any(overlaps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn labels_never_overlap(
            dots in prop::collection::vec((0.0_f32..500.0, 0.0_f32..140.0, 10.0_f32..140.0), 0..24),
            first in 0_usize..24,
            taken in 0.0_f32..300.0,
            line in 0.0_f32..500.0,
        ) {
            let lines = [Rect::from_x_y_ranges(line..=line + 2.0, AREA.y_range())];
            let mut dots: Vec<Labelled> = dots.into_iter().map(|(x, y, width)| dot(x, y, width)).collect();
            if let Some(dot) = dots.get_mut(first) {
                dot.is_first = true;
            }
            let taken = Rect::from_min_size(pos2(taken, 0.0), vec2(60.0, 14.0));
            let places = place_labels(AREA, &dots, &[taken], &lines);
            let mut rects = vec![taken];
            for place in places.iter().flatten() {
                prop_assert!(AREA.contains_rect(place.rect));
                for other in &rects {
                    prop_assert!(!other.intersect(place.rect).is_positive(), "{} and {}", other, place.rect);
                }
                for dot in &dots {
                    prop_assert!(!place.rect.contains(dot.dot));
                }
                rects.push(place.rect);
            }
        }
    }
}
