//! What a pass over the interface brings: what the user said, and where the controls stand.

use super::keys::Press;
use crate::app::state::command::Command;
use egui::Rect;

/// Collected while the interface is laid out, carried out after it.
#[derive(Debug, Default)]
pub struct UiResponse {
    /// What keys said, in order, each with its press.
    pub by_key: Vec<(Press, Command)>,
    /// What the user said to the controls, in order.
    pub commands: Vec<Command>,
    /// True if a text field has the keyboard, or had it until this pass.
    pub typing: bool,
    /// Where the controls stand.
    pub controls: Vec<Control>,
}

/// A control and its place, for those who drive the program from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// A knob's key; `tab:` and a strategy's; `button:` and what is written on its key; `capsules`;
    /// `part:` and a panel's.
    pub name: String,
    /// Its place, in points.
    pub rect: Rect,
}

impl UiResponse {
    /// All that was said, as far as it is known.
    pub fn said(&self) -> impl Iterator<Item = &Command> {
        let by_key = self.by_key.iter().map(|(_, command)| command);
        by_key.chain(&self.commands)
    }

    /// A control stands here, unless `panel` has been scrolled so that it is out of sight.
    pub fn stands_in(&mut self, panel: Rect, name: impl Into<String>, rect: Rect) {
        if panel.contains_rect(rect) {
            self.stands(name, rect);
        }
    }

    /// A control stands here.
    pub fn stands(&mut self, name: impl Into<String>, rect: Rect) {
        self.controls.push(Control {
            name: name.into(),
            rect,
        });
    }
}
