//! Runs a lane's tasks, and measures the time that the strategy takes.

use super::events::Events;
use super::{Observer, Run};
use crate::sim::machine::{ClockReading, Machine};
use crate::sim::world::{Crowd, Weights};
use timeslicer::scheduler::{Runner, TaskId, Tasks, Turns};
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// Number of tasks between two readings of the clock. They cost little for this many tasks, and the tasks' data still
/// fit into the first-level cache.
const CHUNK: usize = 64;

/// Runs a lane's tasks: spends their cost on the machine and reports the runs. A lane's tasks neither give birth nor
/// kill.
///
/// The stopwatch runs while the strategy is at work, and stops while tasks run and the lab measures their runs.
pub(super) struct LaneRunner<'a, M, O> {
    pub(super) machine: &'a mut M,
    pub(super) crowd: &'a mut Crowd,
    /// Weights of all entities in this update.
    pub(super) weights: Weights,
    pub(super) now: GameTime,
    pub(super) events: &'a mut Events,
    pub(super) observer: &'a mut O,
    pub(super) task_time: &'a mut Nanos,
    pub(super) stopwatch: &'a mut Stopwatch,
}

impl<M: Machine, O: Observer> LaneRunner<'_, M, O> {
    /// Runs the living tasks of `batch` in order, while the machine has time. `elapsed` returns the time since a task's
    /// last run; `None` if the task is dead.
    fn run_while_time(
        &mut self,
        batch: &[TaskId],
        tasks: &mut Tasks,
        elapsed: impl Fn(&Tasks, TaskId) -> Option<Nanos>,
    ) -> Turns {
        self.stopwatch.stop(self.machine);
        let mut turns = Turns::default();
        for &task in batch {
            if !self.has_time_for(task) {
                break;
            }
            if let Some(elapsed) = elapsed(tasks, task) {
                self.run(task, elapsed, tasks);
                turns.runs += 1;
            }
            turns.taken += 1;
        }
        self.stopwatch.start(self.machine);
        turns
    }
}

impl<M: Machine, O: Observer> Runner for LaneRunner<'_, M, O> {
    fn run(&mut self, task: TaskId, elapsed: Nanos, _tasks: &mut Tasks) {
        let took = self.machine.work(self.crowd.cost(task));
        *self.task_time += took;
        let (entity, first) = self.crowd.ran(task, self.now, elapsed);
        let run = Run {
            task,
            entity,
            time: self.now,
            elapsed,
            first,
            took,
        };
        self.observer.ran(&run, &self.weights);
        self.events.ran(run);
    }

    fn wanted(&mut self, task: TaskId, interval: Nanos) {
        self.observer.wanted(task, interval);
    }

    fn clock(&self) -> ClockTime {
        self.machine.clock()
    }

    fn has_time_for(&self, task: TaskId) -> bool {
        self.machine.has_time_for(|| self.crowd.cost(task))
    }

    fn weight(&self, task: TaskId) -> f64 {
        self.weights.weight(task.index)
    }

    /// Like the provided method, but records the runs of a chunk together, because that is the strategy's part: so two
    /// readings of the clock are enough for a chunk.
    fn run_batch(&mut self, batch: &[TaskId], now: GameTime, tasks: &mut Tasks) -> Turns {
        let mut turns = Turns::default();
        for chunk in batch.chunks(CHUNK) {
            let Turns { taken, runs } = self.run_while_time(chunk, tasks, |tasks, task| {
                Some(now - tasks.last_run(task)?)
            });
            for &task in &chunk[..taken] {
                tasks.ran(task, now);
            }
            turns.taken += taken;
            turns.runs += runs;
            if taken < chunk.len() {
                break;
            }
        }
        turns
    }

    fn run_cohort(&mut self, batch: &[TaskId], elapsed: Nanos, tasks: &mut Tasks) -> Turns {
        self.run_while_time(batch, tasks, |_, _| Some(elapsed))
    }
}

/// Adds up the spans in which the strategy is at work, without the time that measuring takes.
///
/// The end of a span includes one reading of the clock, which is subtracted. On a clock of coarse steps, a span usually
/// measures nothing and sometimes a whole step, so only the mean over many updates is exact: what cannot be subtracted
/// now is subtracted later.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stopwatch {
    since: ClockTime,
    measured: Nanos,
    spans: u64,
    /// Time to subtract from later spans, a few steps of the clock at most.
    excess: Nanos,
}

impl Stopwatch {
    pub(super) fn start(&mut self, machine: &impl Machine) {
        self.since = machine.clock();
    }

    pub(super) fn stop(&mut self, machine: &impl Machine) {
        self.measured += machine.clock() - self.since;
        self.spans += 1;
    }

    /// Returns the length of the spans since the last call, by a clock with these properties.
    pub(super) fn take(&mut self, reading: ClockReading) -> Nanos {
        let readings = Nanos::from_nanos(reading.takes.as_nanos().saturating_mul(self.spans));
        let too_much = readings + self.excess;
        let time = self.measured - too_much; // zero at least
        let most_excess = Nanos::from_nanos(8 * reading.step.as_nanos());
        *self = Self {
            excess: (too_much - self.measured).min(most_excess),
            ..Self::default()
        };
        time
    }
}
