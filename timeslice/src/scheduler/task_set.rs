//! A set of tasks, for strategies that run all of them.

use super::TaskId;

/// A set of tasks in contiguous memory, for strategies that run all tasks in any order. If tasks take turns, use
/// [`super::Ring`].
///
/// Inserting and removing take constant time. The tasks are in insertion order until the first removal. Each removal
/// moves the last task into the gap.
///
/// ```
/// use timeslice::scheduler::{TaskSet, Tasks};
/// use timeslice::time::GameTime;
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
    tasks: Vec<TaskId>,
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

    /// Adds `task`. Does nothing if a task with the same index is already in the set.
    pub fn insert(&mut self, task: TaskId) {
        let place = task.entry_in(&mut self.places, NOWHERE);
        if *place == NOWHERE {
            *place = self.tasks.len() as u32;
            self.tasks.push(task);
        }
    }

    /// Removes `task`. Does nothing if it is not in the set.
    pub fn remove(&mut self, task: TaskId) {
        let Some(place) = self.places.get_mut(task.index as usize) else {
            return;
        };
        let at = *place as usize;
        if self.tasks.get(at) != Some(&task) {
            return;
        }
        *place = NOWHERE;
        self.tasks.swap_remove(at);
        if let Some(moved) = self.tasks.get(at) {
            self.places[moved.index as usize] = at as u32;
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
