//! Key presses in order.

use macroquad::input::KeyCode;
use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use macroquad::miniquad::{EventHandler, KeyMods};

impl Press {
    /// True for F1 to F12, which never type text.
    pub fn is_function_key(self) -> bool {
        let (first, last) = (KeyCode::F1 as u16, KeyCode::F12 as u16);
        (first..=last).contains(&(self.key as u16))
    }

    /// True if the key presses, changes or leaves the focused control.
    pub fn operates_focus(self) -> bool {
        use KeyCode::{Down, Enter, Escape, Left, Right, Space, Tab, Up};
        matches!(
            self.key,
            Space | Enter | Left | Right | Up | Down | Escape | Tab
        )
    }
}

/// Listens to the keyboard. The window library's own sets of pressed keys lose the order of two keys in one slow frame.
pub struct Keys {
    subscriber: usize,
    pressed: Vec<Press>,
    /// Number of plus characters typed.
    pluses: usize,
}

/// A key that went down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    /// The key.
    pub key: KeyCode,
    /// True if Shift was held.
    pub shift: bool,
    /// True if the keyboard repeats a key that is held down.
    pub repeat: bool,
}

/// The key of the plus sign on US keyboards.
const PLUS: Press = Press {
    key: KeyCode::Equal,
    shift: true,
    repeat: false,
};

impl Keys {
    /// Starts to listen.
    pub fn new() -> Self {
        Self {
            subscriber: register_input_subscriber(),
            pressed: Vec::new(),
            pluses: 0,
        }
    }

    /// Returns the keys pressed since the last call, except chords with Ctrl, Alt or the system key.
    pub fn take(&mut self) -> Vec<Press> {
        let subscriber = self.subscriber;
        repeat_all_miniquad_input(self, subscriber);
        self.drain()
    }

    /// Returns the key presses and empties the list. The window library does not know the plus key of some keyboards
    /// and reports only its character. Such a press is returned as [`PLUS`].
    fn drain(&mut self) -> Vec<Press> {
        let mut pressed = std::mem::take(&mut self.pressed);
        let is_plus = |press: &&Press| matches!(press.key, KeyCode::Equal | KeyCode::KpAdd);
        let known = pressed.iter().filter(is_plus).count();
        let unknown = std::mem::take(&mut self.pluses).saturating_sub(known);
        pressed.extend(std::iter::repeat_n(PLUS, unknown));
        pressed
    }
}

impl EventHandler for Keys {
    fn update(&mut self) {}

    fn draw(&mut self) {}

    fn key_down_event(&mut self, key: KeyCode, held: KeyMods, repeat: bool) {
        if !held.ctrl && !held.alt && !held.logo {
            self.pressed.push(Press {
                key,
                shift: held.shift,
                repeat,
            });
        }
    }

    fn char_event(&mut self, letter: char, held: KeyMods, repeat: bool) {
        let is_ours = !held.ctrl && !held.alt && !held.logo && !repeat;
        self.pluses += usize::from(letter == '+' && is_ours);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: KeyMods = KeyMods {
        shift: false,
        ctrl: false,
        alt: false,
        logo: false,
    };

    #[test]
    fn plus_is_one_press_on_any_keyboard() {
        for key in [KeyCode::Equal, KeyCode::KpAdd, KeyCode::Unknown] {
            for letter_first in [false, true] {
                let mut keys = Keys {
                    subscriber: 0,
                    pressed: Vec::new(),
                    pluses: 0,
                };
                if letter_first {
                    keys.char_event('+', NONE, false);
                }
                keys.key_down_event(key, NONE, false);
                if !letter_first {
                    keys.char_event('+', NONE, false);
                }
                keys.char_event('a', NONE, false);
                let is_plus = |it: &&Press| matches!(it.key, KeyCode::Equal | KeyCode::KpAdd);
                assert_eq!(keys.drain().iter().filter(is_plus).count(), 1, "{key:?}");
                assert!(keys.drain().is_empty());
            }
        }
    }
}
