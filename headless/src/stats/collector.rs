//! Counts runs, updates and frames while a lane runs.

mod number_set;
mod staleness;
mod waiting;

pub use staleness::StalenessIntegral;

use super::promises::{Promises, Punctuality};
use super::recovery::RecentHitches;
use super::significance::FixedWeight;
use super::tally::Tally;
use super::thresholds::WARM_UP;
use super::{Distribution, Recovery, Totals};
use crate::sim::lane::{Disturbed, FrameEnded, Observer, Run, UpdateBegun};
use crate::sim::world::Weights;
use number_set::NumberSet;
use staleness::TotalStaleness;
use std::collections::VecDeque;
use timeslicer::scheduler::{TaskId, Tasks};
use timeslicer::strategy::Promise;
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// Counts every frame, update and run of a lane, each in constant time.
///
/// Counting begins when the lane begins. [`Collector::clear`] restarts it at once, [`Collector::change`] after
/// [`WARM_UP`]. Intervals and requests that began before the restart do not count, and the worst staleness is counted
/// from the restart. The mean staleness includes what was stale at the restart, so that it is right from the first
/// frame on.
#[derive(Clone, Debug)]
pub struct Collector {
    pub(super) promises: Promises,
    /// End of the warm-up, if the lane is warming up. Nothing is counted before it.
    warm_until: Option<ClockTime>,
    /// Game time when counting began.
    pub(super) game_from: GameTime,
    /// Game time of the last update.
    now: GameTime,
    wanted: Option<Nanos>,
    budget: Option<Nanos>,
    batch: Batch,
    /// Staleness of all entities now. It is never cleared.
    total_staleness: TotalStaleness,
    /// Integral of staleness over the frame in progress, or the last frame.
    pub(super) frame_staleness: StalenessIntegral,
    /// Corrections of the update in progress, for intervals that count as a whole.
    corrections: StalenessIntegral,
    /// Largest weighted staleness in the frame in progress, or the last frame.
    pub(super) frame_worst_weighted: Nanos,
    /// Game time from which the figures of single frames count: that of the last change, without a warm-up.
    frames_from: GameTime,
    /// Tasks that the strategy is about to run, in that order, and the intervals that it wanted for them.
    own_wanted: VecDeque<(TaskId, Nanos)>,
    pub(super) tally: Tally,
    /// Number of runs later than promised.
    pub(super) late: u64,
    pub(super) intervals: Distribution,
    pub(super) off_wanted: Distribution,
    pub(super) overruns: Distribution,
    pub(super) request_waits: Distribution,
    /// Numbers of the entities that starved.
    pub(super) starved: NumberSet,
    hitches: RecentHitches,
    /// Hitches before a change that may be part of a disturbance; `None` once the next frame begins.
    hitches_before_change: Option<RecentHitches>,
    pub(super) totals: Totals,
    /// Recovery from the last disturbance.
    pub(super) recovery: Option<Recovery>,
    /// A heavy task that has not run since it became heavy.
    awaited: Option<TaskId>,
    /// Game time at the last change.
    changed_at: GameTime,
    /// Largest staleness of the entities that died since the last frame ended. Time before the last change is not
    /// counted.
    pub(super) stalest_death: Nanos,
    /// How often the defect of a published form had shown at the last reset of the statistics.
    pub(super) defect_before: u64,
}

/// Consecutive runs with the same elapsed time, counted together. Most runs are in such batches, because tasks that ran
/// together once usually run together again.
#[derive(Clone, Copy, Debug, Default)]
struct Batch {
    elapsed: Nanos,
    intervals: u64,
    /// Number of requests that waited as long as `requests_waited`.
    requests: u64,
    requests_waited: Nanos,
}

impl Default for Collector {
    fn default() -> Self {
        Self::new()
    }
}

impl Collector {
    /// Returns an empty collector that counts from the start.
    #[must_use]
    pub fn new() -> Self {
        Self {
            promises: Promises::new(),
            warm_until: None,
            game_from: GameTime::START,
            now: GameTime::START,
            wanted: None,
            budget: None,
            batch: Batch::default(),
            total_staleness: TotalStaleness::default(),
            frame_staleness: StalenessIntegral::default(),
            corrections: StalenessIntegral::default(),
            frame_worst_weighted: Nanos::ZERO,
            frames_from: GameTime::START,
            own_wanted: VecDeque::new(),
            tally: Tally::default(),
            late: 0,
            intervals: Distribution::new(),
            off_wanted: Distribution::new(),
            overruns: Distribution::new(),
            request_waits: Distribution::new(),
            starved: NumberSet::default(),
            hitches: RecentHitches::default(),
            hitches_before_change: None,
            totals: Totals::default(),
            recovery: None,
            awaited: None,
            changed_at: GameTime::START,
            stalest_death: Nanos::ZERO,
            defect_before: 0,
        }
    }

    /// Forgets everything and counts from the game time `now`.
    pub fn clear(&mut self, now: GameTime) {
        self.frames_from = now;
        self.restart(now);
    }

    /// Like [`Collector::clear`], for all figures but those of single frames.
    fn restart(&mut self, now: GameTime) {
        self.corrections = StalenessIntegral::default();
        self.warm_until = None;
        self.game_from = now;
        self.batch = Batch::default();
        self.tally.clear();
        self.late = 0;
        for distribution in [
            &mut self.intervals,
            &mut self.off_wanted,
            &mut self.overruns,
            &mut self.request_waits,
        ] {
            distribution.clear();
        }
        self.starved.clear();
        self.promises.clear();
    }

    /// Returns true during the warm-up after a change.
    #[must_use]
    pub fn is_warming_up(&self) -> bool {
        self.warm_until.is_some()
    }

    /// Ends an interval of a task, `elapsed` after it began: it counts with the weight that the task has now, which is
    /// returned.
    #[inline]
    fn end_interval(&mut self, task: TaskId, elapsed: Nanos, weights: &Weights) -> FixedWeight {
        let new = FixedWeight::of(weights, task.index);
        let old = self.total_staleness.ran(task, elapsed, new);
        let [counted, of_frames] = [self.game_from, self.frames_from].map(|from| self.now - from);
        if new != old && elapsed <= counted.min(of_frames) {
            self.corrections.correct(old, new, elapsed, elapsed);
        } else if new != old {
            let correction = |counted| StalenessIntegral::correction(old, new, elapsed, counted);
            self.frame_staleness.add(correction(of_frames));
            if !self.is_warming_up() {
                self.tally.stale_over(correction(counted));
            }
        }
        self.worst_weighted(new, elapsed);
        new
    }

    /// Counts the weighted staleness of an entity that is `stale`.
    #[inline]
    fn worst_weighted(&mut self, weight: FixedWeight, stale: Nanos) {
        let [counted, of_frames] = [self.game_from, self.frames_from].map(|from| self.now - from);
        let weighted = weight.times(stale.min(of_frames));
        self.frame_worst_weighted = self.frame_worst_weighted.max(weighted);
        if !self.is_warming_up() {
            self.tally
                .weighted_staleness(weight.times(stale.min(counted)));
        }
    }

    fn count_requests(&mut self) {
        let count = std::mem::take(&mut self.batch.requests);
        self.request_waits
            .add_many(self.batch.requests_waited, count);
    }

    fn count_batch(&mut self) {
        let elapsed = self.batch.elapsed;
        let intervals = std::mem::take(&mut self.batch.intervals);
        let began_before = elapsed > self.now - self.game_from;
        if intervals == 0 || began_before || self.is_warming_up() {
            return;
        }
        self.intervals.add_many(elapsed, intervals);
        if let Some(wanted) = self.wanted {
            let off = (elapsed - wanted).max(wanted - elapsed); // one difference is zero: subtraction saturates
            self.off_wanted.add_many(off, intervals);
        }
    }

    fn count_frame(&mut self, ended: &FrameEnded<'_>) {
        if self.is_warming_up() {
            return;
        }
        self.tally.frame(ended.record, ended.target);
        self.tally
            .staleness(ended.worst_staleness.min(self.now - self.game_from));
    }
}

impl Observer for Collector {
    fn born(&mut self, task: TaskId, weights: &Weights) {
        let weight = FixedWeight::of(weights, task.index);
        self.total_staleness.born(task, weight);
        self.promises.born(task);
    }

    fn reweighed(&mut self, tasks: &Tasks, weights: &Weights, now: GameTime) {
        self.total_staleness.weigh_all(tasks, weights, now);
    }

    fn died(&mut self, task: TaskId, number: u64, stale: Nanos, weights: &Weights) {
        self.end_interval(task, stale, weights);
        self.total_staleness.died(task, Nanos::ZERO);
        self.stalest_death = self
            .stalest_death
            .max(stale.min(self.now - self.changed_at));
        let stale = stale.min(self.now - self.game_from);
        if !self.is_warming_up() {
            self.tally.staleness(stale);
            if self.promises.punctuality(task, stale) == Punctuality::Starved {
                self.starved.insert(number);
            }
        }
        self.promises.died(task);
        if self.awaited == Some(task) {
            self.awaited = None; // it will never run
        }
    }

    fn requested(&mut self, task: TaskId, now: GameTime, promise: Promise) {
        self.promises.asks(task, now, promise);
    }

    fn frame_began(&mut self, clock: ClockTime, now: GameTime) {
        self.frame_staleness = StalenessIntegral::default();
        self.frame_worst_weighted = Nanos::ZERO;
        self.hitches_before_change = None;
        if self.warm_until.is_some_and(|until| clock >= until) {
            self.restart(now);
        }
    }

    fn time_advanced(&mut self, delta: Nanos) {
        self.now += delta;
        let integral = self.total_staleness.advance(delta);
        self.frame_staleness.add(integral);
        if !self.is_warming_up() {
            self.tally.stale_over(integral);
        }
    }

    fn update_began(&mut self, update: &UpdateBegun) {
        self.now = update.now;
        self.budget = update.budget;
        self.wanted = update.wanted;
        self.promises
            .begin_update(update.promise, update.delta, update.step);
    }

    fn wanted(&mut self, task: TaskId, interval: Nanos) {
        self.own_wanted.push_back((task, interval));
    }

    /// An entity's first run ends no interval between runs; its elapsed time is that since its birth.
    fn ran(&mut self, run: &Run, weights: &Weights) {
        let Run {
            task,
            entity: number,
            elapsed,
            first,
            ..
        } = *run;
        if elapsed != self.batch.elapsed {
            self.count_batch();
            self.batch.elapsed = elapsed;
        }
        self.batch.intervals += u64::from(!first);
        let weight = self.end_interval(task, elapsed, weights);
        self.corrections.ran(weight);
        let stale = elapsed.min(self.now - self.game_from);
        // Tasks before this one turned out to be dead.
        let own_wanted = std::iter::from_fn(|| self.own_wanted.pop_front())
            .find_map(|(wanted, interval)| (wanted == task).then_some(interval));
        let (punctuality, asked) = self.promises.runs(task, stale, own_wanted);
        if punctuality != Punctuality::OnTime && !self.is_warming_up() {
            self.late += 1;
            if punctuality == Punctuality::Starved {
                self.starved.insert(number);
            }
        }
        if let Some(asked) = asked.filter(|&asked| asked >= self.game_from)
            && !self.is_warming_up()
        {
            let waited = self.now - asked;
            if waited != self.batch.requests_waited {
                self.count_requests();
                self.batch.requests_waited = waited;
            }
            self.batch.requests += 1;
        }
        // Unlike intervals, staleness includes first runs.
        if !self.is_warming_up() {
            self.tally.staleness(stale);
        }
        if self.awaited == Some(task) {
            self.awaited = None;
        }
    }

    fn update_ended(&mut self, task_time: Nanos) {
        self.own_wanted.clear();
        let corrections = std::mem::take(&mut self.corrections);
        self.frame_staleness.add(corrections);
        if !self.is_warming_up() {
            self.tally.stale_over(corrections);
        }
        self.count_batch();
        self.count_requests();
        if let Some(budget) = self.budget
            && task_time > budget
            && !self.is_warming_up()
        {
            self.overruns.add(task_time - budget);
        }
    }

    fn updates_ended(&mut self, stalest: Option<(TaskId, Nanos)>) {
        if let Some((task, stale)) = stalest {
            self.worst_weighted(self.total_staleness.weight(task), stale);
        }
        if self.awaited.is_none()
            && let Some(recovery) = &mut self.recovery
        {
            recovery.heavy_ran();
        }
    }

    fn frame_ended(&mut self, ended: &FrameEnded<'_>) {
        self.totals.frame(ended.record);
        self.stalest_death = Nanos::ZERO;
        self.count_frame(ended);
        self.hitches.frame(ended.record, ended.target);
        if let Some(recovery) = &mut self.recovery {
            recovery.frame(ended.record, ended.target);
        }
    }

    /// The new strategy starts without pending requests and without a baseline of hitches.
    fn strategy_switched(&mut self) {
        self.hitches = RecentHitches::default();
        self.hitches_before_change = None;
        self.promises.switch();
        self.defect_before = 0;
    }

    /// Forgets everything, and counts again after [`WARM_UP`].
    fn changed(&mut self, clock: ClockTime, now: GameTime) {
        let before = std::mem::take(&mut self.hitches);
        self.hitches_before_change.get_or_insert(before);
        self.clear(now);
        self.warm_until = Some(clock + WARM_UP);
        self.changed_at = now;
        self.recovery = None;
    }

    fn disturbed(&mut self, disturbed: &Disturbed<'_>) {
        if let Some(before) = self.hitches_before_change.take() {
            self.hitches = before;
        }
        let mut recovery = Recovery::new(disturbed, &self.hitches);
        // Statistics begin only after the warm-up, so they do not cover the disturbance.
        if self.is_warming_up() {
            recovery.leave_out();
        }
        self.recovery = Some(recovery);
        self.awaited = disturbed.heavy.or(self.awaited);
    }
}

#[cfg(test)]
mod tests;
