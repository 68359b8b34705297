//! Looking closer: the way back through the history, and the pinned entity.

use super::{Flow, State};
use timeslice::time::Nanos;

/// How long it is told that the pinned entity died, in game time.
const LOST_FOR: Nanos = Nanos::from_secs(3);

impl State {
    /// Looks at another frame of the history; from its end on, at the present.
    pub(super) fn walk(&mut self, by: i64) {
        let frames = self.history.frames();
        let (Some(first), Some(last)) = (frames.front(), frames.back()) else {
            return;
        };
        if self.flow == Flow::Running {
            return;
        }
        let (first, last) = (first.record.number, last.record.number);
        let from = self.looked_at.unwrap_or(last);
        let to = from.saturating_add_signed(by).clamp(first, last);
        self.looked_at = (to < last).then_some(to);
        self.note(format_args!("look {to}"));
    }

    pub(super) fn pin(&mut self, place: Option<u32>) {
        let task = place.and_then(|place| self.lane.world().tasks().at(place));
        self.pinned = task.filter(|_| task != self.pinned);
        self.lost_pin = None;
        match self.pinned.and_then(|task| self.lane.world().entity(task)) {
            Some(entity) => {
                let number = entity.number;
                self.pinned_number = number;
                self.note(format_args!("pinned {number}"));
            }
            None => self.note("unpinned"),
        }
    }

    /// A pin ends with its entity.
    pub(super) fn let_go_of_the_dead(&mut self) {
        let tasks = self.lane.world().tasks();
        if self.pinned.is_some_and(|task| !tasks.contains(task)) {
            self.pinned = None;
            self.lost_pin = Some(self.lane.now());
            self.note("unpinned");
        }
    }

    /// The number of the entity that was pinned and has died lately.
    pub fn lost_pin(&self) -> Option<u64> {
        let died = self.lost_pin?;
        (self.lane.now() < died + LOST_FOR).then_some(self.pinned_number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::state::command::Command;
    use crate::app::state::tests::{frame, state};
    use crate::sim::world::{CHURN, ENTITIES};

    #[test]
    fn the_history_is_walked_while_game_time_stands_and_left_when_it_goes_on() {
        let mut state = state();
        (0..5).for_each(|_| frame(&mut state));
        state.apply(Command::Walk(-1));
        assert_eq!(state.looked_at, None, "not while it runs");
        state.apply(Command::Pause);
        for (by, looked_at) in [
            (-1, Some(3)),
            (-1, Some(2)),
            (1, Some(3)),
            (1, None),
            (1, None),
        ] {
            state.apply(Command::Walk(by));
            assert_eq!(state.looked_at, looked_at);
        }
        state.apply(Command::Walk(-100));
        assert_eq!(state.looked_at, Some(0));
        state.apply(Command::Step);
        frame(&mut state);
        assert_eq!(state.looked_at, None);
    }

    #[test]
    fn a_click_pins_and_another_one_unpins() {
        let mut state = state();
        state.apply(Command::Pin(Some(3)));
        assert_eq!(state.pinned.map(|task| task.index), Some(3));
        state.apply(Command::Pin(Some(3)));
        assert_eq!(state.pinned, None);
        state.apply(Command::Pin(Some(3)));
        state.apply(Command::Pin(None));
        assert_eq!(state.pinned, None);
        state.apply(Command::Pin(Some(99)));
        assert_eq!(state.pinned, None, "nobody is there");
    }

    #[test]
    fn a_pin_ends_with_its_entity_and_says_so_for_a_while() {
        let mut state = state();
        frame(&mut state);
        state.apply(Command::Pin(Some(9)));
        state.apply(Command::Turn(&ENTITIES, 9.0));
        assert_eq!(state.pinned, None);
        assert_eq!(state.lost_pin(), Some(9));
        let died = state.lane.now();
        while state.lane.now() < died + LOST_FOR {
            assert_eq!(state.lost_pin(), Some(9));
            state.apply(Command::Step);
            frame(&mut state);
        }
        assert_eq!(state.lost_pin(), None);
    }

    #[test]
    fn a_pin_ends_when_churn_takes_its_entity_and_a_new_one_is_told_of_alone() {
        let mut state = state();
        frame(&mut state);
        state.apply(Command::Turn(&CHURN, 1000.0));
        state.apply(Command::Pin(Some(3)));
        let pinned = state.pinned.unwrap();
        while state.lane.world().tasks().contains(pinned) {
            assert_eq!(state.pinned, Some(pinned));
            state.apply(Command::Step);
            frame(&mut state);
        }
        assert_eq!((state.pinned, state.lost_pin()), (None, Some(3)));
        state.apply(Command::Pin(Some(3)));
        assert!(state.pinned.is_some());
        assert_eq!(state.lost_pin(), None);
    }
}
