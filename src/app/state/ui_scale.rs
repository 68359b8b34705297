//! The size of the interface, on top of the display's own scale.

/// Each step is visible. Below the first nothing is legible; above the last a large display holds no more than a small
/// window.
const STEPS: [f32; 8] = [0.75, 0.875, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0];

/// The size of the interface, in steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UiScale(usize);

impl UiScale {
    /// The display's own size.
    pub const USUAL: Self = Self(2);

    /// Larger by this many steps, or smaller; no further than the ends.
    #[must_use]
    pub fn stepped(self, by: isize) -> Self {
        Self(self.0.saturating_add_signed(by).min(STEPS.len() - 1))
    }

    /// The factor of all sizes.
    #[must_use]
    pub fn factor(self) -> f32 {
        STEPS[self.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_both_ways_and_end() {
        assert_eq!(UiScale::USUAL.factor(), 1.0);
        assert_eq!(UiScale::USUAL.stepped(1).stepped(-1), UiScale::USUAL);
        let ends = [-9, 9].map(|by| UiScale::USUAL.stepped(by).factor());
        assert_eq!(ends, [STEPS[0], STEPS[STEPS.len() - 1]]);
        assert!(STEPS.is_sorted());
    }
}
