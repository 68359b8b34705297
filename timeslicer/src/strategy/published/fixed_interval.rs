//! Fixed interval: the last solution of the article on spreading updates, an accumulator.

use super::turn_list::TurnList;
use super::{Defect, Form, Units};
use crate::scheduler::TaskId;
use crate::strategy::Promise;
use crate::time::Nanos;

/// Runs just enough tasks of a list in each update to run every task once per interval.
#[derive(Clone, Debug)]
pub struct FixedInterval {
    items: TurnList,
    interval: f64,
    accumulator: f64,
}

impl FixedInterval {
    /// Runs each task once per `interval`.
    #[must_use]
    pub fn new(interval: Nanos) -> Self {
        Self {
            items: TurnList::new(),
            interval: interval.as_secs_f64(),
            accumulator: 0.0,
        }
    }

    /// Changes the interval.
    pub fn set_interval(&mut self, interval: Nanos) {
        self.interval = interval.as_secs_f64();
    }
}

impl Form for FixedInterval {
    fn insert(&mut self, unit: TaskId) {
        self.items.insert(unit);
    }

    fn remove(&mut self, unit: TaskId) {
        self.items.remove(unit);
    }

    fn update<U: Units>(&mut self, delta: Nanos, units: &mut U) {
        let count = self.items.len() as f64;
        let per_update = count / self.interval * delta.as_secs_f64();
        // At most all tasks in one frame.
        self.accumulator = (self.accumulator + per_update).min(count);
        let runs = self.accumulator as usize;
        for _ in 0..runs {
            units.update(self.items.next());
        }
        self.accumulator -= runs as f64;
    }

    fn promise(&self) -> Promise {
        Promise::Interval(Nanos::from_secs_f64(self.interval))
    }

    fn defect(&self) -> Option<Defect> {
        Some(self.items.defect())
    }
}
