//! Request list: runs the requested tasks in the next update. This is the baseline for event-driven work.
//!
//! Requests are collected in a list without duplicates, and the next update runs all of them. A request made during an
//! update waits for the next update. With a limit, an update runs only that many tasks, oldest request first, and the
//! others wait. This is the queue that most games write by hand, such as at most two path queries per frame.
//!
//! # When to use it
//!
//! Use it for work that follows an event, such as a noise that a sentry hears: tasks without a request cost nothing. If
//! many requests can come at once, set a limit. If the costs of the tasks differ, use [`TimeBudget`](super::TimeBudget),
//! which limits the time of an update instead of its tasks.
//!
//! # Cost
//!
//! Without a limit, all requested tasks run in the next update, so a request waits for one update. With a limit, a
//! request that is behind `n` others waits for `n / limit + 1` updates, rounded down.
//!
//! # If an update is stopped
//!
//! The requests that were not served keep their places in the list.
//!
//! # Source
//!
//! "Sweet Snippet: Timeslice Update" by tkokof (in Chinese): the article's starting point. The article searches the
//! list for duplicates; here a [`UniqueQueue`] finds them in constant time.

use super::{Guarantee, Strategy};
use crate::scheduler::{TaskId, UniqueQueue, UpdateContext, saved_as, saved_fields};

/// A strategy that runs each requested task once: all of them in the next update, or a limited number in each update. The
/// [module documentation](self) describes the algorithm.
///
/// See [`TimeBudget`](super::TimeBudget) for an example with requests.
///
/// ```
/// use timeslicer::strategy::RequestList;
/// let strategy = RequestList::new();
/// let two_per_update = RequestList::new().with_max_requests(2);
/// ```
#[derive(Clone, Debug)]
pub struct RequestList {
    /// The maximum number of tasks that run in an update, or zero if there is no limit.
    max_requests: usize,
    requests: UniqueQueue,
}

/// The maximum number of requested tasks that run in a batch.
const TURNS: usize = 64;

impl RequestList {
    /// Creates a new strategy without any requests.
    pub fn new() -> Self {
        Self {
            max_requests: 0,
            requests: UniqueQueue::default(),
        }
    }

    /// Sets the maximum number of tasks that run in an update. Zero, the default, sets no limit.
    #[must_use]
    pub fn with_max_requests(mut self, max_requests: usize) -> Self {
        self.set_max_requests(max_requests);
        self
    }

    /// Changes the maximum number of tasks that run in an update. Zero sets no limit.
    pub fn set_max_requests(&mut self, max_requests: usize) {
        self.max_requests = max_requests;
    }
}

impl Strategy for RequestList {
    fn insert(&mut self, _task: TaskId) {}

    fn remove(&mut self, task: TaskId) {
        self.requests.remove(task);
    }

    fn request(&mut self, task: TaskId) {
        self.requests.push(task);
    }

    fn ran_early(&mut self, task: TaskId) {
        self.requests.remove(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let mut left = match self.max_requests {
            0 => usize::MAX,
            limit => limit,
        };
        let mut batch = [TaskId::default(); TURNS];
        while left > 0 && !self.requests.is_empty() && !context.is_stopped() {
            let turns = &mut batch[..left.min(TURNS)];
            let taken = context.run(self.requests.first(turns)).taken;
            self.requests.pop_first(taken);
            left -= taken;
        }
    }

    fn backlog(&self) -> usize {
        self.requests.len()
    }

    saved_as!("request-list");

    fn guarantee(&self) -> Guarantee {
        let updates = match self.max_requests {
            0 => 1,
            limit => self.requests.len().div_ceil(limit).max(1),
        };
        Guarantee::Request { updates }
    }
}

saved_fields! { RequestList { requests; except max_requests } }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::testing::TestWorld;
    use crate::time::Nanos;

    #[test]
    fn an_update_runs_at_most_the_limit_oldest_request_first() {
        for (limit, runs) in [(0, [100, 0, 0]), (70, [70, 30, 0]), (1, [1, 1, 1])] {
            let mut world = TestWorld::new(RequestList::new().with_max_requests(limit), 100);
            (0..100).rev().for_each(|index| world.request(index));
            let ran = runs.map(|_| world.update(Nanos::ZERO));
            assert_eq!(ran.each_ref().map(Vec::len), runs, "{limit}");
            assert!(ran.concat().is_sorted_by(|earlier, later| earlier > later));
        }
    }
}
