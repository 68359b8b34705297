//! Runs a single update of a lane. The update advances the world, lets the strategy run tasks on the machine, and
//! reports events to the observer.

use super::events::Events;
use super::game_clock::GameClock;
use super::{Observer, Run, Update};
use crate::catalog::strategy::Inspect;
use crate::catalog::strategy::knobs::BUDGET;
use crate::sim::machine::{ClockReading, Machine};
use crate::sim::settings::Settings;
use crate::sim::world::{Crowd, Plane, Point, Significance, Weights, World};
use std::time::Duration;
use timeslicer::frame_loop::Game;
use timeslicer::scheduler::{BatchProgress, Runner, TaskId, Tasks, UpdateContext};
use timeslicer::time::{ClockTime, GameTime, Nanos};

pub(super) struct LaneGame<M, O> {
    pub(super) settings: Settings,
    pub(super) machine: M,
    pub(super) clock: GameClock,
    pub(super) strategy: Box<dyn Inspect>,
    pub(super) world: World,
    pub(super) now: GameTime,
    pub(super) events: Events,
    pub(super) observer: O,
    stopwatch: Stopwatch,
    /// The settings that determined the weights when they were last reported to the observer: the weight rule, the grid
    /// of slots, and the target's position if the target is at rest. `None` if no weights have been reported yet.
    weighed: Option<(Significance, Plane, Option<Point>)>,
    /// The tasks that have died in the current update, each with the newborn task that replaces it. Empty between
    /// updates.
    churned: Vec<(TaskId, TaskId)>,
    /// The runs that have not been recorded yet, at most [`RECORDED`]. Empty between updates.
    runs: Vec<Run>,
}

impl<M: Machine, O: Observer> LaneGame<M, O> {
    pub(super) fn new(settings: Settings, machine: M) -> Self
    where
        O: Default,
    {
        let mut world = World::new(&settings.knobs, settings.seed);
        world.move_target(GameTime::START, settings.target);
        world.set_own_costs(settings.own_costs.clone());
        Self {
            machine,
            clock: GameClock::new(settings.seed),
            strategy: (settings.strategy).build_with_seed(&settings.knobs, settings.seed),
            settings,
            world,
            now: GameTime::START,
            events: Events::default(),
            observer: O::default(),
            stopwatch: Stopwatch::default(),
            weighed: None,
            churned: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Adds an entity to the world. The caller must notify the strategy.
    fn birth(&mut self) -> TaskId {
        let task = self.world.birth(self.now);
        self.observer.born(task, &self.world.weights());
        self.events.slot_changed(task);
        task
    }

    /// Removes an entity from the world. The caller must notify the strategy.
    fn death(&mut self, task: TaskId) {
        if let Some(last_run) = self.world.tasks().last_run(task) {
            let weights = self.world.weights();
            self.observer.died(task, self.now - last_run, &weights);
            self.world.death(task);
            self.events.slot_changed(task);
        }
    }

    /// Kills entities between two updates.
    pub(super) fn kill(&mut self, dying: &[TaskId]) {
        for &task in dying {
            self.death(task);
        }
        self.strategy.remove_all(dying);
    }

    /// Notifies the observer if a setting has changed the weights of all entities. Changes that are due to the motion
    /// of the target are not reported.
    fn weigh_all(&mut self) {
        let weights = self.world.weights();
        let resting = self.settings.target_rests().then_some(weights.target);
        let weighed = Some((weights.significance, weights.plane, resting));
        if self.weighed != weighed {
            self.weighed = weighed;
            let tasks = self.world.tasks();
            self.observer.reweighed(tasks, &weights, self.now);
        }
    }

    fn churn(&mut self, delta: Nanos) {
        let mut expected = self.world.expected_churn(delta);
        while let Some(victim) = self.world.draw_death(&mut expected) {
            self.death(victim);
            let newborn = self.birth();
            self.churned.push((victim, newborn));
        }
        if self.churned.is_empty() {
            return;
        }
        let Settings {
            strategy, knobs, ..
        } = &self.settings;
        self.stopwatch.start(&self.machine);
        if strategy.is_as_published(knobs) {
            // Published forms search their lists when a task is removed. If they did so for each death, a longer frame
            // with more deaths would make the next frame even longer. The order of insertion and removal does not
            // matter, because published forms append new tasks.
            let (victims, newborns): (Vec<_>, Vec<_>) = self.churned.drain(..).unzip();
            for newborn in newborns {
                self.strategy.insert(newborn);
            }
            self.strategy.remove_all(&victims);
        } else {
            for (victim, newborn) in self.churned.drain(..) {
                self.strategy.remove(victim);
                self.strategy.insert(newborn);
            }
        }
        self.stopwatch.stop(&self.machine);
    }

    fn draw_requests(&mut self, delta: Nanos) {
        self.world.requests(delta, |requests| {
            self.stopwatch.start(&self.machine);
            for (task, _) in requests {
                self.strategy.request(*task);
            }
            self.stopwatch.stop(&self.machine);
            for (task, ago) in requests {
                self.observer.requested(*task, self.now - *ago);
            }
        });
    }

    fn run_tasks(&mut self, delta: Nanos) {
        self.world.place_entities();
        let weights = self.world.weights();
        let World { tasks, crowd, .. } = &mut self.world;
        let mut runner = LaneRunner {
            machine: &mut self.machine,
            crowd,
            weights,
            now: self.now,
            events: &mut self.events,
            observer: &mut self.observer,
            stopwatch: &mut self.stopwatch,
            runs: &mut self.runs,
        };
        runner.stopwatch.start(runner.machine);
        let mut context = UpdateContext::new(delta, self.now, tasks, &mut runner);
        self.strategy.update(&mut context);
        self.events.frame.stopped |= context.is_stopped();
        self.stopwatch.stop(&self.machine);
    }

    pub(super) fn request(&mut self, task: TaskId) {
        self.strategy.request(task);
        if self.settings.strategy.on_request() {
            self.observer.requested(task, self.now);
        }
    }

    /// Adds entities until there are `count` of them, or kills entities in the last slots if there are too many.
    pub(super) fn populate(&mut self, count: usize) {
        let excess = self.world.tasks().len().saturating_sub(count);
        let dying: Vec<TaskId> = self.world.tasks().iter().rev().take(excess).collect();
        self.kill(&dying);
        self.world.reserve_for(count);
        while self.world.tasks().len() < count {
            let task = self.birth();
            self.strategy.insert(task);
        }
    }
}

impl<M: Machine, O: Observer> Game for LaneGame<M, O> {
    fn update(&mut self, delta: Duration) {
        // If tasks run once per frame, the lane calls `update_tasks` itself, after the updates of the frame.
        if !self.settings.runs_tasks_once() {
            self.update_tasks(self.settings.game_time(delta.into()));
        }
    }

    fn clock(&self) -> ClockTime {
        self.clock.read(self.machine.clock())
    }
}

impl<M: Machine, O: Observer> LaneGame<M, O> {
    /// Advances the game by `delta`, and lets the strategy run tasks.
    pub(super) fn update_tasks(&mut self, delta: Nanos) {
        let start = self.machine.clock();
        let task_time_before = self.events.frame.task_time;
        self.weigh_all();
        self.now += delta;
        self.observer.time_advanced(delta);
        self.world.move_target(self.now, self.settings.target);

        // Draw requests before deaths and births: entities that die now can have made some, but newborns cannot.
        if self.settings.strategy.on_request() {
            self.draw_requests(delta);
        }
        self.churn(delta);
        let strategy = &*self.strategy;
        self.observer.update_began(strategy, delta);

        let runs_before = self.events.frame.runs as usize;
        self.run_tasks(delta);
        let in_tasks = self.events.frame.task_time - task_time_before;
        let reading = self.machine.clock_reading();
        let scheduling = self.stopwatch.take(reading.unwrap_or_default());
        self.events.frame.scheduling += scheduling;
        let budget = self.settings.knobs.span(&BUDGET);
        self.observer
            .update_ended(in_tasks, budget, reading.is_none());
        self.events.updates.push(Update {
            start,
            time: self.now,
            target: self.world.target(),
            delta,
            runs_before,
            runs: self.events.frame.runs as usize - runs_before,
            task_time: in_tasks,
            scheduling,
        });
    }
}

/// The number of tasks whose runs are recorded together. It is large enough that reading the clock between two groups
/// takes little time, and small enough that the tasks' data fits into the processor's first-level cache.
const GROUP: usize = 64;

/// Runs a lane's tasks by spending their costs on the machine, and reports the runs. A lane's tasks neither create nor
/// kill entities.
///
/// Tasks run in small groups. After a group has run, the world, the observer and the lane's events each record the runs
/// of the whole group. The steps for different tasks do not depend on each other, so the processor can load the data of
/// several tasks in parallel.
///
/// The stopwatch measures only the time that the strategy takes. It is stopped while tasks run and while the lane
/// records their runs.
struct LaneRunner<'a, M, O> {
    machine: &'a mut M,
    crowd: &'a mut Crowd,
    weights: Weights,
    now: GameTime,
    events: &'a mut Events,
    observer: &'a mut O,
    stopwatch: &'a mut Stopwatch,
    /// Runs that have not been recorded yet.
    runs: &'a mut Vec<Run>,
}

impl<M: Machine, O: Observer> LaneRunner<'_, M, O> {
    fn work(&mut self, task: TaskId, elapsed: Nanos) {
        let took = self.machine.work(self.crowd.cost(task));
        let (entity, first) = self.crowd.ran(task, self.now);
        self.runs.push(Run {
            task,
            entity,
            time: self.now,
            elapsed,
            first,
            took,
        });
    }

    /// Records the runs since the previous call, and reports them to the observer.
    fn record(&mut self) {
        self.crowd.move_to_end(self.runs.iter().map(|run| run.task));
        self.observer.ran(self.runs, self.crowd, &self.weights);
        self.events.ran(self.runs);
        self.runs.clear();
    }
}

impl<M: Machine, O: Observer> Runner for LaneRunner<'_, M, O> {
    fn run(&mut self, task: TaskId, elapsed: Nanos, _tasks: &mut Tasks) {
        self.work(task, elapsed);
        self.record();
    }

    fn clock(&self) -> ClockTime {
        self.machine.clock()
    }

    fn has_time_for(&self, task: TaskId) -> bool {
        self.machine.has_time_for(|| self.crowd.cost(task))
    }

    fn weight(&self, task: TaskId) -> f64 {
        self.weights.at(self.crowd.entity(task).position).0
    }

    fn run_batch(&mut self, batch: &[TaskId], now: GameTime, tasks: &mut Tasks) -> BatchProgress {
        let mut progress = BatchProgress::default();
        for group in batch.chunks(GROUP) {
            self.stopwatch.stop(self.machine);
            let mut taken = 0;
            for &task in group {
                if !self.has_time_for(task) {
                    break;
                }
                if let Some(elapsed) = tasks.ran(task, now) {
                    self.work(task, elapsed);
                }
                taken += 1;
            }
            progress.taken += taken;
            progress.runs += self.runs.len();
            self.record();
            self.stopwatch.start(self.machine);
            if taken < group.len() {
                break;
            }
        }
        progress
    }
}

/// Measures how long the strategy works, without the time that the measurement itself takes.
///
/// Each measured span of time includes one reading of the clock, so the time that a reading takes is subtracted from
/// the span. If the span is shorter than a reading, the rest is subtracted from later spans. A coarse clock measures
/// most spans as zero and some as a whole tick, so only the mean over many updates is exact.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stopwatch {
    since: ClockTime,
    measured: Nanos,
    spans: u64,
    /// The time that still has to be subtracted from later spans, because earlier spans were shorter than a reading of
    /// the clock. It is limited to eight ticks of the clock.
    excess: Nanos,
}

impl Stopwatch {
    pub(super) fn start(&mut self, machine: &impl Machine) {
        self.since = machine.clock();
    }

    pub(super) fn stop(&mut self, machine: &impl Machine) {
        self.measured += machine.clock().saturating_since(self.since);
        self.spans += 1;
    }

    /// Returns the time that has been measured since the previous call, and resets it to zero. `reading` contains the
    /// clock's tick length and the time that it takes to read the clock.
    pub(super) fn take(&mut self, reading: ClockReading) -> Nanos {
        let readings = Nanos::from_nanos(reading.takes.as_nanos().saturating_mul(self.spans));
        let too_much = readings + self.excess;
        let time = self.measured.saturating_sub(too_much);
        let most_excess = Nanos::from_nanos(8 * reading.step.as_nanos());
        *self = Self {
            excess: too_much.saturating_sub(self.measured).min(most_excess),
            ..Self::default()
        };
        time
    }
}
