//! How a place looked at a past game time, as far as anybody still knows.
//!
//! The world knows of those who live now: when each was born, first ran and last ran, and where it last
//! looked. The [`History`] knows how many lived in each frame, and so at which places (whoever dies by chance
//! is replaced at its place at once, and the slider takes the last places first), and, as long as it has
//! room, which places ran. Nobody knows when exactly one died who was replaced: where somebody stood who has
//! died since, the last run that is remembered there may have been that of its predecessor.

use super::{History, PastFrame};
use crate::sim::world::{Point, World};
use timeslice::time::GameTime;

/// A run that is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PastRun {
    /// Game time when it ran.
    pub at: GameTime,
    /// Where the target was then: there its entity has looked since.
    pub seen: Point,
}

/// What the world knows now of the one who lives at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resident {
    /// When it was born.
    pub born: GameTime,
    /// When it ran first, and last; none where it never did.
    pub runs: Option<(GameTime, PastRun)>,
}

/// What the history knows of a place up to a past game time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known {
    /// This was the last run there.
    Run(PastRun),
    /// There never was a run.
    NoRun,
    /// No run is remembered, and further back nothing is.
    Nothing,
}

/// What is known of a place at a past game time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recalled {
    /// Nobody stood there.
    Nobody,
    /// The one who stands there now did so then.
    Resident(Then),
    /// Somebody stood there who has died since.
    Other(Then),
}

/// What somebody had done by then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Then {
    /// It had not run yet; born at this game time, if that is known.
    NotRun(Option<GameTime>),
    /// This was its last run.
    Ran(PastRun),
    /// Nobody knows any more when it last ran.
    Forgotten,
}

/// How a place looked at game time `then`, when somebody stood there or not. `resident` stands there now, and
/// of the time up to `then` this is `known`.
#[must_use]
pub fn recall(resident: Option<Resident>, stood: bool, known: Known, then: GameTime) -> Recalled {
    // One that the slider brought after that frame was born at the very game time of it.
    match resident.filter(|resident| stood && resident.born <= then) {
        Some(resident) => Recalled::Resident(own(resident, known, then)),
        None if stood => Recalled::Other(match known {
            Known::Run(run) => Then::Ran(run),
            Known::NoRun => Then::NotRun(None),
            Known::Nothing => Then::Forgotten,
        }),
        None => Recalled::Nobody,
    }
}

/// What a resident had done by `then`, when it lived already.
fn own(resident: Resident, known: Known, then: GameTime) -> Then {
    match (resident.runs, known) {
        (Some((_, last)), _) if last.at <= then => Then::Ran(last),
        // It has run since. A run from before its first one was another's, who stood there before it.
        (Some((first, _)), Known::Run(run)) if first <= run.at => Then::Ran(run),
        (Some((first, _)), _) if first <= then => Then::Forgotten,
        _ => Then::NotRun(Some(resident.born)),
    }
}

impl Resident {
    /// The one who lives at `place` now.
    #[must_use]
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

impl History {
    /// How `place` looked in a frame of this history.
    #[must_use]
    pub fn recall(&self, world: &World, past: &PastFrame, place: u32) -> Recalled {
        let runs = self.known_until(past.record.number);
        let run = runs
            .filter(|(_, ran)| ran.contains(&place))
            .map(|(run, _)| run)
            .next();
        let known = run.map_or(self.without_a_run(past), Known::Run);
        let stood = place < past.entities;
        recall(Resident::at(world, place), stood, known, past.now)
    }

    /// How each of the first `places` looked in a frame of this history. Looks back no further than it takes
    /// to know of all of them.
    #[must_use]
    pub fn recall_all(&self, world: &World, past: &PastFrame, places: u32) -> Vec<Recalled> {
        let mut runs = vec![None; places as usize];
        let mut missing = runs.len();
        for (run, ran) in self.known_until(past.record.number) {
            if missing == 0 {
                break;
            }
            for &place in ran {
                if let Some(known @ None) = runs.get_mut(place as usize) {
                    *known = Some(run);
                    missing -= 1;
                }
            }
        }
        let without = self.without_a_run(past);
        (0..)
            .zip(runs)
            .map(|(place, run)| {
                let known = run.map_or(without, Known::Run);
                let stood = place < past.entities;
                recall(Resident::at(world, place), stood, known, past.now)
            })
            .collect()
    }

    /// What is known of a place no run of which is remembered up to a frame.
    fn without_a_run(&self, past: &PastFrame) -> Known {
        let from_the_start = self
            .frames()
            .front()
            .is_some_and(|past| past.record.number == 0);
        let remembered = self.remembered_until(past.record.number).count() as u64;
        if from_the_start && remembered == past.record.number + 1 {
            Known::NoRun
        } else {
            Known::Nothing
        }
    }

    /// The runs of the frames up to `number`, newest first, as long as they are remembered.
    fn known_until(&self, number: u64) -> impl Iterator<Item = (PastRun, &[u32])> {
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

    /// The frames up to `number`, newest first, until one has forgotten who ran in it: who ran before that
    /// may have run in it, too.
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
    use crate::stats::MeasuredLane;
    use crate::stats::test_lane::lane;
    use timeslice::frame_loop;
    use timeslice::knob::Knob;
    use timeslice::time::Nanos;

    use crate::sim::world::{CHURN, COST, ENTITIES};

    fn at(millis: u64) -> GameTime {
        GameTime::at(Nanos::from_millis(millis))
    }

    const THEN: GameTime = GameTime::at(Nanos::from_millis(1000));

    fn run(at_ms: u64) -> PastRun {
        PastRun {
            at: at(at_ms),
            seen: Point {
                x: at_ms as f32,
                y: 0.0,
            },
        }
    }

    fn resident(born_ms: u64, runs_ms: Option<(u64, u64)>) -> Resident {
        Resident {
            born: at(born_ms),
            runs: runs_ms.map(|(first, last)| (at(first), run(last))),
        }
    }

    fn recalled(resident: Resident, known: Known) -> Then {
        let recalled = recall(Some(resident), true, known, THEN);
        let Recalled::Resident(then) = recalled else {
            panic!("{recalled:?}");
        };
        then
    }

    fn known(at_ms: u64) -> Known {
        Known::Run(run(at_ms))
    }

    #[test]
    fn one_that_has_not_run_since_looks_as_its_last_run_left_it_whatever_is_remembered() {
        for known in [Known::Nothing, known(900), known(300)] {
            let then = recalled(resident(0, Some((100, 900))), known);
            assert_eq!(then, Then::Ran(run(900)));
        }
        let in_that_frame = recalled(resident(0, Some((1000, 1000))), Known::Nothing);
        assert_eq!(in_that_frame, Then::Ran(run(1000)));
    }

    #[test]
    fn one_that_has_run_since_looks_as_the_last_remembered_run_before_left_it() {
        let then = recalled(resident(0, Some((100, 1500))), known(700));
        assert_eq!(then, Then::Ran(run(700)));
    }

    #[test]
    fn when_one_ran_that_nobody_remembers_is_forgotten_and_never_made_up() {
        let then = recalled(resident(0, Some((100, 1500))), Known::Nothing);
        assert_eq!(then, Then::Forgotten);
    }

    #[test]
    fn one_that_ran_only_later_or_never_had_not_run_yet() {
        for runs in [None, Some((1001, 1500))] {
            let then = recalled(resident(1000, runs), Known::Nothing);
            assert_eq!(then, Then::NotRun(Some(THEN)));
        }
    }

    #[test]
    fn a_run_from_before_the_first_one_was_anothers() {
        let not_run = recalled(resident(800, Some((1200, 1500))), known(700));
        assert_eq!(not_run, Then::NotRun(Some(at(800))));
        let forgotten = recalled(resident(800, Some((900, 1500))), known(700));
        assert_eq!(forgotten, Then::Forgotten);
    }

    #[test]
    fn whoever_stood_where_one_was_born_later_was_another() {
        let unborn = [None, Some((1100, 1500))].map(|runs| Some(resident(1001, runs)));
        for resident in [None, unborn[0], unborn[1]] {
            for (known, then) in [
                (known(700), Then::Ran(run(700))),
                (Known::NoRun, Then::NotRun(None)),
                (Known::Nothing, Then::Forgotten),
            ] {
                let stood = recall(resident, true, known, THEN);
                assert_eq!(stood, Recalled::Other(then));
                let nobody = recall(resident, false, known, THEN);
                assert_eq!(nobody, Recalled::Nobody);
            }
        }
    }

    fn frames(lane: &mut MeasuredLane<Simulated>, count: usize) -> History {
        let mut history = History::default();
        for _ in 0..count {
            let record = lane.frame().clone();
            let past = history.begin(lane);
            history.end(past, record);
        }
        history
    }

    type Lived = Option<(u64, Option<PastRun>)>;

    /// Who lives at each of 60 places, and the last run of each.
    fn living(lane: &MeasuredLane<Simulated>) -> Vec<Lived> {
        let world = lane.world();
        let at = |place| {
            let entity = world.entity(world.tasks().at(place)?)?;
            let runs = Resident::at(world, place)?.runs;
            Some((entity.number, runs.map(|(_, last)| last)))
        };
        (0..60).map(at).collect()
    }

    /// What is recalled of every frame is held against what the world was in that frame.
    #[test]
    fn what_is_recalled_of_a_frame_is_what_was_there_in_it() {
        let set: [(&'static Knob, f64); 3] = [(&ENTITIES, 40.0), (&COST, 0.0), (&CHURN, 20.0)];
        let mut lane = lane("fixed-interval", &set);
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
        let now = living(&lane);
        let mut cases = [0; 5];
        for (past, was) in history.frames().iter().zip(was) {
            let all = history.recall_all(lane.world(), past, 60);
            for (place, was) in (0..).zip(was) {
                let recalled = all[place as usize];
                assert_eq!(recalled, history.recall(lane.world(), past, place));
                let same = was.map(|was| was.0) == now[place as usize].map(|now| now.0);
                let case = match (recalled, was) {
                    (Recalled::Nobody, None) => 0,
                    (Recalled::Resident(Then::NotRun(_)), Some((_, None))) if same => 1,
                    (Recalled::Resident(Then::Ran(run)), Some((_, Some(own)))) => {
                        assert!(same && own == run, "{place} in {}", past.record.number);
                        2
                    }
                    (Recalled::Other(Then::NotRun(None)), Some((_, None))) if !same => 3,
                    // The run may be its predecessor's where it has made none itself.
                    (Recalled::Other(Then::Ran(run)), Some((_, own))) if !same => {
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
    fn in_a_frame_of_several_updates_each_run_is_recalled_at_its_own_time() {
        let set: [(&'static Knob, f64); 3] = [(&ENTITIES, 30.0), (&COST, 0.0), (&RENDER_MS, 70.0)];
        let mut lane = lane("fixed-interval", &set);
        lane.set_frame_loop(frame_loop::by_key("fixed-step").unwrap());
        let mut history = History::default();
        let mut was = Vec::new();
        for _ in 0..60 {
            let record = lane.frame().clone();
            let past = history.begin(&lane);
            history.end(past, record);
            was.push(living(&lane));
        }
        let mut within = 0;
        for (past, was) in history.frames().iter().zip(was) {
            let all = history.recall_all(lane.world(), past, 30);
            for (place, was) in (0..30).zip(was) {
                let recalled = history.recall(lane.world(), past, place);
                assert_eq!(recalled, all[place as usize]);
                let Some((_, Some(own))) = was else { continue };
                assert_eq!(recalled, Recalled::Resident(Then::Ran(own)));
                let ran_in = history.frame_at(own.at).unwrap();
                assert!(ran_in.ran().any(|other| other == place), "its own frame");
                within += u32::from(own.at < ran_in.now);
            }
        }
        assert!(
            within > 500,
            "{within} before the last update of their frame"
        );
    }

    #[test]
    fn nothing_is_recalled_across_a_frame_that_has_forgotten_who_ran() {
        let mut lane = lane("every-frame", &[(&ENTITIES, 3.0), (&COST, 0.0)]);
        let complete = frames(&mut lane, 6);
        let mut history = History::default();
        for past in complete.frames() {
            let mut past = past.clone();
            if past.record.number == 3 {
                past.ran = None;
            }
            history.push(past);
        }
        let recalled = |number| {
            let past = history.frame(number).unwrap();
            history.recall_all(lane.world(), past, 3)[0]
        };
        assert_eq!(recalled(3), Recalled::Resident(Then::Forgotten));
        for number in [2, 4, 5] {
            let past = history.frame(number).unwrap();
            let run = PastRun {
                at: past.now,
                seen: past.target,
            };
            assert_eq!(
                recalled(number),
                Recalled::Resident(Then::Ran(run)),
                "frame {number}"
            );
        }
    }
}
