//! Each task that asks runs in the next update: the event-driven baseline.

use super::{Promise, Strategy, StrategyEntry};
use crate::scheduler::{TaskId, UniqueQueue, UpdateContext};

/// The registry's entry.
pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "request-list",
    name: "Request list",
    rule: "Runs, in the next update, every task that has asked; asking twice counts once.",
    source: "the timeslice-update snippet, its starting point",
    knobs: &[],
    make: || Box::new(RequestList::new()),
};

/// Keeps a list of the tasks that have asked, each once, and runs all of it in the next update.
///
/// Only tasks that asked run, and none of them waits longer than one update, whatever that costs when many ask at
/// once. A task that asks during an update runs in the next one.
///
/// ```
/// use timeslice::scheduler::{TaskId, Tasks, UpdateContext};
/// use timeslice::strategy::{RequestList, Strategy};
/// use timeslice::time::{GameTime, Nanos};
///
/// let (mut tasks, delta) = (Tasks::new(), Nanos::from_millis(16));
/// let mut strategy = RequestList::new();
/// let guards = [(); 3].map(|()| tasks.insert(GameTime::START));
/// for guard in guards {
///     strategy.insert(guard);
/// }
/// strategy.request(guards[2]);
/// strategy.request(guards[0]);
/// strategy.request(guards[2]); // waits already
///
/// let mut ran = Vec::new();
/// let mut think = |guard: TaskId, _: Nanos| ran.push(guard);
/// let now = GameTime::START + delta;
/// strategy.update(&mut UpdateContext::new(delta, now, &mut tasks, &mut think));
/// assert_eq!(ran, [guards[2], guards[0]]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct RequestList {
    requests: UniqueQueue,
}

impl RequestList {
    /// Starts without requests.
    #[must_use]
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

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        context.run_all(self.requests.drain());
    }

    fn backlog(&self) -> usize {
        self.requests.len()
    }

    fn promise(&self) -> Promise {
        Promise::Request { updates: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::test_world::TestWorld;
    use crate::time::Nanos;

    #[test]
    fn every_request_runs_in_the_next_update_once_and_in_order() {
        let mut world = TestWorld::new(RequestList::new(), 5);
        for index in [3, 1, 3, 4, 1] {
            world.request(index);
        }
        assert_eq!(world.strategy.backlog(), 3);
        assert_eq!(world.update(Nanos::ZERO), [3, 1, 4]);
        assert_eq!(world.strategy.backlog(), 0);
        assert!(world.update(Nanos::SECOND).is_empty());
    }

    #[test]
    fn the_dead_leave_the_list() {
        let mut world = TestWorld::new(RequestList::new(), 3);
        world.request(0);
        world.request(1);
        world.death(0);
        assert_eq!(world.strategy.backlog(), 1);
        assert_eq!(world.update(Nanos::ZERO), [1]);
    }

    #[test]
    fn one_born_in_a_dead_ones_place_has_not_asked() {
        let mut world = TestWorld::new(RequestList::new(), 1);
        world.request(0);
        world.death(0);
        assert_eq!(world.birth().index, 0);
        assert!(world.update(Nanos::ZERO).is_empty());
    }
}
