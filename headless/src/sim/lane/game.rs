//! One update of a lane: drives the world and the strategy, and reports to the observer.

use super::events::Events;
use super::runner::{LaneRunner, Stopwatch};
use super::{Change, Observer, Update, UpdateBegun};
use crate::sim::machine::Machine;
use crate::sim::projectile::Body;
use crate::sim::settings::Settings;
use crate::sim::world::{Plane, Point, Significance, World};
use timeslicer::frame_loop::Game;
use timeslicer::scheduler::{TaskId, UpdateContext};
use timeslicer::strategy::{Inspect, Promise};
use timeslicer::time::{ClockTime, GameTime, Nanos};

pub(super) struct LaneGame<M, O> {
    pub(super) machine: M,
    pub(super) strategy: Box<dyn Inspect>,
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
    /// True if the machine had no time for a task of this frame.
    pub(super) stopped: bool,
    stopwatch: Stopwatch,
    /// The rule, the places and the resting target for which the observer last weighed all entities.
    weighed: Option<(Significance, Plane, Option<Point>)>,
    /// Requests of an update, each with the strategy's promise; empty between updates.
    requests: Vec<(TaskId, Promise)>,
}

impl<M: Machine, O: Observer> LaneGame<M, O> {
    pub(super) fn new(settings: &Settings, machine: M) -> Self
    where
        O: Default,
    {
        let mut world = World::new(&settings.knobs, settings.seed);
        world.pin_target(settings.target);
        Self {
            machine,
            strategy: settings.strategy.build(&settings.knobs),
            on_request: settings.strategy.on_request(),
            world,
            body: Body::default(),
            now: GameTime::START,
            events: Events::new(),
            observer: O::default(),
            step: Nanos::ZERO,
            task_time: Nanos::ZERO,
            scheduling: Nanos::ZERO,
            stopped: false,
            stopwatch: Stopwatch::default(),
            weighed: None,
            requests: Vec::new(),
        }
    }

    pub(super) fn begin_frame(&mut self) {
        self.events.run_count = 0;
        self.task_time = Nanos::ZERO;
        self.scheduling = Nanos::ZERO;
        self.stopped = false;
    }

    pub(super) fn birth(&mut self) {
        let task = self.birth_in_world();
        self.strategy.insert(task);
    }

    pub(super) fn death(&mut self, task: TaskId) {
        self.death_in_world(task);
        self.strategy.remove(task);
    }

    /// Like [`LaneGame::birth`], but the strategy does not know yet.
    fn birth_in_world(&mut self) -> TaskId {
        let task = self.world.birth(self.now);
        self.observer.born(task, &self.world.weights());
        self.events.changed(Change::Born(task));
        task
    }

    /// Like [`LaneGame::death`], but the strategy does not know yet.
    fn death_in_world(&mut self, task: TaskId) {
        let last_run = self.world.tasks().last_run(task);
        if let Some((entity, last_run)) = self.world.entity(task).zip(last_run) {
            let staleness = self.now - last_run;
            let weights = self.world.weights();
            self.observer.died(task, entity.number, staleness, &weights);
            self.world.death(task);
            self.events.changed(Change::Died(task));
        }
    }

    /// Notifies the observer if the weights of all entities have changed, and not only by a move of the target.
    fn weigh_all(&mut self) {
        let weights = self.world.weights();
        let pinned = self.world.pinned_target();
        let weighed = Some((weights.significance, weights.plane, pinned));
        if self.weighed != weighed {
            self.weighed = weighed;
            let tasks = self.world.tasks();
            self.observer.reweighed(tasks, &weights, self.now);
        }
    }

    fn churn(&mut self, delta: Nanos) {
        let known = self.events.changes.len();
        let mut expected = self.world.expected_churn(delta);
        while let Some(victim) = self.world.next_churned(&mut expected) {
            self.death_in_world(victim);
            self.birth_in_world();
        }
        let changes = &self.events.changes[known..];
        if changes.is_empty() {
            return;
        }
        self.stopwatch.start(&self.machine);
        for change in changes {
            match *change {
                Change::Born(task) => self.strategy.insert(task),
                Change::Died(task) => self.strategy.remove(task),
            }
        }
        self.stopwatch.stop(&self.machine);
    }

    fn draw_requests(&mut self, delta: Nanos) {
        let requests = &mut self.requests;
        let promise = self.strategy.promise();
        self.world
            .requests(delta, |task| requests.push((task, promise)));
        if requests.is_empty() {
            return;
        }
        self.stopwatch.start(&self.machine);
        for (task, promise) in &mut *requests {
            self.strategy.request(*task);
            *promise = self.strategy.promise();
        }
        self.stopwatch.stop(&self.machine);
        for (task, promise) in requests.drain(..) {
            self.observer.requested(task, self.now, promise);
        }
    }

    fn run_tasks(&mut self, delta: Nanos) {
        let weights = self.world.weights();
        let (tasks, crowd) = self.world.tasks_and_crowd();
        let mut runner = LaneRunner {
            machine: &mut self.machine,
            crowd,
            weights,
            now: self.now,
            events: &mut self.events,
            observer: &mut self.observer,
            task_time: &mut self.task_time,
            stopwatch: &mut self.stopwatch,
        };
        runner.stopwatch.start(runner.machine);
        let mut context = UpdateContext::new(delta, self.now, tasks, &mut runner);
        self.strategy.update(&mut context);
        self.stopped |= context.is_stopped();
        self.stopwatch.stop(&self.machine);
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
        self.weigh_all();
        self.now += delta;
        self.observer.time_advanced(delta);
        self.body.update(delta);
        self.world.move_target(self.now);

        self.churn(delta);
        if self.on_request {
            self.draw_requests(delta);
        }
        self.observer.update_began(&UpdateBegun {
            now: self.now,
            delta,
            promise: self.strategy.promise(),
            wanted: self.strategy.wanted_interval(),
            budget: self.strategy.budget(),
            step: self.step,
        });

        let runs_before = self.events.run_count;
        self.run_tasks(delta);
        let in_tasks = self.task_time - task_time_before;
        let reading = self.machine.clock_reading().unwrap_or_default();
        let scheduling = self.stopwatch.take(reading);
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
