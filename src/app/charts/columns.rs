//! Arranges recent frames in columns, for the plots and the timeline, and paints the axis below them.

use crate::app::widgets::theme;
use egui::{Align2, Painter, Rect, pos2};
use headless::history::{ChangeMark, FRAMES, History, PastFrame};
use headless::text::format;

/// Width of the axis labels on the left, in points.
pub const AXIS: f32 = 60.0;

/// A zoom level, as an index into [`ZOOMS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zoom(usize);

/// For each zoom level, the width of a column in points, and the number of frames in a column. The closest level comes
/// first.
const ZOOMS: [(f32, usize); 6] = [(6.0, 1), (3.0, 1), (1.0, 1), (1.0, 2), (1.0, 4), (1.0, 8)];

impl Default for Zoom {
    fn default() -> Self {
        Self(1)
    }
}

impl Zoom {
    pub const NEAREST: Self = Self(0);

    /// Zooms out by `steps`, or in if `steps` is negative. Stops at the first level at which a plot of this width, in
    /// points, shows almost the whole history.
    pub fn out(self, steps: isize, width: f32) -> Self {
        let shows_all = |&(column, frames): &(f32, usize)| {
            (width / column) as usize * frames >= FRAMES - FRAMES / 8
        };
        let farthest = ZOOMS.iter().position(shows_all);
        let level = self.0.saturating_add_signed(steps);
        Self(level.min(farthest.unwrap_or(ZOOMS.len() - 1)))
    }
}

/// The frames that fit into a chart, with the newest on the right. A frame's column is its number divided by
/// [`each`](Self::each), so frames stay in their columns when new ones arrive.
pub struct Columns<'a> {
    pub frames: Vec<&'a PastFrame>,
    /// Number of frames that are newer than those in view.
    behind: usize,
    last: u64,
    pub left: f32,
    pub right: f32,
    pub width: f32,
    pub each: usize,
}

impl<'a> Columns<'a> {
    /// Selects the newest frames that fit into `rect`, or the frames around the past frame `displayed_frame`. `margin` is the
    /// space to leave free on the right, in points.
    pub fn new(
        rect: Rect,
        margin: f32,
        history: &'a History,
        zoom: Zoom,
        displayed_frame: Option<u64>,
    ) -> Self {
        let left = (rect.left() + AXIS).round();
        let room = rect.right() - margin - left;
        let (width, each) = ZOOMS[zoom.out(0, room).0];
        let fitting = (room / width).max(1.0) as usize;

        let all = history.frames();
        let number = |past: Option<&PastFrame>| past.map_or(0, |past| past.record.number);
        let (oldest, newest) = (number(all.front()), number(all.back()));
        let back = displayed_frame.map_or(0, |number| newest.saturating_sub(number) as usize);
        // Scroll no farther than needed to keep the past frame in the right half.
        let shown = fitting * each;
        let most = all.len().saturating_sub(shown);
        let behind = back.saturating_sub(shown / 2).min(most);
        let last = (newest - behind as u64) / each as u64;
        let first = (last + 1).saturating_sub(fitting as u64) * each as u64;
        let to = all.len() - behind;
        let from = (first.saturating_sub(oldest) as usize).min(to);
        Self {
            frames: all.range(from..to).collect(),
            behind,
            last,
            left,
            right: left + fitting as f32 * width,
            width,
            each,
        }
    }

    pub fn room(&self) -> f32 {
        self.right - self.left
    }

    /// Iterates over the columns from old to new. Yields the left edge of each column and its frames.
    pub fn iter(&self) -> impl Iterator<Item = (f32, &[&'a PastFrame])> {
        let each = self.each as u64;
        let columns = self
            .frames
            .chunk_by(move |_, next| !next.record.number.is_multiple_of(each));
        columns.map(|frames| (self.x(frames[0].record.number), frames))
    }

    /// Returns the left edge of the column that contains the frame `number`.
    pub fn x(&self, number: u64) -> f32 {
        let column = number / self.each as u64;
        self.right - (self.last + 1).saturating_sub(column) as f32 * self.width
    }

    /// Returns the area of the columns, `height` points tall, below `top`.
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

    /// Returns the centre of the column that contains the frame `number`, or `None` if the frame is not in view.
    pub fn x_of_frame(&self, number: u64) -> Option<f32> {
        self.contains(number)
            .then(|| self.x(number) + self.width / 2.0)
    }

    /// Returns the position of a change mark, or `None` if it is not in view. The mark may be at the right end, before
    /// a frame that has not been recorded yet.
    pub fn x_of(&self, mark: &ChangeMark) -> Option<f32> {
        let is_seen = self.contains(mark.frame) || self.contains(mark.frame.checked_sub(1)?);
        is_seen.then(|| self.x(mark.frame) - 0.5)
    }

    /// Returns the ticks of the axis as pairs. The first number is a round number of frames ago, and the second one is
    /// a horizontal position. Ticks are about `apart` points apart, and the last `clear` points have none.
    pub fn ticks(&self, apart: f32, clear: f32) -> impl Iterator<Item = (usize, f32)> {
        let frames_a_point = self.each as f32 / self.width;
        let step = (apart * frames_a_point / 10.0).round().max(1.0) as usize * 10;
        let farthest = self.behind + (self.room() * frames_a_point) as usize;
        let (right, behind) = (self.right, self.behind);
        (step..=farthest)
            .step_by(step)
            .filter(move |&ago| ago > behind)
            .map(move |ago| (ago, (ago - behind) as f32 / frames_a_point))
            .filter(move |&(_, back)| back > clear)
            .map(move |(ago, back)| (ago, (right - back).round()))
    }

    /// Paints the labels of the [`ticks`](Self::ticks) at the height `y`, and "now" at the right end if the newest
    /// frame is in view. Returns the right edge of the space that is still free.
    pub fn paint_axis(&self, painter: &Painter, y: f32, apart: f32, clear: f32) -> f32 {
        let text = |x: f32, align, words: &str| {
            painter.text(pos2(x, y), align, words, theme::mono(10.0), theme::DIM)
        };
        for (ago, x) in self.ticks(apart, clear) {
            let words = format!("-{}", format::grouped(ago as u64));
            text(x, Align2::CENTER_CENTER, &words);
        }
        if self.behind > 0 {
            return self.right;
        }
        text(self.right, Align2::RIGHT_CENTER, "now").left() - 6.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;
    use headless::testing::numbered_frames as history;

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
        for (out, each) in [(2, 2), (3, 4), (4, 8)] {
            for frames in 5000..5016 {
                let history = history(frames);
                let columns = seen(&history, out, None);
                for (x, frames) in columns.iter() {
                    let column = numbers(frames)[0] / each;
                    assert!(numbers(frames).iter().all(|it| it / each == column));
                    assert_eq!(numbers(columns.at(x + 0.5)), numbers(frames));
                    assert_eq!(columns.x_of_frame(frames[0].record.number), Some(x + 0.5));
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
                assert!(columns.x_of_frame(number).is_some(), "{number}");
                let ends_at = columns.frames.last().unwrap().record.number;
                assert_eq!(ends_at, 8999 - columns.behind as u64);
            }
        }
        assert_eq!(seen(&history, 0, Some(8990)).behind, 0);
    }

    #[test]
    fn mark_is_at_the_left_edge_of_its_frame() {
        let mut history = history(500);
        history.mark(100, Some("churn-per-s"), "Churn 5 /s".to_owned());
        history.mark(499, Some("all-at-once"), "All at once".to_owned());
        history.mark(500, Some("request-list"), "Request list".to_owned());
        let marks: Vec<ChangeMark> = history.marks().iter().cloned().collect();
        let columns = seen(&history, 0, None);
        let last = columns.right - columns.width;
        assert_eq!(columns.x_of(&marks[0]), None);
        assert_eq!(columns.x_of(&marks[1]), Some(last - 0.5));
        assert_eq!(columns.x_of(&marks[2]), Some(columns.right - 0.5));
        let past = seen(&history, 0, Some(200));
        assert_eq!(past.x_of(&marks[2]), None);
        assert!(past.x_of(&marks[0]).is_some());
    }

    #[test]
    fn zooming_out_ends_when_the_history_is_visible() {
        for (width, frames) in [(572.0, 8), (720.0, 8), (1200.0, 4), (2000.0, 2)] {
            let farthest = Zoom::default().out(99, width);
            assert_eq!(ZOOMS[farthest.0].1, frames, "{width} points");
            assert_eq!(farthest.out(1, width), farthest);
            assert!(width as usize * frames >= FRAMES - FRAMES / 8);
        }
    }

    #[test]
    fn ticks_count_from_the_present_and_leave_the_right_end_clear() {
        let history = history(500);
        let ticks = |displayed_frame| {
            let columns = seen(&history, 0, displayed_frame);
            let ticks = columns.ticks(180.0, 100.0);
            let back = ticks.map(|(ago, x)| (ago, columns.right - x));
            back.collect::<Vec<_>>()
        };
        let expected = [(60, 180.0), (120, 360.0), (180, 540.0), (240, 720.0)];
        assert_eq!(ticks(None), expected);
        let expected = [(240, 210.0), (300, 390.0), (360, 570.0)]; // 180 is too close
        assert_eq!(ticks(Some(499 - 290)), expected);
    }
}
