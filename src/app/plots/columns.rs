//! Arranges the most recent frames in columns for the charts. Also paints the axis below the columns.

use crate::app::widgets::{paint, theme};
use egui::{Align2, Painter, Rect, pos2};
use lab::history::{Change, History, PastFrame};
use lab::text::format;

pub const AXIS_LABEL_WIDTH: f32 = 60.0;
/// The width of the right end of the axis, which is labelled "now".
const NOW_WIDTH: f32 = 30.0;

/// The frames that are visible in a chart, one per column, with the newest on the right.
pub struct Columns<'a> {
    pub frames: Vec<&'a PastFrame>,
    hidden_newer_frames: usize,
    last: u64,
    pub left: f32,
    pub right: f32,
    pub width: f32,
}

impl<'a> Columns<'a> {
    /// Creates columns of the given `width` for the newest frames that fit into `rect`, or for those around the past
    /// frame on screen.
    pub fn new(
        rect: Rect,
        right_margin: f32,
        history: &'a History,
        width: f32,
        displayed_frame: Option<u64>,
    ) -> Self {
        let left = (rect.left() + AXIS_LABEL_WIDTH).round();
        let fitting = ((rect.right() - right_margin - left) / width) as usize;
        let all = history.frames();
        let newest = all.back().map_or(0, |past| past.record.number);
        let back = displayed_frame.map_or(0, |number| newest.saturating_sub(number) as usize);
        // Scroll only if the past frame would be among the oldest tenth of the columns, so that most frames stay below
        // the pointer when they are clicked.
        let most = all.len().saturating_sub(fitting);
        let hidden_newer_frames = back.saturating_sub(fitting * 9 / 10).min(most);
        let end = all.len() - hidden_newer_frames;
        Self {
            frames: all.range(end.saturating_sub(fitting)..end).collect(),
            hidden_newer_frames,
            last: newest - hidden_newer_frames as u64,
            left,
            right: left + fitting as f32 * width,
            width,
        }
    }

    /// Iterates over the left edges of the columns and their frames, starting with the oldest.
    pub fn iter(&self) -> impl Iterator<Item = (f32, &'a PastFrame)> {
        let frames = self.frames.iter();
        frames.map(|past| (self.column_left(past.record.number), *past))
    }

    pub fn column_left(&self, frame_number: u64) -> f32 {
        self.right - (self.last + 1).saturating_sub(frame_number) as f32 * self.width
    }

    pub fn band(&self, top: f32, height: f32) -> Rect {
        let (top, bottom) = (top.round(), (top + height).round());
        Rect::from_min_max(pos2(self.left, top), pos2(self.right, bottom))
    }

    pub fn at(&self, x: f32) -> Option<&'a PastFrame> {
        let mut columns = self.iter();
        let column = columns.find(|(left, _)| (*left..*left + self.width).contains(&x));
        column.map(|(_, past)| past)
    }

    fn contains(&self, number: u64) -> bool {
        let back = self.last.checked_sub(number);
        back.is_some_and(|back| back < self.frames.len() as u64)
    }

    pub fn column_center(&self, number: u64) -> Option<f32> {
        self.contains(number)
            .then(|| self.column_left(number) + self.width / 2.0)
    }

    /// Returns the x coordinate of the mark for a setting change, or `None` if the mark is not visible. The mark is at
    /// the right end if no frame has been recorded since the change.
    pub fn change_mark_x(&self, mark: &Change) -> Option<f32> {
        let is_seen = self.contains(mark.at) || self.contains(mark.at.checked_sub(1)?);
        is_seen.then(|| self.column_left(mark.at) - 0.5)
    }

    /// Returns a tick for every `step` frames, except at the right end of the axis. A tick consists of the number of
    /// frames between it and the newest frame, and its x coordinate.
    pub fn ticks(&self, step: usize) -> impl Iterator<Item = (usize, f32)> {
        let x = |ago| self.right + (self.hidden_newer_frames as f32 - ago as f32) * self.width;
        let ticks = (0..).step_by(step).map(move |ago| (ago, x(ago)));
        ticks
            .skip_while(|(_, x)| *x >= self.right - NOW_WIDTH)
            .take_while(|(_, x)| *x >= self.left)
    }

    /// Paints a label for each of the [`ticks`](Self::ticks), "now" at the newest frame if visible, and the unit.
    pub fn paint_axis(&self, painter: &Painter, y: f32, step: usize) {
        let text = |x: f32, align, words: &str| {
            painter.text(pos2(x, y), align, words, theme::mono(10.0), theme::DIM);
        };
        let is_clear = |&(_, x): &(usize, f32)| x > self.left + NOW_WIDTH;
        for (ago, x) in self.ticks(step).filter(is_clear) {
            let words = format!("-{}", format::grouped(ago as u64));
            text(x, Align2::CENTER_CENTER, &words);
        }
        if self.hidden_newer_frames == 0 {
            text(self.right, Align2::RIGHT_CENTER, "now");
        }
        let at = pos2(self.left - 6.0, y);
        paint::right(painter, at, "frames ago", 10.5, theme::DIM);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;
    use lab::testing::numbered_frames as history;

    const SIZE: egui::Vec2 = vec2(796.0, 226.0); // 720 points of columns

    fn seen(history: &History, displayed_frame: Option<u64>) -> Columns<'_> {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), SIZE);
        Columns::new(rect, 16.0, history, 3.0, displayed_frame)
    }

    #[test]
    fn newest_frames_fill_the_columns_from_the_right() {
        for (recorded, shown) in [(0, 0), (100, 100), (5000, 240)] {
            let history = history(recorded);
            let columns = seen(&history, None);
            let numbers = columns.iter().map(|(_, past)| past.record.number);
            assert!(numbers.eq(recorded - shown..recorded));
            for (x, past) in columns.iter() {
                let number = past.record.number;
                assert_eq!(x, 780.0 - 3.0 * (recorded - number) as f32);
                assert_eq!(columns.column_center(number), Some(x + 1.5));
                assert_eq!(columns.at(x + 2.9).unwrap().record.number, number);
            }
            assert!(columns.at(columns.right).is_none());
        }
    }

    #[test]
    fn looked_at_frame_is_always_in_view() {
        let history = history(9000);
        let oldest = history.frames()[0].record.number;
        for number in [oldest, 6000, 8700, 8998] {
            let columns = seen(&history, Some(number));
            assert!(columns.column_center(number).is_some(), "{number}");
            let ends_at = columns.frames.last().unwrap().record.number;
            assert_eq!(ends_at, 8999 - columns.hidden_newer_frames as u64);
        }
        assert_eq!(seen(&history, Some(8800)).hidden_newer_frames, 0);
    }

    #[test]
    fn mark_is_at_the_left_edge_of_its_frame() {
        let mut history = history(500);
        history.mark(100, Some("churn-per-s"), "Churn 5 /s".to_owned());
        history.mark(499, Some("all-at-once"), "All at once".to_owned());
        history.mark(500, Some("request-list"), "Request list".to_owned());
        let marks = history.changes().to_vec();
        let columns = seen(&history, None);
        let last = columns.right - columns.width;
        assert_eq!(columns.change_mark_x(&marks[0]), None);
        assert_eq!(columns.change_mark_x(&marks[1]), Some(last - 0.5));
        assert_eq!(columns.change_mark_x(&marks[2]), Some(columns.right - 0.5));
        let past = seen(&history, Some(120));
        assert_eq!(past.change_mark_x(&marks[2]), None);
        assert!(past.change_mark_x(&marks[0]).is_some());
    }

    #[test]
    fn ticks_count_from_the_present_and_leave_the_right_end_clear() {
        let history = history(500);
        let ticks = |displayed_frame| {
            let columns = seen(&history, displayed_frame);
            let ticks = columns.ticks(60);
            let back = ticks.map(|(ago, x)| (ago, columns.right - x));
            back.collect::<Vec<_>>()
        };
        let expected = [(60, 180.0), (120, 360.0), (180, 540.0), (240, 720.0)];
        assert_eq!(ticks(None), expected);
        let expected = [(240, 210.0), (300, 390.0), (360, 570.0)]; // 180 is too close
        assert_eq!(ticks(Some(499 - 386)), expected);
    }
}
