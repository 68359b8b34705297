//! The frames that a plot shows, and where each one's column is.

use egui::{Rect, pos2};
use timeslice_lab::metrics::FrameRecord;
use timeslice_lab::observe::{History, Mark};

/// How many frames a column stands for, and how wide it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zoom(usize);

/// Width of a column in points, and its frames, from near to far.
const ZOOMS: [(f32, usize); 4] = [(6.0, 1), (3.0, 1), (1.0, 1), (1.0, 2)];

impl Zoom {
    /// What the mock-ups show.
    pub const USUAL: Self = Self(1);

    /// So many steps further out; nearer where they are negative.
    pub fn out(self, steps: isize) -> Self {
        let step = self.0.saturating_add_signed(steps);
        Self(step.min(ZOOMS.len() - 1))
    }

    fn width(self) -> f32 {
        ZOOMS[self.0].0
    }

    fn frames(self) -> usize {
        ZOOMS[self.0].1
    }
}

/// Room for the axis at the left, and at the right.
pub const AXIS: f32 = 60.0;
/// Room at the right.
pub const RIGHT: f32 = 16.0;

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
    /// The width of a column in points.
    pub width: f32,
    /// How many frames a column stands for.
    pub each: usize,
}

impl<'a> Columns<'a> {
    /// As many of the last frames as fit into `rect`.
    pub fn new(rect: Rect, history: &'a History, zoom: Zoom) -> Self {
        let (width, each) = (zoom.width(), zoom.frames());
        let left = (rect.left() + AXIS).round();
        let fitting = ((rect.right() - RIGHT - left) / width).max(1.0).floor();
        let right = left + fitting * width;
        let frames: Vec<&FrameRecord> = history.last(fitting as usize * each).collect();
        let unlike = frames.partition_point(|frame| frame.number < history.changed_at());
        Self {
            frames,
            unlike,
            left,
            right,
            width,
            each,
        }
    }

    /// The columns, the last one first: each with its left edge and its frames.
    pub fn iter(&self) -> impl Iterator<Item = (f32, &[&'a FrameRecord])> {
        let columns = self.frames.rchunks(self.each);
        columns
            .enumerate()
            .map(|(back, frames)| (self.x_back(back), frames))
    }

    fn x_back(&self, back: usize) -> f32 {
        self.right - (back + 1) as f32 * self.width
    }

    /// The stretch of `height` below `top` in which the columns stand.
    pub fn band(&self, top: f32, height: f32) -> Rect {
        let (top, bottom) = (top.round(), (top + height).round());
        Rect::from_min_max(pos2(self.left, top), pos2(self.right, bottom))
    }

    /// The left edge of the column of the frame at `index`; the right end for one to come.
    fn x(&self, index: usize) -> f32 {
        match (self.frames.len()).checked_sub(index + 1) {
            Some(back) => self.x_back(back / self.each),
            None => self.right,
        }
    }

    /// The longest of the frames whose column is at `x`.
    pub fn at(&self, x: f32) -> Option<&'a FrameRecord> {
        let back = (self.right - x) / self.width;
        let inside = (0.0..).contains(&back) && x >= self.left;
        let (_, frames) = inside.then(|| self.iter().nth(back as usize))??;
        frames.iter().copied().max_by_key(|frame| frame.length)
    }

    /// The middle of the column of the frame of that number.
    pub fn x_of_frame(&self, number: u64) -> Option<f32> {
        let first = self.frames.first()?.number;
        let index = number.checked_sub(first)? as usize;
        (index < self.frames.len()).then(|| self.x(index) + self.width / 2.0)
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
    use timeslice_lab::observe::PastFrame;
    use timeslice_lab::time::Nanos;

    fn history(frames: u64) -> History {
        let mut history = History::default();
        for number in 0..frames {
            let record = FrameRecord {
                number,
                runs: number as u32,
                ..FrameRecord::default()
            };
            history.push(PastFrame {
                record,
                ..PastFrame::default()
            });
        }
        history
    }

    fn columns(history: &History) -> Columns<'_> {
        Columns::new(
            Rect::from_min_size(pos2(0.0, 0.0), vec2(900.0, 226.0)),
            history,
            Zoom::USUAL,
        )
    }

    #[test]
    fn the_last_frame_stands_at_the_right_end() {
        let history = history(10);
        let columns = columns(&history);
        assert_eq!(columns.x(9), columns.right - columns.width);
        assert!(columns.right <= 900.0 - RIGHT);
    }

    #[test]
    fn a_column_is_found_by_any_point_of_it() {
        let history = history(10);
        let columns = columns(&history);
        for number in 0..10 {
            let x = columns.x_of_frame(number).unwrap();
            for x in [x - 1.0, x, x + 1.0] {
                assert_eq!(columns.at(x).map(|frame| frame.number), Some(number));
            }
        }
        assert!(
            columns.at(columns.left + 1.0).is_none(),
            "no frame so long ago"
        );
        assert!(columns.at(columns.right + 1.0).is_none());
        assert_eq!(columns.x_of_frame(10), None);
    }

    #[test]
    fn zoomed_out_a_column_stands_for_its_longest_frame() {
        let mut history = history(2000);
        let length = timeslice_lab::time::Nanos::from_millis(99);
        let spike = FrameRecord {
            number: 2000,
            length,
            ..FrameRecord::default()
        };
        history.push(PastFrame {
            record: spike,
            ..PastFrame::default()
        });
        history.push(PastFrame::default());
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 226.0));
        let far = Columns::new(rect, &history, Zoom::USUAL.out(9));
        assert_eq!((far.width, far.each), (1.0, 2));
        assert_eq!(
            far.at(far.right - 0.5).map(|frame| frame.number),
            Some(2000)
        );
        assert_eq!(Zoom::USUAL.out(-9).out(1), Zoom::USUAL);
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
        history.change(8, Nanos::ZERO);
        assert_eq!(columns(&history).mean(runs), 8.5);
        assert!(columns(&history).has_change());
        history.change(10, Nanos::ZERO);
        assert!(columns(&history).alike().is_empty());
    }

    #[test]
    fn a_mark_stands_at_the_left_edge_of_its_frame() {
        let mut history = history(10);
        history.mark(9, "all-at-once", "All at once".to_owned());
        let columns = columns(&history);
        let mark = history.marks().next().unwrap();
        assert_eq!(
            columns.x_of(mark),
            Some(columns.right - columns.width - 0.5)
        );
    }
}
