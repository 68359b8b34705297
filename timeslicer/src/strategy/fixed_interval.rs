//! Fixed interval: runs every task once per interval, however many tasks there are.
//!
//! Each update adds `tasks × delta / interval` to an accumulator of owed runs. The whole part of the accumulator is the
//! number of tasks that run now, in turn. The fraction is kept for the next update. For example, with 10 tasks, an
//! interval of 0.5 s and 100 updates per second, each update adds 0.2 runs, so every fifth update runs one task. Never
//! more than one run per task is owed, so even a long delta runs no task twice.
//!
//! In the article, the accumulator is a float, which drifts. Here it is an integer that counts tasks × nanoseconds.
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
//! delta. A birth or death shifts the turns of other tasks by at most one.
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
use std::time::Duration;

/// A strategy that runs just enough tasks in each update to run every task once per interval. The [module
/// documentation](self) describes the algorithm, and [`Timeslicer`](crate::Timeslicer) has an example of how a game
/// uses a strategy.
///
/// ```
/// use std::time::Duration;
/// use timeslicer::strategy::FixedInterval;
/// let strategy = FixedInterval::new(Duration::from_millis(500));
/// ```
#[derive(Clone, Debug)]
pub struct FixedInterval {
    interval: Nanos,
    tasks: Ring,
    /// The number of runs that are due, times the interval in nanoseconds. This product is a whole number even if only
    /// a fraction of a run is due.
    accumulator: u128,
    /// The number of tasks that should have run in the last update but did not, because the update was stopped.
    waiting: usize,
}

impl FixedInterval {
    /// Creates a strategy that runs each task once per `interval` of game time. With an interval of zero, each task
    /// runs in every update.
    pub fn new(interval: Duration) -> Self {
        Self {
            interval: interval.into(),
            tasks: Ring::default(),
            accumulator: 0,
            waiting: 0,
        }
    }

    /// Returns the interval.
    pub fn interval(&self) -> Duration {
        self.interval.into()
    }

    /// Changes the interval. The number of runs that are already due stays the same, so a shorter interval does not
    /// trigger a burst of runs.
    pub fn set_interval(&mut self, interval: Duration) {
        let interval = Nanos::from(interval);
        let (old, new) = (
            u128::from(self.interval.as_nanos()),
            u128::from(interval.as_nanos()),
        );
        self.accumulator = (self.accumulator * new).checked_div(old).unwrap_or(0);
        self.interval = interval;
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
        let taken = context.run_turns(&mut self.tasks, owed);
        self.accumulator -= taken as u128 * interval;
        self.waiting = owed - taken;
    }

    fn backlog(&self) -> usize {
        self.waiting.min(self.tasks.len())
    }

    saved_as!("fixed-interval", |own| own.interval(), |it| {
        own.set_interval(it);
    });

    fn guarantee(&self) -> Guarantee {
        Guarantee::Interval(self.interval)
    }
}

saved_fields! { FixedInterval { interval, tasks, accumulator, waiting } }

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
    fn a_shorter_interval_starts_no_burst() {
        let mut world = TestWorld::new(FixedInterval::new(Duration::from_secs(10)), 10);
        assert!(world.update(Nanos::from_millis(999)).is_empty()); // 0.999 of a run is owed
        world.strategy.set_interval(Duration::from_millis(10));
        assert_eq!(world.update(Nanos::from_millis(1)), [0]); // 0.999 + 1
    }
}
