//! The rectangle in which the entities live, divided into a grid of slots. Its size does not depend on the window, so
//! resizing the window does not change directions or distances.

use std::fmt;

pub const WIDTH: f32 = 1.0;
pub const HEIGHT: f32 = 0.5;

/// A point in the world. The top left corner is (0, 0), and the bottom right corner is ([`WIDTH`], [`HEIGHT`]).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

impl Point {
    /// Returns true if the point is inside the world or on its edge.
    pub fn is_in_plane(self) -> bool {
        (0.0..=WIDTH).contains(&self.x) && (0.0..=HEIGHT).contains(&self.y)
    }

    pub fn towards(self, other: Self) -> (f32, f32) {
        (other.x - self.x, other.y - self.y)
    }
}

impl fmt::Display for Point {
    /// Formats the point in the format of the `--target` flag, such as `0.5,0.25`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{},{}", self.x, self.y)
    }
}

/// The world's rectangle, divided into a grid of slots for the entities. The slots fill the rows from left to right and
/// from top to bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    slots: u32,
    pub columns: u32,
    /// The number of rows. The last row may not be completely filled.
    pub rows: u32,
}

impl Plane {
    /// Divides the plane into the given number of slots, in a grid with roughly square cells. There is at least one row
    /// and one column.
    pub fn with_slots(slots: u32) -> Self {
        let columns = (2.0 * f64::from(slots)).sqrt().ceil().max(1.0) as u32;
        Self {
            slots,
            columns,
            rows: slots.div_ceil(columns).max(1),
        }
    }

    /// Returns the position of a slot, which is the centre of its cell. Slots beyond the last row are below the plane.
    pub fn position(self, slot: u32) -> Point {
        let middle = |index: u32, count: u32| (f64::from(index) + 0.5) / f64::from(count);
        Point {
            x: (f64::from(WIDTH) * middle(slot % self.columns, self.columns)) as f32,
            y: (f64::from(HEIGHT) * middle(slot / self.columns, self.rows)) as f32,
        }
    }

    /// Returns the slot whose cell contains a point, or `None` if the point is outside the plane or beyond the last
    /// slot.
    pub fn slot_at(self, point: Point) -> Option<u32> {
        let index = |at: f32, extent: f32, count: u32| {
            let index = (f64::from(at) / f64::from(extent) * f64::from(count)).floor();
            (0.0..f64::from(count))
                .contains(&index)
                .then_some(index as u32)
        };
        let column = index(point.x, WIDTH, self.columns)?;
        let row = index(point.y, HEIGHT, self.rows)?;
        let slot = row * self.columns + column;
        (slot < self.slots).then_some(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_slot_is_found_at_its_position_inside_the_plane() {
        for slots in [0, 1, 2, 3, 7, 10, 11, 400, 10_000, 12_345, 1_000_000] {
            let plane = Plane::with_slots(slots);
            for slot in (0..slots).step_by(1 + slots as usize / 997) {
                let position = plane.position(slot);
                assert!(position.is_in_plane());
                assert_eq!(plane.slot_at(position), Some(slot), "{slot} of {slots}");
            }
            assert_eq!(plane.slot_at(plane.position(slots)), None, "{slots}");
        }
    }

    #[test]
    fn points_outside_the_plane_have_no_slot() {
        let plane = Plane::with_slots(8); // four columns, two rows
        assert_eq!(plane.position(5), Point { x: 0.375, y: 0.375 });
        for (x, y) in [(-0.001, 0.1), (1.0, 0.1), (0.1, -0.001), (0.1, 0.5)] {
            assert_eq!(plane.slot_at(Point { x, y }), None, "{x} {y}");
        }
    }
}
