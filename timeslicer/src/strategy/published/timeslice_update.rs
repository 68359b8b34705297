//! Two strategies as published in the article "Sweet Snippet: Timeslice Update" by tkokof (in Chinese). The first has a
//! list of requests. The second has a queue without duplicates, and runs its tasks until the time slice is over.

use super::{Defect, take_turns};
use crate::knob::KnobValues;
use crate::scheduler::{TaskId, UpdateContext};
use crate::strategy::knobs::BUDGET;
use crate::strategy::{Guarantee, Inspect, Strategy};
use crate::time::Nanos;
use std::collections::{HashSet, VecDeque};

/// The first strategy in the article "Sweet Snippet: Timeslice Update". It runs every requested task once, in the next
/// update. Each request searches the list of requests for a duplicate.
#[derive(Clone, Debug, Default)]
pub struct RequestList {
    requests: Vec<TaskId>,
    comparisons: u64,
}

impl Strategy for RequestList {
    fn insert(&mut self, _task: TaskId) {}

    fn remove(&mut self, task: TaskId) {
        self.requests.retain(|&request| request != task);
    }

    fn request(&mut self, task: TaskId) {
        let found = self.requests.iter().position(|&request| request == task);
        self.comparisons += found.map_or(self.requests.len(), |place| place + 1) as u64;
        if found.is_none() {
            self.requests.push(task);
        }
    }

    fn requested(&self) -> Vec<TaskId> {
        self.requests.clone()
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        take_turns(&mut self.requests, context);
    }

    fn backlog(&self) -> usize {
        self.requests.len()
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Request { updates: 1 }
    }
}

impl Inspect for RequestList {
    fn defect(&self) -> Option<Defect> {
        Some(Defect {
            before: "the published list made",
            count: self.comparisons,
            thing: "comparison",
            matches_ours_while: (self.comparisons == 0).then_some("no two requests wait"),
        })
    }
}

/// A strategy that runs requested tasks from a queue until the time slice is over. It reads the clock before and after
/// each task.
#[derive(Clone, Debug)]
pub struct TimeBudget {
    max_timeslice: Nanos,
    /// The requested tasks in order. Together with the hash set `members`, this list is the queue without duplicates
    /// that the article describes.
    queue: VecDeque<TaskId>,
    members: HashSet<TaskId>,
    readings: u64,
}

impl TimeBudget {
    /// Creates a strategy that runs tasks in each update until `max_timeslice` has passed.
    pub fn new(max_timeslice: Nanos) -> Self {
        Self {
            max_timeslice,
            queue: VecDeque::new(),
            members: HashSet::new(),
            readings: 0,
        }
    }
}

impl Strategy for TimeBudget {
    fn insert(&mut self, _task: TaskId) {}

    fn remove(&mut self, task: TaskId) {
        if self.members.remove(&task) {
            self.queue.retain(|&waiting| waiting != task);
        }
    }

    fn request(&mut self, task: TaskId) {
        if self.members.insert(task) {
            self.queue.push_back(task);
        }
    }

    fn requested(&self) -> Vec<TaskId> {
        self.queue.iter().copied().collect()
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let mut elapsed = Nanos::ZERO;
        while let Some(&task) = self.queue.front() {
            let start = context.clock();
            context.run(&[task]);
            if context.is_stopped() {
                break;
            }
            self.queue.pop_front();
            self.members.remove(&task);
            elapsed += context.clock() - start;
            self.readings += 2;
            if elapsed >= self.max_timeslice {
                break;
            }
        }
    }

    fn backlog(&self) -> usize {
        self.queue.len()
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Request {
            updates: self.queue.len().max(1),
        }
    }
}

impl Inspect for TimeBudget {
    fn budget(&self) -> Option<Nanos> {
        Some(self.max_timeslice)
    }

    fn defect(&self) -> Option<Defect> {
        Some(Defect {
            before: "the published loop read the clock",
            count: self.readings,
            thing: "time",
            matches_ours_while: None,
        })
    }

    fn tune(&mut self, knobs: &KnobValues) {
        self.max_timeslice = knobs.span(&BUDGET);
    }
}
