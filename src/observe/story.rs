//! What one entity has been through, in words.

use super::History;
use crate::figure::{self, counted};
use crate::lane::Lane;
use crate::machine::Machine;
use crate::scheduler::TaskId;
use crate::time::Nanos;
use crate::world::Point;

/// Everything about one entity, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// Its name: `E312`.
    pub name: String,
    /// What there is to tell, a line each.
    pub lines: Vec<String>,
}

/// An entity's name: its number in the order of birth.
#[must_use]
pub fn name(number: u64) -> String {
    format!("E{number}")
}

/// Tells of `task`'s entity, which stands at `place` in a view so many points wide and high; none for the
/// dead.
#[must_use]
pub fn story<M: Machine>(
    lane: &Lane<M>,
    history: &History,
    task: TaskId,
    place: Point,
    shape: (f32, f32),
) -> Option<Story> {
    let world = lane.world();
    let entity = world.entity(task)?;
    let last_run = world.tasks().last_run(task)?;
    let ago = (lane.now() - last_run).as_secs_f64();
    let mut lines = Vec::new();
    if entity.runs == 0 {
        lines.push(format!("born {ago:.2} s ago, has not run yet"));
    } else {
        let ran_in = history.frame_at(last_run);
        // The frame under way is not in the history yet.
        let now_in = lane.last_frame().number;
        let frames = ran_in.map(|past| now_in.saturating_sub(past.record.number));
        lines.push(match frames {
            _ if last_run == lane.now() => "ran in this frame".to_owned(),
            Some(frames) => format!("ran {ago:.2} s ago, {} back", counted(frames, "frame")),
            None => format!("ran {ago:.2} s ago"),
        });
        let runs = counted(entity.runs, "run");
        lines.push(match entity.intervals(last_run) {
            Some((mean, deviation)) => format!("every {mean:.3} s ± {deviation:.3}, {runs}"),
            None => runs,
        });
    }
    let cost = world.cost(task).unwrap_or_default();
    lines.push(format!("its task costs {}", duration(cost)));
    // Where the pointer leads the target, the target may be on the very capsule: no direction then.
    if entity.runs > 0 && distance(place, world.target(), shape) > 24.0 {
        let behind = degrees_between(place, entity.seen, world.target(), shape);
        lines.push(format!("gaze {behind:.0}° behind the target"));
    }
    Some(Story {
        name: name(entity.number),
        lines,
    })
}

/// A short time in the unit that suits it.
fn duration(time: Nanos) -> String {
    let micros = time.as_nanos() as f64 / 1e3;
    if micros >= 1000.0 {
        format!("{} ms", figure::number(micros / 1e3))
    } else {
        format!("{} µs", figure::number(micros))
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
    use crate::knob::KnobValues;
    use crate::machine::Simulated;
    use crate::settings::Settings;
    use crate::world::{COST, ENTITIES};

    const CENTER: Point = Point { x: 0.5, y: 0.5 };

    fn lane() -> Lane<Simulated> {
        let knobs = KnobValues::with(&[(&ENTITIES, 2.0), (&COST, 120.0)]);
        let machine = Simulated::new(&knobs);
        Lane::new(
            Settings {
                knobs,
                ..Settings::default()
            },
            machine,
        )
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

    #[test]
    fn a_newborn_has_not_run_and_says_no_more_than_that() {
        let mut lane = lane();
        let history = frames(&mut lane, 7);
        let task = lane.world().tasks().at(1).unwrap();
        let story = story(&lane, &history, task, CENTER, (2.0, 1.0)).unwrap();
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
        let story = story(&lane, &history, task, CENTER, (2.0, 1.0)).unwrap();
        assert_eq!(story.lines[0], "ran 0.07 s ago, 4 frames back");
        assert_eq!(story.lines[1], "every 0.500 s ± 0.000, 3 runs");
    }

    #[test]
    fn frames_are_counted_from_the_one_under_way() {
        let mut lane = lane();
        let mut history = frames(&mut lane, 16); // 0 to 15, and the first of two ran in 15
        let task = lane.world().tasks().at(0).unwrap();
        let told = |lane: &Lane<Simulated>, history: &History| {
            let story = story(lane, history, task, CENTER, (2.0, 1.0)).unwrap();
            story.lines[0].clone()
        };
        assert_eq!(told(&lane, &history), "ran in this frame");
        lane.update(); // frame 16 is under way, as it is while the window is painted
        assert_eq!(told(&lane, &history), "ran 0.02 s ago, 1 frame back");
        let past = history.begin(&lane);
        lane.drawn();
        let record = lane.finish().clone();
        history.end(past, record);
        lane.update();
        assert_eq!(told(&lane, &history), "ran 0.02 s ago, 2 frames back");
    }

    #[test]
    fn the_dead_tell_nothing() {
        let mut lane = lane();
        let task = lane.world().tasks().at(1).unwrap();
        lane.set_knob(&ENTITIES, 1.0);
        assert_eq!(
            story(&lane, &History::default(), task, CENTER, (1.0, 1.0)),
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
