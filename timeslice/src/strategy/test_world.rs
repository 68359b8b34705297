//! A world for tests of a strategy: tasks, a clock that advances by the cost of each run, and a record of the runs.

use super::Strategy;
use crate::scheduler::{Runner, TaskId, Tasks, UpdateContext};
use crate::time::{ClockTime, GameTime, Nanos};

pub(super) struct TestWorld<S> {
    pub(super) strategy: S,
    pub(super) tasks: Tasks,
    pub(super) now: GameTime,
    pub(super) cost: Nanos,
    /// Weight of each task by index; 1 for the others.
    pub(super) weights: Vec<f64>,
    /// Pairs of tasks: when the first runs, it kills the second.
    pub(super) kills: Vec<(TaskId, TaskId)>,
    /// Tasks that request their next run while they run.
    pub(super) repeats: Vec<TaskId>,
    /// Number of runs that an update has time for.
    pub(super) most_runs: usize,
    clock: ClockTime,
}

struct Recorder<'a> {
    ran: Vec<(TaskId, Nanos)>,
    clock: ClockTime,
    cost: Nanos,
    weights: &'a [f64],
    kills: &'a [(TaskId, TaskId)],
    killed: Vec<TaskId>,
    most_runs: usize,
}

impl Runner for Recorder<'_> {
    fn run(&mut self, task: TaskId, elapsed: Nanos, tasks: &mut Tasks) {
        self.ran.push((task, elapsed));
        self.clock += self.cost;
        for &(killer, victim) in self.kills {
            if killer == task && tasks.remove(victim) {
                self.killed.push(victim);
            }
        }
    }

    fn clock(&self) -> ClockTime {
        self.clock
    }

    fn weight(&self, task: TaskId) -> f64 {
        let weight = self.weights.get(task.index as usize);
        weight.copied().unwrap_or(1.0)
    }

    fn has_time_for(&self, _task: TaskId) -> bool {
        self.ran.len() < self.most_runs
    }
}

impl<S: Strategy> TestWorld<S> {
    pub(super) fn new(strategy: S, count: usize) -> Self {
        let mut world = Self {
            strategy,
            tasks: Tasks::new(),
            now: GameTime::START,
            cost: Nanos::ZERO,
            weights: Vec::new(),
            kills: Vec::new(),
            repeats: Vec::new(),
            most_runs: usize::MAX,
            clock: ClockTime::START,
        };
        for _ in 0..count {
            world.birth();
        }
        world
    }

    pub(super) fn birth(&mut self) -> TaskId {
        let task = self.tasks.insert(self.now);
        self.strategy.insert(task);
        task
    }

    pub(super) fn death(&mut self, index: u32) {
        let task = self.tasks.at(index).expect("a living task");
        self.tasks.remove(task);
        self.strategy.remove(task);
    }

    pub(super) fn request(&mut self, index: u32) {
        let task = self.tasks.at(index).expect("a living task");
        self.strategy.request(task);
    }

    /// Makes one update. Returns the index and elapsed time of each run.
    pub(super) fn update_elapsed(&mut self, delta: Nanos) -> Vec<(u32, Nanos)> {
        self.now += delta;
        let mut recorder = Recorder {
            ran: Vec::new(),
            clock: self.clock,
            cost: self.cost,
            weights: &self.weights,
            kills: &self.kills,
            killed: Vec::new(),
            most_runs: self.most_runs,
        };
        self.strategy.update(&mut UpdateContext::new(
            delta,
            self.now,
            &mut self.tasks,
            &mut recorder,
        ));
        self.clock = recorder.clock;
        for task in recorder.killed {
            self.strategy.remove(task);
        }
        for (task, _) in &recorder.ran {
            if self.repeats.contains(task) {
                self.strategy.request(*task);
            }
        }
        recorder
            .ran
            .into_iter()
            .map(|(task, elapsed)| (task.index, elapsed))
            .collect()
    }

    /// Makes one update. Returns the index of each task that ran.
    pub(super) fn update(&mut self, delta: Nanos) -> Vec<u32> {
        self.update_elapsed(delta)
            .into_iter()
            .map(|(index, _)| index)
            .collect()
    }

    /// Makes `count` updates. Returns the number of runs in each.
    pub(super) fn runs_in(&mut self, count: usize, delta: Nanos) -> Vec<usize> {
        (0..count).map(|_| self.update(delta).len()).collect()
    }
}
