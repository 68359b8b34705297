//! Which keys belong to the control that has the focus of the keyboard, and which are hotkeys.

use super::keys::Press;
use egui::{Context, Id};
use macroquad::input::KeyCode;

/// The focus of the keyboard, in this picture and in the one before.
#[derive(Clone, Copy, Debug, Default)]
pub struct Focus {
    owner: Owner,
    /// Any control had the focus after the picture before. Escape takes the focus away before layout.
    was_on_any: bool,
    /// Any control has the focus after this picture.
    is_on_any: bool,
}

/// What has the keyboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Owner {
    /// Nothing: all keys are hotkeys.
    #[default]
    Nothing,
    /// A control other than a text field.
    Control,
    /// A text field, at least until this picture.
    Text,
}

impl Focus {
    /// Call after layout; `typing` is true if a text field has the keyboard, or had it until now. The pointer takes
    /// the focus from all other controls: after a click on a button, Space must pause again.
    pub fn follow(&mut self, ctx: &Context, typing: bool) {
        // A control of another view keeps the focus until the end of this picture.
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

    /// True if the key is for the focused control and is no hotkey. Ask for each key once, in their order.
    pub fn takes(&mut self, press: Press) -> bool {
        if press.key == KeyCode::Escape {
            // The next key of the same slow frame is a hotkey again.
            self.owner = Owner::Nothing;
            return std::mem::take(&mut self.was_on_any);
        }
        match self.owner {
            Owner::Nothing => false,
            Owner::Control => press.works_on_focus(),
            Owner::Text => !press.is_function_key(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(key: KeyCode) -> Press {
        Press {
            key,
            shift: false,
            again: false,
        }
    }

    #[test]
    fn a_text_field_takes_all_keys_but_function_keys() {
        let mut focus = Focus {
            owner: Owner::Text,
            ..Focus::default()
        };
        assert!(focus.takes(press(KeyCode::Key1)));
        assert!(focus.takes(press(KeyCode::Space)));
        assert!(!focus.takes(press(KeyCode::F2)));
    }

    #[test]
    fn another_control_takes_only_the_keys_that_work_it() {
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
    fn escape_gives_the_focus_back_once() {
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
