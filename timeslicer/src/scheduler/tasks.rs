use crate::time::{GameTime, Nanos};

/// The id of a task. Ids are never reused. Each [`Timeslicer`](crate::Timeslicer) has ids of its own, so an NPC that has
/// tasks in several of them has several ids.
///
/// Indices are small and dense, so a strategy can store its data about tasks in a vector that is indexed by `index`.
/// After a task has died, a new task may get the same index, but its `generation` is higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TaskId {
    /// The index of the task in vectors that hold data about tasks.
    pub index: u32,
    /// The number of earlier tasks with the same index.
    pub generation: u32,
}

/// The default is an id that no task ever has.
impl Default for TaskId {
    fn default() -> Self {
        Self::NONE
    }
}

impl TaskId {
    /// An id that no task ever has.
    pub(crate) const NONE: Self = Self {
        index: u32::MAX,
        generation: u32::MAX,
    };

    /// Returns the element for this task in a vector that is indexed by [`TaskId::index`]. If the vector is too short,
    /// it is first extended with copies of `empty`.
    pub fn entry_in<T: Clone>(self, entries: &mut Vec<T>, empty: T) -> &mut T {
        let index = self.index as usize;
        if index >= entries.len() {
            entries.resize(index + 1, empty);
        }
        &mut entries[index]
    }

    /// Returns the id of the first task that has this index.
    #[cfg(test)]
    pub(crate) fn of(index: u32) -> Self {
        Self {
            index,
            generation: 0,
        }
    }
}

/// The data about a task that is needed for every run, birth and death. It is small because an update reads the data of
/// many tasks.
#[derive(Clone, Copy, Debug)]
struct Slot {
    generation: u32,
    /// The position of the task in the vector `live`, or [`DEAD`] if there is no living task with this index.
    position: u32,
    /// The time of the task's last run, or of its birth if it has never run.
    last_run: GameTime,
}

const DEAD: u32 = u32::MAX;

impl Slot {
    /// A slot without a living task.
    fn empty(generation: u32) -> Self {
        Self {
            generation,
            position: DEAD,
            last_run: GameTime::START,
        }
    }

    /// Returns true if `task` is alive and has this slot.
    fn is_of(self, task: TaskId) -> bool {
        self.generation == task.generation && self.position != DEAD
    }
}

/// All living tasks, each with the time of its last run.
///
/// Adding a task, removing a task, looking up a task and picking a random task take constant time.
///
/// ```
/// use timeslicer::scheduler::Tasks;
/// use timeslicer::time::{GameTime, Nanos};
///
/// let mut tasks = Tasks::new();
/// let guard = tasks.insert(GameTime::START);
/// let now = GameTime::START + Nanos::from_millis(70);
/// assert_eq!(tasks.ran(guard, now), Some(Nanos::from_millis(70)));
///
/// tasks.remove(guard);
/// assert!(!tasks.contains(guard));
/// let other = tasks.insert(now);
/// assert_eq!(other.index, guard.index); // the index is reused, the id is not
/// assert_ne!(other, guard);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    slots: Vec<Slot>,
    free: Vec<u32>,
    live: Vec<u32>,
    /// A bitmap of the indices of living tasks. Its last element is never zero.
    used: Vec<u64>,
}

impl Tasks {
    /// Creates an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a task that is born at game time `now`. The elapsed time of its first run counts from this time.
    pub fn insert(&mut self, now: GameTime) -> TaskId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::empty(0));
            self.slots.len() as u32 - 1
        });
        let slot = &mut self.slots[index as usize];
        slot.last_run = now;
        slot.position = self.live.len() as u32;
        self.live.push(index);
        let (word, bit) = (index as usize / 64, index % 64);
        if word >= self.used.len() {
            self.used.resize(word + 1, 0);
        }
        self.used[word] |= 1 << bit;
        TaskId {
            index,
            generation: slot.generation,
        }
    }

    /// Removes `task`, so that it never runs again. Returns false if the task was already dead.
    pub fn remove(&mut self, task: TaskId) -> bool {
        if !self.contains(task) {
            return false;
        }
        let slot = &mut self.slots[task.index as usize];
        let position = std::mem::replace(&mut slot.position, DEAD) as usize;
        // If all generations of an index are used up, the index is not freed, because no id may be reused.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(task.index);
        }
        self.live.swap_remove(position);
        if let Some(&moved) = self.live.get(position) {
            self.slots[moved as usize].position = position as u32;
        }
        self.used[task.index as usize / 64] &= !(1 << (task.index % 64));
        while self.used.last() == Some(&0) {
            self.used.pop();
        }
        true
    }

    /// Returns true if `task` is alive.
    pub fn contains(&self, task: TaskId) -> bool {
        let slot = self.slots.get(task.index as usize);
        slot.is_some_and(|slot| slot.is_of(task))
    }

    /// Returns the number of living tasks.
    pub fn len(&self) -> usize {
        self.live.len()
    }

    /// Returns true if no task is alive.
    pub fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// Returns the time of the last run of `task`, or the time of its birth if it has never run. Returns `None` if the
    /// task is dead.
    pub fn last_run(&self, task: TaskId) -> Option<GameTime> {
        let slot = self.slots.get(task.index as usize)?;
        slot.is_of(task).then_some(slot.last_run)
    }

    /// Returns the living task with this index, or `None` if there is none.
    pub fn at(&self, index: u32) -> Option<TaskId> {
        let slot = self.slots.get(index as usize)?;
        (slot.position != DEAD).then_some(TaskId {
            index,
            generation: slot.generation,
        })
    }

    /// Returns one of the living tasks, which are numbered from 0 in an arbitrary order. Returns `None` if `nth` is not
    /// less than [`Tasks::len`]. To pick a task at random, pass a random number.
    pub fn nth(&self, nth: usize) -> Option<TaskId> {
        self.live.get(nth).and_then(|&index| self.at(index))
    }

    /// Returns the largest index of a living task plus one, or 0 if no task is alive.
    pub fn end(&self) -> u32 {
        let bits = 64 * self.used.len() as u32;
        self.used
            .last()
            .map_or(0, |last| bits - last.leading_zeros())
    }

    /// Returns the living tasks in index order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = TaskId> {
        (0..self.end()).filter_map(|index| self.at(index))
    }

    /// Returns the living tasks among the next `count` indices. The first of these indices is `next`, which is then
    /// advanced to the index after the last one. After the largest index, this continues at index 0. A strategy that
    /// cannot look at every task in an update uses this to look at a few tasks in each update.
    pub(crate) fn in_rotation(&self, next: &mut u32, count: u64) -> impl Iterator<Item = TaskId> {
        let end = self.end();
        (0..count).filter_map(move |_| {
            if *next >= end {
                *next = 0;
            }
            *next += 1;
            self.at(*next - 1)
        })
    }

    /// Returns the current generation of each index, which is the generation of its living task. If no living task has
    /// the index, this is the generation of the next task that gets it.
    #[cfg(feature = "serde")]
    pub(crate) fn generations(&self) -> impl Iterator<Item = u32> {
        self.slots.iter().map(|slot| slot.generation)
    }

    /// Restores the task with the next index from a snapshot. The task last ran at game time `last_run`. If `last_run`
    /// is `None`, no living task has this index. Returns the id that the task has, or that the next task with this
    /// index gets.
    #[cfg(feature = "serde")]
    pub(crate) fn restore(&mut self, generation: u32, last_run: Option<GameTime>) -> TaskId {
        let index = self.slots.len() as u32;
        self.slots.push(Slot::empty(generation));
        if let Some(last_run) = last_run {
            self.free.push(index);
            self.insert(last_run); // at the index that was freed last
        } else if generation < u32::MAX {
            self.free.push(index);
        }
        TaskId { index, generation }
    }

    /// Returns the free indices. The next newborn task gets the last one.
    #[cfg(feature = "serde")]
    pub(crate) fn free(&self) -> &[u32] {
        &self.free
    }

    /// Restores the order of the free indices, or sorts them if `free` does not contain exactly these indices.
    #[cfg(feature = "serde")]
    pub(crate) fn restore_free(&mut self, free: &[u32]) {
        let mut sorted = free.to_vec();
        sorted.sort_unstable();
        self.free.sort_unstable();
        if self.free == sorted {
            self.free = free.to_vec();
        }
    }

    /// Records a run of `task` at game time `now`. Returns the time since the task's previous run, or since its birth
    /// if this is its first run. Returns `None` if the task is dead.
    #[inline]
    pub fn ran(&mut self, task: TaskId, now: GameTime) -> Option<Nanos> {
        let slot = self.slots.get_mut(task.index as usize)?;
        let is_alive = slot.is_of(task);
        is_alive.then(|| now - std::mem::replace(&mut slot.last_run, now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn at(millis: u64) -> GameTime {
        GameTime::at(Nanos::from_millis(millis))
    }

    #[test]
    fn no_id_is_used_again_when_generations_run_out() {
        let mut tasks = Tasks::new();
        tasks.insert(GameTime::START);
        tasks.slots[0].generation = u32::MAX;
        let last = tasks.at(0).unwrap();
        assert!(tasks.remove(last));
        let next = tasks.insert(GameTime::START);
        assert_eq!((next.index, next.generation), (1, 0));
        assert!(!tasks.contains(last) && !tasks.remove(last) && tasks.len() == 1);
        assert_eq!(tasks.ran(last, at(1)), None);
    }

    proptest! {
        #[test]
        fn they_are_a_map_of_last_runs(steps in prop::collection::vec((0u8..3, 0usize..9), 1..100)) {
            let mut tasks = Tasks::new();
            let mut last_runs: BTreeMap<TaskId, u64> = BTreeMap::new();
            let mut dead = Vec::new();
            for (now, (step, nth)) in (1..).zip(steps) {
                match (step, tasks.nth(nth)) {
                    (0, Some(task)) => {
                        prop_assert!(tasks.remove(task));
                        last_runs.remove(&task);
                        dead.push(task);
                    }
                    (1, Some(task)) => {
                        let last = last_runs.insert(task, now).unwrap();
                        prop_assert_eq!(tasks.ran(task, at(now)), Some(at(now) - at(last)));
                    }
                    (_, None) | (2.., _) => {
                        let task = tasks.insert(at(now));
                        prop_assert_eq!(last_runs.insert(task, now), None);
                    }
                }
                prop_assert!(last_runs.keys().copied().eq(tasks.iter()));
                prop_assert_eq!(tasks.len(), last_runs.len());
                prop_assert_eq!(tasks.end(), last_runs.keys().last().map_or(0, |task| task.index + 1));
                for (&task, &last) in &last_runs {
                    prop_assert_eq!(tasks.last_run(task), Some(at(last)));
                }
                for &task in &dead {
                    prop_assert!(!tasks.contains(task) && tasks.ran(task, at(now)).is_none());
                }
            }
        }
    }
}
