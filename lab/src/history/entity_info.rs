//! Builds the text that describes an entity, either in the current frame or in a past frame.

use super::{History, PastFrame, PastSlot, PastState};
use crate::measure::{GameSpeed, MeasuredLane};
use crate::sim::lane::Run;
use crate::sim::machine::Machine;
use crate::sim::world::{COST, Point};
use crate::text::format;
use crate::text::format::counted;
use timeslicer::scheduler::TaskId;
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityInfo {
    /// The entity's name, such as `E312`.
    pub name: String,
    pub lines: Vec<String>,
}

/// Returns the name of an entity, such as `E312`. Entities are numbered in the order in which they were born.
pub fn name(number: u64) -> String {
    format!("E{number}")
}

/// Describes an entity as it is now. Returns `None` if the entity is dead.
pub fn entity_info<M: Machine>(
    lane: &MeasuredLane<M>,
    history: &History,
    task: TaskId,
) -> Option<EntityInfo> {
    let world = lane.world();
    let entity = world.entity(task)?;
    let last_run = world.tasks().last_run(task)?;
    let ago = lane.now() - last_run;
    let speed = lane.game_speed();
    let mut lines = Vec::new();
    if entity.runs == 0 {
        lines.push(format!("born {} ago, {NOT_RUN}", seconds(speed, ago, None)));
    } else {
        let last = lane.last_frame().number;
        let frames = frames_since(history, last, lane.now(), last_run);
        lines.push(last_ran(speed, ago, frames, false));
        let changed = lane.frame_sums().restarted_at;
        let recorded = Recorded {
            history,
            in_progress: lane.runs(),
        };
        lines.extend(recorded.runs_until(last_run, task.index, changed));
    }
    let cost = world.cost(task).unwrap_or_default();
    let micros = cost.as_nanos() as f64 / 1e3;
    lines.push(format!("task cost {}", format::knob(&COST, micros)));
    if entity.runs > 0 {
        let place = world.plane().position(task.index);
        lines.extend(gaze(place, entity.seen, world.target()));
    }
    Some(EntityInfo {
        name: name(entity.number),
        lines,
    })
}

/// Describes the entity that was in a slot of the world in a past frame. `recalled` is the slot's state in that frame,
/// and `number` is the number of the entity that is in the slot now. If the slot was empty in that frame, the text says
/// that the current entity was not born yet. Returns `None` if the slot is empty now, too.
pub fn past_entity_info(
    history: &History,
    past: &PastFrame,
    recalled: PastSlot,
    number: Option<u64>,
    (index, place): (u32, Point),
) -> Option<EntityInfo> {
    let (name, then) = match recalled {
        PastSlot::Empty => {
            return number.map(|number| EntityInfo {
                name: name(number),
                lines: vec![NOT_BORN.to_owned()],
            });
        }
        PastSlot::Current(then) => (name(number?), then),
        PastSlot::Former(then) => (DEAD_ENTITY_TITLE.to_owned(), then),
    };
    let before = |time: GameTime| past.now - time;
    let lines = match then {
        PastState::NotRun(None) => vec![NOT_RUN.to_owned()],
        PastState::NotRun(Some(born)) => {
            let speed = speed_between(history, born, (past.record.number, past.now));
            let before = seconds(speed, before(born), None);
            vec![format!("born {before} earlier, {NOT_RUN}")]
        }
        PastState::Forgotten => vec![FORGOTTEN.to_owned()],
        PastState::Ran(run) => {
            let ran_in = history.frame_at(run.at).map(|ran_in| ran_in.record.number);
            let frames = ran_in.map(|ran_in| past.record.number.saturating_sub(ran_in));
            let speed = speed_between(history, run.at, (past.record.number, past.now));
            let line = last_ran(speed, before(run.at), frames, true);
            let recorded = Recorded {
                history,
                in_progress: &[],
            };
            let runs = recorded.runs_until(run.at, index, past.sums.restarted_at);
            let gaze = gaze(place, run.seen, past.target);
            std::iter::once(line).chain(runs).chain(gaze).collect()
        }
    };
    Some(EntityInfo { name, lines })
}

struct Recorded<'a> {
    history: &'a History,
    /// The runs of the frame in progress, which is not in the history yet.
    in_progress: &'a [Run],
}

impl Recorded<'_> {
    fn run(&self, at: GameTime, slot: u32) -> Option<&Run> {
        let frame = self.history.frame_at(at);
        let runs = frame.map_or(self.in_progress, PastFrame::runs);
        runs.iter()
            .find(|run| run.task.index == slot && run.time == at)
    }

    /// Returns a text such as `3 runs since birth, every 0.500 ± 0.000 s` about the recent runs of the entity in
    /// `slot`. `last` is the game time of its last run. Runs before the game time `changed` are left out. Returns
    /// `None` if the last run is no longer recorded.
    fn runs_until(&self, last: GameTime, slot: u32, changed: GameTime) -> Option<String> {
        let mut intervals: Vec<f64> = Vec::new();
        let (mut runs, mut at) = (0, last);
        let range = loop {
            if at < changed {
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
            if at >= changed {
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
        let count = intervals.len() as f64;
        let mean = intervals.iter().sum::<f64>() / count;
        if intervals.is_empty() {
            return Some(runs);
        }
        let squares = intervals.iter().map(|secs| (secs - mean) * (secs - mean));
        let deviation = (squares.sum::<f64>() / count).sqrt();
        let ran_in = self.history.frame_at(last);
        let newest = self.history.frames().back();
        let next = newest.map_or(0, |newest| newest.record.number + 1);
        let end = ran_in.map_or(next, |ran_in| ran_in.record.number);
        let speed = speed_between(self.history, at.max(changed), (end, last));
        let words = format!("every {mean:.3} ± {deviation:.3} s");
        let every = speed.of_game_time(words, None, Nanos::from_secs_f64(mean));
        Some(format!("{runs}, {every}"))
    }
}

/// Returns how many frames have passed from the game time `time` until the frame with the number `last` and the game
/// time `now`. Returns `None` if the frame that contains `time` is no longer recorded.
fn frames_since(history: &History, last: u64, now: GameTime, time: GameTime) -> Option<u64> {
    if let Some(past) = history.frame_at(time) {
        return Some(last.saturating_sub(past.record.number));
    }
    // The frame in progress is not in the history yet.
    let newest = history.frames().back().map(|past| past.now);
    let in_progress = newest.map_or(time == now, |newest| time > newest);
    in_progress.then_some(0)
}

/// Returns the game's average speed between the game times `from` and `to`. `end` is the number of the frame that
/// contains `to`. Returns [`GameSpeed::REAL`] if the frame that contains `from` is no longer recorded.
fn speed_between(history: &History, from: GameTime, (end, to): (u64, GameTime)) -> GameSpeed {
    let Some(first) = history.frame_at(from) else {
        return GameSpeed::REAL;
    };
    let between = first.record.number..end;
    let lengths = between.filter_map(|number| Some(history.frame(number)?.record.length));
    GameSpeed::over_frames(to - from, lengths)
}

/// Formats a game time in seconds, followed by an optional remark in brackets. If the game does not run in real time,
/// the text also states how much real time this is.
fn seconds(speed: GameSpeed, time: Nanos, remark: Option<String>) -> String {
    let words = format!("{} s", format::fixed(time.as_secs_f64(), 2));
    let words = speed.of_game_time(words, remark.map(Into::into), time);
    words.to_string()
}

/// Describes when an entity last ran, such as `last ran 0.07 s (4 frames) ago`. If `is_past`, the text says `earlier`
/// instead of `ago`. `frames` is `None` if the number of frames is unknown.
fn last_ran(speed: GameSpeed, ago: Nanos, frames: Option<u64>, is_past: bool) -> String {
    let (frame, before) = if is_past {
        ("that frame", "earlier")
    } else {
        ("this frame", "ago")
    };
    let frames = match frames {
        Some(0) => return format!("ran in {frame}"),
        frames => frames.map(|frames| counted(frames, "frame")),
    };
    format!("last ran {} {before}", seconds(speed, ago, frames))
}

/// Describes how far the gaze of an entity lags behind the target, such as `gaze 12° behind the target`. Returns `None`
/// if the entity is too close to the target.
fn gaze(place: Point, seen: Point, target: Point) -> Option<String> {
    let behind = degrees_between(place, seen, target);
    let (x, y) = place.towards(target);
    (x.hypot(y) > MIN_TARGET_DISTANCE).then(|| format!("gaze {behind:.0}° behind the target"))
}

fn degrees_between(eye: Point, one: Point, other: Point) -> f32 {
    let (one, other) = (eye.towards(one), eye.towards(other));
    let turn = (one.0 * other.1 - one.1 * other.0).atan2(one.0 * other.0 + one.1 * other.1);
    turn.abs().to_degrees()
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

    fn last_ran(secs: f64, frames: Option<u64>, is_past: bool) -> String {
        let ago = Nanos::from_secs_f64(secs);
        super::last_ran(GameSpeed::REAL, ago, frames, is_past)
    }

    /// Creates a lane of two entities that each run every 0.5 s. The first one runs at 0.25 s, in frame 15 at 60 Hz.
    fn lane(frame_loop: &str, render_ms: f64) -> MeasuredLane<Simulated> {
        let set = [(&ENTITIES, 2.0), (&COST, 120.0), (&RENDER_MS, render_ms)];
        lane_of("fixed-interval", frame_loop, &set)
    }

    fn lines(lane: &MeasuredLane<Simulated>, history: &History, place: u32) -> Vec<String> {
        let task = lane.world().tasks().at(place).unwrap();
        entity_info(lane, history, task).unwrap().lines
    }

    /// Returns the details of the entity in slot 0 in the frame `number`.
    fn past_lines(lane: &MeasuredLane<Simulated>, history: &History, number: u64) -> Vec<String> {
        let past = history.frame(number).unwrap();
        let recalled = history.replay(lane.world(), past, 0..1)[0];
        let info = past_entity_info(history, past, recalled, Some(0), (0, CENTER));
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
        assert_eq!(all[0], last_ran(0.07, Some(4), false));
        assert_eq!(all[1], "3 runs since birth, every 0.500 ± 0.000 s");
        let task = lane.world().tasks().at(1).unwrap();
        lane.set_knob(&ENTITIES, 1.0);
        assert_eq!(entity_info(&lane, &history, task), None);
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
        assert_eq!(lines(&lane, &history, 0)[0], last_ran(0.0, Some(0), false));
        let _updated = lane.begin_frame(); // in progress, as while the window is painted
        assert_eq!(lines(&lane, &history, 0)[0], last_ran(0.14, Some(1), false));
        history.push(PastFrame::of(&lane));
        for (number, secs, frames) in [(3, 0.0, 0), (4, 0.14, 1), (7, 0.44, 4)] {
            let expected = last_ran(secs, Some(frames), true);
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
                let at = (place, CENTER);
                let info = past_entity_info(&history, past, recalled, Some(0), at).unwrap();
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
        for (number, secs, frames, runs) in [
            (15, 0.0, 0, "1 run since birth".to_owned()),
            (16, 0.02, 1, "1 run since birth".to_owned()),
            (44, 0.48, 29, "1 run since birth".to_owned()),
            (45, 0.0, 0, format!("2 runs since birth{every}")),
            (79, 0.07, 4, format!("3 runs since birth{every}")),
        ] {
            let details = past_lines(&lane, &history, number);
            assert_eq!(details[..2], [last_ran(secs, Some(frames), true), runs]);
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
        let run = PastState::Ran(PastRun {
            at: past.now,
            seen: CENTER,
        });
        let ran = last_ran(0.0, Some(0), true);
        for (recalled, name, line) in [
            (PastSlot::Empty, "E7", NOT_BORN),
            (PastSlot::Current(PastState::Forgotten), "E7", FORGOTTEN),
            (PastSlot::Former(run), DEAD_ENTITY_TITLE, &ran),
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
            let info = past_entity_info(&history, past, recalled, Some(7), (0, past.target));
            let info = info.expect("an entity is in the slot");
            assert_eq!((&*info.name, &*info.lines), (name, &[line.to_owned()][..]));
        }
        let empty = past_entity_info(&history, past, PastSlot::Empty, None, (0, past.target));
        assert_eq!(empty, None);
    }

    #[test]
    fn last_run_is_described_from_the_present_and_the_past() {
        for (secs, frames, is_past, expected) in [
            (0.0, Some(0), false, "ran in this frame"),
            (0.0, Some(0), true, "ran in that frame"),
            (0.066, Some(4), false, "last ran 0.07 s (4 frames) ago"),
            (0.066, Some(1), true, "last ran 0.07 s (1 frame) earlier"),
            (61.0, None, false, "last ran 61.00 s ago"),
            (61.0, None, true, "last ran 61.00 s earlier"),
        ] {
            assert_eq!(last_ran(secs, frames, is_past), expected);
        }
    }
}
