//! The tasks and their passes.

use crate::scheduler::{
    Estimates, Strides, TaskId, TimeSlice, TimerWheel, UniqueQueue, UpdateContext,
};
use crate::time::Nanos;

/// All tasks and their passes.
#[derive(Clone, Debug)]
pub(super) struct Shares {
    pub(super) strides: Strides,
    pub(super) fastest: Nanos,
    /// Tasks that have not been given a pass.
    pub(super) newborns: UniqueQueue,
    /// Tasks that ran less than the shortest interval ago, in the order of their runs.
    resting: UniqueQueue,
    /// The other tasks, by pass.
    pub(super) waiting: TimerWheel,
    /// All tasks, in the order of their runs.
    by_age: UniqueQueue,
    /// By task index.
    passes: Vec<Pass>,
    /// The largest pass that has run.
    virtual_time: u64,
    /// Number of tasks.
    pub(super) population: usize,
    /// Index of the first task to review in the next update.
    next_review: u32,
}

/// A task's pass is the sum of both.
#[derive(Clone, Copy, Debug, Default)]
struct Pass {
    /// The virtual time of the task's last run.
    start: u64,
    stride: u64,
}

impl Pass {
    fn end(self) -> u64 {
        self.start.saturating_add(self.stride)
    }
}

/// Number of waiting tasks that are offered to the budget at once.
pub(super) const TURNS: usize = 16;
/// Minimum number of tasks to review in an update.
pub(super) const LEAST_REVIEWED: usize = 64;
/// A review moves a task if its stride has changed by this share or more.
const CHANGED_SHARE: u64 = 8;

/// Returns the time since the last run of `task`, or the longest time if it is dead.
fn age(task: TaskId, context: &UpdateContext<'_>) -> Nanos {
    let last_run = context.tasks().last_run(task);
    last_run.map_or(Nanos::MAX, |last_run| context.now() - last_run)
}

impl Shares {
    /// Creates the passes of no tasks.
    pub(super) fn new(exponent: f64, fastest: Nanos) -> Self {
        Self {
            strides: Strides::new(exponent),
            fastest,
            newborns: UniqueQueue::new(),
            resting: UniqueQueue::new(),
            waiting: TimerWheel::new(),
            by_age: UniqueQueue::new(),
            passes: Vec::new(),
            virtual_time: 0,
            population: 0,
            next_review: 0,
        }
    }

    /// Adds a newborn task.
    pub(super) fn insert(&mut self, task: TaskId) {
        if self.by_age.push(task) {
            self.newborns.push(task);
            self.population += 1;
        }
    }

    /// Returns the stride of a task with this cost and its present weight.
    fn stride(&self, task: TaskId, cost: Nanos, context: &UpdateContext<'_>) -> u64 {
        self.strides.of(cost, context.weight(task))
    }

    /// Gives passes to newborn tasks. Their births count as runs.
    pub(super) fn admit_newborns(&mut self, costs: &Estimates, context: &UpdateContext<'_>) {
        while let Some(task) = self.newborns.pop() {
            let index = task.index as usize;
            if index >= self.passes.len() {
                self.passes.resize(index + 1, Pass::default());
            }
            self.passes[index] = Pass {
                start: self.virtual_time,
                stride: self.stride(task, costs.of(task), context),
            };
            if age(task, context) < self.fastest {
                self.resting.push(task);
            } else {
                self.waiting.push(task, self.passes[index].end());
            }
        }
    }

    /// Moves the tasks that have rested to those that wait.
    pub(super) fn wake(&mut self, context: &UpdateContext<'_>) {
        while let Some(task) = self.resting.front()
            && age(task, context) >= self.fastest
        {
            self.resting.pop();
            let pass = self.passes[task.index as usize];
            self.waiting.push(task, pass.end());
        }
    }

    /// Asks again for the weights of `count` tasks, and moves those whose strides have changed.
    pub(super) fn review(&mut self, count: usize, costs: &Estimates, context: &UpdateContext<'_>) {
        let count = count.min(self.population) as u64;
        let mut next_review = self.next_review;
        for task in context.tasks().in_rotation(&mut next_review, count) {
            if !self.waiting.contains(task) {
                continue; // a resting task has been asked a moment ago
            }
            let stride = self.stride(task, costs.of(task), context);
            let pass = &mut self.passes[task.index as usize];
            if stride.abs_diff(pass.stride) >= (pass.stride / CHANGED_SHARE).max(1) {
                pass.stride = stride;
                self.waiting.push(task, pass.end());
            }
        }
        self.next_review = next_review;
    }

    /// Runs tasks that have not run for `expiry`, while the update spends at most `budget`. Returns false if none has run.
    pub(super) fn run_expired(
        &mut self,
        expiry: Nanos,
        budget: Nanos,
        slice: &mut TimeSlice<'_, '_>,
    ) -> bool {
        let expiry = expiry.max(self.fastest);
        let mut any_ran = false;
        loop {
            let mut expired = [TaskId::NONE; TURNS];
            let oldest = self.by_age.iter();
            let oldest = oldest.take_while(|&task| age(task, slice.context()) >= expiry);
            let expired = TaskId::fill(&mut expired, oldest);
            let weights: [f64; TURNS] = slice.context().weights(expired);
            let taken = slice.run_within(budget, expired);
            if taken == 0 {
                return any_ran;
            }
            any_ran = true;
            for (&task, &weight) in expired[..taken].iter().zip(&weights) {
                self.waiting.remove(task);
                self.resting.remove(task); // there if the tasks ran in another strategy before
                self.rest(task, weight, slice);
            }
        }
    }

    /// Runs the waiting tasks with the smallest passes, at most `most` of them. Returns false if there is none, or if the
    /// budget has no room for the first.
    pub(super) fn run_waiting(&mut self, most: usize, slice: &mut TimeSlice<'_, '_>) -> bool {
        let mut first = [None; TURNS];
        first[..most].fill_with(|| self.waiting.pop());
        let tasks = first.map(|next| next.map_or(TaskId::NONE, |(task, _)| task));
        let tasks = &tasks[..first.iter().flatten().count()];
        let weights: [f64; TURNS] = slice.context().weights(tasks);
        let taken = slice.run(tasks);
        for (&(task, pass), &weight) in first[..taken].iter().flatten().zip(&weights) {
            self.virtual_time = self.virtual_time.max(pass);
            self.rest(task, weight, slice);
        }
        for &(task, pass) in first[taken..].iter().flatten().rev() {
            self.waiting.push(task, pass);
        }
        taken > 0
    }

    /// Lets a task of this weight rest after its turn.
    fn rest(&mut self, task: TaskId, weight: f64, slice: &mut TimeSlice<'_, '_>) {
        if !slice.context().tasks().contains(task) {
            self.remove(task);
            return;
        }
        self.passes[task.index as usize] = Pass {
            start: self.virtual_time,
            stride: self.strides.of(slice.estimate(task), weight),
        };
        self.by_age.move_to_end(task);
        self.resting.push(task);
    }

    pub(super) fn remove(&mut self, task: TaskId) {
        if self.by_age.remove(task) {
            self.population -= 1;
            self.newborns.remove(task);
            self.resting.remove(task);
            self.waiting.remove(task);
        }
    }
}
