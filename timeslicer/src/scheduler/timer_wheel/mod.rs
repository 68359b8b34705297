//! A priority queue of tasks, ordered by their keys. It is fast if the key of a new task is usually larger than the
//! keys that have already been removed.

mod slots;

use super::TaskId;
use slots::{Entry, SHORT, Slots};

/// A priority queue that holds each task at most once. Tasks are ordered by a key, which can be the time at which the
/// task is due, in nanoseconds, or any other number.
///
/// Tasks leave in the order of their keys. Tasks with equal keys leave in the order of their indices. The queue is fast
/// if keys mostly grow, so that tasks join behind the tasks that leave. Then joining, leaving and moving take amortized
/// constant time. (A task that joins is written to memory about once for every six bits in which the keys differ.)
/// Memory is mostly accessed in sequence, so an operation on a million tasks takes little longer than on a thousand.
/// Adding a smaller key is possible, but slower.
///
/// # Algorithm
///
/// This is a hierarchical timer wheel ("Hashed and hierarchical timing wheels", Varghese and Lauck, 1987) that sorts
/// small slots instead of stepping through time, like a radix heap. Entries wait unsorted in the slots of several
/// levels. An entry's level is the position of the highest digit in which its key differs from the current time. When a
/// slot is reached, it is sorted if it has few entries; otherwise, its entries are split among the slots of the levels
/// below. Task indices are the last digits of the keys, so entries with equal keys are split, too. When a task leaves
/// or moves, its old entry stays behind as a stale entry. Stale entries are skipped later, or deleted when they
/// outnumber the tasks.
///
/// ```
/// use timeslicer::scheduler::{Tasks, TimerWheel};
/// use timeslicer::time::GameTime;
///
/// let mut tasks = Tasks::new();
/// let [a, b, c] = [(); 3].map(|()| tasks.insert(GameTime::START));
/// let mut wheel = TimerWheel::default();
/// wheel.push(a, 300);
/// wheel.push(b, 100);
/// wheel.push(c, 200);
/// wheel.push(b, 400); // moves b
/// assert_eq!(wheel.pop_until(250), Some((c, 200)));
/// assert_eq!(wheel.pop_until(250), None);
/// assert_eq!(wheel.pop(), Some((a, 300)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct TimerWheel {
    /// The entries with the smallest keys, in reverse order, so that the first entry can be popped from the end of the
    /// vector.
    front: Vec<Entry>,
    /// Entries whose [`Entry::order`] is at most this number belong in `front`. All other entries are in `slots`. This
    /// number is never lower than [`Slots::base`].
    front_end: u128,
    slots: Slots,
    /// The ticket of each task, indexed by [`TaskId::index`].
    tickets: Vec<Ticket>,
    len: usize,
    /// The number of entries, including outdated ones.
    entries: usize,
}

/// The current key of a task, and a number that shows which of the task's entries are outdated.
#[derive(Clone, Copy, Debug, Default)]
struct Ticket {
    key: u64,
    generation: u32,
    /// A number that changes whenever the task gets a new key. An entry of the task is outdated if its stamp differs
    /// from this number.
    stamp: u16,
    is_queued: bool,
}

/// The maximum length of `front`. If it becomes longer, the entries with the largest keys are moved to the slots.
const LONGEST_FRONT: usize = 2 * SHORT;
/// The outdated entries are deleted when they outnumber the tasks by more than this.
const FEW: usize = 64;

impl TimerWheel {
    /// Returns the number of tasks in the queue.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the queue is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the key of `task`, or `None` if the task is not in the queue.
    pub fn key(&self, task: TaskId) -> Option<u64> {
        let ticket = self.tickets.get(task.index as usize)?;
        (ticket.is_queued && ticket.generation == task.generation).then_some(ticket.key)
    }

    /// Returns true if `task` is in the queue.
    pub fn contains(&self, task: TaskId) -> bool {
        self.key(task).is_some()
    }

    /// Adds `task` with this key, or changes its key if it is already in the queue. If an earlier task with the same
    /// index is in the queue, `task` replaces that task.
    #[inline]
    pub fn push(&mut self, task: TaskId, key: u64) {
        let ticket = task.entry_in(&mut self.tickets, Ticket::default());
        let was_queued = std::mem::replace(&mut ticket.is_queued, true);
        ticket.generation = task.generation;
        if was_queued && ticket.key == key {
            return;
        }
        ticket.key = key;
        ticket.stamp = ticket.stamp.wrapping_add(1);
        let (index, stamp) = (task.index, ticket.stamp);
        self.len += usize::from(!was_queued);
        self.insert(Entry { key, index, stamp });
    }

    /// Removes `task`. Returns false if the task is not in the queue.
    pub fn remove(&mut self, task: TaskId) -> bool {
        let is_member = self.contains(task);
        if is_member {
            self.leave(task.index);
            self.limit_stale_entries();
        }
        is_member
    }

    /// Removes the task with the smallest key. Returns the task and its key, or `None` if the queue is empty.
    #[inline]
    pub fn pop(&mut self) -> Option<(TaskId, u64)> {
        self.pop_until(u64::MAX)
    }

    /// Removes the task with the smallest key if this key is at most `limit`. Returns the task and its key, or `None`
    /// if no task was removed.
    #[inline]
    pub fn pop_until(&mut self, limit: u64) -> Option<(TaskId, u64)> {
        loop {
            while let Some(&entry) = self.front.last() {
                if entry.key > limit {
                    return None;
                }
                self.front.pop();
                self.entries -= 1;
                if let Some(task) = self.task_of(entry) {
                    self.leave(entry.index);
                    self.limit_stale_entries();
                    return Some((task, entry.key));
                }
            }
            if !self.refill_front(limit) {
                return None;
            }
        }
    }

    fn leave(&mut self, index: u32) {
        self.tickets[index as usize].is_queued = false;
        self.len -= 1;
    }

    /// Returns the task that an entry belongs to, or `None` if the entry is outdated.
    fn task_of(&self, entry: Entry) -> Option<TaskId> {
        let ticket = self.tickets[entry.index as usize];
        is_valid(ticket, entry).then_some(TaskId {
            index: entry.index,
            generation: ticket.generation,
        })
    }

    fn insert(&mut self, entry: Entry) {
        self.entries += 1;
        let order = entry.order();
        if order > self.front_end {
            self.slots.insert(entry);
        } else {
            let at = self.front.partition_point(|other| other.order() > order);
            self.front.insert(at, entry);
            if self.front.len() > LONGEST_FRONT {
                self.shorten_front();
            }
        }
        self.limit_stale_entries();
    }

    /// Moves the entries with the largest keys from `front` back to the slots.
    #[cold]
    fn shorten_front(&mut self) {
        let moved = self.front.len() - SHORT / 2;
        self.front_end = self.front[moved].order();
        if self.front_end < self.slots.base() {
            self.slots.lower_base(self.front_end);
        }
        for entry in self.front.drain(..moved) {
            self.slots.insert(entry);
        }
    }

    /// Moves the entries of the first nonempty slot to `front`, which must be empty. Then drops the outdated entries
    /// and sorts the others. If the result is false, no entries are left, or all remaining entries have keys greater
    /// than `limit`.
    fn refill_front(&mut self, limit: u64) -> bool {
        let taken = self.slots.take_first(limit, &mut self.front);
        if taken {
            let entries = self.front.len();
            let tickets = &self.tickets;
            self.front
                .retain(|&entry| is_valid(tickets[entry.index as usize], entry));
            self.entries -= entries - self.front.len();
            self.front
                .sort_unstable_by_key(|entry| std::cmp::Reverse(entry.rank()));
        }
        let last = self.front.first().map_or(0, |entry| entry.order());
        self.front_end = self.front_end.max(self.slots.base()).max(last);
        taken
    }

    /// Deletes the outdated entries if there are too many of them.
    #[inline]
    fn limit_stale_entries(&mut self) {
        if self.entries > 2 * self.len + FEW {
            self.delete_stale_entries();
        }
    }

    #[cold]
    fn delete_stale_entries(&mut self) {
        let tickets = &self.tickets;
        let mut kept = 0;
        let mut is_kept = |entry: Entry| {
            let is_kept = is_valid(tickets[entry.index as usize], entry);
            kept += usize::from(is_kept);
            is_kept
        };
        self.front.retain(|&entry| is_kept(entry));
        self.slots.retain(is_kept);
        self.entries = kept;
    }
}

fn is_valid(ticket: Ticket, entry: Entry) -> bool {
    // Stamps repeat after 65,536 moves. An old entry that passes this test does no harm, because its key is right.
    ticket.is_queued && ticket.key == entry.key && ticket.stamp == entry.stamp
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn of(index: u32, generation: u32) -> TaskId {
        TaskId { index, generation }
    }

    #[test]
    fn a_million_tasks_can_join_in_falling_order() {
        let mut wheel = TimerWheel::default();
        wheel.push(TaskId::of(0), u64::MAX);
        wheel.pop_until(0);
        for index in 1..1_000_000 {
            wheel.push(TaskId::of(index), u64::MAX - u64::from(index) * 1_000_003);
        }
        for index in (0..1_000_000).rev() {
            assert_eq!(wheel.pop().unwrap().0.index, index);
        }
    }

    #[test]
    fn a_million_tasks_can_have_the_same_key() {
        let mut wheel = TimerWheel::default();
        for (first, key) in [(0, 0), (10, 10), (10, 3)] {
            // After the pop, the other tasks join in front of the slots.
            wheel.push(TaskId::of(1_000_000), first);
            wheel.push(TaskId::of(1_000_001), first);
            wheel.pop();
            for index in 0..1_000_000 {
                wheel.push(TaskId::of(index), key);
            }
            assert_eq!(wheel.len(), 1_000_001);
            while wheel.pop().is_some() {}
        }
    }

    #[test]
    fn a_newborn_replaces_the_task_with_its_index() {
        let mut wheel = TimerWheel::default();
        wheel.push(of(3, 0), 10);
        wheel.push(of(3, 1), 10);
        assert!(!wheel.contains(of(3, 0)));
        assert!(!wheel.remove(of(3, 0)));
        assert_eq!((wheel.len(), wheel.key(of(3, 1))), (1, Some(10)));
        wheel.push(of(3, 2), 20);
        assert_eq!(wheel.pop(), Some((of(3, 2), 20)));
        assert_eq!(wheel.pop(), None);
        assert!(wheel.is_empty());
    }

    #[test]
    fn a_task_leaves_once_even_if_its_stamps_repeat() {
        let mut wheel = TimerWheel::default();
        let (task, others) = (TaskId::of(0), 40_000); // so many that no outdated entry is deleted
        for index in 1..=others {
            wheel.push(TaskId::of(index), 1_000_000);
        }
        wheel.push(task, 5);
        for key in 1..=u64::from(u16::MAX) {
            wheel.push(task, 100 + key);
        }
        wheel.push(task, 5); // with the same stamp as the first entry
        assert_eq!(wheel.pop(), Some((task, 5)));
        assert_eq!(wheel.pop_until(999_999), None);
        wheel.push(task, 5);
        assert!(wheel.remove(task));
        assert_eq!(wheel.pop(), Some((TaskId::of(1), 1_000_000)));
        assert_eq!(wheel.len(), others as usize - 1);
    }

    #[derive(Clone, Debug)]
    enum Step {
        Push(u32, u64),
        /// Pushes several tasks: their number, the first key, and the difference between two keys.
        Many(u32, u64, u64),
        /// Pushes a task at this distance after the last popped key.
        Later(u32, u64),
        Remove(u32),
        Pop(usize),
        PopUntil(u64),
    }

    fn any_key() -> impl Strategy<Value = u64> {
        prop_oneof![
            0..5u64,
            0..100_000u64,
            any::<u64>(),
            (0..64u32).prop_map(|shift| 1 << shift),
            (0..3u64).prop_map(|less| u64::MAX - less),
        ]
    }

    fn any_step() -> impl Strategy<Value = Step> {
        let task = || 0..300u32;
        prop_oneof![
            3 => (task(), any_key()).prop_map(|(task, key)| Step::Push(task, key)),
            1 => (task(), any_key(), 0..3u64).prop_map(|(n, key, gap)| Step::Many(n, key, gap)),
            3 => (task(), 0..1_000_000u64).prop_map(|(task, later)| Step::Later(task, later)),
            1 => task().prop_map(Step::Remove),
            2 => (0..90usize).prop_map(Step::Pop),
            2 => any_key().prop_map(Step::PopUntil),
        ]
    }

    proptest! {
        #[test]
        fn it_behaves_like_a_sorted_map(steps in prop::collection::vec(any_step(), 1..120)) {
            let mut wheel = TimerWheel::default();
            // Keys by task index, and tasks in the order of the queue.
            let mut keys: BTreeMap<u32, u64> = BTreeMap::new();
            let mut order: BTreeSet<(u64, u32)> = BTreeSet::new();
            let mut present = 0u64;
            for step in steps {
                let mut pushes = Vec::new();
                match step {
                    Step::Push(task, key) => pushes.push((task, key)),
                    Step::Many(count, key, gap) => pushes.extend(
                        (0..count).map(|at| (at, key.saturating_add(gap * u64::from(at)))),
                    ),
                    Step::Later(task, later) => pushes.push((task, present.saturating_add(later))),
                    Step::Remove(task) => {
                        let key = keys.remove(&task);
                        prop_assert_eq!(wheel.remove(TaskId::of(task)), key.is_some());
                        if let Some(key) = key { order.remove(&(key, task)); }
                    }
                    Step::Pop(count) => for _ in 0..count {
                        let first = order.pop_first().map(|(key, task)| (TaskId::of(task), key));
                        prop_assert_eq!(wheel.pop(), first);
                        let Some((task, key)) = first else { break };
                        keys.remove(&task.index);
                        present = key;
                    },
                    Step::PopUntil(limit) => loop {
                        let first = order.first().copied();
                        let first = first.filter(|&(key, _)| key <= limit);
                        let expected = first.map(|(key, task)| (TaskId::of(task), key));
                        prop_assert_eq!(wheel.pop_until(limit), expected);
                        let Some((key, task)) = first else { break };
                        order.pop_first();
                        keys.remove(&task);
                        present = key;
                    },
                }
                for (task, key) in pushes {
                    wheel.push(TaskId::of(task), key);
                    if let Some(old) = keys.insert(task, key) { order.remove(&(old, task)); }
                    order.insert((key, task));
                }
                prop_assert_eq!(wheel.len(), keys.len());
                prop_assert!(wheel.entries <= 2 * wheel.len() + FEW);
                for task in 0..300 {
                    prop_assert_eq!(wheel.key(TaskId::of(task)), keys.get(&task).copied());
                }
            }
        }
    }
}
