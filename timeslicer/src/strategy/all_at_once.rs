//! All at once: runs every task in one update, then pauses.
//!
//! A timer counts down in game time. When it reaches zero, every task runs, and the timer restarts at one interval
//! minus the lateness of the update, so all tasks run once per interval on average. If a long delta covers several
//! intervals, the tasks still run only once.
//!
//! # When to use it
//!
//! Use it if all tasks must see the same state of the world, and together fit into a frame. Otherwise use
//! [`FixedInterval`](super::FixedInterval), which costs the same on average, but without the spike once per interval.
//!
//! # Cost
//!
//! All tasks run in one update per interval, and none in the other updates. A task waits less than the interval plus
//! one delta.
//!
//! # If an update is stopped
//!
//! The next updates run the remaining tasks before the pause begins. However, the length of the pause is counted from
//! the update that ran the first tasks.
//!
//! # Source
//!
//! "A simple way to spread game updates over several frames" (an article in Russian, "Простой способ распределить
//! обновления игры по нескольким фреймам"). The article tries this strategy first and rejects it because of the spikes.

use super::{Guarantee, Strategy};
use crate::scheduler::{TaskId, TaskSet, UpdateContext, saved_as, saved_fields};
use crate::time::Nanos;
use std::time::Duration;

/// A strategy that runs all tasks in one update, and then none until the interval has passed. The [module
/// documentation](self) describes the algorithm, and [`Timeslicer`](crate::Timeslicer) has an example of how a game
/// uses a strategy.
///
/// ```
/// use std::time::Duration;
/// use timeslicer::strategy::AllAtOnce;
/// let strategy = AllAtOnce::new(Duration::from_millis(500));
/// ```
#[derive(Clone, Debug)]
pub struct AllAtOnce {
    interval: Nanos,
    tasks: TaskSet,
    wait: Nanos,
}

impl AllAtOnce {
    /// Creates a strategy that runs all tasks once per `interval` of game time, beginning with the first update. With
    /// an interval of zero, all tasks run in every update.
    pub fn new(interval: Duration) -> Self {
        Self {
            interval: interval.into(),
            tasks: TaskSet::default(),
            wait: Nanos::ZERO,
        }
    }

    /// Returns the interval.
    pub fn interval(&self) -> Duration {
        self.interval.into()
    }

    /// Changes the interval, and shortens the remaining wait if it is longer than the new interval.
    pub fn set_interval(&mut self, interval: Duration) {
        let interval = Nanos::from(interval);
        self.interval = interval;
        self.wait = self.wait.min(interval);
    }
}

impl Strategy for AllAtOnce {
    fn insert(&mut self, task: TaskId) {
        self.tasks.insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.tasks.remove(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        if self.tasks.is_in_round() {
            self.wait = self.wait.saturating_sub(context.delta());
        } else if context.delta() < self.wait {
            self.wait -= context.delta();
            return;
        } else {
            let late = context.delta() - self.wait;
            let late_in_this_interval = late.as_nanos().checked_rem(self.interval.as_nanos());
            self.wait = self.interval - Nanos::from_nanos(late_in_this_interval.unwrap_or(0));
        }
        context.run_round(&mut self.tasks);
    }

    fn backlog(&self) -> usize {
        self.tasks.backlog()
    }

    saved_as!("all-at-once", |own| own.interval(), |it| {
        own.set_interval(it);
    });

    fn guarantee(&self) -> Guarantee {
        Guarantee::Interval(self.interval)
    }
}

saved_fields! { AllAtOnce { interval, tasks, wait } }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::testing::TestWorld;

    const HALF_SECOND: Nanos = Nanos::from_millis(500);

    #[test]
    fn all_run_in_one_update_then_none_for_an_interval() {
        let mut world = TestWorld::new(AllAtOnce::new(HALF_SECOND.into()), 2);
        for (delta_ms, runs) in [
            (0, 2),
            (499, 0),
            (1, 2),
            (600, 2), // 100 ms late
            (399, 0),
            (1, 2),
            (10_000, 2), // only one round
            (499, 0),
            (1, 2),
        ] {
            let ran = world.update(Nanos::from_millis(delta_ms));
            assert_eq!(ran.len(), runs, "after {delta_ms} ms");
        }
    }
}
