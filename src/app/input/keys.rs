//! Reads key presses and their modifiers, and decides whether a press goes to the focused control or is a hotkey.

use super::output::UiOutput;
use crate::app::platform::input_events::InputEvent;
use egui::{Context, Id};
use macroquad::input::KeyCode;
use macroquad::miniquad::KeyMods;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    pub key: KeyCode,
    pub modifier: Modifier,
    /// Whether this is an automatic repeat of a key that is held down.
    pub repeat: bool,
}

impl Press {
    /// Returns true for F1 to F12, which never type text.
    pub fn is_function_key(self) -> bool {
        let (first, last) = (KeyCode::F1 as u16, KeyCode::F12 as u16);
        (first..=last).contains(&(self.key as u16))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Modifier {
    #[default]
    None,
    Shift,
    /// Ctrl, with or without Shift, which some keyboards need for the `+` of `Ctrl +`. On macOS, Cmd counts as Ctrl.
    Ctrl,
}

impl Modifier {
    /// Returns the modifier for held keys, except Alt and the system key, whose combinations belong to the desktop.
    fn of(held: KeyMods) -> Option<Self> {
        let is_cmd = held.logo && cfg!(target_os = "macos");
        if held.alt || (held.logo && !is_cmd) {
            return None;
        }
        Some(match (held.ctrl || is_cmd, held.shift) {
            (true, _) => Self::Ctrl,
            (false, true) => Self::Shift,
            (false, false) => Self::None,
        })
    }
}

/// The key press for `Ctrl +` on a US keyboard, on which plus and `=` share a key.
const CTRL_PLUS: Press = Press {
    key: KeyCode::Equal,
    modifier: Modifier::Ctrl,
    repeat: false,
};

/// Returns the key presses among these events, except those with Alt or the system key.
///
/// On some keyboards, the window library does not recognise the plus key and reports only the character `+`. If
/// this character is typed while Ctrl is held, [`CTRL_PLUS`] is returned in place of all other presses with Ctrl.
pub fn presses_in(events: &[InputEvent]) -> Vec<Press> {
    let mut presses = Vec::new();
    let mut types_plus = false;
    for event in events {
        match *event {
            InputEvent::KeyDown { key, held, repeat } => {
                presses.extend(Modifier::of(held).map(|modifier| Press {
                    key,
                    modifier,
                    repeat,
                }));
            }
            InputEvent::Character {
                letter: '+',
                held,
                repeat: false,
            } => types_plus |= Modifier::of(held) == Some(Modifier::Ctrl),
            _ => {}
        }
    }
    if types_plus {
        presses.retain(|press| press.modifier != Modifier::Ctrl);
        presses.push(CTRL_PLUS);
    }
    presses
}

/// The control that received keyboard focus in the last layout, if any.
#[derive(Clone, Copy, Debug, Default)]
pub struct Focus {
    /// The focused control. If `None`, all keys are hotkeys.
    control: Option<Id>,
    is_text_field: bool,
    /// Whether a drop-down list is open. If so, the Escape key closes the list.
    list_is_open: bool,
}

impl Focus {
    /// Returns the keyboard focus after a layout. When the user clicks a control that is not a text field, the control
    /// loses focus. The Space key then pauses the game instead of pressing the control again.
    pub fn of(ctx: &Context, output: &UiOutput) -> Self {
        // Ignore a control of a view that was just left. It keeps egui's focus until the end of this layout.
        let is_shown = |id: &Id| ctx.viewport(|viewport| viewport.this_pass.widgets.contains(*id));
        let mut control = ctx.memory(egui::Memory::focused).filter(is_shown);
        let is_text_field = control.is_some() && output.typing;
        let is_clicked = ctx.input(|input| input.pointer.any_pressed());
        if let Some(clicked) = control.take_if(|_| is_clicked && !is_text_field) {
            ctx.memory_mut(|memory| memory.surrender_focus(clicked));
        }
        Self {
            control,
            is_text_field,
            // A list that was laid out may have been closed during this layout.
            list_is_open: output.list_is_open && ctx.memory(egui::Memory::any_popup_open),
        }
    }

    /// Removes keyboard focus from the control that has it, if any. Call at the start of a layout.
    pub fn release(self, ctx: &Context) {
        if let Some(control) = self.control {
            ctx.memory_mut(|memory| memory.surrender_focus(control));
        }
    }

    /// Returns true if the press is not a hotkey, because the focused control handles it or it closes a drop-down list.
    pub fn takes(self, press: Press) -> bool {
        use KeyCode::{Down, Enter, Escape, Left, Right, Space, Tab, Up};
        if self.list_is_open && press.key == Escape {
            return true;
        }
        if self.is_text_field {
            return !press.is_function_key() && press.modifier != Modifier::Ctrl;
        }
        // These keys press, change or leave a control.
        let keys = [Space, Enter, Left, Right, Up, Down, Escape, Tab];
        self.control.is_some() && keys.contains(&press.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(keys: &str) -> KeyMods {
        let [shift, ctrl, alt, logo] = ["shift", "ctrl", "alt", "logo"].map(|it| keys.contains(it));
        KeyMods {
            shift,
            ctrl,
            alt,
            logo,
        }
    }

    fn down(key: KeyCode, held: KeyMods) -> InputEvent {
        let repeat = false;
        InputEvent::KeyDown { key, held, repeat }
    }

    fn character(letter: char, held: KeyMods) -> InputEvent {
        InputEvent::Character {
            letter,
            held,
            repeat: false,
        }
    }

    #[test]
    fn ctrl_plus_is_one_press_on_any_keyboard() {
        for key in [KeyCode::Equal, KeyCode::KpAdd, KeyCode::Unknown] {
            let mut events = [down(key, held("ctrl")), character('+', held("ctrl"))];
            for _ in 0..2 {
                events.reverse();
                let presses = presses_in(&events);
                assert_eq!(presses, [CTRL_PLUS], "{events:?}");
            }
        }
        assert_eq!(presses_in(&[character('a', held("ctrl"))]), []);
    }

    #[test]
    fn ctrl_outranks_shift_and_alt_is_for_the_desktop() {
        let keys = ["", "shift", "ctrl", "shift ctrl", "ctrl alt"];
        let modifiers = keys.map(|keys| Modifier::of(held(keys)));
        let expected = [
            Modifier::None,
            Modifier::Shift,
            Modifier::Ctrl,
            Modifier::Ctrl,
        ];
        assert_eq!(modifiers[..4], expected.map(Some));
        assert_eq!(modifiers[4], None);
        let logo = Modifier::of(held("logo"));
        let is_mac = cfg!(target_os = "macos");
        assert_eq!(logo, is_mac.then_some(Modifier::Ctrl));
    }
}
