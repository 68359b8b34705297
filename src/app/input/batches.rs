//! Splits a frame's input into batches, so that each key goes to the control that had keyboard focus when the key was
//! pressed.
//!
//! egui receives all events of a layout at once, after it has decided which control has focus. For example, if the user
//! types digits into a text field and then presses Escape, the field loses focus before it has received the digits. A
//! slow frame can contain several keys and clicks. Therefore, the interface is laid out once per batch, and each batch
//! has at most one press. The result is the same as if each press had its own frame.

use crate::app::platform::input_events::InputEvent;
use macroquad::input::KeyCode;
use std::collections::VecDeque;

/// Splits events into batches that egui can handle one after another. If there are no events, returns one empty batch.
/// Otherwise, each batch contains one of the following:
///
/// - pointer moves and wheel steps
/// - a single mouse button event
/// - a single key press with its character, and the key releases that follow it
pub fn split(events: Vec<InputEvent>) -> VecDeque<Vec<InputEvent>> {
    let mut batches = VecDeque::from([Vec::new()]);
    for event in events {
        match batches.back_mut() {
            Some(batch) if batch.is_empty() || belongs_to(batch, &event) => batch.push(event),
            _ => batches.push_back(vec![event]),
        }
    }
    batches
}

/// Returns true if `event` can be added to `batch`.
fn belongs_to(batch: &[InputEvent], event: &InputEvent) -> bool {
    let is_move = |event: &InputEvent| {
        matches!(
            event,
            InputEvent::PointerMoved { .. } | InputEvent::Wheel { .. }
        )
    };
    let has = |is_it: fn(&InputEvent) -> bool| batch.iter().any(is_it);
    let has_button = has(|it| matches!(it, InputEvent::Button(_)));
    let has_character = has(|it| matches!(it, InputEvent::Character { .. }));
    match event {
        InputEvent::PointerMoved { .. } | InputEvent::Wheel { .. } => batch.iter().all(is_move),
        // A move before a press must not count as a drag, and a drag or a wheel step must be complete before a release.
        InputEvent::Button(_) => false,
        _ if batch.iter().any(is_move) || has_button => false,
        InputEvent::KeyDown { .. } => !has(|it| matches!(it, InputEvent::KeyDown { .. })),
        // The key that typed this character is either in the batch already, or the next event.
        InputEvent::Character { .. } => !has_character && !has(types_nothing),
        InputEvent::KeyUp { .. } => true,
    }
}

/// Returns true if the event is the press of a key that can move keyboard focus to another control.
pub fn moves_focus(event: &InputEvent) -> bool {
    use KeyCode::{Down, Left, Right, Tab, Up};
    let InputEvent::KeyDown { key, .. } = event else {
        return false;
    };
    matches!(key, Down | Left | Right | Tab | Up)
}

/// Returns true if the event is the press of a key that never types a character, such as an arrow key.
fn types_nothing(event: &InputEvent) -> bool {
    let InputEvent::KeyDown { key, .. } = *event else {
        return false;
    };
    // These keys have high key codes. The keys of the numeric keypad also have high codes, but they type characters.
    let keypad = KeyCode::KpMultiply as u16..=KeyCode::KpEqual as u16;
    let code = key as u16;
    code >= 0xff00 && !keypad.contains(&code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::platform::input_events::button_event;
    use macroquad::input::MouseButton;
    use macroquad::miniquad::KeyMods;

    const NONE: KeyMods = KeyMods {
        shift: false,
        ctrl: false,
        alt: false,
        logo: false,
    };

    fn down(key: KeyCode) -> InputEvent {
        InputEvent::KeyDown {
            key,
            held: NONE,
            repeat: false,
        }
    }

    fn up(key: KeyCode) -> InputEvent {
        InputEvent::KeyUp { key, held: NONE }
    }

    fn character(letter: char) -> InputEvent {
        InputEvent::Character {
            letter,
            held: NONE,
            repeat: false,
        }
    }

    fn moved() -> InputEvent {
        InputEvent::PointerMoved { x: 1.0, y: 2.0 }
    }

    fn button(is_down: bool) -> InputEvent {
        button_event(MouseButton::Left, is_down, 1.0, 2.0)
    }

    #[test]
    fn events_are_split_where_the_focus_may_move() {
        use KeyCode::{Equal, Escape, F2, Key5, LeftControl, LeftShift};
        let wheel = InputEvent::Wheel { x: 0.0, y: 1.0 };
        let (press, release) = (button(true), button(false));
        let (five, typed) = (down(Key5), character('5'));
        let cases: [(&str, &[InputEvent], &[usize]); 11] = [
            ("X11 types first", &[typed, five, up(Key5)], &[3]),
            ("others type later", &[five, typed, up(Key5)], &[3]),
            (
                "one key each",
                &[typed, five, down(Escape), up(Escape)],
                &[2, 2],
            ),
            (
                "Escape types nothing",
                &[down(Escape), typed, five],
                &[1, 2],
            ),
            (
                "Ctrl types nothing",
                &[down(LeftControl), character('+'), down(Equal), up(Equal)],
                &[1, 3],
            ),
            (
                "a drag",
                &[moved(), moved(), press, moved(), release],
                &[2, 1, 1, 1],
            ),
            ("a click before a key", &[press, five], &[1, 1]),
            ("a key before a click", &[five, press], &[1, 1]),
            (
                "the wheel turns before Shift is released",
                &[down(LeftShift), wheel, up(LeftShift)],
                &[1, 1, 1],
            ),
            ("a move before a key", &[moved(), down(F2)], &[1, 1]),
            (
                "a move before a character",
                &[moved(), typed, five],
                &[1, 2],
            ),
        ];
        for (name, events, expected) in cases {
            let batches = split(Vec::from(events));
            let lengths: Vec<usize> = batches.iter().map(Vec::len).collect();
            assert_eq!(lengths, expected, "{name}");
        }
    }
}
