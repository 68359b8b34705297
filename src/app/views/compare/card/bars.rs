//! The bars of a card: tasks and length of each of the lane's last frames, all lanes to one scale.

use super::{CardAreas, rounded};
use crate::app::widgets::theme;
use crate::experiment::comparison::Comparison;
use crate::sim::lane::FrameRecord;
use crate::stats::hitch_from;
use crate::text::format;
use egui::{Align2, Id, Mesh, Painter, Rect, Sense, Shape, Stroke, Ui, pos2, vec2};
use std::collections::VecDeque;
use timeslice::time::Nanos;

/// Width of a frame's bar, and of the gap to the next in it.
const BAR: f32 = 3.0;
const GAP: f32 = 1.0;
/// Room at the left of the bars for their name and their largest value.
const NAME: f32 = 50.0;
/// Bars of this height have room for both.
const TWO_LINES: f32 = 26.0;

/// What the bars show of a lane.
pub struct RecentFrames<'a> {
    /// Its last frames, oldest first.
    pub frames: &'a VecDeque<FrameRecord>,
    /// Numbers of the frames that follow a disturbance.
    pub disturbances: &'a [u64],
}

/// The scale of all cards' bars.
pub struct BarScale {
    runs: u32,
    target: Nanos,
    longest: Nanos,
}

impl BarScale {
    /// A scale with room for the last frames of all lanes, up to four target periods.
    pub fn of(comparison: &Comparison) -> Self {
        let all = (0..comparison.lanes().len()).flat_map(|lane| comparison.recent(lane));
        let (mut runs, mut longest) = (1, Nanos::ZERO);
        for frame in all {
            runs = runs.max(frame.runs);
            longest = longest.max(frame.length);
        }
        let target = comparison.target_period();
        let four = Nanos::from_nanos(target.as_nanos() * 4);
        let least = Nanos::from_nanos(target.as_nanos() * 5 / 2);
        Self {
            runs,
            target,
            longest: longest.clamp(least, four.max(least)),
        }
    }
}

/// Paints both rows of bars.
pub(super) fn paint(
    painter: &Painter,
    [task_area, time_area]: [Rect; 2],
    recent: &RecentFrames<'_>,
    scale: &BarScale,
) {
    tasks(painter, task_area, recent.frames, scale);
    times(painter, time_area, recent.frames, scale);
    for area in [task_area, time_area] {
        disturbances(painter, bars_in(area), recent);
    }
}

/// The area of the bars, whole pixels wide, right of their name.
pub(super) fn bars_in(area: Rect) -> Rect {
    rounded(Rect::from_min_max(
        area.min + vec2(NAME, 5.0),
        area.max - vec2(0.0, 3.0),
    ))
}

/// Paints the name of the bars, and below it their largest value.
fn name(painter: &Painter, area: Rect, name: &str, most: &str) {
    let bars = bars_in(area);
    let at = |y| pos2(area.left(), y);
    let (font, ink) = (theme::text(11.0), theme::DIM);
    if bars.height() < TWO_LINES {
        painter.text(at(bars.center().y), Align2::LEFT_CENTER, name, font, ink);
        return;
    }
    let [above, below] = [-6.5, 6.5].map(|by| at(bars.center().y + by));
    painter.text(above, Align2::LEFT_CENTER, name, font, ink);
    let (font, ink) = (theme::mono(10.5), theme::TEXT);
    painter.text(below, Align2::LEFT_CENTER, most, font, ink);
}

/// The bars' left edges from the right, and the frames.
fn columns(
    bars: Rect,
    recent: &VecDeque<FrameRecord>,
) -> impl Iterator<Item = (f32, &FrameRecord)> {
    let fitting = (bars.width() / BAR) as usize;
    let lefts = (1..).map(move |back| bars.right() - back as f32 * BAR);
    lefts.zip(recent.iter().rev().take(fitting))
}

/// The largest value. There is room for six digits.
fn most(value: f64) -> String {
    if value < 1e6 {
        format!("≤{}", format::number(value))
    } else {
        let third = 10f64.powi(value.log10().floor() as i32 - 2);
        format!("≤{}", format::short((value / third).ceil() * third))
    }
}

fn tasks(painter: &Painter, area: Rect, recent: &VecDeque<FrameRecord>, scale: &BarScale) {
    let bars = bars_in(area);
    let peak = columns(bars, recent).map(|(_, frame)| frame.runs).max();
    name(painter, area, "tasks", &most(peak.unwrap_or(0).into()));
    painter.rect_filled(bars, 0.0, theme::WELL);
    let mut mesh = Mesh::default();
    for (left, frame) in columns(bars, recent).filter(|(_, frame)| frame.runs > 0) {
        // By the square root: four of a thousand are still seen.
        let share = (f64::from(frame.runs) / f64::from(scale.runs)).sqrt() as f32;
        let top = bars.bottom() - (bars.height() * share).max(1.0);
        let bar = Rect::from_min_max(pos2(left, top), pos2(left + BAR - GAP, bars.bottom()));
        mesh.add_colored_rect(bar, theme::RED);
    }
    painter.add(Shape::mesh(mesh));
}

/// Paints a line before each frame that follows a disturbance.
fn disturbances(painter: &Painter, bars: Rect, recent: &RecentFrames<'_>) {
    for (left, frame) in columns(bars, recent.frames) {
        if recent.disturbances.contains(&frame.number) {
            let x = left.round() - 0.5;
            painter.vline(x, bars.y_range(), Stroke::new(1.0, theme::BRIGHT));
        }
    }
}

/// What is amber of a frame that aimed at `target`: of a hitch all of its own length beyond that. What a stall took is
/// waiting, on top of it.
fn too_much(frame: &FrameRecord, target: Nanos) -> Option<[Nanos; 2]> {
    let length = frame.own_length();
    (length > hitch_from(target)).then_some([target, length])
}

fn times(painter: &Painter, area: Rect, recent: &VecDeque<FrameRecord>, scale: &BarScale) {
    let bars = bars_in(area);
    let longest = columns(bars, recent).map(|(_, frame)| frame.length).max();
    let longest = longest.unwrap_or_default().as_millis_f64();
    name(painter, area, "ms", &most(longest));
    painter.rect_filled(bars, 0.0, theme::WELL);
    let height = |time: Nanos| bars.height() * (time.over(scale.longest).min(1.0) as f32);
    let mut mesh = Mesh::default();
    for (left, frame) in columns(bars, recent) {
        // From the bottom, as in the main view's plot; of a hitch, amber what is too much.
        let mut below = Nanos::ZERO;
        let mut part = |time: Nanos, ink| {
            let [bottom, top] = [below, below + time].map(|time| bars.bottom() - height(time));
            below += time;
            let bar = Rect::from_min_max(pos2(left, top), pos2(left + BAR, bottom));
            mesh.add_colored_rect(bar, ink);
        };
        part(frame.task_time, theme::TASKS);
        part(frame.scheduling, theme::SCHEDULING);
        part(frame.drawing, theme::DRAWING);
        part(frame.waiting, theme::WAITING);
        if let Some(amber) = too_much(frame, scale.target) {
            let [bottom, top] = amber.map(|it| bars.bottom() - height(it));
            let bar = Rect::from_min_max(pos2(left, top), pos2(left + BAR, bottom));
            mesh.add_colored_rect(bar, theme::AMBER);
        }
    }
    painter.add(Shape::mesh(mesh));
    let y = (bars.bottom() - height(scale.target)).round() - 0.5;
    let ends = [pos2(bars.left(), y), pos2(bars.right(), y)];
    let stroke = Stroke::new(1.0, theme::DIM);
    painter.extend(Shape::dashed_line(&ends, stroke, 3.0, 3.0));
}

/// Explains the bars under the pointer.
pub(super) fn explain(ui: &Ui, card: Rect, lane: &str) {
    const TASKS: &str = "Tasks in each of its last frames, by the square root, so that four of thousands are seen; all \
        lanes to one scale. At the left: the most in sight.";
    const TIMES: &str = "The length of each of its last frames: tasks, drawing and, darker, waiting; amber what makes it \
        a hitch. Dashed: the length that frames are to have. At the left: the longest in sight.";
    let areas = CardAreas::of(card);
    for (area, words) in [(areas.tasks, TASKS), (areas.times, TIMES)] {
        let response = ui.interact(area, Id::new(("bars", lane, words)), Sense::hover());
        response.on_hover_text(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_frames_own_length_is_amber_not_a_stall() {
        let ms = Nanos::from_millis;
        let of = |length, stall| {
            let frame = FrameRecord {
                length: ms(length),
                stall: ms(stall),
                ..FrameRecord::default()
            };
            too_much(&frame, ms(16))
        };
        assert_eq!(of(40, 0), Some([ms(16), ms(40)]));
        assert_eq!((of(516, 500), of(16, 0)), (None, None));
        assert_eq!(of(540, 500), Some([ms(16), ms(40)]));
    }
}
