//! The timeslice-update snippet: runs its unique queue until the time slice is over, and reads the clock before and
//! after each task.

use super::unique_queue::UniqueQueue;
use super::{Defect, Form, Units};
use crate::scheduler::TaskId;
use crate::strategy::Promise;
use crate::time::Nanos;

/// Runs requested tasks from a unique queue until the time slice is over.
#[derive(Clone, Debug)]
pub struct TimeBudget {
    max_timeslice: Nanos,
    queue: UniqueQueue,
    readings: u64,
}

impl TimeBudget {
    /// Runs tasks for `max_timeslice` in each update.
    #[must_use]
    pub fn new(max_timeslice: Nanos) -> Self {
        Self {
            max_timeslice,
            queue: UniqueQueue::default(),
            readings: 0,
        }
    }

    /// Changes the time slice.
    pub fn set_max_timeslice(&mut self, max_timeslice: Nanos) {
        self.max_timeslice = max_timeslice;
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
            self.readings += 2;
            if elapsed >= self.max_timeslice {
                break;
            }
        }
    }

    fn backlog(&self) -> usize {
        self.queue.len()
    }

    fn promise(&self) -> Promise {
        Promise::Request {
            updates: self.queue.len().max(1),
        }
    }

    fn budget(&self) -> Option<Nanos> {
        Some(self.max_timeslice)
    }

    fn defect(&self) -> Option<Defect> {
        Some(Defect {
            before: "the published loop read the clock",
            count: self.readings,
            thing: "time",
        })
    }
}
