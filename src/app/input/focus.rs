//! Decides whether a key goes to the control with keyboard focus or is a hotkey.

use super::keys::{Modifier, Press};
use egui::{Context, Id};
use macroquad::input::KeyCode;

/// Keyboard focus in this picture and the previous one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Focus {
    owner: Owner,
    /// True if a control had the focus after the previous picture. Escape needs this, because egui removes the focus on
    /// Escape before layout.
    was_on_any: bool,
    /// True if a control has the focus after this picture.
    is_on_any: bool,
}

/// Receiver of key presses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Owner {
    /// No control: all keys are hotkeys.
    #[default]
    Nothing,
    /// A control other than a text field.
    Control,
    /// A text field that has the focus or had it until this picture.
    Text,
}

impl Focus {
    /// Updates the focus; call after layout. `typing` is true if a text field has the focus or had it until this
    /// picture. A click removes the focus from all controls except text fields, because Space must pause again after a
    /// click on a button.
    pub fn follow(&mut self, ctx: &Context, typing: bool) {
        // Ignore a control of a view that was just left. It keeps the focus in egui until the end of this picture.
        let is_shown = |id: &Id| ctx.viewport(|viewport| viewport.this_pass.widgets.contains(*id));
        let focused = ctx.memory(egui::Memory::focused).filter(is_shown);
        let clicked = ctx.input(|input| input.pointer.any_pressed()) && !typing;
        if let Some(focused) = focused.filter(|_| clicked) {
            ctx.memory_mut(|memory| memory.surrender_focus(focused));
        }
        let is_on_any = focused.is_some() && !clicked;
        *self = Self {
            owner: match (typing, is_on_any) {
                (true, _) => Owner::Text,
                (false, true) => Owner::Control,
                (false, false) => Owner::Nothing,
            },
            was_on_any: self.is_on_any,
            is_on_any,
        };
    }

    /// Returns true if the key goes to the focused control. Call once for each key, in order.
    pub fn takes(&mut self, press: Press) -> bool {
        if press.key == KeyCode::Escape {
            // Later keys of the same slow frame are hotkeys.
            self.owner = Owner::Nothing;
            return std::mem::take(&mut self.was_on_any);
        }
        match self.owner {
            Owner::Nothing => false,
            Owner::Control => press.operates_focus(),
            Owner::Text => !press.is_function_key() && press.modifier != Modifier::Ctrl,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(key: KeyCode) -> Press {
        Press {
            key,
            modifier: Modifier::None,
            repeat: false,
        }
    }

    #[test]
    fn a_text_field_takes_all_keys_except_function_keys_and_chords() {
        let mut focus = Focus {
            owner: Owner::Text,
            ..Focus::default()
        };
        assert!(focus.takes(press(KeyCode::Key1)));
        assert!(focus.takes(press(KeyCode::Space)));
        assert!(!focus.takes(press(KeyCode::F2)));
        let chord = Press {
            modifier: Modifier::Ctrl,
            ..press(KeyCode::Minus)
        };
        assert!(!focus.takes(chord));
    }

    #[test]
    fn other_controls_take_only_the_keys_that_operate_them() {
        let mut focus = Focus {
            owner: Owner::Control,
            ..Focus::default()
        };
        assert!(focus.takes(press(KeyCode::Space)));
        assert!(focus.takes(press(KeyCode::Left)));
        assert!(!focus.takes(press(KeyCode::Key1)));
        assert!(!focus.takes(press(KeyCode::R)));
    }

    #[test]
    fn escape_removes_the_focus_once() {
        let mut focus = Focus {
            owner: Owner::Text,
            was_on_any: true,
            ..Focus::default()
        };
        assert!(focus.takes(press(KeyCode::Escape)));
        assert!(!focus.takes(press(KeyCode::Space)));
        assert!(!focus.takes(press(KeyCode::Escape)));
    }
}
