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
}

/// Listens to the keyboard. (The window library's own sets of pressed keys have no order: two keys in one
/// slow frame would be carried out in either.)
pub struct Keys {
    subscriber: usize,
    pressed: Vec<Press>,
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

impl Keys {
    /// Listens from here on.
    pub fn new() -> Self {
        Self {
            subscriber: register_input_subscriber(),
            pressed: Vec::new(),
        }
    }

    /// The keys pressed since it was last asked. Chords with Ctrl, Alt and the like are not ours.
    pub fn take(&mut self) -> Vec<Press> {
        let subscriber = self.subscriber;
        repeat_all_miniquad_input(self, subscriber);
        std::mem::take(&mut self.pressed)
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
}
