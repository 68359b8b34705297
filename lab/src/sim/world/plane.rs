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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_slot_has_a_cell_inside_the_plane() {
        for slots in [0, 1, 2, 3, 7, 10, 11, 400, 10_000, 12_345, 1_000_000] {
            let plane = Plane::with_slots(slots);
            for slot in (0..slots).step_by(1 + slots as usize / 997) {
                let position = plane.position(slot);
                assert!(position.is_in_plane());
                let [column, row] = [
                    (position.x, WIDTH, plane.columns),
                    (position.y, HEIGHT, plane.rows),
                ]
                .map(|(at, extent, count)| (f64::from(at / extent) * f64::from(count)) as u32);
                assert_eq!(row * plane.columns + column, slot, "of {slots}");
            }
        }
        let plane = Plane::with_slots(8); // four columns, two rows
        assert_eq!(plane.position(5), Point { x: 0.375, y: 0.375 });
    }
}
