//! Converts between positions in the world and positions on the screen. Screen positions are in points.

use super::layout::radius;
use super::{CapsuleLayout, Zoom};
use egui::{Pos2, Rect, pos2};
use lab::sim::world::Point;
use macroquad::math::{Rect as Area, Vec2, vec2};

/// Converts between positions in the world and positions on the screen. The positions match what
/// [`Capsules`](super::Capsules) draws.
#[derive(Clone, Debug)]
pub struct ScreenMap {
    whole: CapsuleLayout,
    layout: CapsuleLayout,
    pub zoom: Zoom,
    pub view: Rect,
    pixels_per_point: f32,
}

/// The radius of a capsule at the maximum magnification, in points. At this size, it is easy to click a capsule and to
/// see where it looks.
const MAX_CAPSULE_RADIUS: f32 = 14.0;
/// If the maximum magnification would be lower than this, zooming is disabled, because the capsules are already large
/// enough.
const MIN_USEFUL_MAGNIFICATION: f64 = 2.0;
/// Magnifications that exceed 1 by less than this are treated as 1.
const MAGNIFICATION_TOLERANCE: f64 = 0.002;

impl ScreenMap {
    /// Creates a map for a view that shows the whole world.
    pub fn new(slots: u32, view: Rect, pixels_per_point: f32) -> Self {
        let whole = CapsuleLayout::fit(slots, pixels(view, pixels_per_point));
        Self {
            layout: whole.clone(),
            whole,
            zoom: Zoom::ALL,
            view,
            pixels_per_point,
        }
    }

    pub fn zoomed(self, zoom: Zoom) -> Self {
        let zoom = self.limited(zoom);
        Self {
            layout: self.whole.magnified(zoom),
            zoom,
            ..self
        }
    }

    /// Returns the allowed zoom that is closest to the given one. Capsules must not become larger than
    /// [`MAX_CAPSULE_RADIUS`], and the view must not extend beyond the world.
    fn limited(&self, zoom: Zoom) -> Zoom {
        let limit = f64::from(MAX_CAPSULE_RADIUS * self.pixels_per_point) / radius(self.whole.cell);
        let has_zoom = limit.is_finite() && limit >= MIN_USEFUL_MAGNIFICATION;
        let factor = zoom.factor.max(1.0).min(limit);
        if !has_zoom || factor < 1.0 + MAGNIFICATION_TOLERANCE {
            return Zoom::ALL;
        }
        let center = self.whole.limited_center(factor, zoom.center).into();
        Zoom { factor, center }
    }

    /// Returns the zoom that results from magnifying the view by `factor` and then moving it. The world point at the
    /// screen position `from` moves to the screen position `to`, unless the view would then extend beyond the edges of
    /// the world.
    pub fn zoom_by(&self, factor: f64, from: Pos2, to: Pos2) -> Zoom {
        let (whole, before) = (&self.whole, self.zoom);
        let wanted = Zoom {
            factor: before.factor * factor,
            ..before
        };
        let factor = self.limited(wanted).factor;
        // Without magnification, the centre of the view may be half a pixel away from the centre of the world.
        let center = whole.limited_center(before.factor, before.center);
        let [from, to] = [from, to].map(|at| self.pixel(at).as_dvec2() - whole.middle());
        let center = center + from / whole.extent(before.factor) - to / whole.extent(factor);
        self.limited(Zoom {
            factor,
            center: center.into(),
        })
    }

    pub fn to_screen(&self, point: Point) -> Pos2 {
        self.points(self.layout.to_screen(point))
    }

    pub fn to_world(&self, at: Pos2) -> Point {
        self.layout.to_world(self.pixel(at))
    }

    pub fn slot_at(&self, at: Pos2) -> Option<u32> {
        self.layout.at(self.pixel(at))
    }

    pub fn center(&self, place: u32) -> Option<Pos2> {
        (place < self.layout.places).then(|| self.points(self.layout.center(place)))
    }

    /// Returns whether a capsule may be at least partly visible. The check is cheap enough to do for many capsules.
    pub fn shows(&self, place: u32) -> bool {
        let view = self.view.expand(2.0 * self.radius());
        self.center(place).is_some_and(|at| view.contains(at))
    }

    pub fn radius(&self) -> f32 {
        self.layout.radius as f32 / self.pixels_per_point
    }

    pub fn slots_per_pixel(&self) -> f32 {
        let cell = self.layout.cell.as_vec2();
        1.0 / (cell.x * cell.y).max(f32::MIN_POSITIVE)
    }

    /// Returns the step length, in points, for finding capsules along a line on the screen. With this step, no capsule
    /// that is larger than a pixel is missed.
    pub fn stride(&self) -> f32 {
        self.layout.radius.max(1.0) as f32 / self.pixels_per_point
    }

    fn points(&self, pixel: Vec2) -> Pos2 {
        let at = pixel / self.pixels_per_point;
        pos2(at.x, at.y)
    }

    fn pixel(&self, at: Pos2) -> Vec2 {
        vec2(at.x, at.y) * self.pixels_per_point
    }
}

pub fn pixels(view: Rect, pixels_per_point: f32) -> Area {
    let view = view * pixels_per_point;
    Area::new(view.left(), view.top(), view.width(), view.height())
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Vec2 as Span;
    use lab::sim::world::{HEIGHT, WIDTH};
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
            let center = (x, y);
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

    fn map(places: u32, size: Span) -> ScreenMap {
        ScreenMap::new(places, Rect::from_min_size(pos2(252.0, 122.0), size), 1.0)
    }

    const SIZES: [Span; 3] = [
        egui::vec2(648.0, 252.0),
        egui::vec2(1028.0, 452.0),
        egui::vec2(1668.0, 700.0),
    ];

    #[test]
    fn unusable_zooms_show_all() {
        let nothing = ScreenMap::new(100_000, Rect::NOTHING, 1.0);
        for map in [map(100_000, SIZES[0]), nothing] {
            for factor in [f64::NAN, 0.0, -3.0, 1.0] {
                let center = (f64::NAN, f64::INFINITY);
                let shown = map.clone().zoomed(Zoom { factor, center });
                assert_eq!(shown.zoom, Zoom::ALL);
            }
            let center = (f64::NAN, f64::INFINITY);
            let shown = map.zoomed(Zoom {
                factor: 4.0,
                center,
            });
            assert!(shown.zoom.center.0.is_finite() && shown.zoom.center.1.is_finite());
        }
    }
}
