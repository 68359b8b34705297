//! Weighted share: divides the time budget among the tasks by weight and cost.
//!
//! This is stride scheduling. Each task has a number called its *pass*. While the budget lasts, an update runs the task
//! with the smallest pass. Then it sets the task's pass one *stride* ahead of the *virtual time*. A task with cost c and
//! weight w has the stride (c^(p−1) / w)^(1/p) ([`Strides`]).
//!
//! The virtual time advances with every run, by the cost of the run divided by the sum of cost / stride over all tasks.
//! This sum is the time that all tasks need while the virtual time advances by 1. So the virtual time advances as fast as
//! the tasks can keep up with it, and each task runs once per stride: its rate is inversely proportional to its stride,
//! whatever the other tasks do. If the virtual time stood still while tasks with equal passes run, all of them would get
//! equal passes again. They would always run as one block, and the tasks that matter more would have to wait for its end.
//!
//! The exponent p determines which staleness is minimised:
//!
//! - With p = 1, runs are shared by weight. Then the largest weighted staleness (weight times staleness) is as small as
//!   possible.
//! - With p = 2, intervals are proportional to √(c / w). Then the mean weighted staleness is as small as possible:
//!   within a few thousandths of (Σ√(c·w))² / (2·B·Σw) if tasks can run for the time B in each second.
//! - The default, 1.5, is close to both.
//!
//! An alternative with the same effect is to always run the task with the largest index w·age^p / c^(p−1), because the
//! p-th root of the index grows linearly with age. But that requires a scan of all tasks for each run, whereas a pass
//! changes only when its task runs.
//!
//! Two limits apply to each task. After a run, it *rests* until the shortest interval has passed. A resting task does
//! not save up its share, because its next pass counts from the virtual time. On the other hand, a task that has not
//! run for the *expiry* time runs before all others. However, such tasks use at most half of the budget, so a large
//! number of them does not stop the other tasks.
//!
//! If there is more time than work, all tasks run once per shortest interval. An update then runs only as many tasks as
//! are needed for that, so that the runs are spread evenly over the updates.
//!
//! The strategy asks for a task's weight when the task runs. In addition, each update asks for the weights of some
//! tasks, and successive updates go through all tasks. The number of these tasks is the number of runs in the last
//! update, but at least 64. It moves the tasks whose strides have changed by an eighth or more. So if a target moves
//! quickly, the tasks around it soon run more often.
//!
//! # When to use it
//!
//! Use it if there is more work than time, and some tasks matter more than others. The budget is always used, and the
//! number of tasks does not matter: more tasks lengthen all intervals in proportion. Do not use it if tasks need a
//! certain interval, or if spare time should go to the rest of the game. In these cases, use
//! [`FixedInterval`](super::FixedInterval).
//!
//! # Cost
//!
//! Each update spends its budget, unless too many tasks are resting. A run takes logarithmic time
//! ([`PriorityQueue`]) and asks for a weight twice. An update in which all tasks rest takes constant time. After the
//! birth of a large crowd, each update admits a few thousand newborn tasks, so that no update takes long.
//!
//! # If an update is stopped
//!
//! A task that did not run keeps its pass, and is among the first tasks of the next update.
//!
//! # Source
//!
//! Waldspurger and Weihl, "Stride Scheduling" (1995): passes, strides and the global pass. Olston and Pandey (WWW
//! 2008): the index of p = 2. Kuszmaul, "Bamboo Trimming Revisited" (2022): the largest weighted age. React's
//! scheduler: expiry.

use super::{Guarantee, Strategy};
use crate::scheduler::{
    Admission, AgeList, Estimates, PriorityQueue, Strides, TaskId, TimeSlice, UniqueQueue,
    UpdateContext, budget_setters, saved_as, saved_fields,
};
use crate::time::Nanos;
use std::time::Duration;

/// A strategy that divides the time budget among the tasks, depending on their weights and costs. The [module
/// documentation](self) describes the algorithm.
///
/// See [`Timeslicer::update_weighted`](crate::Timeslicer::update_weighted) for an example of how a game tells the
/// strategy how much each task matters. The example below sets all options to their default values:
///
/// ```
/// use std::time::Duration;
/// use timeslicer::strategy::WeightedShare;
///
/// let strategy = WeightedShare::new(Duration::from_millis(4))
///     .with_share_exponent(1.5)
///     .with_fastest(Duration::from_millis(50))
///     .with_expiry(Duration::from_secs(3))
///     .with_prediction(true)
///     .with_pay_back(true);
/// ```
#[derive(Clone, Debug)]
pub struct WeightedShare {
    admission: Admission,
    shares: Shares,
    /// A task that has not run for this long runs before all others. Zero disables this.
    expiry: Nanos,
    /// Whether the last update had time only for expired tasks, although other tasks were waiting.
    left_no_room: bool,
    last_runs: usize,
    was_stopped: bool,
}

/// The exponent, the minimum time between two runs, and the expiry time of a new strategy.
const SHARE_EXPONENT: f64 = 1.5;
const FASTEST: Nanos = Nanos::from_millis(50);
const EXPIRY: Nanos = Nanos::from_secs(3);

impl WeightedShare {
    /// Creates a strategy that spends at most `budget` of real time in each update, but runs at least one task. All
    /// other settings have their default values.
    pub fn new(budget: Duration) -> Self {
        Self {
            admission: Admission::new(budget.into()),
            shares: Shares {
                strides: Strides::new(SHARE_EXPONENT),
                fastest: FASTEST,
                ..Shares::default()
            },
            expiry: EXPIRY,
            left_no_room: false,
            last_runs: 0,
            was_stopped: false,
        }
    }

    /// Returns the strategy with this exponent. See [`set_share_exponent`](Self::set_share_exponent).
    pub fn with_share_exponent(mut self, exponent: f64) -> Self {
        self.set_share_exponent(exponent);
        self
    }

    /// Returns the strategy with this minimum time between two runs of a task.
    pub fn with_fastest(mut self, fastest: Duration) -> Self {
        self.set_fastest(fastest);
        self
    }

    /// Returns the strategy with this expiry time. See [`set_expiry`](Self::set_expiry).
    pub fn with_expiry(mut self, expiry: Duration) -> Self {
        self.set_expiry(expiry);
        self
    }

    /// Changes the exponent in the formula for [`Strides`]. An exponent of 1 minimises the largest weighted staleness of
    /// any task, and an exponent of 2 minimises the mean weighted staleness. Exponents in between are a compromise. A
    /// task's weighted staleness is its weight times the time since its last run.
    pub fn set_share_exponent(&mut self, exponent: f64) {
        self.shares.strides = Strides::new(exponent);
    }

    /// Changes the minimum time between two runs of a task.
    pub fn set_fastest(&mut self, fastest: Duration) {
        self.shares.fastest = fastest.into();
    }

    /// Changes the expiry time. A task that has not run for this long runs before all others. Zero disables this.
    pub fn set_expiry(&mut self, expiry: Duration) {
        self.expiry = expiry.into();
    }

    /// Returns the time on the clock that measures waits until they expire. This clock runs like game time, but more
    /// slowly during an overload. Returns `None` if tasks do not expire.
    pub fn elastic_clock(&self) -> Option<Duration> {
        (!self.expiry.is_zero()).then_some(self.shares.clock.into())
    }

    budget_setters!();
}

impl Strategy for WeightedShare {
    fn insert(&mut self, task: TaskId) {
        self.shares.newborns.push(task);
    }

    fn remove(&mut self, task: TaskId) {
        self.shares.remove(task);
        self.admission.estimates.forget(task);
    }

    fn ran_early(&mut self, task: TaskId) {
        let shares = &mut self.shares;
        if shares.by_age.contains(task) {
            shares.by_age.move_to_end(task);
            shares.records[task.index as usize].ran_at = shares.clock;
            if shares.resting.remove(task) {
                shares.resting.push(task);
            }
        }
    }

    fn update(&mut self, context: &mut UpdateContext<'_>) {
        let (shares, costs) = (&mut self.shares, &self.admission.estimates);
        shares.admit_newborns(costs, context);
        shares.wake(context);
        shares.review(self.last_runs.max(LEAST_REVIEWED), costs, context);
        let most_runs = shares.most_runs(context.delta());

        let mut slice = self.admission.begin(context);
        let half = Nanos::from_nanos(slice.budget.as_nanos() / 2);
        let mut others_ran = self.left_no_room && shares.run_waiting(most_runs.min(1), &mut slice);
        let expired_ran =
            !self.expiry.is_zero() && shares.run_expired(self.expiry, half, &mut slice);
        while shares.run_waiting(most_runs.saturating_sub(slice.runs), &mut slice) {
            others_ran = true;
        }
        self.last_runs = slice.runs;
        drop(slice);
        shares.keep_unused_run(self.last_runs);
        shares.advance_clock(context.delta(), self.expiry);
        self.was_stopped = context.is_stopped();
        self.left_no_room &= !others_ran;
        if expired_ran && !self.was_stopped {
            self.left_no_room = !(others_ran || shares.by_pass.is_empty() || half.is_zero());
        }
    }

    /// Returns the number of tasks that are waiting because the game stopped the last update. Otherwise, this is zero,
    /// because this strategy has no fixed intervals after which a task is due.
    fn backlog(&self) -> usize {
        if self.was_stopped {
            let waiting = self.shares.by_pass.len() + self.shares.newborns.len();
            waiting.max(1).min(self.shares.count()) // an expired task may still rest
        } else {
            0
        }
    }

    fn admission_mut(&mut self) -> Option<&mut Admission> {
        Some(&mut self.admission)
    }

    saved_as!("weighted-share");

    fn guarantee(&self) -> Guarantee {
        let tasks = self.shares.count().max(1);
        let (interval, updates) = if self.expiry.is_zero() {
            // In the worst case, all other tasks have the smallest stride and run until their passes reach the pass of
            // this task.
            (Nanos::MAX, Strides::LARGEST as usize)
        } else {
            // At least every other update begins with the task that has not run for the longest time.
            (self.expiry.max(self.shares.fastest), 2)
        };
        Guarantee::Eventually {
            interval,
            updates: tasks.saturating_mul(updates),
        }
    }
}

/// The state of all tasks, which determines the order in which they run.
#[derive(Clone, Debug, Default)]
struct Shares {
    strides: Strides,
    fastest: Nanos,
    /// The newborn tasks that have not been admitted yet.
    newborns: UniqueQueue,
    /// The tasks that must not run yet because their last run was less than the minimum interval ago, in the order of
    /// their runs.
    resting: UniqueQueue,
    /// The tasks that may run now. They are ordered by a number called the pass, because stride scheduling always runs
    /// the task with the smallest pass first.
    by_pass: PriorityQueue,
    /// The share of each admitted task, indexed by [`TaskId::index`].
    records: Vec<Share>,
    /// All admitted tasks in the order of their last runs.
    by_age: AgeList,
    /// The current virtual time of stride scheduling, as a whole number and a fraction below 1.
    virtual_time: u64,
    virtual_fraction: f64,
    /// The sum of the demands of the tasks that have run, and the number of these tasks.
    demand: f64,
    demanding: usize,
    /// The number of runs that are allowed in this update, times the minimum interval in nanoseconds.
    allowance: u64,
    /// The time on the elastic clock. This clock runs like game time, but stops while a task that has reached the
    /// expiry time has to wait.
    clock: Nanos,
    /// The task index at which the next call of [`Shares::review`] begins.
    next_review: u32,
}

/// The share of a task.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    /// The pass that the task has, or gets when it has rested.
    pass: u64,
    stride: u32,
    /// The time that the task needs while the virtual time advances by 1: its cost in nanoseconds divided by its stride.
    /// Zero if the task has not run yet.
    demand: f32,
    /// The time on the elastic clock ([`Shares::clock`]) when the task last ran.
    ran_at: Nanos,
}

/// The maximum number of newborn tasks that an update admits.
const MOST_ADMITTED: usize = 8192;
/// The minimum number of task indices that each update checks for changed weights.
const LEAST_REVIEWED: usize = 64;
/// A waiting task moves to a new place in the order only if its stride changes by at least the old stride divided by
/// this number. Moving it after every small change would take too long.
const CHANGE_DIVISOR: u32 = 8;

impl Shares {
    /// Returns the number of tasks.
    fn count(&self) -> usize {
        self.by_age.len() + self.newborns.len()
    }

    /// Sets the stride and the demand of a task that has run.
    fn set_stride(&mut self, task: TaskId, stride: u32, cost: Nanos) {
        let share = &mut self.records[task.index as usize];
        self.demanding += usize::from(share.demand == 0.0);
        let demand = (cost.as_nanos().max(1) as f64 / f64::from(stride)) as f32;
        self.demand += f64::from(demand) - f64::from(share.demand);
        (share.stride, share.demand) = (stride, demand);
    }

    /// Advances the virtual time by `work`, in nanoseconds, divided by the demand of all tasks. Tasks that have not run
    /// yet count with the mean demand.
    fn advance_virtual_time(&mut self, work: f64) {
        let demand = self.demand * self.by_age.len() as f64;
        // Avoid a division by zero: rounding errors can make the sum zero after a huge demand has been subtracted.
        let by = work * self.demanding as f64 / demand.max(f64::MIN_POSITIVE);
        self.virtual_fraction += by.min(Strides::LARGEST.into());
        let whole = self.virtual_fraction as u64;
        self.virtual_time = self.virtual_time.saturating_add(whole);
        self.virtual_fraction -= whole as f64;
    }

    /// Moves newborn tasks to `by_pass` if at least the minimum interval has passed since their last runs, and to
    /// `resting` otherwise. If a task has never run, the time since its birth counts. A newborn task can have run
    /// before, because this strategy may have replaced another one.
    fn admit_newborns(&mut self, costs: &Estimates, context: &UpdateContext<'_>) {
        let newborns = (0..MOST_ADMITTED).map_while(|_| self.newborns.pop());
        let mut newborns: Vec<TaskId> = newborns.collect();
        // After a change of strategy, all tasks count as newborn, but their last runs were at different times.
        newborns.sort_by_key(|&task| context.tasks().last_run(task));
        for task in newborns {
            if self.by_age.push(task) {
                let stride = self.strides.of(costs.of(task), context.weight(task));
                let pass = self.virtual_time.saturating_add(stride.into());
                *task.entry_in(&mut self.records, Share::default()) = Share {
                    pass,
                    stride,
                    demand: 0.0,
                    ran_at: self.clock,
                };
                if context.age(task) < self.fastest {
                    self.resting.push(task);
                } else {
                    self.by_pass.push(task, pass);
                }
            }
        }
    }

    /// Moves the tasks whose last run was at least the minimum interval ago from `resting` to `by_pass`.
    fn wake(&mut self, context: &UpdateContext<'_>) {
        let mut unused = 0.0;
        while let Some(task) = self.resting.front() {
            if context.age(task) < self.fastest {
                break;
            }
            self.resting.pop();
            let Share { pass, demand, .. } = self.records[task.index as usize];
            unused += self.virtual_time.saturating_sub(pass) as f64 * f64::from(demand);
            self.by_pass.push(task, pass);
        }
        // The tasks could have run when the virtual time reached their passes. Give the time since then to all tasks.
        self.advance_virtual_time(unused);
    }

    /// Asks the game for the weights of the tasks at the next `count` indices. Successive calls go through all tasks.
    /// If the weight or the cost of a task has changed, the task moves to its new place in the order.
    fn review(&mut self, count: usize, costs: &Estimates, context: &UpdateContext<'_>) {
        let count = count.min(self.by_age.len()) as u64;
        let mut next_review = self.next_review;
        for task in context.tasks().in_rotation(&mut next_review, count) {
            if !self.by_pass.contains(task) {
                continue; // a resting task was weighed only a moment ago
            }
            let (cost, weight) = (costs.of(task), context.weight(task));
            let share = &mut self.records[task.index as usize];
            let (old, new) = (share.stride, self.strides.of(cost, weight));
            if new.abs_diff(old) >= (old / CHANGE_DIVISOR).max(1) {
                let start = share.pass.saturating_sub(old.into());
                share.pass = start.saturating_add(new.into());
                self.by_pass.push(task, share.pass);
                share.stride = new;
                if share.demand > 0.0 {
                    self.set_stride(task, new, cost);
                }
            }
        }
        self.next_review = next_review;
    }

    /// Returns the maximum number of runs in an update that advances the game by `delta`: as many as if each task ran
    /// once per minimum interval, plus what the last update carried over.
    fn most_runs(&mut self, delta: Nanos) -> usize {
        let tasks = self.by_age.len() as u64;
        let more = tasks.saturating_mul(delta.as_nanos());
        self.allowance = self.allowance.saturating_add(more);
        let runs = self.allowance.checked_div(self.fastest.as_nanos());
        let runs = runs.and_then(|runs| usize::try_from(runs).ok());
        runs.unwrap_or(usize::MAX)
    }

    /// Carries over to the next update what this update has left of its allowance, but at most one run.
    fn keep_unused_run(&mut self, runs: usize) {
        let fastest = self.fastest.as_nanos();
        let used = fastest.saturating_mul(runs as u64);
        self.allowance = self.allowance.saturating_sub(used).min(fastest);
    }

    /// Runs tasks that have not run for at least `expiry`, until the update has used up `budget`. Returns false if no
    /// task ran.
    fn run_expired(&mut self, expiry: Nanos, budget: Nanos, slice: &mut TimeSlice<'_, '_>) -> bool {
        let expiry = expiry.max(self.fastest);
        let mut any_ran = false;
        loop {
            let oldest = self.by_age.iter().take(Admission::BATCH);
            let oldest = oldest.take_while(|&task| slice.context.age(task) >= expiry);
            let expired: Vec<TaskId> = oldest.collect();
            let weights: [f64; Admission::BATCH] = slice.context.weights(&expired);
            let taken = slice.run_within(budget, &expired);
            if taken == 0 {
                return any_ran;
            }
            any_ran = true;
            for (&task, &weight) in expired[..taken].iter().zip(&weights) {
                if !self.by_pass.remove(task) {
                    // After a change of strategy, an expired task can be behind more recent ones in `resting`.
                    self.resting.remove(task);
                }
                let Share { pass, stride, .. } = self.records[task.index as usize];
                // The task may run long before its turn. Only the part of its stride that has passed counts, so that
                // the run takes nothing away from the other tasks' shares.
                let left = pass.saturating_sub(self.virtual_time) as f64;
                let passed = (1.0 - left / f64::from(stride)).max(0.0);
                self.rest(task, weight, passed, slice);
            }
        }
    }

    /// Runs up to `most` waiting tasks, but at most one batch, beginning with the task whose turn is next. Returns false
    /// if no task is waiting, or if the first task does not fit into the budget.
    fn run_waiting(&mut self, most: usize, slice: &mut TimeSlice<'_, '_>) -> bool {
        let mut first = [None; Admission::BATCH];
        first[..most.min(Admission::BATCH)].fill_with(|| self.by_pass.pop());
        let tasks = first.map(|next| next.map_or(TaskId::NONE, |(task, _)| task));
        let tasks = &tasks[..first.iter().flatten().count()];
        let weights: [f64; Admission::BATCH] = slice.context.weights(tasks);
        let taken = slice.run(tasks);
        for (&task, &weight) in tasks[..taken].iter().zip(&weights) {
            self.rest(task, weight, 1.0, slice);
        }
        for &(task, pass) in first[taken..].iter().flatten().rev() {
            self.by_pass.push(task, pass);
        }
        taken > 0
    }

    /// Lets a task rest after its run, until the minimum interval has passed. After that, its `weight` and its cost
    /// determine how soon it runs again. `counted` is the fraction of the cost that counts for the virtual time.
    fn rest(&mut self, task: TaskId, weight: f64, counted: f64, slice: &mut TimeSlice<'_, '_>) {
        if !slice.context.tasks().contains(task) {
            self.remove(task);
            return;
        }
        let cost = slice.estimate(task);
        let stride = self.strides.of(cost, weight);
        self.set_stride(task, stride, cost);
        self.advance_virtual_time(counted * cost.as_nanos().max(1) as f64);
        // Round the virtual time up, so that this task comes after newborn tasks with the same stride.
        let now = self.virtual_time.saturating_add(1);
        let share = &mut self.records[task.index as usize];
        share.pass = now.saturating_add(stride.into());
        share.ran_at = self.clock;
        self.by_age.move_to_end(task);
        self.resting.push(task);
    }

    /// Advances the elastic clock by `delta`, but not beyond the time when the next task expires.
    fn advance_clock(&mut self, delta: Nanos, expiry: Nanos) {
        let end = self.clock + delta;
        let expires = self.by_age.front().map_or(end, |oldest| {
            self.records[oldest.index as usize].ran_at + expiry.max(self.fastest)
        });
        self.clock = expires.clamp(self.clock, end);
    }

    fn remove(&mut self, task: TaskId) {
        if self.by_age.remove(task) {
            self.by_pass.remove(task);
            self.resting.remove(task);
            let share = std::mem::take(&mut self.records[task.index as usize]);
            self.demand -= f64::from(share.demand);
            self.demanding -= usize::from(share.demand > 0.0);
        } else {
            self.newborns.remove(task);
        }
    }
}

saved_fields! {
    WeightedShare { admission, shares, left_no_room, last_runs, was_stopped; except expiry }
    Shares {
        newborns, resting, by_pass, records, by_age, virtual_time, virtual_fraction, demand, demanding, allowance, clock,
        next_review;
        except strides, fastest
    }
    Share { pass, stride, demand, ran_at }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::testing::{TestWorld, log_normal_costs};

    const FRAME: Nanos = Nanos::from_nanos(16_666_667);
    const COST: Nanos = Nanos::from_micros(80);
    const TASKS: usize = 1000;

    /// Returns the weights of tasks that are spread over a plane of 1 by 0.5, for a target at this position.
    fn weights(target: (f64, f64)) -> Vec<f64> {
        let weight = |task: usize| {
            let x = ((task % 45) as f64 + 0.5) / 45.0 - target.0;
            let y = 0.5 * ((task / 45) as f64 + 0.5) / 23.0 - target.1;
            let distance = x.hypot(y) / 0.15;
            if distance > 1.0 {
                1.0 / (distance * distance)
            } else {
                1.0
            }
        };
        (0..TASKS).map(weight).collect()
    }

    /// Returns the weights of tasks in `count` classes. The first class has weight 1 and `percent` % of the tasks.
    /// The weights of the other classes fall to 0.05.
    fn classes(count: usize, percent: usize) -> Vec<f64> {
        let first = TASKS * percent / 100;
        let weight = |task: usize| {
            let class = if task < first || count == 1 {
                0
            } else {
                1 + (task - first) * (count - 1) / (TASKS - first)
            };
            0.05_f64.powf(class as f64 / (count - 1).max(1) as f64)
        };
        (0..TASKS).map(weight).collect()
    }

    /// Creates a world of 1,000 tasks with the given weights. The budget of an update is enough for 50 of them.
    fn world_of(weights: Vec<f64>, exponent: f64, spread: f64) -> TestWorld<WeightedShare> {
        let strategy = WeightedShare::new(COST_OF_FRAME.into())
            .with_share_exponent(exponent)
            .with_expiry(Duration::ZERO);
        let mut world = TestWorld::new(strategy, TASKS);
        world.weights = weights;
        world.costs = log_normal_costs(TASKS, COST, spread);
        world
    }

    /// Creates a world with a target at rest.
    fn world(exponent: f64, spread: f64) -> TestWorld<WeightedShare> {
        world_of(weights((0.4, 0.2)), exponent, spread)
    }

    const COST_OF_FRAME: Nanos = Nanos::from_millis(4);

    struct Staleness {
        /// Mean weighted staleness, divided by the smallest possible mean.
        over_minimum: f64,
        /// Largest weighted staleness in seconds.
        worst: f64,
    }

    /// Squares the current staleness of each task, in seconds, and returns half of the weighted sum.
    fn weighted_squares(world: &TestWorld<WeightedShare>) -> f64 {
        let squares = world.weights.iter().enumerate().map(|(index, weight)| {
            let task = world.tasks.at(index as u32).unwrap();
            let stale = (world.now - world.tasks.last_run(task).unwrap()).as_secs_f64();
            weight * stale * stale / 2.0
        });
        squares.sum()
    }

    /// Measures the staleness during 2,000 updates, after 500 updates to warm up.
    fn staleness(mut world: TestWorld<WeightedShare>) -> Staleness {
        for _ in 0..500 {
            world.update(FRAME);
        }
        let start = world.now;
        // Subtract the staleness from before the measurement, because the first run of each task will add it.
        let mut integral = -weighted_squares(&world);
        let (mut worst, mut spent) = (0.0_f64, Nanos::ZERO);
        for _ in 0..2000 {
            for (index, elapsed) in world.update_elapsed(FRAME) {
                let (weight, elapsed) = (world.weights[index as usize], elapsed.as_secs_f64());
                integral += weight * elapsed * elapsed / 2.0;
                worst = worst.max(weight * elapsed);
                spent += world.costs[index as usize];
            }
        }
        integral += weighted_squares(&world);
        let time = world.now - start;
        let pairs = || world.weights.iter().zip(&world.costs);
        let sum: f64 = pairs().map(|(w, c)| (w * c.as_secs_f64()).sqrt()).sum();
        let all: f64 = world.weights.iter().sum();
        let share = spent.over(time);
        let minimum = sum * sum / (2.0 * share * all);
        Staleness {
            over_minimum: integral / time.as_secs_f64() / all / minimum,
            worst,
        }
    }

    #[test]
    fn the_mean_weighted_staleness_is_nearly_minimal() {
        let near = weights((0.4, 0.2));
        let mut cases = vec![(near.clone(), 2.0, 0.0, 1.02)];
        cases.extend([(near.clone(), 2.0, 0.9, 1.03), (near, 1.5, 0.0, 1.04)]);
        for (count, percent) in [(1, 100), (2, 1), (2, 10), (2, 60), (3, 5), (5, 2), (5, 30)] {
            cases.push((classes(count, percent), 2.0, 0.0, 1.02));
        }
        for (number, (weights, exponent, spread, most)) in cases.into_iter().enumerate() {
            let ratio = staleness(world_of(weights, exponent, spread)).over_minimum;
            assert!((0.98..most).contains(&ratio), "case {number}: {ratio}");
        }
    }

    #[test]
    fn a_small_exponent_has_the_smallest_worst_case() {
        for spread in [0.0, 0.9] {
            let worst = [1.0, 1.5, 2.0].map(|exponent| staleness(world(exponent, spread)).worst);
            assert!(worst[0] < worst[1] && worst[0] < worst[2], "{worst:?}");
        }
    }

    #[test]
    fn the_intervals_of_classes_follow_the_weights() {
        for (exponent, percent) in [1.0, 1.5, 2.0]
            .into_iter()
            .flat_map(|exponent| [1, 10, 50, 90, 99].map(|percent| (exponent, percent)))
        {
            for count in 1..=5 {
                let weights = classes(count, percent);
                // All costs are equal, so strides are proportional to w^(-1/p), and 50 tasks run in each update.
                let rate = |weight: f64| weight.powf(1.0 / exponent);
                let rates: f64 = weights.iter().map(|weight| rate(*weight)).sum();

                let mut world = world_of(weights.clone(), exponent, 0.0);
                world.strategy.set_fastest(Duration::ZERO);
                world.runs_in(800, FRAME);
                let ran: Vec<(u32, Nanos)> = (0..1200)
                    .flat_map(|_| world.update_elapsed(FRAME))
                    .collect();
                for class in weights.chunk_by(|one, other| one == other) {
                    let own = ran.iter().filter(|run| weights[run.0 as usize] == class[0]);
                    let frames: Vec<f64> = own.map(|run| run.1.over(FRAME)).collect();
                    let mean = frames.iter().sum::<f64>() / frames.len() as f64;
                    let ratio = mean / (rates / rate(class[0]) / 50.0);
                    let what = format!("{exponent} {percent} {count} {}", class[0]);
                    assert!((ratio - 1.0).abs() < 0.05, "{what}: {ratio}");
                }
            }
        }
    }

    #[test]
    fn with_time_to_spare_the_runs_are_spread_over_the_updates() {
        for delta in [Nanos::from_millis(5), Nanos::from_millis(10), FRAME] {
            for weights in [vec![1.0; TASKS], classes(2, 10)] {
                let mut world = world_of(weights, 1.5, 0.0);
                world.costs = vec![Nanos::from_micros(1); TASKS];
                world.runs_in(20, delta);
                let runs = world.runs_in(200, delta);
                // A round of all tasks takes 50 ms.
                let wanted = TASKS as f64 * delta.over(FASTEST);
                let is_even = |runs: usize| (runs as f64 - wanted).abs() <= 2.0;
                assert!(runs.iter().all(|&runs| is_even(runs)), "{delta}: {runs:?}");
            }
        }
    }

    #[test]
    fn a_target_that_jumps_finds_its_surroundings_awake() {
        let mut world = world(1.0, 0.0);
        (0..500).for_each(|_| drop(world.update(FRAME)));
        world.weights = weights((0.9, 0.4));
        // All tasks are reviewed within 16 updates. After that, those near the target run within a few updates.
        let mut left: Vec<u32> = (0..TASKS as u32)
            .filter(|&task| world.weights[task as usize] == 1.0)
            .collect();
        assert!(left.len() > 50);
        let mut updates = 0;
        while !left.is_empty() {
            let ran = world.update(FRAME);
            left.retain(|task| !ran.contains(task));
            updates += 1;
        }
        assert!(updates < 25, "{updates}");
    }

    #[test]
    fn no_task_runs_before_it_has_rested() {
        let mut world = world(1.5, 0.9);
        world.strategy.admission.budget = Nanos::from_millis(200);
        let fastest = Nanos::from_millis(50);
        let mut runs = 0;
        for update in 0..100 {
            let delta = Nanos::from_millis(5 + update % 7 * 4);
            for (_, elapsed) in world.update_elapsed(delta) {
                assert!(elapsed >= fastest, "{elapsed}");
                runs += 1;
            }
        }
        assert!(runs > 20_000, "{runs}");
    }

    #[test]
    fn expired_tasks_go_first_with_half_of_the_budget() {
        // Forty tasks of weight 1 use up the budget of ten runs, so the other thirty run mostly because they expire.
        let strategy = WeightedShare::new(Duration::from_millis(1)).with_share_exponent(1.0);
        let mut world = TestWorld::new(strategy.with_expiry(Duration::from_secs(1)), 70);
        world.cost = Nanos::from_micros(100);
        world.weights = (0..70).map(|task| f64::from(u8::from(task < 40))).collect();
        let mut waits = Vec::new();
        for _ in 0..600 {
            let ran = world.update_elapsed(FRAME);
            let expired = ran.iter().filter(|run| run.1 >= Nanos::SECOND);
            assert!(expired.clone().count() <= 5);
            let first = ran.iter().take(expired.clone().count());
            assert!(first.eq(expired.clone()), "expired tasks run first");
            waits.extend(ran.iter().filter(|run| run.0 >= 40).map(|run| run.1));
        }
        assert!(waits.len() > 200);
        // Up to five expired tasks run in each update, so thirty tasks need at most six updates.
        assert!(waits.iter().all(|&wait| wait < Nanos::from_millis(1120)));

        world.strategy = WeightedShare::new(Duration::from_millis(1)).with_expiry(Duration::ZERO);
        (0..70).for_each(|index| world.strategy.insert(world.tasks.at(index).unwrap()));
        world.update(Nanos::from_secs(2));
        let light = (0..600)
            .flat_map(|_| world.update(FRAME))
            .filter(|&task| task >= 40);
        assert!(light.count() < 60);
    }

    #[test]
    fn the_elastic_clock_shows_how_long_expired_tasks_wait() {
        // All tasks together need a third of the expiry time, and in the other two cases three times the expiry time.
        for (tasks, expiry_ms, stretch) in [(1000, 1000, 1.0), (1000, 111, 3.0), (3000, 333, 3.0)] {
            let strategy = WeightedShare::new(COST_OF_FRAME.into());
            let strategy = strategy.with_expiry(Duration::from_millis(expiry_ms));
            let mut world = TestWorld::new(strategy, tasks);
            world.cost = COST;
            (0..400).for_each(|_| drop(world.update(FRAME)));
            let start = world.strategy.shares.clock;
            (0..1200).for_each(|_| drop(world.update(FRAME)));
            let passed = world.strategy.shares.clock - start;
            let measured = Nanos::from_nanos(1200 * FRAME.as_nanos()).over(passed);
            assert!(
                (measured / stretch - 1.0).abs() < 0.15,
                "{measured} {stretch}"
            );
        }
    }

    #[test]
    fn a_switch_hides_no_expired_task_behind_a_fresh_one() {
        // Under the previous strategy, the first forty tasks ran just now, and the other forty were born 10 s ago.
        let strategy = || {
            let strategy =
                WeightedShare::new(Duration::from_millis(1)).with_expiry(Duration::from_secs(1));
            strategy.with_fastest(Duration::ZERO)
        };
        let mut world = TestWorld::new(strategy(), 80);
        world.cost = Nanos::from_micros(100);
        world.weights = (0..80).map(|task| f64::from(u8::from(task < 40))).collect();
        world.now += Nanos::from_secs(10);
        let tasks: Vec<TaskId> = world.tasks.iter().collect();
        for &task in &tasks[..40] {
            world.tasks.ran(task, world.now);
        }
        world.strategy = strategy();
        for &task in &tasks {
            world.strategy.insert(task);
        }
        for _ in 0..8 {
            let ran = world.update_elapsed(FRAME);
            let expired = ran.iter().filter(|run| run.1 >= Nanos::SECOND);
            assert_eq!(expired.count(), 5, "half of the budget: {ran:?}");
        }
    }

    #[test]
    fn expired_tasks_leave_room_for_expensive_ones() {
        // In every update, expired tasks of a large crowd use up half of the budget. A run of one of the five most
        // important tasks costs more than the other half.
        let runs_of_important = |expiry: Duration, important_cost| {
            let strategy = WeightedShare::new(COST_OF_FRAME.into()).with_expiry(expiry);
            let mut world = TestWorld::new(strategy, 6000);
            world.cost = Nanos::from_micros(100);
            world.costs = vec![important_cost; 5];
            world.weights = (0..6000)
                .map(|task| if task < 5 { 1.0 } else { 0.01 })
                .collect();
            (0..500).for_each(|_| drop(world.update(FRAME)));
            let mut spent = Nanos::ZERO;
            let mut runs = 0;
            for _ in 0..1000 {
                spent += world.time_of_update(FRAME);
                let five = world.tasks.iter().take(5);
                runs += five
                    .filter(|&task| world.tasks.last_run(task) == Some(world.now))
                    .count();
            }
            (runs, spent.over(COST_OF_FRAME) / 1000.0)
        };
        for cost in [2500, 3900, 6000].map(Nanos::from_micros) {
            let (usual, _) = runs_of_important(Duration::ZERO, cost);
            let (runs, spent) = runs_of_important(Duration::from_secs(1), cost);
            assert!(3 * runs > 2 * usual, "{cost}: {runs} instead of {usual}");
            assert!(spent > 0.8, "{cost}: {spent} budgets");
        }
    }
}
