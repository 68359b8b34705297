//! Runs a lane's tasks.

use super::events::Events;
use super::stopwatch::Stopwatch;
use super::{Observer, Run};
use crate::sim::machine::Machine;
use crate::sim::world::{Crowd, Weights};
use timeslicer::scheduler::{Runner, TaskId, Tasks, Turns};
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// Number of tasks between two readings of the clock. They cost little for this many tasks, and the tasks' data still
/// fit into the first-level cache.
pub(super) const CHUNK: usize = 64;

/// Runs a lane's tasks: spends their cost on the machine and records the runs. A lane's tasks neither give birth nor
/// kill.
///
/// The stopwatch runs while the strategy is at work, and stops while tasks run and the lab records their runs.
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
    /// Elapsed times of a chunk's tasks; `None` for dead tasks.
    pub(super) elapsed: [Option<Nanos>; CHUNK],
}

impl<M: Machine, O: Observer> LaneRunner<'_, M, O> {
    /// Runs the tasks of `chunk` that are alive and that the machine has time for. Returns the number of tasks that
    /// took their turn, and of runs.
    fn run_chunk(&mut self, chunk: &[TaskId], tasks: &mut Tasks) -> Turns {
        let mut runs = 0;
        for (taken, &task) in chunk.iter().enumerate() {
            if !self.has_time_for(task) {
                return Turns { taken, runs };
            }
            if let Some(elapsed) = self.elapsed[taken] {
                self.run(task, elapsed, tasks);
                runs += 1;
            }
        }
        let taken = chunk.len();
        Turns { taken, runs }
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

    /// Like the provided method, but lets the strategy's part, which is to record the time of each run, come first. So
    /// two readings of the clock are enough for a chunk.
    fn run_batch(&mut self, batch: &[TaskId], now: GameTime, tasks: &mut Tasks) -> Turns {
        let mut turns = Turns::default();
        for chunk in batch.chunks(CHUNK) {
            for (elapsed, &task) in self.elapsed.iter_mut().zip(chunk) {
                *elapsed = tasks.ran(task, now);
            }
            self.stopwatch.stop(self.machine);
            let Turns { taken, runs } = self.run_chunk(chunk, tasks);
            self.stopwatch.start(self.machine);
            turns.taken += taken;
            turns.runs += runs;
            if taken < chunk.len() {
                for (elapsed, &task) in self.elapsed.iter().zip(chunk).skip(taken) {
                    if let Some(elapsed) = *elapsed {
                        tasks.ran(task, now - elapsed); // it has not run in this update
                    }
                }
                break;
            }
        }
        turns
    }

    fn run_cohort(&mut self, batch: &[TaskId], elapsed: Nanos, tasks: &mut Tasks) -> Turns {
        self.stopwatch.stop(self.machine);
        let mut taken = 0;
        for &task in batch {
            if !self.has_time_for(task) {
                break;
            }
            self.run(task, elapsed, tasks);
            taken += 1;
        }
        self.stopwatch.start(self.machine);
        Turns { taken, runs: taken }
    }
}

#[cfg(test)]
mod tests {
    use crate::sim::lane::test_machine::{TestMachine, pass};
    use crate::sim::lane::{Change, Lane, Observer, Run, UpdateBegun};
    use crate::sim::world::{CHURN, COST, ENTITIES, REQUESTS, Weights};
    use crate::testing::settings;
    use std::cell::Cell;
    use std::collections::BTreeMap;
    use timeslicer::scheduler::{Runner, TaskId, Tasks, UpdateContext};
    use timeslicer::strategy::{Inspect, Promise, STRATEGIES, Strategy};
    use timeslicer::time::{ClockTime, GameTime, Nanos};

    /// Strategy whose every call takes a known time.
    struct Slow(Box<dyn Inspect>);

    impl Strategy for Slow {
        fn insert(&mut self, task: TaskId) {
            pass(10);
            self.0.insert(task);
        }
        fn remove(&mut self, task: TaskId) {
            pass(20);
            self.0.remove(task);
        }
        fn request(&mut self, task: TaskId) {
            pass(30);
            self.0.request(task);
        }
        fn update(&mut self, context: &mut UpdateContext<'_>) {
            pass(1000);
            self.0.update(context);
            pass(500);
        }
        fn promise(&self) -> Promise {
            self.0.promise()
        }
    }

    impl Inspect for Slow {}

    /// Observer whose every call takes time.
    #[derive(Default)]
    struct Recording {
        requests: u64,
    }

    impl Observer for Recording {
        fn born(&mut self, _task: TaskId, _weights: &Weights) {
            pass(100_000);
        }
        fn died(&mut self, _task: TaskId, _entity: u64, _staleness: Nanos, _weights: &Weights) {
            pass(100_000);
        }
        fn requested(&mut self, _task: TaskId, _now: GameTime, _promise: Promise) {
            pass(100_000);
            self.requests += 1;
        }
        fn update_began(&mut self, _update: &UpdateBegun) {
            pass(100_000);
        }
        fn reweighed(&mut self, _tasks: &Tasks, _weights: &Weights, _now: GameTime) {
            pass(100_000);
        }
        fn ran(&mut self, _run: &Run, _weights: &Weights) {
            pass(100_000);
        }
        fn update_ended(&mut self, _task_time: Nanos) {
            pass(100_000);
        }
    }

    fn lane<O: Observer + Default>(strategy: &str) -> Lane<TestMachine, O> {
        let set = [
            (&ENTITIES, 150.0),
            (&COST, 1.0),
            (&CHURN, 100.0),
            (&REQUESTS, 10.0),
        ];
        let settings = settings(strategy, "variable-step", &set);
        Lane::new(settings, TestMachine::new(40, 1))
    }

    /// Returns true if the strategy reads the clock in an update that runs a task.
    fn reads_the_clock(mut strategy: Box<dyn Inspect>) -> bool {
        struct Game(Cell<bool>);
        impl Runner for Game {
            fn run(&mut self, _task: TaskId, _elapsed: Nanos, _tasks: &mut Tasks) {}
            fn clock(&self) -> ClockTime {
                self.0.set(true);
                ClockTime::START
            }
        }
        let (mut tasks, mut game) = (Tasks::new(), Game(Cell::new(false)));
        let task = tasks.insert(GameTime::START);
        strategy.insert(task);
        strategy.request(task);
        let (delta, mut now) = (Nanos::from_secs(100), GameTime::START);
        for _ in 0..100 {
            now += delta;
            strategy.update(&mut UpdateContext::new(delta, now, &mut tasks, &mut game));
        }
        game.0.get()
    }

    #[test]
    fn scheduling_excludes_tasks_recording_and_measuring() {
        for entry in STRATEGIES {
            // Readings of the clock are a part of the strategy's own cost.
            if reads_the_clock((entry.make)()) {
                continue;
            }
            let mut lane: Lane<TestMachine, Recording> = lane(entry.key);
            let strategy = std::mem::replace(&mut lane.game.strategy, (entry.make)());
            lane.game.strategy = Box::new(Slow(strategy));
            for _ in 0..50 {
                lane.observer_mut().requests = 0;
                let frame = lane.frame().clone();
                let changes = lane.changes().iter().map(|change| match change {
                    Change::Born(_) => 10,
                    Change::Died(_) => 20,
                });
                let expected = 1500 + changes.sum::<u64>() + 30 * lane.observer().requests;
                assert_eq!(frame.scheduling.as_nanos(), expected, "{}", entry.key);
                assert_eq!(frame.task_time, Nanos::from_micros(frame.runs.into()));
                assert_eq!(lane.updates()[0].scheduling, frame.scheduling);
            }
        }
    }

    #[test]
    fn only_tasks_that_the_machine_has_time_for_count_as_run() {
        for entry in STRATEGIES {
            let mut lane: Lane<TestMachine> = lane(entry.key);
            lane.set_knob(&CHURN, 0.0);
            let mut last_runs: BTreeMap<TaskId, GameTime> = BTreeMap::new();
            let mut stopped = 0;
            for _ in 0..200 {
                lane.machine_mut().time_left = Nanos::from_micros(3);
                let frame = lane.frame().clone();
                stopped += u32::from(frame.stopped);
                assert!(frame.runs <= 3 && frame.runs as usize == lane.runs().len());
                assert!(!frame.stopped || frame.backlog > 0, "{}", entry.key);
                for run in lane.runs() {
                    let last_run = last_runs.insert(run.task, lane.now());
                    assert_eq!(run.elapsed, lane.now() - last_run.unwrap_or_default());
                }
                for task in lane.world().tasks().iter() {
                    let last_run = last_runs.get(&task).copied().unwrap_or_default();
                    assert_eq!(lane.world().tasks().last_run(task), Some(last_run));
                }
            }
            assert!(stopped > 10, "{}", entry.key);
        }
    }
}
