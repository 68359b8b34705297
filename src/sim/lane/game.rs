//! One update of a lane: drives the world and the strategy, and reports to the observer.

use super::events::Events;
use super::{Change, Observer, Run, Update, UpdateBegun};
use crate::sim::machine::Machine;
use crate::sim::projectile::Body;
use crate::sim::settings::Settings;
use crate::sim::world::{Crowd, World};
use timeslice::frame_loop::Game;
use timeslice::scheduler::{Runner, TaskId, Tasks, UpdateContext};
use timeslice::strategy::Strategy;
use timeslice::time::{ClockTime, GameTime, Nanos};

/// Part of a lane that the frame loop updates.
pub(super) struct LaneGame<M, O> {
    pub(super) machine: M,
    pub(super) strategy: Box<dyn Strategy>,
    /// Whether the strategy is event-driven; otherwise no requests are drawn.
    pub(super) on_request: bool,
    pub(super) world: World,
    pub(super) body: Body,
    pub(super) now: GameTime,
    pub(super) events: Events,
    pub(super) observer: O,
    /// Game time per update that the frame loop aims at.
    pub(super) step: Nanos,
    pub(super) task_time: Nanos,
    pub(super) scheduling: Nanos,
}

impl<M: Machine, O: Observer> LaneGame<M, O> {
    /// Creates a game without entities.
    pub(super) fn new(settings: &Settings, machine: M) -> Self
    where
        O: Default,
    {
        let mut strategy = (settings.strategy.make)();
        strategy.tune(&settings.knobs);
        Self {
            machine,
            strategy,
            on_request: settings.strategy.on_request(),
            world: World::new(&settings.knobs, settings.seed),
            body: Body::default(),
            now: GameTime::START,
            events: Events::new(),
            observer: O::default(),
            step: Nanos::ZERO,
            task_time: Nanos::ZERO,
            scheduling: Nanos::ZERO,
        }
    }

    pub(super) fn birth(&mut self) {
        let task = self.world.birth(self.now);
        self.strategy.insert(task);
        self.observer.born(task);
        self.events.changed(Change::Born(task));
    }

    pub(super) fn death(&mut self, task: TaskId) {
        let last_run = self.world.tasks().last_run(task);
        if let Some((entity, last_run)) = self.world.entity(task).zip(last_run) {
            self.observer.died(task, entity.number, self.now - last_run);
            self.world.death(task);
            self.strategy.remove(task);
            self.events.changed(Change::Died(task));
        }
    }

    pub(super) fn request(&mut self, task: TaskId) {
        self.strategy.request(task);
        self.observer
            .requested(task, self.now, self.strategy.promise());
    }

    /// Kills entities, last places first, or adds entities until there are `count`.
    pub(super) fn populate(&mut self, count: usize) {
        let excess = self.world.tasks().len().saturating_sub(count);
        let dying: Vec<TaskId> = self.world.tasks().iter().rev().take(excess).collect();
        for task in dying {
            self.death(task);
        }
        while self.world.tasks().len() < count {
            self.birth();
        }
    }
}

impl<M: Machine, O: Observer> Game for LaneGame<M, O> {
    fn update(&mut self, delta: Nanos) {
        let start = self.machine.clock();
        let task_time_before = self.task_time;
        self.now += delta;
        self.body.update(delta);
        self.world.move_target(self.now);

        let mut expected = self.world.expected_churn(delta);
        while let Some(victim) = self.world.next_churned(&mut expected) {
            self.death(victim);
            self.birth();
        }
        let Self {
            strategy,
            world,
            observer,
            now,
            ..
        } = self;
        if self.on_request {
            world.requests(delta, |task| {
                strategy.request(task);
                observer.requested(task, *now, strategy.promise());
            });
        }
        observer.update_began(&UpdateBegun {
            now: *now,
            delta,
            promise: strategy.promise(),
            budget: strategy.budget(),
            step: self.step,
        });

        let runs_before = self.events.run_count;
        let (tasks, crowd) = world.tasks_and_crowd();
        let mut runner = LaneRunner {
            machine: &mut self.machine,
            crowd,
            now: self.now,
            events: &mut self.events,
            observer,
            task_time: &mut self.task_time,
        };
        strategy.update(&mut UpdateContext::new(delta, self.now, tasks, &mut runner));
        let in_tasks = self.task_time - task_time_before;
        let scheduling = (self.machine.clock() - start) - in_tasks;
        self.scheduling += scheduling;
        self.observer.update_ended(in_tasks);
        self.events.updates.push(Update {
            start,
            time: self.now,
            target: self.world.target(),
            delta,
            runs_before,
            runs: self.events.run_count - runs_before,
            task_time: in_tasks,
            scheduling,
        });
    }

    fn clock(&self) -> ClockTime {
        self.machine.clock()
    }
}

/// Runs a lane's tasks: spends their cost on the machine and records the runs.
struct LaneRunner<'a, M, O> {
    machine: &'a mut M,
    crowd: &'a mut Crowd,
    now: GameTime,
    events: &'a mut Events,
    observer: &'a mut O,
    task_time: &'a mut Nanos,
}

impl<M: Machine, O: Observer> Runner for LaneRunner<'_, M, O> {
    fn run(&mut self, task: TaskId, elapsed: Nanos, _tasks: &mut Tasks) {
        let took = self.machine.work(self.crowd.cost(task));
        *self.task_time += took;
        let (entity, first) = self.crowd.ran(task, self.now, elapsed);
        self.observer.ran(task, entity, elapsed, first);
        self.events.ran(Run {
            task,
            entity,
            time: self.now,
            elapsed,
            first,
            took,
        });
    }

    fn clock(&self) -> ClockTime {
        self.machine.clock()
    }
}
