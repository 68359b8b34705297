//! One update, as seen by a strategy.

use super::{Cohort, TaskId, Tasks};
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

    /// Runs the living tasks of `batch` in order, in the update that ends at `now`. Returns the number of runs.
    ///
    /// The loop is here and not in [`UpdateContext`] so that it is compiled for each runner. It then costs one dynamic
    /// call per batch instead of one per task.
    fn run_batch(&mut self, batch: &[TaskId], now: GameTime, tasks: &mut Tasks) -> usize {
        let mut runs = 0;
        for &task in batch {
            if let Some(elapsed) = tasks.ran(task, now) {
                self.run(task, elapsed, tasks);
                runs += 1;
            }
        }
        runs
    }

    /// Runs the tasks of `batch`, which all last ran `elapsed` ago. Skips tasks that die during the batch. Returns the
    /// number of runs.
    fn run_cohort(&mut self, batch: &[TaskId], elapsed: Nanos, tasks: &mut Tasks) -> usize {
        let population = tasks.population();
        let mut runs = 0;
        for &task in batch {
            if tasks.population() == population || tasks.contains(task) {
                self.run(task, elapsed, tasks);
                runs += 1;
            }
        }
        runs
    }
}

/// Maximum number of tasks per batch. It is high enough to make the dynamic call negligible, and low enough for a batch
/// to fit in the first-level cache.
const BATCH: usize = 64;

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
/// use timeslice::scheduler::{TaskId, Tasks, UpdateContext};
/// use timeslice::time::{GameTime, Nanos};
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

    /// Runs `task` and returns true. If the task is dead, does nothing and returns false.
    pub fn run(&mut self, task: TaskId) -> bool {
        self.run_slice(&[task]) == 1
    }

    /// Runs the living tasks of `tasks` in order. Returns the number of runs.
    ///
    /// For many tasks, this is much faster than calling [`UpdateContext::run`] in a loop.
    pub fn run_all(&mut self, tasks: impl IntoIterator<Item = TaskId>) -> usize {
        self.run_some(usize::MAX, tasks)
    }

    /// Runs the first `count` living tasks of `tasks`, or all of them if there are fewer. Returns the number of runs.
    /// Takes no more items from `tasks` than needed.
    pub fn run_some(&mut self, count: usize, tasks: impl IntoIterator<Item = TaskId>) -> usize {
        let mut tasks = tasks.into_iter();
        let mut runs = 0;
        let mut batch = [TaskId::NONE; BATCH];
        loop {
            let room = BATCH.min(count - runs);
            let mut len = 0;
            for (place, task) in batch[..room].iter_mut().zip(&mut tasks) {
                *place = task;
                len += 1;
            }
            if len == 0 {
                return runs;
            }
            runs += self.run_slice(&batch[..len]);
        }
    }

    /// Runs the living tasks of a slice, like [`UpdateContext::run_all`].
    pub fn run_slice(&mut self, tasks: &[TaskId]) -> usize {
        self.runner.run_batch(tasks, self.now, self.tasks)
    }

    /// Runs the living tasks of a slice that always run in the same updates. Returns the number of runs.
    ///
    /// While no task is born or dies, this is faster than [`UpdateContext::run_slice`], because it records the time of
    /// the run once for the cohort instead of once per task.
    pub fn run_cohort(&mut self, cohort: &mut Cohort, tasks: &[TaskId]) -> usize {
        let elapsed = self.tasks.ran_as_cohort(cohort, tasks.len(), self.now);
        if let Some(elapsed) = elapsed {
            return self.runner.run_cohort(tasks, elapsed, self.tasks);
        }
        let population = self.tasks.population();
        let runs = self.run_slice(tasks);
        if runs == tasks.len() && runs > 0 && self.tasks.population() == population {
            self.tasks.ran_one_by_one(cohort, tasks, self.now);
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanos: u64) -> GameTime {
        GameTime::at(Nanos::from_nanos(nanos))
    }

    struct Recorder {
        /// Index and elapsed nanoseconds of each run.
        ran: Vec<(u32, u64)>,
        /// The killer and its victim: when the killer runs, it kills the victim, and a new task is born.
        kill: Option<(TaskId, TaskId)>,
    }

    impl Runner for Recorder {
        fn run(&mut self, task: TaskId, elapsed: Nanos, tasks: &mut Tasks) {
            self.ran.push((task.index, elapsed.as_nanos()));
            if let Some((killer, victim)) = self.kill
                && killer == task
            {
                tasks.remove(victim);
                tasks.insert(GameTime::START);
            }
        }

        fn clock(&self) -> ClockTime {
            ClockTime::START
        }
    }

    #[test]
    fn a_cohort_gets_the_same_elapsed_times_as_single_tasks() {
        let mut tasks = Tasks::new();
        let all: Vec<TaskId> = (0..3).map(|_| tasks.insert(GameTime::START)).collect();
        let mut cohort = Cohort::default();
        let mut run = |now, tasks: &mut Tasks, kill| {
            let mut recorder = Recorder {
                ran: Vec::new(),
                kill,
            };
            let context = &mut UpdateContext::new(Nanos::ZERO, at(now), tasks, &mut recorder);
            context.run_cohort(&mut cohort, &all);
            recorder.ran
        };
        for now in [1, 2, 3, 4] {
            assert_eq!(run(now, &mut tasks, None), [(0, 1), (1, 1), (2, 1)]);
        }
        tasks.ran(all[1], at(7));
        assert_eq!(tasks.last_run(all[0]), Some(at(4)));
        assert_eq!(run(9, &mut tasks, None), [(0, 5), (1, 2), (2, 5)]);
        for now in [10, 11, 12] {
            assert_eq!(run(now, &mut tasks, None), [(0, 1), (1, 1), (2, 1)]);
        }
        // The newborn task reuses the victim's index, but is not in the cohort.
        let kill = Some((all[0], all[1]));
        assert_eq!(run(14, &mut tasks, kill), [(0, 2), (2, 2)]);
        assert_eq!(run(15, &mut tasks, None), [(0, 1), (2, 1)]);
    }

    #[test]
    fn a_dead_task_does_not_run() {
        let mut tasks = Tasks::new();
        let task = tasks.insert(GameTime::START);
        tasks.remove(task);
        let mut runs = 0;
        let mut count = |_: TaskId, _: Nanos| runs += 1;
        let mut context = UpdateContext::new(Nanos::ZERO, GameTime::START, &mut tasks, &mut count);
        assert!(!context.run(task));
        assert_eq!(runs, 0);
    }
}
