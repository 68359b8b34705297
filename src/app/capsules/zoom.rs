//! Magnification: which part of the plane a view shows.

use super::CapsuleLayout;
use macroquad::math::Vec2;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zoom {
    /// Magnification, at least 1.
    pub factor: f64,
    /// Point in the middle of the view: 0 to 1 from the left and from the top edge of the plane.
    pub center: (f64, f64),
}

/// Smallest useful limit of the magnification. A view with a lower limit already shows large capsules and has no zoom.
const LEAST_LIMIT: f64 = 2.0;

/// Factors closer to 1 than this count as 1.
const ALMOST_ALL: f64 = 0.002;

impl Default for Zoom {
    fn default() -> Self {
        Self::ALL
    }
}

impl Zoom {
    /// All capsules.
    pub const ALL: Self = Self {
        factor: 1.0,
        center: (0.5, 0.5),
    };

    pub fn is_magnified(self) -> bool {
        self.factor > 1.0
    }

    /// Returns the closest zoom that `whole`, the layout of all places, can have: capsules no larger than `largest`
    /// pixels in radius, and nothing in view that [`Zoom::ALL`] does not show.
    pub fn limited(self, whole: &CapsuleLayout, largest: f32) -> Self {
        let limit = f64::from(largest) / whole.radius_in_cell();
        let has_zoom = limit.is_finite() && limit >= LEAST_LIMIT;
        let factor = self.factor.max(1.0).min(limit);
        if !has_zoom || factor < 1.0 + ALMOST_ALL {
            return Self::ALL;
        }
        let [x, y] = whole.axes();
        Self {
            factor,
            center: (
                x.limited(factor, self.center.0),
                y.limited(factor, self.center.1),
            ),
        }
    }

    /// Returns the zoom with another factor that keeps the point of the plane at `pixel` in place. Both zooms must be
    /// limited to `whole`, and the result may need a limit for its center.
    pub fn around(self, whole: &CapsuleLayout, pixel: Vec2, factor: f64) -> Self {
        let axis = |axis: Axis, center: f64, at: f32| {
            let at = f64::from(at);
            // Without magnification, the middle of the view may be half a pixel from the middle of the plane.
            let center = axis.limited(self.factor, center);
            let share = (at - axis.origin(self.factor, center)) / axis.extent(self.factor);
            let extent = axis.extent(factor);
            (axis.middle - at + share * extent) / extent
        };
        let [x, y] = whole.axes();
        Self {
            factor,
            center: (
                axis(x, self.center.0, pixel.x),
                axis(y, self.center.1, pixel.y),
            ),
        }
    }

    /// Returns the zoom after the plane has moved by this number of pixels. The result may need a limit.
    pub fn moved(self, whole: &CapsuleLayout, by: Vec2) -> Self {
        let [x, y] = whole.axes();
        Self {
            center: (
                self.center.0 - f64::from(by.x) / x.extent(self.factor),
                self.center.1 - f64::from(by.y) / y.extent(self.factor),
            ),
            ..self
        }
    }
}

/// One dimension of a layout that shows all places, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub start: f64,
    pub cell: f64,
    pub count: f64,
    pub middle: f64,
}

impl Axis {
    pub fn magnified(self, factor: f64) -> f64 {
        super::layout::snapped(self.cell * factor)
    }

    fn extent(self, factor: f64) -> f64 {
        self.magnified(factor) * self.count
    }

    /// Start of the first magnified cell, with the point `center` in the middle.
    pub fn origin(self, factor: f64, center: f64) -> f64 {
        self.middle - center * self.extent(factor)
    }

    /// Returns the closest point to `center` that can be in the middle: the margins of the plane are never wider than
    /// without magnification.
    fn limited(self, factor: f64, center: f64) -> f64 {
        let extent = self.extent(factor);
        let end = self.start + self.cell * self.count;
        let least = (self.middle - self.start) / extent;
        let most = 1.0 - (end - self.middle) / extent;
        center.max(least).min(most)
    }
}
