//! Measures a running simulation by counting its events.

use super::fixed_weight::FixedWeight;
use super::frame_sums::{EndedIntervals, Ends, FrameSums};
use super::recovery::Burst;
use super::staleness::TotalStaleness;
use super::sums::{Sums, Totals};
use super::thresholds::{WARM_UP, noisy_budget};
use super::{Bounds, MOST_SAMPLED, Recovery};
use crate::catalog::strategy::Inspect;
use crate::sim::disturbance::{Disturbance, Effect};
use crate::sim::lane::{FrameRecord, Observer, Run};
use crate::sim::world::{Crowd, Weights, World};
use std::collections::BTreeMap;
use timeslicer::scheduler::{TaskId, Tasks};
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// Counts the frames, updates and runs of a simulation as they happen. Each event takes constant time, or logarithmic
/// time in the number of different intervals that end in an update. Completed frames are added to the sums over all
/// frames since the last reset. A setting change resets these sums at once, and again after a short warm-up
/// ([`WARM_UP`]).
#[derive(Clone, Debug, Default)]
pub struct Collector {
    /// When the warm-up after a setting change ends. Frames during the warm-up are not counted.
    warm_until: Option<ClockTime>,
    now: GameTime,
    /// The start of the last update, if the strategy has an elastic clock, which runs more slowly during an overload.
    last_update: Option<UpdateStart>,
    pub(super) total_staleness: TotalStaleness,
    /// The events of the current frame so far, or of the last completed frame. They are complete as soon as the frame's
    /// updates have ended.
    pub(crate) frame: FrameSums,
    /// The intervals that have ended with a run in the current update, by their length.
    run_ends: BTreeMap<Nanos, Ends>,
    /// The time of each task's pending request, indexed by task.
    pub(crate) requested_at: Vec<Option<GameTime>>,
    /// The indices of the tasks that were born since the last frame began.
    born: Vec<u32>,
    /// The sums over all frames since the last reset, without the warm-up.
    pub(crate) sums: Sums,
    /// The sums over the frames after every task has run once ([`Report::settled`](super::Report::settled)).
    pub(crate) settled: Option<Totals>,
    /// How the simulation has recovered from each disturbance since the last reset or, if the user has injected
    /// disturbances, from the latest injected one on.
    pub recoveries: Vec<Recovery>,
}

#[derive(Clone, Copy, Debug)]
struct UpdateStart {
    /// The time on the elastic clock before the update.
    elastic_clock: Nanos,
    delta: Nanos,
}

impl Collector {
    /// Resets only the sums. Statistics of the last few seconds may still include earlier frames.
    fn restart_sums(&mut self, now: GameTime) {
        self.warm_until = None;
        self.empty_frame(now);
        self.sums = Sums::since(now);
        self.settled = None;
    }

    fn empty_frame(&mut self, now: GameTime) {
        self.frame.begin(now);
        self.run_ends.clear();
    }

    /// Adds intervals of this length, which have just ended, to the current frame.
    fn end_intervals(&mut self, length: Nanos, ends: Ends) {
        self.total_staleness.ended(length, &ends);
        let end = self.now;
        let ended = EndedIntervals { end, length, ends };
        self.frame.intervals.push(ended);
    }

    #[inline]
    fn ran_together(&mut self, runs: &[Run], elapsed: Nanos, crowd: &Crowd, weights: &Weights) {
        let ends = self.run_ends.entry(elapsed).or_default();
        for run in runs {
            let new = FixedWeight::at(weights, crowd.position(run.task));
            let old = self.total_staleness.weigh(run.task, new);
            ends.add(old, new, !run.first);
        }
        for run in runs {
            self.end_request(run.task);
        }
    }

    #[inline]
    fn end_request(&mut self, task: TaskId) {
        let request = self.requested_at.get_mut(task.index as usize);
        if let Some(requested_at) = request.and_then(Option::take) {
            let waited = self.now - requested_at;
            let wait = (requested_at, waited);
            match self.frame.request_waits.last_mut() {
                Some((last, count)) if *last == wait => *count += 1,
                _ => self.frame.request_waits.push((wait, 1)),
            }
            let open = self.recoveries.iter_mut().filter(|it| it.is_of_requests());
            open.for_each(|recovery| recovery.ended(task.index, waited));
        }
    }

    /// Stops tracking the task that a disturbance made expensive if it is one of `tasks`, which have run or died.
    #[inline]
    fn forget_heavy(&mut self, mut tasks: impl Iterator<Item = TaskId>) {
        if let Some(recovery) = self.recoveries.last_mut()
            && let Some(heavy) = recovery.heavy
            && tasks.any(|task| task == heavy)
        {
            recovery.heavy = None;
        }
    }

    /// Returns the largest weighted staleness in a range of frames that ends with the last frame. Entities that are
    /// still waiting are included, but only the `most` stalest of them are visited, to save time.
    pub(super) fn worst_weighted(&self, totals: &Totals, world: &World, most: usize) -> Nanos {
        let mut worst = totals.worst_weighted;
        for task in world.by_staleness().take(most) {
            let last_run = world.tasks().last_run(task).unwrap_or(self.now);
            let stale = (self.now - last_run).min(self.now - totals.since);
            if stale <= worst {
                break;
            }
            worst = worst.max(self.total_staleness.weight(task).times(stale));
        }
        worst
    }

    /// Returns the fraction (0 to 1) of the entities from before the last reset that have run since, from a sample of at
    /// most `most` entities. Newborns do not count, because the first round does not wait for them. Returns zero during
    /// the warm-up or if there are no entities.
    pub fn have_run(&self, world: &World, most: usize) -> f64 {
        let tasks = world.tasks();
        let since = self.sums.totals.since;
        let has_run = |task: &TaskId| tasks.last_run(*task).is_some_and(|last| last > since);
        let is_old = |task: &TaskId| world.entity(*task).is_some_and(|it| it.born <= since);
        match self.settled {
            _ if self.warm_until.is_some() => 0.0,
            Some(_) => 1.0,
            None => {
                let old: Vec<TaskId> = world.sampled(most).filter(is_old).collect();
                old.iter().filter(|task| has_run(task)).count() as f64 / old.len().max(1) as f64
            }
        }
    }
}

impl Observer for Collector {
    fn born(&mut self, task: TaskId, weights: &Weights) {
        let weight = FixedWeight::of(weights, task.index);
        self.total_staleness.born(task, weight);
        self.born.push(task.index);
    }

    fn reweighed(&mut self, tasks: &Tasks, weights: &Weights, now: GameTime) {
        self.total_staleness.weigh_all(tasks, weights, now);
    }

    /// Records the death of an entity. The interval that it ends does not count as an interval between two runs, because
    /// it is unknown how long it would have become.
    fn died(&mut self, task: TaskId, stale: Nanos, weights: &Weights) {
        let weight = FixedWeight::of(weights, task.index);
        let old = self.total_staleness.weigh(task, weight);
        let mut ends = Ends::default();
        ends.add(old, weight, false);
        self.end_intervals(stale, ends);
        self.total_staleness.died(weight);
        self.end_request(task);
        let open = self.recoveries.iter_mut().filter(|it| !it.is_of_requests());
        open.for_each(|recovery| recovery.ended(task.index, stale));
        self.forget_heavy(std::iter::once(task));
        self.frame.deaths += 1;
    }

    fn requested(&mut self, task: TaskId, requested_at: GameTime) {
        let index = task.index as usize;
        if index >= self.requested_at.len() {
            self.requested_at.resize(index + 1, None);
        }
        self.requested_at[index].get_or_insert(requested_at);
    }

    fn frame_began(&mut self, clock: ClockTime, now: GameTime) {
        self.born = Vec::new();
        if self.warm_until.is_some_and(|until| clock >= until) {
            self.restart_sums(now);
        }
        self.empty_frame(now);
    }

    fn time_advanced(&mut self, delta: Nanos) {
        self.now += delta;
        let integral = self.total_staleness.advance(delta);
        self.frame.staleness.add(integral);
        if !self.recoveries.is_empty() {
            let mean = self.total_staleness.mean();
            let recoveries = self.recoveries.iter_mut();
            recoveries.for_each(|recovery| recovery.mean_staleness(mean));
        }
    }

    fn update_began(&mut self, strategy: &dyn Inspect, delta: Nanos) {
        let clock = strategy.elastic_clock();
        if let (Some(clock), Some(last)) = (clock, self.last_update) {
            let advance = &mut self.frame.advance;
            advance.game += last.delta;
            advance.elastic += clock.saturating_sub(last.elastic_clock);
        }
        self.last_update = clock.map(|elastic_clock| UpdateStart {
            elastic_clock,
            delta,
        });
    }

    fn ran(&mut self, runs: &[Run], crowd: &Crowd, weights: &Weights) {
        for together in runs.chunk_by(|run, next| run.elapsed == next.elapsed) {
            self.ran_together(together, together[0].elapsed, crowd, weights);
        }
        let so_far = self.frame.longest_run.iter().chain(runs).rev();
        self.frame.longest_run = so_far.max_by_key(|run| run.took).copied();
        self.forget_heavy(runs.iter().map(|run| run.task));
        let open = self.recoveries.iter_mut();
        for recovery in open.filter(|it| !it.is_of_requests() && !it.waiting.is_empty()) {
            for run in runs.iter().filter(|run| run.first) {
                recovery.ended(run.task.index, run.elapsed);
            }
        }
    }

    fn update_ended(&mut self, task_time: Nanos, budget: Nanos, is_clock_exact: bool) {
        for (length, ends) in std::mem::take(&mut self.run_ends) {
            self.frame.staleness.ran(&ends);
            self.end_intervals(length, ends);
        }
        let limit = if is_clock_exact {
            budget
        } else {
            noisy_budget(budget)
        };
        if task_time > limit {
            self.frame.overruns.push(task_time - budget);
        }
    }

    fn updates_ended(&mut self, stalest: Option<(TaskId, Nanos)>, world: &World, speed: f64) {
        self.frame.stalest =
            stalest.map(|(task, stale)| (self.total_staleness.weight(task), stale));
        // If even the stalest entity has run since the reset, then all entities have.
        let reset = self.sums.totals.since;
        let is_over = |(_, stale)| stale < self.now - reset;
        if self.settled.is_none() && self.warm_until.is_none() && stalest.is_some_and(is_over) {
            let start = Bounds::sampled(world, self.now, speed, MOST_SAMPLED);
            self.settled = Some(Totals::from(self.now, reset, start));
        }
    }

    fn frame_ended(&mut self, frame: &FrameRecord, target: Nanos) {
        if self.warm_until.is_none() {
            self.sums.add(frame, target, &self.frame);
            if let Some(settled) = &mut self.settled {
                settled.add(frame, target, &self.frame);
            }
        }
        for recovery in &mut self.recoveries {
            recovery.frame(frame, target);
        }
    }

    /// Discards pending requests, because they belong to the previous strategy.
    fn strategy_switched(&mut self) {
        self.requested_at.clear();
        self.last_update = None;
    }

    /// Resets all metrics because a setting has changed. Counting starts again after [`WARM_UP`].
    fn changed(&mut self, clock: ClockTime, now: GameTime) {
        self.frame.restarts += 1;
        self.frame.restarted_at = now;
        self.restart_sums(now);
        self.warm_until = Some(clock + WARM_UP);
        self.recoveries.clear();
    }

    fn disturbed(
        &mut self,
        name: &str,
        first_frame: u64,
        effect: Option<Effect>,
        heavy: Option<TaskId>,
        is_scheduled: bool,
    ) {
        // Scheduled disturbances are all reported. If the user injects one, only the latest is reported.
        if !is_scheduled {
            self.recoveries.clear();
        }
        let earlier = self.recoveries.iter_mut();
        earlier.for_each(|recovery| recovery.is_followed = true);
        let burst = match effect.map(|it| (it.disturbance, it.size as usize)) {
            Some((Disturbance::Births, count)) => {
                let first = self.born.len().saturating_sub(count);
                let newborns = self.born.split_off(first).into_iter().collect();
                Some((Burst::Newborns, newborns))
            }
            Some((Disturbance::Requests, _)) => {
                // Leave out tasks that already had a pending request.
                let is_known =
                    |index: &u32| self.recoveries.iter().any(|it| it.waiting.contains(index));
                let requests = (0..).zip(&self.requested_at);
                let new = requests.filter(|(_, requested_at)| **requested_at == Some(self.now));
                let new = new.map(|(index, _)| index).filter(|index| !is_known(index));
                Some((Burst::Requests, new.collect()))
            }
            _ => None,
        };
        let recovery = Recovery::new(name, first_frame, burst, heavy);
        self.recoveries.push(recovery);
    }
}
