//! Request list: the starting point of the timeslice-update snippet, a list that is searched at each request.

use super::{Defect, Form, Units};
use crate::scheduler::TaskId;
use crate::strategy::Promise;
use crate::time::Nanos;

/// Runs every requested task once, in the next update.
#[derive(Clone, Debug, Default)]
pub struct RequestList {
    requests: Vec<TaskId>,
    comparisons: u64,
}

impl Form for RequestList {
    fn insert(&mut self, _unit: TaskId) {}

    fn remove(&mut self, unit: TaskId) {
        self.requests.retain(|&request| request != unit);
    }

    fn request(&mut self, unit: TaskId) {
        let found = self.requests.iter().position(|&request| request == unit);
        self.comparisons += found.map_or(self.requests.len(), |place| place + 1) as u64;
        if found.is_none() {
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

    fn promise(&self) -> Promise {
        Promise::Request { updates: 1 }
    }

    fn defect(&self) -> Option<Defect> {
        Some(Defect {
            before: "the published list made",
            count: self.comparisons,
            thing: "comparison",
        })
    }
}
