//! Time budget: runs requested tasks from a queue until the update's time is spent.
//!
//! Requests wait in a queue without duplicates. Each update runs tasks from the front until its budget is spent, but at
//! least one; the rest wait for the next update. A task leaves the queue before it runs, so it can request its next run
//! while it runs. A request made during an update waits for the next one.
//!
//! As published, the clock is read before and after each task. The last task overruns the budget by up to its own
//! length, and the time between two tasks is not counted. Here the clock is read once after each *batch*, and all time
//! counts.
//!
//! A batch has more than one task only if tasks are so cheap that reading the clock matters. At their recent mean cost,
//! the tasks of a batch must fit into 1/64 of the budget, and into half of the remaining budget. A batch has at most 16
//! tasks, and at most twice as many as the batch before. Batches shrink as the budget runs out, so an update still
//! overruns by less than one task. The exception is a task that is suddenly much more expensive: then the rest of its
//! batch adds to the overrun.
//!
//! # When to use it
//!
//! If many requests can come at once and the frame rate matters more than the delay. If requests keep coming faster
//! than the budget can serve them, the queue grows until every task waits in it. Not for work that needs a steady
//! interval: use [`FixedInterval`](super::FixedInterval).
//!
//! # Cost
//!
//! The budget, plus the overrun of the last batch. A request that is behind `n` others waits for at most `n + 1`
//! updates, and for far fewer if the budget allows.
//!
//! # If an update is stopped
//!
//! The requests that were not served keep their places in the queue.
//!
//! # Source
//!
//! "Sweet Snippet: Timeslice Update" by tkokof (in Chinese): the unique queue.

use super::knobs::{AS_PUBLISHED, BUDGET};
use super::published::{self, AsPublished, Published};
use super::{Family, Load, Peak, Promise, Strategy, StrategyEntry};
use crate::knob::KnobValues;
use crate::scheduler::{TaskId, UniqueQueue, UpdateContext};
use crate::time::Nanos;

/// The registry's entry.
pub static ENTRY: StrategyEntry = StrategyEntry {
    key: "time-budget",
    name: "Time budget",
    family: Family::OnRequest,
    rule: "Runs the requested tasks, first come, first served, until the update's time budget is spent.",
    use_when: "Use it when many requests can come at once, and the frame rate matters more than the delay.",
    avoid_when: "Avoid it when work needs a steady interval, or when requests keep coming faster than the budget can serve them.",
    known_from: "Known from \"Sweet Snippet: Timeslice Update\", and from the scheduler of React with its slices of 5 ms.",
    source: "Sweet Snippet: Timeslice Update (article in Chinese), the unique queue",
    knobs: &[BUDGET, AS_PUBLISHED],
    load: |demand| Load::requested(demand, Peak::Budget),
    make: || Box::new(TimeBudget::new(Nanos::from_millis_f64(BUDGET.default))),
    published: Some(Published {
        make: || {
            let form =
                published::time_budget::TimeBudget::new(Nanos::from_millis_f64(BUDGET.default));
            Box::new(AsPublished::new(form, |form, knobs| {
                form.set_max_timeslice(Nanos::from_millis_f64(knobs.get(&BUDGET)));
            }))
        },
        defect: "The clock is read twice per task, the time between two tasks does not count, and the last task exceeds the budget.",
    }),
    constructor: "TimeBudget::new({budget-ms})",
};

/// Runs the requested tasks, first come, first served, until the budget is spent; described in the [module](self).
///
/// ```
/// use timeslice::scheduler::{TaskId, Tasks, UpdateContext};
/// use timeslice::strategy::{Strategy, TimeBudget};
/// use timeslice::time::{GameTime, Nanos};
///
/// let (mut tasks, delta) = (Tasks::new(), Nanos::from_millis(16));
/// let mut strategy = TimeBudget::new(Nanos::from_millis(4));
/// let guards = [(); 3].map(|()| tasks.insert(GameTime::START));
/// for guard in guards {
///     strategy.insert(guard);
/// }
/// strategy.request(guards[2]);
/// strategy.request(guards[0]);
/// strategy.request(guards[2]); // already waiting
///
/// let mut ran = Vec::new();
/// let mut think = |guard: TaskId, _: Nanos| ran.push(guard);
/// let now = GameTime::START + delta;
/// strategy.update(&mut UpdateContext::new(delta, now, &mut tasks, &mut think));
/// assert_eq!(ran, [guards[2], guards[0]]);
/// ```
#[derive(Clone, Debug)]
pub struct TimeBudget {
    budget: Nanos,
    queue: UniqueQueue,
    /// Approximate total cost of the last [`MEMORY`] tasks. Each new task's cost replaces 1/`MEMORY` of this sum.
    recent: Nanos,
}

/// Number of tasks in the mean cost. It is large enough that one outlier does not make cheap tasks seem expensive, and
/// small enough that a change of cost shows within an update.
const MEMORY: u64 = 64;
/// A batch of more than one task may take the budget divided by this number.
const BATCH_SHARE: u64 = 64;
/// Maximum number of tasks in a batch. It limits the overrun if tasks are suddenly expensive.
const LARGEST_BATCH: usize = 16;

impl TimeBudget {
    /// Spends `budget` of the machine's time in each update; zero runs one task per update.
    #[must_use]
    pub fn new(budget: Nanos) -> Self {
        Self {
            budget,
            queue: UniqueQueue::new(),
            recent: Nanos::ZERO,
        }
    }

    /// Returns the number of tasks to run before the next reading of the clock, given the time spent so far and the
    /// size of the last batch.
    fn next_batch(&self, spent: Nanos, last: usize) -> usize {
        let share = Nanos::from_nanos(self.budget.as_nanos() / BATCH_SHARE);
        let half_of_the_rest = Nanos::from_nanos((self.budget - spent).as_nanos() / 2);
        let room = share.min(half_of_the_rest).as_nanos();
        let fitting = (room * MEMORY).checked_div(self.recent.as_nanos());
        let fitting = fitting.map_or(LARGEST_BATCH, |tasks| tasks as usize);
        fitting.min(last * 2).clamp(1, LARGEST_BATCH)
    }

    fn learn(&mut self, took: Nanos, tasks: usize) {
        let (recent, took, tasks) = (self.recent.as_nanos(), took.as_nanos(), tasks as u64);
        let recent = if recent == 0 {
            took.saturating_mul(MEMORY) / tasks.max(1)
        } else {
            (recent - recent / MEMORY * tasks).saturating_add(took)
        };
        self.recent = Nanos::from_nanos(recent);
    }
}

impl Strategy for TimeBudget {
    fn insert(&mut self, _task: TaskId) {}

    fn remove(&mut self, task: TaskId) {
        self.queue.remove(task);
    }

    fn request(&mut self, task: TaskId) {
        self.queue.push(task);
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        if self.queue.is_empty() {
            return;
        }
        let start = context.clock();
        let mut spent = Nanos::ZERO;
        let mut batch = 1;
        while !self.queue.is_empty() && !context.is_stopped() {
            let runs = context.run_turns(&mut self.queue, batch).runs;
            let spent_before = spent;
            spent = context.clock() - start;
            self.learn(spent - spent_before, runs);
            if spent >= self.budget {
                break;
            }
            batch = self.next_batch(spent, batch);
        }
    }

    fn backlog(&self) -> usize {
        self.queue.len()
    }

    fn promise(&self) -> Promise {
        Promise::Request {
            updates: self.queue.len().max(1),
        }
    }

    fn budget(&self) -> Option<Nanos> {
        Some(self.budget)
    }

    fn tune(&mut self, knobs: &KnobValues) {
        self.budget = Nanos::from_millis_f64(knobs.get(&BUDGET));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduler::{Runner, Tasks};
    use crate::strategy::test_world::TestWorld;
    use crate::time::{ClockTime, GameTime};
    use std::cell::Cell;

    fn world_of_requests(budget_ms: u64, cost_us: u64, count: u32) -> TestWorld<TimeBudget> {
        let mut world = TestWorld::new(
            TimeBudget::new(Nanos::from_millis(budget_ms)),
            count as usize,
        );
        world.cost = Nanos::from_micros(cost_us);
        (0..count).for_each(|index| world.request(index));
        world
    }

    #[test]
    fn tasks_run_until_the_budget_is_spent() {
        let mut world = world_of_requests(4, 1000, 10);
        assert_eq!(world.update(Nanos::ZERO), [0, 1, 2, 3]);
        assert_eq!(world.strategy.backlog(), 6);
        assert_eq!(world.update(Nanos::ZERO), [4, 5, 6, 7]);
        assert_eq!(world.update(Nanos::ZERO), [8, 9]);
        assert!(world.update(Nanos::ZERO).is_empty());
    }

    #[test]
    fn the_overrun_is_less_than_the_last_task() {
        let mut world = world_of_requests(4, 1500, 10);
        assert_eq!(world.update(Nanos::ZERO), [0, 1, 2]); // 3.0 ms is within the budget of 4 ms, 4.5 ms is not
    }

    #[test]
    fn a_zero_budget_runs_one_task_per_update() {
        for cost_us in [0, 100] {
            let mut world = world_of_requests(0, cost_us, 3);
            assert_eq!(world.runs_in(4, Nanos::ZERO), [1, 1, 1, 0]);
        }
    }

    #[test]
    fn a_request_during_a_run_is_served_in_the_next_update() {
        let mut world = world_of_requests(100, 10, 2);
        world.repeats = vec![world.tasks.at(1).unwrap()];
        assert_eq!(world.update(Nanos::ZERO), [0, 1]);
        assert_eq!(world.strategy.backlog(), 1);
        assert_eq!(world.update(Nanos::ZERO), [1]);
    }

    #[test]
    fn suddenly_expensive_tasks_overrun_by_one_batch_at_most() {
        let mut world = world_of_requests(4, 1, 100);
        world.update(Nanos::ZERO);
        (0..100).for_each(|index| world.request(index));
        world.cost = Nanos::from_millis(1);
        assert!(world.update(Nanos::ZERO).len() <= 4 + LARGEST_BATCH);
    }

    #[test]
    fn dead_tasks_leave_the_queue_and_use_up_no_run() {
        let mut world = world_of_requests(0, 100, 4);
        world.death(0);
        assert_eq!(world.update(Nanos::ZERO), [1]);
        world.request(1);
        world.kills = vec![(world.tasks.at(2).unwrap(), world.tasks.at(3).unwrap())];
        assert_eq!(world.update(Nanos::ZERO), [2]);
        assert_eq!(world.update(Nanos::ZERO), [1]);
    }

    struct Counting {
        clock: ClockTime,
        cost: Nanos,
        reads: Cell<u32>,
        runs: u32,
    }

    impl Runner for Counting {
        fn run(&mut self, _task: TaskId, _elapsed: Nanos, _tasks: &mut Tasks) {
            self.clock += self.cost;
            self.runs += 1;
        }
        fn clock(&self) -> ClockTime {
            self.reads.set(self.reads.get() + 1);
            self.clock
        }
    }

    #[test]
    fn the_clock_is_read_once_per_batch_and_not_when_idle() {
        let mut tasks = Tasks::new();
        let mut strategy = TimeBudget::new(Nanos::from_millis(4));
        let mut runner = Counting {
            clock: ClockTime::START,
            cost: Nanos::from_micros(1),
            reads: Cell::new(0),
            runs: 0,
        };
        let mut update = |strategy: &mut TimeBudget, tasks: &mut Tasks| {
            strategy.update(&mut UpdateContext::new(
                Nanos::ZERO,
                GameTime::START,
                tasks,
                &mut runner,
            ));
            (runner.runs, runner.reads.get())
        };
        assert_eq!(update(&mut strategy, &mut tasks), (0, 0));
        for _ in 0..10_000 {
            let task = tasks.insert(GameTime::START);
            strategy.request(task);
        }
        let (runs, reads) = update(&mut strategy, &mut tasks);
        assert_eq!(runs, 4000);
        assert!(reads < 300, "{reads} reads of the clock for {runs} tasks");
    }

    #[test]
    fn every_task_costs_two_clock_readings_only_as_published() {
        fn served(strategy: impl Strategy) -> (usize, Option<u64>) {
            let mut world = TestWorld::new(strategy, 10);
            world.cost = Nanos::from_millis(1);
            (0..10).for_each(|index| world.request(index));
            let ran = world.update(Nanos::from_millis(16));
            (
                ran.len(),
                world.strategy.defect().map(|defect| defect.count),
            )
        }
        let budget = Nanos::from_millis(4);
        assert_eq!(served(TimeBudget::new(budget)), (4, None));
        let published = published::time_budget::TimeBudget::new(budget);
        let published = AsPublished::new(published, |_form, _knobs| {});
        assert_eq!(served(published), (4, Some(8)));
    }
}
