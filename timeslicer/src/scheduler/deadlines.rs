//! Deadlines: when each task is due, after an interval that follows from its weight.

use super::{TaskId, TimerWheel, TurnOrder, UniqueQueue, UpdateContext};
use crate::time::Nanos;

/// The intervals and due times of tasks. It is shared by the strategies that give each task an interval by its weight.
///
/// A task of weight w has the interval `fastest / w`, but `slowest` at most. It is due one interval after it was due
/// last, so rounding to whole updates does not add up; a task that is more than an interval late skips whole intervals.
/// The first due times of newborn tasks are spread over their intervals, so that tasks which are born together do not
/// run together. An interval that grows does so at the task's next run, so that a due time is never put off; the task is
/// then due once after a time between the old interval and the new one, so that tasks do not begin to run together.
///
/// Weights change all the time, but no update looks at all tasks. The game is asked for the weight of a task when it is
/// born and just before each run. In addition, each update reviews the next few tasks in turn: as many as the last
/// update has run, and at least 64. A change of an interval by less than the *hysteresis* is ignored.
///
/// Times are nanoseconds on a clock of the strategy's choice, which must not run backwards.
#[derive(Clone, Debug)]
pub struct Deadlines {
    fastest: Nanos,
    slowest: Nanos,
    /// Share of an interval by which it must change.
    hysteresis: f64,
    /// Tasks that are not due yet, by due time.
    wheel: TimerWheel,
    /// Tasks that are due.
    due: UniqueQueue,
    /// By task index.
    records: Vec<Record>,
    /// Tasks whose weights are not known yet. Some may be dead.
    newborn: Vec<TaskId>,
    /// Index of the task that is reviewed next.
    next_review: u32,
    /// Number of runs in the last update.
    runs: usize,
    /// After a change of `fastest` or `slowest`, the number of task indices that have yet to be reviewed, and the number
    /// at the change.
    outdated: (u64, u64),
}

#[derive(Clone, Copy, Debug, Default)]
struct Record {
    interval: Nanos,
    /// Time between the last due time and the present one. It differs from the interval while that changes, and before
    /// the first run.
    wait: Nanos,
    /// When the task became due; valid while it is in `due`, and until its next due time is set. [`NEVER`] before it has
    /// become due.
    due: u64,
}

/// Number of tasks whose weights are asked at once.
const BATCH: usize = 64;
/// Least number of tasks that an update reviews.
const LEAST_REVIEWS: u64 = 64;
/// Interval of a newborn task.
const UNKNOWN: Nanos = Nanos::MAX;
/// When a task last became due that has not become due yet.
const NEVER: u64 = u64::MAX;

impl Deadlines {
    /// Gives tasks intervals from `fastest`, at weight 1, to `slowest`. There is no hysteresis.
    pub fn new(fastest: Nanos, slowest: Nanos) -> Self {
        Self {
            fastest,
            slowest,
            hysteresis: 0.0,
            wheel: TimerWheel::new(),
            due: UniqueQueue::new(),
            records: Vec::new(),
            newborn: Vec::new(),
            next_review: 0,
            runs: 0,
            outdated: (0, 0),
        }
    }

    /// Returns the interval of a task of weight 0.
    pub fn slowest(&self) -> Nanos {
        self.slowest
    }

    /// Returns the interval of a task of weight 1.
    pub fn fastest(&self) -> Nanos {
        self.fastest.min(self.slowest)
    }

    /// Changes the intervals. The due times follow while the tasks are reviewed, all of them within the new `slowest`, so
    /// shorter intervals start no burst.
    pub fn set_intervals(&mut self, fastest: Nanos, slowest: Nanos) {
        if (fastest, slowest) != (self.fastest, self.slowest) {
            self.fastest = fastest;
            self.slowest = slowest;
            self.next_review = 0;
            self.outdated = (self.records.len() as u64, self.records.len() as u64);
        }
    }

    /// Ignores changes of an interval by less than this share of it: 0.1 is 10 %.
    pub fn set_hysteresis(&mut self, share: f64) {
        self.hysteresis = share;
    }

    /// Returns the interval of a task of this weight.
    pub fn interval_at(fastest: Nanos, slowest: Nanos, weight: f64) -> Nanos {
        if weight > 0.0 {
            Nanos::from_nanos_f64(fastest.as_nanos() as f64 / weight).min(slowest)
        } else {
            slowest
        }
    }

    /// Returns the present interval of `task`. Before the first update of its life, this is the longest interval.
    pub fn interval(&self, task: TaskId) -> Nanos {
        let record = self.records.get(task.index as usize);
        record.map_or(self.slowest, |record| record.interval.min(self.slowest))
    }

    /// Adds a newborn task.
    pub fn insert(&mut self, task: TaskId) {
        task.entry_in(&mut self.records, Record::default()).interval = UNKNOWN;
        self.newborn.push(task);
    }

    /// Removes a dead task.
    pub fn remove(&mut self, task: TaskId) {
        if !self.wheel.remove(task) {
            self.due.remove(task);
        }
    }

    /// Returns the number of tasks. Until the next update, it may include newborn tasks that have died again.
    pub fn len(&self) -> usize {
        self.wheel.len() + self.due.len() + self.newborn.len()
    }

    /// Returns true if there are no tasks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of tasks that are due.
    pub fn waiting(&self) -> usize {
        self.due.len()
    }

    /// Returns the first tasks that are due, at most `COUNT`, and the time between the last due time of each and the
    /// present one. That is its interval, unless the interval has just changed, or the task has not run yet. There are
    /// none only if no task is due.
    pub fn next_due<const COUNT: usize>(&self) -> (&[TaskId], [Nanos; COUNT]) {
        let tasks = self.due.next_turns(COUNT);
        let mut intervals = [Nanos::ZERO; COUNT];
        for (interval, &task) in intervals.iter_mut().zip(tasks) {
            *interval = self.records[task.index as usize].wait;
        }
        (tasks, intervals)
    }

    /// Removes the first `count` tasks that are due and have taken their turns: at most as many as
    /// [`Deadlines::next_due`] returned. Report them with [`Deadlines::have_run`].
    pub fn take_turns(&mut self, count: usize) {
        self.due.take_turns(count);
    }

    /// Returns the first task that is due, and when it became due. Tasks that become due while others wait come later,
    /// even if their due times are earlier.
    pub fn first_due(&self) -> Option<(TaskId, u64)> {
        let task = self.due.front()?;
        Some((task, self.records[task.index as usize].due))
    }

    /// Begins an update that advances the clock from `start` to `end`: gives newborn tasks their first due time, reviews
    /// some weights, and finds the tasks that are due.
    pub fn begin_update(&mut self, context: &UpdateContext<'_>, start: u64, end: u64) {
        self.welcome_newborn(context, start);
        self.review(context, start, end);
        while let Some((task, due)) = self.wheel.pop_until(end) {
            self.records[task.index as usize].due = due;
            self.due.push(task);
        }
        self.runs = 0;
    }

    fn welcome_newborn(&mut self, context: &UpdateContext<'_>, start: u64) {
        let mut newborn = std::mem::take(&mut self.newborn);
        newborn.retain(|&task| context.tasks().contains(task));
        for batch in newborn.chunks(BATCH) {
            for (&task, weight) in batch.iter().zip(context.weights::<BATCH>(batch)) {
                let interval = Self::interval_at(self.fastest, self.slowest, weight);
                let longest = interval.as_nanos();
                let wait = longest - phase(task, longest);
                let record = &mut self.records[task.index as usize];
                *record = Record {
                    interval,
                    wait: Nanos::from_nanos(wait),
                    due: NEVER,
                };
                self.wheel.push(task, start.saturating_add(wait));
            }
        }
        newborn.clear();
        self.newborn = newborn;
    }

    /// Asks for the weights of the next tasks in turn.
    fn review(&mut self, context: &UpdateContext<'_>, start: u64, end: u64) {
        let indices = u64::from(context.tasks().end());
        let (left, all) = self.outdated;
        let slowest = self.slowest.as_nanos();
        let share = if end - start < slowest {
            (u128::from(end - start) * u128::from(all)).div_ceil(slowest.into()) as u64
        } else {
            all
        };
        let count = LEAST_REVIEWS
            .max(self.runs as u64)
            .max(share.min(left))
            .min(indices);
        // New values of `fastest` and `slowest` apply however small the change.
        let is_outdated = left > 0;
        self.outdated.0 = if count == indices {
            0
        } else {
            left - left.min(count)
        };
        let (mut next_review, known) = (self.next_review, self.records.len());
        let reviewed = context.tasks().in_rotation(&mut next_review, count);
        let mut reviewed = reviewed.filter(|task| (task.index as usize) < known);
        loop {
            let mut batch = [TaskId::NONE; BATCH];
            let batch = TaskId::fill(&mut batch, &mut reviewed);
            if batch.is_empty() {
                break;
            }
            for (&task, weight) in batch.iter().zip(context.weights::<BATCH>(batch)) {
                let old = self.records[task.index as usize].interval;
                let new = self.interval_after(old, weight);
                let new = if is_outdated && new == old {
                    Self::interval_at(self.fastest, self.slowest, weight)
                } else if new > old {
                    continue; // see `have_run`
                } else {
                    new
                };
                let record = &mut self.records[task.index as usize];
                record.interval = new;
                if new < old
                    && let Some(due) = self.wheel.key(task)
                {
                    // A task that has run waits for the new interval; a newborn keeps its place among the others.
                    let saved = if record.due == NEVER {
                        old - new
                    } else {
                        record.wait - new
                    };
                    let sooner = due.saturating_sub(saved.as_nanos()).max(start);
                    record.wait -= Nanos::from_nanos(due.saturating_sub(sooner));
                    self.wheel.push(task, sooner);
                }
            }
        }
        drop(reviewed);
        self.next_review = next_review;
    }

    /// Runs the tasks that are due. If the update is stopped, the others remain due.
    pub fn run_due(&mut self, context: &mut UpdateContext<'_>, now: u64) {
        let mut ran = [TaskId::NONE; BATCH];
        while !self.due.is_empty() && !context.is_stopped() {
            let (next, intervals) = self.next_due::<BATCH>();
            let weights: [f64; BATCH] = context.weights(next);
            context.wanted(next, &intervals);
            let turns = context.run(next);
            ran[..turns.taken].copy_from_slice(&next[..turns.taken]);
            self.due.take_turns(turns.taken);
            self.have_run(context, &ran[..turns.taken], &weights, now, Nanos::ZERO);
        }
    }

    /// Sets the next due times of tasks that have run in this update, and had these weights just before. The clock now
    /// shows `now`. No task is due again within `least`.
    pub fn have_run(
        &mut self,
        context: &UpdateContext<'_>,
        tasks: &[TaskId],
        weights: &[f64],
        now: u64,
        least: Nanos,
    ) {
        let least = least.as_nanos();
        for (&task, &weight) in tasks.iter().zip(weights) {
            if !context.tasks().contains(task) {
                continue;
            }
            let Record { interval, due, .. } = self.records[task.index as usize];
            let changed = self.interval_after(interval, weight);
            let [old, new] = [interval, changed].map(|it| it.as_nanos().max(least));
            let mut wait = if new > old {
                old + phase(task, new - old)
            } else {
                new
            };
            let mut due = due.min(now).saturating_add(wait);
            // An interval of zero means the next update, even if it advances the clock by nothing.
            if due <= now
                && let Some(missed) = (now - due).checked_div(new)
            {
                due += (missed + 1) * new;
                wait = new;
            }
            let record = &mut self.records[task.index as usize];
            (record.interval, record.wait) = (changed, Nanos::from_nanos(wait));
            self.wheel.push(task, due);
        }
        self.runs += tasks.len();
    }

    /// Returns the interval of a task of this weight, or its present interval if the change is small.
    fn interval_after(&self, present: Nanos, weight: f64) -> Nanos {
        let new = Self::interval_at(self.fastest, self.slowest, weight);
        let change = new.as_nanos().abs_diff(present.as_nanos());
        let is_large = change as f64 >= self.hysteresis * present.as_nanos() as f64;
        if is_large || present > self.slowest {
            new
        } else {
            present
        }
    }
}

/// Returns a part of the interval that differs from task to task. Multiples of the golden ratio are spread evenly, for
/// any range of indices.
fn phase(task: TaskId, interval: u64) -> u64 {
    const GOLDEN: u32 = 0x9E37_79B9;
    let fraction = u128::from(task.index.wrapping_mul(GOLDEN));
    ((u128::from(interval) * fraction) >> 32) as u64
}
