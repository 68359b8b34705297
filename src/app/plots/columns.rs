//! Arranges the most recent frames in columns for the charts. Also paints the axis below the columns.

use crate::app::widgets::{paint, theme};
use egui::{Align2, Painter, Rect, pos2};
use lab::history::{FRAMES, History, PastFrame};
use lab::sim::change_log::Change;
use lab::text::format;

pub const AXIS_LABEL_WIDTH: f32 = 60.0;
/// The width of the right end of the axis, which is labelled "now".
const NOW_WIDTH: f32 = 30.0;

/// A zoom level, stored as an index into [`ZOOMS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zoom(usize);

/// The zoom levels, starting with the closest: the column width in points and the number of frames per column.
const ZOOMS: [(f32, usize); 6] = [(6.0, 1), (3.0, 1), (1.0, 1), (1.0, 2), (1.0, 4), (1.0, 8)];

impl Default for Zoom {
    fn default() -> Self {
        Self(1)
    }
}

impl Zoom {
    pub const NEAREST: Self = Self(0);

    /// Zooms out by this many levels, or in if negative, until almost the whole history fits into `width`, in points.
    pub fn out(self, steps: isize, width: f32) -> Self {
        let shows_all = |&(column, frames): &(f32, usize)| {
            (width / column) as usize * frames >= FRAMES - FRAMES / 8
        };
        // Beyond this level, much of the plot would stay empty.
        let farthest = ZOOMS.iter().position(shows_all);
        let level = self.0.saturating_add_signed(steps);
        Self(level.min(farthest.unwrap_or(ZOOMS.len() - 1)))
    }
}

/// The frames that are visible in a chart, with the newest on the right. Frames are grouped into columns by frame
/// number, so that the groups do not change when new frames arrive.
pub struct Columns<'a> {
    pub frames: Vec<&'a PastFrame>,
    hidden_newer_frames: usize,
    last: u64,
    pub left: f32,
    pub right: f32,
    pub width: f32,
    pub frames_per_column: usize,
}

impl<'a> Columns<'a> {
    /// Creates columns for the newest frames that fit into `rect`, or for those around the past frame on screen.
    pub fn new(
        rect: Rect,
        right_margin: f32,
        history: &'a History,
        zoom: Zoom,
        displayed_frame: Option<u64>,
    ) -> Self {
        let left = (rect.left() + AXIS_LABEL_WIDTH).round();
        let room = rect.right() - right_margin - left;
        let (width, frames_per_column) = ZOOMS[zoom.out(0, room).0];
        let fitting = (room / width).max(1.0) as usize;

        let all = history.frames();
        let number = |past: Option<&PastFrame>| past.map_or(0, |past| past.record.number);
        let (oldest, newest) = (number(all.front()), number(all.back()));
        let back = displayed_frame.map_or(0, |number| newest.saturating_sub(number) as usize);
        // Scroll no farther than needed to keep the past frame in the right half.
        let shown = fitting * frames_per_column;
        let most = all.len().saturating_sub(shown);
        let hidden_newer_frames = back.saturating_sub(shown / 2).min(most);
        let last = (newest - hidden_newer_frames as u64) / frames_per_column as u64;
        let first = (last + 1).saturating_sub(fitting as u64) * frames_per_column as u64;
        let to = all.len() - hidden_newer_frames;
        let from = (first.saturating_sub(oldest) as usize).min(to);
        Self {
            frames: all.range(from..to).collect(),
            hidden_newer_frames,
            last,
            left,
            right: left + fitting as f32 * width,
            width,
            frames_per_column,
        }
    }

    pub fn room(&self) -> f32 {
        self.right - self.left
    }

    /// Iterates over the left edges of the columns and their frames, starting with the oldest.
    pub fn iter(&self) -> impl Iterator<Item = (f32, &[&'a PastFrame])> {
        let frames_per_column = self.frames_per_column as u64;
        let columns = self
            .frames
            .chunk_by(move |_, next| !next.record.number.is_multiple_of(frames_per_column));
        columns.map(|frames| (self.column_left(frames[0].record.number), frames))
    }

    pub fn column_left(&self, frame_number: u64) -> f32 {
        let column = frame_number / self.frames_per_column as u64;
        self.right - (self.last + 1).saturating_sub(column) as f32 * self.width
    }

    pub fn band(&self, top: f32, height: f32) -> Rect {
        let (top, bottom) = (top.round(), (top + height).round());
        Rect::from_min_max(pos2(self.left, top), pos2(self.right, bottom))
    }

    pub fn at(&self, x: f32) -> &[&'a PastFrame] {
        let in_column = |(left, _): &(f32, &[&PastFrame])| (*left..*left + self.width).contains(&x);
        let column = self.iter().find(in_column);
        column.map_or(&[], |(_, frames)| frames)
    }

    fn contains(&self, number: u64) -> bool {
        let first = self.frames.first().map_or(0, |past| past.record.number);
        (first..first + self.frames.len() as u64).contains(&number)
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

    /// Returns the ticks of the axis, about `spacing` points apart but none at the right end: the number of frames up
    /// to the newest frame, and the x coordinate.
    pub fn ticks(&self, spacing: f32) -> impl Iterator<Item = (usize, f32)> {
        let frames_a_point = self.frames_per_column as f32 / self.width;
        let step = (spacing * frames_a_point / 10.0).round().max(1.0) as usize * 10;
        let farthest = self.hidden_newer_frames + (self.room() * frames_a_point) as usize;
        let (right, hidden_newer_frames) = (self.right, self.hidden_newer_frames);
        (step..=farthest)
            .step_by(step)
            .filter(move |&ago| ago > hidden_newer_frames)
            .map(move |ago| (ago, (ago - hidden_newer_frames) as f32 / frames_a_point))
            .filter(move |&(_, back)| back > NOW_WIDTH)
            .map(move |(ago, back)| (ago, (right - back).round()))
    }

    /// Paints a label for each of the [`ticks`](Self::ticks), "now" at the newest frame if visible, and the unit.
    pub fn paint_axis(&self, painter: &Painter, y: f32, spacing: f32) {
        let text = |x: f32, align, words: &str| {
            painter.text(pos2(x, y), align, words, theme::mono(10.0), theme::DIM);
        };
        let is_clear = |&(_, x): &(usize, f32)| x > self.left + NOW_WIDTH;
        for (ago, x) in self.ticks(spacing).filter(is_clear) {
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

    fn seen(history: &History, out: isize, displayed_frame: Option<u64>) -> Columns<'_> {
        let zoom = Zoom::default().out(out, 720.0);
        let rect = Rect::from_min_size(pos2(0.0, 0.0), SIZE);
        Columns::new(rect, 16.0, history, zoom, displayed_frame)
    }

    fn numbers(frames: &[&PastFrame]) -> Vec<u64> {
        frames.iter().map(|past| past.record.number).collect()
    }

    #[test]
    fn columns_keep_their_frames_as_new_ones_arrive() {
        for (out, frames_per_column) in [(2, 2), (3, 4), (4, 8)] {
            for frames in 5000..5016 {
                let history = history(frames);
                let columns = seen(&history, out, None);
                for (x, frames) in columns.iter() {
                    let column = numbers(frames)[0] / frames_per_column;
                    assert!(
                        numbers(frames)
                            .iter()
                            .all(|it| it / frames_per_column == column)
                    );
                    assert_eq!(numbers(columns.at(x + 0.5)), numbers(frames));
                    assert_eq!(
                        columns.column_center(frames[0].record.number),
                        Some(x + 0.5)
                    );
                }
                let shown: usize = columns.iter().map(|(_, frames)| frames.len()).sum();
                assert_eq!(shown, columns.frames.len(), "every frame has a column");
                let (x, _) = columns.iter().last().unwrap();
                assert_eq!(x, columns.right - 1.0);
                assert!(columns.iter().all(|(x, _)| x >= columns.left));
            }
        }
    }

    #[test]
    fn looked_at_frame_is_always_in_view() {
        let history = history(9000);
        let oldest = history.frames()[0].record.number;
        for out in [-1, 0, 1, 2, 4] {
            for number in [oldest, 6000, 8700, 8998] {
                let columns = seen(&history, out, Some(number));
                assert!(columns.column_center(number).is_some(), "{number}");
                let ends_at = columns.frames.last().unwrap().record.number;
                assert_eq!(ends_at, 8999 - columns.hidden_newer_frames as u64);
            }
        }
        assert_eq!(seen(&history, 0, Some(8990)).hidden_newer_frames, 0);
    }

    #[test]
    fn mark_is_at_the_left_edge_of_its_frame() {
        let mut history = history(500);
        history.mark(100, Some("churn-per-s"), "Churn 5 /s".to_owned());
        history.mark(499, Some("all-at-once"), "All at once".to_owned());
        history.mark(500, Some("request-list"), "Request list".to_owned());
        let marks = history.marks().to_vec();
        let columns = seen(&history, 0, None);
        let last = columns.right - columns.width;
        assert_eq!(columns.change_mark_x(&marks[0]), None);
        assert_eq!(columns.change_mark_x(&marks[1]), Some(last - 0.5));
        assert_eq!(columns.change_mark_x(&marks[2]), Some(columns.right - 0.5));
        let past = seen(&history, 0, Some(200));
        assert_eq!(past.change_mark_x(&marks[2]), None);
        assert!(past.change_mark_x(&marks[0]).is_some());
    }

    #[test]
    fn ticks_count_from_the_present_and_leave_the_right_end_clear() {
        let history = history(500);
        let ticks = |displayed_frame| {
            let columns = seen(&history, 0, displayed_frame);
            let ticks = columns.ticks(180.0);
            let back = ticks.map(|(ago, x)| (ago, columns.right - x));
            back.collect::<Vec<_>>()
        };
        let expected = [(60, 180.0), (120, 360.0), (180, 540.0), (240, 720.0)];
        assert_eq!(ticks(None), expected);
        let expected = [(240, 210.0), (300, 390.0), (360, 570.0)]; // 180 is too close
        assert_eq!(ticks(Some(499 - 290)), expected);
    }
}
