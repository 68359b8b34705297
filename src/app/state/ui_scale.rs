//! Size of the interface, on top of the display's own scale.

/// Scale factors, each visibly different from the next. Below the first factor, text is illegible. Above the last, even
/// a large display has no more room than a small window.
const STEPS: [f32; 8] = [0.75, 0.875, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0];

/// Size of the interface, in discrete steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UiScale(usize);

impl UiScale {
    /// The display's own scale.
    pub const USUAL: Self = Self(2);

    /// Returns the scale `by` steps larger (smaller if negative), within the limits.
    #[must_use]
    pub fn stepped(self, by: isize) -> Self {
        Self(self.0.saturating_add_signed(by).min(STEPS.len() - 1))
    }

    /// Factor for all sizes.
    #[must_use]
    pub fn factor(self) -> f32 {
        STEPS[self.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_both_ways_up_to_the_limits() {
        assert_eq!(UiScale::USUAL.factor(), 1.0);
        assert_eq!(UiScale::USUAL.stepped(1).stepped(-1), UiScale::USUAL);
        let ends = [-9, 9].map(|by| UiScale::USUAL.stepped(by).factor());
        assert_eq!(ends, [STEPS[0], STEPS[STEPS.len() - 1]]);
        assert!(STEPS.is_sorted());
    }
}
