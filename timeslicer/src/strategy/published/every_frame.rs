//! Every frame: a loop over a list, the starting point of all articles.

use super::{Form, Units};
use crate::scheduler::TaskId;
use crate::strategy::Promise;
use crate::time::Nanos;

/// Runs all tasks of a list in every update.
#[derive(Clone, Debug, Default)]
pub struct EveryFrame {
    items: Vec<TaskId>,
}

impl Form for EveryFrame {
    fn insert(&mut self, unit: TaskId) {
        self.items.push(unit);
    }

    fn remove(&mut self, unit: TaskId) {
        self.items.retain(|&item| item != unit);
    }

    fn update<U: Units>(&mut self, _delta: Nanos, units: &mut U) {
        for &item in &self.items {
            units.update(item);
        }
    }

    fn promise(&self) -> Promise {
        Promise::Updates(1)
    }
}
