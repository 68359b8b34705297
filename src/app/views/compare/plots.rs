//! Plots of a row: tasks and length of each recent frame, on scales that all rows share.

use crate::app::charts::add_stack;
use crate::app::widgets::theme;
use egui::emath::GuiRounding;
use egui::{CornerRadius, Mesh, Painter, Rangef, Rect, Shape, pos2, vec2};
use headless::experiment::comparison::Comparison;
use headless::sim::lane::FrameRecord;
use headless::stats::{hitch_from, is_by_tasks};
use std::collections::VecDeque;
use timeslicer::time::Nanos;

/// Width of a frame's bar with its gap. A plot narrower than [`WIDE`] has narrow bars without gaps.
const BAR: f32 = 2.0;
const WIDE_BAR: f32 = 3.0;
const WIDE: f32 = 90.0;
/// Space between a plot's edge and its bars.
const MARGIN: f32 = 2.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlotScale {
    pub runs: u32,
    pub target: Nanos,
    pub longest: Nanos,
}

impl PlotScale {
    /// Returns scales that fit the recent frames of all lanes. Frames longer than four target periods are cut off.
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

/// The plot of a lane. Its edges are on whole pixels.
pub struct Plot<'a> {
    painter: &'a Painter,
    frames: &'a VecDeque<FrameRecord>,
    bars: Rect,
    /// Width of a bar with the gap to the next one, and without.
    step: f32,
    width: f32,
}

impl<'a> Plot<'a> {
    pub fn new(painter: &'a Painter, area: Rect, comparison: &'a Comparison, lane: usize) -> Self {
        painter.rect_filled(area, CornerRadius::same(3), theme::WELL);
        let scale = painter.pixels_per_point();
        let snap = |at: f32| at.round_to_pixels(scale);
        let inner = area.shrink(MARGIN);
        let bars = Rect::from_min_max(
            pos2(snap(inner.left()), snap(inner.top())),
            pos2(snap(inner.right()), snap(inner.bottom())),
        );
        let pixel = 1.0 / scale;
        let (step, gap) = if area.width() < WIDE {
            (snap(BAR), 0.0)
        } else {
            (snap(WIDE_BAR), snap(1.0).max(pixel))
        };
        let step = step.max(pixel + gap);
        Self {
            painter,
            frames: comparison.recent(lane),
            bars,
            step,
            width: step - gap,
        }
    }

    /// Returns the frames that fit with the left edges of their bars, the newest first.
    fn columns(&self) -> impl Iterator<Item = (f32, &'a FrameRecord)> + use<'a> {
        let (right, step) = (self.bars.right(), self.step);
        let fitting = (self.bars.width() / step) as usize;
        let lefts = (1..).map(move |back| right - back as f32 * step);
        lefts.zip(self.frames.iter().rev().take(fitting))
    }

    fn y_of(&self, share: f64) -> f32 {
        let height = self.bars.height() * share.min(1.0) as f32;
        (self.bars.bottom() - height).round_to_pixels(self.painter.pixels_per_point())
    }

    /// Paints the number of tasks in each frame.
    pub fn paint_tasks(&self, scale: &PlotScale) {
        let mut mesh = Mesh::default();
        let bottom = self.bars.bottom();
        for (left, frame) in self.columns().filter(|(_, it)| it.runs > 0) {
            // The square root makes even 4 of 1000 tasks visible.
            let share = (f64::from(frame.runs) / f64::from(scale.runs)).sqrt();
            let top = self.y_of(share).min(bottom - 1.0);
            let bar = Rect::from_min_max(pos2(left, top), pos2(left + self.width, bottom));
            mesh.add_colored_rect(bar, theme::RED);
        }
        self.paint(mesh);
    }

    /// Paints the length of each frame, its parts stacked as in the Grid view's plot. The dashed line is the target.
    pub fn paint_times(&self, scale: &PlotScale) {
        let y_of = |time: Nanos| self.y_of(time.over(scale.longest));
        let mut mesh = Mesh::default();
        for (left, frame) in self.columns() {
            let x = Rangef::new(left, left + self.step);
            add_stack(&mut mesh, x, self.bars.bottom(), frame, y_of);
            if let Some(range) = hitch_range(frame, scale.target) {
                let [low, high] = range.map(y_of);
                let bar = Rect::from_x_y_ranges(x, high..=low);
                mesh.add_colored_rect(bar, theme::AMBER);
            }
        }
        let y = y_of(scale.target);
        let mut left = self.bars.left();
        while left < self.bars.right() {
            let dash = Rect::from_min_size(pos2(left, y), vec2(3.0, 1.0));
            mesh.add_colored_rect(dash.intersect(self.bars), theme::DIM);
            left += 6.0;
        }
        self.paint(mesh);
    }

    /// Paints the bars, and a line before each frame that follows a disturbance.
    fn paint(&self, bars: Mesh) {
        self.painter.add(Shape::mesh(bars));
        for (left, _) in self.columns().filter(|(_, it)| it.is_disturbed) {
            let line = Rect::from_x_y_ranges(left - 1.0..=left, self.bars.y_range());
            self.painter.rect_filled(line, 0.0, theme::BRIGHT);
        }
    }
}

/// Returns the part of a frame to paint amber, because tasks made it a hitch: from `target` to the frame's own length,
/// both in time from the frame's start. The frame's own length does not include stalls.
fn hitch_range(frame: &FrameRecord, target: Nanos) -> Option<[Nanos; 2]> {
    let length = frame.own_length();
    let is_hitch = length > hitch_from(target) && is_by_tasks(frame, target);
    is_hitch.then_some([target, length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hitches_by_tasks_are_amber() {
        let ms = Nanos::from_millis;
        let of = |length, tasks, stall| {
            let frame = FrameRecord {
                length: ms(length),
                task_time: ms(tasks),
                stall: ms(stall),
                ..FrameRecord::default()
            };
            hitch_range(&frame, ms(16))
        };
        assert_eq!(of(40, 30, 0), Some([ms(16), ms(40)]));
        assert_eq!(of(40, 2, 0), None, "drawing took long");
        assert_eq!((of(516, 10, 500), of(16, 10, 0)), (None, None));
        assert_eq!(of(540, 30, 500), Some([ms(16), ms(40)]));
    }
}
