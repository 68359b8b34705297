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

use super::knobs::AS_PUBLISHED;
use super::published::{Published, timeslice_update};
use super::{Family, Guarantee, Inspect, Strategy, StrategyEntry};
use crate::scheduler::{TaskId, UniqueQueue, UpdateContext};

/// The entry for [`RequestList`] in [`STRATEGIES`](super::STRATEGIES), the list of all strategies.
pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "request-list",
    name: "Request list",
    family: Family::OnRequest,
    rule: "Runs every requested task once, in the next update.",
    use_when: "Use it when the work is triggered by events, such as a noise that a sentry hears, because tasks without \
        a request cost nothing.",
    avoid_when: "Avoid it when many requests can arrive at once or tasks are expensive, because the next update runs \
        all of them.",
    work: "all requests",
    guarantee: "a request is served in the next update",
    known_from: "Comes from the first version of the code in \"Sweet Snippet: Timeslice Update\".",
    source: "\"Sweet Snippet: Timeslice Update\" (article in Chinese), the first version",
    knobs: &[AS_PUBLISHED],
    make: || Box::new(RequestList::new()),
    published: Some(Published {
        make: || Box::new(timeslice_update::RequestList::default()),
        knobs: &[],
        defect: "Each request searches the whole list, so the cost of a request grows with the number of requests.",
    }),
    constructor: "RequestList::new()",
};

/// A strategy that runs every requested task once, in the next update. The [module documentation](self) describes the
/// algorithm.
///
/// See [`TimeBudget`](super::TimeBudget) for an example with requests.
///
/// ```
/// use timeslicer::strategy::RequestList;
/// let strategy = RequestList::new();
/// ```
#[derive(Clone, Debug, Default)]
pub struct RequestList {
    requests: UniqueQueue,
}

impl RequestList {
    /// Creates a new strategy without any requests.
    pub fn new() -> Self {
        Self::default()
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

    fn requested(&self) -> Vec<TaskId> {
        self.requests.iter().collect()
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        context.run_turns(&mut self.requests, usize::MAX);
    }

    fn backlog(&self) -> usize {
        self.requests.len()
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Request { updates: 1 }
    }
}

impl Inspect for RequestList {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::testing::TestWorld;
    use crate::time::Nanos;

    #[test]
    fn requests_are_searched_only_as_published() {
        fn served(strategy: impl Inspect) -> (Vec<u32>, Option<u64>) {
            let mut world = TestWorld::new(strategy, 10);
            for index in [4, 9, 4, 0, 0] {
                world.request(index);
            }
            let ran = world.update(Nanos::from_millis(16));
            (ran, world.strategy.defect().map(|defect| defect.count))
        }
        assert_eq!(served(RequestList::new()), (vec![4, 9, 0], None));
        let published = timeslice_update::RequestList::default();
        assert_eq!(served(published), (vec![4, 9, 0], Some(1 + 1 + 2 + 3)));
    }
}
