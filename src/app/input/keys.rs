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
    /// Number of plus characters typed with Ctrl.
    pluses: usize,
    /// Whether the left and the right Shift are held.
    shifts: [bool; 2],
}

/// A key that went down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    /// The key.
    pub key: KeyCode,
    /// Modifier key that was held.
    pub modifier: Modifier,
    /// True if the keyboard repeats a key that is held down.
    pub repeat: bool,
}

/// A modifier key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// No modifier key.
    #[default]
    None,
    /// Shift.
    Shift,
    /// Ctrl, with or without Shift: `Ctrl +` needs Shift on some keyboards. On macOS also Cmd.
    Ctrl,
}

impl Modifier {
    /// Returns the modifier for the `held` keys, or `None` if they are for the desktop only (Alt and the system key).
    fn of(held: KeyMods) -> Option<Self> {
        let (ctrl, logo) = if cfg!(target_os = "macos") {
            (held.ctrl || held.logo, false)
        } else {
            (held.ctrl, held.logo)
        };
        match (held.alt || logo, ctrl, held.shift) {
            (true, ..) => None,
            (false, true, _) => Some(Self::Ctrl),
            (false, false, true) => Some(Self::Shift),
            (false, false, false) => Some(Self::None),
        }
    }
}

/// `Ctrl +` on US keyboards.
const CTRL_PLUS: Press = Press {
    key: KeyCode::Equal,
    modifier: Modifier::Ctrl,
    repeat: false,
};

impl Keys {
    /// Starts to listen.
    pub fn new() -> Self {
        Self {
            subscriber: register_input_subscriber(),
            pressed: Vec::new(),
            pluses: 0,
            shifts: [false; 2],
        }
    }

    /// Returns true if a Shift key is held. With the mouse, the window library reports modifiers only as of the last
    /// key, and the event of Shift itself may come without it.
    pub fn holds_shift(&self) -> bool {
        self.shifts.contains(&true)
    }

    /// Notes that a key went down or up.
    fn note_shift(&mut self, key: KeyCode, is_down: bool) {
        match key {
            KeyCode::LeftShift => self.shifts[0] = is_down,
            KeyCode::RightShift => self.shifts[1] = is_down,
            _ => {}
        }
    }

    /// Returns the keys pressed since the last call, except chords with Alt or the system key.
    pub fn take(&mut self) -> Vec<Press> {
        let subscriber = self.subscriber;
        repeat_all_miniquad_input(self, subscriber);
        self.drain()
    }

    /// Returns the key presses and empties the list. The window library does not know the plus key of some keyboards
    /// and reports only its character. Such a press with Ctrl is returned as [`CTRL_PLUS`].
    fn drain(&mut self) -> Vec<Press> {
        let mut pressed = std::mem::take(&mut self.pressed);
        let known = pressed.iter().filter(|press| is_ctrl_plus(**press)).count();
        let unknown = std::mem::take(&mut self.pluses).saturating_sub(known);
        pressed.extend(std::iter::repeat_n(CTRL_PLUS, unknown));
        pressed
    }
}

fn is_ctrl_plus(press: Press) -> bool {
    press.modifier == Modifier::Ctrl && matches!(press.key, KeyCode::Equal | KeyCode::KpAdd)
}

impl EventHandler for Keys {
    fn update(&mut self) {}

    fn draw(&mut self) {}

    fn key_up_event(&mut self, key: KeyCode, _held: KeyMods) {
        self.note_shift(key, false);
    }

    fn key_down_event(&mut self, key: KeyCode, held: KeyMods, repeat: bool) {
        self.note_shift(key, true);
        if let Some(modifier) = Modifier::of(held) {
            self.pressed.push(Press {
                key,
                modifier,
                repeat,
            });
        }
    }

    fn char_event(&mut self, letter: char, held: KeyMods, repeat: bool) {
        let is_chord = Modifier::of(held) == Some(Modifier::Ctrl);
        self.pluses += usize::from(letter == '+' && is_chord && !repeat);
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

    const CTRL: KeyMods = KeyMods { ctrl: true, ..NONE };

    fn keys() -> Keys {
        Keys {
            subscriber: 0,
            pressed: Vec::new(),
            pluses: 0,
            shifts: [false; 2],
        }
    }

    #[test]
    fn shift_is_held_until_both_keys_are_up() {
        let mut keys = keys();
        for (key, is_down, held) in [
            (KeyCode::LeftShift, true, true),
            (KeyCode::A, true, true),
            (KeyCode::RightShift, true, true),
            (KeyCode::LeftShift, false, true),
            (KeyCode::RightShift, false, false),
        ] {
            if is_down {
                keys.key_down_event(key, NONE, false);
            } else {
                keys.key_up_event(key, NONE);
            }
            assert_eq!(keys.holds_shift(), held, "{key:?}");
        }
    }

    #[test]
    fn ctrl_plus_is_one_press_on_any_keyboard() {
        for key in [KeyCode::Equal, KeyCode::KpAdd, KeyCode::Unknown] {
            for letter_first in [false, true] {
                let mut keys = keys();
                if letter_first {
                    keys.char_event('+', CTRL, false);
                }
                keys.key_down_event(key, CTRL, false);
                if !letter_first {
                    keys.char_event('+', CTRL, false);
                }
                keys.char_event('a', CTRL, false);
                let pressed = keys.drain();
                let count = pressed.iter().filter(|press| is_ctrl_plus(**press)).count();
                assert_eq!(count, 1, "{key:?}");
                assert!(keys.drain().is_empty());
            }
        }
    }

    #[test]
    fn plus_without_ctrl_is_only_a_key() {
        let mut keys = keys();
        keys.key_down_event(KeyCode::Equal, NONE, false);
        keys.char_event('+', NONE, false);
        let pressed = keys.drain();
        let modifiers: Vec<Modifier> = pressed.iter().map(|press| press.modifier).collect();
        assert_eq!(modifiers, [Modifier::None]);
    }

    #[test]
    fn ctrl_outranks_shift_and_alt_is_for_the_desktop() {
        let shift = KeyMods {
            shift: true,
            ..NONE
        };
        let both = KeyMods {
            shift: true,
            ..CTRL
        };
        let alt = KeyMods { alt: true, ..CTRL };
        let modifiers = [NONE, shift, CTRL, both, alt].map(Modifier::of);
        let expected = [
            Modifier::None,
            Modifier::Shift,
            Modifier::Ctrl,
            Modifier::Ctrl,
        ];
        assert_eq!(modifiers[..4], expected.map(Some));
        assert_eq!(modifiers[4], None);
        let logo = Modifier::of(KeyMods { logo: true, ..NONE });
        let is_mac = cfg!(target_os = "macos");
        assert_eq!(logo, is_mac.then_some(Modifier::Ctrl));
    }
}
