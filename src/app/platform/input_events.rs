//! Keyboard and mouse events, oldest first.

use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use macroquad::input::{KeyCode, MouseButton, is_mouse_button_down};
use macroquad::miniquad::{EventHandler, KeyMods, TouchPhase};

/// An event as the window library reports it. Positions are in pixels from the window's top left corner.
#[derive(Clone, Copy, Debug)]
pub enum InputEvent {
    PointerMoved {
        x: f32,
        y: f32,
    },
    /// The wheel turned by this much, in units that depend on the platform.
    Wheel {
        x: f32,
        y: f32,
    },
    Button {
        button: MouseButton,
        is_down: bool,
        x: f32,
        y: f32,
    },
    /// A key was pressed, or repeated because it is held.
    KeyDown {
        key: KeyCode,
        held: KeyMods,
        repeat: bool,
    },
    KeyUp {
        key: KeyCode,
        held: KeyMods,
    },
    /// A key press typed this character. Some platforms report it before the key, others after it.
    Character {
        letter: char,
        held: KeyMods,
        repeat: bool,
    },
}

impl InputEvent {
    /// Returns true for the events that a script can count as it sends them: keys that are pressed or released, mouse
    /// buttons, and steps of the wheel.
    pub fn is_counted(&self) -> bool {
        match self {
            Self::KeyDown { repeat, .. } => !repeat,
            Self::KeyUp { .. } | Self::Button { .. } | Self::Wheel { .. } => true,
            Self::PointerMoved { .. } | Self::Character { .. } => false,
        }
    }
}

/// Collects the window's input events from one frame to the next.
pub struct InputQueue {
    subscriber: usize,
    events: Vec<InputEvent>,
    /// Mouse buttons that were pressed and not released yet.
    down: Vec<MouseButton>,
}

impl InputQueue {
    /// Begins to listen. Requires an open window.
    pub fn new() -> Self {
        Self {
            subscriber: register_input_subscriber(),
            events: Vec::new(),
            down: Vec::new(),
        }
    }

    pub fn take(&mut self) -> Vec<InputEvent> {
        let subscriber = self.subscriber;
        repeat_all_miniquad_input(self, subscriber);
        let events = std::mem::take(&mut self.events);
        with_true_releases(&events, &mut self.down, is_mouse_button_down)
    }
}

/// Corrects what the window library reports when the pointer enters the window. If a button is held, it reports the
/// release of that button, which has not happened. Otherwise it reports the release of an unknown button; then the
/// buttons that are `down` have been released outside of the window. (If the pointer enters and leaves the window within
/// one slow frame, the library's own record of the held button is lost, and the false release is kept.)
fn with_true_releases(
    events: &[InputEvent],
    down: &mut Vec<MouseButton>,
    is_held_now: impl Fn(MouseButton) -> bool,
) -> Vec<InputEvent> {
    // A release is false if the button's next event is another release, or if the button has no further event and is
    // still held.
    let has_happened = |index: usize, released: MouseButton| {
        let next = events[index + 1..].iter().find_map(|event| match event {
            InputEvent::Button {
                button, is_down, ..
            } if *button == released => Some(*is_down),
            _ => None,
        });
        next.unwrap_or_else(|| !is_held_now(released))
    };
    let mut corrected = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let InputEvent::Button {
            button,
            is_down,
            x,
            y,
        } = *event
        else {
            corrected.push(*event);
            continue;
        };
        let release = |button| InputEvent::Button {
            button,
            is_down: false,
            x,
            y,
        };
        match (button, is_down) {
            (MouseButton::Unknown, true) => {} // a further button of the mouse, on a page
            (MouseButton::Unknown, false) => corrected.extend(down.drain(..).map(release)),
            (_, true) => {
                down.push(button);
                corrected.push(*event);
            }
            (_, false) if has_happened(index, button) => {
                down.retain(|held| *held != button);
                corrected.push(*event);
            }
            (_, false) => {}
        }
    }
    corrected
}

impl EventHandler for InputQueue {
    fn update(&mut self) {}

    fn draw(&mut self) {}

    /// Does nothing, because the window library also reports a touch as events of the primary mouse button.
    fn touch_event(&mut self, _: TouchPhase, _: u64, _: f32, _: f32) {}

    fn mouse_motion_event(&mut self, x: f32, y: f32) {
        self.events.push(InputEvent::PointerMoved { x, y });
    }

    fn mouse_wheel_event(&mut self, x: f32, y: f32) {
        self.events.push(InputEvent::Wheel { x, y });
    }

    fn mouse_button_down_event(&mut self, button: MouseButton, x: f32, y: f32) {
        let is_down = true;
        self.events.push(InputEvent::Button {
            button,
            is_down,
            x,
            y,
        });
    }

    fn mouse_button_up_event(&mut self, button: MouseButton, x: f32, y: f32) {
        let is_down = false;
        self.events.push(InputEvent::Button {
            button,
            is_down,
            x,
            y,
        });
    }

    fn char_event(&mut self, letter: char, held: KeyMods, repeat: bool) {
        self.events.push(InputEvent::Character {
            letter,
            held,
            repeat,
        });
    }

    fn key_down_event(&mut self, key: KeyCode, held: KeyMods, repeat: bool) {
        self.events.push(InputEvent::KeyDown { key, held, repeat });
    }

    fn key_up_event(&mut self, key: KeyCode, held: KeyMods) {
        self.events.push(InputEvent::KeyUp { key, held });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MouseButton::Left;

    #[test]
    fn only_releases_that_have_happened_are_kept() {
        let button = |(button, is_down)| InputEvent::Button {
            button,
            is_down,
            x: 1.0,
            y: 2.0,
        };
        let kept = |buttons: &[(MouseButton, bool)], held: bool| {
            let events: Vec<InputEvent> = buttons.iter().copied().map(button).collect();
            with_true_releases(&events, &mut Vec::new(), |_| held).len()
        };
        assert_eq!(kept(&[(Left, false)], true), 0, "enters in a drag");
        assert_eq!(
            kept(&[(Left, false), (Left, false)], false),
            1,
            "enters, is released"
        );
        assert_eq!(kept(&[(Left, false)], false), 1, "is released");
        assert_eq!(
            kept(&[(Left, true), (Left, false), (Left, true)], true),
            3,
            "double click"
        );
    }

    #[test]
    fn a_release_outside_of_the_window_is_found_at_the_return() {
        let event = |button, is_down| InputEvent::Button {
            button,
            is_down,
            x: 1.0,
            y: 2.0,
        };
        let mut down = Vec::new();
        let pressed = with_true_releases(&[event(Left, true)], &mut down, |_| true);
        assert_eq!((pressed.len(), &down[..]), (1, &[Left][..]));
        let enters = event(MouseButton::Unknown, false);
        let released = with_true_releases(&[enters, enters], &mut down, |_| false);
        let [
            InputEvent::Button {
                button: Left,
                is_down: false,
                ..
            },
        ] = released[..]
        else {
            panic!("{released:?}");
        };
        assert!(down.is_empty());
    }
}
