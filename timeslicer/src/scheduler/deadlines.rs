use super::{PriorityQueue, TaskId, UniqueQueue, UpdateContext, saved_fields};
use crate::time::Nanos;

/// The intervals and due times of tasks, for strategies in which a task's interval depends on its weight.
///
/// The interval of a task with weight w is `fastest / w`, but at most `slowest`. The task is due one interval after its
/// previous due time, not after its run, so the errors from rounding to whole updates do not accumulate. If it is more
/// than an interval late, it skips whole intervals. The first due times of newborn tasks are spread over their
/// intervals, so that tasks that are born together do not run together. If an interval grows, the change takes effect
/// at the task's next run, so that a due time is never postponed. The first wait after such a change is between the old
/// interval and the new one, so that tasks do not begin to run together. For the same reason, if an interval becomes so
/// short that the task would be overdue, the task is due within the new interval from now.
///
/// Weights change all the time, but no update looks at all tasks. The game is asked for the weight of a task when the
/// task is born and just before each run. In addition, each update asks for the weights of the next few tasks, and
/// successive updates go through all tasks. The number of these tasks is the number of runs in the last update, but at
/// least 64. Interval changes smaller than the *hysteresis* are ignored.
///
/// All times are in nanoseconds on a clock of the strategy's choice, which must not run backwards.
#[derive(Clone, Debug)]
pub struct Deadlines {
    pub(crate) fastest: Nanos,
    /// The longest interval. Tasks with weight 0 have this interval.
    pub(crate) slowest: Nanos,
    /// The smallest change of an interval that has an effect, as a fraction of the interval: 0.1 means 10 %.
    pub hysteresis: f64,
    /// The tasks that are not due yet, ordered by due time.
    upcoming: PriorityQueue,
    /// The tasks that are due, in the order in which they run. If more than [`MOST_COLLECTED`] tasks become due at
    /// once, some of them are still in `upcoming`.
    due: UniqueQueue,
    /// The time at which the current update ends, on the strategy's clock.
    end: u64,
    /// The data about each task, indexed by [`TaskId::index`].
    records: Vec<Record>,
    /// Newborn tasks that have no due time yet.
    newborn: UniqueQueue,
    /// The start of the first update that had these newborn tasks. Their waits count from this time.
    newborn_since: Option<u64>,
    /// Tasks that have run and have no new due time yet, each with its weight just before the run.
    ran: Vec<(TaskId, f64)>,
    /// The task index at which the next call of [`Deadlines::review`] begins.
    next_review: u32,
    runs: usize,
    /// The number of task indices that [`Deadlines::review`] still has to check because `fastest` or `slowest` has
    /// changed.
    outdated: u64,
}

/// The data about a task. Two records fill a cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Record {
    due: u64,
    interval: Nanos,
    /// The time between the task's previous due time and its current one. It equals the task's interval, unless the
    /// task has not run yet or its interval has just changed.
    wait: Nanos,
    has_run: bool,
}

/// The maximum number of tasks that move to the queue of due tasks at once.
const MOST_COLLECTED: u32 = 8192;

/// The minimum number of task indices that each update checks for changed weights.
const LEAST_REVIEWS: u64 = 64;

/// The maximum number of newborn tasks that get their due times in one update. Without a limit, an update could take
/// too long.
const MOST_SCHEDULED: usize = 8192;

/// Intervals from 50 ms to 1 s, with a hysteresis of 10 %.
impl Default for Deadlines {
    fn default() -> Self {
        Self {
            fastest: Nanos::from_millis(50),
            slowest: Nanos::from_secs(1),
            hysteresis: 0.1,
            upcoming: PriorityQueue::default(),
            due: UniqueQueue::default(),
            end: 0,
            records: Vec::new(),
            newborn: UniqueQueue::default(),
            newborn_since: None,
            ran: Vec::new(),
            next_review: 0,
            runs: 0,
            outdated: 0,
        }
    }
}

impl Deadlines {
    /// Returns the shortest interval. Tasks with weight 1 have this interval.
    pub fn fastest(&self) -> Nanos {
        self.fastest.min(self.slowest)
    }

    /// Changes the shortest and the longest interval. The due times of the tasks change gradually, over a period as
    /// long as the new `slowest`. As a result, shorter intervals do not make many tasks due at once, and no update has
    /// to look at all tasks.
    pub fn set_intervals(&mut self, fastest: Nanos, slowest: Nanos) {
        if (fastest, slowest) != (self.fastest, self.slowest) {
            self.fastest = fastest;
            self.slowest = slowest;
            self.next_review = 0; // tasks born later may have larger indices
            self.outdated = self.records.len() as u64;
        }
    }

    /// Returns the interval of a task with this weight: `fastest` divided by the weight, but at most `slowest`.
    pub fn interval_at(fastest: Nanos, slowest: Nanos, weight: f64) -> Nanos {
        if weight > 0.0 {
            Nanos::from_nanos_f64(fastest.as_nanos() as f64 / weight).min(slowest)
        } else {
            slowest
        }
    }

    /// Adds a newborn task.
    pub fn insert(&mut self, task: TaskId) {
        self.record(task);
        self.newborn.push(task);
    }

    fn record(&mut self, task: TaskId) -> &mut Record {
        task.entry_in(&mut self.records, Record::default())
    }

    /// Removes a dead task.
    pub fn remove(&mut self, task: TaskId) {
        if !self.upcoming.remove(task) && !self.due.remove(task) {
            self.newborn.remove(task);
        }
    }

    /// Returns the number of tasks.
    pub fn count(&self) -> usize {
        self.upcoming.len() + self.due.len() + self.newborn.len()
    }

    /// Returns the number of tasks that are due and have not run yet. If very many become due at once, some of them are
    /// not counted until a few updates later.
    pub fn waiting(&self) -> usize {
        self.due.len()
    }

    /// Returns the due time of the first task in the queue of due tasks, or `None` if no task is due. A task that
    /// becomes due while others are waiting is added at the end of the queue, even if its due time is earlier.
    pub fn first_due(&self) -> Option<u64> {
        let first = self.due.front()?;
        Some(self.records[first.index as usize].due)
    }

    /// Begins an update in which the clock advances from `start` to `end`. Determines the first due times of newborn
    /// tasks, asks for the weights of some other tasks, and finds the tasks that are due.
    pub fn begin_update(&mut self, context: &UpdateContext<'_>, start: u64, end: u64) {
        self.schedule_newborn(context, start);
        self.review(context, start, end);
        self.end = end;
        self.collect_due();
        self.runs = 0;
    }

    /// Moves the tasks that are due to the queue of due tasks, at most [`MOST_COLLECTED`] of them, so that no update takes
    /// long when a million tasks become due at once.
    fn collect_due(&mut self) {
        for _ in 0..MOST_COLLECTED {
            let Some((task, _)) = self.upcoming.pop_until(self.end) else {
                break;
            };
            self.due.push(task);
        }
    }

    fn schedule_newborn(&mut self, context: &UpdateContext<'_>, start: u64) {
        let since = *self.newborn_since.get_or_insert(start);
        for _ in 0..MOST_SCHEDULED {
            let Some(task) = self.newborn.pop() else {
                break;
            };
            let weight = context.weight(task);
            let interval = Self::interval_at(self.fastest, self.slowest, weight);
            let longest = interval.as_nanos();
            let wait = longest - phase(task, longest);
            let due = since.saturating_add(wait).max(start);
            *self.record(task) = Record {
                due,
                interval,
                wait: Nanos::from_nanos(wait),
                has_run: false,
            };
            self.upcoming.push(task, due);
        }
        if self.newborn.is_empty() {
            self.newborn_since = None;
        }
    }

    /// Asks the game for the weights of the next few tasks. Each call continues where the previous call ended, so that
    /// all tasks are checked in turn. If a task's weight has grown, the task gets a shorter interval.
    fn review(&mut self, context: &UpdateContext<'_>, start: u64, end: u64) {
        let indices = u64::from(context.tasks().end());
        // After the intervals have changed, review all tasks within a time of `slowest`.
        let passed = Nanos::from_nanos(end - start).over(self.slowest);
        let outdated = (passed * indices as f64).ceil() as u64;
        let count = LEAST_REVIEWS
            .max(self.runs as u64)
            .max(outdated.min(self.outdated))
            .min(indices);
        let is_outdated = self.outdated > 0;
        self.outdated = self.outdated.saturating_sub(count);
        let mut next_review = self.next_review;
        for task in context.tasks().in_rotation(&mut next_review, count) {
            let Some(&Record { interval: old, .. }) = self.records.get(task.index as usize) else {
                continue;
            };
            let weight = context.weight(task);
            let mut new = self.interval_after(old, weight);
            if new > old {
                continue; // `set_next` lengthens intervals
            }
            if is_outdated && new == old {
                new = Self::interval_at(self.fastest, self.slowest, weight); // however small the change
            }
            let is_waiting = self.upcoming.contains(task);
            let record = &mut self.records[task.index as usize];
            record.interval = new;
            if new < old && is_waiting {
                // If the task has run, its wait becomes the new interval. If it has not run yet, shift its due time
                // by the difference, so that newborn tasks remain spread out.
                let saved = if record.has_run {
                    record.wait.saturating_sub(new)
                } else {
                    old - new
                };
                let mut sooner = record.due.saturating_sub(saved.as_nanos());
                if sooner < start {
                    // No spread is needed after `set_intervals`, because the reviews are spread over many updates.
                    let spread = if is_outdated { 0 } else { new.as_nanos() };
                    sooner = record.due.min(start.saturating_add(phase(task, spread)));
                }
                let saved = Nanos::from_nanos(record.due.saturating_sub(sooner));
                record.wait = record.wait.saturating_sub(saved);
                record.due = sooner;
                self.upcoming.push(task, sooner);
            }
        }
        self.next_review = next_review;
    }

    /// Runs up to `COUNT` due tasks by calling `run`. Returns the number of tasks that have been handled, or zero if no
    /// task is due. Call [`Deadlines::set_next`] at the end of the update.
    ///
    /// The closure must return the weights of the tasks and the number of tasks that it has handled.
    pub fn run_next<const COUNT: usize>(
        &mut self,
        run: impl FnOnce(&[TaskId]) -> ([f64; COUNT], usize),
    ) -> usize {
        if self.due.is_empty() {
            self.collect_due();
        }
        let mut batch = [TaskId::NONE; COUNT];
        let due = self.due.first(&mut batch);
        if due.is_empty() {
            return 0;
        }
        let (weights, taken) = run(due);
        self.ran.extend(due[..taken].iter().copied().zip(weights));
        self.due.pop_first(taken);
        self.runs += taken;
        taken
    }

    /// Determines the next due time of each task that has run since the last call. `now` is the current time on the
    /// strategy's clock, and `least` is a lower limit for all intervals.
    pub fn set_next(&mut self, context: &UpdateContext<'_>, now: u64, least: Nanos) {
        let mut ran = std::mem::take(&mut self.ran);
        for (task, weight) in ran.drain(..) {
            if !context.tasks().contains(task) {
                continue;
            }
            let Record { interval, due, .. } = *self.record(task);
            let changed = self.interval_after(interval, weight);
            let [old, new] = [interval, changed].map(|it| it.max(least).as_nanos());
            let mut wait = if new > old {
                old + phase(task, new - old)
            } else {
                new
            };
            let mut due = due.min(now).saturating_add(wait);
            // With an interval of zero, `due` is not moved past `now`, so that the task is due in the next update.
            if due <= now
                && let Some(missed) = (now - due).checked_div(new)
            {
                due = due.saturating_add((missed + 1).saturating_mul(new));
                wait = new;
            }
            *self.record(task) = Record {
                due,
                interval: changed,
                wait: Nanos::from_nanos(wait),
                has_run: true,
            };
            self.upcoming.push(task, due);
        }
        self.ran = ran;
    }

    /// Returns the new interval of a task with this weight. If the change is smaller than the hysteresis, returns the
    /// `present` interval.
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

saved_fields! {
    Record { due, interval, wait, has_run }
    Deadlines {
        fastest, slowest, upcoming, due, records, newborn, newborn_since, next_review, runs, outdated;
        except hysteresis, end, ran
    }
}

/// Returns a time between zero and `interval` that is different for each task, so that the tasks are spread over the
/// interval.
fn phase(task: TaskId, interval: u64) -> u64 {
    // The multiples of the golden ratio are spread evenly for any range of indices.
    const GOLDEN: u32 = 0x9E37_79B9;
    let fraction = u128::from(task.index.wrapping_mul(GOLDEN));
    ((u128::from(interval) * fraction) >> 32) as u64
}
