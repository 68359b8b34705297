//! The bars of a card: tasks and length of each recent frame, on a scale shared by all lanes.

use super::{CardAreas, rounded};
use crate::app::widgets::theme;
use crate::app::widgets::tooltip;
use crate::experiment::comparison::Comparison;
use crate::sim::lane::FrameRecord;
use crate::stats::hitch_from;
use crate::text::format;
use egui::{Align2, Id, Mesh, Painter, Rect, Sense, Shape, Stroke, Ui, pos2, vec2};
use std::collections::VecDeque;
use timeslice::time::Nanos;

/// Width of a frame's bar, including the gap to the next bar.
const BAR: f32 = 3.0;
const GAP: f32 = 1.0;
/// Width of the name and the maximum to the left of the bars.
const NAME: f32 = 50.0;
/// Minimum height of bars that show both name and maximum.
const TWO_LINES: f32 = 26.0;

/// Recent frames of a lane.
pub struct RecentFrames<'a> {
    /// Recent frames, oldest first.
    pub frames: &'a VecDeque<FrameRecord>,
    /// Numbers of the frames that follow a disturbance.
    pub disturbances: &'a [u64],
}

/// Scale of the bars of all cards.
pub struct BarScale {
    runs: u32,
    target: Nanos,
    longest: Nanos,
}

impl BarScale {
    /// Returns a scale that fits the recent frames of all lanes. Frames longer than four target periods are cut off.
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

/// Returns the area of the bars, to the right of their name.
pub(super) fn bars_in(area: Rect) -> Rect {
    rounded(Rect::from_min_max(
        area.min + vec2(NAME, 5.0),
        area.max - vec2(0.0, 3.0),
    ))
}

/// Paints the name of the bars and, below it, the maximum.
fn name(painter: &Painter, area: Rect, name: &str, maximum: &str) {
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
    painter.text(below, Align2::LEFT_CENTER, maximum, font, ink);
}

/// Returns the frames with the left edges of their bars, starting from the right.
fn columns(
    bars: Rect,
    recent: &VecDeque<FrameRecord>,
) -> impl Iterator<Item = (f32, &FrameRecord)> {
    let fitting = (bars.width() / BAR) as usize;
    let lefts = (1..).map(move |back| bars.right() - back as f32 * BAR);
    lefts.zip(recent.iter().rev().take(fitting))
}

/// Formats the maximum, in at most six digits.
fn maximum(value: f64) -> String {
    if value < 1e6 {
        format!("≤{}", format::number(value))
    } else {
        format!("≤{}", format::short(value))
    }
}

fn tasks(painter: &Painter, area: Rect, recent: &VecDeque<FrameRecord>, scale: &BarScale) {
    let bars = bars_in(area);
    let peak = columns(bars, recent).map(|(_, frame)| frame.runs).max();
    name(painter, area, "tasks", &maximum(peak.unwrap_or(0).into()));
    painter.rect_filled(bars, 0.0, theme::WELL);
    let mut mesh = Mesh::default();
    for (left, frame) in columns(bars, recent).filter(|(_, frame)| frame.runs > 0) {
        // The square root makes even 4 of 1000 tasks visible.
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

/// Returns the part of a hitch to paint amber: from `target` to the frame's own length, both in time from the frame's
/// start. The frame's own length does not include stalls. Returns `None` if the frame is not a hitch.
fn hitch_range(frame: &FrameRecord, target: Nanos) -> Option<[Nanos; 2]> {
    let length = frame.own_length();
    (length > hitch_from(target)).then_some([target, length])
}

fn times(painter: &Painter, area: Rect, recent: &VecDeque<FrameRecord>, scale: &BarScale) {
    let bars = bars_in(area);
    let longest = columns(bars, recent).map(|(_, frame)| frame.length).max();
    let longest = longest.unwrap_or_default().as_millis_f64();
    name(painter, area, "ms", &maximum(longest));
    painter.rect_filled(bars, 0.0, theme::WELL);
    let height = |time: Nanos| bars.height() * (time.over(scale.longest).min(1.0) as f32);
    let mut mesh = Mesh::default();
    for (left, frame) in columns(bars, recent) {
        // The parts are stacked from the bottom, as in the Grid view's plot.
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
        if let Some(amber) = hitch_range(frame, scale.target) {
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

/// Shows a tooltip for the bars.
pub(super) fn explain(ui: &Ui, card: Rect, lane: &str) {
    const TASKS: &str = "Tasks in each recent frame, on a square-root scale shared by all cards. The number is the \
        maximum shown.";
    const TIMES: &str = "Length of each recent frame: tasks, scheduling, drawing and waiting, with hitches in amber. \
        The dashed line is the target, the number the maximum shown.";
    let areas = CardAreas::of(card);
    for (area, words) in [(areas.tasks, TASKS), (areas.times, TIMES)] {
        let response = ui.interact(area, Id::new(("bars", lane, words)), Sense::hover());
        tooltip::offer(&response, words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stall_is_not_amber() {
        let ms = Nanos::from_millis;
        let of = |length, stall| {
            let frame = FrameRecord {
                length: ms(length),
                stall: ms(stall),
                ..FrameRecord::default()
            };
            hitch_range(&frame, ms(16))
        };
        assert_eq!(of(40, 0), Some([ms(16), ms(40)]));
        assert_eq!((of(516, 500), of(16, 0)), (None, None));
        assert_eq!(of(540, 500), Some([ms(16), ms(40)]));
    }
}
