//! Starting point of the timeslice-update snippet: a list that is searched at each request.

use super::{Published, Units};
use timeslice::scheduler::TaskId;
use timeslice::time::Nanos;

#[derive(Default)]
pub struct RequestList {
    requests: Vec<TaskId>,
}

impl<U: Units> Published<U> for RequestList {
    fn insert(&mut self, _unit: TaskId) {}

    fn remove(&mut self, unit: TaskId) {
        self.requests.retain(|&request| request != unit);
    }

    fn request(&mut self, unit: TaskId) {
        if !self.requests.contains(&unit) {
            self.requests.push(unit);
        }
    }

    fn max_requests(&self) -> usize {
        1_000 // searching the list takes quadratic time
    }

    fn update(&mut self, _delta: Nanos, units: &mut U) {
        for &request in &self.requests {
            units.update(request);
        }
        self.requests.clear();
    }

    fn backlog(&self) -> usize {
        self.requests.len()
    }
}
