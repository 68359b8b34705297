//! The collection of all living tasks, with the time of each task's last run.

use crate::time::{GameTime, Nanos};

/// The id of a task. Ids are never reused.
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
    /// The position of the task in the vector `live`, if it is alive.
    position: u32,
    state: SlotState,
}

impl Slot {
    /// A slot without a living task.
    fn empty(generation: u32) -> Self {
        Self {
            generation,
            position: 0,
            state: SlotState::DEAD,
        }
    }
}

/// The state of a task in a single number: the time of its last run, or the index of its cohort, or
/// [`SlotState::DEAD`].
///
/// A task in a cohort needs no time of its own, because its last run is that of the cohort. Numbers below
/// [`SlotState::FIRST_COHORT`] are times in nanoseconds, and the numbers from there on are the indices of cohorts. A
/// time becomes that large only after 584 years.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SlotState(u64);

impl SlotState {
    const DEAD: Self = Self(u64::MAX);
    /// The state of a task in the cohort at index 0 of `Tasks::shared_runs`.
    const FIRST_COHORT: Self = Self(u64::MAX - u32::MAX as u64);

    /// Returns the state of a task that is not in a cohort. `time` is the time of its last run, or of its birth.
    fn ran_at(time: GameTime) -> Self {
        Self(time.min(Tasks::LATEST_RUN).since_start().as_nanos())
    }

    fn in_cohort(shared_run: usize) -> Self {
        Self(Self::FIRST_COHORT.0 + shared_run as u64)
    }

    /// Returns the time of the last run if the task is alive and not in a cohort.
    fn time(self) -> Option<GameTime> {
        (self < Self::FIRST_COHORT).then(|| GameTime::at(Nanos::from_nanos(self.0)))
    }

    /// Returns the index of the task's cohort in `Tasks::shared_runs`, if it is alive and in a cohort.
    fn cohort(self) -> Option<usize> {
        let index = self.0.checked_sub(Self::FIRST_COHORT.0)?;
        (self != Self::DEAD).then_some(index as usize)
    }
}

/// The time at which all tasks of a cohort last ran together.
#[derive(Clone, Copy, Debug)]
struct SharedRun {
    /// The id of the [`Cohort`], or 0 if this entry is unused.
    id: u64,
    last_run: GameTime,
    members: usize,
}

/// A group of tasks that always run in the same updates, so that the time of their last run is stored only once.
/// [`UpdateContext::run_cohort`](super::UpdateContext::run_cohort) runs the tasks. Call [`Cohort::forget`] when a task
/// joins or leaves the group.
#[derive(Clone, Debug, Default)]
pub struct Cohort {
    /// The index of the cohort's entry in `Tasks::shared_runs`.
    shared_run: usize,
    /// The id of the cohort's entry in `Tasks::shared_runs`, or 0 if there is no entry yet.
    id: u64,
    /// The number of births and deaths before the whole cohort last ran. `None` if the cohort has changed since then,
    /// or has never run.
    population: Option<u64>,
    /// The number of tasks that were handled before the update was stopped, or 0 if all tasks were handled.
    pub(super) next: usize,
}

impl Cohort {
    /// Returns the number of tasks that were handled before the update was stopped, or 0 if all tasks were handled.
    pub fn turns_taken(&self) -> usize {
        self.next
    }

    /// Must be called when a task has joined or left the cohort. After that, the times of runs are recorded separately
    /// for each task, until all tasks have run in two updates and no task was born or died in between.
    pub fn forget(&mut self) {
        self.population = None;
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
    /// The number of births and deaths so far.
    population: u64,
    shared_runs: Vec<SharedRun>,
    free_shared_runs: Vec<usize>,
    next_id: u64,
}

impl Tasks {
    /// The latest time at which a run can be recorded, 584 years after the start. Later runs count as runs at this
    /// time.
    pub(super) const LATEST_RUN: GameTime =
        GameTime::at(Nanos::from_nanos(SlotState::FIRST_COHORT.0 - 1));

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
        slot.state = SlotState::ran_at(now);
        slot.position = self.live.len() as u32;
        self.live.push(index);
        self.population += 1;
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
        let state = std::mem::replace(&mut slot.state, SlotState::DEAD);
        let position = slot.position as usize;
        // If all generations of an index are used up, the index is not freed, because no id may be reused.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(task.index);
        }
        if let Some(shared_run) = state.cohort() {
            self.leave(shared_run);
        }
        self.live.swap_remove(position);
        if let Some(&moved) = self.live.get(position) {
            self.slots[moved as usize].position = position as u32;
        }
        self.population += 1;
        self.used[task.index as usize / 64] &= !(1 << (task.index % 64));
        while self.used.last() == Some(&0) {
            self.used.pop();
        }
        true
    }

    /// Returns true if `task` is alive.
    pub fn contains(&self, task: TaskId) -> bool {
        self.slots
            .get(task.index as usize)
            .is_some_and(|slot| slot.generation == task.generation && slot.state != SlotState::DEAD)
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
        if slot.generation != task.generation {
            return None;
        }
        let shared_run = || Some(self.shared_runs[slot.state.cohort()?].last_run);
        slot.state.time().or_else(shared_run)
    }

    /// Returns the living task with this index, or `None` if there is none.
    pub fn at(&self, index: u32) -> Option<TaskId> {
        let slot = self.slots.get(index as usize)?;
        (slot.state != SlotState::DEAD).then_some(TaskId {
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

    /// Records a run of `task` at game time `now`. Returns the time since the task's previous run, or since its birth
    /// if this is its first run. Returns `None` if the task is dead.
    #[inline]
    pub fn ran(&mut self, task: TaskId, now: GameTime) -> Option<Nanos> {
        let slot = self.slots.get_mut(task.index as usize)?;
        if slot.generation != task.generation {
            return None;
        }
        let Some(last_run) = slot.state.time() else {
            return self.ran_apart(task, now);
        };
        slot.state = SlotState::ran_at(now);
        Some(now - last_run)
    }

    /// Records a run of a task that is in a cohort, and takes the task out of its cohort. Returns the time since the
    /// task's previous run, or `None` if the task is dead.
    #[cold]
    fn ran_apart(&mut self, task: TaskId, now: GameTime) -> Option<Nanos> {
        let slot = &mut self.slots[task.index as usize];
        let shared_run = slot.state.cohort()?;
        slot.state = SlotState::ran_at(now);
        let last_run = self.shared_runs[shared_run].last_run;
        self.leave(shared_run);
        Some(now - last_run)
    }

    /// Returns the number of births and deaths so far.
    pub(super) fn population(&self) -> u64 {
        self.population
    }

    /// Returns the time since all tasks of a cohort last ran together. Their number is `count`. Returns `None` if a
    /// task may have died since then, or may have run separately.
    pub(super) fn elapsed_of(&self, cohort: &Cohort, count: usize, now: GameTime) -> Option<Nanos> {
        let shared_run = self.shared_runs.get(cohort.shared_run)?;
        let is_known = shared_run.id == cohort.id && shared_run.members == count;
        let is_known = is_known && cohort.population == Some(self.population);
        is_known.then(|| now - shared_run.last_run)
    }

    /// Records that all tasks of a cohort have run together at game time `now`. Call this only if [`Tasks::elapsed_of`]
    /// has returned a time.
    pub(super) fn ran_together(&mut self, cohort: &Cohort, now: GameTime) {
        let shared_run = &mut self.shared_runs[cohort.shared_run];
        // The id differs if all tasks of the cohort have died while they ran.
        if shared_run.id == cohort.id {
            shared_run.last_run = now;
        }
    }

    /// Turns `tasks` into a cohort if no task has been born or has died since the previous call. Call this after each
    /// update that has run all of `tasks` one by one.
    pub(super) fn ran_one_by_one(&mut self, cohort: &mut Cohort, tasks: &[TaskId], now: GameTime) {
        if cohort.population.replace(self.population) != Some(self.population) {
            return;
        }
        self.next_id += 1;
        cohort.id = self.next_id;
        let shared_run = SharedRun {
            id: cohort.id,
            last_run: now,
            members: tasks.len(),
        };
        cohort.shared_run = if let Some(free) = self.free_shared_runs.pop() {
            self.shared_runs[free] = shared_run;
            free
        } else {
            self.shared_runs.push(shared_run);
            self.shared_runs.len() - 1
        };
        for task in tasks {
            self.slots[task.index as usize].state = SlotState::in_cohort(cohort.shared_run);
        }
    }

    /// Removes one task from the cohort with the index `place`. If the cohort has no tasks left, its entry can be
    /// reused.
    fn leave(&mut self, place: usize) {
        let shared_run = &mut self.shared_runs[place];
        shared_run.members -= 1;
        if shared_run.members == 0 {
            shared_run.id = 0;
            self.free_shared_runs.push(place);
        }
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

    #[test]
    fn entries_of_former_cohorts_are_reused() {
        let mut tasks = Tasks::new();
        let all: Vec<TaskId> = (0..4).map(|_| tasks.insert(GameTime::START)).collect();
        for round in 0..10 {
            let [separate, together] = [1000, 3000].map(|millis| at(round * 5000 + millis));
            let mut cohort = Cohort::default();
            for _ in 0..2 {
                for &task in &all {
                    tasks.ran(task, separate);
                }
                tasks.ran_one_by_one(&mut cohort, &all, separate);
            }
            assert_eq!(tasks.elapsed_of(&cohort, 3, separate), None);
            let elapsed = tasks.elapsed_of(&cohort, 4, together);
            assert_eq!(elapsed, Some(Nanos::from_secs(2)));
            tasks.ran_together(&cohort, together);
            assert_eq!(tasks.last_run(all[0]), Some(together));
        }
        assert!(tasks.shared_runs.len() <= 2, "{}", tasks.shared_runs.len());
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
