//! Columns of the rows: the words, and a lane for each machine.

use super::WORDS;
use egui::Rect;
use headless::experiment::loop_race::Side;

/// If rows are narrower than this, their only text is the loop's name, in a line of height `NAME` above the lanes.
const WITH_WORDS: f32 = 560.0;
const NAME: f32 = 22.0;

/// Columns of the two machines.
pub struct Columns {
    /// Left edge of the first column.
    pub left: f32,
    /// Width of a column.
    pub width: f32,
    /// True if rows are so narrow that only the loop's name fits, above the lanes.
    pub names_above: bool,
}

impl Columns {
    /// Divides `inner` into columns.
    pub fn new(inner: Rect) -> Self {
        let names_above = inner.width() < WITH_WORDS;
        let left = inner.left() + if names_above { 14.0 } else { WORDS };
        let width = (inner.right() - left - 24.0 - 14.0) / 2.0;
        Self {
            left,
            width,
            names_above,
        }
    }

    /// Returns the height of a row with lanes of this height.
    pub fn beside(&self, height: f32) -> f32 {
        height + if self.names_above { NAME } else { 0.0 }
    }

    /// Left edge of a machine's column.
    pub fn left(&self, side: Side) -> f32 {
        self.left + f32::from(side as u8) * (self.width + 24.0)
    }

    /// Area of a machine's lane in a row.
    pub fn cell(&self, side: Side, card: Rect) -> Rect {
        let left = self.left(side);
        let above = self.beside(0.0);
        Rect::from_x_y_ranges(left..=left + self.width, card.top() + above..=card.bottom())
    }
}
