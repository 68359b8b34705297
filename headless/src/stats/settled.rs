//! Statistics of the frames after every task has run once. Only these frames can be compared with the theoretical
//! bounds.

use super::WeightedStaleness;
use super::bounds::Bounds;
use super::frame_sums::FrameSums;
use super::staleness::{Area, StalenessIntegral};
use super::sums::is_by_tasks;
use super::thresholds::hitch_from;
use crate::sim::lane::FrameRecord;
use timeslicer::time::{GameTime, Nanos};

/// Statistics of the frames after every task has run once. Counting starts when every living entity has run or was born
/// since the last reset of the metrics. Until then, staleness depends on earlier events. It is too low after the birth
/// of a whole crowd, and too high after a change that makes the strategy faster.
///
/// A run at the very time of the reset does not count, because it does not end a wait. A strategy that runs every task
/// in the first frame must therefore run them all again before counting starts. Otherwise, a setting whose interval is
/// longer than the measurement would have no runs and no task time, and its staleness would only reflect how long it
/// was measured.
#[derive(Clone, Debug)]
pub struct Settled {
    since: GameTime,
    until: GameTime,
    /// The number ([`FrameSums::frame`]) of the last frame before these statistics begin.
    previous_frame: u64,
    task_time: Nanos,
    /// The number of deaths since every task had run once. Each dead entity was replaced by a newborn, which is not
    /// stale.
    deaths: u64,
    staleness: StalenessIntegral,
    /// The largest product of an entity's weight and its staleness. In a report, entities that are still waiting are
    /// included.
    pub worst_weighted: Nanos,
    pub worst: Nanos,
    /// The longest time that a single frame spent on tasks.
    pub most_tasks: Nanos,
    /// The length of the longest hitch that was caused by tasks, or zero if there was none.
    pub longest_hitch: Nanos,
    /// The sums for computing the theoretical bounds, at the beginning of these statistics.
    start: Bounds,
}

impl Settled {
    /// Creates empty statistics that start at the game time `now`, right after the updates of the frame with the number
    /// `previous_frame`.
    pub(super) fn new(now: GameTime, previous_frame: u64, start: Bounds) -> Self {
        Self {
            since: now,
            until: now,
            previous_frame,
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

    /// Adds a frame whose target length is `target`. Ignores the frame with the number `previous_frame`.
    pub(super) fn add(&mut self, frame: &FrameRecord, target: Nanos, events: &FrameSums) {
        if events.frame == self.previous_frame {
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

    /// Returns the game time that has passed since every task had run once.
    pub fn span(&self) -> Nanos {
        self.until - self.since
    }

    /// Returns how much time tasks took per second of game time. Returns `None` if no game time has passed.
    pub fn load(&self) -> Option<f64> {
        let span = self.span();
        (!span.is_zero()).then(|| self.task_time.over(span))
    }

    pub fn staleness(&self) -> &StalenessIntegral {
        &self.staleness
    }

    /// Returns the weighted staleness, or `None` if no game time has passed.
    pub fn weighted(&self, staleness: WeightedStaleness) -> Option<Nanos> {
        match staleness {
            WeightedStaleness::Mean => self.staleness.weighted_mean(),
            WeightedStaleness::Worst => Some(self.worst_weighted),
        }
    }

    /// Returns the theoretical minimum of the weighted staleness, in seconds. No strategy that spends as much time on
    /// tasks can do better. `end` contains the sums for the theoretical bounds at the end of the measured frames.
    /// Returns `None` if there were no entities or if tasks took no time.
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
