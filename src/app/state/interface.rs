//! The state of the interface: which parts are visible, and how large everything is.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interface {
    pub panels: bool,
    /// Whether the window is large enough to show the knobs next to the view.
    pub has_room_for_knobs: bool,
    /// Whether the user wants to see the knobs. If `None`, they are visible if there is room for them.
    pub knobs: Option<bool>,
    pub help: bool,
    /// The factor by which the user has enlarged the interface.
    pub scale: f32,
}

impl Interface {
    pub fn shows_knobs(self) -> bool {
        self.panels && self.knobs.unwrap_or(self.has_room_for_knobs)
    }
}

impl Default for Interface {
    fn default() -> Self {
        Self {
            panels: true,
            has_room_for_knobs: true,
            knobs: None,
            help: false,
            scale: 1.0,
        }
    }
}
