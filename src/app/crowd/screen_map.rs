//! Arranges the capsules, which represent entities, in a grid on the screen, and converts between positions in the world
//! and positions on the screen. The grid can be magnified.

use egui::{Pos2, Rect, pos2};
use lab::sim::world::{HEIGHT, Plane, Point, WIDTH};
use macroquad::math::{BVec2, DVec2, Rect as Area, dvec2, vec2};

const RADIUS_PER_CELL_WIDTH: f64 = 0.303;
const RADIUS_PER_CELL_HEIGHT: f64 = 0.255;
const HALF_HEIGHT_PER_RADIUS: f64 = 1.75;
const MARGIN_PER_SHORTER_SIDE: f64 = 0.012;
/// The maximum height of a capsule, as a fraction of the area's height, which only very few capsules reach.
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
    pub center: DVec2,
}

impl Zoom {
    /// No magnification: all capsules are visible.
    pub const ALL: Self = Self {
        factor: 1.0,
        center: DVec2::splat(0.5),
    };

    pub fn is_magnified(self) -> bool {
        self.factor > 1.0
    }
}

/// The radius of a capsule at the maximum magnification, in points, at which it is easy to click.
const MAX_CAPSULE_RADIUS: f32 = 14.0;
/// If the maximum magnification would be lower than this, zooming is disabled, because the capsules are large enough.
const MIN_USEFUL_MAGNIFICATION: f64 = 2.0;
/// Magnifications that exceed 1 by less than this are treated as 1.
const MAGNIFICATION_TOLERANCE: f64 = 0.002;

/// The positions of all capsules in a view. The grid has the same columns and rows as the world's [`Plane`]. Positions on
/// the screen are in points, relative to the top left corner of the window.
#[derive(Clone, Debug, PartialEq)]
pub struct ScreenMap {
    pub places: u32,
    /// The number of columns in the grid, from 1 to 4096.
    pub columns: u32,
    /// The number of rows in the grid, from 1 to 4096.
    pub rows: u32,
    pub zoom: Zoom,
    pub view: Rect,
    /// The view in pixels.
    pub area: Area,
    pixels_per_point: f32,
    whole: Grid,
    pub grid: Grid,
}

/// The cells in which the capsules are drawn. All lengths are in physical pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// The width and the height of a grid cell, in whole pixels unless less than `MIN_WHOLE_PIXEL_SIZE`.
    pub cell: DVec2,
    pub origin: DVec2,
    pub radius: f64,
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
        let cell = snapped((size - 2.0 * margin) / count);
        let free = (size - cell * count).max(DVec2::ZERO) / 2.0;
        // Align cells of whole pixels to pixel boundaries. Also align other cells if there is a pixel to spare.
        let is_aligned = free.cmpgt(DVec2::ONE) | has_whole_pixels(cell);
        let whole = Grid {
            cell,
            origin: start + DVec2::select(is_aligned, free.floor(), free),
            radius: radius(cell).min(size.y * MAX_HEIGHT_FRACTION / (2.0 * HALF_HEIGHT_PER_RADIUS)),
        };
        Self {
            places: slots,
            columns,
            rows,
            zoom: Zoom::ALL,
            view,
            area,
            pixels_per_point,
            whole,
            grid: whole,
        }
    }

    /// Returns this map with the allowed zoom that is closest to the given one.
    pub fn zoomed(self, zoom: Zoom) -> Self {
        let zoom = self.limited(zoom);
        let cell = snapped(self.whole.cell * zoom.factor);
        let origin = self.middle() - zoom.center * self.extent(zoom.factor);
        let grid = Grid {
            cell,
            // Align cells of whole pixels to pixel boundaries.
            origin: DVec2::select(has_whole_pixels(cell), origin.round(), origin),
            radius: radius(cell),
        };
        Self {
            zoom,
            grid: if zoom.is_magnified() {
                grid
            } else {
                self.whole
            },
            ..self
        }
    }

    /// Returns the closest allowed zoom: no capsule exceeds [`MAX_CAPSULE_RADIUS`], and the view stays in the world.
    fn limited(&self, zoom: Zoom) -> Zoom {
        let limit = f64::from(MAX_CAPSULE_RADIUS * self.pixels_per_point) / radius(self.whole.cell);
        let has_zoom = limit.is_finite() && limit >= MIN_USEFUL_MAGNIFICATION;
        let factor = zoom.factor.max(1.0).min(limit);
        if !has_zoom || factor < 1.0 + MAGNIFICATION_TOLERANCE {
            return Zoom::ALL;
        }
        let center = self.limited_center(factor, zoom.center);
        Zoom { factor, center }
    }

    /// Returns the point closest to `center` that may be the centre of a magnified view. The margins around the grid
    /// must not become wider than in the unmagnified view. Coordinates range from 0 to 1.
    fn limited_center(&self, factor: f64, center: DVec2) -> DVec2 {
        let (extent, origin) = (self.extent(factor), self.whole.origin);
        let end = origin + self.extent(1.0);
        let least = (self.middle() - origin) / extent;
        let most = 1.0 - (end - self.middle()) / extent;
        center.max(least).min(most)
    }

    /// Returns the zoom that results from magnifying the view by `factor` and moving the world point at the screen
    /// position `from` to `to`, unless the view would then extend beyond the world.
    pub fn zoom_by(&self, factor: f64, from: Pos2, to: Pos2) -> Zoom {
        let before = self.zoom;
        let wanted = Zoom {
            factor: before.factor * factor,
            ..before
        };
        let factor = self.limited(wanted).factor;
        // Without magnification, the centre of the view may be half a pixel away from the centre of the world.
        let center = self.limited_center(before.factor, before.center);
        let [from, to] = [from, to].map(|at| self.pixel(at) - self.middle());
        let center = center + from / self.extent(before.factor) - to / self.extent(factor);
        self.limited(Zoom { factor, center })
    }

    fn extent(&self, factor: f64) -> DVec2 {
        snapped(self.whole.cell * factor) * self.count()
    }

    fn size(&self) -> DVec2 {
        self.grid.cell * self.count()
    }

    fn count(&self) -> DVec2 {
        dvec2(self.columns.into(), self.rows.into())
    }

    fn middle(&self) -> DVec2 {
        self.area.point().as_dvec2() + self.area.size().as_dvec2() / 2.0
    }

    pub fn to_screen(&self, point: Point) -> Pos2 {
        let share = dvec2((point.x / WIDTH).into(), (point.y / HEIGHT).into());
        self.position(self.grid.origin + share * self.size())
    }

    /// Returns the point in the world that is closest to a position on the screen.
    pub fn to_world(&self, at: Pos2) -> Point {
        let share = (self.pixel(at) - self.grid.origin) / self.size();
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
        let cell = ((self.pixel(at) - self.grid.origin) / self.grid.cell).floor();
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
        let center = self.position(self.grid.origin + cells * self.grid.cell);
        (place < self.places).then_some(center)
    }

    /// Returns whether a capsule may be at least partly visible. The check is cheap enough to do for many capsules.
    pub fn shows(&self, place: u32) -> bool {
        let view = self.view.expand(2.0 * self.radius());
        self.center(place).is_some_and(|at| view.contains(at))
    }

    pub fn radius(&self) -> f32 {
        self.grid.radius as f32 / self.pixels_per_point
    }

    /// Returns the step length, in points, at which a line on the screen misses no capsule that is larger than a pixel.
    pub fn stride(&self) -> f32 {
        self.grid.radius.max(1.0) as f32 / self.pixels_per_point
    }

    fn position(&self, pixel: DVec2) -> Pos2 {
        let at = pixel.as_vec2() / self.pixels_per_point;
        pos2(at.x, at.y)
    }

    fn pixel(&self, at: Pos2) -> DVec2 {
        (vec2(at.x, at.y) * self.pixels_per_point).as_dvec2()
    }
}

fn radius(cell: DVec2) -> f64 {
    (cell.x * RADIUS_PER_CELL_WIDTH).min(cell.y * RADIUS_PER_CELL_HEIGHT)
}

fn has_whole_pixels(cell: DVec2) -> BVec2 {
    cell.cmpge(DVec2::splat(MIN_WHOLE_PIXEL_SIZE))
}

/// Rounds the sides of a cell down to whole pixels, except those below [`MIN_WHOLE_PIXEL_SIZE`].
fn snapped(cell: DVec2) -> DVec2 {
    DVec2::select(has_whole_pixels(cell), cell.floor(), cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn maps() -> impl Strategy<Value = ScreenMap> {
        let places = prop_oneof![0_u32..50, 50_u32..20_000, 20_000_u32..2_000_000];
        let sizes = (1.0_f32..2600.0, 1.0_f32..1500.0);
        let scales = prop_oneof![Just(1.0_f32), Just(1.25), Just(2.0), Just(3.0)];
        (places, sizes, scales).prop_map(|(places, (width, height), pixels_per_point)| {
            let view = Rect::from_min_size(pos2(252.3, 80.7), egui::vec2(width, height));
            ScreenMap::new(places, view, pixels_per_point)
        })
    }

    fn magnified() -> impl Strategy<Value = ScreenMap> {
        let zooms = (1.0_f64..200.0, -0.2_f64..1.2, -0.2_f64..1.2);
        (maps(), zooms).prop_map(|(map, (factor, x, y))| {
            let center = dvec2(x, y);
            map.zoomed(Zoom { factor, center })
        })
    }

    /// Returns the point at the given fractions of the view's width and height.
    fn inside(map: &ScreenMap, (x, y): (f32, f32)) -> Pos2 {
        map.view.min + map.view.size() * egui::vec2(x, y)
    }

    fn plane(map: &ScreenMap) -> Rect {
        let [min, max] = [(0.0, 0.0), (WIDTH, HEIGHT)].map(|(x, y)| Point { x, y });
        Rect::from_min_max(map.to_screen(min), map.to_screen(max))
    }

    proptest! {
        #[test]
        fn screen_and_world_agree_at_every_zoom(map in magnified(), at in (0.0_f32..1.0, 0.0_f32..1.0)) {
            let at = inside(&map, at);
            if plane(&map).contains(at) {
                let back = map.to_screen(map.to_world(at));
                prop_assert!((back - at).length() < 0.05, "{} at {} of {:?}", back, at, map);
            }
        }

        #[test]
        fn the_point_under_the_pointer_stays(
            map in magnified(),
            at in (0.0_f32..1.0, 0.0_f32..1.0),
            factor in 0.3_f64..3.0,
        ) {
            let at = inside(&map, at);
            prop_assume!(plane(&map).contains(at)); // the margin is not in the world
            let zoom = map.zoom_by(factor, at, at);
            let after = map.clone().zoomed(zoom);
            let moved = after.to_screen(map.to_world(at)) - at;
            // At the edges of the world, the view moves instead of showing what is outside.
            let edges = after.edges();
            for axis in 0..2 {
                // Both views are aligned to whole pixels, and half a pixel of the first one is magnified.
                let pixel = (0.7 + 0.5 * factor.max(1.0) as f32) / map.pixels_per_point;
                let is_at_edge = edges[axis].iter().any(|edge| edge.abs() < 2.0 * pixel);
                prop_assert!(moved[axis].abs() <= pixel || is_at_edge || !zoom.is_magnified(),
                    "moved by {} from {:?} to {:?}", moved, map.zoom, zoom);
            }
        }

        #[test]
        fn nothing_outside_the_crowd_is_ever_shown(map in magnified(), by in (-3e4_f32..3e4, -3e4_f32..3e4)) {
            let from = map.view.center();
            let moved = map.zoom_by(1.0, from, from + egui::vec2(by.0, by.1));
            for map in [map.clone(), map.clone().zoomed(moved)] {
                for edges in map.edges() {
                    let pixel = 1.0 / map.pixels_per_point;
                    prop_assert!(edges[0] <= pixel && edges[1] <= pixel, "{:?} of {:?}", edges, map);
                }
                prop_assert!(map.zoom.factor >= 1.0);
                prop_assert!(!map.zoom.is_magnified() || map.radius() <= MAX_CAPSULE_RADIUS * 1.001);
                prop_assert_eq!(map.limited(map.zoom), map.zoom, "a limited zoom has no other limit");
            }
        }
    }

    impl ScreenMap {
        /// For each axis, returns how much wider the two margins of the world are than without magnification.
        fn edges(&self) -> [[f32; 2]; 2] {
            let whole = self.clone().zoomed(Zoom::ALL);
            let (now, all) = (plane(self), plane(&whole));
            let (min, max) = (now.min - all.min, all.max - now.max);
            [[min.x, max.x], [min.y, max.y]]
        }
    }

    fn map(places: u32, width: f32, height: f32) -> ScreenMap {
        let size = egui::vec2(width, height);
        ScreenMap::new(places, Rect::from_min_size(pos2(252.0, 80.0), size), 1.0)
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
        sizes.flat_map(|(w, h)| COUNTS.into_iter().map(move |places| map(places, w, h)))
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
        let map = map(400, 1028.0, 494.0);
        let corners = [pos2(0.0, 0.0), pos2(2e3, 2e3)].map(|at| map.to_world(at));
        let edges = [(0.0, 0.0), (WIDTH, HEIGHT)].map(|(x, y)| Point { x, y });
        assert_eq!(corners, edges);
    }

    #[test]
    fn unusable_zooms_show_all() {
        let nothing = ScreenMap::new(100_000, Rect::NOTHING, 1.0);
        for map in [map(100_000, 648.0, 252.0), nothing] {
            for factor in [f64::NAN, 0.0, -3.0, 1.0] {
                let center = dvec2(f64::NAN, f64::INFINITY);
                let shown = map.clone().zoomed(Zoom { factor, center });
                assert_eq!(shown.zoom, Zoom::ALL);
            }
            let center = dvec2(f64::NAN, f64::INFINITY);
            let shown = map.zoomed(Zoom {
                factor: 4.0,
                center,
            });
            assert!(shown.zoom.center.is_finite());
        }
    }
}
