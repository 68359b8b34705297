//! The tasks that live, and when each last ran.

use crate::time::Nanos;

/// Names one task for as long as it lives, and never another one after it.
///
/// `index` is small and dense, so that strategies keep what they know of a task in a plain vector; it is
/// used again after a task's death, with another `generation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId {
    /// The task's place in vectors.
    pub index: u32,
    /// How many tasks have had that place before.
    pub generation: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    generation: u32,
    /// Where the task stands in `live`, or [`DEAD`].
    position: u32,
    last_run: Nanos,
}

const DEAD: u32 = u32::MAX;

/// All tasks that live, each with the time of its last run. Birth, death, look-up and drawing one at
/// random take constant time.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    slots: Vec<Slot>,
    free: Vec<u32>,
    live: Vec<u32>,
    end: u32,
}

impl Tasks {
    /// No tasks.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A task is born at `now`. Its first elapsed time counts from here.
    pub fn insert(&mut self, now: Nanos) -> TaskId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot {
                generation: 0,
                position: DEAD,
                last_run: now,
            });
            self.slots.len() as u32 - 1
        });
        let slot = &mut self.slots[index as usize];
        slot.position = self.live.len() as u32;
        slot.last_run = now;
        self.live.push(index);
        self.end = self.end.max(index + 1);
        TaskId {
            index,
            generation: slot.generation,
        }
    }

    /// A task dies: from here on it never runs. False where it was dead already.
    pub fn remove(&mut self, task: TaskId) -> bool {
        let Some(slot) = self.live_slot(task) else {
            return false;
        };
        let position = slot.position as usize;
        slot.position = DEAD;
        slot.generation = slot.generation.wrapping_add(1);
        self.live.swap_remove(position);
        if let Some(&moved) = self.live.get(position) {
            self.slots[moved as usize].position = position as u32;
        }
        self.free.push(task.index);
        while self.end > 0 && self.slots[self.end as usize - 1].position == DEAD {
            self.end -= 1;
        }
        true
    }

    /// Whether the task lives.
    #[must_use]
    pub fn contains(&self, task: TaskId) -> bool {
        self.slots
            .get(task.index as usize)
            .is_some_and(|slot| slot.generation == task.generation && slot.position != DEAD)
    }

    /// How many tasks live.
    #[must_use]
    pub fn len(&self) -> usize {
        self.live.len()
    }

    /// Whether no task lives.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// When the task last ran, or was born if it never did; none for a dead one.
    #[must_use]
    pub fn last_run(&self, task: TaskId) -> Option<Nanos> {
        self.contains(task)
            .then(|| self.slots[task.index as usize].last_run)
    }

    /// The task that has `index` now.
    #[must_use]
    pub fn at(&self, index: u32) -> Option<TaskId> {
        let slot = self.slots.get(index as usize)?;
        (slot.position != DEAD).then_some(TaskId {
            index,
            generation: slot.generation,
        })
    }

    /// The `nth` living task of [`Tasks::len`], in no order that means anything: for drawing one at
    /// random.
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

    /// Notes that the task runs now; returns the time since its last run, or none for a dead one.
    pub fn ran(&mut self, task: TaskId, now: Nanos) -> Option<Nanos> {
        let slot = self.live_slot(task)?;
        let elapsed = now - slot.last_run;
        slot.last_run = now;
        Some(elapsed)
    }

    fn live_slot(&mut self, task: TaskId) -> Option<&mut Slot> {
        self.slots
            .get_mut(task.index as usize)
            .filter(|slot| slot.generation == task.generation && slot.position != DEAD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_used_again_but_a_task_never_is() {
        let mut tasks = Tasks::new();
        let first = tasks.insert(Nanos::ZERO);
        assert!(tasks.remove(first));
        let second = tasks.insert(Nanos::ZERO);
        assert_eq!(first.index, second.index);
        assert_ne!(first, second);
        assert!(!tasks.contains(first));
        assert!(!tasks.remove(first), "a dead task cannot die again");
        assert!(tasks.contains(second));
    }

    #[test]
    fn elapsed_counts_from_birth_and_then_from_the_last_run() {
        let mut tasks = Tasks::new();
        let task = tasks.insert(Nanos::from_millis(30));
        assert_eq!(
            tasks.ran(task, Nanos::from_millis(100)),
            Some(Nanos::from_millis(70))
        );
        assert_eq!(
            tasks.ran(task, Nanos::from_millis(105)),
            Some(Nanos::from_millis(5))
        );
        tasks.remove(task);
        assert_eq!(tasks.ran(task, Nanos::from_millis(110)), None);
    }

    #[test]
    fn every_living_task_can_be_drawn_and_no_dead_one() {
        let mut tasks = Tasks::new();
        let all: Vec<TaskId> = (0..5).map(|_| tasks.insert(Nanos::ZERO)).collect();
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
        let all: Vec<TaskId> = (0..4).map(|_| tasks.insert(Nanos::ZERO)).collect();
        tasks.remove(all[2]);
        assert_eq!(tasks.end(), 4);
        tasks.remove(all[3]);
        assert_eq!(tasks.end(), 2);
        assert_eq!(
            tasks.insert(Nanos::ZERO).index,
            3,
            "the place that was left last"
        );
        assert_eq!(tasks.end(), 4);
    }
}
