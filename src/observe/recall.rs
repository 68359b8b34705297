//! How a place looked at a past game time, as far as anybody still knows.
//!
//! The world knows of those who live now: when each was born, first ran and last ran, and where it last
//! looked. The [`History`] knows which places ran in which frame, as long as it has room. Neither knows when
//! somebody died, nor who it was that died: a place that was left, or taken anew since, shows the last run
//! that was made there, though whoever made it may have been dead by then; and where no such run is
//! remembered it shows nobody, though somebody may have stood there.

use super::{History, PastFrame};
use crate::time::Nanos;
use crate::world::{Point, World};

/// A run that is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PastRun {
    /// Game time when it ran, or when its frame's last update was.
    pub at: Nanos,
    /// Where the target was then: there its entity has looked since.
    pub seen: Point,
}

/// What the world knows now of the one who lives at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resident {
    /// When it was born.
    pub born: Nanos,
    /// When it ran first, and last; none where it never did.
    pub runs: Option<(Nanos, PastRun)>,
}

/// What is known of a place at a past game time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recalled {
    /// As far as is known, nobody stood there.
    Nobody,
    /// The one who lives there now did so then, born at this game time, and had not run yet.
    NotRun(Nanos),
    /// The one who lives there now had run last in this run.
    Ran(PastRun),
    /// The one who lives there now had run, and when it last did nobody knows any more.
    Forgotten,
    /// The one who lives there now did not exist yet. Somebody who has died since had run last in this run.
    Other(PastRun),
}

/// How a place looked at game time `then`. `resident` lives there now; `known` is the last run there, up to
/// `then`, that the history remembers, with no run forgotten since.
#[must_use]
pub fn recall(resident: Option<Resident>, known: Option<PastRun>, then: Nanos) -> Recalled {
    let Some(resident) = resident.filter(|resident| resident.born <= then) else {
        return known.map_or(Recalled::Nobody, Recalled::Other);
    };
    match resident.runs {
        Some((_, last)) if last.at <= then => Recalled::Ran(last),
        // It has run since. A run from before its first one was another's, who stood there before it.
        Some((first, _)) if first <= then => known
            .filter(|run| run.at >= first)
            .map_or(Recalled::Forgotten, Recalled::Ran),
        _ => Recalled::NotRun(resident.born),
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
        let known = runs
            .filter(|(_, ran)| ran.contains(&place))
            .map(|(run, _)| run)
            .next();
        recall(Resident::at(world, place), known, past.now)
    }

    /// How each of the first `places` looked in a frame of this history. Looks back no further than it takes
    /// to know of all of them.
    #[must_use]
    pub fn recall_all(&self, world: &World, past: &PastFrame, places: u32) -> Vec<Recalled> {
        let mut known = vec![None; places as usize];
        let mut missing = known.len();
        for (run, ran) in self.known_until(past.record.number) {
            if missing == 0 {
                break;
            }
            for &place in ran {
                if let Some(known @ None) = known.get_mut(place as usize) {
                    *known = Some(run);
                    missing -= 1;
                }
            }
        }
        (0..)
            .zip(known)
            .map(|(place, known)| recall(Resident::at(world, place), known, past.now))
            .collect()
    }

    /// The runs of the frames up to `number`, newest first, until one has forgotten who ran in it: who ran
    /// before that may have run in it, too.
    fn known_until(&self, number: u64) -> impl Iterator<Item = (PastRun, &[u32])> {
        let frames = self.frames().iter().rev();
        frames
            .skip_while(move |past| past.record.number > number)
            .take_while(|past| !past.has_forgotten())
            .map(|past| {
                let run = PastRun {
                    at: past.now,
                    seen: past.target,
                };
                (run, past.ran.as_deref().unwrap_or_default())
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knob::KnobValues;
    use crate::lane::Lane;
    use crate::machine::Simulated;
    use crate::settings::Settings;
    use crate::strategy::by_key;
    use crate::world::{CHURN, COST, ENTITIES};

    const THEN: Nanos = Nanos::from_millis(1000);

    fn run(at_ms: u64) -> PastRun {
        PastRun {
            at: Nanos::from_millis(at_ms),
            seen: Point {
                x: at_ms as f32,
                y: 0.0,
            },
        }
    }

    fn resident(born_ms: u64, runs_ms: Option<(u64, u64)>) -> Resident {
        Resident {
            born: Nanos::from_millis(born_ms),
            runs: runs_ms.map(|(first, last)| (Nanos::from_millis(first), run(last))),
        }
    }

    fn recalled(resident: Resident, known: Option<PastRun>) -> Recalled {
        recall(Some(resident), known, THEN)
    }

    #[test]
    fn one_that_has_not_run_since_looks_as_its_last_run_left_it_whatever_is_remembered() {
        for known in [None, Some(run(900)), Some(run(300))] {
            let recalled = recalled(resident(0, Some((100, 900))), known);
            assert_eq!(recalled, Recalled::Ran(run(900)));
        }
        let in_that_frame = recalled(resident(0, Some((1000, 1000))), None);
        assert_eq!(in_that_frame, Recalled::Ran(run(1000)));
    }

    #[test]
    fn one_that_has_run_since_looks_as_the_last_remembered_run_before_left_it() {
        let recalled = recalled(resident(0, Some((100, 1500))), Some(run(700)));
        assert_eq!(recalled, Recalled::Ran(run(700)));
    }

    #[test]
    fn when_one_ran_that_nobody_remembers_is_forgotten_and_never_made_up() {
        let recalled = recalled(resident(0, Some((100, 1500))), None);
        assert_eq!(recalled, Recalled::Forgotten);
    }

    #[test]
    fn one_that_ran_only_later_or_never_had_not_run_yet() {
        for runs in [None, Some((1001, 1500))] {
            let recalled = recalled(resident(1000, runs), None);
            assert_eq!(recalled, Recalled::NotRun(THEN));
        }
    }

    #[test]
    fn a_run_from_before_the_first_one_was_anothers() {
        let not_run = recalled(resident(800, Some((1200, 1500))), Some(run(700)));
        assert_eq!(not_run, Recalled::NotRun(Nanos::from_millis(800)));
        let forgotten = recalled(resident(800, Some((900, 1500))), Some(run(700)));
        assert_eq!(forgotten, Recalled::Forgotten);
    }

    #[test]
    fn one_born_later_did_not_exist_and_whoever_ran_there_was_another() {
        let unborn = [None, Some((1100, 1500))].map(|runs| Some(resident(1001, runs)));
        for resident in [None, unborn[0], unborn[1]] {
            assert_eq!(recall(resident, None, THEN), Recalled::Nobody);
            assert_eq!(
                recall(resident, Some(run(700)), THEN),
                Recalled::Other(run(700))
            );
        }
    }

    fn lane(strategy: &str, set: &[(&'static crate::knob::Knob, f64)]) -> Lane<Simulated> {
        let knobs = KnobValues::with(set);
        let machine = Simulated::new(&knobs);
        let settings = Settings {
            strategy: by_key(strategy).unwrap(),
            knobs,
            ..Settings::default()
        };
        Lane::new(settings, machine)
    }

    fn frames(lane: &mut Lane<Simulated>, count: usize) -> History {
        let mut history = History::default();
        for _ in 0..count {
            let record = lane.frame().clone();
            let past = history.begin(lane);
            history.end(past, record);
        }
        history
    }

    /// What is recalled of every frame is held against what the world was in that frame.
    #[test]
    fn what_is_recalled_of_a_frame_is_what_was_there_in_it() {
        let mut lane = lane(
            "fixed-interval",
            &[(&ENTITIES, 40.0), (&COST, 0.0), (&CHURN, 20.0)],
        );
        let mut history = History::default();
        let mut was = Vec::new();
        for _ in 0..200 {
            let record = lane.frame().clone();
            let past = history.begin(&lane);
            history.end(past, record);
            let world = lane.world();
            was.push(
                (0..40)
                    .map(|place| {
                        let number = world
                            .entity(world.tasks().at(place).unwrap())
                            .unwrap()
                            .number;
                        (number, Resident::at(world, place).unwrap().runs)
                    })
                    .collect::<Vec<_>>(),
            );
        }
        let world = lane.world();
        let mut seen = [0; 5];
        for (past, was) in history.frames().iter().zip(was) {
            let all = history.recall_all(world, past, 40);
            for (place, (number, runs)) in (0..).zip(was) {
                let recalled = all[place as usize];
                assert_eq!(recalled, history.recall(world, past, place));
                let now = world
                    .entity(world.tasks().at(place).unwrap())
                    .unwrap()
                    .number;
                let runs = runs.map(|(_, last)| last);
                match recalled {
                    Recalled::Nobody => assert!(number < now && runs.is_none()),
                    Recalled::NotRun(_) => assert!(number == now && runs.is_none()),
                    Recalled::Ran(run) => assert_eq!((number, runs), (now, Some(run))),
                    Recalled::Forgotten => panic!("everything is remembered"),
                    Recalled::Other(run) => {
                        assert!(number < now && runs.is_none_or(|own| own == run));
                    }
                }
                seen[match recalled {
                    Recalled::Nobody => 0,
                    Recalled::NotRun(_) => 1,
                    Recalled::Ran(_) => 2,
                    Recalled::Forgotten => 3,
                    Recalled::Other(_) => 4,
                }] += 1;
            }
        }
        let [nobody, not_run, ran, _, other] = seen;
        assert!(
            nobody > 0 && not_run > 0 && ran > 0 && other > 0,
            "{seen:?}"
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
        assert_eq!(recalled(3), Recalled::Forgotten);
        for number in [2, 4, 5] {
            let past = history.frame(number).unwrap();
            let run = PastRun {
                at: past.now,
                seen: past.target,
            };
            assert_eq!(recalled(number), Recalled::Ran(run), "frame {number}");
        }
    }
}
