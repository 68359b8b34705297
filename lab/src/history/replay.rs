//! Reconstructs which entity occupied a slot of the world at a past game time, and when it had last run.
//!
//! The world knows the birth, the first run, the last run and the current gaze of each living entity. The [`History`]
//! knows the number of entities in each frame. The occupied slots follow from this number. An entity that dies at
//! random is replaced in its slot at once, and the slider removes the entities in the last slots first.
//!
//! While memory allows, the history also knows which entities ran in which slots. It does not know when a replaced
//! entity died. The last recorded run in the slot of a dead entity may therefore belong to an even earlier entity.

use super::{History, PastFrame};
use crate::sim::world::{Point, World};
use std::ops::Range;
use timeslicer::scheduler::TaskId;
use timeslicer::time::GameTime;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PastRun {
    pub at: GameTime,
    /// The position of the target when the entity ran. The entity looks there until its next run.
    pub seen: Point,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PastSlot {
    Empty,
    /// The slot was occupied by the entity that still lives there.
    Current(PastState),
    /// The slot was occupied by an entity that has since died.
    Former(PastState),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PastState {
    /// The entity had not run yet. Contains the time of its birth, if known.
    NotRun(Option<GameTime>),
    /// The entity had run. Contains its most recent run at that time.
    Ran(PastRun),
    /// The entity had run, but its most recent run is no longer recorded.
    Forgotten,
}

impl PastState {
    pub fn present(world: &World, task: TaskId) -> Option<Self> {
        let (entity, at) = (world.entity(task)?, world.tasks().last_run(task)?);
        let seen = entity.seen;
        Some(match entity.runs {
            0 => Self::NotRun(Some(at)),
            _ => Self::Ran(PastRun { at, seen }),
        })
    }
}

impl History {
    pub fn replay(&self, world: &World, past: &PastFrame, slots: Range<u32>) -> Vec<PastSlot> {
        // For each slot, the number of the entity that ran there last, and its run.
        let mut last_runs = vec![None; slots.len()];
        let mut missing = last_runs.len();
        let mut first_known = None;
        let frames = self.frames().iter().rev();
        let frames = frames.skip_while(|frame| frame.record.number > past.record.number);
        for frame in frames.take_while(|frame| !frame.has_forgotten()) {
            first_known = Some(frame.record.number);
            if missing == 0 {
                break;
            }
            for update in frame.updates.iter().rev() {
                let run = PastRun {
                    at: update.time,
                    seen: update.target,
                };
                for ran in frame
                    .runs()
                    .iter()
                    .skip(update.runs_before)
                    .take(update.runs)
                {
                    let index = ran.task.index.wrapping_sub(slots.start);
                    if let Some(last_run @ None) = last_runs.get_mut(index as usize) {
                        *last_run = Some((ran.entity, run));
                        missing -= 1;
                    }
                }
            }
        }
        let is_complete = first_known == Some(0);
        let state = |(slot, last_run)| state(world, past, slot, last_run, is_complete);
        slots.zip(last_runs).map(state).collect()
    }
}

/// Returns what occupied a slot in the frame `past`. `last_run` contains the slot's last recorded run up to this frame
/// and the number of the entity that ran. `is_complete` is true if the history goes back to the start of the game.
fn state(
    world: &World,
    past: &PastFrame,
    slot: u32,
    last_run: Option<(u64, PastRun)>,
    is_complete: bool,
) -> PastSlot {
    let then = past.record.now;
    // The first slots are occupied without gaps, so all other slots were empty.
    if slot as usize >= past.subject.entities {
        return PastSlot::Empty;
    }
    let task = world.tasks().at(slot);
    let current =
        task.and_then(|task| Some((world.entity(task)?, PastState::present(world, task)?)));
    let Some((entity, present)) = current.filter(|(entity, _)| entity.born <= then) else {
        return PastSlot::Former(match last_run {
            Some((_, run)) => PastState::Ran(run),
            None if is_complete => PastState::NotRun(None),
            None => PastState::Forgotten,
        });
    };
    let own_run = last_run.filter(|(number, _)| *number == entity.number);
    PastSlot::Current(match (present, own_run) {
        (PastState::Ran(run), _) if run.at <= then => present,
        (_, Some((_, run))) => PastState::Ran(run),
        _ if entity.first_run().is_some_and(|first| first <= then) => PastState::Forgotten,
        _ => PastState::NotRun(Some(entity.born)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::MeasuredLane;
    use crate::sim::machine::{RENDER_MS, Simulated};
    use crate::sim::world::{CHURN, COST, ENTITIES};
    use crate::testing::{lane, lane_of, recorded};

    type Lived = Option<(u64, Option<PastRun>)>;

    /// Returns the number and the last run of the entity in each of 60 slots.
    fn living(lane: &MeasuredLane<Simulated>) -> Vec<Lived> {
        let world = lane.world();
        let at = |place| {
            let task = world.tasks().at(place)?;
            let (entity, at) = (world.entity(task)?, world.tasks().last_run(task)?);
            let seen = entity.seen;
            Some((
                entity.number,
                entity.first_run().map(|_| PastRun { at, seen }),
            ))
        };
        (0..60).map(at).collect()
    }

    #[test]
    fn replay_equals_the_world_at_each_frame() {
        // Tests frames with one update and frames with several.
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
                lane.frame();
                history.push(PastFrame::of(&lane));
                was.push(living(&lane));
            }
            check_replay(&lane, &history, &was);
        }
    }

    fn check_replay(lane: &MeasuredLane<Simulated>, history: &History, was: &[Vec<Lived>]) {
        let now = living(lane);
        let mut cases = [0; 5];
        for (past, was) in history.frames().iter().zip(was) {
            let all = history.replay(lane.world(), past, 0..60);
            for (place, was) in (0..).zip(was) {
                let recalled = all[place as usize];
                let alone = history.replay(lane.world(), past, place..place + 1);
                assert_eq!(alone, [recalled]);
                let same = was.map(|was| was.0) == now[place as usize].map(|now| now.0);
                let case = match (recalled, *was) {
                    (PastSlot::Empty, None) => 0,
                    (PastSlot::Current(PastState::NotRun(_)), Some((_, None))) if same => 1,
                    (PastSlot::Current(PastState::Ran(run)), Some((_, Some(own)))) => {
                        assert!(same && own == run, "{place} in {}", past.record.number);
                        2
                    }
                    (PastSlot::Former(PastState::NotRun(None)), Some((_, None))) if !same => 3,
                    // The run may be that of an earlier entity if the dead entity had not run itself.
                    (PastSlot::Former(PastState::Ran(run)), Some((_, own))) if !same => {
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
                past.runs = None;
            }
            history.push(past);
        }
        for past in history.frames() {
            let expected = if past.record.number == 3 {
                PastState::Forgotten
            } else {
                PastState::Ran(PastRun {
                    at: past.record.now,
                    seen: past.target,
                })
            };
            let recalled = history.replay(lane.world(), past, 0..3)[0];
            assert_eq!(recalled, PastSlot::Current(expected));
        }
    }
}
