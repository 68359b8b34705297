//! First solution of the article on spreading updates: runs all tasks at once, then waits.

use super::{Published, Units};
use timeslice::scheduler::TaskId;
use timeslice::time::Nanos;

pub struct AllAtOnce {
    items: Vec<TaskId>,
    interval: Nanos,
    since_last: Nanos,
}

impl AllAtOnce {
    pub fn new(interval: Nanos) -> Self {
        Self {
            items: Vec::new(),
            interval,
            since_last: interval,
        }
    }
}

impl<U: Units> Published<U> for AllAtOnce {
    fn insert(&mut self, unit: TaskId) {
        self.items.push(unit);
    }

    fn remove(&mut self, unit: TaskId) {
        self.items.retain(|&item| item != unit);
    }

    fn update(&mut self, delta: Nanos, units: &mut U) {
        self.since_last += delta;
        if self.since_last >= self.interval {
            self.since_last = Nanos::ZERO;
            for &item in &self.items {
                units.update(item);
            }
        }
    }
}
