//! Max per frame: the second solution of the article on spreading updates.
//!
//! The article describes this solution in words. The list and its index are those of its last solution.

use super::turn_list::TurnList;
use super::{Defect, Form, Units};
use crate::scheduler::TaskId;
use crate::strategy::{Pattern, Promise};
use crate::time::Nanos;

/// Runs the tasks of a list in turn, a limited number in each update.
#[derive(Clone, Debug)]
pub struct MaxPerFrame {
    items: TurnList,
    max_tasks: usize,
}

impl MaxPerFrame {
    /// Runs at most `max_tasks` tasks in each update; zero counts as one.
    #[must_use]
    pub fn new(max_tasks: usize) -> Self {
        Self {
            items: TurnList::new(),
            max_tasks: max_tasks.max(1),
        }
    }

    /// Changes the maximum number of tasks in an update; zero counts as one.
    pub fn set_max_tasks(&mut self, max_tasks: usize) {
        self.max_tasks = max_tasks.max(1);
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

    fn promise(&self) -> Promise {
        Promise::Updates(self.items.len().div_ceil(self.max_tasks).max(1))
    }

    fn pattern(&self) -> Option<Pattern> {
        Some(Pattern::AtMost(self.max_tasks))
    }

    fn defect(&self) -> Option<Defect> {
        Some(self.items.defect())
    }
}
