//! Visible rows of the timeline.

use timeslicer::scheduler::TaskId;

/// A range of places.
#[derive(Debug, Default)]
pub struct RowRange {
    /// First place.
    pub first: u32,
    /// Number of rows.
    pub count: u32,
    /// Fraction of a row left over from scrolling by whole rows, so that slow scrolling adds up.
    scrolled: f32,
    /// The entity that was pinned at the last call.
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

    /// Row of a place, if visible.
    pub fn row_of(&self, place: u32) -> Option<u32> {
        let row = place.checked_sub(self.first);
        row.filter(|&row| row < self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn rows_end_with_the_last_place() {
        let mut rows = RowRange::default();
        assert_eq!(shown(&mut rows, 0.0, 0, None), (0, 0));
        assert_eq!(shown(&mut rows, 0.0, 7, None), (0, 7));
        assert_eq!(shown(&mut rows, 1e9, 100, None), (60, 40));
        assert_eq!(shown(&mut rows, 0.0, 50, None), (10, 40));
        assert_eq!(shown(&mut rows, -1e9, 50, None), (0, 40));
        assert_eq!(shown(&mut rows, f32::INFINITY, 1_000_000, None).1, 40);
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
