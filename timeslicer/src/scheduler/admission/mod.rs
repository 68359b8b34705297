//! Admission: which tasks may start in an update with a time budget.

use super::{Estimates, TaskId, UpdateContext};
use crate::time::{ClockTime, Nanos};

/// Runs tasks while they fit into a time budget. Every strategy with a budget has one.
///
/// **Prediction.** A task starts only if its estimated cost fits into the rest of the budget ([`Estimates`]). Without
/// prediction, as published, a task starts if any of the budget is left, so the last task of nearly every update exceeds
/// it. In both cases an update runs at least one task, even if the budget is zero.
///
/// **Pay-back.** The time by which an update exceeds its budget is *owed*. It is taken from the budgets of later
/// updates, at most half of each. Time that an update leaves unused is not saved up. At most 64 budgets are owed, so a
/// stall within a task, or a long overload by tasks that exceed the budget one by one, is forgotten after 128 updates.
///
/// **Reading the clock.** The clock is read once after each run, so the time that the strategy takes between two runs
/// counts, too. Tasks with an estimate below 2 µs run in batches of at most 16, with one reading for each batch, because
/// reading the clock would cost a considerable part of such a task. Until then, their estimates count as spent, and
/// afterwards the mean of the batch counts as the measurement of each task. A batch may take 1/64 of the budget.
///
/// ```
/// use timeslicer::scheduler::{Admission, Tasks, UniqueQueue, UpdateContext};
/// use timeslicer::time::{GameTime, Nanos};
///
/// let mut tasks = Tasks::new();
/// let mut queue = UniqueQueue::new();
/// queue.push(tasks.insert(GameTime::START));
/// let mut admission = Admission::new(Nanos::from_millis(4));
///
/// let mut think = |_, _| ();
/// let mut context = UpdateContext::new(Nanos::ZERO, GameTime::START, &mut tasks, &mut think);
/// let mut slice = admission.begin(&mut context);
/// while let Some(task) = queue.front()
///     && slice.run(task)
/// {
///     queue.pop();
/// }
/// assert_eq!(slice.runs(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Admission {
    budget: Nanos,
    predicts: bool,
    pays_back: bool,
    estimates: Estimates,
    /// Time by which earlier updates have exceeded their budgets, less what later ones have paid back.
    owed: Nanos,
}

/// A task with a lower estimate may run in a batch.
const CHEAP: Nanos = Nanos::from_micros(2);
/// Maximum number of tasks in a batch. It limits the overrun if tasks are suddenly expensive.
const LARGEST_BATCH: usize = 16;
/// A batch of more than one task may take the budget divided by this number.
const BATCH_SHARE: u64 = 64;
/// Maximum number of budgets that are owed.
const MOST_OWED: u64 = 64;

impl Admission {
    /// Lets each update spend `budget`, with prediction and pay-back.
    #[must_use]
    pub fn new(budget: Nanos) -> Self {
        Self {
            budget,
            predicts: true,
            pays_back: true,
            estimates: Estimates::new(),
            owed: Nanos::ZERO,
        }
    }

    /// Sets the budget of later updates. If it changes, no time is owed any longer.
    pub fn set_budget(&mut self, budget: Nanos) {
        if budget != self.budget {
            self.budget = budget;
            self.owed = Nanos::ZERO;
        }
    }

    /// Turns prediction on or off.
    pub fn set_prediction(&mut self, predicts: bool) {
        self.predicts = predicts;
    }

    /// Turns pay-back on or off. If it is off, no time is owed.
    pub fn set_pay_back(&mut self, pays_back: bool) {
        self.pays_back = pays_back;
        if !pays_back {
            self.owed = Nanos::ZERO;
        }
    }

    /// Returns the time that an update may spend on tasks, before anything is paid back.
    #[must_use]
    pub fn budget(&self) -> Nanos {
        self.budget
    }

    /// Returns what the next update may spend on tasks: the budget less the time that is owed, but at least half of it.
    #[must_use]
    pub fn next_budget(&self) -> Nanos {
        (self.budget - self.owed).max(half(self.budget))
    }

    /// Returns the time that later updates will pay back.
    #[must_use]
    pub fn owed(&self) -> Nanos {
        self.owed
    }

    /// Returns the estimated costs of the tasks that have run.
    #[must_use]
    pub fn estimates(&self) -> &Estimates {
        &self.estimates
    }

    /// Forgets a dead task.
    pub fn forget(&mut self, task: TaskId) {
        self.estimates.forget(task);
    }

    /// Begins the time slice of an update. Call this in every update, even if no task is waiting: an update without
    /// runs pays back, too.
    pub fn begin<'s, 'c>(&'s mut self, context: &'s mut UpdateContext<'c>) -> TimeSlice<'s, 'c> {
        TimeSlice {
            budget: self.next_budget(),
            admission: self,
            context,
            reading: None,
            measured: Nanos::ZERO,
            batch: Batch::default(),
            runs: 0,
        }
    }
}

fn half(span: Nanos) -> Nanos {
    Nanos::from_nanos(span.as_nanos() / 2)
}

/// The part of an update in which its tasks run; made by [`Admission::begin`]. It ends when it is dropped.
pub struct TimeSlice<'s, 'c> {
    admission: &'s mut Admission,
    context: &'s mut UpdateContext<'c>,
    budget: Nanos,
    /// Last reading of the clock; `None` before the first run.
    reading: Option<ClockTime>,
    /// Time from the first reading to the last.
    measured: Nanos,
    batch: Batch,
    runs: usize,
}

/// Tasks that have run since the last reading of the clock.
struct Batch {
    tasks: [TaskId; LARGEST_BATCH],
    len: usize,
    /// Sum of the tasks' estimates.
    estimate: Nanos,
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            tasks: [TaskId::NONE; LARGEST_BATCH],
            len: 0,
            estimate: Nanos::ZERO,
        }
    }
}

impl<'c> TimeSlice<'_, 'c> {
    /// Runs `task` if the budget has room for it. Returns true if the task has taken its turn; a dead task takes it
    /// without a run. If it returns false, the update is over: the task must keep its turn for the next one.
    #[must_use]
    pub fn run(&mut self, task: TaskId) -> bool {
        self.run_within(task, self.budget)
    }

    /// Like [`TimeSlice::run`], but for a task that the strategy wanted to run `interval` after its last run: see
    /// [`UpdateContext::run_wanted`].
    #[must_use]
    pub fn run_wanted(&mut self, task: TaskId, interval: Nanos) -> bool {
        if !self.admits(task) {
            return false;
        }
        self.context.report_wanted(task, interval);
        self.start(task)
    }

    /// Like [`TimeSlice::run`], but the tasks of this update must not spend more than `budget` in total, `task`
    /// included. It still returns true if `task` is the first one that runs.
    #[must_use]
    pub fn run_within(&mut self, task: TaskId, budget: Nanos) -> bool {
        self.admits_within(task, budget) && self.start(task)
    }

    /// Returns true if the budget has room for `task`, or if no task has run yet. Returns false if the update is
    /// stopped.
    #[must_use]
    pub fn admits(&mut self, task: TaskId) -> bool {
        self.admits_within(task, self.budget)
    }

    fn admits_within(&mut self, task: TaskId, budget: Nanos) -> bool {
        if self.context.is_stopped() {
            return false;
        }
        if self.runs == 0 || self.has_room(task, budget) {
            return true;
        }
        // The estimates of the batch may be too high.
        if self.batch.len == 0 {
            return false;
        }
        self.read_clock();
        self.has_room(task, budget)
    }

    fn has_room(&self, task: TaskId, budget: Nanos) -> bool {
        self.fits(self.spent(), self.admission.estimates.of(task), budget)
    }

    fn fits(&self, spent: Nanos, estimate: Nanos, budget: Nanos) -> bool {
        // The first comparison is also there for estimates of zero.
        spent < budget && (!self.admission.predicts || spent + estimate <= budget)
    }

    /// Runs the first tasks of a slice in their order, while the budget has room. Returns the number that have taken
    /// their turn. More may fit: call this again with the tasks that follow, until it returns zero, as it does for an
    /// empty slice. Then the update is over.
    ///
    /// For many tasks, this is faster than [`TimeSlice::run`].
    #[must_use]
    pub fn run_first(&mut self, tasks: &[TaskId]) -> usize {
        self.run_first_wanted(tasks, &[])
    }

    /// Like [`TimeSlice::run_first`]. The strategy wanted to run each task after the time at the same index of
    /// `intervals`: see [`UpdateContext::run_wanted`].
    #[must_use]
    pub fn run_first_wanted(&mut self, tasks: &[TaskId], intervals: &[Nanos]) -> usize {
        let tasks = &tasks[..tasks.len().min(LARGEST_BATCH)];
        // Looking them all up at once hides most of the time that memory takes.
        let mut known = [None; LARGEST_BATCH];
        for (known, &task) in known.iter_mut().zip(tasks) {
            if self.context.tasks().contains(task) {
                *known = self.admission.estimates.known(task);
            }
        }
        let mut taken = 0;
        while let Some(&task) = tasks.get(taken) {
            let cheap = self.cheap_tasks(&known[taken..tasks.len()]);
            if cheap == 0 && !self.admits(task) {
                break;
            }
            let end = taken + cheap.max(1);
            for (&task, &interval) in tasks[..end].iter().zip(intervals).skip(taken) {
                self.context.report_wanted(task, interval);
            }
            if cheap > 0 {
                taken += self.run_cheap(&tasks[taken..end]);
            } else if self.start(task) {
                taken += 1;
            }
            if taken < end {
                break; // stopped
            }
        }
        taken
    }

    /// Returns the number of tasks with these estimates that may run before the next reading of the clock.
    fn cheap_tasks(&mut self, known: &[Option<Nanos>]) -> usize {
        if self.context.is_stopped() {
            return 0;
        }
        self.read_clock();
        let (longest, mut sum) = (self.longest_batch(), Nanos::ZERO);
        for (count, known) in known.iter().enumerate() {
            let Some(estimate) = known.filter(|&estimate| estimate < CHEAP) else {
                return count;
            };
            if sum >= longest || !self.fits(self.measured + sum, estimate, self.budget) {
                return count;
            }
            sum += estimate;
        }
        known.len()
    }

    /// Runs tasks and reads the clock afterwards. Returns the number that have taken their turn.
    fn run_cheap(&mut self, tasks: &[TaskId]) -> usize {
        if self.reading.is_none() {
            self.reading = Some(self.context.clock());
        }
        let turns = self.context.run_slice(tasks);
        self.runs += turns.runs;
        let ran = &tasks[..turns.taken];
        self.measure(ran, turns.runs);
        turns.taken
    }

    /// Runs `task` and reads the clock, unless the task is cheap. Returns false if the update is stopped.
    fn start(&mut self, task: TaskId) -> bool {
        let known = self.admission.estimates.known(task);
        let cheap = known.filter(|&estimate| estimate < CHEAP);
        if cheap.is_none() {
            self.read_clock();
        }
        if self.reading.is_none() {
            self.reading = Some(self.context.clock());
        }
        if !self.context.run_untimed(task) {
            return !self.context.is_stopped();
        }
        self.runs += 1;
        let Some(estimate) = cheap else {
            self.measure(&[task], 1);
            return true;
        };
        self.batch.tasks[self.batch.len] = task;
        self.batch.len += 1;
        self.batch.estimate += estimate;
        if self.batch.len == LARGEST_BATCH || self.batch.estimate >= self.longest_batch() {
            self.read_clock();
        }
        true
    }

    /// Returns the time after which a batch ends.
    fn longest_batch(&self) -> Nanos {
        Nanos::from_nanos(self.budget.as_nanos() / BATCH_SHARE)
    }

    /// Measures the tasks that have run since the last reading, if any.
    fn read_clock(&mut self) {
        if self.batch.len > 0 {
            let Batch { tasks, len, .. } = std::mem::take(&mut self.batch);
            self.measure(&tasks[..len], len);
        }
    }

    /// Learns the mean cost of tasks that have run since the last reading of the clock. Dead ones are among them if they
    /// are more than `runs`.
    fn measure(&mut self, tasks: &[TaskId], runs: usize) {
        let clock = self.context.clock();
        let took = clock - self.reading.replace(clock).unwrap_or(clock);
        self.measured += took;
        let Some(mean) = took.as_nanos().checked_div(runs as u64) else {
            return;
        };
        for &task in tasks {
            if runs == tasks.len() || self.context.tasks().contains(task) {
                self.admission
                    .estimates
                    .learn(task, Nanos::from_nanos(mean));
            }
        }
    }

    /// Returns the time that this update has spent on tasks so far. The estimate of a task counts until its run has been
    /// measured.
    #[must_use]
    pub fn spent(&self) -> Nanos {
        self.measured + self.batch.estimate
    }

    /// Returns what this update may spend on tasks: [`Admission::next_budget`] at its beginning.
    #[must_use]
    pub fn budget(&self) -> Nanos {
        self.budget
    }

    /// Returns the number of runs so far.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// Returns the estimated cost of a run of `task`.
    #[must_use]
    pub fn estimate(&self, task: TaskId) -> Nanos {
        self.admission.estimates.of(task)
    }

    /// Returns the update's context, for example to ask for weights.
    #[must_use]
    pub fn context(&self) -> &UpdateContext<'c> {
        self.context
    }
}

impl Drop for TimeSlice<'_, '_> {
    fn drop(&mut self) {
        self.read_clock();
        if self.admission.pays_back {
            let Admission { budget, owed, .. } = *self.admission;
            let most = Nanos::from_nanos(budget.as_nanos().saturating_mul(MOST_OWED));
            self.admission.owed = (owed + self.measured - budget).min(most);
        }
    }
}

#[cfg(test)]
mod tests;
