//! The list of the article on spreading updates: tasks in the order of their birth, and the index of the last turn.

use super::Defect;
use crate::scheduler::TaskId;

/// Tasks that take turns in the order of a list.
///
/// To remove a task moves all later ones towards the front, but not the index of the last turn. So the task that was
/// next may take the place of the last one, and its turn is skipped.
#[derive(Clone, Debug)]
pub(super) struct TurnList {
    items: Vec<TaskId>,
    index: usize,
    /// Index of the task that is next if removals are corrected. Past the end means the first task.
    next: usize,
    skipped: u64,
}

impl TurnList {
    pub(super) fn new() -> Self {
        Self {
            items: Vec::new(),
            index: 0,
            next: 1,
            skipped: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn insert(&mut self, unit: TaskId) {
        self.items.push(unit);
    }

    pub(super) fn remove(&mut self, unit: TaskId) {
        let Some(place) = self.items.iter().position(|&item| item == unit) else {
            return;
        };
        self.items.remove(place);
        self.next -= usize::from(place < self.next);
    }

    /// Returns the next task in turn. The list must not be empty.
    pub(super) fn next(&mut self) -> TaskId {
        // No removal moves the index, so it is never behind.
        let skipped = (self.index + 1 - self.next) % self.items.len();
        self.skipped += skipped as u64;
        // Modulo first, because removals may have left the list shorter than the index.
        self.index = (self.index + 1) % self.items.len();
        self.next = self.index + 1;
        self.items[self.index]
    }

    pub(super) fn defect(&self) -> Defect {
        Defect {
            before: "the published cursor skipped",
            count: self.skipped,
            thing: "turn",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduler::Tasks;
    use crate::time::GameTime;

    fn list(count: usize) -> (TurnList, Vec<TaskId>) {
        let (mut list, mut tasks) = (TurnList::new(), Tasks::new());
        let all: Vec<TaskId> = (0..count).map(|_| tasks.insert(GameTime::START)).collect();
        for &task in &all {
            list.insert(task);
        }
        (list, all)
    }

    fn turns(list: &mut TurnList, count: usize) -> Vec<u32> {
        (0..count).map(|_| list.next().index).collect()
    }

    #[test]
    fn removals_up_to_the_last_turn_skip_a_turn_each() {
        let (mut list, all) = list(10);
        assert_eq!(turns(&mut list, 4), [1, 2, 3, 4]);
        for (removed, next, skipped) in [(4, 6, 1), (9, 7, 1), (0, 1, 2)] {
            list.remove(all[removed]);
            assert_eq!(turns(&mut list, 1), [next]);
            assert_eq!(list.defect().count, skipped, "after task {removed}");
        }
    }

    #[test]
    fn turns_skipped_at_the_end_of_the_list_count() {
        let (mut list, all) = list(10);
        assert_eq!(turns(&mut list, 9).last(), Some(&9));
        list.remove(all[3]);
        list.remove(all[5]);
        assert_eq!(turns(&mut list, 2), [2, 4]);
        assert_eq!(list.defect().count, 2); // of tasks 0 and 1
    }

    #[test]
    fn removals_without_a_turn_in_between_add_up() {
        let (mut list, all) = list(8);
        assert_eq!(turns(&mut list, 3), [1, 2, 3]);
        (0..4).for_each(|task| list.remove(all[task]));
        assert_eq!(turns(&mut list, 1), [4]); // the index has wrapped around to the right task
        assert_eq!(list.defect().count, 0);
        (5..8).for_each(|task| list.remove(all[task]));
        assert_eq!(turns(&mut list, 2), [4, 4]);
        list.remove(all[4]);
        assert_eq!(list.len(), 0);
        assert_eq!(list.defect().count, 0);
    }
}
