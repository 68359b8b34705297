//! Replay: the known state of a place at a past game time.
//!
//! The world knows the birth, the first and last run, and the current gaze of each living entity. The [`History`] knows
//! the number of entities in each frame. The occupied places follow from this number, because an entity that dies at
//! random is replaced at its place at once, and the slider removes the last places first. As long as memory allows, the
//! history also knows the places that ran. It does not know when a replaced entity died, so the last recorded run at a
//! place may have been that of an earlier entity.

use super::{History, PastFrame};
use crate::sim::world::{Point, World};
use timeslicer::time::GameTime;

/// Past run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PastRun {
    pub at: GameTime,
    /// Position of the target at that time. The entity has looked there since.
    pub seen: Point,
}

/// The world's data about the current entity at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occupant {
    /// Game time of its birth.
    pub born: GameTime,
    /// Game time of its first run, and its last run; `None` if it never ran.
    pub runs: Option<(GameTime, PastRun)>,
}

/// The last run at a place before a past game time, if the history knows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LastRun {
    At(PastRun),
    /// No task ever ran there.
    Never,
    /// No run is recorded, but there may have been an earlier one.
    Forgotten,
}

/// Place at a past game time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PastPlace {
    Empty,
    /// Place of the entity that lives there now.
    Current(PastState),
    /// Place of an entity that has since died.
    Former(PastState),
}

/// Entity at a past game time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PastState {
    /// Not run yet; with the time of its birth, if that is known.
    NotRun(Option<GameTime>),
    /// The last run up to that time.
    Ran(PastRun),
    /// Last run is no longer recorded.
    Forgotten,
}

/// Returns the state of a place at game time `then`. `occupant` lives there now, `was_occupied` is true if the place
/// was occupied then, and `last_run` is the last run up to `then`.
pub fn replay(
    occupant: Option<Occupant>,
    was_occupied: bool,
    last_run: LastRun,
    then: GameTime,
) -> PastPlace {
    // If the slider added an entity right after the frame, its birth has the game time of the frame. `was_occupied`
    // excludes such an entity.
    match occupant.filter(|occupant| was_occupied && occupant.born <= then) {
        Some(occupant) => PastPlace::Current(state_of(occupant, last_run, then)),
        None if was_occupied => PastPlace::Former(match last_run {
            LastRun::At(run) => PastState::Ran(run),
            LastRun::Never => PastState::NotRun(None),
            LastRun::Forgotten => PastState::Forgotten,
        }),
        None => PastPlace::Empty,
    }
}

/// Returns the state of the occupant at `then`, when it was alive.
fn state_of(occupant: Occupant, last_run: LastRun, then: GameTime) -> PastState {
    match (occupant.runs, last_run) {
        (Some((_, last)), _) if last.at <= then => PastState::Ran(last),
        // The occupant has run since `then`. A run before its first run was that of an earlier entity.
        (Some((first, _)), LastRun::At(run)) if first <= run.at => PastState::Ran(run),
        (Some((first, _)), _) if first <= then => PastState::Forgotten,
        _ => PastState::NotRun(Some(occupant.born)),
    }
}

impl Occupant {
    /// Returns the entity that lives at `place` now, if any.
    pub fn at(world: &World, place: u32) -> Option<Self> {
        let task = world.tasks().at(place)?;
        let entity = world.entity(task)?;
        let last = PastRun {
            at: world.tasks().last_run(task)?,
            seen: entity.seen,
        };
        Some(Self {
            born: entity.born,
            runs: entity.first_run().map(|first| (first, last)),
        })
    }
}

impl PastFrame {
    /// Returns the state of `place`, which had this last run, in this frame.
    fn replay(&self, world: &World, place: u32, last_run: LastRun) -> PastPlace {
        let was_occupied = place < self.entities;
        replay(Occupant::at(world, place), was_occupied, last_run, self.now)
    }
}

impl History {
    /// Returns the state of `place` in a frame of this history.
    pub fn replay(&self, world: &World, past: &PastFrame, place: u32) -> PastPlace {
        let runs = self.runs_until(past.record.number);
        let run = runs
            .filter(|(_, ran)| ran.contains(&place))
            .map(|(run, _)| run)
            .next();
        let last_run = run.map_or_else(|| self.without_run(past), LastRun::At);
        past.replay(world, place, last_run)
    }

    /// Returns the states of the first `places` places in a frame of this history. Looks back no further than
    /// necessary.
    pub fn replay_all(&self, world: &World, past: &PastFrame, places: u32) -> Vec<PastPlace> {
        let mut runs = vec![None; places as usize];
        let mut missing = runs.len();
        for (run, ran) in self.runs_until(past.record.number) {
            if missing == 0 {
                break;
            }
            for &place in ran {
                if let Some(run_here @ None) = runs.get_mut(place as usize) {
                    *run_here = Some(run);
                    missing -= 1;
                }
            }
        }
        let without = self.without_run(past);
        (0..)
            .zip(runs)
            .map(|(place, run)| past.replay(world, place, run.map_or(without, LastRun::At)))
            .collect()
    }

    /// Returns [`LastRun::Never`] or [`LastRun::Forgotten`], for a place without any recorded run up to the frame
    /// `past`.
    fn without_run(&self, past: &PastFrame) -> LastRun {
        let from_the_start = self
            .frames()
            .front()
            .is_some_and(|past| past.record.number == 0);
        let remembered = self.remembered_until(past.record.number).count() as u64;
        if from_the_start && remembered == past.record.number + 1 {
            LastRun::Never
        } else {
            LastRun::Forgotten
        }
    }

    /// Returns the recorded runs of the frames up to `number`, newest first.
    fn runs_until(&self, number: u64) -> impl Iterator<Item = (PastRun, &[u32])> {
        let updates = self.remembered_until(number);
        let updates = updates.flat_map(|past| past.updates().rev());
        updates.map(|(update, ran)| {
            let run = PastRun {
                at: update.now,
                seen: update.target,
            };
            (run, ran)
        })
    }

    /// Returns the frames up to `number`, newest first. Stops at a frame whose runs are no longer recorded, because any
    /// place may have run in that frame.
    fn remembered_until(&self, number: u64) -> impl Iterator<Item = &PastFrame> {
        let frames = self.frames().iter().rev();
        frames
            .skip_while(move |past| past.record.number > number)
            .take_while(|past| !past.has_forgotten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::machine::{RENDER_MS, Simulated};
    use crate::sim::world::{CHURN, COST, ENTITIES};
    use crate::stats::MeasuredLane;
    use crate::testing::{lane, lane_of, recorded};
    use timeslicer::time::Nanos;

    fn at(millis: u64) -> GameTime {
        GameTime::at(Nanos::from_millis(millis))
    }

    fn run(at_ms: u64) -> PastRun {
        PastRun {
            at: at(at_ms),
            seen: Point {
                x: at_ms as f32,
                y: 0.0,
            },
        }
    }

    #[test]
    fn what_is_not_recorded_is_forgotten_and_not_invented() {
        let then = at(1000);
        // Born, first and last run, and the last recorded run at the place before that time.
        for (born, runs, known, expected) in [
            (0, (100, 900), None, PastState::Ran(run(900))),
            (0, (100, 1500), Some(700), PastState::Ran(run(700))),
            (0, (100, 1500), None, PastState::Forgotten),
            (1000, (1001, 1500), None, PastState::NotRun(Some(then))),
            // The recorded run is that of an earlier entity.
            (
                800,
                (1200, 1500),
                Some(700),
                PastState::NotRun(Some(at(800))),
            ),
            (800, (900, 1500), Some(700), PastState::Forgotten),
        ] {
            let occupant = Occupant {
                born: at(born),
                runs: Some((at(runs.0), run(runs.1))),
            };
            let known = known.map_or(LastRun::Forgotten, |known| LastRun::At(run(known)));
            let recalled = replay(Some(occupant), true, known, then);
            assert_eq!(recalled, PastPlace::Current(expected));
        }
        let former = replay(None, true, LastRun::Forgotten, then);
        assert_eq!(former, PastPlace::Former(PastState::Forgotten));
    }

    type Lived = Option<(u64, Option<PastRun>)>;

    /// Returns the number and the last run of the entity at each of 60 places.
    fn living(lane: &MeasuredLane<Simulated>) -> Vec<Lived> {
        let world = lane.world();
        let at = |place| {
            let entity = world.entity(world.tasks().at(place)?)?;
            let runs = Occupant::at(world, place)?.runs;
            Some((entity.number, runs.map(|(_, last)| last)))
        };
        (0..60).map(at).collect()
    }

    #[test]
    fn replay_equals_the_world_at_each_frame() {
        // One update per frame, and several.
        for (frame_loop, render_ms) in [("variable-step", 0.0), ("fixed-step", 70.0)] {
            let set = [
                (&ENTITIES, 40.0),
                (&COST, 0.0),
                (&CHURN, 20.0),
                (&RENDER_MS, render_ms),
            ];
            let mut lane = lane_of("fixed-interval", frame_loop, &set);
            let mut history = History::default();
            let mut was = Vec::new();
            for frame in 0..240 {
                match frame {
                    100 => lane.set_knob(&ENTITIES, 60.0),
                    150 => lane.set_knob(&ENTITIES, 30.0),
                    200 => lane.set_knob(&ENTITIES, 50.0),
                    _ => {}
                }
                let record = lane.frame().clone();
                let past = history.begin(&lane);
                history.end(past, record);
                was.push(living(&lane));
            }
            check_replay(&lane, &history, &was);
        }
    }

    /// Compares the replay of every frame with a copy of the world at that frame.
    fn check_replay(lane: &MeasuredLane<Simulated>, history: &History, was: &[Vec<Lived>]) {
        let now = living(lane);
        let mut cases = [0; 5];
        for (past, was) in history.frames().iter().zip(was) {
            let all = history.replay_all(lane.world(), past, 60);
            for (place, was) in (0..).zip(was) {
                let recalled = all[place as usize];
                assert_eq!(recalled, history.replay(lane.world(), past, place));
                let same = was.map(|was| was.0) == now[place as usize].map(|now| now.0);
                let case = match (recalled, *was) {
                    (PastPlace::Empty, None) => 0,
                    (PastPlace::Current(PastState::NotRun(_)), Some((_, None))) if same => 1,
                    (PastPlace::Current(PastState::Ran(run)), Some((_, Some(own)))) => {
                        assert!(same && own == run, "{place} in {}", past.record.number);
                        2
                    }
                    (PastPlace::Former(PastState::NotRun(None)), Some((_, None))) if !same => 3,
                    // The run may be that of an earlier entity if this one had not run itself.
                    (PastPlace::Former(PastState::Ran(run)), Some((_, own))) if !same => {
                        assert!(own.is_none_or(|own| own == run));
                        4
                    }
                    _ => panic!("{recalled:?} was {was:?}"),
                };
                cases[case] += 1;
            }
        }
        assert!(cases.iter().all(|&count| count > 0), "{cases:?}");
    }

    #[test]
    fn replay_stops_at_frames_without_recorded_runs() {
        let mut lane = lane("every-frame", &[(&ENTITIES, 3.0), (&COST, 0.0)]);
        let complete = recorded(&mut lane, 6);
        let mut history = History::default();
        for past in complete.frames() {
            let mut past = past.clone();
            if past.record.number == 3 {
                past.ran = None;
            }
            history.push(past);
        }
        for past in history.frames() {
            let expected = if past.record.number == 3 {
                PastState::Forgotten
            } else {
                PastState::Ran(PastRun {
                    at: past.now,
                    seen: past.target,
                })
            };
            let recalled = history.replay_all(lane.world(), past, 3)[0];
            assert_eq!(recalled, PastPlace::Current(expected));
        }
    }
}
