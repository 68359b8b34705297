//! A queue in which each task waits at most once.

use super::TaskId;
use std::collections::VecDeque;

/// First come, first served, and each task at most once: the unique queue of the timeslice-update snippet, which pairs a
/// queue with a hash set. Here each task index has a ticket instead, the task's place in the queue: there is no hashing,
/// and a dead task leaves the queue from anywhere.
///
/// Each operation takes constant time. Removal from elsewhere than the front does so on average: the gaps are cleared
/// when they are more than half of the queue.
///
/// ```
/// use timeslice::scheduler::{Tasks, UniqueQueue};
/// use timeslice::time::GameTime;
///
/// let mut tasks = Tasks::new();
/// let [a, b, c] = [(); 3].map(|()| tasks.insert(GameTime::START));
/// let mut queue = UniqueQueue::new();
/// assert!(queue.push(c) && queue.push(a) && queue.push(b));
/// assert!(!queue.push(c)); // waits already
/// queue.remove(a);
/// assert_eq!(queue.pop(), Some(c));
/// assert_eq!(queue.front(), Some(b));
/// ```
#[derive(Clone, Debug, Default)]
pub struct UniqueQueue {
    /// The waiting tasks, and [`TaskId::NONE`] in the places of removed ones; the first place always has a task.
    queue: VecDeque<TaskId>,
    /// By task index: the ticket of its place; zero if it does not wait.
    tickets: Vec<u64>,
    /// Number of places that have left the front of the queue.
    past: u64,
    len: usize,
}

impl UniqueQueue {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of waiting tasks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if no task waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// True if `task` waits.
    #[must_use]
    pub fn contains(&self, task: TaskId) -> bool {
        self.place(task).is_some()
    }

    /// The task that has waited longest.
    #[must_use]
    pub fn front(&self) -> Option<TaskId> {
        self.queue.front().copied()
    }

    /// Adds `task` at the end. Returns false, and changes nothing, if its index waits already.
    pub fn push(&mut self, task: TaskId) -> bool {
        let index = task.index as usize;
        if index >= self.tickets.len() {
            self.tickets.resize(index + 1, 0);
        }
        let ticket = &mut self.tickets[index];
        if *ticket != 0 {
            return false;
        }
        self.queue.push_back(task);
        *ticket = self.past + self.queue.len() as u64;
        self.len += 1;
        true
    }

    /// Removes the task that has waited longest.
    pub fn pop(&mut self) -> Option<TaskId> {
        let task = self.queue.pop_front()?;
        self.past += 1;
        self.tickets[task.index as usize] = 0;
        self.len -= 1;
        self.begin_with_a_task();
        Some(task)
    }

    /// The waiting tasks, in order: each leaves the queue when the iterator returns it.
    pub fn drain(&mut self) -> impl Iterator<Item = TaskId> {
        std::iter::from_fn(|| self.pop())
    }

    /// Removes `task`, wherever it is. Returns false if it does not wait.
    pub fn remove(&mut self, task: TaskId) -> bool {
        let Some(place) = self.place(task) else {
            return false;
        };
        self.queue[place] = TaskId::NONE;
        self.tickets[task.index as usize] = 0;
        self.len -= 1;
        self.begin_with_a_task();
        if self.queue.len() > 2 * self.len + 32 {
            self.queue.retain(|&task| task != TaskId::NONE);
            for (ticket, task) in (self.past + 1..).zip(&self.queue) {
                self.tickets[task.index as usize] = ticket;
            }
        }
        true
    }

    fn place(&self, task: TaskId) -> Option<usize> {
        let ticket = *self.tickets.get(task.index as usize)?;
        let place = ticket.checked_sub(self.past + 1)? as usize;
        (self.queue.get(place) == Some(&task)).then_some(place)
    }

    fn begin_with_a_task(&mut self) {
        while self.queue.front() == Some(&TaskId::NONE) {
            self.queue.pop_front();
            self.past += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    #[test]
    fn a_duplicate_keeps_its_first_place() {
        let mut queue = UniqueQueue::new();
        assert!(queue.push(TaskId::of(1)));
        assert!(queue.push(TaskId::of(2)));
        assert!(!queue.push(TaskId::of(1)));
        assert_eq!(queue.len(), 2);
        assert_eq!(queue.pop(), Some(TaskId::of(1)));
        assert_eq!(queue.pop(), Some(TaskId::of(2)));
        assert_eq!(queue.pop(), None);
    }

    #[test]
    fn one_that_has_left_may_join_again() {
        let mut queue = UniqueQueue::new();
        queue.push(TaskId::of(1));
        assert_eq!(queue.pop(), Some(TaskId::of(1)));
        assert!(queue.push(TaskId::of(1)));
        assert!(queue.contains(TaskId::of(1)));
    }

    #[test]
    fn what_those_leave_behind_who_leave_is_cleared_away() {
        let mut queue = UniqueQueue::new();
        queue.push(TaskId::of(0));
        for index in (1..10_000).map(|index| index % 7 + 1) {
            queue.push(TaskId::of(index));
            queue.remove(TaskId::of(index));
        }
        assert!(queue.queue.len() < 100, "{}", queue.queue.len());
        queue.push(TaskId::of(9));
        assert_eq!(
            queue.drain().collect::<Vec<_>>(),
            [TaskId::of(0), TaskId::of(9)]
        );
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
                        let joined = queue.push(TaskId::of(index));
                        prop_assert_eq!(joined, !list.contains(&index));
                        if joined { list.push_back(index); }
                    }
                    1 => {
                        let left = queue.remove(TaskId::of(index));
                        prop_assert_eq!(left, list.contains(&index));
                        list.retain(|&waiting| waiting != index);
                    }
                    _ => prop_assert_eq!(queue.pop(), list.pop_front().map(TaskId::of)),
                }
                prop_assert_eq!(queue.len(), list.len());
                prop_assert_eq!(queue.front(), list.front().copied().map(TaskId::of));
            }
        }
    }
}
