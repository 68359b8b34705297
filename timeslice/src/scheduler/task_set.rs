//! Tasks in a list, for strategies that run all of them.

use super::TaskId;

/// A list of tasks without gaps, in the order of insertion until one is removed: the last task then takes its place. For
/// strategies that run all tasks in one update, in any order; for turns there is [`super::Ring`].
///
/// Insert and remove take constant time.
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
    /// The place of each task in the list, by task index; [`NOWHERE`] if it has none.
    places: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl TaskSet {
    /// Starts empty.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// All tasks in the list.
    #[must_use]
    pub fn tasks(&self) -> &[TaskId] {
        &self.tasks
    }

    /// Adds a task. Changes nothing if its index is in the list already.
    pub fn insert(&mut self, task: TaskId) {
        let index = task.index as usize;
        if index >= self.places.len() {
            self.places.resize(index + 1, NOWHERE);
        }
        if self.places[index] == NOWHERE {
            self.places[index] = self.tasks.len() as u32;
            self.tasks.push(task);
        }
    }

    /// Removes a task. Changes nothing if it is not in the list.
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
    fn tasks_keep_their_order_until_the_last_one_fills_a_gap() {
        let mut roster = TaskSet::new();
        (0..4).for_each(|index| roster.insert(TaskId::of(index)));
        assert_eq!(roster.tasks(), [0, 1, 2, 3].map(TaskId::of));
        roster.remove(TaskId::of(1));
        assert_eq!(roster.tasks(), [0, 3, 2].map(TaskId::of));
    }

    #[test]
    fn a_stranger_in_a_known_ones_place_is_not_that_one() {
        let mut roster = TaskSet::new();
        roster.insert(TaskId::of(0));
        let stranger = TaskId {
            index: 0,
            generation: 1,
        };
        roster.remove(stranger);
        assert_eq!(roster.tasks(), [TaskId::of(0)]);
    }

    proptest! {
        #[test]
        fn it_holds_what_a_set_holds(steps in prop::collection::vec((any::<bool>(), 0u32..12), 1..200)) {
            let mut roster = TaskSet::new();
            let mut set = BTreeSet::new();
            for (comes, index) in steps {
                if comes {
                    roster.insert(TaskId::of(index));
                    set.insert(TaskId::of(index));
                } else {
                    roster.remove(TaskId::of(index));
                    set.remove(&TaskId::of(index));
                }
                prop_assert_eq!(roster.tasks().len(), set.len());
                prop_assert_eq!(&roster.tasks().iter().copied().collect::<BTreeSet<_>>(), &set);
            }
        }
    }
}
