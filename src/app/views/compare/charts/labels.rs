//! Positions labels next to the points of a chart.

use egui::{Pos2, Rect, Vec2, vec2};

/// The horizontal and vertical distance between a point and its label, in points.
const DISTANCE: Vec2 = vec2(9.0, 7.0);

/// Returns the area of a label next to the first of the `anchors` at which there is room for it. The label is inside
/// `area` and does not overlap any `taken` area. Returns `None` if there is no room.
pub fn place_label(area: Rect, anchors: &[Pos2], size: Vec2, taken: &[Rect]) -> Option<Rect> {
    let beside = DISTANCE.x + size.x / 2.0;
    let above = DISTANCE.y + size.y / 2.0;
    let aside = DISTANCE.x / 3.0 + size.x / 2.0;
    let offsets = [
        vec2(beside, 0.0),
        vec2(-beside, 0.0),
        vec2(aside, -above),
        vec2(-aside, above),
        vec2(aside, above),
        vec2(-aside, -above),
    ];
    let around = |at: &Pos2| {
        let at = *at;
        offsets.map(|offset| Rect::from_center_size((at + offset).round(), size))
    };
    let is_free = |place: &Rect| {
        let is_apart = |other: &Rect| !other.intersect(*place).is_positive();
        area.contains_rect(*place) && taken.iter().all(is_apart)
    };
    anchors.iter().flat_map(around).find(is_free)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;
    use proptest::prelude::*;

    const AREA: Rect = Rect::from_min_max(Pos2::ZERO, pos2(500.0, 140.0));

    proptest! {
        #[test]
        fn labels_are_inside_apart_and_near_their_points(
            points in prop::collection::vec((0.0_f32..500.0, 0.0_f32..140.0, 1.0_f32..150.0), 1..13),
        ) {
            let mut taken = Vec::new();
            for (x, y, width) in points {
                let (at, size) = (pos2(x, y), vec2(width, 15.0));
                let place = place_label(AREA, &[at], size, &taken);
                prop_assert!(place.is_some() || !taken.is_empty() || width > 120.0);
                let Some(place) = place else { continue };
                prop_assert!(AREA.contains_rect(place) && !place.contains(at));
                prop_assert!(place.distance_to_pos(at) <= DISTANCE.length());
                prop_assert!(taken.iter().all(|it: &Rect| !it.intersect(place).is_positive()));
                taken.push(place);
            }
        }
    }
}
