//! The timeslice-update snippet: runs its unique queue until the time slice is over, and reads the clock before and
//! after each task.

use super::unique_queue::UniqueQueue;
use super::{Form, Units};
use crate::scheduler::TaskId;
use crate::time::Nanos;

/// Runs requested tasks from a unique queue until the time slice is over.
#[derive(Clone, Debug)]
pub struct TimeBudget {
    max_timeslice: Nanos,
    queue: UniqueQueue,
}

impl TimeBudget {
    /// Runs tasks for `max_timeslice` in each update.
    #[must_use]
    pub fn new(max_timeslice: Nanos) -> Self {
        Self {
            max_timeslice,
            queue: UniqueQueue::default(),
        }
    }
}

impl Form for TimeBudget {
    fn insert(&mut self, _unit: TaskId) {}

    fn remove(&mut self, unit: TaskId) {
        self.queue.remove(unit);
    }

    fn request(&mut self, unit: TaskId) {
        self.queue.enqueue(unit);
    }

    fn update<U: Units>(&mut self, _delta: Nanos, units: &mut U) {
        let mut elapsed = Nanos::ZERO;
        while self.queue.len() > 0 {
            let start = units.realtime();
            if let Some(unit) = self.queue.dequeue() {
                units.update(unit);
            }
            elapsed += units.realtime() - start;
            if elapsed >= self.max_timeslice {
                break;
            }
        }
    }

    fn backlog(&self) -> usize {
        self.queue.len()
    }
}
