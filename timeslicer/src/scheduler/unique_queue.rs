use super::{TaskId, saved_fields};
use std::collections::VecDeque;

/// A first-in, first-out queue that holds each task at most once. The article "Sweet Snippet: Timeslice Update" calls
/// this a unique queue.
///
/// The article combines a queue with a hash set. Instead, this queue stores for each task index a ticket, which gives
/// the task's position in the queue. Nothing has to be hashed, and a dead task can be removed from the middle of the
/// queue.
///
/// All operations take amortized constant time. A removal leaves a gap in the queue. When there are over 32 more gaps
/// than waiting tasks, all gaps are closed.
///
/// ```
/// use timeslicer::scheduler::{Tasks, UniqueQueue};
/// use timeslicer::time::GameTime;
///
/// let mut tasks = Tasks::new();
/// let [a, b, c] = [(); 3].map(|()| tasks.insert(GameTime::START));
/// let mut queue = UniqueQueue::default();
/// assert!(queue.push(c) && queue.push(a) && queue.push(b));
/// assert!(!queue.push(c)); // already waiting
/// queue.remove(a);
/// assert_eq!(queue.pop(), Some(c));
/// assert_eq!(queue.front(), Some(b));
/// ```
#[derive(Clone, Debug, Default)]
pub struct UniqueQueue {
    /// The waiting tasks in order. Each removed task leaves a gap, which contains [`TaskId::NONE`]. The front of the
    /// queue is never a gap.
    queue: VecDeque<TaskId>,
    /// A number for each task, called its ticket, indexed by [`TaskId::index`]. If the task is waiting, its ticket is
    /// its position in `queue`, plus `past`, plus 1. If the task is not waiting, its ticket is at most `past`. The
    /// ticket of a removed task is 0.
    tickets: Vec<u64>,
    /// The number of tasks and gaps that have left the front of the queue.
    past: u64,
    len: usize,
}

impl UniqueQueue {
    /// Returns the number of waiting tasks.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if no task is waiting.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the task that has waited longest.
    pub fn front(&self) -> Option<TaskId> {
        self.queue.front().copied()
    }

    /// Returns the waiting tasks in order. The task that has waited longest comes first.
    pub fn iter(&self) -> impl Iterator<Item = TaskId> {
        let tasks = self.queue.iter().copied();
        tasks.filter(|&task| task != TaskId::NONE)
    }

    /// Returns the tasks that have waited longest, at most as many as `batch` has room for. The tasks are copied to
    /// `batch` only if they are not stored one after the other.
    pub fn first<'b>(&'b self, batch: &'b mut [TaskId]) -> &'b [TaskId] {
        let (stored, _) = self.queue.as_slices();
        let count = self.len.min(batch.len());
        if self.len == self.queue.len() && stored.len() >= count {
            return &stored[..count];
        }
        for (entry, task) in batch.iter_mut().zip(self.iter()) {
            *entry = task;
        }
        &batch[..count]
    }

    /// Adds `task` at the end. Does nothing and returns false if a task with the same index is already waiting.
    pub fn push(&mut self, task: TaskId) -> bool {
        let ticket = task.entry_in(&mut self.tickets, 0);
        if *ticket > self.past {
            return false;
        }
        self.queue.push_back(task);
        *ticket = self.past + self.queue.len() as u64;
        self.len += 1;
        true
    }

    /// Removes and returns the task that has waited longest.
    pub fn pop(&mut self) -> Option<TaskId> {
        let task = self.queue.pop_front()?;
        self.past += 1;
        self.len -= 1;
        self.drop_leading_gaps();
        Some(task)
    }

    /// Removes the `count` tasks that have waited longest.
    pub fn pop_first(&mut self, count: usize) {
        if self.len == self.queue.len() {
            let count = count.min(self.len);
            self.queue.drain(..count);
            self.past += count as u64;
            self.len -= count;
        } else {
            for _ in 0..count {
                self.pop();
            }
        }
    }

    /// Removes `task` from any position in the queue. Returns false if the task is not waiting.
    pub fn remove(&mut self, task: TaskId) -> bool {
        let Some(place) = self.place(task) else {
            return false;
        };
        self.queue[place] = TaskId::NONE;
        self.tickets[task.index as usize] = 0;
        self.len -= 1;
        self.drop_leading_gaps();
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

    fn drop_leading_gaps(&mut self) {
        while self.queue.front() == Some(&TaskId::NONE) {
            self.queue.pop_front();
            self.past += 1;
        }
    }
}

saved_fields! { UniqueQueue { queue, tickets, past, len } }

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    proptest! {
        #[test]
        fn it_behaves_like_a_plain_list(
            steps in prop::collection::vec((0u8..5, 0u32..12), 1..400)
        ) {
            let mut queue = UniqueQueue::default();
            let mut list: VecDeque<TaskId> = VecDeque::new();
            for (step, number) in steps {
                let task = TaskId::of(number);
                let is_listed = list.contains(&task);
                match step {
                    0 => {
                        prop_assert_eq!(queue.push(task), !is_listed);
                        if !is_listed { list.push_back(task); }
                    }
                    1 => {
                        prop_assert_eq!(queue.remove(task), is_listed);
                        list.retain(|&waiting| waiting != task);
                    }
                    2 => prop_assert_eq!(queue.pop(), list.pop_front()),
                    3 => prop_assert!(queue.iter().eq(list.iter().copied())),
                    _ => {
                        let mut batch = [TaskId::NONE; 5];
                        let first = queue.first(&mut batch).iter().copied();
                        prop_assert!(first.eq(list.iter().copied().take(5)));
                        let count = list.len().min(number as usize % 4);
                        queue.pop_first(count);
                        list.drain(..count);
                    }
                }
                prop_assert!(queue.queue.len() <= 2 * queue.len() + 32, "gaps are cleared");
                prop_assert_eq!(queue.front(), list.front().copied());
                prop_assert_eq!(queue.len(), list.len());
            }
        }
    }
}
