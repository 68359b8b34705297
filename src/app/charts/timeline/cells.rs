//! Cells of the timeline: a bit for each run of a visible row in a visible frame.

use super::row_range::RowRange;
use headless::history::PastFrame;
use std::collections::VecDeque;

/// Cells of the visible frames, one word per frame. Each frame is searched once, not for every picture.
#[derive(Debug, Default)]
pub struct Cells {
    /// Source of the cells: the history's epoch, and the rows. Frame numbers repeat from one epoch to the next.
    source: (u64, u32, u32),
    /// Number of each frame, and one bit per row: 1 if the row's entity ran.
    cells: VecDeque<(u64, u64)>,
}

impl Cells {
    /// Maximum number of rows. The cells of a frame fit into one word.
    pub const MOST_ROWS: u32 = u64::BITS;

    /// Updates the cells to those of `frames`, oldest first, in this epoch of the history. Searches only frames that
    /// were not visible before.
    pub fn follow(&mut self, epoch: u64, rows: &RowRange, frames: &[&PastFrame]) {
        let number = |past: &PastFrame| past.record.number;
        let source = (epoch, rows.first, rows.count);
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
        if source != self.source {
            self.source = source;
            self.cells.clear();
        }
        // If there are no cells, all frames are new.
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

    /// Returns the frame with this number as one bit per row: 1 if the row's entity ran.
    pub fn ran(&self, number: u64) -> u64 {
        let first = self.cells.front().map_or(0, |cell| cell.0);
        let index = number.checked_sub(first).map(|index| index as usize);
        let cell = index.and_then(|index| self.cells.get(index));
        cell.map_or(0, |(_, bits)| *bits)
    }
}

/// Returns one bit per row: 1 if the row's entity ran. The loop contains no branch, because a million tasks may have
/// run.
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
    use headless::history::History;
    use headless::sim::lane::FrameRecord;

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
    fn cell_is_a_run_of_its_row_in_its_frame() {
        let mut cells = Cells::default();
        let history = history(&[&[2], &[3, 4], &[], &[1, 5, 9]]);
        follow(&mut cells, &rows(2, 3), &history, 0..4); // places 2, 3 and 4
        let ran: Vec<u64> = (0..4).map(|number| cells.ran(number)).collect();
        assert_eq!(ran, [0b001, 0b110, 0, 0]);
        assert_eq!(cells.ran(99), 0);
    }

    #[test]
    fn only_cells_of_visible_frames_are_kept() {
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
    fn restart_while_hidden_discards_old_cells() {
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
    fn other_rows_are_searched_again() {
        let mut cells = Cells::default();
        let history = history(&[&[0], &[7]]);
        follow(&mut cells, &rows(0, 2), &history, 0..2);
        follow(&mut cells, &rows(6, 2), &history, 0..2);
        assert_eq!((cells.ran(0), cells.ran(1)), (0, 0b10));
    }
}
