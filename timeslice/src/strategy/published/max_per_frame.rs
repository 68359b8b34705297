//! Max per frame: the second solution of the article on spreading updates.
//!
//! The article describes this solution in words. The list and its index are those of its last solution.

use super::turn_list::TurnList;
use super::{Form, Units};
use crate::scheduler::TaskId;
use crate::time::Nanos;

/// Runs the tasks of a list in turn, a limited number in each update.
#[derive(Clone, Debug)]
pub struct MaxPerFrame {
    items: TurnList,
    max_tasks: usize,
}

impl MaxPerFrame {
    /// Runs at most `max_tasks` tasks in each update.
    #[must_use]
    pub fn new(max_tasks: usize) -> Self {
        Self {
            items: TurnList::default(),
            max_tasks,
        }
    }
}

impl Form for MaxPerFrame {
    fn insert(&mut self, unit: TaskId) {
        self.items.insert(unit);
    }

    fn remove(&mut self, unit: TaskId) {
        self.items.remove(unit);
    }

    fn update<U: Units>(&mut self, _delta: Nanos, units: &mut U) {
        for _ in 0..self.max_tasks.min(self.items.len()) {
            units.update(self.items.next());
        }
    }
}
