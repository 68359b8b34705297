//! Which parts of the interface are shown around and over the views, and how large the interface is.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interface {
    pub panels: bool,
    /// Whether the window has room for the knobs next to the view.
    pub has_room_for_knobs: bool,
    /// Whether the user has chosen to show the knobs. `None` shows them if there is room.
    pub knobs: Option<bool>,
    /// Whether the user has chosen to show the strip with the projectile. `None` shows it unless the frame loop is the
    /// default.
    pub projectile: Option<bool>,
    /// Whether the list of keys covers the view.
    pub help: bool,
    pub scale: UiScale,
}

impl Interface {
    pub fn shows_knobs(&self) -> bool {
        self.panels && self.knobs.unwrap_or(self.has_room_for_knobs)
    }

    /// Records whether the window has room for the knobs. A change discards the user's choice, because it was made for
    /// another window size.
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

/// The scale factors of the interface, each visibly different from the next. Text would be illegible below the first
/// factor. Above the last, even a large display would have no more room than a small window.
const STEPS: [f32; 8] = [0.75, 0.875, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0];

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UiScale(usize);

impl UiScale {
    /// The display's own scale, neither enlarged nor shrunk.
    pub const USUAL: Self = Self(2);

    /// Returns the scale that is `by` steps larger, or smaller if negative, within the available factors.
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
