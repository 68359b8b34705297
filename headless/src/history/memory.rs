//! Limits on the memory of recorded frames. The oldest frames lose their data first.

use super::PastFrame;
use std::collections::VecDeque;

/// Maximum number of runs whose places are recorded, for replay. They take 32 MB of memory. Older frames keep only their
/// number of runs.
pub(super) const MAX_RUNS: usize = 8_000_000;

/// Maximum number of groups of intervals, for reports. They take 24 MB of memory.
const MAX_GROUPS: usize = 500_000;

/// Maximum number of runs stored for a trace. They take 12 MB of memory and 60 MB in a trace file. Trace viewers are
/// slow with larger files.
const MAX_TRACE_RUNS: usize = 500_000;

/// Maximum number of updates stored for a trace. They take 7 MB of memory.
const MAX_TRACE_UPDATES: usize = 100_000;

/// Returns true if a frame's data for a trace fits into memory.
pub(super) fn can_trace(updates: usize, runs: usize) -> bool {
    runs <= MAX_TRACE_RUNS && updates <= MAX_TRACE_UPDATES
}

/// Kind of data that a frame stores.
struct Kind {
    /// Maximum size of the data of all frames.
    most: usize,
    size: fn(&PastFrame) -> usize,
    /// Removes the data. An empty list takes no memory, so it may stay.
    forget: fn(&mut PastFrame),
}

const KINDS: [Kind; 4] = [
    Kind {
        most: MAX_RUNS,
        size: |past| past.ran.as_ref().map_or(0, Vec::len),
        forget: |past| past.ran = past.ran.take().filter(Vec::is_empty),
    },
    Kind {
        most: MAX_GROUPS,
        size: |past| past.sums.groups(),
        forget: |past| past.sums.forget_groups(),
    },
    Kind {
        most: MAX_TRACE_RUNS,
        size: |past| past.traced.runs.as_ref().map_or(0, Vec::len),
        forget: |past| past.traced.forget_runs(),
    },
    Kind {
        most: MAX_TRACE_UPDATES,
        size: |past| past.traced.updates.len(),
        forget: |past| {
            past.traced.updates = Vec::new();
            past.traced.forget_runs(); // without updates their times are unknown
        },
    },
];

/// Memory that the recorded frames use, for each of [`KINDS`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    used: [usize; KINDS.len()],
    /// Number of frames, from the oldest, whose data was removed.
    emptied: [usize; KINDS.len()],
}

impl Memory {
    /// Counts a new frame, and removes data of the oldest `frames` until the rest fits.
    pub(super) fn add(&mut self, new: &PastFrame, frames: &mut VecDeque<PastFrame>) {
        self.add_sizes(new);
        for (index, kind) in KINDS.iter().enumerate() {
            while self.used[index] > kind.most
                && let Some(old) = frames.get_mut(self.emptied[index])
            {
                self.emptied[index] += 1;
                self.subtract(old);
                (kind.forget)(old);
                self.add_sizes(old);
            }
        }
    }

    /// Subtracts the oldest frame, which is removed.
    pub(super) fn remove(&mut self, oldest: &PastFrame) {
        self.subtract(oldest);
        for emptied in &mut self.emptied {
            *emptied = emptied.saturating_sub(1);
        }
    }

    fn add_sizes(&mut self, past: &PastFrame) {
        for (used, kind) in self.used.iter_mut().zip(KINDS) {
            *used += (kind.size)(past);
        }
    }

    fn subtract(&mut self, past: &PastFrame) {
        for (used, kind) in self.used.iter_mut().zip(KINDS) {
            *used -= (kind.size)(past);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{FRAMES, FrameTrace, History, TraceRun};
    use crate::sim::lane::{FrameRecord, Update};
    use crate::sim::world::Point;
    use timeslicer::time::{ClockTime, GameTime, Nanos};

    /// Returns a frame that stores this number of updates and of runs.
    fn past(number: u64, updates: usize, runs: usize) -> PastFrame {
        let update = Update {
            start: ClockTime::START,
            time: GameTime::START,
            target: Point::default(),
            delta: Nanos::ZERO,
            runs_before: 0,
            runs: 0,
            task_time: Nanos::ZERO,
            scheduling: Nanos::ZERO,
        };
        let run = TraceRun {
            entity: 7,
            elapsed: Nanos::SECOND,
            took: Nanos::ZERO,
        };
        PastFrame {
            record: FrameRecord {
                number,
                runs: runs as u32,
                ..FrameRecord::default()
            },
            traced: FrameTrace {
                updates: vec![update; updates],
                runs: Some(vec![run; runs]),
            },
            ..PastFrame::default()
        }
    }

    /// Returns each frame's number of stored updates and of stored runs.
    fn stored(history: &History) -> Vec<(usize, Option<usize>)> {
        let frames = history.frames().iter().map(|past| &past.traced);
        frames
            .map(|traced| (traced.updates.len(), traced.runs.as_ref().map(Vec::len)))
            .collect()
    }

    #[test]
    fn oldest_runs_are_removed_first() {
        let mut history = History::default();
        for (number, runs) in (0..).zip([0, 200_000, 0, 200_000, 200_000]) {
            history.push(past(number, 1, runs));
        }
        let expected = [Some(0), None, Some(0), Some(200_000), Some(200_000)];
        assert_eq!(stored(&history), expected.map(|runs| (1, runs)));
        history.push(past(5, 1, MAX_TRACE_RUNS));
        let expected = [None, None, Some(MAX_TRACE_RUNS)];
        assert_eq!(stored(&history)[3..], expected.map(|runs| (1, runs)));
    }

    #[test]
    fn number_of_stored_updates_is_limited() {
        let mut history = History::default();
        for number in 0..25 {
            history.push(past(number, 5_000, 1));
        }
        let stored = stored(&history);
        let updates: usize = stored.iter().map(|stored| stored.0).sum();
        assert_eq!(updates, MAX_TRACE_UPDATES);
        assert_eq!((stored[4], stored[5]), ((0, None), (5_000, Some(1))));
    }

    #[test]
    fn number_of_recorded_places_is_limited() {
        let mut history = History::default();
        for number in 0..12 {
            let mut frame = past(number, 1, 1_000_000);
            frame.ran = Some(vec![7; 1_000_000]);
            history.push(frame);
        }
        let known = history.frames().iter().map(|past| !past.has_forgotten());
        assert!(known.eq([[false; 4].as_slice(), &[true; 8]].concat()));
    }

    #[test]
    fn removed_frames_free_memory() {
        let mut history = History::default();
        for number in 0..4 * FRAMES as u64 {
            history.push(past(number, 1, 50));
        }
        // 4,096 frames of 50 runs fit.
        assert!(stored(&history).iter().all(|it| *it == (1, Some(50))));
    }

    #[test]
    fn guide_states_the_number_of_stored_runs() {
        let runs = crate::text::format::grouped(MAX_TRACE_RUNS as u64);
        let words = format!("the last {runs} runs");
        let guide = include_str!("../../../docs/views.md");
        assert!(guide.contains(&words), "{words}");
    }
}
