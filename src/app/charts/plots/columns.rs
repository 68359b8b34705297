//! Frames that a plot shows, and their columns.

use egui::{Rect, pos2};
use headless::history::{ChangeMark, FRAMES, History, PastFrame};
use std::cmp::Reverse;

/// Room for the axis at the left, in points.
pub const AXIS: f32 = 60.0;
/// Room at the right, in points, without and with an axis.
pub const RIGHT: f32 = 16.0;
pub const RIGHT_AXIS: f32 = 44.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zoom(usize);

impl Default for Zoom {
    fn default() -> Self {
        Self::USUAL
    }
}

/// Width of a column in points, and its number of frames, for each level from near to far.
const ZOOMS: [(f32, usize); 6] = [(6.0, 1), (3.0, 1), (1.0, 1), (1.0, 2), (1.0, 4), (1.0, 8)];

impl Zoom {
    /// Zoom at the start.
    pub const USUAL: Self = Self(1);

    /// Zooms out by `steps` (in if negative) in a plot that is `width` points wide.
    pub fn out(self, steps: isize, width: f32) -> Self {
        Self(self.0.saturating_add_signed(steps)).within(width)
    }

    /// Limits the zoom to the first one that shows almost the whole history in a plot that is `width` points wide.
    pub fn within(self, width: f32) -> Self {
        let shows_all = |&(column, frames): &(f32, usize)| {
            (width / column) as usize * frames >= FRAMES - FRAMES / 8
        };
        let farthest = ZOOMS.iter().position(shows_all);
        Self(self.0.min(farthest.unwrap_or(ZOOMS.len() - 1)))
    }

    pub fn width(self) -> f32 {
        ZOOMS[self.0].0
    }

    pub fn frames(self) -> usize {
        ZOOMS[self.0].1
    }
}

/// Returns the number of newer frames to leave out at the right end of a view, so that the frame `back` frames ago is
/// visible. The view has room for `fitting` of the `remembered` frames. It scrolls only as far as needed to keep that
/// frame in the right half.
pub fn behind(back: usize, fitting: usize, remembered: usize) -> usize {
    back.saturating_sub(fitting / 2)
        .min(remembered.saturating_sub(fitting))
}

/// The frame that represents a column of several frames, so that no spike is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peak {
    Runs,
    Wrong,
    Length,
}

impl Peak {
    /// Returns the frame to show. If several frames are equal, this is the earliest.
    pub fn of<'a>(self, frames: &[&'a PastFrame]) -> Option<&'a PastFrame> {
        let frames = frames.iter().copied();
        let earliest = |past: &PastFrame| Reverse(past.record.number);
        match self {
            Self::Runs => frames.max_by_key(|past| (past.record.runs, earliest(past))),
            Self::Wrong => frames.reduce(|one, other| {
                let more = other.record.looking_wrong > one.record.looking_wrong;
                if more { other } else { one }
            }),
            Self::Length => {
                frames.max_by_key(|past| (past.record.length + past.outside, earliest(past)))
            }
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Runs => "most tasks",
            Self::Wrong => "most looking wrong",
            Self::Length => "longest",
        }
    }
}

/// The frames that fit into a plot, the newest at the right end. The columns do not depend on the newest frame, because
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
        let zoom = zoom.within(room);
        let (width, each) = (zoom.width(), zoom.frames());
        let fitting = (room / width).max(1.0).floor();
        let right = left + fitting * width;

        let all = history.frames();
        let newest = all.back().map_or(0, |past| past.record.number);
        let back = looked_at.map_or(0, |number| newest.saturating_sub(number) as usize);
        let behind = behind(back, fitting as usize * each, all.len());
        let last = (newest - behind as u64) / each as u64;
        let first = (last + 1).saturating_sub(fitting as u64) * each as u64;
        let oldest = all.front().map_or(0, |past| past.record.number);
        let to = all.len() - behind;
        let from = (first.saturating_sub(oldest) as usize).min(to);
        let frames: Vec<&PastFrame> = all.range(from..to).collect();
        Self {
            frames,
            behind,
            last,
            left,
            right,
            width,
            each,
        }
    }

    pub fn room(&self) -> f32 {
        self.right - self.left
    }

    /// Iterates over the columns, oldest first: the left edge and the frames of each.
    pub fn iter(&self) -> impl Iterator<Item = (f32, &[&'a PastFrame])> {
        let first = self.number(0).unwrap_or(0);
        let whole = self.each - (first % self.each as u64) as usize;
        let (partial, rest) = self.frames.split_at(whole.min(self.frames.len()));
        let partial = std::iter::once(partial).filter(|frames| !frames.is_empty());
        let columns = partial.chain(rest.chunks(self.each));
        let column = first / self.each as u64;
        (column..)
            .zip(columns)
            .map(|(column, frames)| (self.x(column), frames))
    }

    fn number(&self, index: usize) -> Option<u64> {
        self.frames.get(index).map(|past| past.record.number)
    }

    fn x(&self, column: u64) -> f32 {
        self.right - (self.last + 1).saturating_sub(column) as f32 * self.width
    }

    /// Returns the area of the columns, `height` points tall, below `top`.
    pub fn band(&self, top: f32, height: f32) -> Rect {
        let (top, bottom) = (top.round(), (top + height).round());
        Rect::from_min_max(pos2(self.left, top), pos2(self.right, bottom))
    }

    pub fn at(&self, x: f32) -> &[&'a PastFrame] {
        let back = (self.right - x) / self.width;
        if x < self.left || back <= 0.0 {
            return &[];
        }
        let Some(column) = self.last.checked_sub(back.ceil() as u64 - 1) else {
            return &[];
        };
        let each = self.each as u64;
        let of = |past: &&PastFrame| past.record.number / each;
        let from = self.frames.partition_point(|past| of(past) < column);
        let to = self.frames.partition_point(|past| of(past) <= column);
        &self.frames[from..to]
    }

    pub fn x_of_frame(&self, number: u64) -> Option<f32> {
        let seen = self.number(0)? <= number && number <= self.frames.last()?.record.number;
        seen.then(|| self.x(number / self.each as u64) + self.width / 2.0)
    }

    pub fn x_of(&self, mark: &ChangeMark) -> Option<f32> {
        let past_end = self.frames.last()?.record.number + 1 < mark.frame;
        let before = mark.frame < self.number(0)?;
        (!before && !past_end).then(|| self.x(mark.frame / self.each as u64) - 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;
    use headless::testing::{numbered_frame as past, numbered_frames as history};
    use timeslicer::time::Nanos;

    const SIZE: egui::Vec2 = vec2(796.0, 226.0); // 720 points of columns

    fn seen(history: &History, out: isize, looked_at: Option<u64>) -> Columns<'_> {
        let zoom = Zoom::USUAL.out(out, 720.0);
        Columns::new(
            Rect::from_min_size(pos2(0.0, 0.0), SIZE),
            RIGHT,
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
    fn column_shows_the_most_tasks_and_the_longest_frame() {
        let (mut busy, mut long, mut interrupted) = (past(0), past(1), past(2));
        busy.record.runs = 400;
        long.record.length = Nanos::from_millis(99);
        let picked =
            |peak: Peak, frames: &[&PastFrame]| peak.of(frames).map(|past| past.record.number);
        assert_eq!(picked(Peak::Runs, &[&busy, &long]), Some(0));
        assert_eq!(picked(Peak::Length, &[&busy, &long]), Some(1));
        interrupted.outside = Nanos::SECOND;
        assert_eq!(picked(Peak::Length, &[&long, &interrupted]), Some(2));
        let (first, second) = (past(0), past(1));
        assert_eq!(picked(Peak::Length, &[&first, &second]), Some(0));
        assert_eq!(picked(Peak::Runs, &[]), None);
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
            let farthest = Zoom::USUAL.out(99, width);
            assert_eq!(farthest.frames(), frames, "{width} points");
            assert_eq!(farthest.out(1, width), farthest);
            assert!(width as usize * frames >= FRAMES - FRAMES / 8);
        }
    }
}
