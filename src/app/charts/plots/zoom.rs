//! From how far the plots are looked at.

use crate::history::FRAMES;

/// How many frames a column stands for, and how wide it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zoom(usize);

/// Width of a column in points, and its frames, from near to far.
const ZOOMS: [(f32, usize); 6] = [(6.0, 1), (3.0, 1), (1.0, 1), (1.0, 2), (1.0, 4), (1.0, 8)];

impl Zoom {
    /// What the mock-ups show.
    pub const USUAL: Self = Self(1);

    /// So many steps further out, in a plot of that width; nearer where they are negative.
    pub fn out(self, steps: isize, width: f32) -> Self {
        Self(self.0.saturating_add_signed(steps)).within(width)
    }

    /// No further out than where a plot of that width shows as good as all that is remembered.
    pub fn within(self, width: f32) -> Self {
        let shows_all = |&(column, frames): &(f32, usize)| {
            (width / column) as usize * frames >= FRAMES - FRAMES / 8
        };
        let farthest = ZOOMS.iter().position(shows_all);
        Self(self.0.min(farthest.unwrap_or(ZOOMS.len() - 1)))
    }

    /// The width of a column in points.
    pub fn width(self) -> f32 {
        ZOOMS[self.0].0
    }

    /// How many frames a column stands for.
    pub fn frames(self) -> usize {
        ZOOMS[self.0].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_zooms_out_until_all_that_is_remembered_is_in_sight_and_no_further() {
        for (width, frames) in [(572.0, 8), (720.0, 8), (1200.0, 4), (2000.0, 2)] {
            let farthest = Zoom::USUAL.out(99, width);
            assert_eq!(farthest.frames(), frames, "{width} points");
            assert_eq!(farthest.out(1, width), farthest);
            assert!(width as usize * frames >= FRAMES - FRAMES / 8);
        }
    }

    #[test]
    fn a_step_back_leads_where_one_came_from() {
        assert_eq!(Zoom::USUAL.out(-9, 720.0).out(1, 720.0), Zoom::USUAL);
        let farthest = Zoom::USUAL.out(9, 720.0);
        assert!(farthest.out(-1, 720.0).frames() < farthest.frames());
    }
}
