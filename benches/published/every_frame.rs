//! Starting point of all articles: a loop over a list.

use super::{Published, Units};
use timeslice::scheduler::TaskId;
use timeslice::time::Nanos;

#[derive(Default)]
pub struct EveryFrame {
    items: Vec<TaskId>,
}

impl<U: Units> Published<U> for EveryFrame {
    fn insert(&mut self, unit: TaskId) {
        self.items.push(unit);
    }

    fn remove(&mut self, unit: TaskId) {
        self.items.retain(|&item| item != unit);
    }

    fn update(&mut self, _delta: Nanos, units: &mut U) {
        for &item in &self.items {
            units.update(item);
        }
    }
}
