//! Last solution of the article on spreading updates: an accumulator.

use super::{Published, Units};
use timeslice::scheduler::TaskId;
use timeslice::time::Nanos;

pub struct FixedInterval {
    items: Vec<TaskId>,
    interval: f64,
    index: usize,
    accumulator: f64,
}

impl FixedInterval {
    pub fn new(interval: Nanos) -> Self {
        Self {
            items: Vec::new(),
            interval: interval.as_secs_f64(),
            index: 0,
            accumulator: 0.0,
        }
    }
}

impl<U: Units> Published<U> for FixedInterval {
    fn insert(&mut self, unit: TaskId) {
        self.items.push(unit);
    }

    fn remove(&mut self, unit: TaskId) {
        self.items.retain(|&item| item != unit);
    }

    fn update(&mut self, delta: Nanos, units: &mut U) {
        let count = self.items.len() as f64;
        let per_update = count / self.interval * delta.as_secs_f64();
        // At most all tasks in one frame.
        self.accumulator = (self.accumulator + per_update).min(count);
        let runs = self.accumulator as usize;
        for _ in 0..runs {
            // Modulo first, because removals may have left the list shorter than the index.
            self.index = (self.index + 1) % self.items.len();
            units.update(self.items[self.index]);
        }
        self.accumulator -= runs as f64;
    }
}
