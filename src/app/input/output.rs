//! The result of laying out the interface: the commands that the user gave, and the positions of controls.

use crate::app::state::command::Command;
use egui::Rect;

#[derive(Debug, Default)]
pub struct UiOutput {
    pub commands: Vec<Command>,
    pub notes: Vec<String>,
    /// If a text field has rejected the typed text, a sentence that says why.
    pub complaint: Option<String>,
    pub typing: bool,
    pub list_is_open: bool,
    /// Whether a drop-down list was open before this layout. A click outside the list closes the list, so the view must
    /// ignore that click.
    pub list_was_open: bool,
    pub controls: Vec<Control>,
}

/// The name and position of a control, for scripts that drive the program.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// The name that scripts use, such as `costs` or `button:Copy`. For the control of a knob, it contains the key of
    /// the knob.
    pub name: String,
    pub rect: Rect,
}

impl UiOutput {
    /// Reports the position of a control. Does nothing if the control is scrolled out of its panel.
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
