//! Details of one entity, in words.

use super::{History, PastFrame, PastPlace, PastState};
use crate::sim::machine::Machine;
use crate::sim::world::Point;
use crate::stats::MeasuredLane;
use crate::text::format;
use crate::text::format::counted;
use timeslice::scheduler::TaskId;
use timeslice::time::{GameTime, Nanos};

/// Everything about one entity, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityInfo {
    /// Its name: `E312`.
    pub name: String,
    /// Its details, one in each line.
    pub lines: Vec<String>,
}

/// An entity's name: its number in the order of birth.
#[must_use]
pub fn name(number: u64) -> String {
    format!("E{number}")
}

/// Details of `task`'s entity, at `place` in a view of `shape` (width and height in points). `None` if it is dead.
#[must_use]
pub fn entity_info<M: Machine>(
    lane: &MeasuredLane<M>,
    history: &History,
    task: TaskId,
    place: Point,
    shape: (f32, f32),
) -> Option<EntityInfo> {
    let world = lane.world();
    let entity = world.entity(task)?;
    let last_run = world.tasks().last_run(task)?;
    let ago = (lane.now() - last_run).as_secs_f64();
    let mut lines = Vec::new();
    if entity.runs == 0 {
        lines.push(format!("born {ago:.2} s ago, has not run yet"));
    } else {
        let last = lane.last_frame().number;
        lines.push(match frames_since(history, last, lane.now(), last_run) {
            Some(0) => "ran in this frame".to_owned(),
            Some(frames) => format!("ran {ago:.2} s ago, {} back", counted(frames, "frame")),
            None => format!("ran {ago:.2} s ago"),
        });
        let runs = counted(entity.runs, "run");
        // Over its whole life, whatever was changed in it: not to be taken for the last seconds.
        lines.push(match entity.intervals(last_run) {
            Some((mean, deviation)) => {
                format!("in its life {runs}, every {mean:.3} s ± {deviation:.3}")
            }
            None => format!("in its life {runs}"),
        });
    }
    let cost = world.cost(task).unwrap_or_default();
    lines.push(format!("its task costs {}", duration(cost)));
    if entity.runs > 0 {
        lines.extend(gaze(place, entity.seen, world.target(), shape));
    }
    Some(EntityInfo {
        name: name(entity.number),
        lines,
    })
}

/// Details of the entity at a place in the frame `past`, as far as they are still known: `recalled` is that place, drawn at
/// `place` in a view of `shape`, and `number` that of the entity that lives there now. Past costs and numbers of runs are not
/// known. `None` if the place was never occupied.
#[must_use]
pub fn past_entity_info(
    history: &History,
    past: &PastFrame,
    recalled: PastPlace,
    number: Option<u64>,
    place: Point,
    shape: (f32, f32),
) -> Option<EntityInfo> {
    let (name, then) = match recalled {
        PastPlace::Empty => {
            return number.map(|number| EntityInfo {
                name: name(number),
                lines: vec!["was not born yet".to_owned()],
            });
        }
        PastPlace::Current(then) => (name(number?), then),
        PastPlace::Former(then) => ("one that has died since".to_owned(), then),
    };
    let before = |time: GameTime| (past.now - time).as_secs_f64();
    let lines = match then {
        PastState::NotRun(None) => vec!["had not run yet".to_owned()],
        PastState::NotRun(Some(born)) => {
            vec![format!(
                "born {:.2} s before, had not run yet",
                before(born)
            )]
        }
        PastState::Forgotten => vec!["when it last ran is no longer known".to_owned()],
        PastState::Ran(run) => {
            let ran_in = history.frame_at(run.at).map(|ran_in| ran_in.record.number);
            let frames = ran_in.map(|ran_in| past.record.number.saturating_sub(ran_in));
            let before = before(run.at);
            let line = match frames {
                Some(0) => "ran in that frame".to_owned(),
                Some(frames) => {
                    format!(
                        "had run {before:.2} s before, {} back",
                        counted(frames, "frame")
                    )
                }
                None => format!("had run {before:.2} s before"),
            };
            let gaze = gaze(place, run.seen, past.target, shape);
            std::iter::once(line).chain(gaze).collect()
        }
    };
    Some(EntityInfo { name, lines })
}

/// How many frames before the frame `last`, at game time `now`, the updates of game time `time` were: that
/// frame is under way, or the newest of the history. None where it is forgotten.
fn frames_since(history: &History, last: u64, now: GameTime, time: GameTime) -> Option<u64> {
    if let Some(past) = history.frame_at(time) {
        return Some(last.saturating_sub(past.record.number));
    }
    // The frame under way is not in the history yet.
    let newest = history.frames().back().map(|past| past.now);
    let under_way = newest.map_or(time == now, |newest| time > newest);
    under_way.then_some(0)
}

/// How far a gaze is behind. Where the pointer leads the target, the target may be on the very capsule: no
/// direction then.
fn gaze(place: Point, seen: Point, target: Point, shape: (f32, f32)) -> Option<String> {
    let behind = degrees_between(place, seen, target, shape);
    (distance(place, target, shape) > 24.0).then(|| format!("gaze {behind:.0}° behind the target"))
}

/// A short time in the unit that suits it.
fn duration(time: Nanos) -> String {
    let micros = time.as_nanos() as f64 / 1e3;
    if micros >= 1000.0 {
        format!("{} ms", format::number(micros / 1e3))
    } else {
        format!("{} µs", format::number(micros))
    }
}

/// The angle, from `eye`, between two points in a view that is so many wide and high: 0 to 180 degrees.
fn degrees_between(eye: Point, one: Point, other: Point, (width, height): (f32, f32)) -> f32 {
    let way = |to: Point| ((to.x - eye.x) * width, (to.y - eye.y) * height);
    let (one, other) = (way(one), way(other));
    let turn = (one.0 * other.1 - one.1 * other.0).atan2(one.0 * other.0 + one.1 * other.1);
    turn.abs().to_degrees()
}

fn distance(one: Point, other: Point, (width, height): (f32, f32)) -> f32 {
    ((one.x - other.x) * width).hypot((one.y - other.y) * height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::PastRun;
    use crate::sim::machine::{RENDER_MS, Simulated};
    use crate::sim::settings::Settings;
    use crate::sim::world::{COST, ENTITIES};
    use timeslice::frame_loop;
    use timeslice::knob::KnobValues;

    const CENTER: Point = Point { x: 0.5, y: 0.5 };

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

    fn frames(lane: &mut MeasuredLane<Simulated>, count: usize) -> History {
        let mut history = History::default();
        for _ in 0..count {
            let record = lane.frame().clone();
            let past = history.begin(lane);
            history.end(past, record);
        }
        history
    }

    #[test]
    fn a_newborn_has_not_run_and_says_no_more_than_that() {
        let mut lane = lane();
        let history = frames(&mut lane, 7);
        let task = lane.world().tasks().at(1).unwrap();
        let story = entity_info(&lane, &history, task, CENTER, (2.0, 1.0)).unwrap();
        assert_eq!(story.name, "E1");
        assert_eq!(
            story.lines,
            ["born 0.10 s ago, has not run yet", "its task costs 120 µs"]
        );
    }

    #[test]
    fn one_that_has_run_tells_when_how_often_and_how_regularly() {
        let mut lane = lane();
        // The first of two runs at 0.25 s, 0.75 s and 1.25 s: frames 15, 45 and 75.
        let history = frames(&mut lane, 80);
        let task = lane.world().tasks().at(0).unwrap();
        let story = entity_info(&lane, &history, task, CENTER, (2.0, 1.0)).unwrap();
        assert_eq!(story.lines[0], "ran 0.07 s ago, 4 frames back");
        assert_eq!(story.lines[1], "in its life 3 runs, every 0.500 s ± 0.000");
    }

    #[test]
    fn frames_are_counted_from_the_one_under_way() {
        let mut lane = lane();
        let mut history = frames(&mut lane, 16); // 0 to 15, and the first of two ran in 15
        let task = lane.world().tasks().at(0).unwrap();
        let told = |lane: &MeasuredLane<Simulated>, history: &History| {
            let story = entity_info(lane, history, task, CENTER, (2.0, 1.0)).unwrap();
            story.lines[0].clone()
        };
        assert_eq!(told(&lane, &history), "ran in this frame");
        let updated = lane.begin_frame(); // frame 16 is under way, as it is while the window is painted
        assert_eq!(told(&lane, &history), "ran 0.02 s ago, 1 frame back");
        let past = history.begin(&lane);
        let drawn = lane.drawn(updated);
        let waited = lane.wait(drawn);
        let record = lane.finish(waited).clone();
        history.end(past, record);
        let _updated = lane.begin_frame();
        assert_eq!(told(&lane, &history), "ran 0.03 s ago, 2 frames back");
    }

    #[test]
    fn a_frame_without_an_update_is_one_more_frame_since_the_last_run() {
        let mut lane = lane();
        let mut history = frames(&mut lane, 16);
        let run = lane.now();
        let since = |history: &History, last| frames_since(history, last, run, run);
        assert_eq!(since(&history, 15), Some(0));
        assert_eq!(since(&history, 16), Some(1), "frame 16 is under way");
        let mut idle = history.frames().back().unwrap().clone();
        idle.record.number = 16;
        history.push(idle);
        assert_eq!(since(&history, 17), Some(2));
    }

    #[test]
    fn a_run_in_any_update_of_the_frame_under_way_is_in_this_frame() {
        let mut lane = lane();
        let history = frames(&mut lane, 16);
        let update = |ms| lane.now() + Nanos::from_millis(ms);
        for ms in [5, 10] {
            let frames = frames_since(&history, 16, update(10), update(ms));
            assert_eq!(frames, Some(0));
        }
        let nothing = History::default();
        assert_eq!(frames_since(&nothing, 0, update(0), update(0)), Some(0));
        assert_eq!(frames_since(&nothing, 9, update(10), update(0)), None);
    }

    /// The story of place 0 as it was in that frame.
    fn told_of(lane: &MeasuredLane<Simulated>, history: &History, number: u64) -> Vec<String> {
        let past = history.frame(number).unwrap();
        let recalled = history.replay(lane.world(), past, 0);
        let story = past_entity_info(history, past, recalled, Some(0), CENTER, (200.0, 100.0));
        story.unwrap().lines
    }

    #[test]
    fn times_are_those_of_the_run_and_not_of_its_frames_last_update() {
        let mut lane = lane();
        lane.set_frame_loop(frame_loop::by_key("fixed-step").unwrap());
        lane.set_knob(&RENDER_MS, 100.0);
        let mut history = frames(&mut lane, 9);
        let task = lane.world().tasks().at(0).unwrap();
        let told = |lane: &MeasuredLane<Simulated>, history: &History| {
            let story = entity_info(lane, history, task, CENTER, (2.0, 1.0)).unwrap();
            story.lines[0].clone()
        };
        // At 0.26 s it ran in the third of the five updates of frame 3, at 0.76 s in that of frame 8.
        assert_eq!(told(&lane, &history), "ran in this frame");
        let _updated = lane.begin_frame();
        assert_eq!(told(&lane, &history), "ran 0.14 s ago, 1 frame back");
        let past = history.begin(&lane);
        let record = lane.last_frame().clone();
        history.end(past, record);
        let told = [3, 4, 7].map(|number| told_of(&lane, &history, number)[0].clone());
        assert_eq!(
            told,
            [
                "ran in that frame",
                "had run 0.14 s before, 1 frame back",
                "had run 0.44 s before, 4 frames back",
            ]
        );
    }

    #[test]
    fn a_past_frame_tells_what_was_so_then_and_nothing_that_came_later() {
        let mut lane = lane();
        // The first of two runs in frames 15, 45 and 75.
        let history = frames(&mut lane, 80);
        assert_eq!(
            told_of(&lane, &history, 14),
            ["born 0.23 s before, had not run yet"]
        );
        let told = [15, 16, 44, 45, 79].map(|number| told_of(&lane, &history, number));
        let first: Vec<&str> = told.iter().map(|lines| lines[0].as_str()).collect();
        assert_eq!(
            first,
            [
                "ran in that frame",
                "had run 0.02 s before, 1 frame back",
                "had run 0.48 s before, 29 frames back",
                "ran in that frame",
                "had run 0.07 s before, 4 frames back"
            ]
        );
        // The target goes once round in nine seconds, 40 degrees a second, on an orbit that is no circle.
        assert_eq!(told[0][1], "gaze 0° behind the target");
        let behind = |lines: &[String]| {
            let degrees = lines[1].strip_prefix("gaze ")?.split('°').next()?;
            degrees.parse::<f64>().ok()
        };
        let behind = behind(&told[2]).unwrap();
        assert!((8.0..30.0).contains(&behind), "{behind} in half a second");
        assert!(
            told.iter().all(|lines| lines.len() == 2),
            "no figures of a whole life"
        );
    }

    #[test]
    fn what_nobody_knows_of_the_past_is_not_told() {
        let mut lane = lane();
        let history = frames(&mut lane, 3);
        let past = history.frame(2).unwrap();
        let tell = |recalled, number| {
            past_entity_info(&history, past, recalled, number, CENTER, (2.0, 1.0))
                .map(|story| (story.name, story.lines.join("|")))
        };
        let told = |name: &str, line: &str| Some((name.to_owned(), line.to_owned()));
        assert_eq!(tell(PastPlace::Empty, None), None);
        assert_eq!(
            tell(PastPlace::Empty, Some(7)),
            told("E7", "was not born yet")
        );
        assert_eq!(
            tell(PastPlace::Current(PastState::Forgotten), Some(7)),
            told("E7", "when it last ran is no longer known")
        );
        let run = PastRun {
            at: past.now,
            seen: CENTER,
        };
        for (then, line) in [
            (PastState::Ran(run), "ran in that frame"),
            (PastState::NotRun(None), "had not run yet"),
            (PastState::Forgotten, "when it last ran is no longer known"),
        ] {
            let other = tell(PastPlace::Former(then), Some(7));
            assert_eq!(other, told("one that has died since", line));
        }
    }

    #[test]
    fn the_dead_tell_nothing() {
        let mut lane = lane();
        let task = lane.world().tasks().at(1).unwrap();
        lane.set_knob(&ENTITIES, 1.0);
        assert_eq!(
            entity_info(&lane, &History::default(), task, CENTER, (1.0, 1.0)),
            None
        );
    }

    #[test]
    fn a_gaze_is_behind_by_the_angle_on_the_screen() {
        let point = |x, y| Point { x, y };
        let behind = |one, other| degrees_between(CENTER, one, other, (2.0, 1.0));
        assert_eq!(behind(point(1.0, 0.5), point(1.0, 0.5)), 0.0);
        assert!((behind(point(1.0, 0.5), point(0.0, 0.5)) - 180.0).abs() < 1e-3);
        // One to the right and half a view down: 1.0 by 0.5 on the screen.
        assert!((behind(point(1.0, 0.5), point(1.0, 1.0)) - 26.565).abs() < 1e-2);
    }
}
