//! Layout of the cards, and the background around their capsules.

use super::recommendation;
use crate::app::widgets::theme;
use egui::{Painter, Pos2, Rect, Vec2, vec2};

const GAP: f32 = 10.0;
/// Minimum size of a card.
const LEAST: Vec2 = vec2(120.0, 125.0);

/// Places of the cards: row by row, all of the same size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CardLayout {
    corner: Pos2,
    columns: usize,
    rows: usize,
    size: Vec2,
}

impl CardLayout {
    /// Fits the lanes into `rect`, with the recommendation after the last card if possible. Tries two rows first, then
    /// one row, then three or more. Returns `None` if the cards would be too small.
    pub fn fitted(lanes: usize, rect: Rect) -> Option<Self> {
        let candidates = [lanes + 1, lanes].into_iter().flat_map(|cells| {
            let rows = [2, 1].into_iter().chain(3..=cells.max(3));
            rows.map(move |rows| cells.div_ceil(rows).max(1))
                .map(move |columns| (columns, cells.div_ceil(columns).max(1)))
        });
        candidates
            .map(|(columns, rows)| {
                let gaps = vec2((columns - 1) as f32, (rows - 1) as f32) * GAP;
                Self {
                    corner: rect.min,
                    columns,
                    rows,
                    size: (rect.size() - gaps) / vec2(columns as f32, rows as f32),
                }
            })
            .find(|cards| cards.size.x >= LEAST.x && cards.size.y >= LEAST.y)
    }

    /// Returns the place of a card.
    pub fn place(&self, index: usize) -> Rect {
        let (row, column) = (index / self.columns, index % self.columns);
        let step = vec2(column as f32, row as f32) * (self.size + vec2(GAP, GAP));
        Rect::from_min_size(self.corner + step, self.size)
    }

    /// Returns the place of the recommendation, after the last card, if the last row has room.
    pub fn recommendation(&self, lanes: usize) -> Option<Rect> {
        let place = Some(self.place(lanes)).filter(|_| lanes < self.columns * self.rows);
        place.filter(|place| recommendation::has_room(*place, lanes))
    }
}

/// Paints the background, except the holes for the capsules.
pub fn ground(painter: &Painter, rect: Rect, holes: &[Rect]) {
    for part in around(rect, holes) {
        painter.rect_filled(part, 0.0, theme::FLOOR);
    }
}

/// Returns the parts of `rect` around the holes. The holes are in rows, and each row is in order from left to right.
fn around(rect: Rect, holes: &[Rect]) -> Vec<Rect> {
    let mut rows: Vec<(f32, f32)> = holes
        .iter()
        .map(|hole| (hole.top(), hole.bottom()))
        .collect();
    rows.sort_by(|one, other| one.0.total_cmp(&other.0));
    rows.dedup();
    let mut parts = Vec::new();
    let mut top = rect.top();
    for (row_top, row_bottom) in rows {
        parts.push(Rect::from_x_y_ranges(rect.x_range(), top..=row_top));
        let mut left = rect.left();
        for hole in holes.iter().filter(|hole| hole.top() == row_top) {
            let y = row_top..=row_bottom;
            parts.push(Rect::from_x_y_ranges(left..=hole.left(), y));
            left = hole.right();
        }
        let y = row_top..=row_bottom;
        parts.push(Rect::from_x_y_ranges(left..=rect.right(), y));
        top = row_bottom;
    }
    parts.push(Rect::from_x_y_ranges(rect.x_range(), top..=rect.bottom()));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn any_number_of_lanes_fits_with_the_recommendation() {
        let window =
            |width: f32, height: f32| Rect::from_min_size(pos2(268.0, 114.0), vec2(width, height));
        let at_1280_by_800 = window(996.0, 670.0);
        for lanes in 1..=12 {
            let cards = CardLayout::fitted(lanes, at_1280_by_800).expect("there is room");
            let recommendation = cards.recommendation(lanes).expect("there is room for it");
            let places: Vec<Rect> = (0..lanes).map(|index| cards.place(index)).collect();
            for (index, place) in places.iter().chain([&recommendation]).enumerate() {
                assert!(
                    at_1280_by_800.expand(0.1).contains_rect(*place),
                    "{lanes}: {place:?}"
                );
                let others = places.iter().take(index);
                assert!(
                    others.into_iter().all(|other| !other.intersects(*place)),
                    "{lanes}"
                );
            }
        }
        let of_seven = CardLayout::fitted(7, at_1280_by_800).expect("there is room");
        assert_eq!((of_seven.columns, of_seven.rows), (4, 2));
        // Phones, upright and sideways without panels, and sideways with panels.
        for room in [
            window(358.0, 750.0),
            window(812.0, 296.0),
            window(560.0, 260.0),
        ] {
            let cards = CardLayout::fitted(7, room).expect("there is room");
            assert!(cards.columns > 1 && cards.rows > 1);
        }
        assert_eq!(CardLayout::fitted(7, window(106.0, 670.0)), None);
        assert_eq!(CardLayout::fitted(7, window(-20.0, -30.0)), None);
    }

    #[test]
    fn the_background_leaves_out_only_the_holes() {
        // No hole, one, and several in two rows.
        let hole = |x: f32, y: f32| Rect::from_min_size(pos2(x, y), vec2(10.0, 5.0));
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 50.0));
        for holes in [
            vec![],
            vec![hole(5.0, 5.0)],
            vec![hole(5.0, 5.0), hole(30.0, 5.0), hole(5.0, 20.0)],
        ] {
            let painted = around(rect, &holes);
            let area = |rects: &[Rect]| rects.iter().map(Rect::area).sum::<f32>();
            assert_eq!(area(&painted) + area(&holes), rect.area(), "{holes:?}");
            let meets = |hole: &Rect| painted.iter().any(|it| it.intersect(*hole).is_positive());
            assert!(!holes.iter().any(meets), "{holes:?}");
        }
    }
}
