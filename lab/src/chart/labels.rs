//! Draws the column on the right that names the curves. A thin line leads from each name to the end of its curve.

use super::drawing::{Anchor, Area, BODY, Drawing, NOTE, Point, STRONG, Stroke, point};
use super::style::Style;

pub const LABEL_HEIGHT: f64 = 31.0;

pub const MAX_NOTE_WIDTH: f64 = 195.0;

const LEADER: Stroke = Stroke::solid("#afb8c1", 0.8);
const MARK_RADIUS: f64 = 4.2;
/// If two curves end within this distance of each other, in pixels, a single line leads to both labels.
const SAME_END_DISTANCE: f64 = 5.0;
const BRACKET_DISTANCE: f64 = 9.0;

pub struct Label {
    pub style: Style,
    pub name: &'static str,
    pub note: String,
    /// The end of the curve. `None` if the curve is not in the chart.
    pub end: Option<Point>,
    pub is_best: bool,
    /// Whether the strategy stays within all limits. If not, its mark is hollow.
    pub keeps: bool,
}

/// Draws the labels in a column, in the same order from top to bottom as the ends of their curves.
pub fn draw(drawing: &mut Drawing, column: Area, mut labels: Vec<Label>) {
    // A curve that is not in the chart is above it, so its label comes first.
    let wanted = |label: &Label| label.end.map_or(f64::NEG_INFINITY, |end| end.y);
    labels.sort_by(|one, other| wanted(one).total_cmp(&wanted(other)));
    let wanted: Vec<f64> = labels.iter().map(wanted).collect();
    let centres = spread(&wanted, LABEL_HEIGHT, column);
    leaders(drawing, column.left, &labels, &centres);
    for (label, y) in labels.iter().zip(centres) {
        let left = column.left;
        let centre = point(left + 12.0, y - 6.0);
        drawing.line(
            point(left, centre.y),
            point(left + 24.0, centre.y),
            label.style.curve(),
        );
        drawing.mark(centre, MARK_RADIUS, label.style, label.keeps);
        let font = if label.is_best { STRONG } else { BODY };
        let text = left + 31.0;
        drawing.text(point(text, y - 2.0), Anchor::Start, font, label.name);
        drawing.text(point(text, y + 11.5), Anchor::Start, NOTE, &label.note);
    }
}

/// Draws a line from the end of each curve to its label. If several curves end at the same point, a single line leads
/// from this point to a bracket that joins their labels.
fn leaders(drawing: &mut Drawing, left: f64, labels: &[Label], centres: &[f64]) {
    let is_close = |one: &(&Label, &f64), next: &(&Label, &f64)| {
        let ends = one.0.end.zip(next.0.end);
        ends.is_some_and(|(one, next)| (one.x - next.x).hypot(one.y - next.y) < SAME_END_DISTANCE)
    };
    let all: Vec<(&Label, &f64)> = labels.iter().zip(centres).collect();
    for group in all.chunk_by(is_close) {
        let (first, last) = (group[0], group[group.len() - 1]);
        let Some(end) = first.0.end else { continue };
        if group.len() == 1 {
            drawing.line(end, point(left - 3.0, *first.1), LEADER);
            continue;
        }
        let bracket = left - BRACKET_DISTANCE;
        let [top, bottom] = [*first.1, *last.1];
        // Connect the nearest point of the bracket, so that the line is short.
        let middle = end.y.clamp(top, bottom);
        drawing.line(end, point(bracket, middle), LEADER);
        drawing.line(point(bracket, top), point(bracket, bottom), LEADER);
        for (_, y) in group {
            drawing.line(point(bracket, **y), point(left - 3.0, **y), LEADER);
        }
    }
}

/// Returns the vertical centre of each label. Labels keep their order, do not overlap and stay inside the column, but
/// are otherwise as close as possible to their `wanted` centres. If the column is too short for all labels, they begin
/// at its top and extend below its bottom.
fn spread(wanted: &[f64], height: f64, column: Area) -> Vec<f64> {
    let lowest = column.bottom - height / 2.0;
    let mut centres: Vec<f64> = Vec::new();
    for &wanted in wanted {
        let above = centres
            .last()
            .map_or(column.top + height / 2.0, |it| it + height);
        centres.push(wanted.max(above));
    }
    let mut below = lowest;
    for centre in centres.iter_mut().rev() {
        *centre = centre.min(below);
        below = *centre - height;
    }
    let missing = column.top + height / 2.0 - centres.first().copied().unwrap_or(f64::INFINITY);
    if missing > 0.0 {
        for centre in &mut centres {
            *centre += missing;
        }
    }
    centres
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COLUMN: Area = Area {
        left: 0.0,
        top: 10.0,
        right: 100.0,
        bottom: 410.0,
    };

    proptest! {
        #[test]
        fn labels_never_overlap_and_stay_in_the_column(
            mut wanted in prop::collection::vec(-100.0..600.0_f64, 0..10),
        ) {
            wanted.sort_by(f64::total_cmp);
            let centres = spread(&wanted, 40.0, COLUMN);
            prop_assert!(centres.windows(2).all(|pair| pair[1] - pair[0] >= 40.0 - 1e-9));
            prop_assert!(centres.iter().all(|it| (29.99..=390.01).contains(it)), "{:?}", centres);
        }
    }

    #[test]
    fn labels_with_room_are_beside_their_ends() {
        assert_eq!(spread(&[100.0, 200.0], 40.0, COLUMN), [100.0, 200.0]);
        assert_eq!(
            spread(&[f64::NEG_INFINITY, 395.0], 40.0, COLUMN),
            [30.0, 390.0]
        );
    }
}
