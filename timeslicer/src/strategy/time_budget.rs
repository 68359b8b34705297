//! Time budget: runs requested tasks from a queue until the update's time budget is spent.
//!
//! Requests wait in a queue without duplicates. Each update runs tasks from the front of the queue until its budget is
//! spent, but at least one task. The remaining tasks wait for the next update. A task can request its next run while it
//! runs, because requests are added at the end of the update.
//!
//! As published, the clock is read before and after each task. The last task exceeds the budget by up to its own cost,
//! and the time between two tasks is not counted. Here an [`Admission`] runs the tasks. It counts all time, and has two
//! settings, which are on by default:
//!
//! - With *prediction*, a task starts only if its estimated cost fits into the remaining budget. While costs stay the
//!   same, no update exceeds the budget, unless the budget is too small for a single task. Without prediction, as
//!   published, nearly every update exceeds the budget if there are always more requests.
//! - With *pay-back*, an update that exceeds its budget shortens later updates, so that updates spend at most the
//!   budget on average.
//!
//! The tasks keep their order: if the first task does not fit, the tasks behind it wait, too. Otherwise, expensive
//! tasks could wait forever.
//!
//! # When to use it
//!
//! Use it if many requests can come at once and the frame rate matters more than the delay. However, if requests keep
//! coming faster than the budget can serve them, the queue grows until every task waits in it. Do not use it for work
//! that needs a steady interval. Use [`FixedInterval`](super::FixedInterval) for such work.
//!
//! # Cost
//!
//! Each update spends its budget, plus an overrun if a task costs more than its estimate. A request that is behind `n`
//! others waits for at most `n + 1` updates, and for far fewer if the budget allows.
//!
//! # If an update is stopped
//!
//! The requests that were not served keep their places in the queue.
//!
//! # Source
//!
//! "Sweet Snippet: Timeslice Update" by tkokof (in Chinese): the unique queue. The smoothed cost estimates and the
//! pay-back of overruns are from the master controller of Space Station 13.

use super::{Guarantee, Strategy};
use crate::scheduler::{
    Admission, TaskId, UniqueQueue, UpdateContext, budget_setters, saved_as, saved_fields,
};
use std::time::Duration;

/// A strategy that runs the requested tasks, first come, first served, until the time budget of the update is spent.
/// The [module documentation](self) describes the algorithm.
///
/// ```
/// use std::time::Duration;
/// use timeslicer::Timeslicer;
/// use timeslicer::strategy::TimeBudget;
///
/// let strategy = TimeBudget::new(Duration::from_millis(4))
///     .with_prediction(true)
///     .with_pay_back(true);
/// let mut paths = Timeslicer::new(strategy);
/// let [ann, _ben, cleo] = ["Ann", "Ben", "Cleo"].map(|guard| paths.add(guard));
/// paths.request(cleo);
/// paths.request(ann);
/// paths.request(cleo); // already waiting
///
/// let mut ran = Vec::new();
/// paths.update(Duration::from_millis(16), |guard, _elapsed| ran.push(guard));
/// assert_eq!(ran, ["Cleo", "Ann"]);
/// ```
#[derive(Clone, Debug)]
pub struct TimeBudget {
    admission: Admission,
    queue: UniqueQueue,
}

impl TimeBudget {
    /// Creates a strategy that spends at most `budget` of real time in each update, but runs at least one task. Costs
    /// are predicted, and overruns are paid back.
    pub fn new(budget: Duration) -> Self {
        Self {
            admission: Admission::new(budget.into()),
            queue: UniqueQueue::default(),
        }
    }

    budget_setters!();
}

impl Strategy for TimeBudget {
    fn insert(&mut self, _task: TaskId) {}

    fn remove(&mut self, task: TaskId) {
        self.queue.remove(task);
        self.admission.estimates.forget(task);
    }

    fn request(&mut self, task: TaskId) {
        self.queue.push(task);
    }

    fn ran_early(&mut self, task: TaskId) {
        self.queue.remove(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let mut slice = self.admission.begin(context);
        let mut batch = [TaskId::default(); Admission::BATCH];
        loop {
            let taken = slice.run(self.queue.first(&mut batch));
            if taken == 0 {
                break;
            }
            self.queue.pop_first(taken);
        }
    }

    fn backlog(&self) -> usize {
        self.queue.len()
    }

    fn admission_mut(&mut self) -> Option<&mut Admission> {
        Some(&mut self.admission)
    }

    saved_as!("time-budget");

    fn guarantee(&self) -> Guarantee {
        Guarantee::Request {
            updates: self.queue.len().max(1),
        }
    }
}

saved_fields! { TimeBudget { admission, queue } }
