//! Key presses and their modifiers.

use crate::app::platform::input_events::InputEvent;
use macroquad::input::KeyCode;
use macroquad::miniquad::KeyMods;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    pub key: KeyCode,
    pub modifier: Modifier,
    /// True if the keyboard repeats a key that is held down.
    pub repeat: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Modifier {
    #[default]
    None,
    Shift,
    /// Ctrl, with or without Shift: `Ctrl +` needs Shift on some keyboards. On macOS also Cmd.
    Ctrl,
}

impl Modifier {
    /// Returns the modifier for the `held` keys, or `None` if they are for the desktop only (Alt and the system key).
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

/// `Ctrl +` on US keyboards.
const CTRL_PLUS: Press = Press {
    key: KeyCode::Equal,
    modifier: Modifier::Ctrl,
    repeat: false,
};

/// Reads key presses from the input, and remembers which Shift keys are held. With the mouse, the window library reports
/// modifiers only as of the last key, and the event of Shift itself may come without it.
#[derive(Debug, Default)]
pub struct Keys {
    /// Whether the left and the right Shift are held.
    shifts: [bool; 2],
}

impl Keys {
    pub fn holds_shift(&self) -> bool {
        self.shifts.contains(&true)
    }

    /// Returns the key that a batch of input presses, except chords with Alt or the system key. A batch has at most one
    /// press.
    ///
    /// The window library does not know the plus key of some keyboards and reports only its character. Such a press with
    /// Ctrl is returned as [`CTRL_PLUS`].
    pub fn read(&mut self, events: &[InputEvent]) -> Option<Press> {
        let mut press = None;
        let mut types_plus = false;
        for event in events {
            match *event {
                InputEvent::KeyDown { key, held, repeat } => {
                    self.note_shift(key, true);
                    press = Modifier::of(held).map(|modifier| Press {
                        key,
                        modifier,
                        repeat,
                    });
                }
                InputEvent::KeyUp { key, .. } => self.note_shift(key, false),
                InputEvent::Character {
                    letter: '+',
                    held,
                    repeat: false,
                } => types_plus |= Modifier::of(held) == Some(Modifier::Ctrl),
                _ => {}
            }
        }
        if types_plus { Some(CTRL_PLUS) } else { press }
    }

    fn note_shift(&mut self, key: KeyCode, is_down: bool) {
        match key {
            KeyCode::LeftShift => self.shifts[0] = is_down,
            KeyCode::RightShift => self.shifts[1] = is_down,
            _ => {}
        }
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
    fn shift_is_held_until_both_keys_are_up() {
        let mut keys = Keys::default();
        let up = |key| InputEvent::KeyUp { key, held: NONE };
        for (event, held) in [
            (down(KeyCode::LeftShift, NONE), true),
            (down(KeyCode::A, NONE), true),
            (down(KeyCode::RightShift, NONE), true),
            (up(KeyCode::LeftShift), true),
            (up(KeyCode::RightShift), false),
        ] {
            keys.read(&[event]);
            assert_eq!(keys.holds_shift(), held, "{event:?}");
        }
    }

    #[test]
    fn ctrl_plus_is_one_press_on_any_keyboard() {
        for key in [KeyCode::Equal, KeyCode::KpAdd, KeyCode::Unknown] {
            let mut events = [down(key, CTRL), character('+', CTRL)];
            for _ in 0..2 {
                events.reverse();
                let press = Keys::default().read(&events);
                assert_eq!(press, Some(CTRL_PLUS), "{events:?}");
            }
        }
        assert!(Keys::default().read(&[character('a', CTRL)]).is_none());
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
