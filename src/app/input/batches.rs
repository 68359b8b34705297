//! Splits the input of a frame into batches, so that each key goes to the control that had the focus when it was pressed.
//!
//! egui handles all events that it is given at once, after it has decided about the focus: an Escape takes the focus from
//! a text field before the field sees the digits typed before it. A slow frame can contain several keys and clicks.
//! Therefore a frame lays out the interface once for each batch, and a batch has at most one press. This gives the same
//! result as one frame per press.

use crate::app::platform::input_events::InputEvent;
use macroquad::input::KeyCode;

#[derive(Debug)]
pub struct Batches {
    waiting: std::vec::IntoIter<Vec<InputEvent>>,
    /// Whether a layout without events is due before the next batch.
    is_due: bool,
}

impl Batches {
    pub fn new(events: Vec<InputEvent>) -> Self {
        Self {
            is_due: events.is_empty(),
            waiting: split(events).into_iter(),
        }
    }

    /// Returns the events for the next layout of the frame, or `None` if the frame is over. A frame without input has
    /// one layout without events.
    pub fn next(&mut self) -> Option<Vec<InputEvent>> {
        if std::mem::take(&mut self.is_due) {
            return Some(Vec::new());
        }
        self.waiting.next()
    }

    /// Call after each layout, with its `events` and whether it has changed anything that a layout shows. After a change,
    /// another layout comes before the next batch, because a click must hit what the user sees then. (A change in that
    /// layout is shown by the next one.) The same holds for keys that move the focus, because egui moves it between two
    /// layouts. Returns true if the frame is over.
    pub fn is_over_after(&mut self, events: &[InputEvent], has_changed: bool) -> bool {
        let may_change = has_changed || events.iter().any(moves_focus);
        self.is_due = may_change && !events.is_empty();
        self.waiting.as_slice().is_empty() && !self.is_due
    }
}

/// Splits events into batches: pointer moves and wheel steps, or a mouse button that goes down or up, or a key with its
/// character and with key releases after it.
fn split(events: Vec<InputEvent>) -> Vec<Vec<InputEvent>> {
    let mut batches: Vec<Vec<InputEvent>> = Vec::new();
    for event in events {
        match batches.last_mut() {
            Some(batch) if belongs_to(batch, &event) => batch.push(event),
            _ => batches.push(vec![event]),
        }
    }
    batches
}

/// Returns true if the event can be handled together with those of the batch.
fn belongs_to(batch: &[InputEvent], event: &InputEvent) -> bool {
    let is_move = |event: &InputEvent| {
        matches!(
            event,
            InputEvent::PointerMoved { .. } | InputEvent::Wheel { .. }
        )
    };
    let has = |is_it: fn(&InputEvent) -> bool| batch.iter().any(is_it);
    let has_button = has(|it| matches!(it, InputEvent::Button { .. }));
    let has_character = has(|it| matches!(it, InputEvent::Character { .. }));
    match event {
        InputEvent::PointerMoved { .. } | InputEvent::Wheel { .. } => batch.iter().all(is_move),
        // A move before the press is no drag, and a drag or a turn of the wheel must be complete before a release.
        InputEvent::Button { .. } => false,
        _ if batch.iter().any(is_move) || has_button => false,
        InputEvent::KeyDown { .. } => !has(|it| matches!(it, InputEvent::KeyDown { .. })),
        // The key of this character may be the one in the batch, or the next event.
        InputEvent::Character { .. } => !has_character && !has(types_nothing),
        InputEvent::KeyUp { .. } => true,
    }
}

/// Returns true for the press of a key that can move the focus to another control.
fn moves_focus(event: &InputEvent) -> bool {
    use KeyCode::{Down, Left, Right, Tab, Up};
    let InputEvent::KeyDown { key, .. } = event else {
        return false;
    };
    matches!(key, Down | Left | Right | Tab | Up)
}

/// Returns true for the press of a key that cannot have typed a character.
fn types_nothing(event: &InputEvent) -> bool {
    use KeyCode::{
        Backspace, Delete, Down, End, Enter, Escape, Home, KpEnter, Left, Right, Tab, Up,
    };
    use KeyCode::{LeftAlt, LeftControl, LeftShift, LeftSuper};
    use KeyCode::{RightAlt, RightControl, RightShift, RightSuper};
    let InputEvent::KeyDown { key, .. } = event else {
        return false;
    };
    matches!(
        key,
        Backspace
            | Delete
            | Down
            | End
            | Enter
            | Escape
            | Home
            | KpEnter
            | Left
            | LeftAlt
            | LeftControl
            | LeftShift
            | LeftSuper
            | Right
            | RightAlt
            | RightControl
            | RightShift
            | RightSuper
            | Tab
            | Up
    )
}

#[cfg(test)]
mod tests {
    use super::*;
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
        InputEvent::Button {
            button: MouseButton::Left,
            is_down,
            x: 1.0,
            y: 2.0,
        }
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

    #[test]
    fn a_key_that_moves_the_focus_has_one_more_layout() {
        let mut batches = Batches::new(vec![down(KeyCode::Tab)]);
        let events = batches.next().expect("a batch");
        assert!(!batches.is_over_after(&events, false));
        assert!(batches.next().is_some_and(|events| events.is_empty()));
        assert!(batches.is_over_after(&[], false));
    }

    #[test]
    fn a_frame_without_input_has_one_layout() {
        let mut batches = Batches::new(Vec::new());
        assert!(batches.next().is_some_and(|events| events.is_empty()));
        assert!(batches.is_over_after(&[], true));
        assert!(batches.next().is_none());
    }

    #[test]
    fn a_batch_that_changes_something_has_one_more_layout() {
        for (has_changed, expected) in [(false, 2), (true, 4)] {
            let mut batches = Batches::new(vec![button(true), button(false)]);
            let mut layouts = 0;
            while let Some(events) = batches.next() {
                layouts += 1;
                let is_over = batches.is_over_after(&events, has_changed);
                assert_eq!(is_over, layouts == expected);
            }
            assert_eq!(layouts, expected);
        }
    }
}
