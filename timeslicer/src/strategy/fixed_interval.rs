//! Fixed interval: runs every task once per interval, however many tasks there are.
//!
//! Each update adds `tasks × delta / interval` to an accumulator of owed runs. The whole part of the accumulator is the
//! number of tasks that run now, in turn. The fraction is kept for the next update. For example, with 10 tasks, an
//! interval of 0.5 s and 100 updates per second, each update adds 0.2 runs, so every fifth update runs one task. Never
//! more than one run per task is owed, so even a long delta runs no task twice.
//!
//! In the article, the accumulator is a float, which drifts. Here it is an integer that counts tasks × nanoseconds.
//!
//! As published, an update after a stall runs everything that is owed, up to every task. With
//! [`with_catch_up`](FixedInterval::with_catch_up), it runs only a multiple of the usual number, and later updates run
//! the rest. The usual number depends on the median of the last five deltas, so a single stall does not change it.
//!
//! # When to use it
//!
//! Use it for work that repeats at a steady rate, such as decisions, sensors and path queries. It is the first choice
//! for most games. A task's interval depends neither on the frame rate nor on the number of tasks.
//!
//! If tasks rarely have something to do, use [`RequestList`](super::RequestList). If a growing population must not make
//! frames slower, use [`MaxPerFrame`](super::MaxPerFrame) or [`TimeBudget`](super::TimeBudget).
//!
//! # Cost
//!
//! Each update runs `tasks × delta / interval` tasks, rounded up or down. A task waits less than the interval plus one
//! delta. After a stall, a limited catch-up makes tasks wait longer. A birth or death shifts the turns of other tasks
//! by at most one.
//!
//! # If an update is stopped
//!
//! The next update begins with the first task that did not run. The missed runs remain owed, up to one run per task.
//!
//! # Source
//!
//! "A simple way to spread game updates over several frames" (an article in Russian, "Простой способ распределить
//! обновления игры по нескольким фреймам"): the accumulator.

use super::{Guarantee, Strategy};
use crate::scheduler::{Ring, TaskId, UpdateContext, saved_as, saved_fields};
use crate::time::Nanos;
use std::collections::VecDeque;
use std::time::Duration;

/// The usual delta is the median of this many deltas.
const RECENT: usize = 5;

/// A strategy that runs just enough tasks in each update to run every task once per interval. The [module
/// documentation](self) describes the algorithm, and [`Timeslicer`](crate::Timeslicer) has an example of how a game
/// uses a strategy.
///
/// ```
/// use std::time::Duration;
/// use timeslicer::strategy::FixedInterval;
/// let strategy = FixedInterval::new(Duration::from_millis(500));
/// let without_bursts = strategy.with_catch_up(2);
/// ```
#[derive(Clone, Debug)]
pub struct FixedInterval {
    interval: Nanos,
    catch_up: u32,
    /// The latest deltas that were not zero, at most [`RECENT`].
    recent: VecDeque<Nanos>,
    tasks: Ring,
    /// The number of runs that are due, times the interval in nanoseconds. This product is a whole number even if only
    /// a fraction of a run is due.
    accumulator: u128,
    /// The number of tasks that should have run in the last update but did not, because the update was stopped or the
    /// catch-up is limited.
    waiting: usize,
}

impl FixedInterval {
    /// Creates a strategy that runs each task once per `interval` of game time. With an interval of zero, each task
    /// runs in every update.
    pub fn new(interval: Duration) -> Self {
        Self {
            interval: interval.into(),
            catch_up: 0,
            recent: VecDeque::new(),
            tasks: Ring::default(),
            accumulator: 0,
            waiting: 0,
        }
    }

    /// Returns the strategy with this limit on the runs after a long delta. See [`set_catch_up`](Self::set_catch_up).
    pub fn with_catch_up(mut self, times: u32) -> Self {
        self.set_catch_up(times);
        self
    }

    /// Limits an update to this many times the usual number of runs, so that it does not take long after a stall. Later
    /// updates run the remaining tasks. With a limit of 1, the strategy hardly catches up, and uneven deltas make it
    /// fall further behind. Zero removes the limit.
    pub fn set_catch_up(&mut self, times: u32) {
        self.catch_up = times;
    }

    /// Returns the maximum number of tasks to run in this update.
    fn most(&self) -> usize {
        let interval = u128::from(self.interval.as_nanos());
        if self.catch_up == 0 || interval == 0 {
            return usize::MAX;
        }
        let mut deltas = [Nanos::MAX; RECENT];
        for (sorted, delta) in deltas.iter_mut().zip(&self.recent) {
            *sorted = *delta;
        }
        deltas.sort_unstable();
        let usual = deltas[self.recent.len().saturating_sub(1) / 2].as_nanos();
        let work = self.tasks.len() as u128 * u128::from(usual); // the usual number of runs, times the interval
        // Round down, but allow at least the usual number of runs, so that the strategy does not fall further behind.
        let most = work * u128::from(self.catch_up) / interval;
        usize::try_from(most.max(work.div_ceil(interval))).unwrap_or(usize::MAX)
    }

    /// Returns the interval.
    pub fn interval(&self) -> Duration {
        self.interval.into()
    }

    /// Changes the interval. The number of runs that are already due stays the same, so a shorter interval does not
    /// trigger a burst of runs.
    pub fn set_interval(&mut self, interval: Duration) {
        let old = u128::from(self.interval.as_nanos());
        self.interval = interval.into();
        let new = u128::from(self.interval.as_nanos());
        self.accumulator = (self.accumulator * new).checked_div(old).unwrap_or(0);
    }
}

impl Strategy for FixedInterval {
    fn insert(&mut self, task: TaskId) {
        self.tasks.insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.tasks.remove(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let tasks = self.tasks.len() as u128;
        let delta = u128::from(context.delta().as_nanos());
        let interval = u128::from(self.interval.as_nanos());

        self.accumulator = (self.accumulator + delta * tasks).min(tasks * interval);
        let owed = self.accumulator.checked_div(interval).unwrap_or(tasks) as usize;
        if !context.delta().is_zero() {
            self.recent.truncate(RECENT - 1);
            self.recent.push_front(context.delta());
        }
        let most = self.most();
        let taken = context.run_turns(&mut self.tasks, owed.min(most));
        self.accumulator -= taken as u128 * interval;
        self.waiting = owed - taken;
    }

    fn backlog(&self) -> usize {
        self.waiting.min(self.tasks.len())
    }

    saved_as!("fixed-interval-2", |own| own.interval(), |it| {
        own.set_interval(it);
    });

    fn guarantee(&self) -> Guarantee {
        Guarantee::Interval(self.interval)
    }
}

saved_fields! { FixedInterval { interval, recent, tasks, accumulator, waiting; except catch_up } }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::testing::TestWorld;

    const HALF_SECOND: Nanos = Nanos::from_millis(500);

    fn world(count: usize) -> TestWorld<FixedInterval> {
        TestWorld::new(FixedInterval::new(HALF_SECOND.into()), count)
    }

    #[test]
    fn ten_tasks_at_100_hz_run_one_every_fifth_update_all_day() {
        let mut world = world(10);
        for update in 1..=24 * 3600 * 100 {
            let runs = world.update(Nanos::from_millis(10)).len();
            assert_eq!(runs, usize::from(update % 5 == 0), "update {update}");
        }
    }

    #[test]
    fn an_accumulator_of_2_4_runs_two_and_keeps_0_4() {
        let mut world = world(12);
        assert_eq!(world.update(Nanos::from_millis(100)), [0, 1]); // 12 x 0.1 / 0.5 = 2.4
        assert_eq!(world.strategy.accumulator, 4 * 500_000_000 / 10);
        assert_eq!(world.update(Nanos::from_millis(25)), [2]); // 0.4 + 0.6 = 1
    }

    #[test]
    fn a_limited_catch_up_spreads_the_runs_after_a_stall() {
        let delta = Nanos::from_nanos(16_666_667);
        // The expected numbers of runs in the three updates after a stall of 5 s. A usual update runs 32 of 960 tasks.
        for (catch_up, expected) in [(0, [960, 32, 32]), (1, [33, 33, 33]), (2, [64, 64, 64])] {
            let mut world = TestWorld::new(FixedInterval::new(Duration::from_millis(500)), 960);
            world.strategy.set_catch_up(catch_up);
            for _ in 0..20 {
                assert!((32..=33).contains(&world.update(delta).len()));
            }
            assert_eq!(world.update(Nanos::ZERO).len(), 0);
            let deltas = [Nanos::from_secs(5), delta, delta];
            let runs = deltas.map(|delta| world.update(delta).len());
            assert_eq!(runs, expected, "{catch_up}");
            for _ in 0..60 {
                world.update(delta);
            }
            let (left, last) = (world.strategy.backlog(), world.update(delta).len());
            assert!(if catch_up == 1 {
                left > 800
            } else {
                left == 0 && last <= 33
            });
        }
    }

    #[test]
    fn a_shorter_interval_starts_no_burst() {
        let mut world = TestWorld::new(FixedInterval::new(Duration::from_secs(10)), 10);
        assert!(world.update(Nanos::from_millis(999)).is_empty()); // 0.999 of a run is owed
        world.strategy.set_interval(Duration::from_millis(10));
        assert_eq!(world.update(Nanos::from_millis(1)), [0]); // 0.999 + 1
    }
}
