//! What a trace tells of a past frame, kept as long as there is room.

use super::PastFrame;
use crate::sim::lane::{Run, Update};
use crate::sim::machine::Machine;
use crate::stats::MeasuredLane;
use std::collections::VecDeque;
use timeslice::time::Nanos;

/// So many runs are kept: 12 MB, of which a trace makes a file of 60 MB. Viewers are slow with more.
const RUNS: usize = 500_000;

/// So many updates are kept: 7 MB.
const UPDATES: usize = 100_000;

/// What a trace tells of a frame beside its record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameTrace {
    /// How long it was stalled before its first update.
    pub stalled: Nanos,
    /// Its updates, in order; none where there was no more room to keep them.
    pub updates: Vec<Update>,
    /// All its runs, in order; none where there was no more room to keep them.
    pub runs: Option<Vec<TraceRun>>,
}

/// What a trace tells of a run. Its update tells when it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceRun {
    /// Its entity's number.
    pub entity: u64,
    /// The game time since its last run, or since its entity's birth.
    pub elapsed: Nanos,
    /// How long it took.
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
    /// What there is to tell of the updates that `lane` has just made.
    pub(super) fn of<M: Machine>(lane: &MeasuredLane<M>) -> Self {
        let (updates, runs) = (lane.updates(), lane.runs());
        let is_whole = lane.lists_all_runs();
        let has_room = is_whole && runs.len() <= RUNS && updates.len() <= UPDATES;
        Self {
            stalled: lane.stalled(),
            updates: if has_room {
                updates.to_vec()
            } else {
                Vec::new()
            },
            runs: (has_room || (is_whole && runs.is_empty()))
                .then(|| runs.iter().map(TraceRun::from).collect()),
        }
    }

    fn named(&self) -> usize {
        self.runs.as_ref().map_or(0, Vec::len)
    }

    fn forget_runs(&mut self) {
        // Who ran in an idle frame is known for ever: nobody.
        if self.named() > 0 {
            self.runs = None;
        }
    }
}

/// Counts what is kept of all frames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Room {
    runs: usize,
    updates: usize,
    /// So many of the oldest frames have lost their runs, and their updates.
    without_runs: usize,
    without_updates: usize,
}

impl Room {
    /// A frame comes in; of the oldest `frames` as much is forgotten as has no more room.
    pub(super) fn take_in(&mut self, traced: &FrameTrace, frames: &mut VecDeque<PastFrame>) {
        self.runs += traced.named();
        self.updates += traced.updates.len();
        while self.runs > RUNS
            && let Some(old) = frames.get_mut(self.without_runs)
        {
            self.without_runs += 1;
            self.runs -= old.traced.named();
            old.traced.forget_runs();
        }
        while self.updates > UPDATES
            && let Some(old) = frames.get_mut(self.without_updates)
        {
            self.without_updates += 1;
            self.runs -= old.traced.named();
            self.updates -= old.traced.updates.len();
            old.traced.updates = Vec::new();
            // Nobody knows when they were.
            old.traced.forget_runs();
        }
    }

    /// The oldest frame goes.
    pub(super) fn let_go(&mut self, oldest: &FrameTrace) {
        self.runs -= oldest.named();
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
    use timeslice::time::{ClockTime, GameTime};

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
                stalled: Nanos::ZERO,
                updates: vec![update; updates],
                runs: Some(vec![run; runs]),
            },
            ..PastFrame::default()
        }
    }

    /// What is known of each frame: how many updates, and of how many runs.
    fn known(history: &History) -> Vec<(usize, Option<usize>)> {
        let frames = history.frames().iter().map(|past| &past.traced);
        frames
            .map(|traced| (traced.updates.len(), traced.runs.as_ref().map(Vec::len)))
            .collect()
    }

    #[test]
    fn the_oldest_runs_are_forgotten_first_and_an_idle_frame_never() {
        let mut history = History::default();
        for (number, runs) in (0..).zip([0, 200_000, 0, 200_000, 200_000]) {
            history.push(past(number, 1, runs));
        }
        let expected = [Some(0), None, Some(0), Some(200_000), Some(200_000)];
        assert_eq!(known(&history), expected.map(|runs| (1, runs)));
        history.push(past(5, 1, RUNS));
        assert_eq!(
            known(&history)[3..],
            [(1, None), (1, None), (1, Some(RUNS))]
        );
    }

    #[test]
    fn updates_without_end_take_no_memory_without_end() {
        let mut history = History::default();
        for number in 0..25 {
            history.push(past(number, 5_000, 1));
        }
        let known = known(&history);
        assert_eq!(known.iter().map(|known| known.0).sum::<usize>(), UPDATES);
        assert_eq!((known[4], known[5]), ((0, None), (5_000, Some(1))));
    }

    #[test]
    fn what_goes_makes_room() {
        let mut history = History::default();
        for number in 0..4 * FRAMES as u64 {
            history.push(past(number, 1, 50));
        }
        // 4,096 frames of 50 runs have room.
        assert!(known(&history).iter().all(|known| *known == (1, Some(50))));
    }

    #[test]
    fn the_readme_says_how_many_runs_are_known() {
        let words = format!(
            "the last {} runs",
            crate::text::format::grouped(RUNS as u64)
        );
        assert!(include_str!("../../README.md").contains(&words), "{words}");
    }
}
