//! Columns of recent frames, for the plots and the timeline.

use egui::{Rect, pos2};
use headless::history::{ChangeMark, FRAMES, History, PastFrame};

/// Room for the axis at the left, in points.
pub const AXIS: f32 = 60.0;

/// Level of zoom: an index into [`ZOOMS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zoom(usize);

/// Width of a column in points, and its number of frames, for each level from near to far.
const ZOOMS: [(f32, usize); 6] = [(6.0, 1), (3.0, 1), (1.0, 1), (1.0, 2), (1.0, 4), (1.0, 8)];

impl Default for Zoom {
    fn default() -> Self {
        Self(1)
    }
}

impl Zoom {
    pub const NEAREST: Self = Self(0);

    /// Zooms out by `steps` (in if negative), at most to the first level at which a plot that is `width` points wide
    /// shows almost the whole history.
    pub fn out(self, steps: isize, width: f32) -> Self {
        let shows_all = |&(column, frames): &(f32, usize)| {
            (width / column) as usize * frames >= FRAMES - FRAMES / 8
        };
        let farthest = ZOOMS.iter().position(shows_all);
        let level = self.0.saturating_add_signed(steps);
        Self(level.min(farthest.unwrap_or(ZOOMS.len() - 1)))
    }
}

/// Returns the number of newer frames to leave out at the right end of a view, so that the frame `back` frames ago is
/// visible. The view has room for `fitting` of the `remembered` frames. It scrolls only as far as needed to keep that
/// frame in the right half.
fn behind(back: usize, fitting: usize, remembered: usize) -> usize {
    back.saturating_sub(fitting / 2)
        .min(remembered.saturating_sub(fitting))
}

/// The frames that fit into a chart, the newest at the right end. The columns do not depend on the newest frame, because
/// a frame's column is its number divided by [`each`](Self::each), rounded down.
pub struct Columns<'a> {
    pub frames: Vec<&'a PastFrame>,
    pub behind: usize,
    last: u64,
    pub left: f32,
    pub right: f32,
    pub width: f32,
    pub each: usize,
}

impl<'a> Columns<'a> {
    /// Returns the newest frames that fit into `rect`, or the frames around the past frame `looked_at`. `margin` is the
    /// room at the right.
    pub fn new(
        rect: Rect,
        margin: f32,
        history: &'a History,
        zoom: Zoom,
        looked_at: Option<u64>,
    ) -> Self {
        let left = (rect.left() + AXIS).round();
        let room = rect.right() - margin - left;
        let (width, each) = ZOOMS[zoom.out(0, room).0];
        let fitting = (room / width).max(1.0).floor();

        let all = history.frames();
        let number = |past: Option<&PastFrame>| past.map_or(0, |past| past.record.number);
        let (oldest, newest) = (number(all.front()), number(all.back()));
        let back = looked_at.map_or(0, |number| newest.saturating_sub(number) as usize);
        let behind = behind(back, fitting as usize * each, all.len());
        let last = (newest - behind as u64) / each as u64;
        let first = (last + 1).saturating_sub(fitting as u64) * each as u64;
        let to = all.len() - behind;
        let from = (first.saturating_sub(oldest) as usize).min(to);
        Self {
            frames: all.range(from..to).collect(),
            behind,
            last,
            left,
            right: left + fitting * width,
            width,
            each,
        }
    }

    pub fn room(&self) -> f32 {
        self.right - self.left
    }

    /// Iterates over the columns, oldest first: the left edge and the frames of each.
    pub fn iter(&self) -> impl Iterator<Item = (f32, &[&'a PastFrame])> {
        let each = self.each as u64;
        let columns = self
            .frames
            .chunk_by(move |_, next| !next.record.number.is_multiple_of(each));
        columns.map(|frames| (self.x(frames[0].record.number), frames))
    }

    /// Returns the left edge of the column of the frame with this number.
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

    pub fn contains(&self, number: u64) -> bool {
        match self.frames[..] {
            [] => false,
            [first, ..] => {
                let last = self.frames[self.frames.len() - 1];
                (first.record.number..=last.record.number).contains(&number)
            }
        }
    }

    pub fn x_of_frame(&self, number: u64) -> Option<f32> {
        self.contains(number)
            .then(|| self.x(number) + self.width / 2.0)
    }

    /// Returns the position of a mark, which may also be at the right end, before a frame that is yet to come.
    pub fn x_of(&self, mark: &ChangeMark) -> Option<f32> {
        let is_seen = self.contains(mark.frame) || self.contains(mark.frame.checked_sub(1)?);
        is_seen.then(|| self.x(mark.frame) - 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;
    use headless::testing::numbered_frames as history;

    const SIZE: egui::Vec2 = vec2(796.0, 226.0); // 720 points of columns

    fn seen(history: &History, out: isize, looked_at: Option<u64>) -> Columns<'_> {
        let zoom = Zoom::default().out(out, 720.0);
        Columns::new(
            Rect::from_min_size(pos2(0.0, 0.0), SIZE),
            16.0,
            history,
            zoom,
            looked_at,
        )
    }

    fn columns(history: &History) -> Columns<'_> {
        seen(history, 0, None)
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
                assert_eq!(columns.each, each);
                for (x, frames) in columns.iter() {
                    let quotient = |past: &&PastFrame| past.record.number / each as u64;
                    assert!(
                        frames
                            .iter()
                            .all(|past| quotient(past) == quotient(&frames[0]))
                    );
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
        assert_eq!(behind(FRAMES, 240, FRAMES), FRAMES - 240);
        assert_eq!(behind(5, 240, 10), 0);
    }

    #[test]
    fn mark_is_at_the_left_edge_of_its_frame() {
        let mut history = history(500);
        history.mark(100, "churn-per-s", "Churn 5 /s".to_owned());
        history.mark(499, "all-at-once", "All at once".to_owned());
        history.mark(500, "request-list", "Request list".to_owned());
        let marks: Vec<ChangeMark> = history.marks().cloned().collect();
        let columns = columns(&history);
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
}
