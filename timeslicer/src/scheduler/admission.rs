use super::{BatchProgress, Estimates, TaskId, UpdateContext, saved_fields};
use crate::time::{ClockTime, Nanos};

/// Runs tasks while they fit into a time budget.
///
/// **Prediction.** A task starts only if its estimated cost ([`Estimates`]) fits into the remaining budget. Without
/// prediction, a task starts if any budget is left, as in the published algorithms, so the last task of nearly every
/// update exceeds the budget. In both cases, an update runs at least one task, even if the budget is zero.
///
/// **Newborns.** A task that has never run may be among the most expensive ones. It is therefore assumed to have a high
/// cost ([`Estimates::high`]), but no more than three quarters of the budget. However, if more than a quarter of all
/// tasks have never run, as when a game starts, they are assumed to have the mean cost. Otherwise they would wait much
/// longer.
///
/// **Pay-back.** If an update exceeds its budget, the excess time is *owed*. It is taken from the budgets of later
/// updates, at most half of each. Time that an update leaves unused is not saved up. At most 64 budgets can be owed, so
/// the effect of a stall, or of a long overload by tasks that exceed the budget one by one, ends after 128 updates.
///
/// **Reading the clock.** The clock is read once after each run, so the time that the strategy takes between two runs
/// counts, too. For a very short task, reading the clock would take almost as long as the task. Therefore, tasks with
/// an estimate below 2 µs run in batches of at most 16, and the clock is read once per batch. The mean cost of the
/// batch is then recorded for each of its tasks. A batch may take 1/64 of the budget.
///
/// ```
/// use timeslicer::scheduler::{Admission, TaskId, Tasks, UniqueQueue, UpdateContext};
/// use timeslicer::time::{GameTime, Nanos};
///
/// let mut tasks = Tasks::new();
/// let mut queue = UniqueQueue::default();
/// queue.push(tasks.insert(GameTime::START));
/// let mut admission = Admission::new(Nanos::from_millis(4));
///
/// let mut think = |_, _| ();
/// let mut context = UpdateContext::new(Nanos::ZERO, GameTime::START, &mut tasks, &mut think);
/// let mut slice = admission.begin(&mut context);
/// let mut batch = [TaskId::default(); Admission::BATCH];
/// loop {
///     let taken = slice.run(queue.first(&mut batch));
///     if taken == 0 {
///         break; // the budget is spent, or no task is left
///     }
///     queue.pop_first(taken);
/// }
/// assert_eq!(slice.runs, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Admission {
    /// The time that an update may spend on tasks. An update may get less time if earlier updates have exceeded the
    /// budget.
    pub budget: Nanos,
    /// Whether a task has to wait for the next update if its estimated cost exceeds the remaining budget.
    pub predicts: bool,
    /// Whether an update that exceeds its budget shortens the budgets of later updates.
    pub pays_back: bool,
    /// The estimated cost of each task that has run. Call [`Estimates::forget`] when a task dies.
    pub estimates: Estimates,
    /// The time by which earlier updates exceeded the budget, minus the time that later updates have already paid back.
    owed: Nanos,
}

/// Tasks with an estimated cost below this limit may run in a batch. The clock is then read only once for the whole
/// batch.
const CHEAP: Nanos = Nanos::from_micros(2);
/// The maximum time for a batch of several tasks is the time budget divided by this number.
const BATCH_DIVISOR: u64 = 64;
/// The maximum total overrun that is paid back, as a multiple of the budget. Without this limit, a long stall would
/// shorten the budgets of too many updates.
const MOST_OWED: u64 = 64;

impl Admission {
    /// The maximum number of tasks that [`TimeSlice::run`] runs at once. The clock may be read only after the whole
    /// batch, so with larger batches, tasks that suddenly become expensive could far exceed the budget.
    pub const BATCH: usize = 16;

    /// Creates an [`Admission`] that lets tasks run for at most `budget` in each update. It predicts costs and pays
    /// back overruns. With a budget of zero, one task runs in each update.
    pub fn new(budget: Nanos) -> Self {
        Self {
            budget,
            predicts: true,
            pays_back: true,
            estimates: Estimates::default(),
            owed: Nanos::ZERO,
        }
    }

    /// Begins the time slice of an update, in which tasks can run. Call this in every update, even if no task is
    /// waiting. Even an update without runs pays back time by which earlier updates exceeded the budget.
    pub fn begin<'s, 'c>(&'s mut self, context: &'s mut UpdateContext<'c>) -> TimeSlice<'s, 'c> {
        if !self.pays_back {
            self.owed = Nanos::ZERO;
        }
        TimeSlice {
            budget: self.allowance().min(context.limit),
            admission: self,
            reading: None,
            spent: context.spent,
            context,
            runs: 0,
        }
    }

    /// Records that `spent` was used: unused budget pays back time that is owed, and an overrun adds to that time.
    pub(crate) fn settle(&mut self, spent: Nanos) {
        let owed = std::mem::take(&mut self.owed);
        self.owe((owed + spent).saturating_sub(self.budget));
    }

    /// Takes `time` from the budgets of later updates, for example for an overrun by work outside a [`TimeSlice`].
    pub(crate) fn owe(&mut self, time: Nanos) {
        let most = Nanos::from_nanos(self.budget.as_nanos().saturating_mul(MOST_OWED));
        self.owed = (self.owed + time).min(most);
    }

    /// Returns the time that the next update may spend on tasks: the budget minus the time that is paid back, but at
    /// least half of the budget.
    pub fn allowance(&self) -> Nanos {
        let half = Nanos::from_nanos(self.budget.as_nanos() / 2);
        self.budget.saturating_sub(self.owed).max(half)
    }
}

/// The part of an update in which tasks run. A time slice is created by [`Admission::begin`] and ends when it is
/// dropped.
pub struct TimeSlice<'s, 'c> {
    admission: &'s mut Admission,
    /// The context of the update, which a strategy uses to ask for weights and to report target intervals.
    pub context: &'s mut UpdateContext<'c>,
    /// The time that this update may spend on tasks: [`Admission::allowance`], or less if the game limits this update.
    pub budget: Nanos,
    /// The number of runs in this update so far.
    pub runs: usize,
    /// The last reading of the clock, or `None` before the first run.
    reading: Option<ClockTime>,
    /// The time from the first reading of the clock to the last.
    spent: Nanos,
}

impl TimeSlice<'_, '_> {
    /// Runs `tasks` in order for as long as they fit into the budget. Returns how many of them have run or were skipped
    /// because they were dead.
    ///
    /// This method may return before the budget is spent. Call it again with the remaining tasks until it returns zero.
    /// Zero means that no tasks are left, or that the next task has to wait. A task that has to wait must come first in
    /// the next update.
    pub fn run(&mut self, tasks: &[TaskId]) -> usize {
        self.run_within(self.budget, tasks)
    }

    /// Works like [`TimeSlice::run`], but with `budget` in place of the time slice's own budget. The first task of an
    /// update runs even if it does not fit.
    pub fn run_within(&mut self, budget: Nanos, tasks: &[TaskId]) -> usize {
        let tasks = &tasks[..tasks.len().min(Admission::BATCH)];
        let mut taken = 0;
        while taken < tasks.len() && !self.context.is_stopped() {
            let cheap = self.cheap_tasks(budget, &tasks[taken..]);
            let known = self.admission.estimates.known(tasks[taken]);
            let cost = known.unwrap_or_else(|| self.unknown_cost());
            let fits = cheap > 0 || self.fits(self.spent, cost, budget);
            if !fits && self.runs > 0 {
                break;
            }
            let batch = &tasks[taken..taken + cheap.max(1)];
            taken += self.run_measured(batch);
        }
        taken
    }

    /// Returns the number of tasks at the start of `tasks` that are cheap enough to run together, without reading the
    /// clock in between.
    fn cheap_tasks(&self, budget: Nanos, tasks: &[TaskId]) -> usize {
        let longest_batch = Nanos::from_nanos(self.budget.as_nanos() / BATCH_DIVISOR);
        let mut sum = Nanos::ZERO;
        let cheap = tasks.iter().take_while(|&&task| {
            let estimate = self.admission.estimates.known(task);
            let Some(estimate) = estimate.filter(|&estimate| estimate < CHEAP) else {
                return false;
            };
            let fits = sum < longest_batch && self.fits(self.spent + sum, estimate, budget);
            sum += estimate;
            fits
        });
        cheap.count()
    }

    /// Returns the cost that is assumed for a task that has never run.
    #[cold]
    fn unknown_cost(&self) -> Nanos {
        let estimates = &self.admission.estimates;
        let mean = estimates.mean();
        if estimates.known * 4 < self.context.tasks().len() as u64 * 3 {
            return mean;
        }
        let most = self.admission.budget.min(self.context.limit).as_nanos() / 4 * 3;
        let most = Nanos::from_nanos(most);
        estimates.high().min(most).max(mean)
    }

    fn fits(&self, spent: Nanos, estimate: Nanos, budget: Nanos) -> bool {
        // The first comparison rejects even a task with an estimate of zero when the budget is spent.
        spent < budget && (!self.admission.predicts || spent + estimate <= budget)
    }

    /// Runs tasks, measures how long they take together, and updates the estimate of each task with the mean time.
    /// Returns how many tasks have run or were skipped because they were dead.
    fn run_measured(&mut self, tasks: &[TaskId]) -> usize {
        let before = self.reading.unwrap_or_else(|| self.context.clock());
        let BatchProgress { taken, runs } = self.context.run(tasks);
        self.runs += runs;
        if runs == 0 {
            self.reading = Some(before);
            return taken;
        }
        let after = self.context.clock();
        self.reading = Some(after);
        let cost = after.saturating_since(before);
        self.spent += cost;
        let mean = Nanos::from_nanos(cost.as_nanos() / runs as u64);
        for &task in &tasks[..taken] {
            if runs == taken || self.context.tasks().contains(task) {
                self.admission.estimates.learn(task, mean);
            }
        }
        taken
    }

    /// Returns the estimated cost of a run of `task`.
    pub fn estimate(&self, task: TaskId) -> Nanos {
        self.admission.estimates.of(task)
    }
}

impl Drop for TimeSlice<'_, '_> {
    fn drop(&mut self) {
        self.admission.settle(self.spent);
    }
}

/// Defines the public methods that read and change the budget of a strategy. The strategy must have a field `admission`
/// of type [`Admission`].
macro_rules! budget_setters {
    () => {
        /// Returns the strategy with or without the prediction of costs. See
        /// [`set_prediction`](Self::set_prediction).
        pub fn with_prediction(mut self, predicts: bool) -> Self {
            self.set_prediction(predicts);
            self
        }

        /// Sets whether the strategy pays back overruns. See [`set_pay_back`](Self::set_pay_back).
        pub fn with_pay_back(mut self, pays_back: bool) -> Self {
            self.set_pay_back(pays_back);
            self
        }

        /// Returns the time that an update may spend on tasks.
        pub fn budget(&self) -> Duration {
            self.admission.budget.into()
        }

        /// Changes the time that an update may spend on tasks.
        pub fn set_budget(&mut self, budget: Duration) {
            self.admission.budget = budget.into();
        }

        /// Changes whether the strategy predicts costs. If it does, a task whose estimated cost exceeds the remaining budget
        /// waits for the next update. However, the first task of an update always runs.
        pub fn set_prediction(&mut self, predicts: bool) {
            self.admission.predicts = predicts;
        }

        /// Changes whether overruns are paid back. If they are, an update that exceeds its budget shortens the budgets of
        /// later updates, to no less than a half, and for 128 updates at most.
        pub fn set_pay_back(&mut self, pays_back: bool) {
            self.admission.pays_back = pays_back;
        }
    };
}
pub(crate) use budget_setters;

saved_fields! { Admission { estimates, owed; except budget, predicts, pays_back } }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::testing::TestWorld;
    use crate::strategy::{Guarantee, Strategy};

    /// A strategy that offers all tasks, in order, in each update.
    struct Offer {
        admission: Admission,
        tasks: Vec<TaskId>,
    }

    impl Strategy for Offer {
        fn insert(&mut self, task: TaskId) {
            self.tasks.push(task);
        }

        fn remove(&mut self, task: TaskId) {
            self.tasks.retain(|&other| other != task);
            self.admission.estimates.forget(task);
        }

        fn update(&mut self, context: &mut UpdateContext<'_>) {
            let mut slice = self.admission.begin(context);
            let mut taken = 0;
            loop {
                match slice.run(&self.tasks[taken..]) {
                    0 => break,
                    more => taken += more,
                }
            }
        }

        fn guarantee(&self) -> Guarantee {
            Guarantee::Updates(usize::MAX)
        }
    }

    /// Creates a world whose tasks have these costs, in microseconds.
    fn world(budget_us: u64, costs_us: &[u64]) -> TestWorld<Offer> {
        let strategy = Offer {
            admission: Admission::new(Nanos::from_micros(budget_us)),
            tasks: Vec::new(),
        };
        let mut world = TestWorld::new(strategy, costs_us.len());
        world.costs = costs_us.iter().copied().map(Nanos::from_micros).collect();
        world
    }

    /// Runs updates. Returns the time that each update spends, in microseconds.
    fn spent_us(world: &mut TestWorld<Offer>, updates: usize) -> Vec<u64> {
        let spent = (0..updates).map(|_| world.time_of_update(Nanos::ZERO));
        spent.map(|it| it.as_nanos() / 1000).collect()
    }

    #[test]
    fn a_task_starts_only_if_it_fits() {
        let mut world = world(1000, &[300, 400, 400, 100]);
        spent_us(&mut world, 2); // it learns the costs of the first three
        world.strategy.admission.owed = Nanos::ZERO;
        assert_eq!(world.update(Nanos::ZERO), [0, 1]);
        world.strategy.admission.predicts = false;
        assert_eq!(world.update(Nanos::ZERO), [0, 1, 2]);
    }

    #[test]
    fn a_newborn_counts_as_expensive_unless_most_tasks_are_new() {
        let mut world = world(2000, &[100, 100, 100, 100, 100, 100, 100, 100, 100, 700]);
        assert_eq!(world.update(Nanos::ZERO).len(), 10);
        world.cost = Nanos::from_micros(700);
        world.birth();
        // The mean of 160 µs would fit. However, the newborn counts as five standard deviations (of 180 µs) above it.
        assert_eq!(world.update(Nanos::ZERO).len(), 10);
        world.strategy.admission.budget = Nanos::from_micros(2700);
        assert_eq!(world.update(Nanos::ZERO).len(), 11);
    }

    #[test]
    fn overruns_are_paid_back_with_half_of_the_budget() {
        let mut world = world(1000, &[100; 20]);
        assert_eq!(spent_us(&mut world, 3), [1000; 3]);
        world.costs[0] = Nanos::from_micros(1900);
        assert_eq!(spent_us(&mut world, 1), [1900]);
        world.death(0);
        assert_eq!(spent_us(&mut world, 4), [500, 600, 1000, 1000]);

        world.strategy.admission.pays_back = false;
        world.strategy.admission.predicts = false;
        world.costs = vec![Nanos::from_micros(900); 20];
        assert_eq!(spent_us(&mut world, 3), [1800; 3]);
    }

    #[test]
    fn a_long_overload_is_soon_paid_back() {
        for (cost_us, updates) in [(1500, 3600), (3_600_000_000, 1)] {
            let mut world = world(1000, &[100; 20]);
            spent_us(&mut world, 3);
            world.costs[0] = Nanos::from_micros(cost_us);
            spent_us(&mut world, updates);
            world.death(0);
            let shortened = spent_us(&mut world, 200).into_iter();
            assert_eq!(shortened.filter(|&us| us < 1000).count(), 128, "{cost_us}");
        }
    }

    #[test]
    fn cheap_tasks_share_readings_of_the_clock() {
        let mut world = world(4000, &vec![1; 10_000]);
        assert_eq!(world.runs_in(2, Nanos::ZERO), [4000, 4000]);
        assert_eq!(world.readings, 4000 / Admission::BATCH + 1);
        let estimates = &world.strategy.admission.estimates;
        assert_eq!(estimates.mean(), Nanos::from_micros(1));
    }

    #[test]
    fn suddenly_expensive_tasks_overrun_by_a_batch_at_most() {
        for predicts in [false, true] {
            let mut world = world(4000, &[1; 100]);
            world.strategy.admission.predicts = predicts;
            world.update(Nanos::ZERO);
            world.costs = vec![Nanos::from_millis(1); 100];
            assert!(world.update(Nanos::ZERO).len() <= 4 + Admission::BATCH);
            world.strategy.admission.owed = Nanos::ZERO;
            let runs = world.update(Nanos::ZERO).len();
            assert!(runs <= 14, "the estimates have risen");
        }
    }

    #[test]
    fn extreme_spans_do_not_overflow() {
        for budget in [Nanos::ZERO, Nanos::from_nanos(1), Nanos::MAX] {
            let mut world = world(0, &[0; 40]);
            world.strategy.admission.budget = budget;
            world.costs = [1, u64::MAX / 2, u64::MAX / 2, 5]
                .map(Nanos::from_nanos)
                .to_vec();
            for _ in 0..3 {
                assert!(!world.update(Nanos::ZERO).is_empty());
            }
        }
    }
}
