//! Arranges the capsules, which represent entities, in a grid on the screen. The grid can be magnified.

use lab::sim::world::{HEIGHT, Plane, Point, WIDTH};
use macroquad::math::{BVec2, DVec2, Rect, Vec2, dvec2};

const RADIUS_PER_CELL_WIDTH: f64 = 0.303;
const RADIUS_PER_CELL_HEIGHT: f64 = 0.255;
const HALF_HEIGHT_PER_RADIUS: f64 = 1.75;
const MARGIN_PER_SHORTER_SIDE: f64 = 0.012;
/// The maximum height of a capsule, as a fraction of the height of the area. Capsules reach this height only if there
/// are very few of them.
const MAX_HEIGHT_FRACTION: f64 = 2.0 / 3.0;
/// The smallest cell width or height, in pixels, that is rounded down to whole pixels. Rounding makes all capsules look
/// the same, but it would shrink smaller cells too much. The shader draws the capsules in smaller cells without visors
/// and with exact pixel coverage.
const MIN_WHOLE_PIXEL_SIZE: f64 = 7.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zoom {
    /// The magnification factor, which is at least 1.
    pub factor: f64,
    /// The point in the world that is at the centre of the view. Both coordinates range from 0 to 1.
    pub center: (f64, f64),
}

impl Zoom {
    /// No magnification: all capsules are visible.
    pub const ALL: Self = Self {
        factor: 1.0,
        center: (0.5, 0.5),
    };

    pub fn is_magnified(self) -> bool {
        self.factor > 1.0
    }
}

/// The positions of all capsules on the screen. All lengths are in physical pixels, and positions are relative to the
/// top left corner of the window. The grid has the same columns and rows as the world's [`Plane`].
#[derive(Debug, Clone, PartialEq)]
pub struct CapsuleLayout {
    pub places: u32,
    /// The number of columns in the grid, from 1 to 4096.
    pub columns: u32,
    /// The number of rows in the grid, from 1 to 4096.
    pub rows: u32,
    /// The width and the height of a grid cell. Each is a whole number of pixels, unless it is less than
    /// `MIN_WHOLE_PIXEL_SIZE`.
    pub cell: DVec2,
    /// The top left corner of the first cell.
    pub origin: DVec2,
    pub radius: f64,
    pub area: Rect,
}

impl CapsuleLayout {
    /// Creates a layout that fits the whole world into an area. If the area contains no whole pixel or is not finite,
    /// [`CapsuleLayout::at`] always returns `None`.
    pub fn fit(slots: u32, area: Rect) -> CapsuleLayout {
        // Besides huge values, this check rejects NaN and infinity.
        let sides = [area.x, area.y, area.w, area.h];
        let is_sound = sides.iter().all(|side| side.abs() < 1e6);
        let area = if is_sound { area } else { Rect::default() };
        // Use only pixels that are entirely inside the area.
        let start = area.point().as_dvec2().ceil();
        let end = (area.point() + area.size()).as_dvec2().floor();
        let size = (end - start).max(DVec2::ZERO);
        let margin = MARGIN_PER_SHORTER_SIDE * size.min_element();

        let plane = Plane::with_slots(slots);
        let (columns, rows) = (plane.columns, plane.rows);
        let count = dvec2(columns.into(), rows.into());
        let cell = snapped((size - 2.0 * margin) / count);
        let free = (size - cell * count).max(DVec2::ZERO) / 2.0;
        // Align cells of whole pixels to pixel boundaries. Also align other cells if there is a pixel to spare.
        let is_aligned = free.cmpgt(DVec2::ONE) | has_whole_pixels(cell);
        CapsuleLayout {
            places: slots,
            columns,
            rows,
            cell,
            origin: start + DVec2::select(is_aligned, free.floor(), free),
            radius: radius(cell).min(size.y * MAX_HEIGHT_FRACTION / (2.0 * HALF_HEIGHT_PER_RADIUS)),
            area,
        }
    }

    /// Returns a magnified copy of the layout. Must not be called on a layout that is already magnified.
    pub fn magnified(&self, zoom: Zoom) -> CapsuleLayout {
        if !zoom.is_magnified() {
            return self.clone();
        }
        let cell = snapped(self.cell * zoom.factor);
        let origin = self.middle() - DVec2::from(zoom.center) * self.extent(zoom.factor);
        CapsuleLayout {
            cell,
            // Align cells of whole pixels to pixel boundaries.
            origin: DVec2::select(has_whole_pixels(cell), origin.round(), origin),
            radius: radius(cell),
            ..self.clone()
        }
    }

    /// Returns the size of the whole grid at a given magnification.
    pub fn extent(&self, factor: f64) -> DVec2 {
        snapped(self.cell * factor) * self.count()
    }

    pub fn middle(&self) -> DVec2 {
        self.area.point().as_dvec2() + self.area.size().as_dvec2() / 2.0
    }

    /// Returns the point closest to `center` that may be the centre of a magnified view. The margins around the grid
    /// must not become wider than in the unmagnified view. Coordinates range from 0 to 1.
    pub fn limited_center(&self, factor: f64, center: (f64, f64)) -> DVec2 {
        let extent = self.extent(factor);
        let end = self.origin + self.extent(1.0);
        let least = (self.middle() - self.origin) / extent;
        let most = 1.0 - (end - self.middle()) / extent;
        DVec2::from(center).max(least).min(most)
    }

    fn count(&self) -> DVec2 {
        dvec2(self.columns.into(), self.rows.into())
    }

    pub fn center(&self, place: u32) -> Vec2 {
        let (column, row) = (place % self.columns, place / self.columns);
        let cells = dvec2(column.into(), row.into()) + 0.5;
        (self.origin + cells * self.cell).as_vec2()
    }

    pub fn to_screen(&self, point: Point) -> Vec2 {
        let share = dvec2((point.x / WIDTH).into(), (point.y / HEIGHT).into());
        (self.origin + share * self.extent(1.0)).as_vec2()
    }

    /// Returns the point in the world that is closest to a pixel on the screen.
    pub fn to_world(&self, pixel: Vec2) -> Point {
        let share = (pixel.as_dvec2() - self.origin) / self.extent(1.0);
        // In an area without whole pixels, this may be NaN, which `max` turns into 0.
        let share = share.max(DVec2::ZERO).min(DVec2::ONE).as_vec2();
        Point {
            x: WIDTH * share.x,
            y: HEIGHT * share.y,
        }
    }

    /// Returns the index of the grid cell that contains a pixel, or `None` if there is no cell at this pixel.
    pub fn at(&self, pixel: Vec2) -> Option<u32> {
        // In an area without whole pixels, the cell is NaN or infinite and fails these comparisons.
        let cell = ((pixel.as_dvec2() - self.origin) / self.cell).floor();
        let is_inside = cell.cmpge(DVec2::ZERO) & cell.cmplt(self.count());
        if !is_inside.all() {
            return None;
        }
        let place = cell.y as u32 * self.columns + cell.x as u32;
        (place < self.places).then_some(place)
    }
}

pub fn radius(cell: DVec2) -> f64 {
    (cell.x * RADIUS_PER_CELL_WIDTH).min(cell.y * RADIUS_PER_CELL_HEIGHT)
}

fn has_whole_pixels(cell: DVec2) -> BVec2 {
    cell.cmpge(DVec2::splat(MIN_WHOLE_PIXEL_SIZE))
}

/// Rounds the width and the height of a cell down to whole pixels. Either of them is left unchanged if it is less than
/// [`MIN_WHOLE_PIXEL_SIZE`].
fn snapped(cell: DVec2) -> DVec2 {
    DVec2::select(has_whole_pixels(cell), cell.floor(), cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use macroquad::math::vec2;

    const COUNTS: [u32; 10] = [0, 1, 2, 3, 7, 400, 9_999, 10_000, 123_457, 1_000_000];
    const SIZES: [(f32, f32); 7] = [
        (1028.0, 494.0),
        (600.0, 300.0),
        (1.0, 1.0),
        (0.0, 0.0),
        (2560.0, 1440.0),
        (4000.0, 2.0),
        (3.0, 1400.0),
    ];

    fn layouts() -> impl Iterator<Item = CapsuleLayout> {
        SIZES.into_iter().flat_map(|(w, h)| {
            COUNTS
                .into_iter()
                .map(move |places| CapsuleLayout::fit(places, Rect::new(252.0, 80.0, w, h)))
        })
    }

    #[test]
    fn every_place_is_in_the_area_and_found_at_its_center() {
        for layout in layouts() {
            let area = layout.area;
            for place in 0..layout.places {
                let center = layout.center(place);
                if area.w == 0.0 {
                    assert_eq!(layout.at(center), None, "{layout:?}");
                    assert_eq!(center, vec2(area.x, area.y), "{layout:?}");
                    break;
                }
                assert!(area.contains(center), "{place} at {center} of {layout:?}");
                assert_eq!(layout.at(center), Some(place), "{center} of {layout:?}");
            }
        }
    }

    #[test]
    fn empty_area_has_all_places_at_its_corner() {
        for side in [f32::NAN, f32::INFINITY, -5.0] {
            let layout = CapsuleLayout::fit(1_000, Rect::new(0.0, 0.0, side, 100.0));
            assert!(layout.center(999).x.abs() < 1e-9, "{layout:?}");
            assert!(layout.radius < 1e-9, "{layout:?}");
            assert_eq!(layout.at(Vec2::ZERO), None);
        }
    }

    #[test]
    fn capsules_are_at_their_places_in_the_world() {
        for layout in layouts().filter(|layout| layout.area.w > 0.0) {
            let plane = Plane::with_slots(layout.places);
            for place in 0..layout.places {
                let (world, screen) = (plane.position(place), layout.center(place));
                let off = layout.to_screen(world) - screen;
                assert!(off.length() < 0.01, "{place} off by {off} in {layout:?}");
                let back = layout.to_world(screen);
                let off = (back.x - world.x).abs() + (back.y - world.y).abs();
                assert!(off * (screen.x + screen.y) < 0.01, "{place} in {layout:?}");
            }
        }
    }

    #[test]
    fn points_beyond_the_plane_map_to_its_edge() {
        let layout = CapsuleLayout::fit(400, Rect::new(252.0, 80.0, 1028.0, 494.0));
        let corners = [vec2(0.0, 0.0), vec2(2e3, 2e3)].map(|pixel| layout.to_world(pixel));
        let edges = [(0.0, 0.0), (WIDTH, HEIGHT)].map(|(x, y)| Point { x, y });
        assert_eq!(corners, edges);
        let empty = CapsuleLayout::fit(400, Rect::default());
        assert_eq!(empty.to_world(Vec2::ZERO), Point::default());
    }
}
