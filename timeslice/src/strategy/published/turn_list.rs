//! The list of the article on spreading updates: tasks in the order of their birth, and the index of the last turn.

use crate::scheduler::TaskId;

/// Tasks that take turns in the order of a list. Removing a task does not correct the index of the last turn.
#[derive(Clone, Debug, Default)]
pub(super) struct TurnList {
    items: Vec<TaskId>,
    index: usize,
}

impl TurnList {
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn insert(&mut self, unit: TaskId) {
        self.items.push(unit);
    }

    pub(super) fn remove(&mut self, unit: TaskId) {
        self.items.retain(|&item| item != unit);
    }

    /// Returns the next task in turn. The list must not be empty.
    pub(super) fn next(&mut self) -> TaskId {
        // Modulo first, because removals may have left the list shorter than the index.
        self.index = (self.index + 1) % self.items.len();
        self.items[self.index]
    }
}
