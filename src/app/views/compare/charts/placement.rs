//! Positions the data points of a chart and their labels. No data point may hide another data point, and it must be
//! clear which label belongs to which data point.

use egui::{Pos2, Rect, Vec2, pos2, vec2};
use std::f32::consts::{FRAC_PI_2, TAU};

pub const MIN_DOT_DISTANCE: f32 = 12.0;
/// The minimum distance between a data point and the label or leader line of another data point, in points.
const OTHER_DOT_GAP: f32 = 9.0;
/// The minimum distance between a data point and the leader line of another data point, in points, if no position keeps
/// the larger distance [`OTHER_DOT_GAP`].
const REDUCED_LINE_GAP: f32 = 4.5;
const LABEL_FREE_RADIUS: f32 = 6.0;
const LABEL_DISTANCE: f32 = 9.0;
/// A label that is at least this far away from its data point is connected to it by a leader line.
const MIN_LEADER_LINE_LENGTH: f32 = 14.0;
/// A label without a leader line must be closer to its own data point than to any other data point, by at least this
/// distance in points.
const MIN_CLOSENESS: f32 = 3.0;
const LABEL_DISTANCE_COUNT: u8 = 5;

pub type Line = [Pos2; 2];

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    pub place: Rect,
    /// Whether the label shows only its short text.
    pub is_short: bool,
    /// The line that connects the data point to its label. `None` if the label is so close to its data point that no
    /// line is needed.
    pub line: Option<Line>,
}

/// Returns a position in `area` for each data point. A data point that would overlap an earlier one is moved to the
/// closest free position. Positions for which `is_preferred` returns true are tried first.
pub fn fan_out(
    area: Rect,
    points: &[Pos2],
    is_preferred: impl Fn(Pos2, Pos2) -> bool,
) -> Vec<Pos2> {
    let mut places: Vec<Pos2> = Vec::new();
    for &point in points {
        let is_free = |at: &Pos2| places.iter().all(|it| it.distance(*at) >= MIN_DOT_DISTANCE);
        let mut inside =
            positions_around(point, area).filter(|at| area.contains(*at) && is_free(at));
        let place = if is_free(&point) {
            Some(point)
        } else {
            let mut free = inside.clone();
            free.find(|at| is_preferred(point, *at))
                .or_else(|| inside.next())
        };
        places.push(place.unwrap_or(point));
    }
    places
}

/// Returns positions around a point, sorted by distance. At the same distance, higher positions come first.
fn positions_around(point: Pos2, area: Rect) -> impl Iterator<Item = Pos2> + Clone {
    let rings = (area.size().length() / MIN_DOT_DISTANCE).ceil() as u16 * 2;
    (2..=rings).flat_map(move |ring| {
        let radius = f32::from(ring) * MIN_DOT_DISTANCE / 2.0 + 0.01;
        let count = 6 * ring;
        (0..count).map(move |turn| {
            // Alternate between the right and the left side of the top.
            let sign = if turn % 2 == 0 { 1.0 } else { -1.0 };
            let step = f32::from(turn.div_ceil(2)) / f32::from(count);
            point + radius * Vec2::angled(sign * step * TAU - FRAC_PI_2)
        })
    })
}

/// Positions a label close to each data point, or leaves the label out if there is no room. `sizes` contains two sizes
/// for each label: the size of its full text and the size of its short text.
///
/// No label overlaps another label, a data point or a `taken` area. If possible, labels also avoid the `lines` in the
/// chart. If there is no other way, the leader lines of the first `required_count` labels may cross other data points.
pub fn place_labels(
    area: Rect,
    dots: &[Pos2],
    sizes: &[[Vec2; 2]],
    taken: &[Rect],
    lines: &[Line],
    required_count: usize,
) -> Vec<Option<Label>> {
    let clear = |dot: &Pos2| Rect::from_center_size(*dot, Vec2::splat(2.0 * LABEL_FREE_RADIUS));
    let mut labels = Vec::new();
    let mut texts: Vec<Rect> = taken.to_vec();
    let mut lines = lines.to_vec();
    for (index, (&dot, &[full, short])) in dots.iter().zip(sizes).enumerate() {
        let others = || dots.iter().enumerate().filter(|(other, _)| *other != index);
        let is_free = |place: &Rect| {
            let is_apart = |other: Rect| !other.intersect(*place).is_positive();
            area.contains_rect(*place)
                && texts.iter().all(|text| is_apart(*text))
                && dots.iter().all(|dot| is_apart(clear(dot)))
        };
        let is_next = |place: &Rect| {
            let own = place.distance_to_pos(dot);
            let mut others = others();
            own < MIN_LEADER_LINE_LENGTH
                && others.all(|(_, it)| place.distance_to_pos(*it) > own + MIN_CLOSENESS)
        };
        let is_clear = |place: &Rect| !lines.iter().any(|line| crosses(*line, *place));
        let is_joined = |place: &Rect, gap: f32| {
            let line = leader_line(dot, *place);
            let mut dots = others();
            !dots.any(|(_, it)| distance(*it, line) < gap)
                && !texts.iter().any(|text| crosses(line, *text))
        };
        let can_join = |place: &Rect| is_joined(place, REDUCED_LINE_GAP);
        let is_apart = |place: &Rect| {
            let mut dots = others();
            dots.all(|(_, it)| place.distance_to_pos(*it) >= OTHER_DOT_GAP)
                && is_joined(place, OTHER_DOT_GAP)
        };
        let find = |size, fits: &dyn Fn(&Rect) -> bool| {
            label_candidates(dot, size).find(|place| is_free(place) && fits(place))
        };
        let place = find(full, &|it| is_next(it) && is_clear(it))
            .or_else(|| find(full, &|it| is_clear(it) && is_apart(it)))
            .or_else(|| find(full, &is_next))
            .or_else(|| find(full, &is_apart))
            .map(|place| (place, false))
            .or_else(|| find(short, &is_next).map(|place| (place, true)))
            .or_else(|| find(full, &can_join).map(|place| (place, false)))
            .or_else(|| find(short, &can_join).map(|place| (place, true)))
            .or_else(|| {
                let is_certain = index < required_count;
                find(short, &|it| is_certain && is_joined(it, 0.0)).map(|place| (place, true))
            });
        let label = place.map(|(place, is_short)| Label {
            place,
            is_short,
            line: (!is_next(&place)).then(|| leader_line(dot, place)),
        });
        texts.extend(label.map(|it| it.place));
        lines.extend(label.and_then(|it| it.line));
        labels.push(label);
    }
    labels
}

/// Returns the shortest line from a data point to a label.
fn leader_line(dot: Pos2, place: Rect) -> Line {
    [dot, place.clamp(dot)]
}

/// Returns the positions to try for a label. The positions close to the data point come first.
fn label_candidates(dot: Pos2, size: Vec2) -> impl Iterator<Item = Rect> {
    let beside = LABEL_DISTANCE + size.x / 2.0;
    let above = LABEL_FREE_RADIUS + size.y / 2.0 + 1.0;
    let aside = LABEL_FREE_RADIUS / 2.0 + size.x / 2.0;
    (0..LABEL_DISTANCE_COUNT).flat_map(move |steps| {
        let far = f32::from(steps) * size.y;
        let [up, down] = [-above - far, above + far];
        let offsets = [
            vec2(beside, -far),
            vec2(-beside, -far),
            vec2(0.0, up),
            vec2(aside, up),
            vec2(-aside, up),
            vec2(beside, far),
            vec2(-beside, far),
            vec2(0.0, down),
            vec2(aside, down),
            vec2(-aside, down),
        ];
        offsets.map(|offset| Rect::from_center_size((dot + offset).round(), size))
    })
}

/// Returns the distance between a point and a line segment.
pub fn distance(point: Pos2, [from, to]: Line) -> f32 {
    let (by, offset) = (to - from, point - from);
    let share = (offset.dot(by) / by.length_sq().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    (offset - share * by).length()
}

/// Returns whether any part of the line is inside the rectangle.
fn crosses(line: Line, rect: Rect) -> bool {
    let [from, to] = line;
    let (mut first, mut last) = (0.0_f32, 1.0_f32);
    for (at, by, low, high) in [
        (from.x, to.x - from.x, rect.min.x, rect.max.x),
        (from.y, to.y - from.y, rect.min.y, rect.max.y),
    ] {
        if by == 0.0 {
            if at <= low || at >= high {
                return false;
            }
            continue;
        }
        let [one, other] = [(low - at) / by, (high - at) / by];
        first = first.max(one.min(other));
        last = last.min(one.max(other));
    }
    first < last
}

/// Returns whether a position is above the line through `points`, which are sorted from left to right. A position
/// beyond the ends of the line counts as above it.
pub fn is_above(points: &[Pos2], at: Pos2) -> bool {
    let mut parts = points.windows(2);
    let part = parts.find(|ends| (ends[0].x..=ends[1].x).contains(&at.x));
    part.is_none_or(|ends| {
        let share = (at.x - ends[0].x) / (ends[1].x - ends[0].x).max(f32::MIN_POSITIVE);
        at.y <= pos2(at.x, ends[0].y).lerp(ends[1], share).y
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const AREA: Rect = Rect::from_min_max(Pos2::ZERO, pos2(500.0, 140.0));

    fn one(dots: &[Pos2], lines: &[Line]) -> Label {
        let sizes = vec![[vec2(90.0, 15.0), vec2(15.0, 15.0)]; dots.len()];
        place_labels(AREA, dots, &sizes, &[], lines, 0)[0].expect("it has room")
    }

    #[test]
    fn labels_avoid_lines_if_there_is_another_place() {
        let dot = [pos2(150.0, 70.0)];
        let right = [pos2(165.0, 0.0), pos2(165.0, 140.0)];
        let left = [pos2(135.0, 0.0), pos2(135.0, 140.0)];
        assert!(one(&dot, &[]).place.left() > 150.0);
        assert!(one(&dot, &[right]).place.right() < 150.0);
        let both = one(&dot, &[left, right]);
        assert!(both.line.is_none(), "no other place is near: {both:?}");
    }

    #[test]
    fn a_label_that_is_not_next_to_its_dot_has_a_line() {
        let dots = fan_out(AREA, &[pos2(250.0, 70.0); 7], |_, _| true); // the first one is in the middle
        let label = one(&dots, &[]);
        let [from, to] = label.line.expect("it is joined");
        assert_eq!((from, to), (dots[0], label.place.clamp(dots[0])));
    }

    #[test]
    fn dots_fan_out_to_allowed_places() {
        let point = pos2(100.0, 70.0);
        let places = fan_out(AREA, &[point; 7], |_, at| at.y <= 70.0);
        assert_eq!(places[0], point);
        assert!(places.iter().all(|at| at.y <= 70.0), "{places:?}");
        assert!(
            places
                .iter()
                .all(|at| at.distance(point) < 2.5 * MIN_DOT_DISTANCE)
        );
        let nowhere = fan_out(AREA, &[point; 7], |_, _| false);
        assert!(nowhere[1].distance(point) < 1.1 * MIN_DOT_DISTANCE);
    }

    #[test]
    fn above_a_line_is_known_between_its_points() {
        let line = [pos2(0.0, 0.0), pos2(10.0, 20.0)];
        for (x, y, expected) in [(5.0, 9.0, true), (5.0, 11.0, false), (11.0, 90.0, true)] {
            assert_eq!(is_above(&line, pos2(x, y)), expected, "{x} {y}");
        }
    }

    #[test]
    fn lines_cross_what_they_pass_through() {
        let rect = Rect::from_min_max(pos2(10.0, 10.0), pos2(20.0, 20.0));
        for (line, expected) in [
            ([pos2(0.0, 0.0), pos2(30.0, 30.0)], true),
            ([pos2(0.0, 15.0), pos2(30.0, 15.0)], true),
            ([pos2(12.0, 0.0), pos2(12.0, 5.0)], false),
            ([pos2(0.0, 25.0), pos2(25.0, 30.0)], false),
            ([pos2(12.0, 12.0), pos2(13.0, 13.0)], true),
            ([pos2(10.0, 0.0), pos2(10.0, 30.0)], false),
        ] {
            assert_eq!(crosses(line, rect), expected, "{line:?}");
        }
    }

    /// Generates a plot, data points in it (some of which coincide), and the sizes of their labels.
    fn chart() -> impl Strategy<Value = (Rect, Vec<Pos2>, Vec<[Vec2; 2]>)> {
        let dots = prop::collection::vec((0.0_f32..1.0, 0.0_f32..1.0, 1_u8..20, 0..4_usize), 1..13);
        let size = (160.0_f32..900.0, 50.0_f32..340.0);
        (dots, size).prop_map(|(dots, size)| {
            let area = Rect::from_min_size(pos2(40.0, 30.0), size.into());
            let mut points: Vec<Pos2> = Vec::new();
            for &(x, y, _, repeats) in &dots {
                let earlier = points
                    .len()
                    .checked_sub(repeats)
                    .and_then(|it| points.get(it));
                let point = earlier.copied().unwrap_or(area.lerp_inside(vec2(x, y)));
                points.push(point);
            }
            let sizes = dots.iter().map(|it| {
                let width = 8.0 + 6.5 * f32::from(it.2);
                [vec2(width, 15.0), vec2(15.0, 15.0)]
            });
            (area, points, sizes.collect())
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn all_dots_are_apart_and_inside((area, points, _) in chart()) {
            let places = fan_out(area, &points, |_, at| at.y < area.center().y);
            for (index, place) in places.iter().enumerate() {
                prop_assert!(area.contains(*place));
                let mut earlier = places[..index].iter();
                prop_assert!(earlier.all(|it| it.distance(*place) >= MIN_DOT_DISTANCE));
                let is_free = places[..index].iter().all(|it| it.distance(points[index]) >= MIN_DOT_DISTANCE);
                prop_assert_eq!(*place == points[index], is_free);
            }
        }

        #[test]
        fn every_label_is_nearest_to_its_dot_or_joined((area, points, sizes) in chart()) {
            let dots = fan_out(area, &points, |_, _| true);
            let taken = [Rect::from_min_size(area.min, vec2(60.0, 15.0))];
            let labels = place_labels(area, &dots, &sizes, &taken, &[[area.min, area.max]], 1);
            let texts: Vec<Rect> = labels.iter().flatten().map(|it| it.place).chain(taken).collect();
            for (index, text) in texts.iter().enumerate() {
                prop_assert!(area.contains_rect(*text));
                let mut earlier = texts[..index].iter();
                prop_assert!(earlier.all(|it| !it.intersect(*text).is_positive()), "{text}");
            }
            for (index, label) in labels.iter().enumerate() {
                let Some(label) = label else { continue };
                let distance = |dot: &Pos2| label.place.distance_to_pos(*dot);
                let nearest = dots.iter().map(distance).fold(f32::INFINITY, f32::min);
                let is_nearest = distance(&dots[index]) <= nearest;
                prop_assert!(is_nearest || label.line.is_some());
                prop_assert!(dots.iter().all(|dot| !label.place.contains(*dot)));
                prop_assert_eq!(label.place.size(), sizes[index][usize::from(label.is_short)]);
                if let Some([from, to]) = label.line {
                    prop_assert!(from == dots[index] && label.place.contains(to));
                    let others = dots.iter().filter(|dot| **dot != from && index > 0);
                    for dot in others {
                        prop_assert!(super::distance(*dot, [from, to]) >= REDUCED_LINE_GAP);
                    }
                }
            }
        }
    }
}
