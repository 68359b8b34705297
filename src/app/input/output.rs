//! The result of laying out the interface: the commands that the user gave, and the positions of controls.

use crate::app::state::command::Command;
use egui::Rect;

/// Everything that the interface reports while it is laid out.
#[derive(Debug, Default)]
pub struct UiOutput {
    pub commands: Vec<Command>,
    /// Lines for the log about events that change no state.
    pub notes: Vec<String>,
    /// A sentence that says why a text field rejected the typed text.
    pub complaint: Option<String>,
    pub typing: bool,
    pub list_is_open: bool,
    /// Whether a drop-down list was open before this layout. A click outside a list closes it, so the view must ignore
    /// that click.
    pub list_was_open: bool,
    pub controls: Vec<Control>,
}

/// The name and position of a control, for scripts that drive the program.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// A knob's key, or a prefix and a name, such as `tab:` with a strategy's key, `button:` with a keycap, or `part:`
    /// with a panel's name.
    pub name: String,
    pub rect: Rect,
}

impl UiOutput {
    /// Reports the position of a control, unless the control is scrolled out of `panel`.
    pub fn report_in(&mut self, panel: Rect, name: impl Into<String>, rect: Rect) {
        if panel.contains_rect(rect) {
            self.report(name, rect);
        }
    }

    pub fn report(&mut self, name: impl Into<String>, rect: Rect) {
        self.controls.push(Control {
            name: name.into(),
            rect,
        });
    }
}
