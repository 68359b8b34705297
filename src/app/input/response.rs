//! Result of laying out the interface: commands and the places of controls.

use crate::app::state::command::Command;
use egui::Rect;

/// Commands and places, collected during layout.
#[derive(Debug, Default)]
pub struct UiResponse {
    pub commands: Vec<Command>,
    /// Events for the log that change no state.
    pub notes: Vec<String>,
    /// A sentence about text that a field does not take.
    pub complaint: Option<String>,
    pub typing: bool,
    pub list_is_open: bool,
    /// True if a drop-down list was open before this layout. A click beside it closes it, so the view ignores that click.
    pub list_was_open: bool,
    pub controls: Vec<Control>,
}

/// A control and its place, for scripts that drive the program.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// The key of a knob, or a prefix and a name, such as `tab:` and the key of a strategy, `button:` and its keycap,
    /// or `part:` and the name of a panel.
    pub name: String,
    pub rect: Rect,
}

impl UiResponse {
    /// Reports the place of a control, unless it is scrolled out of `panel`.
    pub fn report_in(&mut self, panel: Rect, name: impl Into<String>, rect: Rect) {
        if panel.contains_rect(rect) {
            self.report(name, rect);
        }
    }

    /// Reports the place of a control.
    pub fn report(&mut self, name: impl Into<String>, rect: Rect) {
        self.controls.push(Control {
            name: name.into(),
            rect,
        });
    }
}
