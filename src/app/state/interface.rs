//! The state of the interface: which parts are visible, and how large everything is.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interface {
    pub panels: bool,
    /// Whether the window is large enough to show the knobs next to the view.
    pub has_room_for_knobs: bool,
    /// Whether the user wants to see the knobs. If `None`, they are visible if there is room for them.
    pub knobs: Option<bool>,
    pub help: bool,
    pub scale: UiScale,
}

impl Interface {
    pub fn shows_knobs(&self) -> bool {
        self.panels && self.knobs.unwrap_or(self.has_room_for_knobs)
    }

    /// Sets whether the window has room for the knobs. If this has changed, the user's choice to show or hide the knobs
    /// is discarded, because it was made for a different window size.
    pub fn set_room_for_knobs(&mut self, has_room: bool) {
        if has_room != self.has_room_for_knobs {
            self.has_room_for_knobs = has_room;
            self.knobs = None;
        }
    }
}

impl Default for Interface {
    fn default() -> Self {
        Self {
            panels: true,
            has_room_for_knobs: true,
            knobs: None,
            help: false,
            scale: UiScale::USUAL,
        }
    }
}

/// The scale factors that the user can choose for the interface. With a smaller factor, text would be illegible. With a
/// larger one, even a large display would not have enough room.
const SCALE_FACTORS: [f32; 8] = [0.75, 0.875, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0];

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UiScale(usize);

impl UiScale {
    /// The default scale, which leaves the size of the interface to the display's own scale.
    pub const USUAL: Self = Self(2);

    /// Returns the scale that is `steps` steps larger, or smaller if negative. Stops at the smallest and the largest
    /// scale.
    pub fn stepped(self, steps: isize) -> Self {
        Self(
            self.0
                .saturating_add_signed(steps)
                .min(SCALE_FACTORS.len() - 1),
        )
    }

    pub fn factor(self) -> f32 {
        SCALE_FACTORS[self.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knobs_follow_the_room_until_the_user_chooses() {
        let mut interface = Interface::default();
        interface.set_room_for_knobs(false);
        assert!(!interface.shows_knobs());
        interface.knobs = Some(true);
        interface.set_room_for_knobs(false);
        assert!(
            interface.shows_knobs(),
            "the choice lasts while the size does"
        );
        interface.knobs = Some(false);
        interface.set_room_for_knobs(true);
        assert!(interface.shows_knobs());
    }
}
