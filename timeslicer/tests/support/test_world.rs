//! A simulated game for tests of your own strategy. It contains tasks and a clock that advances by the cost of each run,
//! and it records the runs. This module requires the feature `testing`.

use super::Strategy;
use crate::scheduler::{Runner, TaskId, Tasks, UpdateContext};
use crate::time::{ClockTime, GameTime, Nanos};
use std::cell::Cell;

/// A game with one strategy. All tasks are alike, unless `weights` or `costs` says otherwise.
///
/// ```
/// use timeslicer::strategy::MaxPerFrame;
/// use timeslicer::strategy::testing::TestWorld;
/// use timeslicer::time::Nanos;
///
/// let mut world = TestWorld::new(MaxPerFrame::new(2), 3);
/// assert_eq!(world.update(Nanos::from_millis(16)), [0, 1]);
/// assert_eq!(world.update(Nanos::from_millis(16)), [2, 0]);
/// ```
pub struct TestWorld<S> {
    /// The strategy under test.
    pub strategy: S,
    /// The living tasks.
    pub tasks: Tasks,
    /// The current game time.
    pub now: GameTime,
    /// The time that a run takes.
    pub cost: Nanos,
    /// The weight of each task, indexed by [`TaskId::index`]. Tasks without an entry have weight 1.
    pub weights: Vec<f64>,
    /// The cost of each task, indexed by [`TaskId::index`]. Tasks without an entry cost `TestWorld::cost`.
    pub costs: Vec<Nanos>,
    /// The number of runs after which an update is stopped.
    pub most_runs: usize,
    /// How often the last update read the clock.
    pub readings: usize,
    /// How often the last update asked for a weight.
    pub weighings: usize,
    clock: ClockTime,
}

struct Recorder<'a> {
    ran: Vec<(u32, Nanos)>,
    clock: &'a mut ClockTime,
    cost: Nanos,
    weights: &'a [f64],
    costs: &'a [Nanos],
    most_runs: usize,
    readings: &'a Cell<usize>,
    weighings: &'a Cell<usize>,
}

impl Runner for Recorder<'_> {
    fn run(&mut self, task: TaskId, elapsed: Nanos, _tasks: &mut Tasks) {
        self.ran.push((task.index, elapsed));
        let cost = self.costs.get(task.index as usize);
        *self.clock += *cost.unwrap_or(&self.cost);
    }

    fn clock(&self) -> ClockTime {
        self.readings.set(self.readings.get() + 1);
        *self.clock
    }

    fn weight(&self, task: TaskId) -> f64 {
        self.weighings.set(self.weighings.get() + 1);
        let weight = self.weights.get(task.index as usize);
        weight.copied().unwrap_or(1.0)
    }

    fn has_time_for(&self, _task: TaskId) -> bool {
        self.ran.len() < self.most_runs
    }
}

impl<S: Strategy> TestWorld<S> {
    /// Creates a game with `count` tasks that have just been born.
    pub fn new(strategy: S, count: usize) -> Self {
        let mut world = Self {
            strategy,
            tasks: Tasks::new(),
            now: GameTime::START,
            cost: Nanos::ZERO,
            weights: Vec::new(),
            costs: Vec::new(),
            most_runs: usize::MAX,
            readings: 0,
            weighings: 0,
            clock: ClockTime::START,
        };
        for _ in 0..count {
            world.birth();
        }
        world
    }

    /// Adds a task.
    pub fn birth(&mut self) -> TaskId {
        let task = self.tasks.insert(self.now);
        self.strategy.insert(task);
        task
    }

    /// Removes the task with this index.
    ///
    /// # Panics
    /// Panics if there is no such task.
    pub fn death(&mut self, index: u32) {
        let task = self.tasks.at(index).expect("a living task");
        self.tasks.remove(task);
        self.strategy.remove(task);
    }

    /// Requests a run of the task with this index.
    ///
    /// # Panics
    /// Panics if there is no such task.
    pub fn request(&mut self, index: u32) {
        let task = self.tasks.at(index).expect("a living task");
        self.strategy.request(task);
    }

    /// Runs one update. Returns the index and the elapsed time of each task that ran.
    pub fn update_elapsed(&mut self, delta: Nanos) -> Vec<(u32, Nanos)> {
        self.now += delta;
        (self.readings, self.weighings) = (0, 0);
        let mut recorder = Recorder {
            ran: Vec::new(),
            clock: &mut self.clock,
            cost: self.cost,
            weights: &self.weights,
            costs: &self.costs,
            most_runs: self.most_runs,
            readings: Cell::from_mut(&mut self.readings),
            weighings: Cell::from_mut(&mut self.weighings),
        };
        let mut context = UpdateContext::new(delta, self.now, &mut self.tasks, &mut recorder);
        self.strategy.update(&mut context);
        recorder.ran
    }

    /// Runs one update. Returns the total cost of the tasks that ran.
    pub fn time_of_update(&mut self, delta: Nanos) -> Nanos {
        let before = self.clock;
        self.update(delta);
        self.clock - before
    }

    /// Runs one update. Returns the index of each task that ran.
    pub fn update(&mut self, delta: Nanos) -> Vec<u32> {
        let ran = self.update_elapsed(delta).into_iter();
        ran.map(|(index, _)| index).collect()
    }

    /// Runs `count` updates. Returns the number of runs in each update.
    pub fn runs_in(&mut self, count: usize, delta: Nanos) -> Vec<usize> {
        (0..count).map(|_| self.update(delta).len()).collect()
    }
}

/// Returns `count` random costs with a log-normal distribution. Their mean is `mean`, and their standard deviation is
/// `spread` times the mean.
pub fn log_normal_costs(count: usize, mean: Nanos, spread: f64) -> Vec<Nanos> {
    let variance = (spread * spread).ln_1p();
    let mut random = 1_u64;
    let mut uniform = || {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (random >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut cost = || {
        let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        let factor = (normal * variance.sqrt() - variance / 2.0).exp();
        Nanos::from_nanos_f64(mean.as_nanos() as f64 * factor)
    };
    (0..count).map(|_| cost()).collect()
}
