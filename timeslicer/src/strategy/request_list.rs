//! Request list: runs every requested task in the next update. This is the baseline for event-driven work.
//!
//! Requests are collected in a list without duplicates, and the next update runs all of them. A request made during an
//! update waits for the next update.
//!
//! # When to use it
//!
//! Use it for work that follows an event, such as a noise that a sentry hears: tasks without a request cost nothing. If
//! many requests can come at once, or tasks are expensive, use [`TimeBudget`](super::TimeBudget), which spreads the
//! requests over several updates.
//!
//! # Cost
//!
//! All requested tasks run in the next update, so a request waits for one update.
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

/// A strategy that runs every requested task once, in the next update. The [module documentation](self) describes the
/// algorithm.
///
/// See [`TimeBudget`](super::TimeBudget) for an example with requests.
///
/// ```
/// use timeslicer::strategy::RequestList;
/// let strategy = RequestList::new();
/// ```
#[derive(Clone, Debug)]
pub struct RequestList {
    requests: UniqueQueue,
}

/// The maximum number of requested tasks that run in a batch.
const TURNS: usize = 64;

impl RequestList {
    /// Creates a new strategy without any requests.
    pub fn new() -> Self {
        Self {
            requests: UniqueQueue::default(),
        }
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
        let mut batch = [TaskId::default(); TURNS];
        while !self.requests.is_empty() && !context.is_stopped() {
            let taken = context.run(self.requests.first(&mut batch)).taken;
            self.requests.pop_first(taken);
        }
    }

    fn backlog(&self) -> usize {
        self.requests.len()
    }

    saved_as!("request-list");

    fn guarantee(&self) -> Guarantee {
        Guarantee::Request { updates: 1 }
    }
}

saved_fields! { RequestList { requests } }
