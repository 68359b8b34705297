//! How large the interface is, beside what the display's own scale makes of it.

/// From one to the next a step that is plainly seen; below the first nothing could be read any more, and above the last a
/// large display holds no more than a small window does.
const STEPS: [f32; 8] = [0.75, 0.875, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0];

/// How much larger than usual it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UiScale(usize);

impl UiScale {
    /// As the display has it.
    pub const USUAL: Self = Self(2);

    /// So many steps larger, or smaller; no further than there are any.
    #[must_use]
    pub fn stepped(self, by: isize) -> Self {
        Self(self.0.saturating_add_signed(by).min(STEPS.len() - 1))
    }

    /// By how much all is multiplied.
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
