//! Visible rows of the timeline, and its cells: a bit for each run of a visible row in a visible frame.

use headless::history::PastFrame;
use std::collections::BTreeMap;
use timeslicer::scheduler::TaskId;

/// Cells of the visible frames, one word per frame. Each frame is searched once, not for every picture.
#[derive(Debug, Default)]
pub struct Cells {
    source: (u64, u32, u32),
    /// For each frame number, one bit per row: 1 if the row's entity ran.
    cells: BTreeMap<u64, u64>,
}

impl Cells {
    /// Maximum number of rows. The cells of a frame fit into one word.
    pub const MOST_ROWS: u32 = u64::BITS;

    /// Updates the cells to those of `frames`, in this epoch of the history. Searches only frames that were not visible
    /// before.
    pub fn follow(&mut self, epoch: u64, rows: &RowRange, frames: &[&PastFrame]) {
        let number = |past: &PastFrame| past.record.number;
        let source = (epoch, rows.first, rows.count);
        if std::mem::replace(&mut self.source, source) != source {
            self.cells.clear();
        }
        let (first, last) = match frames {
            [first, .., last] => (number(first), number(last)),
            [one] => (number(one), number(one)),
            [] => (1, 0),
        };
        let is_visible = |number: &u64, _: &mut u64| (first..=last).contains(number);
        self.cells.retain(is_visible);
        for past in frames {
            let cell = self.cells.entry(number(past));
            cell.or_insert_with(|| bits(rows, past));
        }
    }

    /// Returns the frame with this number as one bit per row: 1 if the row's entity ran.
    pub fn ran(&self, number: u64) -> u64 {
        self.cells.get(&number).copied().unwrap_or(0)
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

#[derive(Debug, Default)]
pub struct RowRange {
    pub first: u32,
    pub count: u32,
    /// Fraction of a row left over from scrolling by whole rows, so that slow scrolling adds up.
    scrolled: f32,
    pinned: Option<TaskId>,
}

impl RowRange {
    /// Scrolls down by `scrolled` rows and shows as many of the `places` as there is `room` for. Scrolls a newly pinned
    /// entity into view.
    pub fn look_at(&mut self, scrolled: f32, room: u32, places: u32, pinned: Option<TaskId>) {
        self.count = room.min(places);
        self.scrolled += scrolled;
        let whole = self.scrolled.trunc();
        self.scrolled -= whole;
        let first = i64::from(self.first) + whole as i64;
        let last = places - self.count;
        self.first = u32::try_from(first.max(0)).unwrap_or(last).min(last);
        if pinned != self.pinned {
            self.pinned = pinned;
            if let Some(task) = pinned.filter(|task| self.row_of(task.index).is_none()) {
                self.first = task.index.saturating_sub(self.count / 2).min(last);
            }
        }
    }

    pub fn row_of(&self, place: u32) -> Option<u32> {
        let row = place.checked_sub(self.first);
        row.filter(|&row| row < self.count)
    }
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

    fn pin(index: u32) -> TaskId {
        TaskId {
            index,
            generation: 0,
        }
    }

    fn shown(
        rows: &mut RowRange,
        scrolled: f32,
        places: u32,
        pinned: Option<TaskId>,
    ) -> (u32, u32) {
        rows.look_at(scrolled, 40, places, pinned);
        (rows.first, rows.count)
    }

    #[test]
    fn scrolling_is_symmetric_and_slow_scrolling_adds_up() {
        for by in [0.3, 0.7, 1.0, 2.6] {
            let mut rows = RowRange::default();
            shown(&mut rows, 100.0, 400, None);
            for _ in 0..20 {
                shown(&mut rows, by, 400, None);
            }
            let down = rows.first - 100;
            assert!(
                (f64::from(down) - 20.0 * f64::from(by)).abs() <= 1.0,
                "{by}: {down}"
            );
            for _ in 0..20 {
                shown(&mut rows, -by, 400, None);
            }
            assert!(rows.first.abs_diff(100) <= 1, "{by}: {}", rows.first);
        }
    }

    #[test]
    fn new_pin_scrolls_into_view_but_does_not_stay_there() {
        let mut rows = RowRange::default();
        assert_eq!(shown(&mut rows, 0.0, 400, Some(pin(12))), (0, 40));
        assert_eq!(shown(&mut rows, 0.0, 400, Some(pin(312))), (292, 40));
        assert_eq!(rows.row_of(312), Some(20));
        assert_eq!(shown(&mut rows, -100.0, 400, Some(pin(312))), (192, 40));
        assert_eq!(rows.row_of(312), None);
        assert_eq!(rows.row_of(191), None);
        assert_eq!(shown(&mut rows, 0.0, 400, None), (192, 40));
        assert_eq!(shown(&mut rows, 0.0, 400, Some(pin(399))), (360, 40));
    }
}
