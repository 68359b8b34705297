//! A recorded frame.

use super::longest_wait::LongestWait;
use super::memory::can_trace;
use crate::sim::lane::{FrameRecord, Run, Update};
use crate::sim::machine::Machine;
use crate::sim::projectile::Sight;
use crate::sim::world::Point;
use crate::stats::{FrameSums, MeasuredLane};
use timeslicer::strategy::StrategyEntry;
use timeslicer::time::{GameTime, Nanos};

/// Display period if none is known: 60 Hz.
pub const USUAL_PERIOD: Nanos = Nanos::from_nanos(1_000_000_000 / 60);

/// A completed frame, and its runs.
#[derive(Clone, Debug)]
pub struct PastFrame {
    /// Record of the frame: its length and parts.
    pub record: FrameRecord,
    /// Strategy that ran, if any.
    pub strategy: Option<&'static StrategyEntry>,
    /// The frame's part of the figures of all ranges that include it.
    pub sums: FrameSums,
    /// The entity that had waited longest after the last update, if any.
    pub stalest: Option<LongestWait>,
    /// Places whose tasks ran, in order; `None` if there was no memory left for them.
    pub ran: Option<Vec<u32>>,
    /// Updates with runs, if the frame had several updates. Otherwise empty, because `now` and `target` describe a
    /// single update.
    pub updates: Vec<PastUpdate>,
    pub period: Nanos,
    /// Game time of the last update.
    pub now: GameTime,
    /// Position of the target at the last update.
    pub target: Point,
    /// Number of entities after the last update; they occupied the first places, without a gap.
    pub entities: u32,
    /// Projectile in the frame's picture.
    pub sight: Sight,
    /// The longest of the listed runs ([`crate::sim::lane::Lane::list_runs`]), if any.
    pub longest_run: Option<LongestRun>,
    /// Length of an interruption of the program. It is not part of the frame's length.
    pub outside: Nanos,
    /// Data for a trace, as long as memory allows.
    pub traced: FrameTrace,
}

impl Default for PastFrame {
    /// Returns an empty frame at the start, with the usual period.
    fn default() -> Self {
        Self {
            record: FrameRecord::default(),
            strategy: None,
            sums: FrameSums::default(),
            stalest: None,
            ran: None,
            updates: Vec::new(),
            period: USUAL_PERIOD,
            now: GameTime::START,
            target: Point::default(),
            entities: 0,
            sight: Sight::default(),
            longest_run: None,
            outside: Nanos::ZERO,
            traced: FrameTrace::default(),
        }
    }
}

/// One update of a past frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PastUpdate {
    pub now: GameTime,
    /// Position of the target; the entities that ran look there.
    pub target: Point,
    /// Number of runs in the frame up to the end of this update.
    pub runs: u32,
}

/// The longest run of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongestRun {
    pub entity: u64,
    pub took: Nanos,
}

impl PastFrame {
    /// Returns the places whose tasks ran in this frame, in order; empty if they are no longer recorded.
    pub fn ran(&self) -> impl Iterator<Item = u32> {
        self.ran.iter().flatten().copied()
    }

    /// Returns the updates, in order, with the places that ran in each. If the frame had several updates, those without
    /// runs are missing.
    pub fn updates(&self) -> impl DoubleEndedIterator<Item = (PastUpdate, &[u32])> {
        let ran = self.ran.as_deref().unwrap_or_default();
        let single = PastUpdate {
            now: self.now,
            target: self.target,
            runs: ran.len() as u32,
        };
        (0..self.updates.len().max(1)).map(move |index| {
            let update = *self.updates.get(index).unwrap_or(&single);
            let before = index.checked_sub(1).map(|index| self.updates[index].runs);
            let runs = before.unwrap_or(0) as usize..update.runs as usize;
            (update, ran.get(runs).unwrap_or_default())
        })
    }

    /// Returns the game times at which `place` ran in this frame, in order.
    pub fn runs_of(&self, place: u32) -> impl DoubleEndedIterator<Item = GameTime> {
        let updates = self.updates();
        updates
            .filter(move |(_, ran)| ran.contains(&place))
            .map(|(update, _)| update.now)
    }

    /// Returns the game time of the first recorded update.
    pub fn first_update(&self) -> GameTime {
        self.updates.first().map_or(self.now, |update| update.now)
    }

    /// Returns the strategy that ran, unless it was `current`.
    pub fn other_strategy(&self, current: &StrategyEntry) -> Option<&'static StrategyEntry> {
        self.strategy.filter(|&past| past != current)
    }

    /// Returns true if the program was interrupted in this frame, which is therefore no part of statistics.
    pub fn is_interrupted(&self) -> bool {
        !self.outside.is_zero()
    }

    /// Returns true if tasks ran in this frame but are no longer recorded.
    pub fn has_forgotten(&self) -> bool {
        self.ran.is_none() && self.record.runs > 0
    }
}

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
    pub entity: u64,
    /// Game time since the task's last run, or since the entity's birth.
    pub elapsed: Nanos,
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
        let fits = is_whole && can_trace(updates.len(), runs.len());
        Self {
            updates: if fits { updates.to_vec() } else { Vec::new() },
            runs: (fits || (is_whole && runs.is_empty()))
                .then(|| runs.iter().map(TraceRun::from).collect()),
        }
    }

    /// Removes the runs. An empty list takes no memory, so it stays.
    pub(super) fn forget_runs(&mut self) {
        self.runs = self.runs.take().filter(Vec::is_empty);
    }
}
