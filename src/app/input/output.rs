//! The result of laying out the interface: the commands that the user gave, and the positions of controls.

use crate::app::state::command::Command;
use crate::app::widgets::tooltip;
use egui::{Id, Rect, Response, Sense, Ui};

#[derive(Debug, Default)]
pub struct UiOutput {
    pub commands: Vec<Command>,
    pub complaint: Option<String>,
    pub typing: bool,
    pub list_is_open: bool,
    /// Whether a drop-down list was open before this layout. The view ignores the click that closes it.
    pub list_was_open: bool,
    pub controls: Vec<Control>,
}

/// The name and position of a control, for scripts that drive the program.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// The name for scripts, such as `costs` or `button:Copy`. For a knob, it contains its key.
    pub name: String,
    /// The area, in points during the layout and in pixels in the log.
    pub rect: Rect,
}

impl UiOutput {
    pub fn give(&mut self, command: impl Into<Command>) {
        self.commands.push(command.into());
    }

    pub fn control(&mut self, control: &Response, name: impl Into<String>, tip: impl Into<String>) {
        self.report_visible(control, name);
        tooltip::offer(control, tip);
    }

    /// Makes an area clickable, with a name for scripts. A click gives a command, unless it closes a drop-down list.
    pub fn clickable(
        &mut self,
        ui: &Ui,
        rect: Rect,
        name: String,
        command: impl Into<Command>,
    ) -> Response {
        // `Sense::click()` is not used because the area could then get the keyboard focus, but would not show that it
        // is focused.
        let response = ui.interact(rect, Id::new(&name), Sense::CLICK);
        self.report(name, rect);
        if response.clicked() && !self.list_was_open {
            self.give(command);
        }
        response
    }

    /// Reports the position of a control, unless a part of it is scrolled out of its panel.
    pub fn report_visible(&mut self, control: &Response, name: impl Into<String>) {
        if control.interact_rect == control.rect {
            self.report(name, control.rect);
        }
    }

    pub fn report(&mut self, name: impl Into<String>, rect: Rect) {
        self.controls.push(Control {
            name: name.into(),
            rect,
        });
    }
}
