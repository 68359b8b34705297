//! The parts of the interface around and over every view, and its size.

/// Parts of the interface around and over every view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interface {
    pub panels: bool,
    /// Whether the window has room for the panel of knobs next to the view.
    pub has_room_for_knobs: bool,
    /// The user's choice to show the knobs or not; `None` shows them if there is room.
    pub knobs: Option<bool>,
    /// The user's choice to show the projectile's strip or not; `None` shows it unless the frame loop is the default.
    pub projectile: Option<bool>,
    /// Whether the key list covers the view.
    pub help: bool,
    pub scale: UiScale,
}

impl Interface {
    pub fn shows_knobs(&self) -> bool {
        self.panels && self.knobs.unwrap_or(self.has_room_for_knobs)
    }

    /// Notes whether the window has room for the knobs. A change ends the user's choice, which was made for another size.
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
            projectile: None,
            help: false,
            scale: UiScale::USUAL,
        }
    }
}

/// Scale factors, each visibly different from the next. Below the first factor, text is illegible. Above the last, even
/// a large display has no more room than a small window.
const STEPS: [f32; 8] = [0.75, 0.875, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0];

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UiScale(usize);

impl UiScale {
    /// The display's own scale.
    pub const USUAL: Self = Self(2);

    /// Returns the scale `by` steps larger (smaller if negative), within the limits.
    pub fn stepped(self, by: isize) -> Self {
        Self(self.0.saturating_add_signed(by).min(STEPS.len() - 1))
    }
    pub fn factor(self) -> f32 {
        STEPS[self.0]
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
