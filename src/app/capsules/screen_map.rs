//! The map between the world's plane and a view, in points.

use super::CapsuleLayout;
use crate::sim::world::Point;
use egui::{Pos2, Rect, pos2};
use macroquad::math::{Rect as Area, Vec2, vec2};

/// Position of each capsule, and of each point of the world, in a view. The same as in the picture of the capsules.
#[derive(Clone, Debug)]
pub struct ScreenMap {
    layout: CapsuleLayout,
    view: Rect,
    /// Pixels per point.
    scale: f32,
}

impl ScreenMap {
    /// Stretches the plane with `places` over `view`; `scale` is the number of pixels per point.
    #[must_use]
    pub fn new(places: u32, view: Rect, scale: f32) -> Self {
        Self {
            layout: CapsuleLayout::fit(places, pixels(view, scale)),
            view,
            scale,
        }
    }

    /// Returns the view.
    #[must_use]
    pub fn view(&self) -> Rect {
        self.view
    }

    /// Returns where a point of the world is on the screen.
    #[must_use]
    pub fn to_screen(&self, point: Point) -> Pos2 {
        self.points(self.layout.to_screen(point))
    }

    /// Returns the point of the world's plane closest to `at` on the screen.
    #[must_use]
    pub fn to_world(&self, at: Pos2) -> Point {
        self.layout.to_world(self.pixel(at))
    }

    /// Returns the place whose cell contains `at`.
    #[must_use]
    pub fn place_at(&self, at: Pos2) -> Option<u32> {
        self.layout.at(self.pixel(at))
    }

    /// Returns the middle of a place's capsule; `None` beyond the last place.
    #[must_use]
    pub fn center(&self, place: u32) -> Option<Pos2> {
        (place < self.layout.places()).then(|| self.points(self.layout.center(place)))
    }

    /// Returns the radius of a capsule.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.layout.radius() / self.scale
    }

    /// Returns the number of places per pixel.
    #[must_use]
    pub fn places_per_pixel(&self) -> f32 {
        let cell = self.layout.cell();
        1.0 / (cell.x * cell.y).max(f32::MIN_POSITIVE)
    }

    /// Returns the step length for following a path without skipping capsules larger than a pixel.
    #[must_use]
    pub fn stride(&self) -> f32 {
        self.layout.radius().max(1.0) / self.scale
    }

    fn points(&self, pixel: Vec2) -> Pos2 {
        let at = pixel / self.scale;
        pos2(at.x, at.y)
    }

    fn pixel(&self, at: Pos2) -> Vec2 {
        vec2(at.x, at.y) * self.scale
    }
}

/// Converts a view from points to pixels.
#[must_use]
pub fn pixels(view: Rect, scale: f32) -> Area {
    let view = view * scale;
    Area::new(view.left(), view.top(), view.width(), view.height())
}
