//! Details of one entity, in words.

use super::{History, PastFrame, PastPlace, PastState};
use crate::sim::machine::Machine;
use crate::sim::world::{COST, Point};
use crate::stats::{GameSpeed, MeasuredLane};
use crate::text::format;
use crate::text::format::counted;
use timeslicer::scheduler::TaskId;
use timeslicer::time::{GameTime, Nanos};

const NOT_BORN: &str = "not born yet";
const NOT_RUN: &str = "not run yet";
const FORGOTTEN: &str = "last run no longer recorded";
/// Name for an entity of a past frame, if the entity is dead now.
const FORMER: &str = "Entity that has since died";

/// Distance from an entity, in the world's plane, within which the direction to the target means nothing.
const TOO_NEAR: f32 = 0.02;

/// Details of one entity, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityInfo {
    /// Name of the entity: `E312`.
    pub name: String,
    pub lines: Vec<String>,
}

/// Returns an entity's name, from its number in the order of birth.
pub fn name(number: u64) -> String {
    format!("E{number}")
}

/// Returns details of `task`'s entity. `None` if the entity is dead.
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
        let runs = counted(entity.runs, "run");
        // These figures cover the entity's whole life, unlike the statistics of the last seconds.
        lines.push(match entity.intervals(last_run) {
            Some((mean, deviation)) => {
                let words = [mean, deviation].map(|secs| format::fixed(secs, 3));
                let words = format!("every {} ± {} s", words[0], words[1]);
                let every = speed.of_game_time(words, None, Nanos::from_secs_f64(mean));
                format!("{runs} since birth, {every}")
            }
            None => format!("{runs} since birth"),
        });
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

/// Returns the known details of the entity that occupied a place in the frame `past`. `recalled` is the state of this
/// place in that frame, `place` its position, and `number` the number of the entity that lives there now. Past costs and
/// numbers of runs are not known. `None` if the place was empty then and still is.
pub fn past_entity_info(
    history: &History,
    past: &PastFrame,
    recalled: PastPlace,
    number: Option<u64>,
    place: Point,
) -> Option<EntityInfo> {
    let (name, then) = match recalled {
        PastPlace::Empty => {
            return number.map(|number| EntityInfo {
                name: name(number),
                lines: vec![NOT_BORN.to_owned()],
            });
        }
        PastPlace::Current(then) => (name(number?), then),
        PastPlace::Former(then) => (FORMER.to_owned(), then),
    };
    let before = |time: GameTime| past.now - time;
    let lines = match then {
        PastState::NotRun(None) => vec![NOT_RUN.to_owned()],
        PastState::NotRun(Some(born)) => {
            let speed = speed_until(history, past, born);
            let before = seconds(speed, before(born), None);
            vec![format!("born {before} earlier, {NOT_RUN}")]
        }
        PastState::Forgotten => vec![FORGOTTEN.to_owned()],
        PastState::Ran(run) => {
            let ran_in = history.frame_at(run.at).map(|ran_in| ran_in.record.number);
            let frames = ran_in.map(|ran_in| past.record.number.saturating_sub(ran_in));
            let speed = speed_until(history, past, run.at);
            let line = last_ran(speed, before(run.at), frames, true);
            let gaze = gaze(place, run.seen, past.target);
            std::iter::once(line).chain(gaze).collect()
        }
    };
    Some(EntityInfo { name, lines })
}

/// Returns the number of frames from the frame of the update at game time `time` to the frame with the number `last`.
/// Frame `last` is in progress or is the newest of the history, and its game time is `now`. `None` if the frame of the
/// update is no longer recorded.
fn frames_since(history: &History, last: u64, now: GameTime, time: GameTime) -> Option<u64> {
    if let Some(past) = history.frame_at(time) {
        return Some(last.saturating_sub(past.record.number));
    }
    // The frame in progress is not in the history yet.
    let newest = history.frames().back().map(|past| past.now);
    let in_progress = newest.map_or(time == now, |newest| time > newest);
    in_progress.then_some(0)
}

/// Returns the game's speed from the game time `from` to a past frame, or real time if that is no longer recorded.
fn speed_until(history: &History, past: &PastFrame, from: GameTime) -> GameSpeed {
    let Some(first) = history.frame_at(from) else {
        return GameSpeed::REAL;
    };
    let between = first.record.number..past.record.number;
    let lengths = between.filter_map(|number| Some(history.frame(number)?.record.length));
    GameSpeed::over_frames(past.now - from, lengths)
}

/// Formats a game time in seconds, and a remark in brackets.
fn seconds(speed: GameSpeed, time: Nanos, remark: Option<String>) -> String {
    let words = format!("{} s", format::fixed(time.as_secs_f64(), 2));
    let words = speed.of_game_time(words, remark.map(Into::into), time);
    words.to_string()
}

/// Describes the last run, which was `ago` and `frames` frames before the current frame, or before a past frame if
/// `is_past`. `frames` is `None` if the frame of the run is no longer recorded.
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

/// Describes by how many degrees a gaze is behind the target. `None` if the target is so close to the entity that its
/// direction is meaningless, for example if the target is the pointer.
fn gaze(place: Point, seen: Point, target: Point) -> Option<String> {
    let behind = degrees_between(place, seen, target);
    let (x, y) = place.towards(target);
    (x.hypot(y) > TOO_NEAR).then(|| format!("gaze {behind:.0}° behind the target"))
}

/// Returns the angle between the directions from `eye` to two points, from 0 to 180 degrees.
fn degrees_between(eye: Point, one: Point, other: Point) -> f32 {
    let (one, other) = (eye.towards(one), eye.towards(other));
    let turn = (one.0 * other.1 - one.1 * other.0).atan2(one.0 * other.0 + one.1 * other.1);
    turn.abs().to_degrees()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::PastRun;
    use crate::sim::machine::{RENDER_MS, Simulated};
    use crate::sim::world::ENTITIES;
    use crate::testing::{lane_of, recorded};

    const CENTER: Point = Point { x: 0.5, y: 0.25 };

    fn last_ran(secs: f64, frames: Option<u64>, is_past: bool) -> String {
        let ago = Nanos::from_secs_f64(secs);
        super::last_ran(GameSpeed::REAL, ago, frames, is_past)
    }

    /// Creates a lane of two entities. Each runs every 0.5 s: the first at 0.25 s, in frame 15 of 60 a second.
    fn lane(frame_loop: &str, render_ms: f64) -> MeasuredLane<Simulated> {
        let set = [(&ENTITIES, 2.0), (&COST, 120.0), (&RENDER_MS, render_ms)];
        lane_of("fixed-interval", frame_loop, &set)
    }

    /// Returns the details of the entity at `place` now.
    fn lines(lane: &MeasuredLane<Simulated>, history: &History, place: u32) -> Vec<String> {
        let task = lane.world().tasks().at(place).unwrap();
        entity_info(lane, history, task).unwrap().lines
    }

    /// Returns the details of place 0 in frame `number`.
    fn past_lines(lane: &MeasuredLane<Simulated>, history: &History, number: u64) -> Vec<String> {
        let past = history.frame(number).unwrap();
        let recalled = history.replay(lane.world(), past, 0..1)[0];
        let info = past_entity_info(history, past, recalled, Some(0), CENTER);
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
    fn frames_are_counted_to_the_one_in_progress() {
        let mut lane = lane("variable-step", 0.0);
        let mut history = recorded(&mut lane, 16);
        let run = lane.now();
        assert_eq!(frames_since(&history, 15, run, run), Some(0));
        assert_eq!(
            frames_since(&history, 16, run, run),
            Some(1),
            "without an update"
        );
        for ms in [5, 10] {
            let update = |ms| run + Nanos::from_millis(ms);
            let frames = frames_since(&history, 16, update(10), update(ms));
            assert_eq!(frames, Some(0), "in any update of the frame");
        }
        let mut idle = history.frames().back().unwrap().clone();
        idle.record.number = 16;
        history.push(idle);
        assert_eq!(frames_since(&history, 17, run, run), Some(2));
        let nothing = History::default();
        assert_eq!(frames_since(&nothing, 0, run, run), Some(0));
        assert_eq!(frames_since(&nothing, 9, run, GameTime::START), None);
    }

    #[test]
    fn past_details_contain_nothing_later() {
        let mut lane = lane("variable-step", 0.0);
        let history = recorded(&mut lane, 80);
        let unborn = format!("born 0.23 s earlier, {NOT_RUN}");
        assert_eq!(past_lines(&lane, &history, 14), [unborn]);
        for (number, secs, frames) in [
            (15, 0.0, 0),
            (16, 0.02, 1),
            (44, 0.48, 29),
            (45, 0.0, 0),
            (79, 0.07, 4),
        ] {
            let details = past_lines(&lane, &history, number);
            assert_eq!(details[0], last_ran(secs, Some(frames), true));
            assert_eq!(details.len(), 2, "no figures of a whole life");
        }
        // The target takes nine seconds for its orbit: 40 degrees per second on average.
        let gaze = |number: u64| past_lines(&lane, &history, number)[1].clone();
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
        for (recalled, number, expected) in [
            (PastPlace::Empty, None, None),
            (PastPlace::Empty, Some(7), Some(("E7", NOT_BORN))),
            (
                PastPlace::Current(PastState::Forgotten),
                Some(7),
                Some(("E7", FORGOTTEN)),
            ),
            (PastPlace::Former(run), Some(7), Some((FORMER, &*ran))),
            (
                PastPlace::Former(PastState::NotRun(None)),
                Some(7),
                Some((FORMER, NOT_RUN)),
            ),
            (
                PastPlace::Former(PastState::Forgotten),
                Some(7),
                Some((FORMER, FORGOTTEN)),
            ),
        ] {
            let info = past_entity_info(&history, past, recalled, number, past.target);
            let expected = expected.map(|(name, line)| EntityInfo {
                name: name.to_owned(),
                lines: vec![line.to_owned()],
            });
            assert_eq!(info, expected);
        }
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
