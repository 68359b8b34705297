//! Layout of capsules: the world's plane, stretched over any area of the screen.

use super::zoom::{Axis, Zoom};
use headless::sim::world::{HEIGHT, Plane, Point, WIDTH};
use macroquad::math::{Rect, Vec2, vec2};

/// Maximum number of places. Each has one texel, and every graphics driver in use supports textures of 4096 x 4096, even
/// browsers on phones. There are more columns than rows.
pub const MOST_PLACES: u32 = 4096 * 4096 / 2;

/// Radius of a capsule relative to the width of its cell: a capsule takes at most 61 % of the width.
const RADIUS_OF_WIDTH: f64 = 0.303;
/// Radius of a capsule relative to the height of its cell: it is 3.5 radii tall and takes at most 89 % of the height.
const RADIUS_OF_HEIGHT: f64 = 0.255;
/// Half the height of a capsule, in radii.
const HALF_HEIGHT: f32 = 1.75;
/// Margin around the layout, relative to the shorter side of the area.
const MARGIN: f64 = 0.012;
/// Maximum height of a capsule, relative to the area's height. It matters only if there are few capsules.
const TALLEST: f64 = 2.0 / 3.0;
/// Cells of at least this size, in pixels, are rounded down to whole pixels, so that all capsules look the same. The
/// rounding takes at most an eighth of their size. Smaller cells are not rounded: they hold boxes without shading, and
/// the shader avoids moiré by painting the exact share of each pixel that a box covers.
const WHOLE_FROM: f64 = 7.0;

/// Position of each capsule on the screen. All lengths are in physical pixels, y down, from the window's top left
/// corner. Columns, rows and places are those of the world's [`Plane`].
#[derive(Debug, Clone, PartialEq)]
pub struct CapsuleLayout {
    places: u32,
    plane: Plane,
    cell: (f64, f64),
    origin: (f64, f64),
    radius: f64,
    area: Rect,
}

impl CapsuleLayout {
    /// Stretches the plane with `places` (at most `MOST_PLACES`) over `area`. An area that is not finite counts as
    /// empty. In an empty area all places are at one point, and [`CapsuleLayout::at`] finds none.
    pub fn fit(places: u32, area: Rect) -> CapsuleLayout {
        let places = places.min(MOST_PLACES);
        // NaN and infinity fail this comparison, too.
        let sound = [area.x, area.y, area.w, area.h]
            .iter()
            .all(|side| side.abs() < 1e6);
        let area = if sound { area } else { Rect::default() };
        // Use only pixels that are entirely inside the area.
        let left = f64::from(area.x).ceil();
        let top = f64::from(area.y).ceil();
        let width = (f64::from(area.x + area.w).floor() - left).max(0.0);
        let height = (f64::from(area.y + area.h).floor() - top).max(0.0);
        let margin = MARGIN * width.min(height);

        let plane = Plane::with_places(places);
        let cell = (
            snapped((width - 2.0 * margin) / f64::from(plane.columns())),
            snapped((height - 2.0 * margin) / f64::from(plane.rows())),
        );
        let radius_limit = height * TALLEST / (2.0 * f64::from(HALF_HEIGHT));
        let start = |from: f64, extent: f64, cell: f64, count: u32| {
            let free = (extent - cell * f64::from(count)).max(0.0) / 2.0;
            // Whole cells start on a pixel boundary, others if there is at least a pixel to spare.
            let is_aligned = free > 1.0 || cell >= WHOLE_FROM;
            from + if is_aligned { free.floor() } else { free }
        };
        CapsuleLayout {
            places,
            plane,
            cell,
            origin: (
                start(left, width, cell.0, plane.columns()),
                start(top, height, cell.1, plane.rows()),
            ),
            radius: radius(cell.0, cell.1).min(radius_limit),
            area,
        }
    }

    /// Magnifies the layout of all places. The zoom must be limited to this layout.
    pub fn magnified(&self, zoom: Zoom) -> CapsuleLayout {
        if !zoom.is_magnified() {
            return self.clone();
        }
        let [x, y] = self.axes();
        let cell = (x.magnified(zoom.factor), y.magnified(zoom.factor));
        // Whole cells start on a pixel boundary.
        let aligned = |origin: f64, cell: f64| {
            if cell >= WHOLE_FROM {
                origin.round()
            } else {
                origin
            }
        };
        CapsuleLayout {
            cell,
            origin: (
                aligned(x.origin(zoom.factor, zoom.center.0), cell.0),
                aligned(y.origin(zoom.factor, zoom.center.1), cell.1),
            ),
            radius: radius(cell.0, cell.1),
            ..self.clone()
        }
    }

    pub(super) fn radius_in_cell(&self) -> f64 {
        radius(self.cell.0, self.cell.1)
    }

    pub(super) fn axes(&self) -> [Axis; 2] {
        let area = self.area;
        let axis = |start: f64, cell: f64, count: u32, from: f32, extent: f32| Axis {
            start,
            cell,
            count: f64::from(count),
            middle: f64::from(from) + f64::from(extent) / 2.0,
        };
        [
            axis(self.origin.0, self.cell.0, self.columns(), area.x, area.w),
            axis(self.origin.1, self.cell.1, self.rows(), area.y, area.h),
        ]
    }

    pub const fn places(&self) -> u32 {
        self.places
    }

    /// Number of columns, 1 to 4096.
    pub const fn columns(&self) -> u32 {
        self.plane.columns()
    }

    /// Number of rows, 1 to 4096.
    pub const fn rows(&self) -> u32 {
        self.plane.rows()
    }

    /// Width and height of a cell, in pixels. A side of at least 7 pixels is a whole number.
    pub fn cell(&self) -> Vec2 {
        vec2(self.cell.0 as f32, self.cell.1 as f32)
    }

    /// Left and top edge of the first cell, in pixels.
    pub fn origin(&self) -> Vec2 {
        vec2(self.origin.0 as f32, self.origin.1 as f32)
    }

    pub const fn area(&self) -> Rect {
        self.area
    }

    pub const fn radius(&self) -> f32 {
        self.radius as f32
    }

    pub fn center(&self, place: u32) -> Vec2 {
        let (column, row) = (place % self.columns(), place / self.columns());
        vec2(
            (self.origin.0 + (f64::from(column) + 0.5) * self.cell.0) as f32,
            (self.origin.1 + (f64::from(row) + 0.5) * self.cell.1) as f32,
        )
    }

    fn extent(&self) -> (f64, f64) {
        (
            self.cell.0 * f64::from(self.columns()),
            self.cell.1 * f64::from(self.rows()),
        )
    }

    pub fn to_screen(&self, point: Point) -> Vec2 {
        let (width, height) = self.extent();
        vec2(
            (self.origin.0 + f64::from(point.x / WIDTH) * width) as f32,
            (self.origin.1 + f64::from(point.y / HEIGHT) * height) as f32,
        )
    }

    /// Returns the point of the world's plane that is closest to `pixel` on the screen. In an empty area, returns the
    /// plane's top left corner.
    pub fn to_world(&self, pixel: Vec2) -> Point {
        let share = |at: f32, from: f64, extent: f64| {
            let share = (f64::from(at) - from) / extent;
            // NaN becomes 0.
            share.clamp(0.0, 1.0).max(0.0) as f32
        };
        let (width, height) = self.extent();
        Point {
            x: WIDTH * share(pixel.x, self.origin.0, width),
            y: HEIGHT * share(pixel.y, self.origin.1, height),
        }
    }

    /// Place whose cell contains `pixel`; `None` outside all cells and beyond the last place.
    pub fn at(&self, pixel: Vec2) -> Option<u32> {
        if self.cell.0 <= 0.0 || self.cell.1 <= 0.0 {
            return None;
        }
        let column = ((f64::from(pixel.x) - self.origin.0) / self.cell.0).floor();
        let row = ((f64::from(pixel.y) - self.origin.1) / self.cell.1).floor();
        let inside = (0.0..f64::from(self.columns())).contains(&column)
            && (0.0..f64::from(self.rows())).contains(&row);
        let place = inside.then(|| row as u32 * self.columns() + column as u32)?;
        (place < self.places).then_some(place)
    }
}

fn radius(width: f64, height: f64) -> f64 {
    (width * RADIUS_OF_WIDTH).min(height * RADIUS_OF_HEIGHT)
}

/// Rounds a cell's side down to whole pixels if it is at least [`WHOLE_FROM`].
pub(super) fn snapped(side: f64) -> f64 {
    if side >= WHOLE_FROM {
        side.floor()
    } else {
        side
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// Returns a layout of each count in each area.
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
            let area = layout.area();
            for place in 0..layout.places() {
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
            assert!(layout.radius() < 1e-9, "{layout:?}");
            assert_eq!(layout.at(Vec2::ZERO), None);
        }
    }

    #[test]
    fn large_cells_are_aligned_to_pixels() {
        let mut seen = 0;
        for layout in layouts() {
            for (side, start) in [
                (layout.cell.0, layout.origin.0),
                (layout.cell.1, layout.origin.1),
            ] {
                if side >= WHOLE_FROM {
                    assert!(side.fract().abs() < 1e-9, "{layout:?}");
                    assert!(start.fract().abs() < 1e-9, "{layout:?}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 20);
    }

    #[test]
    fn the_largest_crowd_fits_into_a_texture() {
        let layout = CapsuleLayout::fit(u32::MAX, Rect::new(0.0, 0.0, 100.0, 100.0));
        assert_eq!((layout.columns(), layout.rows()), (4096, 2048));
    }

    #[test]
    fn capsules_are_at_their_places_in_the_world() {
        for layout in layouts().filter(|layout| layout.area().w > 0.0) {
            let plane = Plane::with_places(layout.places());
            for place in 0..layout.places() {
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
