//! Every task, every update: where all the articles start from.

use super::{Promise, Strategy, StrategyEntry};
use crate::scheduler::{Cohort, TaskId, TaskSet, UpdateContext};

/// The registry's entry.
pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "every-frame",
    name: "Every frame",
    rule: "Runs every task in every update.",
    source: "the starting point of all the articles",
    knobs: &[],
    make: || Box::new(EveryFrame::new()),
};

/// Runs every task in every update: nothing is ever stale, and everything is paid for each time.
///
/// A task waits for one update.
#[derive(Clone, Debug, Default)]
pub struct EveryFrame {
    tasks: TaskSet,
    cohort: Cohort,
}

impl EveryFrame {
    /// Without tasks.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Strategy for EveryFrame {
    fn insert(&mut self, task: TaskId) {
        self.tasks.insert(task);
        self.cohort.forget();
    }

    fn remove(&mut self, task: TaskId) {
        self.tasks.remove(task);
        self.cohort.forget();
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        context.run_cohort(&mut self.cohort, self.tasks.tasks());
    }

    fn promise(&self) -> Promise {
        Promise::Updates(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::test_world::TestWorld;
    use crate::time::Nanos;

    #[test]
    fn every_task_runs_in_every_update_even_in_one_of_no_time() {
        let mut world = TestWorld::new(EveryFrame::new(), 3);
        for delta in [Nanos::ZERO, Nanos::from_millis(16), Nanos::from_secs(10)] {
            assert_eq!(world.update(delta), [0, 1, 2]);
        }
    }

    #[test]
    fn one_killed_by_another_in_this_update_does_not_run() {
        let mut world = TestWorld::new(EveryFrame::new(), 3);
        world.murders = vec![(world.tasks.at(0).unwrap(), world.tasks.at(1).unwrap())];
        assert_eq!(world.update(Nanos::ZERO), [0, 2]);
        assert_eq!(world.update(Nanos::ZERO), [0, 2]);
    }
}
