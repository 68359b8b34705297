//! Every frame: runs all tasks in every update. This is the baseline for all other strategies.
//!
//! # When to use it
//!
//! Use it for work that must be current in every frame, or that is too cheap to be worth spreading. Otherwise the frame
//! time grows with the number of tasks: 2,000 tasks of 10 µs take 20 ms, which is more than a whole frame at 60 Hz.
//!
//! # Cost
//!
//! All tasks run in every update, so a task waits for one update.
//!
//! # If an update is stopped
//!
//! The next update runs the tasks that did not run.
//!
//! # Source
//!
//! The articles that describe the other strategies start from this one.

use super::{Guarantee, Strategy};
use crate::scheduler::{TaskId, TaskSet, UpdateContext, saved_as, saved_fields};

/// A strategy that runs every task in every update. The [module documentation](self) describes the algorithm, and
/// [`Timeslicer`](crate::Timeslicer) has an example of how a game uses a strategy.
///
/// ```
/// use timeslicer::strategy::EveryFrame;
/// let strategy = EveryFrame::new();
/// ```
#[derive(Clone, Debug)]
pub struct EveryFrame {
    tasks: TaskSet,
}

impl EveryFrame {
    /// Creates a new strategy without any tasks.
    pub fn new() -> Self {
        Self {
            tasks: TaskSet::default(),
        }
    }
}

impl Strategy for EveryFrame {
    fn insert(&mut self, task: TaskId) {
        self.tasks.insert(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.tasks.remove(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        context.run_round(&mut self.tasks);
    }

    fn backlog(&self) -> usize {
        self.tasks.backlog()
    }

    saved_as!("every-frame");

    fn guarantee(&self) -> Guarantee {
        Guarantee::Updates(1)
    }
}

saved_fields! { EveryFrame { tasks } }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::testing::TestWorld;
    use crate::time::Nanos;
    use proptest::collection::vec;
    use proptest::{prop_assert, prop_assert_eq, proptest};
    use std::collections::BTreeSet;

    proptest! {
        /// Stops some updates early, and adds and removes tasks between updates.
        #[test]
        fn a_stopped_round_runs_every_task_once(steps in vec((0u8..6, 0usize..12), 1..200)) {
            let mut world = TestWorld::new(EveryFrame::new(), 0);
            let mut living: BTreeSet<u32> = BTreeSet::new();
            let mut left: Option<BTreeSet<u32>> = None; // in an unfinished round
            for (step, number) in steps {
                match (step, living.iter().nth(number).copied()) {
                    (0, _) | (_, None) => {
                        let newborn = world.birth();
                        world.strategy.insert(newborn); // again, which has no effect
                        living.insert(newborn.index);
                    }
                    (1, Some(task)) => {
                        let dead = world.tasks.at(task).unwrap();
                        world.death(task);
                        world.strategy.remove(dead); // again
                        living.remove(&task);
                        left.as_mut().map(|left| left.remove(&task));
                    }
                    _ => {
                        world.most_runs = if step < 4 { number } else { usize::MAX };
                        let mut due = left.take().unwrap_or_else(|| living.clone());
                        let ran = world.update(Nanos::ZERO);
                        prop_assert_eq!(ran.len(), due.len().min(world.most_runs));
                        for task in ran {
                            prop_assert!(due.remove(&task));
                        }
                        left = (!due.is_empty()).then_some(due);
                    }
                }
                if left.as_ref() == Some(&living) {
                    left = None; // no living task has run in this round
                }
            }
        }
    }
}
