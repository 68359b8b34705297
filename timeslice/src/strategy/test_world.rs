//! A strategy on a table, for its tests: tasks, a clock that the tasks' costs advance, and a note of who
//! ran.

use super::Strategy;
use crate::scheduler::{Runner, TaskId, Tasks, UpdateContext};
use crate::time::{ClockTime, GameTime, Nanos};

pub(super) struct TestWorld<S> {
    pub(super) strategy: S,
    pub(super) tasks: Tasks,
    pub(super) now: GameTime,
    pub(super) cost: Nanos,
    /// The victims of a task: when the first runs, the second dies.
    pub(super) murders: Vec<(TaskId, TaskId)>,
    /// Who asks while running.
    pub(super) asks: Vec<TaskId>,
    clock: ClockTime,
}

struct Note<'a> {
    ran: Vec<(TaskId, Nanos)>,
    clock: ClockTime,
    cost: Nanos,
    murders: &'a [(TaskId, TaskId)],
    killed: Vec<TaskId>,
}

impl Runner for Note<'_> {
    fn run(&mut self, task: TaskId, elapsed: Nanos, tasks: &mut Tasks) {
        self.ran.push((task, elapsed));
        self.clock += self.cost;
        for &(murderer, victim) in self.murders {
            if murderer == task && tasks.remove(victim) {
                self.killed.push(victim);
            }
        }
    }

    fn clock(&self) -> ClockTime {
        self.clock
    }
}

impl<S: Strategy> TestWorld<S> {
    pub(super) fn new(strategy: S, count: usize) -> Self {
        let mut world = Self {
            strategy,
            tasks: Tasks::new(),
            now: GameTime::START,
            cost: Nanos::ZERO,
            murders: Vec::new(),
            asks: Vec::new(),
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
        let task = self.tasks.at(index).expect("the test kills the living");
        self.tasks.remove(task);
        self.strategy.remove(task);
    }

    pub(super) fn request(&mut self, index: u32) {
        let task = self.tasks.at(index).expect("the living ask");
        self.strategy.request(task);
    }

    /// One update; who ran, by index, and each one's elapsed time.
    pub(super) fn update_elapsed(&mut self, delta: Nanos) -> Vec<(u32, Nanos)> {
        self.now += delta;
        let mut note = Note {
            ran: Vec::new(),
            clock: self.clock,
            cost: self.cost,
            murders: &self.murders,
            killed: Vec::new(),
        };
        self.strategy.update(&mut UpdateContext::new(
            delta,
            self.now,
            &mut self.tasks,
            &mut note,
        ));
        self.clock = note.clock;
        for task in note.killed {
            self.strategy.remove(task);
        }
        for (task, _) in &note.ran {
            if self.asks.contains(task) {
                self.strategy.request(*task);
            }
        }
        note.ran
            .into_iter()
            .map(|(task, elapsed)| (task.index, elapsed))
            .collect()
    }

    /// One update; who ran, by index.
    pub(super) fn update(&mut self, delta: Nanos) -> Vec<u32> {
        self.update_elapsed(delta)
            .into_iter()
            .map(|(index, _)| index)
            .collect()
    }

    /// How many ran in each of `count` updates.
    pub(super) fn runs_in(&mut self, count: usize, delta: Nanos) -> Vec<usize> {
        (0..count).map(|_| self.update(delta).len()).collect()
    }
}
