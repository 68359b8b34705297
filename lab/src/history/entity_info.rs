//! Builds the text that describes an entity, either in the current frame or in a past frame.

use super::{History, PastFrame, PastSlot, PastState};
use crate::measure::MeasuredLane;
use crate::sim::lane::Run;
use crate::sim::machine::Machine;
use crate::sim::world::{COST, Point};
use crate::text::format::{self, time};
use timeslicer::time::{GameTime, Nanos};

const NOT_BORN: &str = "not born yet";
const NOT_RUN: &str = "not yet run";
const FORGOTTEN: &str = "last run no longer recorded";
const DEAD_ENTITY_TITLE: &str = "Entity that has since died";

/// The maximum number of recent runs that a description summarises. Searching the history for more would be slow.
const MAX_SUMMARIZED_RUNS: u64 = 30;

/// If an entity is closer to the target than this, its gaze angle means little, so its description leaves it out.
const MIN_TARGET_DISTANCE: f32 = 0.02;

#[derive(Clone, Debug, PartialEq)]
pub struct EntityInfo {
    /// The entity's name, such as `E312`.
    pub name: String,
    pub lines: Vec<String>,
    /// The point that the entity looks at. `None` if it has not run yet, or if its last run is no longer recorded.
    pub seen: Option<Point>,
}

/// Returns the name of an entity, such as `E312`. Entities are numbered in the order in which they were born.
pub fn name(number: u64) -> String {
    format!("E{number}")
}

/// Describes the entity in a slot, as it is now or as it was in the frame `past`. In a past frame, the slot may have
/// belonged to another entity, which is ignored if `is_pinned`. Returns `None` if the slot is empty.
pub fn entity_info<M: Machine>(
    lane: &MeasuredLane<M>,
    history: &History,
    past: Option<&PastFrame>,
    slot: u32,
    is_pinned: bool,
) -> Option<EntityInfo> {
    let world = lane.world();
    let task = world.tasks().at(slot);
    let number = task.and_then(|task| Some(world.entity(task)?.number));
    let place = world.plane().position(slot);
    let (moment, then) = match past {
        None => {
            let moment = Moment {
                history,
                now: lane.now(),
                changed: lane.observer().frame.restarted_at,
                target: world.target(),
                in_progress: lane.runs(),
                cost: world.cost(task?),
            };
            (moment, PastSlot::Current(PastState::present(world, task?)?))
        }
        Some(past) => {
            let then = match history.replay(world, past, slot..slot + 1)[0] {
                // The slot belonged to another entity, so the pinned one was not born yet.
                PastSlot::Former(_) if is_pinned => PastSlot::Empty,
                then => then,
            };
            (Moment::of(history, past), then)
        }
    };
    moment.describe(then, number, slot, place)
}

/// The frame in which an entity is described.
struct Moment<'a> {
    history: &'a History,
    /// The game time of the last update in the frame.
    now: GameTime,
    /// The game time of the last reset of the metrics.
    changed: GameTime,
    target: Point,
    /// The runs of the current frame, which may not be in the history yet.
    in_progress: &'a [Run],
    /// The cost of the entity's task. It is known only in the current frame.
    cost: Option<Nanos>,
}

impl<'a> Moment<'a> {
    fn of(history: &'a History, past: &PastFrame) -> Self {
        Self {
            history,
            now: past.record.now,
            changed: past.sums.restarted_at,
            target: past.target,
            in_progress: &[],
            cost: None,
        }
    }

    /// Describes the entity that was in a slot. `number` is the number of the entity that is there now. If the slot was
    /// empty, the text says that this entity was not born yet. Returns `None` if the slot is empty now, too.
    fn describe(
        &self,
        then: PastSlot,
        number: Option<u64>,
        slot: u32,
        place: Point,
    ) -> Option<EntityInfo> {
        let (name, then) = match then {
            PastSlot::Empty => (name(number?), None),
            PastSlot::Current(then) => (name(number?), Some(then)),
            PastSlot::Former(then) => (DEAD_ENTITY_TITLE.to_owned(), Some(then)),
        };
        let (first, run) = match then {
            None => (NOT_BORN.to_owned(), None),
            Some(PastState::NotRun(None)) => (NOT_RUN.to_owned(), None),
            Some(PastState::NotRun(Some(born))) => {
                (format!("born {}, {NOT_RUN}", self.ago(born)), None)
            }
            Some(PastState::Forgotten) => (FORGOTTEN.to_owned(), None),
            Some(PastState::Ran(run)) if run.at == self.now => {
                ("ran in this frame".to_owned(), Some(run))
            }
            Some(PastState::Ran(run)) => (format!("last ran {}", self.ago(run.at)), Some(run)),
        };
        let intervals = run.and_then(|run| self.intervals(run.at, slot));
        let cost = self.cost.map(|cost| {
            let micros = cost.as_nanos() as f64 / 1e3;
            format!("task cost {}", format::knob(&COST, micros))
        });
        let gaze = run.and_then(|run| gaze(place, run.seen, self.target));
        let lines = [Some(first), intervals, cost, gaze];
        Some(EntityInfo {
            name,
            lines: lines.into_iter().flatten().collect(),
            seen: run.map(|run| run.seen),
        })
    }

    /// Formats the time that has passed since `then`, such as `0.07 s ago`.
    fn ago(&self, then: GameTime) -> String {
        format!("{} ago", format::seconds((self.now - then).as_secs_f64()))
    }

    fn run(&self, at: GameTime, slot: u32) -> Option<&Run> {
        let frame = self.history.frame_at(at);
        let mut runs = frame.map_or(self.in_progress, PastFrame::runs).iter();
        runs.find(|run| run.task.index == slot && run.time == at)
    }

    /// Returns a text such as `mean interval 500 ms, longest 517 ms` about the recent runs of the entity in `slot`.
    /// `last` is the game time of its last run. Only recorded intervals since the last setting change are included.
    /// Returns `None` if there are none.
    fn intervals(&self, last: GameTime, slot: u32) -> Option<String> {
        let (mut count, mut first, mut longest) = (0, last, Nanos::ZERO);
        while let Some(run) = self.run(first, slot)
            && !run.first
            && run.time - run.elapsed >= self.changed
            && count < MAX_SUMMARIZED_RUNS
        {
            count += 1;
            first = run.time - run.elapsed;
            longest = longest.max(run.elapsed);
        }
        let mean = (last - first).as_nanos().checked_div(count)?;
        let (mean, longest) = (time(Nanos::from_nanos(mean)), time(longest));
        Some(format!("mean interval {mean}, longest {longest}"))
    }
}

/// Describes the lag of a gaze, such as `gaze 12° behind the target`, unless the entity is too close to the target.
fn gaze(place: Point, seen: Point, target: Point) -> Option<String> {
    let (gaze, aim) = (place.towards(seen), place.towards(target));
    let turn = (gaze.0 * aim.1 - gaze.1 * aim.0).atan2(gaze.0 * aim.0 + gaze.1 * aim.1);
    let behind = turn.abs().to_degrees();
    let is_apart = aim.0.hypot(aim.1) > MIN_TARGET_DISTANCE;
    is_apart.then(|| format!("gaze {behind:.0}° behind the target"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::strategy::STRATEGIES;
    use crate::history::PastRun;
    use crate::sim::machine::{RENDER_MS, Simulated};
    use crate::sim::world::{CHURN, ENTITIES};
    use crate::testing::{lane as lane_with, lane_of, recorded};

    const CENTER: Point = Point { x: 0.5, y: 0.25 };

    /// Creates a lane of two entities that each run every 0.5 s. The first one runs at 0.25 s, in frame 15 at 60 Hz.
    fn lane(frame_loop: &str, render_ms: f64) -> MeasuredLane<Simulated> {
        let set = [(&ENTITIES, 2.0), (&COST, 120.0), (&RENDER_MS, render_ms)];
        lane_of("fixed-interval", frame_loop, &set)
    }

    fn lines(lane: &MeasuredLane<Simulated>, history: &History, place: u32) -> Vec<String> {
        entity_info(lane, history, None, place, false)
            .unwrap()
            .lines
    }

    /// Returns the details of the entity in slot 0 in the frame `number`.
    fn past_lines(lane: &MeasuredLane<Simulated>, history: &History, number: u64) -> Vec<String> {
        let past = history.frame(number).unwrap();
        let recalled = history.replay(lane.world(), past, 0..1)[0];
        let info = Moment::of(history, past).describe(recalled, Some(0), 0, CENTER);
        info.unwrap().lines
    }

    #[test]
    fn a_living_entity_shows_birth_intervals_and_cost() {
        let mut lane = lane("variable-step", 0.0);
        let history = recorded(&mut lane, 7);
        let newborn = format!("born 0.10 s ago, {NOT_RUN}");
        assert_eq!(lines(&lane, &history, 1), [&newborn, "task cost 120 µs"]);
        let history = recorded(&mut lane, 73);
        let all = lines(&lane, &history, 0);
        assert_eq!(all[0], "last ran 0.07 s ago");
        assert_eq!(all[1], "mean interval 500 ms, longest 500 ms");
        lane.set_knob(&ENTITIES, 1.0);
        assert_eq!(entity_info(&lane, &history, None, 1, false), None);
    }

    #[test]
    fn times_are_those_of_the_run_and_not_the_frame() {
        let mut lane = lane("fixed-step", 99.0); // frames of six refreshes
        let history = recorded(&mut lane, 9);
        // The entity ran at 0.26 s in the third of the five updates of frame 3, and at 0.76 s in an update of frame 8.
        let _updated = lane.begin_frame(); // in progress, as while the window is painted
        assert_eq!(lines(&lane, &history, 0)[0], "last ran 0.14 s ago");
        assert_eq!(past_lines(&lane, &history, 7)[0], "last ran 0.44 s ago");
    }

    #[test]
    fn intervals_are_those_of_the_recorded_frames_since_the_change() {
        let mut lane = lane_with("every-frame", &[(&ENTITIES, 40.0), (&CHURN, 20.0)]);
        let mut history = History::default();
        for entry in STRATEGIES {
            lane.set_strategy(entry);
            for _ in 0..60 {
                lane.frame();
                history.push(PastFrame::of(&lane));
            }
        }
        let mut known = 0;
        for past in history.frames().iter().step_by(7) {
            let recalled = history.replay(lane.world(), past, 0..40);
            for (place, recalled) in (0..).zip(recalled) {
                let (PastSlot::Current(PastState::Ran(run))
                | PastSlot::Former(PastState::Ran(run))) = recalled
                else {
                    continue;
                };
                let frames = history.frames().iter();
                let runs = frames.flat_map(PastFrame::runs);
                let at_place = runs.filter(|it| it.task.index == place && it.time <= run.at);
                let at_place: Vec<&Run> = at_place.collect();
                let last = at_place[at_place.len() - 1].task;
                let own = at_place.iter().rev().filter(|it| it.task == last);
                let whole =
                    own.filter(|it| !it.first && it.time - it.elapsed >= past.sums.restarted_at);
                let whole: Vec<u64> = whole.take(30).map(|it| it.elapsed.as_nanos()).collect();
                let expected = whole.iter().max().map(|&longest| {
                    let mean = whole.iter().sum::<u64>() / whole.len() as u64;
                    let [mean, longest] =
                        [mean, longest].map(|nanos| time(Nanos::from_nanos(nanos)));
                    format!("mean interval {mean}, longest {longest}")
                });
                known += usize::from(expected.is_some());
                assert_eq!(
                    Moment::of(&history, past).intervals(run.at, place),
                    expected
                );
            }
        }
        assert!(known > 100, "{known}");
    }

    #[test]
    fn past_details_contain_nothing_later() {
        let mut lane = lane("variable-step", 0.0);
        let history = recorded(&mut lane, 80);
        let unborn = format!("born 0.23 s ago, {NOT_RUN}");
        assert_eq!(past_lines(&lane, &history, 14), [unborn]);
        // The target completes an orbit in nine seconds, so it moves by 40 degrees per second on average.
        assert_eq!(
            past_lines(&lane, &history, 15),
            ["ran in this frame", "gaze 0° behind the target"]
        );
        let before_the_second_run = past_lines(&lane, &history, 44);
        assert_eq!(before_the_second_run.len(), 2);
        assert_eq!(before_the_second_run[0], "last ran 0.48 s ago");
        let is_gaze =
            |degrees| before_the_second_run[1] == format!("gaze {degrees}° behind the target");
        assert!((8..30).any(is_gaze), "{before_the_second_run:?}");
        let intervals = &past_lines(&lane, &history, 45)[1];
        assert_eq!(intervals, "mean interval 500 ms, longest 500 ms");
    }

    #[test]
    fn unknown_past_is_reported_as_such() {
        let mut lane = lane("variable-step", 0.0);
        let history = recorded(&mut lane, 3);
        let past = history.frame(2).unwrap();
        let moment = Moment::of(&history, past);
        let run = PastState::Ran(PastRun {
            at: past.record.now,
            seen: CENTER,
        });
        let (current, former) = (PastSlot::Current, PastSlot::Former);
        for (recalled, name, line) in [
            (PastSlot::Empty, "E7", NOT_BORN),
            (current(PastState::Forgotten), "E7", FORGOTTEN),
            (former(run), DEAD_ENTITY_TITLE, "ran in this frame"),
            (former(PastState::NotRun(None)), DEAD_ENTITY_TITLE, NOT_RUN),
            (former(PastState::Forgotten), DEAD_ENTITY_TITLE, FORGOTTEN),
        ] {
            let info = moment.describe(recalled, Some(7), 0, past.target);
            let info = info.expect("an entity is in the slot");
            assert_eq!((&*info.name, &*info.lines), (name, &[line.to_owned()][..]));
        }
        let empty = moment.describe(PastSlot::Empty, None, 0, past.target);
        assert_eq!(empty, None);
    }
}
