#[cfg(feature = "serde")]
use super::Saved;
use super::{TaskId, saved_fields};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A priority queue that holds each task at most once. Tasks are ordered by a key, which can be the time at which the
/// task is due, in nanoseconds, or any other number.
///
/// Tasks leave in the order of their keys. Tasks with equal keys leave in the order of their indices.
///
/// This is a radix heap: the entries that come next are sorted, and the others wait in buckets. Buckets farther away cover
/// larger ranges of keys. When no sorted entries are left, the entries of the first bucket are
/// sorted, or distributed among smaller buckets if there are many. As long as most tasks are added with keys above those
/// that have left, this is much faster than one large heap, because it reads memory in order.
///
/// When a task is removed or gets another key, its old entry stays where it is, and is skipped later. When the old
/// entries outnumber the tasks, all of them are deleted.
///
/// Source: Ahuja, Mehlhorn, Orlin and Tarjan, "Faster Algorithms for the Shortest Path Problem" (1990).
///
/// ```
/// use timeslicer::scheduler::{PriorityQueue, Tasks};
/// use timeslicer::time::GameTime;
///
/// let mut tasks = Tasks::new();
/// let [a, b, c] = [(); 3].map(|()| tasks.insert(GameTime::START));
/// let mut queue = PriorityQueue::default();
/// queue.push(a, 300);
/// queue.push(b, 100);
/// queue.push(c, 200);
/// queue.push(b, 400); // moves b
/// assert_eq!(queue.pop_until(250), Some((c, 200)));
/// assert_eq!(queue.pop_until(250), None);
/// assert_eq!(queue.pop(), Some((a, 300)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct PriorityQueue {
    /// The entries that come next, whose keys are at most `last`. The entry with the smallest key is at the end.
    next: Vec<Entry>,
    last: u64,
    /// The entries whose keys were already at most `last` when they were added, so that no bucket fits.
    late: BinaryHeap<Reverse<Entry>>,
    /// All entries with keys above `last`. There is a bucket for each digit position and each digit value: in bucket
    /// `place * DIGITS + value`, keys have the digit `value` at position `place`, and all higher digits equal `last`'s.
    buckets: Vec<Vec<Entry>>,
    /// The number of entries, including outdated ones.
    entries: usize,
    /// The current entry of each task, indexed by [`TaskId::index`], or [`NO_ENTRY`] if no task with this index is in
    /// the queue.
    current: Vec<Entry>,
    len: usize,
}

/// Entries are sorted by key, and then by task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    key: u64,
    task: TaskId,
}

const NO_ENTRY: Entry = Entry {
    key: 0,
    task: TaskId::NONE,
};

/// The outdated entries are deleted when they outnumber the tasks by more than this.
const FEW: usize = 64;

/// Keys are numbers in base 32. The larger the base is, the fewer buckets an entry goes through before it leaves.
const DIGITS: u64 = 1 << DIGIT_BITS;
const DIGIT_BITS: u32 = 5;

/// A bucket with no more entries than this is sorted as a whole. The limit is lower in tests, because they have few
/// tasks.
const SMALL: usize = if cfg!(test) { 16 } else { 512 };

impl PriorityQueue {
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
        let current = self.current.get(task.index as usize)?;
        (current.task == task).then_some(current.key)
    }

    /// Returns true if `task` is in the queue.
    pub fn contains(&self, task: TaskId) -> bool {
        self.key(task).is_some()
    }

    /// Adds `task` with this key, or changes its key if it is already in the queue. If an earlier task with the same
    /// index is in the queue, `task` replaces that task.
    pub fn push(&mut self, task: TaskId, key: u64) {
        let entry = Entry { key, task };
        let former = std::mem::replace(task.entry_in(&mut self.current, NO_ENTRY), entry);
        if former != entry {
            self.len += usize::from(former == NO_ENTRY);
            self.add(entry);
            self.entries += 1;
            self.limit_outdated_entries();
        }
    }

    /// Removes `task`. Returns false if the task is not in the queue.
    pub fn remove(&mut self, task: TaskId) -> bool {
        let is_member = self.contains(task);
        if is_member {
            self.leave(task);
        }
        is_member
    }

    /// Removes the task with the smallest key. Returns the task and its key, or `None` if the queue is empty.
    pub fn pop(&mut self) -> Option<(TaskId, u64)> {
        self.pop_until(u64::MAX)
    }

    /// Removes the task with the smallest key if this key is at most `limit`. Returns the task and its key, or `None`
    /// if no task was removed.
    pub fn pop_until(&mut self, limit: u64) -> Option<(TaskId, u64)> {
        loop {
            while self.next.is_empty() && self.late.is_empty() {
                self.empty_first_bucket()?;
            }
            if self.late.len() > SMALL + self.next.len() {
                // Sorting all late entries takes less time than popping them one by one from a large heap.
                let late = self.late.drain().map(|Reverse(entry)| entry);
                self.next.extend(late);
                self.next.sort_unstable_by(|one, other| other.cmp(one));
            }
            let next = self.next.last().copied();
            let late = self.late.peek().map(|&Reverse(entry)| entry);
            let is_late = late.is_some_and(|late| next.is_none_or(|next| late < next));
            let entry = if is_late { late? } else { next? };
            if entry.key > limit {
                return None;
            }
            if is_late {
                self.late.pop();
            } else {
                self.next.pop();
            }
            self.entries -= 1;
            // If a task has been given the same key twice, it may have two equal entries. Only the first one counts.
            if self.key(entry.task) == Some(entry.key) {
                self.leave(entry.task);
                return Some((entry.task, entry.key));
            }
        }
    }

    fn add(&mut self, entry: Entry) {
        if entry.key <= self.last {
            self.late.push(Reverse(entry));
            return;
        }
        // Find the most significant digit in which the key differs from `last`.
        let place = (entry.key ^ self.last).ilog2() / DIGIT_BITS;
        let digit = (entry.key >> (place * DIGIT_BITS)) % DIGITS;
        let bucket = (u64::from(place) * DIGITS + digit) as usize;
        if bucket >= self.buckets.len() {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        self.buckets[bucket].push(entry);
    }

    /// Empties the first bucket that is not empty: sorts its entries into `next`, or distributes them among earlier
    /// buckets if there are many. Returns `None` if all buckets are empty.
    fn empty_first_bucket(&mut self) -> Option<()> {
        let first = self.buckets.iter().position(|it| !it.is_empty())?;
        let mut entries = std::mem::take(&mut self.buckets[first]);
        if entries.len() <= SMALL {
            entries.sort_unstable_by(|one, other| other.cmp(one));
            self.last = entries.first()?.key;
            self.next.append(&mut entries);
        } else {
            self.last = entries.iter().map(|entry| entry.key).min()?;
            for entry in entries.drain(..) {
                self.add(entry);
            }
        }
        if entries.capacity() <= 4 * SMALL {
            self.buckets[first] = entries; // it is empty now, and its memory is used again
        }
        Some(())
    }

    fn leave(&mut self, task: TaskId) {
        self.current[task.index as usize] = NO_ENTRY;
        self.len -= 1;
        self.limit_outdated_entries();
    }

    /// Deletes the outdated entries if there are too many of them.
    fn limit_outdated_entries(&mut self) {
        if self.entries > 2 * self.len + FEW {
            let current = &self.current;
            let is_current = |entry: &Entry| current[entry.task.index as usize] == *entry;
            self.next.retain(is_current);
            self.late.retain(|Reverse(entry)| is_current(entry));
            self.entries = self.next.len() + self.late.len();
            for bucket in &mut self.buckets {
                bucket.retain(is_current);
                self.entries += bucket.len();
            }
        }
    }
}

saved_fields! { Entry { task, key } }

/// Saves the tasks with their keys, which determine their order.
#[cfg(feature = "serde")]
impl Saved for PriorityQueue {
    fn save_to(&self, numbers: &mut Vec<u64>) {
        let entries = self.current.iter().filter(|&&entry| entry != NO_ENTRY);
        entries.copied().collect::<Vec<_>>().save_to(numbers);
    }

    fn load_from(&mut self, numbers: &mut &[u64]) -> Option<()> {
        let mut entries: Vec<Entry> = Vec::new();
        entries.load_from(numbers)?;
        *self = Self::default();
        for Entry { task, key } in entries {
            self.push(task, key);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn any_key() -> impl Strategy<Value = u64> {
        prop_oneof![0..5u64, 0..100_000u64, any::<u64>(), Just(u64::MAX)]
    }

    proptest! {
        #[test]
        fn it_behaves_like_a_sorted_map(
            steps in prop::collection::vec((0u8..11, 0..300u32, 0..2u32, any_key()), 1..600)
        ) {
            let mut queue = PriorityQueue::default();
            // Tasks and keys by task index, and tasks in the order of the queue.
            let mut keys: BTreeMap<u32, (TaskId, u64)> = BTreeMap::new();
            let mut order: BTreeSet<(u64, TaskId)> = BTreeSet::new();
            for (step, index, generation, key) in steps {
                let task = TaskId { index, generation };
                match step {
                    0..6 => {
                        queue.push(task, key);
                        if let Some((former, old)) = keys.insert(task.index, (task, key)) {
                            order.remove(&(old, former)); // also if it is an earlier task with this index
                        }
                        order.insert((key, task));
                    }
                    6 => {
                        let key = keys.get(&task.index).filter(|entry| entry.0 == task).map(|entry| entry.1);
                        prop_assert_eq!(queue.key(task), key);
                        prop_assert_eq!(queue.remove(task), key.is_some());
                        if let Some(key) = key {
                            keys.remove(&task.index);
                            order.remove(&(key, task));
                        }
                    }
                    _ => {
                        let first = order.first().copied().filter(|first| first.0 <= key);
                        prop_assert_eq!(queue.pop_until(key), first.map(|(key, task)| (task, key)));
                        if let Some((key, task)) = first {
                            order.remove(&(key, task));
                            keys.remove(&task.index);
                        }
                    }
                }
                prop_assert_eq!(queue.len(), keys.len());
                prop_assert!(queue.entries <= 2 * queue.len() + FEW);
                let buckets = queue.buckets.iter().map(Vec::len);
                let others = queue.next.len() + queue.late.len();
                prop_assert_eq!(queue.entries, others + buckets.sum::<usize>());
            }
        }
    }
}
