//! Builds the text that describes an entity, either in the current frame or in a past frame.

use super::{History, PastFrame, PastSlot, PastState};
use crate::measure::{GameSpeed, MeasuredLane};
use crate::sim::lane::Run;
use crate::sim::machine::Machine;
use crate::sim::world::{COST, Point};
use crate::text::format;
use crate::text::format::counted;
use timeslicer::time::{GameTime, Nanos};

const NOT_BORN: &str = "not born yet";
const NOT_RUN: &str = "not yet run";
const FORGOTTEN: &str = "last run no longer recorded";
const DEAD_ENTITY_TITLE: &str = "Entity that has since died";

/// The maximum number of recent runs that an entity's description summarizes. Searching the history for more runs would
/// be slow if there are many entities.
const MAX_SUMMARIZED_RUNS: u64 = 30;

/// If an entity is closer to the target than this distance, its description does not mention its gaze, which is the
/// direction in which it looks. So close to the target, the angle means little.
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

/// Describes the entity in a slot of the world, either as it is now or as it was in a past frame. In a past frame, the
/// slot may have belonged to an earlier entity, which has died since then. If `is_pinned` is true, such an entity is
/// ignored because the user has pinned the slot's current entity. Returns `None` if the slot is empty.
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
                frame: lane.last_frame().number,
                now: lane.now(),
                changed: lane.frame_sums().restarted_at,
                target: world.target(),
                in_progress: lane.runs(),
                present: Some((lane.game_speed(), world.cost(task?).unwrap_or_default())),
            };
            (moment, PastSlot::Current(PastState::present(world, task?)?))
        }
        Some(past) => {
            let then = match history.replay(world, past, slot..slot + 1)[0] {
                // The pinned entity was not born yet.
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
    /// The number of the frame.
    frame: u64,
    /// The game time of the last update in the frame.
    now: GameTime,
    /// The game time of the last reset of the metrics.
    changed: GameTime,
    target: Point,
    /// The runs of the current frame, which may not be in the history yet.
    in_progress: &'a [Run],
    /// In the current frame, the speed of the game and the cost of the entity's task.
    present: Option<(GameSpeed, Nanos)>,
}

impl<'a> Moment<'a> {
    fn of(history: &'a History, past: &PastFrame) -> Self {
        Self {
            history,
            frame: past.record.number,
            now: past.now,
            changed: past.sums.restarted_at,
            target: past.target,
            in_progress: &[],
            present: None,
        }
    }

    /// Describes the entity that was in a slot. `number` is the number of the entity that is in the slot now. If the
    /// slot was empty, the text says that the current entity was not born yet. Returns `None` if the slot is empty now,
    /// too.
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
                let born = self.since(born, None);
                (format!("born {born}, {NOT_RUN}"), None)
            }
            Some(PastState::Forgotten) => (FORGOTTEN.to_owned(), None),
            Some(PastState::Ran(run)) => (self.last_ran(run.at), Some(run)),
        };
        let runs = run.and_then(|run| self.runs_until(run.at, slot));
        let cost = self.present.map(|(_, cost)| {
            let micros = cost.as_nanos() as f64 / 1e3;
            format!("task cost {}", format::knob(&COST, micros))
        });
        let gaze = run.and_then(|run| gaze(place, run.seen, self.target));
        let lines = [Some(first), runs, cost, gaze];
        Some(EntityInfo {
            name,
            lines: lines.into_iter().flatten().collect(),
            seen: run.map(|run| run.seen),
        })
    }

    /// Describes when an entity last ran, such as `last ran 0.07 s (4 frames) ago`. The number of frames is left out if
    /// the frame of the run is no longer recorded.
    fn last_ran(&self, time: GameTime) -> String {
        match self.frames_since(time) {
            Some(0) if self.present.is_some() => "ran in this frame".to_owned(),
            Some(0) => "ran in that frame".to_owned(),
            frames => {
                let frames = frames.map(|frames| counted(frames, "frame"));
                format!("last ran {}", self.since(time, frames))
            }
        }
    }

    /// Formats the time that has passed since `time`, such as `0.07 s ago`. A remark is added in brackets. If the game
    /// does not run in real time, the text also states how much real time this is.
    fn since(&self, time: GameTime, remark: Option<String>) -> String {
        let (speed, before) = match self.present {
            Some((speed, _)) => (speed, "ago"),
            None => (self.speed_between(time, self.now), "earlier"),
        };
        let time = self.now - time;
        let words = format!("{} s", format::fixed(time.as_secs_f64(), 2));
        let words = speed.of_game_time(words, remark, time);
        format!("{words} {before}")
    }

    /// Returns how many frames have passed since the game time `time`. Returns `None` if the frame that contains `time`
    /// is no longer recorded.
    fn frames_since(&self, time: GameTime) -> Option<u64> {
        if let Some(past) = self.history.frame_at(time) {
            return Some(self.frame.saturating_sub(past.record.number));
        }
        // The frame in progress is not in the history yet.
        let newest = self.history.frames().back().map(|past| past.now);
        let in_progress = newest.map_or(time == self.now, |newest| time > newest);
        in_progress.then_some(0)
    }

    /// Returns the game's average speed between two game times. Returns [`GameSpeed::REAL`] if the frame that contains
    /// `from` is no longer recorded.
    fn speed_between(&self, from: GameTime, to: GameTime) -> GameSpeed {
        let Some(first) = self.history.frame_at(from) else {
            return GameSpeed::REAL;
        };
        let last = self.frame - self.frames_since(to).unwrap_or(0);
        let between = first.record.number..last;
        let lengths = between.filter_map(|number| Some(self.history.frame(number)?.record.length));
        GameSpeed::over_frames(to - from, lengths)
    }

    fn run(&self, at: GameTime, slot: u32) -> Option<&Run> {
        let frame = self.history.frame_at(at);
        let mut runs = frame.map_or(self.in_progress, PastFrame::runs).iter();
        runs.find(|run| run.task.index == slot && run.time == at)
    }

    /// Returns a text such as `3 runs since birth, every 0.500 ± 0.000 s` about the recent runs of the entity in
    /// `slot`. `last` is the game time of its last run. Runs before the last setting change are left out. Returns
    /// `None` if the last run is no longer recorded.
    fn runs_until(&self, last: GameTime, slot: u32) -> Option<String> {
        let mut intervals: Vec<f64> = Vec::new();
        let (mut runs, mut at) = (0, last);
        let range = loop {
            if at < self.changed {
                break " since change";
            }
            if runs == MAX_SUMMARIZED_RUNS {
                break "";
            }
            let Some(run) = self.run(at, slot) else {
                break "";
            };
            runs += 1;
            if run.first {
                break " since birth";
            }
            at = run.time - run.elapsed;
            if at >= self.changed {
                intervals.push(run.elapsed.as_secs_f64());
            }
        };
        let counted = counted(runs, "run");
        let runs = match (range, runs) {
            ("", 0) => return None,
            (_, 0) => return Some(format!("no run{range}")),
            ("", _) => format!("last {counted}"),
            _ => format!("{counted}{range}"),
        };
        if intervals.is_empty() {
            return Some(runs);
        }
        let count = intervals.len() as f64;
        let mean = intervals.iter().sum::<f64>() / count;
        let squares = intervals.iter().map(|secs| (secs - mean) * (secs - mean));
        let deviation = (squares.sum::<f64>() / count).sqrt();
        let speed = self.speed_between(at.max(self.changed), last);
        let words = format!("every {mean:.3} ± {deviation:.3} s");
        let every = speed.of_game_time(words, None, Nanos::from_secs_f64(mean));
        Some(format!("{runs}, {every}"))
    }
}

/// Describes how far the gaze of an entity lags behind the target, such as `gaze 12° behind the target`. Returns `None`
/// if the entity is too close to the target.
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
    fn a_living_entity_shows_birth_runs_and_cost() {
        let mut lane = lane("variable-step", 0.0);
        let history = recorded(&mut lane, 7);
        let newborn = format!("born 0.10 s ago, {NOT_RUN}");
        assert_eq!(lines(&lane, &history, 1), [&newborn, "task cost 120 µs"]);
        let history = recorded(&mut lane, 73);
        let all = lines(&lane, &history, 0);
        assert_eq!(all[0], "last ran 0.07 s (4 frames) ago");
        assert_eq!(all[1], "3 runs since birth, every 0.500 ± 0.000 s");
        lane.set_knob(&ENTITIES, 1.0);
        assert_eq!(entity_info(&lane, &history, None, 1, false), None);
    }

    #[test]
    fn a_slow_game_has_both_times() {
        let mut lane = lane("unsynced", 49.88); // with a task, updates of 20 ms are 50 ms apart
        let history = recorded(&mut lane, 200);
        let all = lines(&lane, &history, 0);
        let interval = "every 0.500 ± 0.000 s of game time (1.25 s real)";
        assert!(all[1].ends_with(interval), "{all:?}");
        assert!(all[0].contains(" s of game time ("), "{all:?}");
        let past = past_lines(&lane, &history, 150);
        assert!(past[0].contains(" s of game time ("), "{past:?}");
    }

    #[test]
    fn times_are_those_of_the_run_and_not_the_frame() {
        let mut lane = lane("fixed-step", 100.0);
        let mut history = recorded(&mut lane, 9);
        // The entity ran at 0.26 s in the third of the five updates of frame 3, and at 0.76 s in an update of frame 8.
        assert_eq!(lines(&lane, &history, 0)[0], "ran in this frame");
        let _updated = lane.begin_frame(); // in progress, as while the window is painted
        assert_eq!(
            lines(&lane, &history, 0)[0],
            "last ran 0.14 s (1 frame) ago"
        );
        history.push(PastFrame::of(&lane));
        for (number, expected) in [
            (3, "ran in that frame"),
            (4, "last ran 0.14 s (1 frame) earlier"),
            (7, "last ran 0.44 s (4 frames) earlier"),
        ] {
            assert_eq!(past_lines(&lane, &history, number)[0], expected);
        }
    }

    #[test]
    fn runs_are_those_of_the_recorded_frames_since_the_change() {
        let mut lane = lane_with("every-frame", &[(&ENTITIES, 40.0), (&CHURN, 20.0)]);
        let mut history = History::default();
        for entry in STRATEGIES {
            lane.set_strategy(entry);
            for _ in 0..60 {
                lane.frame();
                history.push(PastFrame::of(&lane));
            }
        }
        let mut changed = 0;
        for past in history.frames().iter().step_by(7) {
            let recalled = history.replay(lane.world(), past, 0..40);
            for (place, recalled) in (0..).zip(recalled) {
                let (PastSlot::Current(PastState::Ran(run))
                | PastSlot::Former(PastState::Ran(run))) = recalled
                else {
                    continue;
                };
                let moment = Moment::of(&history, past);
                let info = moment.describe(recalled, Some(0), place, CENTER).unwrap();
                let before = history.frames().iter();
                let before = before.take_while(|it| it.record.number <= past.record.number);
                let at_place = before
                    .flat_map(PastFrame::runs)
                    .filter(|it| it.task.index == place);
                let all: Vec<&Run> = at_place.filter(|it| it.time <= run.at).collect();
                let (last, since) = (all[all.len() - 1].task, past.sums.restarted_at);
                let own = all.iter().filter(|it| it.task == last && it.time >= since);
                let own: Vec<&&Run> = own.rev().take(30).collect();
                let whole = own
                    .iter()
                    .filter(|it| !it.first && it.time - it.elapsed >= since);
                let whole: Vec<f64> = whole.map(|it| it.elapsed.as_secs_f64()).collect();
                let count = whole.len();
                let mean = whole.iter().sum::<f64>() / count as f64;
                let shown = &info.lines[1];
                if own.is_empty() {
                    assert_eq!(shown, "no run since change");
                    continue;
                }
                let runs = counted(own.len() as u64, "run");
                assert!(shown.contains(&runs), "{shown}, but {runs}");
                let every = format!(", every {} ±", format::fixed(mean, 3));
                assert!(count == 0 || shown.contains(&every), "{shown}, but {every}");
                changed += usize::from(shown.contains("since change"));
            }
        }
        assert!(changed > 100, "{changed}");
    }

    #[test]
    fn past_details_contain_nothing_later() {
        let mut lane = lane("variable-step", 0.0);
        let history = recorded(&mut lane, 80);
        let unborn = format!("born 0.23 s earlier, {NOT_RUN}");
        assert_eq!(past_lines(&lane, &history, 14), [unborn]);
        let every = ", every 0.500 ± 0.000 s";
        for (number, last, runs) in [
            (15, "ran in that frame", "1 run since birth"),
            (16, "last ran 0.02 s (1 frame) earlier", "1 run since birth"),
            (
                44,
                "last ran 0.48 s (29 frames) earlier",
                "1 run since birth",
            ),
            (
                45,
                "ran in that frame",
                &format!("2 runs since birth{every}"),
            ),
            (
                79,
                "last ran 0.07 s (4 frames) earlier",
                &format!("3 runs since birth{every}"),
            ),
        ] {
            let details = past_lines(&lane, &history, number);
            assert_eq!(details[..2], [last, runs]);
            assert_eq!(details.len(), 3);
        }
        // The target completes an orbit in nine seconds, so it moves by 40 degrees per second on average.
        let gaze = |number: u64| past_lines(&lane, &history, number)[2].clone();
        assert_eq!(gaze(15), "gaze 0° behind the target");
        let in_range = |degrees: u32| gaze(44) == format!("gaze {degrees}° behind the target");
        assert!((8..30).any(in_range), "{} in half a second", gaze(44));
    }

    #[test]
    fn unknown_past_is_reported_as_such() {
        let mut lane = lane("variable-step", 0.0);
        let history = recorded(&mut lane, 3);
        let past = history.frame(2).unwrap();
        let moment = Moment::of(&history, past);
        let run = PastState::Ran(PastRun {
            at: past.now,
            seen: CENTER,
        });
        for (recalled, name, line) in [
            (PastSlot::Empty, "E7", NOT_BORN),
            (PastSlot::Current(PastState::Forgotten), "E7", FORGOTTEN),
            (
                PastSlot::Former(run),
                DEAD_ENTITY_TITLE,
                "ran in that frame",
            ),
            (
                PastSlot::Former(PastState::NotRun(None)),
                DEAD_ENTITY_TITLE,
                NOT_RUN,
            ),
            (
                PastSlot::Former(PastState::Forgotten),
                DEAD_ENTITY_TITLE,
                FORGOTTEN,
            ),
        ] {
            let info = moment.describe(recalled, Some(7), 0, past.target);
            let info = info.expect("an entity is in the slot");
            assert_eq!((&*info.name, &*info.lines), (name, &[line.to_owned()][..]));
        }
        let empty = moment.describe(PastSlot::Empty, None, 0, past.target);
        assert_eq!(empty, None);
    }
}
