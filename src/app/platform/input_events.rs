//! Collects keyboard and mouse events from the window, in the order in which they happened.

use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use macroquad::input::{KeyCode, MouseButton, is_mouse_button_down};
use macroquad::miniquad::{EventHandler, KeyMods, TouchPhase};

/// An input event as the window library reports it. Positions are in pixels from the window's top left corner.
#[derive(Clone, Copy, Debug)]
pub enum InputEvent {
    PointerMoved {
        x: f32,
        y: f32,
    },
    /// The mouse wheel turned by this amount, in units that depend on the platform.
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
    /// A key was pressed, or repeats because it is held down.
    KeyDown {
        key: KeyCode,
        held: KeyMods,
        repeat: bool,
    },
    KeyUp {
        key: KeyCode,
        held: KeyMods,
    },
    /// A key press typed this character. Some platforms report the character before the key, others after it.
    Character {
        letter: char,
        held: KeyMods,
        repeat: bool,
    },
}

impl InputEvent {
    pub fn button(button: MouseButton, is_down: bool, x: f32, y: f32) -> Self {
        Self::Button {
            button,
            is_down,
            x,
            y,
        }
    }

    pub fn is_press(&self) -> bool {
        matches!(self, Self::KeyDown { .. } | Self::Button { .. })
    }

    /// Returns true if the log counts the event, so that scripts can wait for it. Key repeats, pointer moves and
    /// characters are not counted.
    pub fn is_counted(&self) -> bool {
        match self {
            Self::KeyDown { repeat, .. } => !repeat,
            Self::KeyUp { .. } | Self::Button { .. } | Self::Wheel { .. } => true,
            Self::PointerMoved { .. } | Self::Character { .. } => false,
        }
    }
}

/// Collects the window's input events between two frames.
pub struct InputQueue {
    subscriber: usize,
    events: Vec<InputEvent>,
    pressed: Vec<MouseButton>,
    /// Events that have not been taken yet.
    waiting: Vec<InputEvent>,
}

impl InputQueue {
    /// Starts to collect input events. The window must already be open.
    pub fn new() -> Self {
        Self {
            subscriber: register_input_subscriber(),
            events: Vec::new(),
            pressed: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// Returns the events of a frame. The frame ends with the first release of a mouse button, because a slider would
    /// otherwise follow the pointer beyond the place where it was released. If the button was also pressed in this
    /// frame, its release waits for the next frame, because a slider ignores a release that comes with its press.
    pub fn take(&mut self) -> Vec<InputEvent> {
        let subscriber = self.subscriber;
        repeat_all_miniquad_input(self, subscriber);
        let events = std::mem::take(&mut self.events);
        let events = with_true_releases(&events, &mut self.pressed, is_mouse_button_down);
        self.waiting.extend(events);
        let later = self.waiting.split_off(first_frame(&self.waiting));
        std::mem::replace(&mut self.waiting, later)
    }
}

/// Returns the number of events that a frame takes ([`InputQueue::take`]).
fn first_frame(events: &[InputEvent]) -> usize {
    let mut has_press = false;
    for (index, event) in events.iter().enumerate() {
        match event {
            InputEvent::Button { is_down: true, .. } => has_press = true,
            InputEvent::Button { is_down: false, .. } if has_press => return index,
            InputEvent::Button { is_down: false, .. } => return index + 1,
            _ => {}
        }
    }
    events.len()
}

/// Corrects the mouse button releases that the window library reports when the pointer enters the window.
///
/// If a button is still held, the library wrongly reports its release. If buttons were released outside the window, the
/// library reports only the release of an unknown button.
fn with_true_releases(
    events: &[InputEvent],
    pressed: &mut Vec<MouseButton>,
    is_held: impl Fn(MouseButton) -> bool,
) -> Vec<InputEvent> {
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
        let is_press = |later: &InputEvent| matches!(later, InputEvent::Button { button: other, is_down: true, .. } if *other == button);
        match (button, is_down) {
            (MouseButton::Unknown, true) => {} // an extra mouse button, on a page
            (MouseButton::Unknown, false) => {
                let released = pressed.drain(..);
                corrected.extend(released.map(|it| InputEvent::button(it, false, x, y)));
            }
            (_, false) if is_held(button) && !events[index + 1..].iter().any(is_press) => {}
            _ => {
                pressed.retain(|held| *held != button);
                pressed.extend(is_down.then_some(button));
                corrected.push(*event);
            }
        }
    }
    corrected
}

impl EventHandler for InputQueue {
    fn update(&mut self) {}

    fn draw(&mut self) {}

    /// Ignores touches, because the window library also reports them as events of the primary mouse button.
    fn touch_event(&mut self, _: TouchPhase, _: u64, _: f32, _: f32) {}

    fn mouse_motion_event(&mut self, x: f32, y: f32) {
        self.events.push(InputEvent::PointerMoved { x, y });
    }

    fn mouse_wheel_event(&mut self, x: f32, y: f32) {
        self.events.push(InputEvent::Wheel { x, y });
    }

    fn mouse_button_down_event(&mut self, button: MouseButton, x: f32, y: f32) {
        self.events.push(InputEvent::button(button, true, x, y));
    }

    fn mouse_button_up_event(&mut self, button: MouseButton, x: f32, y: f32) {
        self.events.push(InputEvent::button(button, false, x, y));
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

    /// Corrects these button events and returns the ones that remain.
    fn corrected(
        buttons: &[(MouseButton, bool)],
        down: &mut Vec<MouseButton>,
        is_held: bool,
    ) -> Vec<(MouseButton, bool)> {
        let event = |&(button, is_down): &(MouseButton, bool)| {
            InputEvent::button(button, is_down, 1.0, 2.0)
        };
        let events: Vec<InputEvent> = buttons.iter().map(event).collect();
        let kept = with_true_releases(&events, down, |_| is_held).into_iter();
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
        for (what, buttons, is_held, kept) in [
            ("enters in a drag", &[up][..], true, &[][..]),
            ("enters twice in a drag", &[up, up], true, &[]),
            ("is released", &[up], false, &[up]),
            ("click", &[press, up], false, &[press, up]),
            (
                "a click and a press",
                &[press, up, press],
                true,
                &[press, up, press],
            ),
        ] {
            let corrected = corrected(buttons, &mut Vec::new(), is_held);
            assert_eq!(corrected, kept, "{what}");
        }
    }

    #[test]
    fn a_release_ends_its_frame_and_waits_for_the_frame_after_its_press() {
        let [press, up] = [true, false].map(|is_down| InputEvent::button(Left, is_down, 1.0, 2.0));
        let moved = InputEvent::PointerMoved { x: 3.0, y: 4.0 };
        for (events, expected) in [
            (&[press, moved][..], 2),
            (&[press, moved, up, press], 2),
            (&[moved, up, moved], 2),
            (&[up, press, moved, up], 1),
            (&[], 0),
        ] {
            assert_eq!(first_frame(events), expected, "{events:?}");
        }
    }

    #[test]
    fn a_release_outside_of_the_window_is_found_at_the_return() {
        let mut down = Vec::new();
        let pressed = corrected(&[(Left, true)], &mut down, true);
        assert_eq!((pressed.len(), &down[..]), (1, &[Left][..]));
        let released = corrected(&[(Unknown, false); 2], &mut down, false);
        assert_eq!(released, [(Left, false)]);
        assert!(down.is_empty());
    }
}
