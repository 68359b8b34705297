//! The plot of frame times, with a stacked bar for each frame and dashed lines for the display's refresh rate and the
//! budget.

use super::flags;
use super::plot::{Metric, Plot, scale_end};
use super::{FRAME_PARTS, add_stack};
use crate::app::widgets::theme;
use egui::{Align2, Mesh, Rangef, Rect, Shape, Stroke, pos2, vec2};
use lab::history::PastFrame;
use lab::sim::lane::FrameRecord;
use lab::text::format;
use std::cmp::Reverse;
use timeslicer::time::Nanos;

/// A time scale ends at one of these numbers times a power of ten, so its middle is also labelled with a round number.
const TIME_SCALE_ENDS: [u64; 8] = [1, 2, 3, 4, 5, 6, 8, 10];
const MAX_CLIPPED_FRAMES: usize = 2;
const RATE_LABEL_HEIGHT: f32 = 14.0;
/// The bar of a frame is clipped only if the frame took more than this many times as long as a usual frame.
const MIN_CLIPPED_LENGTH_RATIO: u64 = 8;

/// Returns the longest frame time that the plot must show, in milliseconds. Up to two extremely long frames are
/// ignored, because they would make all others look tiny. Stalls that the user has injected are ignored, too.
fn max_plotted_ms(frames: &[&PastFrame], period: Nanos) -> f64 {
    let records = frames.iter().map(|past| &past.record);
    let work = records
        .clone()
        .map(|frame| frame.task_time + frame.scheduling);
    let mut lengths: Vec<Nanos> = records.map(FrameRecord::own_length).collect();
    lengths.sort_unstable_by_key(|&length| Reverse(length));
    let least = Nanos::from_millis_f64(2.5 * period.as_millis_f64());
    let third_longest = lengths.get(MAX_CLIPPED_FRAMES).copied();
    // The time that a frame spends on tasks and scheduling is never ignored.
    let usual = third_longest
        .max(work.max())
        .map_or(least, |it| it.max(least));
    let limit = Nanos::from_nanos(usual.as_nanos().saturating_mul(MIN_CLIPPED_LENGTH_RATIO));
    let longest = lengths.into_iter().find(|&length| length <= limit);
    longest.unwrap_or(usual).max(usual).as_millis_f64()
}

impl Plot<'_> {
    /// Paints the frame time plot and returns the end of its scale, in milliseconds.
    pub fn frame_time(&self) -> f64 {
        let report = &self.stats.report;
        let ms = |time: Nanos| {
            let is_short = time < Nanos::SECOND;
            let text = || if is_short { format::millis } else { format::time }(time);
            (report.frames > 0).then(text)
        };
        let parts = [
            report.task_time,
            report.scheduling,
            report.drawing,
            report.waiting,
        ];
        let metric = |((name, ink, _), part)| (Some(ink), name, ms(report.per_frame(part)));
        let metrics = FRAME_PARTS.into_iter().zip(parts).map(metric);
        let max = (None, "max", ms(report.frame.max));
        let metrics: Vec<Metric<'_>> = metrics.chain([max]).collect();
        let window = format!("mean ms, {}", self.stats.caption());
        self.heading("Frame time", &[&window, "ms"], &metrics);

        let period = report.subject.pacing.target;
        let top = scale_end(
            &TIME_SCALE_ENDS,
            max_plotted_ms(&self.columns.frames, period),
        );
        self.stacks(top);
        self.grid(|share| format::short(top * share));
        self.rates(period, top);
        if report.subject.pacing.has_fixed_refresh {
            // A late frame ends at one of these refreshes.
            let stroke = Stroke::new(1.0, theme::AMBER.gamma_multiply(0.4));
            let ends = [3.0, 4.0].map(|refreshes| refreshes * period.as_millis_f64() / top);
            for end in ends.into_iter().filter(|end| *end < 1.0) {
                self.dashed_line(end, stroke, 4.0);
            }
        }
        if let Some(budget) = report.subject.budget.map(Nanos::as_millis_f64)
            && budget <= top
        {
            let y = self.dashed_line(budget / top, Stroke::new(1.2, theme::BRIGHT), 2.0);
            let at = pos2(self.rect.right() - 4.0, y - 1.0);
            let words = format!("budget {} ms", format::number(budget));
            self.note(at, Align2::RIGHT_BOTTOM, words, theme::BRIGHT);
        }
        top
    }

    fn stacks(&self, top: f64) {
        let (rect, columns) = (self.rect, self.columns);
        // Multiply instead of dividing, because this runs thousands of times per frame.
        let points_a_nano = f64::from(rect.height()) / (top * 1e6);
        let y_of = |time: Nanos| {
            let height = (time.as_nanos() as f64 * points_a_nano) as f32;
            (rect.bottom() - height.min(rect.height())).round()
        };
        let mut mesh = Mesh::default();
        for (left, past) in columns.iter() {
            let x = Rangef::new(left, left + columns.width);
            add_stack(&mut mesh, x, rect.bottom(), &past.record, y_of);
            if past.record.length.as_millis_f64() > top {
                // A clipped bar has a tip in the colour of its flag.
                let tip = Rect::from_min_size(pos2(left, rect.top()), vec2(columns.width, 6.0));
                mesh.add_colored_rect(tip, flags::ink(past));
            }
        }
        self.painter.add(Shape::mesh(mesh));
    }

    /// Paints a dashed line for the display's refresh rate, and one for half of this rate.
    fn rates(&self, period: Nanos, top: f64) {
        for (times, ink) in [(1.0, theme::DIM), (2.0, theme::AMBER)] {
            let ms = times * period.as_millis_f64();
            let stroke = Stroke::new(1.0, ink.gamma_multiply(0.8));
            let y = self.dashed_line(ms / top, stroke, 4.0);
            // One decimal place distinguishes 59.9 from 60.
            let fps = format::number((1e4 / ms).round() / 10.0);
            let at = pos2(self.rect.left() + 4.0, y - 1.0);
            // If the lines are too close together, only the upper one has a label.
            let gap = (period.as_millis_f64() / top) as f32 * self.rect.height();
            if times > 1.0 || gap >= RATE_LABEL_HEIGHT {
                self.note(at, Align2::LEFT_BOTTOM, format!("{fps} fps"), ink);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::history::{History, TYPICAL_PERIOD};
    use lab::testing::{MS, history};

    fn tallest(history: &History) -> f64 {
        let frames: Vec<&PastFrame> = history.frames().iter().collect();
        max_plotted_ms(&frames, TYPICAL_PERIOD)
    }

    #[test]
    fn a_giant_frame_leaves_the_rest_readable() {
        let mut lengths = [16; 240];
        lengths[7] = 60;
        for giant in [20, 30] {
            lengths[giant] = 20_000;
            assert_eq!(tallest(&idle(&lengths)), 60.0);
        }
        assert_eq!(tallest(&history(&lengths)), 20_000.0, "tasks always count");
        lengths[40] = 20_000;
        assert_eq!(tallest(&idle(&lengths)), 20_000.0, "three are no exception");
    }

    #[test]
    fn injected_stalls_are_cut_off() {
        let mut stalled = History::default();
        for past in idle(&[516; 9]).frames() {
            let mut past = past.clone();
            past.record.stall = MS(500);
            stalled.push(past);
        }
        assert!(tallest(&stalled) < 50.0);
    }

    fn idle(lengths_ms: &[u64]) -> History {
        let mut idle = History::default();
        for past in history(lengths_ms).frames() {
            let mut past = past.clone();
            past.record.task_time = Nanos::ZERO;
            idle.push(past);
        }
        idle
    }
}
