//! The user's selection in the main view: a past frame and a pinned entity.

use headless::history::History;
use headless::sim::world::World;
use timeslicer::scheduler::TaskId;
use timeslicer::time::{GameTime, Nanos};

/// How long the pinned entity's death is reported, in game time.
const REPORTED_FOR: Nanos = Nanos::from_secs(3);

#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Number of the past frame on screen while paused; `None` for the present.
    pub looked_at: Option<u64>,
    pin: Option<Pin>,
    lost: Option<LostPin>,
}

/// The entity whose details stay visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pin {
    task: TaskId,
    number: u64,
}

#[derive(Clone, Copy, Debug)]
struct LostPin {
    number: u64,
    died: GameTime,
}

impl Selection {
    /// Moves `by` frames through the history, whose last frame is the present. Returns the number of the frame that is
    /// then on screen, or `None` if the history is empty.
    pub fn walk(&mut self, by: i64, history: &History) -> Option<u64> {
        let frames = history.frames();
        let (first, last) = (frames.front()?.record.number, frames.back()?.record.number);
        let from = self.looked_at.unwrap_or(last);
        let to = from.saturating_add_signed(by).clamp(first, last);
        self.looked_at = (to < last).then_some(to);
        Some(to)
    }

    pub fn pinned(&self) -> Option<TaskId> {
        self.pin.map(|pin| pin.task)
    }

    /// Pins the entity at `place`, or unpins it if it is pinned. Returns the number of the entity that is then pinned.
    pub fn toggle_pin(&mut self, place: Option<u32>, world: &World) -> Option<u64> {
        let task = place.and_then(|place| world.tasks().at(place));
        let task = task.filter(|_| task != self.pinned());
        self.pin = task.and_then(|task| {
            let number = world.entity(task)?.number;
            Some(Pin { task, number })
        });
        self.lost = None;
        self.pin.map(|pin| pin.number)
    }

    /// Unpins the pinned entity if it has died. Returns true if it was unpinned.
    pub fn drop_dead_pin(&mut self, world: &World, now: GameTime) -> bool {
        let Some(pin) = self.pin.take_if(|pin| !world.tasks().contains(pin.task)) else {
            return false;
        };
        self.lost = Some(LostPin {
            number: pin.number,
            died: now,
        });
        true
    }

    /// Number of the pinned entity if it died in the last few seconds.
    pub fn lost_pin(&self, now: GameTime) -> Option<u64> {
        let lost = self.lost?;
        (now < lost.died + REPORTED_FOR).then_some(lost.number)
    }
}

#[cfg(test)]
mod tests {
    use super::REPORTED_FOR;
    use crate::app::state::command::{Command, Lanes};
    use crate::app::state::tests::state;
    use headless::sim::world::{CHURN, ENTITIES};

    #[test]
    fn walking_needs_a_pause_and_ends_on_resume() {
        let mut state = state();
        (0..5).for_each(|_| state.frame());
        state.apply(Command::Walk(-1));
        assert_eq!(state.grid.selection.looked_at, None, "not while it runs");
        state.apply(Command::Pause);
        for (by, looked_at) in [
            (-1, Some(3)),
            (-1, Some(2)),
            (1, Some(3)),
            (1, None),
            (1, None),
        ] {
            state.apply(Command::Walk(by));
            assert_eq!(state.grid.selection.looked_at, looked_at);
        }
        state.apply(Command::Walk(-100));
        assert_eq!(state.grid.selection.looked_at, Some(0));
        state.apply(Command::Step);
        state.frame();
        assert_eq!(state.grid.selection.looked_at, None);
    }

    #[test]
    fn second_click_unpins() {
        let mut state = state();
        state.apply(Command::Pin(Some(3)));
        assert_eq!(state.grid.selection.pinned().map(|it| it.index), Some(3));
        state.apply(Command::Pin(Some(3)));
        assert_eq!(state.grid.selection.pinned(), None);
        state.apply(Command::Pin(Some(3)));
        state.apply(Command::Pin(None));
        assert_eq!(state.grid.selection.pinned(), None);
        state.apply(Command::Pin(Some(99)));
        assert_eq!(state.grid.selection.pinned(), None, "place 99 is free");
    }

    #[test]
    fn lost_pin_is_reported_for_a_while() {
        let mut state = state();
        state.frame();
        state.apply(Command::Pin(Some(9)));
        state.apply(Command::Turn(Lanes::InView, &ENTITIES, 9.0));
        assert_eq!(state.grid.selection.pinned(), None);
        assert_eq!(state.grid.lost_pin(), Some(9));
        let died = state.grid.lane.now();
        while state.grid.lane.now() < died + REPORTED_FOR {
            assert_eq!(state.grid.lost_pin(), Some(9));
            state.apply(Command::Step);
            state.frame();
        }
        assert_eq!(state.grid.lost_pin(), None);
    }

    #[test]
    fn death_by_churn_unpins() {
        let mut state = state();
        state.frame();
        state.apply(Command::Turn(Lanes::InView, &CHURN, 1000.0));
        state.apply(Command::Pin(Some(3)));
        let pinned = state.grid.selection.pinned().unwrap();
        while state.grid.lane.world().tasks().contains(pinned) {
            assert_eq!(state.grid.selection.pinned(), Some(pinned));
            state.apply(Command::Step);
            state.frame();
        }
        assert_eq!(state.grid.selection.pinned(), None);
        assert_eq!(state.grid.lost_pin(), Some(3));
        state.apply(Command::Pin(Some(3)));
        assert!(state.grid.selection.pinned().is_some());
        assert_eq!(state.grid.lost_pin(), None);
    }
}
