//! A set of tasks, for strategies that run all of them.

use super::{Cohort, TaskId};

/// A set of tasks in contiguous memory, for strategies that run all tasks in any order
/// ([`UpdateContext::run_set`](super::UpdateContext::run_set)). If tasks take turns, use [`super::Ring`].
///
/// Inserting and removing take constant time. The tasks are in insertion order until the first removal. Each removal
/// moves the last task into the gap. While a round is unfinished, the tasks that have run in it come first, and new
/// tasks join them.
///
/// ```
/// use timeslicer::scheduler::{TaskSet, Tasks};
/// use timeslicer::time::GameTime;
///
/// let mut tasks = Tasks::new();
/// let [a, b, c] = [(); 3].map(|()| tasks.insert(GameTime::START));
/// let mut all = TaskSet::new();
/// for task in [a, b, c] {
///     all.insert(task);
/// }
/// all.remove(a);
/// assert_eq!(all.tasks(), [c, b]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct TaskSet {
    pub(super) tasks: Vec<TaskId>,
    pub(super) cohort: Cohort,
    /// Position of each task in `tasks`, by task index; [`NOWHERE`] if the task is not in the set.
    places: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl TaskSet {
    /// Creates an empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns all tasks.
    #[must_use]
    pub fn tasks(&self) -> &[TaskId] {
        &self.tasks
    }

    /// Returns the number of tasks that have not run in the current round; all if no round is unfinished.
    #[must_use]
    pub fn left_in_round(&self) -> usize {
        self.tasks.len() - self.cohort.next
    }

    /// Adds `task`. Does nothing if a task with the same index is already in the set.
    pub fn insert(&mut self, task: TaskId) {
        let place = task.entry_in(&mut self.places, NOWHERE);
        if *place == NOWHERE {
            *place = self.tasks.len() as u32;
            self.tasks.push(task);
            self.cohort.forget();
            if self.cohort.next > 0 {
                // The newcomer runs in the next round. Otherwise, births could prolong this round for ever.
                let (first, last) = (self.cohort.next, self.tasks.len() - 1);
                self.tasks.swap(first, last);
                self.note_place(first);
                self.note_place(last);
                self.cohort.next += 1;
            }
        }
    }

    /// Removes `task`. Does nothing if it is not in the set.
    pub fn remove(&mut self, task: TaskId) {
        let Some(&place) = self.places.get(task.index as usize) else {
            return;
        };
        let mut gap = place as usize;
        if self.tasks.get(gap) != Some(&task) {
            return;
        }
        self.cohort.forget();
        if gap < self.cohort.next {
            // A task that has run in this round fills the gap, so that the last task does not miss its turn.
            self.cohort.next -= 1;
            self.tasks.swap(gap, self.cohort.next);
            self.note_place(gap);
            gap = self.cohort.next;
        }
        self.tasks.swap_remove(gap);
        self.note_place(gap);
        self.places[task.index as usize] = NOWHERE;
    }

    /// Updates the stored position of the task at `place`, if there is one.
    fn note_place(&mut self, place: usize) {
        if let Some(moved) = self.tasks.get(place) {
            self.places[moved.index as usize] = place as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn removal_moves_the_last_task_into_the_gap() {
        let mut set = TaskSet::new();
        (0..4).for_each(|index| set.insert(TaskId::of(index)));
        assert_eq!(set.tasks(), [0, 1, 2, 3].map(TaskId::of));
        set.remove(TaskId::of(1));
        assert_eq!(set.tasks(), [0, 3, 2].map(TaskId::of));
    }

    #[test]
    fn removal_in_a_round_moves_no_task_past_its_turn() {
        let mut set = TaskSet::new();
        (0..6).for_each(|index| set.insert(TaskId::of(index)));
        set.cohort.next = 3; // 0, 1 and 2 have run
        set.remove(TaskId::of(0));
        assert_eq!(set.tasks(), [2, 1, 5, 3, 4].map(TaskId::of));
        assert_eq!(set.left_in_round(), 3);
        set.remove(TaskId::of(1)); // the last task that has run
        assert_eq!(set.tasks(), [2, 4, 5, 3].map(TaskId::of));
        assert_eq!(set.left_in_round(), 3);
        set.remove(TaskId::of(5)); // has not run
        assert_eq!(set.tasks(), [2, 4, 3].map(TaskId::of));
        assert_eq!(set.left_in_round(), 2);
        set.insert(TaskId::of(7)); // waits for the next round
        assert_eq!(set.tasks(), [2, 7, 3, 4].map(TaskId::of));
        assert_eq!(set.left_in_round(), 2);
        for index in [1, 7, 3, 4, 2] {
            set.remove(TaskId::of(index)); // task 1 is no longer in the set
        }
        assert_eq!((set.tasks().len(), set.left_in_round()), (0, 0));
    }

    #[test]
    fn remove_ignores_another_generation() {
        let mut set = TaskSet::new();
        set.insert(TaskId::of(0));
        let successor = TaskId {
            index: 0,
            generation: 1,
        };
        set.remove(successor);
        assert_eq!(set.tasks(), [TaskId::of(0)]);
    }

    proptest! {
        #[test]
        fn it_behaves_like_a_btree_set(steps in prop::collection::vec((any::<bool>(), 0u32..12), 1..200)) {
            let mut set = TaskSet::new();
            let mut model = BTreeSet::new();
            for (is_insertion, index) in steps {
                if is_insertion {
                    set.insert(TaskId::of(index));
                    model.insert(TaskId::of(index));
                } else {
                    set.remove(TaskId::of(index));
                    model.remove(&TaskId::of(index));
                }
                prop_assert_eq!(set.tasks().len(), model.len());
                prop_assert_eq!(&set.tasks().iter().copied().collect::<BTreeSet<_>>(), &model);
            }
        }
    }
}
