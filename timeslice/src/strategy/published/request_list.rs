//! Request list: the starting point of the timeslice-update snippet, a list that is searched at each request.

use super::{Form, Units};
use crate::scheduler::TaskId;
use crate::time::Nanos;

/// Runs every requested task once, in the next update.
#[derive(Clone, Debug, Default)]
pub struct RequestList {
    requests: Vec<TaskId>,
}

impl Form for RequestList {
    fn insert(&mut self, _unit: TaskId) {}

    fn remove(&mut self, unit: TaskId) {
        self.requests.retain(|&request| request != unit);
    }

    fn request(&mut self, unit: TaskId) {
        if !self.requests.contains(&unit) {
            self.requests.push(unit);
        }
    }

    fn update<U: Units>(&mut self, _delta: Nanos, units: &mut U) {
        for &request in &self.requests {
            units.update(request);
        }
        self.requests.clear();
    }

    fn backlog(&self) -> usize {
        self.requests.len()
    }
}
