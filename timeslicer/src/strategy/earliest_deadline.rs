//! Earliest deadline: runs due tasks within a budget, in the order of their due times.
//!
//! A task of weight w is due again `fastest / w` after its last run, but at the latest after `slowest`. While the
//! budget has room for all due tasks, they run as with [`DistanceLod`](super::DistanceLod).
//!
//! During an overload, all intervals become longer. This works because due times are measured on a *deadline clock*,
//! which stops at the due time of the first task that does not fit into the budget. For example, if there are twice as
//! many due tasks as the budget has room for, the deadline clock runs at half speed, and every interval is twice as
//! long. This factor is never calculated. It is a result of the tasks that run, and adapts within an update. After an
//! overload, the deadline clock runs faster, by up to 1/64 of the longest interval in each update that has time to
//! spare. It does so until it has made up for the time during which it was stopped, but for no more than the longest
//! interval.
//!
//! # When to use it
//!
//! Use it if tasks have deadlines that depend on how much they matter, the frame rate matters more than the deadlines,
//! and an overload should delay all tasks in proportion instead of at random.
//!
//! # Cost
//!
//! Each update spends at most its budget, with the exceptions that [`Admission`] describes. If the budget has room for
//! all due tasks, an update costs as much as with [`DistanceLod`](super::DistanceLod), plus one reading of the clock
//! per run or batch.
//!
//! # If an update is stopped
//!
//! The next update begins with the tasks that did not run, as if the budget had been spent.
//!
//! # Source
//!
//! Liu and Layland, "Scheduling algorithms for multiprogramming in a hard-real-time environment" (1973): earliest
//! deadline first. Buttazzo, Lipari, Abeni, "Elastic task model for adaptive rate control" (1998): stretched periods.

use super::{Guarantee, Strategy};
use crate::scheduler::{
    Admission, Deadlines, TaskId, UpdateContext, budget_setters, saved_as, saved_fields,
};
use crate::time::Nanos;
use std::time::Duration;

/// A strategy that runs due tasks within a time budget. The task with the earliest deadline runs first. The [module
/// documentation](self) describes the algorithm, and [`Timeslicer`](crate::Timeslicer) has an example of how a game
/// uses a strategy.
///
/// ```
/// use std::time::Duration;
/// use timeslicer::strategy::EarliestDeadline;
/// let strategy = EarliestDeadline::new(Duration::from_millis(4))
///     .with_intervals(Duration::from_millis(50), Duration::from_secs(1))
///     .with_prediction(true)
///     .with_pay_back(true);
/// ```
#[derive(Clone, Debug)]
pub struct EarliestDeadline {
    deadlines: Deadlines,
    admission: Admission,
    /// The current time, in nanoseconds, on the deadline clock, which stops while due tasks do not fit into the budget.
    clock: u64,
    /// How far the deadline clock is behind game time because of an overload. The clock catches up later.
    behind: Nanos,
}

/// Limits how fast the deadline clock catches up with game time after an overload. In each update, the clock catches up
/// by at most the longest task interval divided by this number.
const CATCH_UP: u64 = 64;
/// During an overload, every interval is at least the longest interval divided by this number. Without this limit,
/// tasks that are supposed to run in every update would leave no time for others.
const MOST_URGENT: u64 = 256;

impl EarliestDeadline {
    /// Creates a strategy that spends at most `budget` of real time in each update, but runs at least one due task. The
    /// intervals have their default values, costs are predicted, and overruns are paid back.
    pub fn new(budget: Duration) -> Self {
        Self {
            deadlines: Deadlines::default(),
            admission: Admission::new(budget.into()),
            clock: 0,
            behind: Nanos::ZERO,
        }
    }

    /// Returns the strategy with these intervals. See [`set_intervals`](Self::set_intervals).
    pub fn with_intervals(mut self, fastest: Duration, slowest: Duration) -> Self {
        self.set_intervals(fastest, slowest);
        self
    }

    /// Changes the intervals. The interval of a task with weight w is `fastest / w`, but at most `slowest`. The due
    /// times of the tasks change gradually, so a change does not make many tasks due at once.
    pub fn set_intervals(&mut self, fastest: Duration, slowest: Duration) {
        self.deadlines.set_intervals(fastest.into(), slowest.into());
    }

    budget_setters!();

    /// Returns the time on the deadline clock. This clock runs like game time, but more slowly during an overload. If it
    /// runs at half the speed, every interval becomes twice as long.
    pub fn elastic_clock(&self) -> Duration {
        Duration::from_nanos(self.clock)
    }

    /// Returns the extra time by which the deadline clock advances in this update to catch up after an overload.
    fn catch_up(&self) -> Nanos {
        if self.deadlines.waiting() > 0 {
            return Nanos::ZERO;
        }
        let most = self.deadlines.slowest.as_nanos() / CATCH_UP;
        self.behind.min(Nanos::from_nanos(most.max(1)))
    }

    /// Advances the deadline clock from `start` to `end` after the tasks of an update have run. If a task is still
    /// waiting, the clock stops at the due time of the first waiting task.
    fn advance_clock(&mut self, delta: Nanos, start: u64, end: u64) {
        let first = self.deadlines.first_due();
        self.clock = first.map_or(end, |due| due.clamp(start, end));
        let advanced = Nanos::from_nanos(self.clock - start);
        let behind = (self.behind + delta).saturating_sub(advanced);
        self.behind = behind.min(self.deadlines.slowest);
    }
}

impl Strategy for EarliestDeadline {
    fn insert(&mut self, task: TaskId) {
        self.deadlines.insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.deadlines.remove(task);
        self.admission.estimates.forget(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let (delta, start) = (context.delta(), self.clock);
        let end = start.saturating_add((delta + self.catch_up()).as_nanos());
        self.deadlines.begin_update(context, start, end);

        let mut slice = self.admission.begin(context);
        loop {
            let taken = self.deadlines.run_next::<{ Admission::BATCH }>(|due| {
                let weights = slice.context.weights(due);
                (weights, slice.run(due))
            });
            if taken == 0 {
                break;
            }
        }
        drop(slice);

        self.advance_clock(delta, start, end);
        let least = if self.deadlines.waiting() > 0 {
            self.deadlines.slowest.as_nanos() / MOST_URGENT
        } else {
            0
        };
        let least = Nanos::from_nanos(least);
        self.deadlines.set_next(context, self.clock, least);
    }

    fn backlog(&self) -> usize {
        self.deadlines.waiting()
    }

    fn admission_mut(&mut self) -> Option<&mut Admission> {
        Some(&mut self.admission)
    }

    saved_as!(
        "earliest-deadline",
        |own| (own.deadlines.fastest, own.deadlines.slowest),
        |(fastest, slowest)| own.deadlines.set_intervals(fastest, slowest)
    );

    fn guarantee(&self) -> Guarantee {
        let (fastest, slowest) = (self.deadlines.fastest(), self.deadlines.slowest);
        let ratio = slowest.as_nanos().checked_div(fastest.as_nanos());
        let ratio = ratio.unwrap_or(MOST_URGENT).min(MOST_URGENT) as usize;
        // Each update runs at least one due task. While a task waits for its due time, each other task can run ahead of
        // it at most once per interval of that other task on the deadline clock.
        let tasks = self.deadlines.count().max(1);
        Guarantee::Eventually {
            interval: slowest,
            updates: (ratio + 3) * tasks + CATCH_UP as usize + 3,
        }
    }
}

saved_fields! { EarliestDeadline { deadlines, admission, clock, behind } }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::testing::TestWorld;

    const FAST: Nanos = Nanos::from_millis(50);
    const SLOW: Nanos = Nanos::from_secs(1);
    const FRAME: Nanos = Nanos::from_nanos(16_666_667);
    const BUDGET: Nanos = Nanos::from_millis(4);

    /// Creates a world whose weights fall from 1 to 0.01. On average, the tasks that become due in an update cost about
    /// `load` times the budget. Also returns the exact factor, which differs because the budget fits whole tasks.
    fn world_at_load(load: f64, count: usize) -> (TestWorld<EarliestDeadline>, f64) {
        let strategy =
            EarliestDeadline::new(BUDGET.into()).with_intervals(FAST.into(), SLOW.into());
        let mut world = TestWorld::new(strategy, count);
        world.weights = (0..count)
            .map(|at| 1.0 / (1.0 + 99.0 * at as f64 / count as f64))
            .collect();
        let rates = world.weights.iter().map(|&weight| 1.0 / wanted(weight));
        let runs = rates.sum::<f64>() * FRAME.as_secs_f64();
        let fitting = (runs / load).round().max(1.0);
        world.cost = Nanos::from_nanos(BUDGET.as_nanos() / fitting as u64);
        (world, runs / fitting)
    }

    fn wanted(weight: f64) -> f64 {
        Deadlines::interval_at(FAST, SLOW, weight).as_secs_f64()
    }

    /// Runs `count` updates. Returns the sorted ratios of the measured intervals to the target intervals, and the
    /// factor by which the elastic clock stretches intervals.
    fn ratios(world: &mut TestWorld<EarliestDeadline>, count: usize) -> (Vec<f64>, f64) {
        let mut ratios = Vec::new();
        let start = world.strategy.clock;
        for _ in 0..count {
            for (index, elapsed) in world.update_elapsed(FRAME) {
                ratios.push(elapsed.as_secs_f64() / wanted(world.weights[index as usize]));
            }
        }
        ratios.sort_unstable_by(f64::total_cmp);
        let passed = (world.strategy.clock - start) as f64;
        (ratios, (FRAME.as_nanos() * count as u64) as f64 / passed)
    }

    fn percentile(sorted: &[f64], percent: usize) -> f64 {
        sorted[sorted.len() * percent / 100]
    }

    #[test]
    fn twice_the_load_doubles_every_interval() {
        for (load, count) in [(2.0, 500), (2.0, 5000), (5.0, 500)] {
            let (mut world, load) = world_at_load(load, count);
            ratios(&mut world, 600);
            let (ratios, stretch) = ratios(&mut world, 1200);
            let [low, middle, high] = [5, 50, 95].map(|percent| percentile(&ratios, percent));
            assert!(high / low <= 1.3, "{load} {count}: {low} {middle} {high}");
            assert!((middle / load - 1.0).abs() < 0.1, "{load}: {middle}");
            assert!((stretch / load - 1.0).abs() < 0.1, "{load}: {stretch}");
        }
    }

    #[test]
    fn after_an_overload_the_intervals_return() {
        let (mut world, _) = world_at_load(4.0, 500);
        ratios(&mut world, 600);
        world.cost = Nanos::from_nanos(world.cost.as_nanos() / 8);
        ratios(&mut world, 200);
        let (ratios, stretch) = ratios(&mut world, 600);
        let [low, high] = [2, 98].map(|percent| percentile(&ratios, percent));
        assert!(low > 0.65 && high < 1.35, "{low} {high}");
        assert!(stretch < 1.01, "{stretch}");
    }

    #[test]
    fn a_stall_makes_each_task_run_once() {
        let (mut world, _) = world_at_load(0.7, 500);
        ratios(&mut world, 300);
        let mut runs = vec![0; 500];
        let mut updates = 0;
        world.update_elapsed(Nanos::from_secs(10));
        while world.strategy.backlog() > 0 {
            for index in world.update(FRAME) {
                runs[index as usize] += 1;
            }
            updates += 1;
        }
        assert!(updates < 60, "{updates}");
        assert!(runs.iter().all(|&runs| runs <= 4), "{runs:?}");
    }

    #[test]
    fn with_time_to_spare_intervals_are_the_wanted_ones() {
        let (mut world, _) = world_at_load(0.5, 500);
        assert_eq!(ratios(&mut world, 120).1, 1.0);
        for _ in 0..600 {
            for (index, elapsed) in world.update_elapsed(FRAME) {
                let wanted = wanted(world.weights[index as usize]);
                let off = (elapsed.as_secs_f64() - wanted).abs();
                assert!(off <= FRAME.as_secs_f64() + 1e-9, "{index}: {off}");
            }
        }
        assert_eq!(world.strategy.backlog(), 0);
    }
}
