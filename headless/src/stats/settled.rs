//! Figures from the end of the first round on, which are comparable with the theoretical bounds.

use super::WeightedStaleness;
use super::bounds::Bounds;
use super::frame_sums::FrameSums;
use super::staleness::{Area, StalenessIntegral};
use super::sums::is_by_tasks;
use super::thresholds::hitch_from;
use crate::sim::lane::FrameRecord;
use timeslicer::time::{GameTime, Nanos};

/// Sums over the frames after the first round. That round is over when every living entity has run, or was born, since
/// the figures began. Before, their staleness depends on what happened earlier: it is too low right after the birth of a
/// crowd, and too high after a change that makes the strategy faster.
///
/// A run at the game time at which the figures began does not count, because it ends no wait: at the start, every entity is
/// fresh whether or not it runs. So the first round of a strategy that runs everything in the first frame lasts until it
/// runs everything again. If it ended at the start, a setting with a longer interval than the measurement would have no
/// runs, no task time, and a staleness that only says how long it was measured.
#[derive(Clone, Debug)]
pub struct Settled {
    since: GameTime,
    until: GameTime,
    /// [`FrameSums::frame`] of the last frame of the first round.
    last_of_round: u64,
    task_time: Nanos,
    /// Number of entities that died. An entity that is not stale took the place of each.
    deaths: u64,
    staleness: StalenessIntegral,
    /// Largest weighted staleness. In a report, also of the entities that wait at its time.
    pub worst_weighted: Nanos,
    /// Largest staleness of any entity.
    pub worst: Nanos,
    /// Most time that any frame spent on tasks.
    pub most_tasks: Nanos,
    /// Length of the longest hitch that tasks caused; zero if there was none.
    pub longest_hitch: Nanos,
    /// The bounds' sums at the beginning.
    start: Bounds,
}

impl Settled {
    /// Begins at the game time `now`, at the end of the updates of frame `last_of_round`.
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

    /// Adds a frame, whose target length is given, unless it belongs to the first round.
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
                .weigh_anew(ended, Area::between(young, ended.length));
        }
        if let Some((weight, stale)) = events.stalest {
            worst = worst.max(weight.times(stale));
            self.worst = self.worst.max(stale);
        }
        self.worst_weighted = worst;
    }

    /// Returns the game time of these frames.
    pub fn span(&self) -> Nanos {
        self.until - self.since
    }

    /// Returns task time per second of game time: the B of the theoretical bounds. `None` if no game time passed.
    pub fn load(&self) -> Option<f64> {
        let span = self.span();
        (!span.is_zero()).then(|| self.task_time.over(span))
    }

    /// Returns the staleness of all entities over this time.
    pub fn staleness(&self) -> &StalenessIntegral {
        &self.staleness
    }

    /// Returns the weighted staleness; `None` if no game time passed.
    pub fn weighted(&self, staleness: WeightedStaleness) -> Option<Nanos> {
        match staleness {
            WeightedStaleness::Mean => self.staleness.weighted_mean(),
            WeightedStaleness::Worst => Some(self.worst_weighted),
        }
    }

    /// Returns the least weighted staleness, in seconds, that is possible in this time with the same task time, if each
    /// entity is as stale at the beginning and at the end as it was. `end` has the sums at the end. `None` without
    /// entities or task time.
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
