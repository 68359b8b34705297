//! The plots in a row of the comparison table. For each recent frame, they show how many tasks ran and how long the
//! frame was. All rows share the same scales.

use crate::app::charts::add_stack;
use crate::app::widgets::theme;
use egui::emath::GuiRounding;
use egui::{CornerRadius, Mesh, Painter, Rangef, Rect, Shape, pos2, vec2};
use headless::experiment::comparison::Comparison;
use headless::sim::lane::FrameRecord;
use headless::stats::{hitch_from, is_by_tasks};
use std::collections::VecDeque;
use timeslicer::time::Nanos;

const BAR_WIDTH_WITH_GAP: f32 = 3.0;
const BAR_GAP: f32 = 1.0;
const PLOT_MARGIN: f32 = 2.0;

pub struct PlotScale {
    pub runs: u32,
    pub target: Nanos,
    pub longest: Nanos,
}

impl PlotScale {
    /// Returns the scales for the recent frames of all strategies. Bars of frames that take more than four times the
    /// target frame time are cut off.
    pub fn of(comparison: &Comparison) -> Self {
        let lanes = 0..comparison.lanes().len();
        let all = lanes.flat_map(|lane| comparison.recent(lane));
        let (runs, longest) = all.fold((1, Nanos::ZERO), |(runs, longest), frame| {
            (frame.runs.max(runs), frame.length.max(longest))
        });
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

/// A bar chart of the recent frames of a strategy. Its edges are aligned to pixels so that they look sharp.
pub struct Plot<'a> {
    painter: &'a Painter,
    frames: &'a VecDeque<FrameRecord>,
    bars: Rect,
    step: f32,
    gap: f32,
}

impl<'a> Plot<'a> {
    pub fn new(painter: &'a Painter, area: Rect, comparison: &'a Comparison, lane: usize) -> Self {
        painter.rect_filled(area, CornerRadius::same(3), theme::WELL);
        let scale = painter.pixels_per_point();
        Self {
            painter,
            frames: comparison.recent(lane),
            bars: area.shrink(PLOT_MARGIN).round_to_pixels(scale),
            step: BAR_WIDTH_WITH_GAP.round_to_pixels(scale),
            gap: BAR_GAP.round_to_pixels(scale),
        }
    }

    fn y_of(&self, share: f64) -> f32 {
        let height = self.bars.height() * share.min(1.0) as f32;
        (self.bars.bottom() - height).round_to_pixels(self.painter.pixels_per_point())
    }

    pub fn paint_tasks(&self, scale: &PlotScale) {
        let bottom = self.bars.bottom();
        self.paint_bars(|mesh, left, frame| {
            if frame.runs > 0 {
                // On a linear scale, 4 of 1000 tasks would not be visible.
                let share = (f64::from(frame.runs) / f64::from(scale.runs)).sqrt();
                let top = self.y_of(share).min(bottom - 1.0);
                let right = left + self.step - self.gap;
                let bar = Rect::from_x_y_ranges(left..=right, top..=bottom);
                mesh.add_colored_rect(bar, theme::RED);
            }
        });
    }

    /// Paints a stacked bar that shows how each frame spent its time, and a dashed line at the target frame time.
    pub fn paint_times(&self, scale: &PlotScale) {
        let y_of = |time: Nanos| self.y_of(time.over(scale.longest));
        self.paint_bars(|mesh, left, frame| {
            let x = Rangef::new(left, left + self.step);
            add_stack(mesh, x, self.bars.bottom(), frame, y_of);
            if let Some(range) = hitch_range(frame, scale.target) {
                let [low, high] = range.map(y_of);
                let bar = Rect::from_x_y_ranges(x, high..=low);
                mesh.add_colored_rect(bar, theme::AMBER);
            }
        });
        let (mut dashes, y) = (Mesh::default(), y_of(scale.target));
        for dash in 0..(self.bars.width() / 6.0).ceil() as u32 {
            let at = pos2(self.bars.left() + 6.0 * dash as f32, y);
            let dash = Rect::from_min_size(at, vec2(3.0, 1.0));
            dashes.add_colored_rect(dash.intersect(self.bars), theme::DIM);
        }
        self.painter.add(Shape::mesh(dashes));
    }

    /// Calls `add_bar` with each recent frame and the left edge of its bar. The newest frame is on the right. Also
    /// paints a line before each frame that followed a disturbance, such as a stall that the user has injected.
    fn paint_bars(&self, add_bar: impl Fn(&mut Mesh, f32, &FrameRecord)) {
        let fitting = (self.bars.width() / self.step) as usize;
        let frames = self.frames.iter().rev();
        let mut mesh = Mesh::default();
        for (back, frame) in (1..).zip(frames.take(fitting)) {
            let left = self.bars.right() - back as f32 * self.step;
            add_bar(&mut mesh, left, frame);
            if frame.is_disturbed {
                let line = Rect::from_x_y_ranges(left - 1.0..=left, self.bars.y_range());
                mesh.add_colored_rect(line, theme::BRIGHT);
            }
        }
        self.painter.add(Shape::mesh(mesh));
    }
}

/// Returns the part of a frame's bar that is painted amber, or `None` if the frame's tasks and scheduling caused no
/// hitch. The amber part extends from the target frame time to the frame's length without stalls.
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
