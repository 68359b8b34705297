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

    /// Returns true if the log counts the event, so that scripts can wait for it. Key repeats, pointer moves, characters
    /// and releases of an unknown button are not counted.
    pub fn is_counted(&self) -> bool {
        match self {
            Self::KeyDown { repeat, .. } => !repeat,
            Self::Button { button, .. } => *button != MouseButton::Unknown,
            Self::KeyUp { .. } | Self::Wheel { .. } => true,
            Self::PointerMoved { .. } | Self::Character { .. } => false,
        }
    }
}

pub struct InputQueue {
    subscriber: usize,
    events: Vec<InputEvent>,
}

impl InputQueue {
    /// Starts to collect input events. The window must already be open.
    pub fn new() -> Self {
        Self {
            subscriber: register_input_subscriber(),
            events: Vec::new(),
        }
    }

    /// Returns the events of a frame. The frame ends with the first release of a mouse button, because a slider would
    /// otherwise follow the pointer beyond the place where it was released. If the button was also pressed in this
    /// frame, its release waits for the next frame, because a slider ignores a release that comes with its press.
    pub fn take(&mut self) -> Vec<InputEvent> {
        let (subscriber, waiting) = (self.subscriber, self.events.len());
        repeat_all_miniquad_input(self, subscriber);
        let new = self.events.split_off(waiting);
        let is_true = |index: &usize| is_true(&new, *index, is_mouse_button_down);
        let indices = (0..new.len()).filter(is_true);
        self.events.extend(indices.map(|index| new[index]));
        let later = self.events.split_off(first_frame(&self.events));
        std::mem::replace(&mut self.events, later)
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

/// Returns false for a mouse button event that has not happened. When the pointer enters the window, the window library
/// reports the release of the button that is held, or else of an unknown button, which egui treats as the primary one.
/// On a page, an unknown button that is pressed is an extra mouse button.
fn is_true(events: &[InputEvent], index: usize, is_held: impl Fn(MouseButton) -> bool) -> bool {
    let InputEvent::Button {
        button, is_down, ..
    } = events[index]
    else {
        return true;
    };
    if is_down {
        return button != MouseButton::Unknown;
    }
    let is_press = |later: &InputEvent| matches!(later, InputEvent::Button { button: other, is_down: true, .. } if *other == button);
    !is_held(button) || events[index + 1..].iter().any(is_press)
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

    #[test]
    fn only_releases_that_have_happened_are_kept() {
        let event = |&(button, is_down): &(MouseButton, bool)| {
            InputEvent::button(button, is_down, 1.0, 2.0)
        };
        let (up, press) = ((Left, false), (Left, true));
        for (what, buttons, is_held, kept) in [
            ("enters in a drag", &[up][..], true, &[][..]),
            ("enters twice in a drag", &[up, up], true, &[]),
            ("is released", &[up], false, &[up]),
            (
                "was released outside",
                &[(Unknown, false)],
                false,
                &[(Unknown, false)],
            ),
            ("an extra button", &[(Unknown, true)], true, &[]),
            ("click", &[press, up], false, &[press, up]),
            (
                "a click and a press",
                &[press, up, press],
                true,
                &[press, up, press],
            ),
        ] {
            let events: Vec<InputEvent> = buttons.iter().map(event).collect();
            let is_true = |index: &usize| is_true(&events, *index, |_| is_held);
            let indices = (0..events.len()).filter(is_true);
            let found: Vec<_> = indices.map(|index| buttons[index]).collect();
            assert_eq!(found, kept, "{what}");
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
}
