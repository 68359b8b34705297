//! Two strategies as published in the article "Sweet Snippet: Timeslice Update" by tkokof (in Chinese). The first has a
//! list of requests. The second has a queue without duplicates, and runs its tasks until the time slice is over.

use super::{Defect, all_but, take_turns};
use crate::catalog::knob::KnobValues;
use crate::catalog::strategy::Inspect;
use crate::catalog::strategy::knobs::BUDGET;
use std::collections::{HashSet, VecDeque};
use timeslicer::scheduler::{TaskId, UpdateContext};
use timeslicer::strategy::{Guarantee, Strategy};
use timeslicer::time::Nanos;

/// The first strategy in the article "Sweet Snippet: Timeslice Update". It runs every requested task once, in the next
/// update. Each request searches the list of requests for a duplicate.
///
/// In a list of more than 4,096 requests, the search is only simulated: the strategy looks up the task's position, and
/// counts the comparisons that a search would make. Real searches would take minutes for a million requests in one
/// update.
#[derive(Clone, Debug, Default)]
pub struct RequestList {
    requests: Vec<TaskId>,
    /// For each task index, the position in `requests` at which the task was last seen. The task may no longer be
    /// there.
    positions: Vec<u32>,
    comparisons: u64,
}

/// If a list of requests is longer than this, a search of the list is only simulated.
const LONGEST_SEARCH: usize = 4096;

impl RequestList {
    fn position(&self, task: TaskId) -> Option<usize> {
        if self.requests.len() <= LONGEST_SEARCH {
            return self.requests.iter().position(|&request| request == task);
        }
        let position = *self.positions.get(task.index as usize)? as usize;
        (self.requests.get(position) == Some(&task)).then_some(position)
    }

    /// Stores the position of each request in `positions`, beginning with the request at position `first`.
    fn store_positions(&mut self, first: usize) {
        for (position, task) in self.requests.iter().enumerate().skip(first) {
            *task.entry_in(&mut self.positions, 0) = position as u32;
        }
    }
}

impl Strategy for RequestList {
    fn insert(&mut self, _task: TaskId) {}

    fn remove(&mut self, task: TaskId) {
        self.remove_all(&[task]);
    }

    fn remove_all(&mut self, tasks: &[TaskId]) {
        self.requests.retain(all_but(tasks));
        self.store_positions(0);
    }

    fn request(&mut self, task: TaskId) {
        let found = self.position(task);
        self.comparisons += found.map_or(self.requests.len(), |position| position + 1) as u64;
        if found.is_none() {
            self.requests.push(task);
            self.store_positions(self.requests.len() - 1);
        }
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        take_turns(&mut self.requests, context);
        self.store_positions(0);
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
    /// The requested tasks in order. The article describes a queue without duplicates, which consists of this list and
    /// the hash set `members`.
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
        self.remove_all(&[task]);
    }

    fn remove_all(&mut self, tasks: &[TaskId]) {
        let stays = all_but(tasks);
        self.members.retain(&stays);
        self.queue.retain(stays);
    }

    fn request(&mut self, task: TaskId) {
        if self.members.insert(task) {
            self.queue.push_back(task);
        }
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
            elapsed += context.clock().saturating_since(start);
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

#[cfg(test)]
mod tests {
    use super::*;
    use timeslicer::strategy::testing::TestWorld;

    #[test]
    fn searches_of_a_long_list_are_only_counted() {
        let count = 2 * LONGEST_SEARCH as u64;
        let mut world = TestWorld::new(RequestList::default(), count as usize);
        let mut expected = 0;
        // Each task requests a run, and then each task requests a second one.
        for index in 0..count {
            world.request(index as u32);
            expected += index;
        }
        for index in 0..count {
            world.request(index as u32);
            expected += index + 1;
        }
        assert_eq!(world.strategy.comparisons, expected);
        // The dead task 0 and the three tasks that run leave the list, so task 10 moves to position 6.
        world.death(0);
        world.most_runs = 3;
        world.update(Nanos::from_millis(16));
        world.request(10);
        assert_eq!(world.strategy.comparisons, expected + 7);
        assert_eq!(world.strategy.backlog(), count as usize - 4);
        world.request(1);
        assert_eq!(world.strategy.backlog(), count as usize - 3);
    }
}
