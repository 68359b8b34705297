//! The last frames, and what was changed when: what the plots show.

use std::collections::VecDeque;
use timeslice_lab::metrics::FrameRecord;
use timeslice_lab::time::Nanos;
use timeslice_lab::world::Point;

/// As many frames as the widest window shows, and some.
const FRAMES: usize = 1200;

/// A change that the plots mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The first frame after it.
    pub frame: u64,
    /// The key of what was changed.
    subject: &'static str,
    /// What was changed, in a word or two.
    pub label: String,
}

/// A frame that is over, and what ran in it.
#[derive(Clone, Debug, Default)]
pub struct PastFrame {
    /// How long it was, and of what.
    pub record: FrameRecord,
    /// The intervals that ended in it.
    pub intervals: Intervals,
    /// The places of those that ran, in order. Empty, though some ran, in frames for which there was no
    /// more room.
    pub ran: Vec<u32>,
    /// Game time at its last update.
    pub now: Nanos,
    /// Where the target was then.
    pub target: Point,
    /// The dearest task that ran, and what it cost.
    pub dearest: Option<(u32, Nanos)>,
    /// Time in which something outside held the program up; it is no part of the frame.
    pub outside: Nanos,
}

/// Intervals that were measured, as sums.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Intervals {
    /// How many.
    pub count: u32,
    sum_s: f64,
    squares_s2: f64,
}

impl Intervals {
    /// Counts an interval.
    pub fn add(&mut self, interval: Nanos) {
        let secs = interval.as_secs_f64();
        self.count += 1;
        self.sum_s += secs;
        self.squares_s2 += secs * secs;
    }

    /// Counts all of `others`, too.
    pub fn merge(&mut self, others: &Self) {
        self.count += others.count;
        self.sum_s += others.sum_s;
        self.squares_s2 += others.squares_s2;
    }

    /// Their mean and standard deviation in seconds; none of none.
    pub fn mean_and_deviation(&self) -> Option<(f64, f64)> {
        let count = f64::from(self.count);
        let mean = self.sum_s / count;
        let variance = (self.squares_s2 / count - mean * mean).max(0.0);
        (self.count > 0).then(|| (mean, variance.sqrt()))
    }
}

/// So many runs are remembered by name: 32 MB. Older frames than that only know how many ran.
const RUNS: usize = 8_000_000;

/// The last frames, oldest first, and the marks among them.
#[derive(Debug, Default)]
pub struct History {
    frames: VecDeque<PastFrame>,
    marks: VecDeque<Mark>,
    runs: usize,
}

impl History {
    /// A frame is over.
    pub fn push(&mut self, mut frame: PastFrame) {
        if self.frames.len() == FRAMES
            && let Some(old) = self.frames.pop_front()
        {
            self.runs -= old.ran.len();
        }
        if frame.ran.len() > RUNS {
            frame.ran = Vec::new();
        }
        self.runs += frame.ran.len();
        let mut old = self.frames.iter_mut();
        while self.runs > RUNS
            && let Some(old) = old.next()
        {
            self.runs -= std::mem::take(&mut old.ran).len();
        }
        let first = self
            .frames
            .front()
            .map_or(frame.record.number, |front| front.record.number);
        while self.marks.front().is_some_and(|mark| mark.frame < first) {
            self.marks.pop_front();
        }
        self.frames.push_back(frame);
    }

    /// Something was changed before frame `frame`. Changes of one `subject` in one go, as by dragging a
    /// slider, are one mark, where the last of them took effect.
    pub fn mark(&mut self, frame: u64, subject: &'static str, label: String) {
        let mark = Mark {
            frame,
            subject,
            label,
        };
        let again = |last: &&mut Mark| last.subject == subject && frame - last.frame <= 60;
        match self.marks.back_mut().filter(again) {
            Some(last) => *last = mark,
            None => self.marks.push_back(mark),
        }
    }

    /// The frame of that number, if it is remembered.
    pub fn frame(&self, number: u64) -> Option<&PastFrame> {
        let first = self.frames.front()?.record.number;
        self.frames
            .get(usize::try_from(number.checked_sub(first)?).ok()?)
    }

    /// The frame whose last update was at that game time.
    pub fn frame_at(&self, now: Nanos) -> Option<&PastFrame> {
        let index = self.frames.partition_point(|frame| frame.now < now);
        self.frames.get(index).filter(|frame| frame.now == now)
    }

    /// The frames, oldest first.
    pub fn frames(&self) -> &VecDeque<PastFrame> {
        &self.frames
    }

    /// The records of the last `count` frames, oldest first.
    pub fn last(&self, count: usize) -> impl ExactSizeIterator<Item = &FrameRecord> {
        let from = self.frames.len().saturating_sub(count);
        self.frames.range(from..).map(|frame| &frame.record)
    }

    /// The marks, oldest first.
    pub fn marks(&self) -> impl DoubleEndedIterator<Item = &Mark> {
        self.marks.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn past(number: u64) -> PastFrame {
        PastFrame {
            record: FrameRecord {
                number,
                ..FrameRecord::default()
            },
            ..PastFrame::default()
        }
    }

    fn history(frames: u64) -> History {
        let mut history = History::default();
        for number in 0..frames {
            history.push(past(number));
        }
        history
    }

    #[test]
    fn only_the_last_frames_are_kept() {
        let history = history(5_000);
        assert_eq!(history.frames.len(), FRAMES);
        let numbers: Vec<u64> = history.last(2).map(|frame| frame.number).collect();
        assert_eq!(numbers, [4_998, 4_999]);
        assert_eq!(history.last(9_999_999).len(), FRAMES);
    }

    #[test]
    fn who_ran_is_remembered_as_long_as_there_is_room() {
        let mut history = History::default();
        for number in 0..12 {
            let mut frame = past(number);
            frame.record.runs = 1_000_000;
            frame.ran = vec![7; 1_000_000];
            history.push(frame);
        }
        assert!(history.runs <= RUNS);
        let known: Vec<bool> = history
            .frames
            .iter()
            .map(|past| !past.ran.is_empty())
            .collect();
        assert_eq!(known, [[false; 4].as_slice(), &[true; 8]].concat());
    }

    #[test]
    fn intervals_have_a_mean_and_a_deviation() {
        let (mut some, mut more) = (Intervals::default(), Intervals::default());
        assert_eq!(some.mean_and_deviation(), None);
        some.add(Nanos::from_millis(400));
        more.add(Nanos::from_millis(600));
        some.merge(&more);
        let (mean, deviation) = some.mean_and_deviation().unwrap();
        assert!((mean - 0.5).abs() < 1e-9 && (deviation - 0.1).abs() < 1e-9);
    }

    #[test]
    fn a_mark_goes_with_its_frame() {
        let mut history = history(10);
        history.mark(10, "all-at-once", "All at once".to_owned());
        assert_eq!(history.marks().count(), 1);
        for number in 10..10 + FRAMES as u64 {
            history.push(past(number));
        }
        assert_eq!(history.marks().count(), 1, "its frame is the first one");
        history.push(past(10 + FRAMES as u64));
        history.push(past(11 + FRAMES as u64));
        assert_eq!(history.marks().count(), 0);
    }

    #[test]
    fn dragging_a_slider_makes_one_mark() {
        let mut history = history(10);
        for (frame, value) in [(10, 500), (11, 600), (40, 700)] {
            history.mark(frame, "entities", format!("Entities {value}"));
        }
        history.mark(41, "churn-per-s", "Churn 5 /s".to_owned());
        let marks: Vec<(u64, &str)> = history
            .marks()
            .map(|mark| (mark.frame, mark.label.as_str()))
            .collect();
        assert_eq!(marks, [(40, "Entities 700"), (41, "Churn 5 /s")]);
    }

    #[test]
    fn each_switch_stands_where_it_happened_however_quickly_they_follow() {
        let mut history = history(10);
        for (frame, key) in [
            (10, "all-at-once"),
            (12, "request-list"),
            (15, "all-at-once"),
        ] {
            history.mark(frame, key, key.to_owned());
        }
        let frames: Vec<u64> = history.marks().map(|mark| mark.frame).collect();
        assert_eq!(frames, [10, 12, 15]);
    }
}
