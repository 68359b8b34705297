//! The frames that a plot shows, and where each one's column is.

use crate::app::history::{History, Mark};
use egui::{Rect, pos2};
use timeslice_lab::metrics::FrameRecord;

/// Width of a frame's column in points.
pub const COLUMN: f32 = 3.0;
/// Room for the axis at the left, and at the right.
pub const AXIS: f32 = 60.0;
/// Room at the right.
pub const RIGHT: f32 = 18.0;

/// The frames that fit, the last one at the right end.
pub struct Columns<'a> {
    /// Oldest first.
    pub frames: Vec<&'a FrameRecord>,
    /// How many of them came before the last change.
    unlike: usize,
    /// The left edge of the first column that fits.
    pub left: f32,
    /// The right edge of the last one.
    pub right: f32,
}

impl<'a> Columns<'a> {
    /// As many of the last frames as fit into `rect`.
    pub fn new(rect: Rect, history: &'a History) -> Self {
        let left = (rect.left() + AXIS).round();
        let fitting = ((rect.right() - RIGHT - left) / COLUMN).max(1.0).floor();
        let right = left + fitting * COLUMN;
        let frames: Vec<&FrameRecord> = history.last(fitting as usize).collect();
        let changed_at = history.marks().last().map_or(0, |mark| mark.frame);
        let unlike = frames.partition_point(|frame| frame.number < changed_at);
        Self {
            frames,
            unlike,
            left,
            right,
        }
    }

    /// The stretch of `height` below `top` in which the columns stand.
    pub fn band(&self, top: f32, height: f32) -> Rect {
        let (top, bottom) = (top.round(), (top + height).round());
        Rect::from_min_max(pos2(self.left, top), pos2(self.right, bottom))
    }

    /// The left edge of a frame's column.
    pub fn x(&self, index: usize) -> f32 {
        self.right - self.frames.len().saturating_sub(index) as f32 * COLUMN
    }

    /// Where a mark's line stands, if among these frames.
    pub fn x_of(&self, mark: &Mark) -> Option<f32> {
        let first = self.frames.first()?.number;
        let index = mark.frame.checked_sub(first)? as usize;
        Some(self.x(index).min(self.right) - 0.5)
    }

    /// The frames since the last change of strategy or knob: those that figures are about.
    pub fn alike(&self) -> &[&'a FrameRecord] {
        &self.frames[self.unlike..]
    }

    /// Whether some of the frames came before the last change.
    pub fn has_change(&self) -> bool {
        self.unlike > 0
    }

    /// The mean over the frames since the last change; zero of none.
    pub fn mean(&self, of: impl Fn(&FrameRecord) -> f64) -> f64 {
        // Not `sum`, which makes minus zero of nothing.
        let sum = self.alike().iter().fold(0.0, |sum, frame| sum + of(frame));
        sum / self.alike().len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;

    fn history(frames: u64) -> History {
        let mut history = History::default();
        for number in 0..frames {
            history.push(FrameRecord {
                number,
                runs: number as u32,
                ..FrameRecord::default()
            });
        }
        history
    }

    fn columns(history: &History) -> Columns<'_> {
        Columns::new(
            Rect::from_min_size(pos2(0.0, 0.0), vec2(900.0, 226.0)),
            history,
        )
    }

    #[test]
    fn the_last_frame_stands_at_the_right_end() {
        let history = history(10);
        let columns = columns(&history);
        assert_eq!(columns.x(9), columns.right - COLUMN);
        assert!(columns.right <= 900.0 - RIGHT);
    }

    #[test]
    fn of_no_frames_the_mean_is_zero_without_a_sign() {
        let history = history(0);
        assert_eq!(format!("{:.1}", columns(&history).mean(|_| 1.0)), "0.0");
    }

    #[test]
    fn figures_are_about_the_frames_since_the_last_change() {
        let mut history = history(10);
        let runs = |frame: &FrameRecord| f64::from(frame.runs);
        assert_eq!(columns(&history).mean(runs), 4.5);
        assert!(!columns(&history).has_change());
        history.mark(8, "all-at-once", "All at once".to_owned());
        assert_eq!(columns(&history).mean(runs), 8.5);
        assert!(columns(&history).has_change());
        history.mark(10, "every-frame", "Every frame".to_owned());
        assert!(columns(&history).alike().is_empty());
    }

    #[test]
    fn a_mark_stands_at_the_left_edge_of_its_frame() {
        let mut history = history(10);
        history.mark(9, "all-at-once", "All at once".to_owned());
        let columns = columns(&history);
        let mark = history.marks().next().unwrap();
        assert_eq!(columns.x_of(mark), Some(columns.right - COLUMN - 0.5));
    }
}
