//! Statistics of the frames after the first round, in which every entity runs once. Only these frames are comparable
//! with the theoretical bounds.

use super::WeightedStaleness;
use super::bounds::Bounds;
use super::frame_sums::FrameSums;
use super::staleness::{Area, StalenessIntegral};
use super::sums::is_by_tasks;
use super::thresholds::hitch_from;
use crate::sim::lane::FrameRecord;
use timeslicer::time::{GameTime, Nanos};

/// Statistics of the frames after the first round. The first round ends when every living entity has run or was born
/// since the last reset of the metrics. Until then, staleness depends on earlier events. It is too low after the birth
/// of a whole crowd, and too high after a change that makes the strategy faster.
///
/// A run at the very time of the reset does not count, because it does not end a wait. A strategy that runs everything
/// in the first frame therefore completes its first round when it runs everything again. Otherwise, a setting whose
/// interval is longer than the measurement would have no runs, no task time, and a staleness that only reflects the
/// measured time.
#[derive(Clone, Debug)]
pub struct Settled {
    since: GameTime,
    until: GameTime,
    /// The [`FrameSums::frame`] of the last frame in the first round.
    last_of_round: u64,
    task_time: Nanos,
    /// Number of entities that died after the first round. Each was replaced by a newborn, which is not stale.
    deaths: u64,
    staleness: StalenessIntegral,
    /// Largest weighted staleness of any entity. In a report, this includes the entities that are still waiting.
    pub worst_weighted: Nanos,
    /// Largest staleness of any entity.
    pub worst: Nanos,
    /// Maximum time that a single frame spent on tasks.
    pub most_tasks: Nanos,
    /// Length of the longest hitch that tasks caused, or zero if there was none.
    pub longest_hitch: Nanos,
    /// The sums for the theoretical bounds as of the end of the first round.
    start: Bounds,
}

impl Settled {
    /// Starts counting at game time `now`, after the updates of the frame `last_of_round`.
    pub(super) fn new(now: GameTime, last_of_round: u64, start: Bounds) -> Self {
        Self {
            since: now,
            until: now,
            last_of_round,
            task_time: Nanos::ZERO,
            deaths: 0,
            staleness: StalenessIntegral::default(),
            worst_weighted: Nanos::ZERO,
            worst: Nanos::ZERO,
            most_tasks: Nanos::ZERO,
            longest_hitch: Nanos::ZERO,
            start,
        }
    }

    pub(super) fn add_death(&mut self) {
        self.deaths += 1;
    }

    /// Adds a frame, unless it belongs to the first round. `target` is the frame's target length.
    pub(super) fn add(&mut self, frame: &FrameRecord, target: Nanos, events: &FrameSums) {
        if events.frame == self.last_of_round {
            return;
        }
        self.until = events.ended;
        self.task_time += frame.task_time;
        self.most_tasks = self.most_tasks.max(frame.task_time);
        let length = frame.own_length();
        if length > hitch_from(target) && is_by_tasks(frame, target) {
            self.longest_hitch = self.longest_hitch.max(length);
        }
        self.staleness.add(events.staleness);
        let mut worst = self.worst_weighted;
        for ended in &events.intervals {
            worst = worst.max(ended.heaviest.times(ended.length));
            self.worst = self.worst.max(ended.length);
            let young = ended.length - (ended.end - self.since);
            self.staleness
                .reweigh(ended, Area::between(young, ended.length));
        }
        if let Some((weight, stale)) = events.stalest {
            worst = worst.max(weight.times(stale));
            self.worst = self.worst.max(stale);
        }
        self.worst_weighted = worst;
    }

    /// Returns how much game time has passed since the first round.
    pub fn span(&self) -> Nanos {
        self.until - self.since
    }

    /// Returns the task time per second of game time, which is the B of the theoretical bounds. Returns `None` if no
    /// game time has passed.
    pub fn load(&self) -> Option<f64> {
        let span = self.span();
        (!span.is_zero()).then(|| self.task_time.over(span))
    }

    pub fn staleness(&self) -> &StalenessIntegral {
        &self.staleness
    }

    /// Returns the mean or the worst weighted staleness, or `None` if no game time has passed.
    pub fn weighted(&self, staleness: WeightedStaleness) -> Option<Nanos> {
        match staleness {
            WeightedStaleness::Mean => self.staleness.weighted_mean(),
            WeightedStaleness::Worst => Some(self.worst_weighted),
        }
    }

    /// Returns the least possible weighted staleness since the first round, in seconds, given the same task time and
    /// the same staleness of each entity at the beginning and at the end. `end` contains the sums at the end. Returns
    /// `None` if there were no entities or no task time.
    pub fn least(&self, staleness: WeightedStaleness, end: &Bounds) -> Option<f64> {
        end.least_since(
            staleness,
            &self.start,
            self.span(),
            self.task_time,
            self.deaths,
        )
    }
}
