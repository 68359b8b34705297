//! Data of past frames that only a trace needs, kept in limited memory.

use super::PastFrame;
use crate::sim::lane::{Run, Update};
use crate::sim::machine::Machine;
use crate::stats::MeasuredLane;
use std::collections::VecDeque;
use timeslicer::time::Nanos;

/// Maximum number of stored runs. They take 12 MB of memory and 60 MB in a trace file. Trace viewers are slow with
/// larger files.
const MAX_RUNS: usize = 500_000;

/// Maximum number of stored updates. They take 7 MB of memory.
const MAX_UPDATES: usize = 100_000;

/// Data of a frame for a trace, besides its record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameTrace {
    /// Updates, in order; empty if there was no memory left for them.
    pub updates: Vec<Update>,
    /// All runs, in order; `None` if there was no memory left for them.
    pub runs: Option<Vec<TraceRun>>,
}

/// Data of a run for a trace. The time of a run follows from its update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceRun {
    /// Number of the entity.
    pub entity: u64,
    /// Game time since the task's last run, or since the entity's birth.
    pub elapsed: Nanos,
    /// Time taken.
    pub took: Nanos,
}

impl From<&Run> for TraceRun {
    fn from(run: &Run) -> Self {
        Self {
            entity: run.entity,
            elapsed: run.elapsed,
            took: run.took,
        }
    }
}

impl FrameTrace {
    /// Records the updates that `lane` has just made, and their runs.
    pub(super) fn of<M: Machine>(lane: &MeasuredLane<M>) -> Self {
        let (updates, runs) = (lane.updates(), lane.runs());
        let is_whole = lane.lists_all_runs();
        let fits = is_whole && runs.len() <= MAX_RUNS && updates.len() <= MAX_UPDATES;
        Self {
            updates: if fits { updates.to_vec() } else { Vec::new() },
            runs: (fits || (is_whole && runs.is_empty()))
                .then(|| runs.iter().map(TraceRun::from).collect()),
        }
    }

    fn run_count(&self) -> usize {
        self.runs.as_ref().map_or(0, Vec::len)
    }

    fn forget_runs(&mut self) {
        // An empty list of runs takes no memory.
        if self.run_count() > 0 {
            self.runs = None;
        }
    }
}

/// Memory used by the traces of all frames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usage {
    runs: usize,
    updates: usize,
    /// Number of frames, from the oldest, whose runs were removed.
    without_runs: usize,
    /// Number of frames, from the oldest, whose updates were removed.
    without_updates: usize,
}

impl Usage {
    /// Counts a new frame, and removes data of the oldest `frames` until the rest fits.
    pub(super) fn add(&mut self, traced: &FrameTrace, frames: &mut VecDeque<PastFrame>) {
        self.runs += traced.run_count();
        self.updates += traced.updates.len();
        while self.runs > MAX_RUNS
            && let Some(old) = frames.get_mut(self.without_runs)
        {
            self.without_runs += 1;
            self.runs -= old.traced.run_count();
            old.traced.forget_runs();
        }
        while self.updates > MAX_UPDATES
            && let Some(old) = frames.get_mut(self.without_updates)
        {
            self.without_updates += 1;
            self.runs -= old.traced.run_count();
            self.updates -= old.traced.updates.len();
            old.traced.updates = Vec::new();
            // Without updates the times of runs are unknown.
            old.traced.forget_runs();
        }
    }

    /// Subtracts the oldest frame, which is removed.
    pub(super) fn remove(&mut self, oldest: &FrameTrace) {
        self.runs -= oldest.run_count();
        self.updates -= oldest.updates.len();
        self.without_runs = self.without_runs.saturating_sub(1);
        self.without_updates = self.without_updates.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{FRAMES, History};
    use crate::sim::lane::FrameRecord;
    use crate::sim::world::Point;
    use timeslicer::time::{ClockTime, GameTime};

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
        history.push(past(5, 1, MAX_RUNS));
        assert_eq!(
            stored(&history)[3..],
            [(1, None), (1, None), (1, Some(MAX_RUNS))]
        );
    }

    #[test]
    fn number_of_stored_updates_is_limited() {
        let mut history = History::default();
        for number in 0..25 {
            history.push(past(number, 5_000, 1));
        }
        let stored = stored(&history);
        assert_eq!(
            stored.iter().map(|stored| stored.0).sum::<usize>(),
            MAX_UPDATES
        );
        assert_eq!((stored[4], stored[5]), ((0, None), (5_000, Some(1))));
    }

    #[test]
    fn removed_frames_free_memory() {
        let mut history = History::default();
        for number in 0..4 * FRAMES as u64 {
            history.push(past(number, 1, 50));
        }
        // 4,096 frames of 50 runs fit.
        assert!(
            stored(&history)
                .iter()
                .all(|stored| *stored == (1, Some(50)))
        );
    }

    #[test]
    fn guide_states_the_number_of_stored_runs() {
        let words = format!(
            "the last {} runs",
            crate::text::format::grouped(MAX_RUNS as u64)
        );
        assert!(
            include_str!("../../../docs/views.md").contains(&words),
            "{words}"
        );
    }
}
