//! Second solution of the article on spreading updates: round robin with a maximum per frame. The article shows the
//! index and the modulo only with its last solution.

use super::{Published, Units};
use timeslice::scheduler::TaskId;
use timeslice::time::Nanos;

pub struct MaxPerFrame {
    items: Vec<TaskId>,
    max_tasks: usize,
    index: usize,
}

impl MaxPerFrame {
    pub fn new(max_tasks: usize) -> Self {
        Self {
            items: Vec::new(),
            max_tasks,
            index: 0,
        }
    }
}

impl<U: Units> Published<U> for MaxPerFrame {
    fn insert(&mut self, unit: TaskId) {
        self.items.push(unit);
    }

    fn remove(&mut self, unit: TaskId) {
        self.items.retain(|&item| item != unit);
    }

    fn update(&mut self, _delta: Nanos, units: &mut U) {
        for _ in 0..self.max_tasks.min(self.items.len()) {
            self.index = (self.index + 1) % self.items.len();
            units.update(self.items[self.index]);
        }
    }
}
