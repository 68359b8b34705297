//! Decides whether a key goes to the control with the keyboard focus or is a hotkey.

use super::keys::{Modifier, Press};
use super::response::UiResponse;
use egui::{Context, Id};
use macroquad::input::KeyCode;

/// Receiver of key presses, as of the last layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// The focused control; without one, all keys are hotkeys.
    control: Option<Id>,
    /// True if that control is a text field.
    is_text: bool,
    /// True if a drop-down list is open. Escape closes it.
    list_is_open: bool,
}

impl Focus {
    /// Updates the focus; call after each layout. A click removes the focus from all controls except text fields, because
    /// Space must pause again after a click on a button. Returns true if the focus has moved, or a drop-down list was opened
    /// or closed. Then the next layout looks different, and the control handles keys only after it.
    pub fn follow(&mut self, ctx: &Context, answer: &UiResponse) -> bool {
        // Ignore a control of a view that was just left. It keeps the focus in egui until the end of this layout.
        let is_shown = |id: &Id| ctx.viewport(|viewport| viewport.this_pass.widgets.contains(*id));
        let mut control = ctx.memory(egui::Memory::focused).filter(is_shown);
        let is_text = control.is_some() && answer.typing;
        let is_clicked = ctx.input(|input| input.pointer.any_pressed());
        if let Some(clicked) = control.take_if(|_| is_clicked && !is_text) {
            ctx.memory_mut(|memory| memory.surrender_focus(clicked));
        }
        let last = *self;
        *self = Self {
            control,
            is_text,
            // A list that was laid out may have closed in this layout.
            list_is_open: answer.list_is_open && ctx.memory(egui::Memory::any_popup_open),
        };
        *self != last
    }

    /// Takes the focus from the control that has it. Call at the start of a layout.
    pub fn release(self, ctx: &Context) {
        if let Some(control) = self.control {
            ctx.memory_mut(|memory| memory.surrender_focus(control));
        }
    }

    /// Returns true if the key goes to the focused control, or closes a list. Call before the layout that handles the
    /// key.
    pub fn takes(self, press: Press) -> bool {
        if self.list_is_open && press.key == KeyCode::Escape {
            return true;
        }
        match (self.control, self.is_text) {
            (None, _) => false,
            (Some(_), true) => !press.is_function_key() && press.modifier != Modifier::Ctrl,
            (Some(_), false) => press.operates_focus(),
        }
    }
}
