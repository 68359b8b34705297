//! Updates the capsules on the screen whenever entities run, look in a different direction, are born, or die.

use super::screen_map::ScreenMap;
use super::texel::{self, EMPTY, Texel};
use super::{Capsules, Shown};
use lab::history::{History, PastFrame, PastSlot, PastState};
use lab::measure::MeasuredLane;
use lab::sim::lane::ChangedSlots;
use lab::sim::machine::Machine;
use timeslicer::scheduler::TaskId;
use timeslicer::time::GameTime;

/// How long a new entity takes to fade in. Must match `assets/capsules.frag`.
const FADE_IN_MS: u32 = 250;

/// The interval, in milliseconds, at which all capsules are updated. Older runs are shown as if they were exactly this
/// old. Otherwise, they would look recent again when the capsules' clock wraps after four intervals (2.3 hours).
const FULL_UPDATE_INTERVAL_MS: u64 = 1 << 21;

impl Capsules {
    /// Shows the current state of a simulation. Usually, only the capsules in the `changed` slots are updated. All
    /// capsules are updated if the simulation is another one, after a layout change, and every 35 minutes. While the
    /// game is paused, entities appear and disappear without a fade, because a fade takes game time and would never end.
    pub fn follow<M: Machine>(
        &mut self,
        lane: &MeasuredLane<M>,
        changed: &ChangedSlots,
        map: ScreenMap,
        is_paused: bool,
    ) {
        let (tasks, now) = (lane.world().tasks(), lane.now());
        let present = Shown::Present(millis(now) / FULL_UPDATE_INTERVAL_MS);
        let present = Some((lane.world().id, present));
        if self.arrange(map) || self.shown != present {
            self.shown = present;
            for place in 0..tasks.end() {
                self.set(place, EMPTY);
            }
            for task in tasks.iter() {
                self.show(lane, task, true);
            }
        } else {
            for place in changed.ones().map(|place| place as u32) {
                match tasks.at(place) {
                    Some(task) => self.show(lane, task, is_paused),
                    None if is_paused => self.set(place, EMPTY),
                    None => self.change(place, |before| texel::died(millis(now) as u32, before)),
                }
            }
        }
        self.upload();
    }

    /// Ignores the simulation until the next call of [`Capsules::follow`], which then updates all capsules.
    pub fn hide(&mut self) {
        self.shown = None;
    }

    /// Shows the recorded state of a past frame. Does nothing if this frame is already shown and no entity has been
    /// born or has died since. To show the current state again, call [`Capsules::follow`].
    pub fn replay<M: Machine>(
        &mut self,
        lane: &MeasuredLane<M>,
        history: &History,
        changed: &ChangedSlots,
        past: &PastFrame,
        map: ScreenMap,
    ) {
        let is_rearranged = self.arrange(map);
        let shown = Some((lane.world().id, Shown::Past(past.record.number)));
        if self.shown == shown && !is_rearranged && changed.is_clear() {
            return;
        }
        self.shown = shown;
        let places = self.map.places;
        for (place, recalled) in (0..).zip(history.replay(lane.world(), past, 0..places)) {
            let texel = match recalled {
                PastSlot::Empty => EMPTY,
                PastSlot::Current(then) | PastSlot::Former(then) => {
                    texel_of(then, past.record.now, &self.map, place, true)
                }
            };
            self.set(place, texel);
        }
        self.upload();
    }

    /// Updates the capsule of a task's entity, unless it has died. With `skip_fade_in`, a new entity appears at once.
    fn show<M: Machine>(&mut self, lane: &MeasuredLane<M>, task: TaskId, skip_fade_in: bool) {
        if let Some(present) = PastState::present(lane.world(), task) {
            let texel = texel_of(present, lane.now(), &self.map, task.index, skip_fade_in);
            self.set(task.index, texel);
        }
    }
}

/// Converts a game time to the capsules' clock. Times more than [`FULL_UPDATE_INTERVAL_MS`] ago count as that long ago.
fn stamp(at: GameTime, now: GameTime) -> u32 {
    let age = millis(now)
        .saturating_sub(millis(at))
        .min(FULL_UPDATE_INTERVAL_MS);
    before(now, age)
}

/// Returns the time on the capsules' clock that is `age_ms` before now. It wraps around if the game is younger.
fn before(now: GameTime, age_ms: u64) -> u32 {
    (millis(now) as u32).wrapping_sub(age_ms as u32)
}

/// Returns the texel of the capsule in a slot at the game time `now`. If `skip_fade_in` is true, an entity that has not
/// run yet is fully visible at once.
fn texel_of(
    entity: PastState,
    now: GameTime,
    map: &ScreenMap,
    slot: u32,
    skip_fade_in: bool,
) -> Texel {
    match entity {
        PastState::NotRun(born) => {
            let at_ms = stamp(born.unwrap_or(now), now);
            let age = if skip_fade_in { FADE_IN_MS } else { 0 };
            texel::born(at_ms.wrapping_sub(age))
        }
        PastState::Ran(run) => {
            let gaze = map.to_screen(run.seen) - map.center(slot).unwrap_or_default();
            texel::ran(stamp(run.at, now), gaze.angle())
        }
        // This never flashes, because the last run may have been long ago.
        PastState::Forgotten => texel::forgotten(before(now, FULL_UPDATE_INTERVAL_MS)),
    }
}

pub(super) fn millis(time: GameTime) -> u64 {
    time.since_start().as_nanos() / 1_000_000
}

#[cfg(test)]
mod tests {
    use super::super::texel::tests::read;
    use super::*;
    use egui::{Pos2, Rect, vec2};
    use lab::history::PastRun;
    use lab::sim::world::{HEIGHT, Point, WIDTH};
    use timeslicer::time::Nanos;

    /// A point to the right of a single capsule in the middle of the world.
    const SEEN: Point = Point {
        x: WIDTH,
        y: HEIGHT / 2.0,
    };

    fn at_ms(millis: u64) -> GameTime {
        GameTime::at(Nanos::from_millis(millis))
    }

    /// Returns the age of a capsule in milliseconds, as the shader computes it, modulo 2^23, and the texel without this
    /// age.
    fn shown(entity: PastState, then: GameTime) -> (u32, Texel) {
        let view = Rect::from_min_size(Pos2::ZERO, vec2(1000.0, 500.0));
        let texel = texel_of(entity, then, &ScreenMap::new(1, view, 1.0), 0, true);
        let (_, at_ms, _) = read(texel);
        let age = (millis(then) as u32).wrapping_sub(at_ms) % (1 << 23);
        (age, [0, 0, 0, texel[3]])
    }

    #[test]
    fn recorded_run_has_its_age_in_the_past_frame() {
        // Times in the first second, just after the texels' clock has wrapped, and just after the 32-bit clock has.
        for then in [900, (1 << 23) + 5, (1 << 32) + 5].map(at_ms) {
            let run = PastRun {
                at: then - Nanos::from_millis(800),
                seen: SEEN,
            };
            assert_eq!(shown(PastState::Ran(run), then), (800, texel::ran(0, 0.0)));
        }
    }

    #[test]
    fn unrecorded_run_never_flashes() {
        for then_ms in [0, 5, 60_000, 1 << 21, 1 << 32] {
            let then = at_ms(then_ms);
            let (age, texel) = shown(PastState::Forgotten, then);
            assert_eq!(u64::from(age), FULL_UPDATE_INTERVAL_MS, "at {then}");
            assert_eq!(texel, texel::forgotten(0));
        }
    }

    #[test]
    fn visors_are_closed_before_the_first_run() {
        for born_ms in [Some(0), Some(100), None] {
            let (born, then) = (born_ms.map(at_ms), at_ms(100));
            let (age, texel) = shown(PastState::NotRun(born), then);
            assert!(texel == texel::born(0) && age >= FADE_IN_MS);
        }
    }
}
