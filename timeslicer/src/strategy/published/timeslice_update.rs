//! "Sweet Snippet: Timeslice Update" by tkokof (in Chinese): a list of requests, and a unique queue that runs until the
//! time slice is over.

use super::{Defect, Form, Units};
use crate::scheduler::TaskId;
use crate::strategy::Promise;
use crate::time::Nanos;
use std::collections::{HashSet, VecDeque};

/// The starting point: runs every requested task once, in the next update. Each request searches the list of requests.
#[derive(Clone, Debug, Default)]
pub struct RequestList {
    requests: Vec<TaskId>,
    comparisons: u64,
}

impl Form for RequestList {
    fn insert(&mut self, _unit: TaskId) {}

    fn remove(&mut self, unit: TaskId) {
        self.requests.retain(|&request| request != unit);
    }

    fn request(&mut self, unit: TaskId) {
        let found = self.requests.iter().position(|&request| request == unit);
        self.comparisons += found.map_or(self.requests.len(), |place| place + 1) as u64;
        if found.is_none() {
            self.requests.push(unit);
        }
    }

    fn update<U: Units>(&mut self, _delta: Nanos, units: &mut U) {
        for &request in &self.requests {
            units.update(request);
        }
        self.requests.clear();
    }

    fn backlog(&self) -> usize {
        self.requests.len()
    }

    fn promise(&self) -> Promise {
        Promise::Request { updates: 1 }
    }

    fn defect(&self) -> Option<Defect> {
        Some(Defect {
            before: "the published list made",
            count: self.comparisons,
            thing: "comparison",
        })
    }
}

/// Runs requested tasks from a unique queue until the time slice is over, and reads the clock before and after each
/// task.
#[derive(Clone, Debug)]
pub struct TimeBudget {
    max_timeslice: Nanos,
    queue: UniqueQueue,
    readings: u64,
}

impl TimeBudget {
    /// Runs tasks for `max_timeslice` in each update.
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

/// A queue and a hash set of the tasks in it.
#[derive(Clone, Debug, Default)]
struct UniqueQueue {
    queue: VecDeque<TaskId>,
    members: HashSet<TaskId>,
}

impl UniqueQueue {
    fn len(&self) -> usize {
        self.queue.len()
    }

    fn enqueue(&mut self, unit: TaskId) {
        if self.members.insert(unit) {
            self.queue.push_back(unit);
        }
    }

    fn dequeue(&mut self) -> Option<TaskId> {
        let unit = *self.queue.front()?;
        self.members.remove(&unit);
        self.queue.pop_front()
    }

    fn remove(&mut self, unit: TaskId) {
        if self.members.remove(&unit) {
            self.queue.retain(|&waiting| waiting != unit);
        }
    }
}
