//! One update, as seen by a strategy.

use super::{Cohort, TaskId, TaskSet, Tasks};
use crate::time::{ClockTime, GameTime, Nanos, monotonic};

/// Runs tasks and reads the machine's clock. The game implements this trait.
///
/// Every `FnMut(TaskId, Nanos)` closure is a runner, too. Its arguments are the task and the task's elapsed time, and
/// its clock is [`monotonic`].
pub trait Runner {
    /// Runs `task`. `elapsed` is the game time since the task's last run, or since its birth if it has never run.
    ///
    /// A running task may insert tasks, remove tasks (itself included) and request runs. The game reports these events
    /// to the strategy after the update, in the order they occurred.
    fn run(&mut self, task: TaskId, elapsed: Nanos, tasks: &mut Tasks);

    /// Reads the machine's clock, which advances while tasks run.
    fn clock(&self) -> ClockTime;

    /// Returns false if the game has no time left for `task`. This stops the update: neither `task` nor any later task
    /// runs, and the strategy continues with `task` in its next update.
    ///
    /// By default, there is time for every task. A game overrides this method to limit the length of its frames. It
    /// must have time for at least one task now and then. `task` may be dead.
    fn has_time_for(&self, _task: TaskId) -> bool {
        true
    }

    /// Returns how much `task`, which is alive, matters now: from 0 to 1. Strategies by significance ask this when they
    /// schedule a task; the others never ask.
    ///
    /// By default, every task has weight 1. The context replaces negative numbers and NaN by 0, and numbers above 1,
    /// infinity included, by 1.
    fn weight(&self, _task: TaskId) -> f64 {
        1.0
    }

    /// Writes the weight of each of `tasks` to `weights`, which has the same length. A game overrides this method if it
    /// can calculate many weights faster than one by one.
    fn weights(&self, tasks: &[TaskId], weights: &mut [f64]) {
        for (weight, &task) in weights.iter_mut().zip(tasks) {
            *weight = self.weight(task);
        }
    }

    /// Receives the time between runs that the strategy wanted for `task`, before the task runs. If several tasks run
    /// together, the times of all of them come first; the update may be stopped before some of them run. Only strategies
    /// that want a time of its own for each task call this. By default, does nothing.
    fn wanted(&mut self, _task: TaskId, _interval: Nanos) {}

    /// Runs the living tasks of `batch` in order, in the update that ends at `now`, while the game has time.
    ///
    /// The loop is here and not in [`UpdateContext`] so that it is compiled for each runner. It then costs one dynamic
    /// call per batch instead of one per task, and nothing to ask a game that always has time.
    fn run_batch(&mut self, batch: &[TaskId], now: GameTime, tasks: &mut Tasks) -> Turns {
        let mut runs = 0;
        for (taken, &task) in batch.iter().enumerate() {
            if !self.has_time_for(task) {
                return Turns { taken, runs };
            }
            if let Some(elapsed) = tasks.ran(task, now) {
                self.run(task, elapsed, tasks);
                runs += 1;
            }
        }
        let taken = batch.len();
        Turns { taken, runs }
    }

    /// Runs the tasks of `batch`, which all last ran `elapsed` ago, while the game has time. Skips tasks that die
    /// during the batch.
    fn run_cohort(&mut self, batch: &[TaskId], elapsed: Nanos, tasks: &mut Tasks) -> Turns {
        let population = tasks.population();
        let mut runs = 0;
        for (taken, &task) in batch.iter().enumerate() {
            if !self.has_time_for(task) {
                return Turns { taken, runs };
            }
            if tasks.population() == population || tasks.contains(task) {
                self.run(task, elapsed, tasks);
                runs += 1;
            }
        }
        let taken = batch.len();
        Turns { taken, runs }
    }
}

/// Number of tasks that took their turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// Number of turns. A dead task takes its turn without a run.
    pub taken: usize,
    /// Number of runs.
    pub runs: usize,
}

/// Tasks in the order of their turns: a [`Ring`](super::Ring) or a [`UniqueQueue`](super::UniqueQueue). Run them with
/// [`UpdateContext::run_turns`].
pub trait TurnOrder {
    /// Returns the next tasks in turn, at most `count`. There may be fewer even if more tasks follow; there are none
    /// only if no task is left or `count` is zero.
    fn next_turns(&self, count: usize) -> &[TaskId];

    /// Moves past the next `count` tasks, which took their turn. `count` is at most the length of the slice that
    /// [`TurnOrder::next_turns`] returned.
    fn take_turns(&mut self, count: usize);
}

/// Maximum number of tasks per batch. It is high enough to make the dynamic call negligible, and low enough for a batch
/// to fit in the first-level cache.
const BATCH: usize = 64;

/// Returns a weight from 0 to 1, whatever the game has answered.
fn cleaned(weight: f64) -> f64 {
    // NaN is neither above zero nor below one.
    if weight > 0.0 { weight.min(1.0) } else { 0.0 }
}

impl<F: FnMut(TaskId, Nanos)> Runner for F {
    fn run(&mut self, task: TaskId, elapsed: Nanos, _tasks: &mut Tasks) {
        self(task, elapsed);
    }

    fn clock(&self) -> ClockTime {
        monotonic()
    }
}

/// One update, as seen by a strategy: the game time that the update advances, and methods to run tasks.
///
/// The context records when each task ran and passes each task its elapsed time, so a strategy only decides which tasks
/// run.
///
/// ```
/// use timeslicer::scheduler::{TaskId, Tasks, UpdateContext};
/// use timeslicer::time::{GameTime, Nanos};
///
/// let mut tasks = Tasks::new();
/// let [alive, dead] = [(); 2].map(|()| tasks.insert(GameTime::START));
/// tasks.remove(dead);
///
/// let delta = Nanos::from_millis(16);
/// let now = GameTime::START + delta;
/// let mut think = |task: TaskId, elapsed: Nanos| assert_eq!((task, elapsed), (alive, delta));
/// let mut context = UpdateContext::new(delta, now, &mut tasks, &mut think);
/// assert_eq!(context.run_all([alive, dead]), 1);
/// ```
pub struct UpdateContext<'a> {
    delta: Nanos,
    now: GameTime,
    tasks: &'a mut Tasks,
    runner: &'a mut dyn Runner,
    stopped: bool,
    /// Time on the clock just after the last run, if [`UpdateContext::run`] made it.
    last_reading: Option<ClockTime>,
}

impl<'a> UpdateContext<'a> {
    /// Creates the context of an update that advances the game by `delta` to `now`.
    pub fn new(
        delta: Nanos,
        now: GameTime,
        tasks: &'a mut Tasks,
        runner: &'a mut dyn Runner,
    ) -> Self {
        Self {
            delta,
            now,
            tasks,
            runner,
            stopped: false,
            last_reading: None,
        }
    }

    /// Returns the game time that this update advances. It can be zero, one frame, or many seconds after a stall.
    #[must_use]
    pub fn delta(&self) -> Nanos {
        self.delta
    }

    /// Returns the game time after this update.
    #[must_use]
    pub fn now(&self) -> GameTime {
        self.now
    }

    /// Reads the machine's clock. A reading may cost as much as a small task, so read it rarely.
    #[must_use]
    pub fn clock(&self) -> ClockTime {
        self.runner.clock()
    }

    /// Returns true if the game had no time left for a task ([`Runner::has_time_for`]). No other task runs in this
    /// update; the strategy continues with this task in the next one.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Runs `task` and returns what the run cost on the machine's clock. If the task is dead or the update is stopped,
    /// does nothing and returns `None`.
    ///
    /// The cost includes the time that the strategy took since the last run, so the costs of an update add up to all of
    /// the time that it takes, and a run needs only one reading of the clock.
    pub fn run(&mut self, task: TaskId) -> Option<Nanos> {
        let before = match self.last_reading {
            Some(reading) => reading,
            None => self.clock(),
        };
        if !self.run_untimed(task) {
            self.last_reading = Some(before);
            return None;
        }
        let after = self.clock();
        self.last_reading = Some(after);
        Some(after - before)
    }

    /// Runs `task`, which the strategy wanted to run `interval` after its last run, and returns what the run cost, like
    /// [`UpdateContext::run`]. Call this instead if each task has an interval of its own, so that the game can measure
    /// how late the run is.
    pub fn run_wanted(&mut self, task: TaskId, interval: Nanos) -> Option<Nanos> {
        self.report_wanted(task, interval);
        self.run(task)
    }

    /// Reports to the game that the strategy wanted to run `task`, which runs next, `interval` after its last run.
    pub(super) fn report_wanted(&mut self, task: TaskId, interval: Nanos) {
        self.runner.wanted(task, interval);
    }

    /// Runs `task` without reading the clock and returns true. If the task is dead or the update is stopped, does
    /// nothing and returns false.
    pub fn run_untimed(&mut self, task: TaskId) -> bool {
        self.run_slice(&[task]).runs == 1
    }

    /// Asks the game how much `task` matters now: from 0 to 1 ([`Runner::weight`]). A dead task has weight 0.
    #[must_use]
    pub fn weight(&self, task: TaskId) -> f64 {
        if self.tasks.contains(task) {
            cleaned(self.runner.weight(task))
        } else {
            0.0
        }
    }

    /// Writes the weight of each of `tasks`, which are alive, to `weights`, which has the same length. For many tasks,
    /// this is faster than [`UpdateContext::weight`].
    pub fn weights(&self, tasks: &[TaskId], weights: &mut [f64]) {
        self.runner.weights(tasks, weights);
        for weight in weights {
            *weight = cleaned(*weight);
        }
    }

    /// Returns the weights of the first `COUNT` tasks of a slice, or of all if there are fewer. Dead tasks have weight 0.
    ///
    /// Strategies ask this just before the tasks run. Looking up all of them at once, the game waits for its memory once,
    /// and the runs find their tasks in the cache.
    #[must_use]
    pub fn weights_of<const COUNT: usize>(&self, tasks: &[TaskId]) -> [f64; COUNT] {
        let mut weights = [0.0; COUNT];
        let tasks = &tasks[..tasks.len().min(COUNT)];
        if tasks.iter().all(|&task| self.tasks.contains(task)) {
            self.weights(tasks, &mut weights[..tasks.len()]);
        } else {
            for (weight, &task) in weights.iter_mut().zip(tasks) {
                *weight = self.weight(task);
            }
        }
        weights
    }

    /// Returns the living tasks and their last runs.
    #[must_use]
    pub fn tasks(&self) -> &Tasks {
        self.tasks
    }

    /// Runs the living tasks of `tasks` in order. Returns the number of runs.
    ///
    /// For many tasks, this is much faster than calling [`UpdateContext::run`] in a loop. It takes up to 64 tasks at a
    /// time from the iterator. If the update is stopped, those that did not run are lost; to continue with them, use
    /// [`UpdateContext::run_turns`] or [`UpdateContext::run_slice`].
    pub fn run_all(&mut self, tasks: impl IntoIterator<Item = TaskId>) -> usize {
        let mut tasks = tasks.into_iter();
        let mut runs = 0;
        let mut batch = [TaskId::NONE; BATCH];
        while !self.stopped {
            let mut len = 0;
            for (place, task) in batch.iter_mut().zip(&mut tasks) {
                *place = task;
                len += 1;
            }
            if len == 0 {
                break;
            }
            runs += self.run_slice(&batch[..len]).runs;
        }
        runs
    }

    /// Runs the living tasks of a slice, like [`UpdateContext::run_all`]. If the update is stopped, the first task
    /// without a turn is at the index [`Turns::taken`].
    pub fn run_slice(&mut self, tasks: &[TaskId]) -> Turns {
        if self.stopped {
            return Turns::default();
        }
        self.last_reading = None;
        let turns = self.runner.run_batch(tasks, self.now, self.tasks);
        self.stopped = turns.taken < tasks.len();
        turns
    }

    /// Runs the living tasks of a slice, like [`UpdateContext::run_slice`]. The strategy wanted to run each task after
    /// the time at the same index of `intervals`, which has the same length: see [`UpdateContext::run_wanted`].
    pub fn run_wanted_slice(&mut self, tasks: &[TaskId], intervals: &[Nanos]) -> Turns {
        for (&task, &interval) in tasks.iter().zip(intervals) {
            self.report_wanted(task, interval);
        }
        self.run_slice(tasks)
    }

    /// Runs the next tasks in turn: `count` of them, or fewer if no task is left. If the update is stopped, the tasks
    /// without a turn remain the next ones.
    pub fn run_turns(&mut self, order: &mut impl TurnOrder, count: usize) -> Turns {
        let mut all = Turns::default();
        while !self.stopped {
            let next = order.next_turns(count - all.taken);
            if next.is_empty() {
                break;
            }
            let turns = self.run_slice(next);
            order.take_turns(turns.taken);
            all.taken += turns.taken;
            all.runs += turns.runs;
        }
        all
    }

    /// Runs every task of a set once, beginning where an earlier update was stopped. Returns the number of runs.
    pub fn run_set(&mut self, set: &mut TaskSet) -> usize {
        let begun = set.cohort.next;
        let runs = self.run_round(set);
        if begun == 0 || self.stopped {
            return runs;
        }
        let turns = self.run_slice(&set.tasks[..begun]);
        set.cohort.next = if self.stopped { turns.taken } else { 0 };
        runs + turns.runs
    }

    /// Runs the tasks of a set that have not run in this round. If the update is stopped, the next call continues the
    /// round; otherwise, it begins a new round. Returns the number of runs.
    pub fn run_round(&mut self, set: &mut TaskSet) -> usize {
        self.run_cohort(&mut set.cohort, &set.tasks)
    }

    /// Runs the living tasks of a slice that always run in the same updates. If the update is stopped, the next call
    /// continues with the first task without a turn. Returns the number of runs.
    ///
    /// While no task is born or dies, this is faster than [`UpdateContext::run_slice`], because it records the time of
    /// the run once for the cohort instead of once per task.
    pub fn run_cohort(&mut self, cohort: &mut Cohort, tasks: &[TaskId]) -> usize {
        let begun = cohort.next;
        if self.stopped {
            return 0;
        }
        self.last_reading = None;
        if begun == 0
            && let Some(elapsed) = self.tasks.ran_as_cohort(cohort, tasks.len(), self.now)
        {
            let turns = self.runner.run_cohort(tasks, elapsed, self.tasks);
            self.stopped = turns.taken < tasks.len();
            if self.stopped {
                let ran = &tasks[..turns.taken];
                self.tasks.stop_cohort(cohort, ran, elapsed, self.now);
                cohort.next = turns.taken;
            }
            return turns.runs;
        }
        let population = self.tasks.population();
        let Turns { taken, runs } = self.run_slice(&tasks[begun..]);
        cohort.next = if self.stopped { begun + taken } else { 0 };
        if runs == tasks.len() && runs > 0 && self.tasks.population() == population {
            self.tasks.ran_one_by_one(cohort, tasks, self.now);
        }
        runs
    }
}

#[cfg(test)]
mod tests;
