//! A queue in which each task waits at most once.

use super::TaskId;
use std::collections::VecDeque;

/// First come, first served, and each task at most once: the unique queue of the timeslice-update
/// snippet, which pairs a queue with a hash set. Here a ticket stands by task index instead, which tells where in the
/// queue the task stands, so that nothing hashes, and a task that dies leaves the queue from anywhere.
///
/// Each operation takes constant time; where tasks leave from elsewhere than the front that is so on the mean, since
/// what they leave behind is cleared away when it is more than half of the queue.
#[derive(Clone, Debug, Default)]
pub struct UniqueQueue {
    /// Who waits, and [`TaskId::NOBODY`] in the places of those who have left; never in the first.
    queue: VecDeque<TaskId>,
    /// By task index: the ticket of its place; zero where it does not wait.
    tickets: Vec<u64>,
    /// How many places there were in front of the queue's first one.
    past: u64,
    len: usize,
}
impl UniqueQueue {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many tasks wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether `task` waits.
    #[must_use]
    pub fn contains(&self, task: TaskId) -> bool {
        self.place(task).is_some()
    }

    /// The task that has waited longest.
    #[must_use]
    pub fn front(&self) -> Option<TaskId> {
        self.queue.front().copied()
    }

    /// `task` joins the end of the queue. False, and no change, where its index waits already.
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

    /// The task that has waited longest leaves the queue.
    pub fn pop(&mut self) -> Option<TaskId> {
        let task = self.queue.pop_front()?;
        self.past += 1;
        self.tickets[task.index as usize] = 0;
        self.len -= 1;
        self.begin_with_a_task();
        Some(task)
    }

    /// Those that wait, in turn: each leaves the queue when the iterator comes to it.
    pub fn drain(&mut self) -> impl Iterator<Item = TaskId> {
        std::iter::from_fn(|| self.pop())
    }

    /// `task` leaves the queue, wherever it stands. False where it does not wait.
    pub fn remove(&mut self, task: TaskId) -> bool {
        let Some(place) = self.place(task) else {
            return false;
        };
        self.queue[place] = TaskId::NOBODY;
        self.tickets[task.index as usize] = 0;
        self.len -= 1;
        self.begin_with_a_task();
        if self.queue.len() > 2 * self.len + 32 {
            self.queue.retain(|&task| task != TaskId::NOBODY);
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
        while self.queue.front() == Some(&TaskId::NOBODY) {
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
