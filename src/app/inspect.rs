//! What one capsule has to tell: shown for the one under the pointer and for the one that is pinned.

use super::crowd::CrowdPicture;
use super::history::History;
use super::{figure, theme};
use egui::{Align2, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2};
use timeslice_lab::lane::Lane;
use timeslice_lab::machine::Machine;
use timeslice_lab::scheduler::TaskId;
use timeslice_lab::time::Nanos;
use timeslice_lab::world::Point;

/// Everything about one entity, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// Its name: `E312`.
    pub name: String,
    /// What there is to tell, a line each.
    pub lines: Vec<String>,
}

/// An entity's name: its number in the order of birth.
pub fn name(number: u64) -> String {
    format!("E{number}")
}

/// Tells of `task`'s entity, which stands at `place` in a view so many points wide and high; none for the
/// dead.
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
        let newest = history.frames().back().map(|past| past.record.number);
        let ran_in = history.frame_at(last_run).map(|past| past.record.number);
        let frames = newest
            .zip(ran_in)
            .map(|(newest, ran_in)| newest.saturating_sub(ran_in));
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

/// A count of things: `1 frame`, `24 frames`.
pub fn counted(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", figure::grouped(count))
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
    let way = |to: Point| vec2((to.x - eye.x) * width, (to.y - eye.y) * height);
    let (one, other) = (way(one), way(other));
    let turn = (one.x * other.y - one.y * other.x).atan2(one.dot(other));
    turn.abs().to_degrees()
}

fn distance(one: Point, other: Point, (width, height): (f32, f32)) -> f32 {
    vec2((one.x - other.x) * width, (one.y - other.y) * height).length()
}

/// Paints a ring around a capsule, its story beside it, and the line to where it looks.
pub fn paint<M: Machine>(
    painter: &Painter,
    view: Rect,
    lane: &Lane<M>,
    history: &History,
    crowd: &CrowdPicture,
    task: TaskId,
) {
    let (center, radius) = crowd.capsule(task.index, painter.ctx().pixels_per_point());
    let place = Point {
        x: (center.x - view.left()) / view.width().max(1.0),
        y: (center.y - view.top()) / view.height().max(1.0),
    };
    let Some(story) = story(lane, history, task, place, (view.width(), view.height())) else {
        return;
    };
    let painter = painter.with_clip_rect(view);
    if let Some(entity) = lane.world().entity(task).filter(|entity| entity.runs > 0) {
        let seen = pos2(
            view.left() + entity.seen.x * view.width(),
            view.top() + entity.seen.y * view.height(),
        );
        let faint = Stroke::new(1.2, theme::TEAL.gamma_multiply(0.8));
        painter.extend(Shape::dashed_line(&[center, seen], faint, 4.0, 4.0));
        painter.circle_stroke(seen, 5.0, faint);
    }
    ring(&painter, center, radius, theme::TEAL);
    card(&painter, view, center, radius, &story);
}

/// A ring around a capsule.
pub fn ring(painter: &Painter, center: Pos2, radius: f32, ink: egui::Color32) {
    let half = vec2(radius + 3.0, radius * 1.75 + 3.0);
    let rect = Rect::from_center_size(center, half * 2.0);
    let rounding = (radius + 3.0).clamp(1.0, 255.0) as u8;
    let stroke = Stroke::new(1.6, ink);
    painter.rect_stroke(
        rect,
        CornerRadius::same(rounding),
        stroke,
        StrokeKind::Middle,
    );
}

fn card(painter: &Painter, view: Rect, center: Pos2, radius: f32, story: &Story) {
    let name = painter.layout_no_wrap(story.name.clone(), theme::mono(12.0), theme::TEAL);
    let layout =
        |line: &String| painter.layout_no_wrap(line.clone(), theme::text(12.0), theme::TEXT);
    let galleys: Vec<_> = std::iter::once(name)
        .chain(story.lines.iter().map(layout))
        .collect();
    let width = galleys
        .iter()
        .map(|galley| galley.size().x)
        .fold(0.0, f32::max)
        + 20.0;
    let height = galleys.len() as f32 * 15.0 + 12.0;
    let gap = radius + 12.0;
    let left = if center.x + gap + width < view.right() {
        center.x + gap
    } else {
        center.x - gap - width
    };
    let top = (center.y - height / 2.0).clamp(
        view.top() + 4.0,
        (view.bottom() - height - 4.0).max(view.top() + 4.0),
    );
    let rect = Rect::from_min_size(pos2(left, top), vec2(width, height));
    let corners = CornerRadius::same(theme::RADIUS);
    painter.rect_filled(rect, corners, theme::WELL.gamma_multiply(0.94));
    painter.rect_stroke(
        rect,
        corners,
        Stroke::new(1.0, theme::HOVER),
        StrokeKind::Inside,
    );
    for (index, galley) in galleys.into_iter().enumerate() {
        let at = rect.min + vec2(10.0, 6.0 + index as f32 * 15.0);
        painter.galley(at, galley, theme::TEXT);
    }
}

/// Paints the target's way during the last second: the older, the fainter.
pub fn trail(painter: &Painter, view: Rect, history: &History, now: Nanos) {
    const FOR: Nanos = Nanos::from_millis(1200);
    let at = |point: Point| {
        pos2(
            view.left() + point.x * view.width(),
            view.top() + point.y * view.height(),
        )
    };
    let painter = painter.with_clip_rect(view);
    let recent = history
        .frames()
        .iter()
        .rev()
        .take_while(|past| now - past.now < FOR);
    let points: Vec<(Pos2, f64)> = recent
        .map(|past| (at(past.target), (now - past.now).as_secs_f64()))
        .collect();
    for pair in points.windows(2) {
        let strength = 1.0 - pair[1].1 / FOR.as_secs_f64();
        let ink = theme::TEAL.gamma_multiply(0.7 * strength as f32);
        painter.line_segment([pair[0].0, pair[1].0], Stroke::new(1.8, ink));
    }
}

/// Marks a capsule as one among several.
pub fn mark(painter: &Painter, center: Pos2, radius: f32) {
    if radius >= 4.0 {
        ring(painter, center, radius, theme::BRIGHT);
    } else {
        let size = vec2(2.0, 2.0).max(vec2(radius, radius));
        painter.rect_filled(Rect::from_center_size(center, size), 0.0, theme::BRIGHT);
    }
}

/// Words at the upper left of the view.
pub fn caption(painter: &Painter, view: Rect, text: &str) {
    super::crowd::badge(
        painter,
        view.left_top() + vec2(24.0, 18.0),
        Align2::LEFT_CENTER,
        text,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::history::PastFrame;
    use timeslice_lab::knob::KnobValues;
    use timeslice_lab::machine::Simulated;
    use timeslice_lab::settings::Settings;
    use timeslice_lab::world::{COST, ENTITIES};

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
            history.push(PastFrame {
                record,
                now: lane.now(),
                ..PastFrame::default()
            });
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

    #[test]
    fn counts_have_their_plural() {
        assert_eq!(counted(1, "frame"), "1 frame");
        assert_eq!(counted(2000, "run"), "2,000 runs");
    }
}
