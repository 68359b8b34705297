//! The last frames, and what was changed when: what the plots show.

use std::collections::VecDeque;
use timeslice_lab::metrics::FrameRecord;

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

/// The last frames, oldest first, and the marks among them.
#[derive(Debug, Default)]
pub struct History {
    frames: VecDeque<FrameRecord>,
    marks: VecDeque<Mark>,
}

impl History {
    /// A frame is over.
    pub fn push(&mut self, frame: FrameRecord) {
        if self.frames.len() == FRAMES {
            self.frames.pop_front();
        }
        let first = self
            .frames
            .front()
            .map_or(frame.number, |front| front.number);
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

    /// The last `count` frames, oldest first.
    pub fn last(&self, count: usize) -> impl ExactSizeIterator<Item = &FrameRecord> {
        self.frames.range(self.frames.len().saturating_sub(count)..)
    }

    /// The marks, oldest first.
    pub fn marks(&self) -> impl DoubleEndedIterator<Item = &Mark> {
        self.marks.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(frames: u64) -> History {
        let mut history = History::default();
        for number in 0..frames {
            history.push(FrameRecord {
                number,
                ..FrameRecord::default()
            });
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
    fn a_mark_goes_with_its_frame() {
        let mut history = history(10);
        history.mark(10, "all-at-once", "All at once".to_owned());
        assert_eq!(history.marks().count(), 1);
        for number in 10..10 + FRAMES as u64 {
            history.push(FrameRecord {
                number,
                ..FrameRecord::default()
            });
        }
        assert_eq!(history.marks().count(), 1, "its frame is the first one");
        history.push(FrameRecord {
            number: 10 + FRAMES as u64,
            ..FrameRecord::default()
        });
        history.push(FrameRecord {
            number: 11 + FRAMES as u64,
            ..FrameRecord::default()
        });
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
