//! Keyboard and mouse events, oldest first.

use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use macroquad::input::{KeyCode, MouseButton, is_mouse_button_down, is_mouse_button_pressed};
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
        let reported = Reported {
            is_held: &is_mouse_button_down,
            is_pressed: &is_mouse_button_pressed,
        };
        with_true_releases(&events, &mut self.down, &reported)
    }

    fn button_event(&mut self, button: MouseButton, is_down: bool, x: f32, y: f32) {
        self.events.push(InputEvent::Button {
            button,
            is_down,
            x,
            y,
        });
    }
}

/// The window library's own record of the mouse buttons in this frame.
struct Reported<'a> {
    is_held: &'a dyn Fn(MouseButton) -> bool,
    is_pressed: &'a dyn Fn(MouseButton) -> bool,
}

/// Corrects what the window library reports when the pointer enters the window. If a button is held, it reports the
/// release of that button, which has not happened. Otherwise it reports the release of an unknown button; then the
/// buttons that are `down` have been released outside of the window.
fn with_true_releases(
    events: &[InputEvent],
    down: &mut Vec<MouseButton>,
    reported: &Reported<'_>,
) -> Vec<InputEvent> {
    let is_down_in = |events: &[InputEvent], of: MouseButton| {
        events.iter().find_map(|event| match event {
            InputEvent::Button {
                button, is_down, ..
            } if *button == of => Some(*is_down),
            _ => None,
        })
    };
    // A release is false if the button's next event is another release, or if the button has no further event and is
    // still held. If the pointer leaves again in the same slow frame, the library forgets that the button is held. But it
    // still counts the button as pressed in this frame, although the button has no other event.
    let has_happened = |index: usize, released: MouseButton| {
        let (before, after) = (&events[..index], &events[index + 1..]);
        is_down_in(after, released).unwrap_or_else(|| {
            let has_entered =
                is_down_in(before, released).is_none() && (reported.is_pressed)(released);
            !has_entered && !(reported.is_held)(released)
        })
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
        self.button_event(button, true, x, y);
    }

    fn mouse_button_up_event(&mut self, button: MouseButton, x: f32, y: f32) {
        self.button_event(button, false, x, y);
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
    use MouseButton::{Left, Unknown};

    /// Corrects these button events, and returns those that remain.
    fn corrected(
        buttons: &[(MouseButton, bool)],
        down: &mut Vec<MouseButton>,
        [is_held, is_pressed]: [bool; 2],
    ) -> Vec<(MouseButton, bool)> {
        let event = |&(button, is_down): &(MouseButton, bool)| InputEvent::Button {
            button,
            is_down,
            x: 1.0,
            y: 2.0,
        };
        let events: Vec<InputEvent> = buttons.iter().map(event).collect();
        let reported = Reported {
            is_held: &|_| is_held,
            is_pressed: &|_| is_pressed,
        };
        let kept = with_true_releases(&events, down, &reported).into_iter();
        kept.map(|event| match event {
            InputEvent::Button {
                button, is_down, ..
            } => (button, is_down),
            other => panic!("{other:?}"),
        })
        .collect()
    }

    #[test]
    fn only_releases_that_have_happened_are_kept() {
        let (up, press) = ((Left, false), (Left, true));
        for (what, buttons, reported, kept) in [
            ("enters in a drag", &[up][..], [true, true], &[][..]),
            ("enters in a drag and leaves", &[up], [false, true], &[]),
            ("leaves and enters twice", &[up, up], [true, true], &[]),
            ("enters and is released", &[up, up], [false, true], &[up]),
            ("is released", &[up], [false, false], &[up]),
            ("click", &[press, up], [false, true], &[press, up]),
            (
                "double click",
                &[press, up, press],
                [true, true],
                &[press, up, press],
            ),
        ] {
            assert_eq!(
                corrected(buttons, &mut Vec::new(), reported),
                kept,
                "{what}"
            );
        }
    }

    #[test]
    fn a_release_outside_of_the_window_is_found_at_the_return() {
        let mut down = Vec::new();
        let pressed = corrected(&[(Left, true)], &mut down, [true, true]);
        assert_eq!((pressed.len(), &down[..]), (1, &[Left][..]));
        let enters = [(Unknown, false); 2];
        let released = corrected(&enters, &mut down, [false, false]);
        assert_eq!(released, [(Left, false)]);
        assert!(down.is_empty());
    }
}
