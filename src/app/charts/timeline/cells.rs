//! Who of the rows ran in the frames in sight.

use super::row_range::RowRange;
use crate::history::PastFrame;
use std::collections::VecDeque;

/// The cells of the frames in sight, a word each: a frame is looked through once, not in every picture.
#[derive(Debug, Default)]
pub struct Cells {
    /// What they are the cells of: the history's epoch, and the rows. Frames of one number in two epochs are
    /// two frames.
    of: (u64, u32, u32),
    /// Each frame's number, and a bit for each row that ran.
    cells: VecDeque<(u64, u64)>,
}

impl Cells {
    /// A frame's cells are the bits of one word.
    pub const MOST_ROWS: u32 = u64::BITS;

    /// Brings the cells to those of `frames`, oldest first, of the history's `epoch`. Looks through those
    /// frames only that were not in sight before.
    pub fn follow(&mut self, epoch: u64, rows: &RowRange, frames: &[&PastFrame]) {
        let number = |past: &PastFrame| past.record.number;
        let of = (epoch, rows.first, rows.count);
        let Some((first, last)) = frames.first().zip(frames.last()) else {
            self.cells.clear();
            return;
        };
        let (first, last) = (number(first), number(last));
        while self.cells.front().is_some_and(|cell| cell.0 < first) {
            self.cells.pop_front();
        }
        while self.cells.back().is_some_and(|cell| cell.0 > last) {
            self.cells.pop_back();
        }
        if of != self.of {
            self.of = of;
            self.cells.clear();
        }
        // None are known: all are new.
        let begin = self.cells.front().map_or(first, |cell| cell.0);
        let end = self.cells.back().map_or(first, |cell| cell.0 + 1);
        let older = frames.iter().rev().filter(|past| number(past) < begin);
        for past in older {
            self.cells.push_front((number(past), bits(rows, past)));
        }
        for past in frames.iter().filter(|past| number(past) >= end) {
            self.cells.push_back((number(past), bits(rows, past)));
        }
    }

    /// The bits of the rows that ran in the frame of that number.
    pub fn ran(&self, number: u64) -> u64 {
        let first = self.cells.front().map_or(0, |cell| cell.0);
        let index = number.checked_sub(first).map(|index| index as usize);
        let cell = index.and_then(|index| self.cells.get(index));
        cell.map_or(0, |(_, bits)| *bits)
    }
}

/// A million may have run: no branch but the loop's.
fn bits(rows: &RowRange, past: &PastFrame) -> u64 {
    let ran = past.ran.as_deref().unwrap_or_default();
    ran.iter().fold(0, |bits, place| {
        let row = place.wrapping_sub(rows.first);
        bits | u64::from(row < rows.count) << (row % u64::BITS)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::History;
    use crate::sim::lane::FrameRecord;

    fn push(history: &mut History, number: u64, ran: &[u32]) {
        history.push(PastFrame {
            record: FrameRecord {
                number,
                ..FrameRecord::default()
            },
            ran: Some(ran.to_vec()),
            ..PastFrame::default()
        });
    }

    fn history(ran: &[&[u32]]) -> History {
        let mut history = History::default();
        for (number, ran) in (0..).zip(ran) {
            push(&mut history, number, ran);
        }
        history
    }

    fn rows(first: u32, count: u32) -> RowRange {
        let mut rows = RowRange::default();
        rows.look_at(first as f32, count, 10, None);
        rows
    }

    fn follow(
        cells: &mut Cells,
        rows: &RowRange,
        history: &History,
        numbers: std::ops::Range<usize>,
    ) {
        let frames: Vec<&PastFrame> = history.frames().range(numbers).collect();
        cells.follow(history.epoch(), rows, &frames);
    }

    #[test]
    fn a_cell_is_a_run_of_that_row_in_that_frame() {
        let mut cells = Cells::default();
        let history = history(&[&[2], &[3, 4], &[], &[1, 5, 9]]);
        follow(&mut cells, &rows(2, 3), &history, 0..4); // places 2, 3 and 4
        let ran: Vec<u64> = (0..4).map(|number| cells.ran(number)).collect();
        assert_eq!(ran, [0b001, 0b110, 0, 0]);
        assert_eq!(cells.ran(99), 0);
    }

    #[test]
    fn only_the_frames_in_sight_are_kept_wherever_one_looks() {
        let mut cells = Cells::default();
        let all: Vec<Vec<u32>> = (0..10).map(|place| vec![place]).collect();
        let history = history(&all.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let rows = rows(0, 10);
        for numbers in [0..4, 2..6, 6..10, 5..9, 0..3, 0..10, 3..4, 4..4, 1..9] {
            follow(&mut cells, &rows, &history, numbers.clone());
            for number in 0..10 {
                let seen = numbers.contains(&number);
                let expected = if seen { 1 << number } else { 0 };
                assert_eq!(
                    cells.ran(number as u64),
                    expected,
                    "{number} in {numbers:?}"
                );
            }
            assert_eq!(cells.cells.len(), numbers.len());
        }
    }

    #[test]
    fn a_restart_while_nobody_looked_leaves_nothing_of_the_run_before() {
        let mut cells = Cells::default();
        let rows = rows(0, 2);
        let mut history = history(&[&[0], &[0]]);
        follow(&mut cells, &rows, &history, 0..2);
        history.restart();
        for number in 0..3 {
            push(&mut history, number, &[1]);
        }
        follow(&mut cells, &rows, &history, 0..3);
        assert_eq!([0, 1, 2].map(|number| cells.ran(number)), [0b10; 3]);
    }

    #[test]
    fn other_rows_are_looked_up_again() {
        let mut cells = Cells::default();
        let history = history(&[&[0], &[7]]);
        follow(&mut cells, &rows(0, 2), &history, 0..2);
        follow(&mut cells, &rows(6, 2), &history, 0..2);
        assert_eq!((cells.ran(0), cells.ran(1)), (0, 0b10));
    }
}
