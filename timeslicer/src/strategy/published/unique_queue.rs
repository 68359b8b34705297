//! The timeslice-update snippet's unique queue: a queue and a hash set of the tasks in it.

use crate::scheduler::TaskId;
use std::collections::{HashSet, VecDeque};

#[derive(Clone, Debug, Default)]
pub(super) struct UniqueQueue {
    queue: VecDeque<TaskId>,
    members: HashSet<TaskId>,
}

impl UniqueQueue {
    pub(super) fn len(&self) -> usize {
        self.queue.len()
    }

    pub(super) fn enqueue(&mut self, unit: TaskId) -> bool {
        if self.members.contains(&unit) {
            return false;
        }
        self.queue.push_back(unit);
        self.members.insert(unit);
        true
    }

    pub(super) fn dequeue(&mut self) -> Option<TaskId> {
        let unit = *self.queue.front()?;
        self.members.remove(&unit);
        self.queue.pop_front()
    }

    pub(super) fn remove(&mut self, unit: TaskId) {
        if self.members.remove(&unit) {
            self.queue.retain(|&waiting| waiting != unit);
        }
    }
}
