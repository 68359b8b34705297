//! All at once: the first solution of the article on spreading updates.

use super::{Form, Units};
use crate::scheduler::TaskId;
use crate::strategy::Promise;
use crate::time::Nanos;

/// Runs all tasks of a list at once, then waits for an interval.
#[derive(Clone, Debug)]
pub struct AllAtOnce {
    items: Vec<TaskId>,
    interval: Nanos,
    since_last: Nanos,
}

impl AllAtOnce {
    /// Runs all tasks every `interval`, beginning with the first update.
    #[must_use]
    pub fn new(interval: Nanos) -> Self {
        Self {
            items: Vec::new(),
            interval,
            since_last: interval,
        }
    }
}

impl Form for AllAtOnce {
    fn insert(&mut self, unit: TaskId) {
        self.items.push(unit);
    }

    fn remove(&mut self, unit: TaskId) {
        self.items.retain(|&item| item != unit);
    }

    fn update<U: Units>(&mut self, delta: Nanos, units: &mut U) {
        self.since_last += delta;
        if self.since_last >= self.interval {
            self.since_last = Nanos::ZERO;
            for &item in &self.items {
                units.update(item);
            }
        }
    }

    fn promise(&self) -> Promise {
        Promise::Interval(self.interval)
    }
}
