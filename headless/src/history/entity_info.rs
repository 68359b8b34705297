//! Details of one entity, in words.

use super::{History, PastFrame, PastPlace, PastState};
use crate::sim::machine::Machine;
use crate::sim::world::Point;
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
    /// Details, one per line.
    pub lines: Vec<String>,
}

/// Returns an entity's name, from its number in the order of birth.
#[must_use]
pub fn name(number: u64) -> String {
    format!("E{number}")
}

/// Returns details of `task`'s entity. `None` if the entity is dead.
#[must_use]
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
    lines.push(format!("task cost {}", duration(cost)));
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
#[must_use]
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

/// Formats a short time in a suitable unit.
fn duration(time: Nanos) -> String {
    let micros = time.as_nanos() as f64 / 1e3;
    if micros >= 1000.0 {
        format!("{} ms", format::number(micros / 1e3))
    } else {
        format!("{} µs", format::number(micros))
    }
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
    use crate::sim::settings::Settings;
    use crate::sim::world::{COST, ENTITIES};
    use crate::testing::recorded;
    use timeslicer::frame_loop;
    use timeslicer::knob::KnobValues;

    const CENTER: Point = Point { x: 0.5, y: 0.25 };

    fn last_ran(secs: f64, frames: Option<u64>, is_past: bool) -> String {
        let ago = Nanos::from_secs_f64(secs);
        super::last_ran(GameSpeed::REAL, ago, frames, is_past)
    }

    fn lane() -> MeasuredLane<Simulated> {
        let knobs = KnobValues::with(&[(&ENTITIES, 2.0), (&COST, 120.0)]);
        let machine = Simulated::new(&knobs);
        MeasuredLane::new(
            Settings {
                knobs,
                ..Settings::default()
            },
            machine,
        )
    }

    #[test]
    fn newborn_shows_only_birth_and_cost() {
        let mut lane = lane();
        let history = recorded(&mut lane, 7);
        let task = lane.world().tasks().at(1).unwrap();
        let info = entity_info(&lane, &history, task).unwrap();
        assert_eq!(info.name, "E1");
        assert_eq!(
            info.lines,
            [
                format!("born 0.10 s ago, {NOT_RUN}").as_str(),
                "task cost 120 µs"
            ]
        );
    }

    #[test]
    fn entity_shows_last_run_and_intervals() {
        let mut lane = lane();
        // The first of the two entities runs at 0.25 s, 0.75 s and 1.25 s: in frames 15, 45 and 75.
        let history = recorded(&mut lane, 80);
        let task = lane.world().tasks().at(0).unwrap();
        let info = entity_info(&lane, &history, task).unwrap();
        assert_eq!(info.lines[0], last_ran(0.07, Some(4), false));
        assert_eq!(info.lines[1], "3 runs since birth, every 0.500 ± 0.000 s");
    }

    #[test]
    fn a_slow_game_has_both_times() {
        let mut lane = lane();
        lane.set_frame_loop(frame_loop::by_key("unsynced").unwrap());
        lane.set_knob(&RENDER_MS, 49.88); // with a task, updates of 20 ms are 50 ms apart
        let history = recorded(&mut lane, 200);
        let task = lane.world().tasks().at(0).unwrap();
        let info = entity_info(&lane, &history, task).unwrap();
        let interval = "every 0.500 ± 0.000 s of game time (1.25 s real)";
        assert!(info.lines[1].ends_with(interval), "{info:?}");
        assert!(info.lines[0].contains(" s of game time ("), "{info:?}");
        let past = &history.frames()[150];
        let recalled = history.replay(lane.world(), past, 0);
        let info = past_entity_info(&history, past, recalled, Some(0), CENTER).unwrap();
        assert!(info.lines[0].contains(" s of game time ("), "{info:?}");
    }

    #[test]
    fn frames_are_counted_from_the_one_in_progress() {
        let mut lane = lane();
        let mut history = recorded(&mut lane, 16); // frames 0 to 15; the first entity ran in frame 15
        let task = lane.world().tasks().at(0).unwrap();
        let last_run = |lane: &MeasuredLane<Simulated>, history: &History| {
            let info = entity_info(lane, history, task).unwrap();
            info.lines[0].clone()
        };
        assert_eq!(last_run(&lane, &history), last_ran(0.0, Some(0), false));
        let updated = lane.begin_frame(); // frame 16 is in progress, as while the window is painted
        assert_eq!(last_run(&lane, &history), last_ran(0.02, Some(1), false));
        let past = history.begin(&lane);
        let drawn = lane.drawn(updated);
        let waited = lane.wait(drawn);
        let record = lane.finish(waited).clone();
        history.end(past, record);
        let _updated = lane.begin_frame();
        assert_eq!(last_run(&lane, &history), last_ran(0.03, Some(2), false));
    }

    #[test]
    fn frames_without_updates_count_since_the_last_run() {
        let mut lane = lane();
        let mut history = recorded(&mut lane, 16);
        let run = lane.now();
        let since = |history: &History, last| frames_since(history, last, run, run);
        assert_eq!(since(&history, 15), Some(0));
        assert_eq!(since(&history, 16), Some(1), "frame 16 is in progress");
        let mut idle = history.frames().back().unwrap().clone();
        idle.record.number = 16;
        history.push(idle);
        assert_eq!(since(&history, 17), Some(2));
    }

    #[test]
    fn runs_in_any_update_count_as_this_frame() {
        let mut lane = lane();
        let history = recorded(&mut lane, 16);
        let update = |ms| lane.now() + Nanos::from_millis(ms);
        for ms in [5, 10] {
            let frames = frames_since(&history, 16, update(10), update(ms));
            assert_eq!(frames, Some(0));
        }
        let nothing = History::default();
        assert_eq!(frames_since(&nothing, 0, update(0), update(0)), Some(0));
        assert_eq!(frames_since(&nothing, 9, update(10), update(0)), None);
    }

    /// Returns the details of place 0 in frame `number`.
    fn past_lines(lane: &MeasuredLane<Simulated>, history: &History, number: u64) -> Vec<String> {
        let past = history.frame(number).unwrap();
        let recalled = history.replay(lane.world(), past, 0);
        let info = past_entity_info(history, past, recalled, Some(0), CENTER);
        info.unwrap().lines
    }

    #[test]
    fn times_are_those_of_the_run_and_not_the_frame() {
        let mut lane = lane();
        lane.set_frame_loop(frame_loop::by_key("fixed-step").unwrap());
        lane.set_knob(&RENDER_MS, 100.0);
        let mut history = recorded(&mut lane, 9);
        let task = lane.world().tasks().at(0).unwrap();
        let last_run = |lane: &MeasuredLane<Simulated>, history: &History| {
            let info = entity_info(lane, history, task).unwrap();
            info.lines[0].clone()
        };
        // The entity ran at 0.26 s in the third of the five updates of frame 3, and at 0.76 s in an update of frame 8.
        assert_eq!(last_run(&lane, &history), last_ran(0.0, Some(0), false));
        let _updated = lane.begin_frame();
        assert_eq!(last_run(&lane, &history), last_ran(0.14, Some(1), false));
        let past = history.begin(&lane);
        let record = lane.last_frame().clone();
        history.end(past, record);
        let first_lines = [3, 4, 7].map(|number| past_lines(&lane, &history, number)[0].clone());
        assert_eq!(
            first_lines,
            [
                last_ran(0.0, Some(0), true),
                last_ran(0.14, Some(1), true),
                last_ran(0.44, Some(4), true),
            ]
        );
    }

    #[test]
    fn past_details_contain_nothing_later() {
        let mut lane = lane();
        // The first of the two entities runs in frames 15, 45 and 75.
        let history = recorded(&mut lane, 80);
        assert_eq!(
            past_lines(&lane, &history, 14),
            [format!("born 0.23 s earlier, {NOT_RUN}")]
        );
        let details = [15, 16, 44, 45, 79].map(|number| past_lines(&lane, &history, number));
        let first: Vec<&str> = details.iter().map(|lines| lines[0].as_str()).collect();
        assert_eq!(
            first,
            [
                last_ran(0.0, Some(0), true),
                last_ran(0.02, Some(1), true),
                last_ran(0.48, Some(29), true),
                last_ran(0.0, Some(0), true),
                last_ran(0.07, Some(4), true)
            ]
        );
        // The target takes nine seconds for its orbit: 40 degrees per second on average.
        assert_eq!(details[0][1], "gaze 0° behind the target");
        let behind = |lines: &[String]| {
            let degrees = lines[1].strip_prefix("gaze ")?.split('°').next()?;
            degrees.parse::<f64>().ok()
        };
        let behind = behind(&details[2]).unwrap();
        assert!((8.0..30.0).contains(&behind), "{behind} in half a second");
        assert!(
            details.iter().all(|lines| lines.len() == 2),
            "no figures of a whole life"
        );
    }

    #[test]
    fn unknown_past_is_reported_as_such() {
        let mut lane = lane();
        let history = recorded(&mut lane, 3);
        let past = history.frame(2).unwrap();
        let tell = |recalled, number| {
            past_entity_info(&history, past, recalled, number, past.target)
                .map(|info| (info.name, info.lines.join("|")))
        };
        let info = |name: &str, line: &str| Some((name.to_owned(), line.to_owned()));
        assert_eq!(tell(PastPlace::Empty, None), None);
        assert_eq!(tell(PastPlace::Empty, Some(7)), info("E7", NOT_BORN));
        assert_eq!(
            tell(PastPlace::Current(PastState::Forgotten), Some(7)),
            info("E7", FORGOTTEN)
        );
        let run = PastRun {
            at: past.now,
            seen: CENTER,
        };
        for (then, line) in [
            (PastState::Ran(run), &*last_ran(0.0, Some(0), true)),
            (PastState::NotRun(None), NOT_RUN),
            (PastState::Forgotten, FORGOTTEN),
        ] {
            let other = tell(PastPlace::Former(then), Some(7));
            assert_eq!(other, info(FORMER, line));
        }
    }

    #[test]
    fn dead_entities_have_no_details() {
        let mut lane = lane();
        let task = lane.world().tasks().at(1).unwrap();
        lane.set_knob(&ENTITIES, 1.0);
        assert_eq!(entity_info(&lane, &History::default(), task), None);
    }

    #[test]
    fn gaze_angle_is_measured_in_the_world() {
        let point = |x, y| Point { x, y };
        let behind = |one, other| degrees_between(CENTER, one, other);
        assert_eq!(behind(point(1.0, 0.25), point(1.0, 0.25)), 0.0);
        assert!((behind(point(1.0, 0.25), point(0.0, 0.25)) - 180.0).abs() < 1e-3);
        // Half the width to the right and half the height down is 0.5 by 0.25.
        assert!((behind(point(1.0, 0.25), point(1.0, 0.5)) - 26.565).abs() < 1e-2);
    }

    #[test]
    fn last_run_is_described_from_the_present_and_the_past() {
        assert_eq!(last_ran(0.0, Some(0), false), "ran in this frame");
        assert_eq!(last_ran(0.0, Some(0), true), "ran in that frame");
        assert_eq!(
            last_ran(0.066, Some(4), false),
            "last ran 0.07 s (4 frames) ago"
        );
        assert_eq!(
            last_ran(0.066, Some(1), true),
            "last ran 0.07 s (1 frame) earlier"
        );
        assert_eq!(last_ran(61.0, None, false), "last ran 61.00 s ago");
        assert_eq!(last_ran(61.0, None, true), "last ran 61.00 s earlier");
    }
}
