//! A queue in which each task waits at most once.

use super::TaskId;
use super::links::{Links, NONE};

/// First come, first served, and each task at most once: the unique queue of the timeslice-update
/// snippet, which pairs a queue with a hash set. Here the links stand by task index instead, so that no
/// operation hashes or allocates, and a task that dies leaves the queue from anywhere in constant time.
#[derive(Clone, Debug)]
pub struct UniqueQueue {
    links: Links,
    front: u32,
}

impl Default for UniqueQueue {
    fn default() -> Self {
        Self::new()
    }
}

impl UniqueQueue {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self {
            links: Links::default(),
            front: NONE,
        }
    }

    /// How many tasks wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether `task` waits.
    #[must_use]
    pub fn contains(&self, task: TaskId) -> bool {
        self.links.contains(task)
    }

    /// The task that has waited longest.
    #[must_use]
    pub fn front(&self) -> Option<TaskId> {
        (self.front != NONE).then(|| self.links.task(self.front))
    }

    /// Who waits, the one that has waited longest first.
    pub fn iter(&self) -> impl Iterator<Item = TaskId> {
        let mut next = self.front;
        (0..self.len()).map(move |_| {
            let task = self.links.task(next);
            next = self.links.next(next);
            task
        })
    }

    /// `task` joins the end of the queue. False, and no change, where it waits already.
    pub fn push(&mut self, task: TaskId) -> bool {
        let joined = self.links.insert_before(self.front, task);
        if joined && self.front == NONE {
            self.front = task.index;
        }
        joined
    }

    /// The task that has waited longest leaves the queue.
    pub fn pop(&mut self) -> Option<TaskId> {
        let task = self.front()?;
        self.remove(task);
        Some(task)
    }

    /// `task` leaves the queue, wherever it stands. False where it does not wait.
    pub fn remove(&mut self, task: TaskId) -> bool {
        let Some(next) = self.links.unlink(task) else {
            return false;
        };
        if self.front == task.index {
            self.front = next;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    fn task(index: u32) -> TaskId {
        TaskId {
            index,
            generation: 0,
        }
    }

    #[test]
    fn a_duplicate_keeps_its_first_place() {
        let mut queue = UniqueQueue::new();
        assert!(queue.push(task(1)));
        assert!(queue.push(task(2)));
        assert!(!queue.push(task(1)));
        assert_eq!(queue.len(), 2);
        assert_eq!(queue.pop(), Some(task(1)));
        assert_eq!(queue.pop(), Some(task(2)));
        assert_eq!(queue.pop(), None);
    }

    #[test]
    fn one_that_has_left_may_join_again() {
        let mut queue = UniqueQueue::new();
        queue.push(task(1));
        assert_eq!(queue.pop(), Some(task(1)));
        assert!(queue.push(task(1)));
        assert!(queue.contains(task(1)));
    }

    proptest! {
        #[test]
        fn it_does_what_a_plain_list_does(
            steps in prop::collection::vec((0u8..3, 0u32..12), 1..200)
        ) {
            let mut queue = UniqueQueue::new();
            let mut list: VecDeque<u32> = VecDeque::new();
            for (step, index) in steps {
                match step {
                    0 => {
                        let joined = queue.push(task(index));
                        prop_assert_eq!(joined, !list.contains(&index));
                        if joined { list.push_back(index); }
                    }
                    1 => {
                        let left = queue.remove(task(index));
                        prop_assert_eq!(left, list.contains(&index));
                        list.retain(|&waiting| waiting != index);
                    }
                    _ => prop_assert_eq!(queue.pop(), list.pop_front().map(task)),
                }
                prop_assert_eq!(queue.len(), list.len());
                prop_assert_eq!(queue.front(), list.front().copied().map(task));
            }
        }
    }
}
