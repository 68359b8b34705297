//! The living tasks, and when each last ran.

use crate::time::{GameTime, Nanos};

/// Names one task for its life, and no other task afterwards.
///
/// `index` is small and dense, so strategies can keep their data about tasks in a plain vector. It is used again after a
/// task's death, with another `generation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId {
    /// The task's place in vectors.
    pub index: u32,
    /// Number of tasks that had this place before.
    pub generation: u32,
}

impl TaskId {
    /// The name of no task.
    pub(super) const NONE: Self = Self {
        index: u32::MAX,
        generation: u32::MAX,
    };

    /// The first task in a place.
    #[cfg(test)]
    pub(super) fn of(index: u32) -> Self {
        Self {
            index,
            generation: 0,
        }
    }
}

/// The data that a run of a task reads, and no more: many tasks run one after another.
#[derive(Clone, Copy, Debug)]
struct Slot {
    generation: u32,
    /// Its index in `commons`; or [`APART`], or [`DEAD`].
    common: u32,
    /// When it last ran by itself, or was born.
    last_run: GameTime,
}

const APART: u32 = u32::MAX - 1;
const DEAD: u32 = u32::MAX;

/// The last run of tasks that ran together.
#[derive(Clone, Copy, Debug)]
struct Common {
    /// The [`Cohort`] that made it.
    id: u64,
    last_run: GameTime,
    members: usize,
}

/// Tasks that always run in the same updates: see [`super::UpdateContext::run_cohort`]. Its owner calls
/// [`Cohort::forget`] when a member is born or dies.
#[derive(Clone, Debug, Default)]
pub struct Cohort {
    /// Its index in `commons`, and its id there; id 0 is unused.
    common: usize,
    id: u64,
    /// The number of births and deaths in [`Tasks`] at the last run.
    population: Option<u64>,
}

impl Cohort {
    /// Invalidates the cohort after a birth or death: its tasks run one by one until they have run together again.
    pub fn forget(&mut self) {
        self.population = None;
    }
}

/// All living tasks, each with the time of its last run. Birth, death, look-up and picking one at random take constant
/// time.
///
/// ```
/// use timeslice::scheduler::Tasks;
/// use timeslice::time::{GameTime, Nanos};
///
/// let mut tasks = Tasks::new();
/// let guard = tasks.insert(GameTime::START);
/// let now = GameTime::START + Nanos::from_millis(70);
/// assert_eq!(tasks.ran(guard, now), Some(Nanos::from_millis(70)));
///
/// tasks.remove(guard);
/// assert!(!tasks.contains(guard));
/// let other = tasks.insert(now);
/// assert_eq!(other.index, guard.index); // the place is used again, but the name is not
/// assert_ne!(other, guard);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    slots: Vec<Slot>,
    /// The place of each task in `live`.
    positions: Vec<u32>,
    free: Vec<u32>,
    live: Vec<u32>,
    end: u32,
    /// Number of births and deaths so far.
    population: u64,
    commons: Vec<Common>,
    free_commons: Vec<usize>,
    next_id: u64,
}

impl Tasks {
    /// Starts without tasks.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A task is born at `now`. Its first elapsed time counts from here.
    pub fn insert(&mut self, now: GameTime) -> TaskId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot {
                generation: 0,
                common: DEAD,
                last_run: now,
            });
            self.positions.push(0);
            self.slots.len() as u32 - 1
        });
        let slot = &mut self.slots[index as usize];
        slot.common = APART;
        slot.last_run = now;
        self.positions[index as usize] = self.live.len() as u32;
        self.live.push(index);
        self.population += 1;
        self.end = self.end.max(index + 1);
        TaskId {
            index,
            generation: slot.generation,
        }
    }

    /// A task dies: it never runs again. Returns false if it was dead already.
    pub fn remove(&mut self, task: TaskId) -> bool {
        if !self.contains(task) {
            return false;
        }
        let slot = &mut self.slots[task.index as usize];
        let common = std::mem::replace(&mut slot.common, DEAD);
        slot.generation = slot.generation.wrapping_add(1);
        if common != APART {
            self.leave(common);
        }
        let position = self.positions[task.index as usize] as usize;
        self.live.swap_remove(position);
        if let Some(&moved) = self.live.get(position) {
            self.positions[moved as usize] = position as u32;
        }
        self.free.push(task.index);
        self.population += 1;
        while self.end > 0 && self.slots[self.end as usize - 1].common == DEAD {
            self.end -= 1;
        }
        true
    }

    /// True if the task lives.
    #[must_use]
    pub fn contains(&self, task: TaskId) -> bool {
        self.slots
            .get(task.index as usize)
            .is_some_and(|slot| slot.generation == task.generation && slot.common != DEAD)
    }

    /// Number of living tasks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.live.len()
    }

    /// True if no task lives.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// When the task last ran, or was born if it never ran; `None` if it is dead.
    #[must_use]
    pub fn last_run(&self, task: TaskId) -> Option<GameTime> {
        self.contains(task).then(|| {
            let slot = self.slots[task.index as usize];
            let common = self.commons.get(slot.common as usize);
            common.map_or(slot.last_run, |common| slot.last_run.max(common.last_run))
        })
    }

    /// The living task with this index.
    #[must_use]
    pub fn at(&self, index: u32) -> Option<TaskId> {
        let slot = self.slots.get(index as usize)?;
        (slot.common != DEAD).then_some(TaskId {
            index,
            generation: slot.generation,
        })
    }

    /// The `nth` living task of [`Tasks::len`], in an arbitrary order: for picking one at random.
    #[must_use]
    pub fn nth(&self, nth: usize) -> Option<TaskId> {
        self.live.get(nth).and_then(|&index| self.at(index))
    }

    /// One more than the largest index of a living task.
    #[must_use]
    pub fn end(&self) -> u32 {
        self.end
    }

    /// The living tasks by index.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = TaskId> {
        (0..self.end).filter_map(|index| self.at(index))
    }

    /// Notes that the task runs now; returns the time since its last run, or `None` if it is dead.
    #[inline]
    pub fn ran(&mut self, task: TaskId, now: GameTime) -> Option<Nanos> {
        let slot = self.slots.get_mut(task.index as usize)?;
        if slot.generation != task.generation {
            return None;
        }
        if slot.common != APART {
            return self.ran_apart(task, now);
        }
        Some(now - std::mem::replace(&mut slot.last_run, now))
    }

    /// Like `ran`, for a task that ran in a cohort until now, or is dead.
    #[cold]
    fn ran_apart(&mut self, task: TaskId, now: GameTime) -> Option<Nanos> {
        let last_run = self.last_run(task)?;
        let slot = &mut self.slots[task.index as usize];
        slot.last_run = now;
        let common = std::mem::replace(&mut slot.common, APART);
        self.leave(common);
        Some(now - last_run)
    }

    /// Number of births and deaths so far.
    pub(super) fn population(&self) -> u64 {
        self.population
    }

    /// Notes that a cohort of `count` tasks runs now, if all of them are known to live and to have run together last
    /// time. Returns the time since then, which is the same for all of them.
    pub(super) fn ran_as_cohort(
        &mut self,
        cohort: &Cohort,
        count: usize,
        now: GameTime,
    ) -> Option<Nanos> {
        let common = self.commons.get_mut(cohort.common)?;
        let all = common.id == cohort.id && common.members == count;
        if !all || cohort.population != Some(self.population) {
            return None;
        }
        Some(now - std::mem::replace(&mut common.last_run, now))
    }

    /// Call after all of these tasks ran one by one. If they do so twice without a birth or death in between, they are a
    /// cohort from then on.
    pub(super) fn ran_one_by_one(&mut self, cohort: &mut Cohort, tasks: &[TaskId], now: GameTime) {
        if cohort.population.replace(self.population) != Some(self.population) {
            return;
        }
        self.next_id += 1;
        cohort.id = self.next_id;
        let common = Common {
            id: cohort.id,
            last_run: now,
            members: tasks.len(),
        };
        cohort.common = if let Some(free) = self.free_commons.pop() {
            self.commons[free] = common;
            free
        } else {
            self.commons.push(common);
            self.commons.len() - 1
        };
        for task in tasks {
            self.slots[task.index as usize].common = cohort.common as u32;
        }
    }

    fn leave(&mut self, common: u32) {
        let place = common as usize;
        let common = &mut self.commons[place];
        common.members -= 1;
        if common.members == 0 {
            common.id = 0;
            self.free_commons.push(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> GameTime {
        GameTime::at(Nanos::from_millis(millis))
    }

    #[test]
    fn an_index_is_used_again_but_a_task_never_is() {
        let mut tasks = Tasks::new();
        let first = tasks.insert(GameTime::START);
        assert!(tasks.remove(first));
        let second = tasks.insert(GameTime::START);
        assert_eq!(first.index, second.index);
        assert_ne!(first, second);
        assert!(!tasks.contains(first));
        assert!(!tasks.remove(first), "a dead task cannot die again");
        assert!(tasks.contains(second));
    }

    #[test]
    fn elapsed_counts_from_birth_and_then_from_the_last_run() {
        let mut tasks = Tasks::new();
        let task = tasks.insert(at(30));
        assert_eq!(tasks.ran(task, at(100)), Some(Nanos::from_millis(70)));
        assert_eq!(tasks.ran(task, at(105)), Some(Nanos::from_millis(5)));
        tasks.remove(task);
        assert_eq!(tasks.ran(task, at(110)), None);
    }

    #[test]
    fn what_is_not_used_any_more_of_those_together_is_used_again() {
        let mut tasks = Tasks::new();
        let all: Vec<TaskId> = (0..4).map(|_| tasks.insert(GameTime::START)).collect();
        for _ in 0..10 {
            let mut cohort = Cohort::default();
            for _ in 0..2 {
                for &task in &all {
                    tasks.ran(task, at(1000));
                }
                tasks.ran_one_by_one(&mut cohort, &all, at(1000));
            }
            assert_eq!(tasks.ran_as_cohort(&cohort, 3, at(1000)), None);
            assert_eq!(
                tasks.ran_as_cohort(&cohort, 4, at(3000)),
                Some(Nanos::from_secs(2))
            );
            assert_eq!(tasks.last_run(all[0]), Some(at(3000)));
        }
        assert!(tasks.commons.len() <= 2, "{}", tasks.commons.len());
    }

    #[test]
    fn every_living_task_can_be_drawn_and_no_dead_one() {
        let mut tasks = Tasks::new();
        let all: Vec<TaskId> = (0..5).map(|_| tasks.insert(GameTime::START)).collect();
        tasks.remove(all[1]);
        tasks.remove(all[4]);
        let mut drawn: Vec<TaskId> = (0..tasks.len()).filter_map(|nth| tasks.nth(nth)).collect();
        drawn.sort();
        assert_eq!(drawn, [all[0], all[2], all[3]]);
        assert_eq!(tasks.iter().collect::<Vec<_>>(), drawn);
        assert_eq!(tasks.nth(3), None);
    }

    #[test]
    fn the_end_follows_the_last_living_task() {
        let mut tasks = Tasks::new();
        let all: Vec<TaskId> = (0..4).map(|_| tasks.insert(GameTime::START)).collect();
        tasks.remove(all[2]);
        assert_eq!(tasks.end(), 4);
        tasks.remove(all[3]);
        assert_eq!(tasks.end(), 2);
        assert_eq!(
            tasks.insert(GameTime::START).index,
            3,
            "the place that was left last"
        );
        assert_eq!(tasks.end(), 4);
    }
}
