//! Zoom of the plots.

use headless::history::FRAMES;

/// Level of zoom, an index into `ZOOMS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zoom(usize);

impl Default for Zoom {
    fn default() -> Self {
        Self::USUAL
    }
}

/// Width of a column in points, and its number of frames, for each level from near to far.
const ZOOMS: [(f32, usize); 6] = [(6.0, 1), (3.0, 1), (1.0, 1), (1.0, 2), (1.0, 4), (1.0, 8)];

impl Zoom {
    /// Zoom at the start.
    pub const USUAL: Self = Self(1);

    /// Zooms out by `steps` (in if negative) in a plot that is `width` points wide.
    pub fn out(self, steps: isize, width: f32) -> Self {
        Self(self.0.saturating_add_signed(steps)).within(width)
    }

    /// Limits the zoom to the first one that shows almost the whole history in a plot that is `width` points wide.
    pub fn within(self, width: f32) -> Self {
        let shows_all = |&(column, frames): &(f32, usize)| {
            (width / column) as usize * frames >= FRAMES - FRAMES / 8
        };
        let farthest = ZOOMS.iter().position(shows_all);
        Self(self.0.min(farthest.unwrap_or(ZOOMS.len() - 1)))
    }

    /// Width of a column, in points.
    pub fn width(self) -> f32 {
        ZOOMS[self.0].0
    }

    /// Number of frames per column.
    pub fn frames(self) -> usize {
        ZOOMS[self.0].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_out_ends_when_the_history_is_visible() {
        for (width, frames) in [(572.0, 8), (720.0, 8), (1200.0, 4), (2000.0, 2)] {
            let farthest = Zoom::USUAL.out(99, width);
            assert_eq!(farthest.frames(), frames, "{width} points");
            assert_eq!(farthest.out(1, width), farthest);
            assert!(width as usize * frames >= FRAMES - FRAMES / 8);
        }
    }

    #[test]
    fn zooming_in_undoes_zooming_out() {
        assert_eq!(Zoom::USUAL.out(-9, 720.0).out(1, 720.0), Zoom::USUAL);
        let farthest = Zoom::USUAL.out(9, 720.0);
        assert!(farthest.out(-1, 720.0).frames() < farthest.frames());
    }
}
