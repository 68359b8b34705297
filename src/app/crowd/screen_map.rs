//! Arranges the capsules, which represent entities, in a grid on the screen, and converts between positions in the world
//! and positions on the screen.

use egui::{Pos2, Rect, pos2};
use lab::sim::world::{HEIGHT, Plane, Point, WIDTH};
use macroquad::math::{DVec2, Rect as Area, dvec2, vec2};

const RADIUS_PER_CELL_WIDTH: f64 = 0.303;
const RADIUS_PER_CELL_HEIGHT: f64 = 0.255;
const HALF_HEIGHT_PER_RADIUS: f64 = 1.75;
const MARGIN_PER_SHORTER_SIDE: f64 = 0.012;
/// The maximum height of a capsule, as a fraction of the area's height. It matters only if there are very few capsules.
const MAX_HEIGHT_FRACTION: f64 = 2.0 / 3.0;
/// The smallest cell width or height, in pixels, that is rounded down to whole pixels. Rounding makes all capsules look
/// the same, but it would shrink smaller cells too much. The shader draws the capsules in smaller cells without visors
/// and with exact pixel coverage.
const MIN_WHOLE_PIXEL_SIZE: f64 = 7.0;

/// The positions of all capsules in a view. The grid has the same columns and rows as the world's [`Plane`]. Positions on
/// the screen are in points, relative to the top left corner of the window.
#[derive(Clone, Debug, PartialEq)]
pub struct ScreenMap {
    pub places: u32,
    /// The number of columns in the grid, from 1 to 4096.
    pub columns: u32,
    /// The number of rows in the grid, from 1 to 4096.
    pub rows: u32,
    pub view: Rect,
    /// The view in pixels.
    pub area: Area,
    pixels_per_point: f32,
    /// The width and the height of a grid cell, in whole pixels unless less than `MIN_WHOLE_PIXEL_SIZE`.
    pub cell: DVec2,
    /// The top left corner of the grid, in pixels.
    pub origin: DVec2,
    /// The radius of a capsule, in pixels.
    pub pixel_radius: f64,
}

impl ScreenMap {
    /// Creates a map that fits the whole world into a view. If the view contains no whole pixel or is not finite,
    /// [`ScreenMap::slot_at`] always returns `None`.
    pub fn new(slots: u32, view: Rect, pixels_per_point: f32) -> Self {
        let scaled = view * pixels_per_point;
        let sides = [scaled.left(), scaled.top(), scaled.width(), scaled.height()];
        // Besides huge values, this check rejects NaN and infinity.
        let is_sound = sides.iter().all(|side| side.abs() < 1e6);
        let [x, y, w, h] = if is_sound { sides } else { [0.0; 4] };
        let area = Area { x, y, w, h };
        // Use only pixels that are entirely inside the area.
        let start = area.point().as_dvec2().ceil();
        let end = (area.point() + area.size()).as_dvec2().floor();
        let size = (end - start).max(DVec2::ZERO);
        let margin = MARGIN_PER_SHORTER_SIDE * size.min_element();

        let plane = Plane::with_slots(slots);
        let (columns, rows) = (plane.columns, plane.rows);
        let count = dvec2(columns.into(), rows.into());
        let cell = (size - 2.0 * margin) / count;
        let has_whole_pixels = cell.cmpge(DVec2::splat(MIN_WHOLE_PIXEL_SIZE));
        let cell = DVec2::select(has_whole_pixels, cell.floor(), cell);
        let free = (size - cell * count).max(DVec2::ZERO) / 2.0;
        // Align cells of whole pixels to pixel boundaries. Also align other cells if there is a pixel to spare.
        let is_aligned = free.cmpgt(DVec2::ONE) | has_whole_pixels;
        let max_radius = size.y * MAX_HEIGHT_FRACTION / (2.0 * HALF_HEIGHT_PER_RADIUS);
        let radius = (cell.x * RADIUS_PER_CELL_WIDTH).min(cell.y * RADIUS_PER_CELL_HEIGHT);
        Self {
            places: slots,
            columns,
            rows,
            view,
            area,
            pixels_per_point,
            cell,
            origin: start + DVec2::select(is_aligned, free.floor(), free),
            pixel_radius: radius.min(max_radius),
        }
    }

    fn size(&self) -> DVec2 {
        self.cell * self.count()
    }

    fn count(&self) -> DVec2 {
        dvec2(self.columns.into(), self.rows.into())
    }

    pub fn to_screen(&self, point: Point) -> Pos2 {
        let share = dvec2((point.x / WIDTH).into(), (point.y / HEIGHT).into());
        self.position(self.origin + share * self.size())
    }

    /// Returns the point in the world that is closest to a position on the screen.
    pub fn to_world(&self, at: Pos2) -> Point {
        let share = (self.pixel(at) - self.origin) / self.size();
        // In an area without whole pixels, this may be NaN, which `max` turns into 0.
        let share = share.max(DVec2::ZERO).min(DVec2::ONE).as_vec2();
        Point {
            x: WIDTH * share.x,
            y: HEIGHT * share.y,
        }
    }

    /// Returns the index of the grid cell at a position on the screen, or `None` if there is no cell.
    pub fn slot_at(&self, at: Pos2) -> Option<u32> {
        // In an area without whole pixels, the cell is NaN or infinite and fails these comparisons.
        let cell = ((self.pixel(at) - self.origin) / self.cell).floor();
        let is_inside = cell.cmpge(DVec2::ZERO) & cell.cmplt(self.count());
        if !is_inside.all() {
            return None;
        }
        let place = cell.y as u32 * self.columns + cell.x as u32;
        (place < self.places).then_some(place)
    }

    pub fn center(&self, place: u32) -> Option<Pos2> {
        let (column, row) = (place % self.columns, place / self.columns);
        let cells = dvec2(column.into(), row.into()) + 0.5;
        let center = self.position(self.origin + cells * self.cell);
        (place < self.places).then_some(center)
    }

    pub fn radius(&self) -> f32 {
        self.pixel_radius as f32 / self.pixels_per_point
    }

    /// Returns the step length, in points, at which a line on the screen misses no capsule that is larger than a pixel.
    pub fn stride(&self) -> f32 {
        self.pixel_radius.max(1.0) as f32 / self.pixels_per_point
    }

    fn position(&self, pixel: DVec2) -> Pos2 {
        let at = pixel.as_vec2() / self.pixels_per_point;
        pos2(at.x, at.y)
    }

    fn pixel(&self, at: Pos2) -> DVec2 {
        (vec2(at.x, at.y) * self.pixels_per_point).as_dvec2()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn maps() -> impl Strategy<Value = ScreenMap> {
        let places = prop_oneof![0_u32..50, 50_u32..20_000, 20_000_u32..2_000_000];
        let sizes = (1.0_f32..2600.0, 1.0_f32..1500.0);
        let scales = prop_oneof![Just(1.0_f32), Just(1.25), Just(2.0), Just(3.0)];
        (places, sizes, scales)
            .prop_map(|(places, (width, height), scale)| map(places, width, height, scale))
    }

    proptest! {
        #[test]
        fn screen_and_world_agree(map in maps(), at in (0.0_f32..1.0, 0.0_f32..1.0)) {
            let at = map.view.min + map.view.size() * egui::vec2(at.0, at.1);
            let [min, max] = [(0.0, 0.0), (WIDTH, HEIGHT)].map(|(x, y)| map.to_screen(Point { x, y }));
            if Rect::from_min_max(min, max).contains(at) {
                let back = map.to_screen(map.to_world(at));
                prop_assert!((back - at).length() < 0.05, "{} at {} of {:?}", back, at, map);
            }
        }
    }

    fn map(places: u32, width: f32, height: f32, scale: f32) -> ScreenMap {
        let size = egui::vec2(width, height);
        ScreenMap::new(places, Rect::from_min_size(pos2(252.0, 80.0), size), scale)
    }

    fn all_maps() -> impl Iterator<Item = ScreenMap> {
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
        let sizes = SIZES.into_iter();
        let sizes = sizes.flat_map(|(w, h)| [1.0, 2.0].map(|scale| (w, h, scale)));
        sizes.flat_map(|(w, h, scale)| COUNTS.map(|places| map(places, w, h, scale)))
    }

    #[test]
    fn every_capsule_is_in_the_view_and_at_its_place_in_the_world() {
        for map in all_maps() {
            let plane = Plane::with_slots(map.places);
            for place in 0..map.places {
                let center = map.center(place).unwrap();
                if map.view.width() == 0.0 {
                    assert_eq!(
                        (map.slot_at(center), center),
                        (None, map.view.min),
                        "{map:?}"
                    );
                    break;
                }
                assert!(map.view.contains(center), "{place} at {center} of {map:?}");
                assert_eq!(map.slot_at(center), Some(place), "{center} of {map:?}");
                let world = plane.position(place);
                let off = map.to_screen(world).distance(center);
                assert!(off < 0.01, "{place} off by {off} in {map:?}");
                let back = map.to_world(center);
                let off = (back.x - world.x).abs() + (back.y - world.y).abs();
                assert!(off * (center.x + center.y) < 0.01, "{place} in {map:?}");
            }
        }
    }

    #[test]
    fn an_unusable_view_has_all_capsules_at_its_corner() {
        for side in [f32::NAN, f32::INFINITY, -5.0, 0.0] {
            let view = Rect::from_min_size(Pos2::ZERO, egui::vec2(side, 100.0));
            let map = ScreenMap::new(1_000, view, 1.0);
            assert!(map.center(999).unwrap().x.abs() < 1e-9, "{map:?}");
            assert!(map.radius() < 1e-9, "{map:?}");
            assert_eq!(map.slot_at(Pos2::ZERO), None);
            assert_eq!(map.to_world(Pos2::ZERO), Point::default());
        }
    }

    #[test]
    fn points_beyond_the_plane_map_to_its_edge() {
        let map = map(400, 1028.0, 494.0, 1.0);
        let corners = [pos2(0.0, 0.0), pos2(2e3, 2e3)].map(|at| map.to_world(at));
        let edges = [(0.0, 0.0), (WIDTH, HEIGHT)].map(|(x, y)| Point { x, y });
        assert_eq!(corners, edges);
    }
}
