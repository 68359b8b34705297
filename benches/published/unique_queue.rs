//! The timeslice-update snippet's unique queue: a queue and a hash set of the tasks in it.

use std::collections::{HashSet, VecDeque};
use timeslice::scheduler::TaskId;

#[derive(Default)]
pub struct UniqueQueue {
    queue: VecDeque<TaskId>,
    members: HashSet<TaskId>,
}

impl UniqueQueue {
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    pub fn enqueue(&mut self, unit: TaskId) -> bool {
        if self.members.contains(&unit) {
            return false;
        }
        self.queue.push_back(unit);
        self.members.insert(unit);
        true
    }

    pub fn dequeue(&mut self) -> Option<TaskId> {
        let unit = *self.queue.front()?;
        self.members.remove(&unit);
        self.queue.pop_front()
    }

    pub fn remove(&mut self, unit: TaskId) {
        if self.members.remove(&unit) {
            self.queue.retain(|&waiting| waiting != unit);
        }
    }
}
