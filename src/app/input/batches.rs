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

    /// Returns the number of events in each batch.
    fn lengths(events: Vec<InputEvent>) -> Vec<usize> {
        split(events).iter().map(Vec::len).collect()
    }

    #[test]
    fn a_key_shares_a_batch_with_its_character_in_any_order() {
        use KeyCode::{Escape, Key5};
        let x11 = [character('5'), down(Key5), up(Key5)];
        let others = [down(Key5), character('5'), up(Key5)];
        for typed in [x11, others] {
            let escape = vec![down(Escape), up(Escape)];
            let events = [typed.to_vec(), typed.to_vec(), escape].concat();
            assert_eq!(lengths(events), [3, 3, 2], "{typed:?}");
        }
    }

    #[test]
    fn a_character_never_joins_the_escape_before_it() {
        use KeyCode::{Escape, Key5};
        let events = vec![down(Escape), character('5'), down(Key5)];
        assert_eq!(lengths(events), [1, 2]);
    }

    #[test]
    fn a_character_joins_its_key_and_not_the_ctrl_before_it() {
        use KeyCode::{Equal, LeftControl};
        let events = vec![down(LeftControl), character('+'), down(Equal), up(Equal)];
        assert_eq!(lengths(events), [1, 3]);
    }

    #[test]
    fn a_press_and_a_release_have_a_batch_each() {
        let events = vec![moved(), moved(), button(true), moved(), button(false)];
        assert_eq!(lengths(events), [2, 1, 1, 1]);
        assert_eq!(lengths(vec![button(true), down(KeyCode::A)]), [1, 1]);
        assert_eq!(lengths(vec![down(KeyCode::A), button(true)]), [1, 1]);
    }

    #[test]
    fn shift_is_released_after_the_wheel_has_turned() {
        let shift = KeyCode::LeftShift;
        let wheel = InputEvent::Wheel { x: 0.0, y: 1.0 };
        assert_eq!(lengths(vec![down(shift), wheel, up(shift)]), [1, 1, 1]);
    }

    #[test]
    fn moves_are_complete_before_a_key() {
        assert_eq!(lengths(vec![moved(), down(KeyCode::F2)]), [1, 1]);
        assert_eq!(
            lengths(vec![moved(), character('5'), down(KeyCode::Key5)]),
            [1, 2]
        );
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
