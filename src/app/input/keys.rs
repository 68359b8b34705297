//! The keys that were pressed, in the order in which they were.

use macroquad::input::KeyCode;
use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use macroquad::miniquad::{EventHandler, KeyMods};

impl Press {
    /// Whether it is F1 to F12, which no text has.
    pub fn is_function_key(self) -> bool {
        let (first, last) = (KeyCode::F1 as u16, KeyCode::F12 as u16);
        (first..=last).contains(&(self.key as u16))
    }

    /// True if the key works on the focused control: it presses it, moves it, or leaves it.
    pub fn works_on_focus(self) -> bool {
        use KeyCode::{Down, Enter, Escape, Left, Right, Space, Tab, Up};
        matches!(
            self.key,
            Space | Enter | Left | Right | Up | Down | Escape | Tab
        )
    }
}

/// Listens to the keyboard. (The window library's own sets of pressed keys have no order: two keys in one
/// slow frame would be carried out in either.)
pub struct Keys {
    subscriber: usize,
    pressed: Vec<Press>,
    /// How many pluses were written.
    pluses: usize,
}

/// A key that went down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    /// Which.
    pub key: KeyCode,
    /// Whether Shift was held.
    pub shift: bool,
    /// Whether it is still down, and the keyboard repeats it.
    pub again: bool,
}

/// The key that plus is on where keyboards have it beside the digits.
const PLUS: Press = Press {
    key: KeyCode::Equal,
    shift: true,
    again: false,
};

impl Keys {
    /// Listens from here on.
    pub fn new() -> Self {
        Self {
            subscriber: register_input_subscriber(),
            pressed: Vec::new(),
            pluses: 0,
        }
    }

    /// The keys pressed since it was last asked. Chords with Ctrl, Alt and the like are not ours.
    pub fn take(&mut self) -> Vec<Press> {
        let subscriber = self.subscriber;
        repeat_all_miniquad_input(self, subscriber);
        self.taken()
    }

    /// What was heard. Where plus has a key of its own, the window library knows no such key, but what it writes.
    fn taken(&mut self) -> Vec<Press> {
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
                again: repeat,
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
    fn plus_is_one_press_whatever_key_it_is_on_and_whichever_event_comes_first() {
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
                assert_eq!(keys.taken().iter().filter(is_plus).count(), 1, "{key:?}");
                assert!(keys.taken().is_empty());
            }
        }
    }
}
