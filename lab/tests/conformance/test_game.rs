//! A test game that runs a strategy without a lane. Tasks kill, give birth and make requests while they run, have any
//! cost and weight, and the game can stop updates. Every run is checked by a [`Record`].

use crate::record::Record;
use crate::steps::{Action, Step, Target};
use crate::values::value_at;
use lab::catalog::knob::{Knob, KnobValues};
use lab::catalog::strategy::{Inspect, STRATEGIES, StrategyEntry};
use std::cell::Cell;
use std::collections::BTreeMap;
use timeslicer::scheduler::{Runner, TaskId, Tasks, UpdateContext};
use timeslicer::time::{ClockTime, Nanos};

/// A change that the strategy must be informed of before its next update.
enum Notice {
    Born(TaskId),
    Died(TaskId),
    Requested(TaskId),
}

#[derive(Default)]
pub(crate) struct Update {
    pub(crate) ran: Vec<TaskId>,
    pub(crate) spent: Nanos,
    pub(crate) clock_reads: Cell<usize>,
    /// The first task for which the update had no time. It may be dead.
    pub(crate) stopped_at: Cell<Option<TaskId>>,
}

/// The part of the game that runs tasks.
pub(crate) struct World {
    record: Record,
    on_request: bool,
    clock: ClockTime,
    /// The number of runs for which the game has time in an update.
    pub(crate) most_runs: usize,
    /// The cost of each task, by index. If there are more tasks than costs, the list repeats.
    pub(crate) costs: Vec<Nanos>,
    /// The weight of each task, by index. If there are more tasks than weights, the list repeats.
    weights: Vec<f64>,
    /// The actions of the tasks that run in this update, in order.
    actions: Vec<Action>,
    update: Update,
    notices: Vec<Notice>,
    /// The last dead task of each slot, until it has been removed from the strategy twice.
    dead: BTreeMap<u32, TaskId>,
}

pub(crate) struct TestGame {
    pub(crate) entry: &'static StrategyEntry,
    pub(crate) strategy: Box<dyn Inspect>,
    pub(crate) tasks: Tasks,
    pub(crate) world: World,
    knobs: KnobValues,
}

impl TestGame {
    /// Creates a game with `count` tasks. The strategy's knobs are at these fractions of their ranges.
    pub(crate) fn new(entry: &'static StrategyEntry, count: usize, fractions: &[f64]) -> Self {
        let mut knobs = KnobValues::default();
        for (knob, fraction) in entry.own_knobs().zip(fractions) {
            knobs.set(knob, value_at(knob, *fraction));
        }
        let mut game = Self {
            entry,
            strategy: entry.build(&knobs),
            tasks: Tasks::new(),
            knobs,
            world: World {
                record: Record::default(),
                on_request: entry.on_request(),
                clock: ClockTime::START,
                most_runs: usize::MAX,
                costs: vec![Nanos::ZERO],
                weights: vec![1.0],
                actions: Vec::new(),
                update: Update::default(),
                notices: Vec::new(),
                dead: BTreeMap::new(),
            },
        };
        for _ in 0..count {
            game.birth();
        }
        game
    }

    pub(crate) fn set(&mut self, knob: &Knob, value: f64) {
        self.knobs.set(knob, value);
        self.strategy.tune(&self.knobs);
    }

    pub(crate) fn birth(&mut self) -> TaskId {
        let task = self.world.birth(&mut self.tasks);
        self.deliver_notices();
        task
    }

    pub(crate) fn kill(&mut self, task: TaskId) {
        self.world.kill(task, &mut self.tasks);
        self.deliver_notices();
    }

    pub(crate) fn living(&self) -> Vec<TaskId> {
        self.world.record.tasks()
    }

    /// Reports births, deaths and requests since the last update to the strategy.
    fn deliver_notices(&mut self) {
        for notice in std::mem::take(&mut self.world.notices) {
            match notice {
                Notice::Born(task) => self.strategy.insert(task),
                Notice::Died(task) => self.strategy.remove(task),
                Notice::Requested(task) if self.tasks.contains(task) => {
                    self.strategy.request(task);
                    let guarantee = self.strategy.guarantee();
                    self.world.record.requested(task, guarantee);
                }
                Notice::Requested(_) => {}
            }
        }
        let (backlog, living) = (self.strategy.backlog(), self.tasks.len());
        assert!(
            backlog <= living,
            "{}: {backlog} of {living}",
            self.entry.key
        );
    }

    pub(crate) fn request_all(&mut self) {
        let requests = self.living().into_iter().map(Notice::Requested);
        self.world.notices.extend(requests);
        self.deliver_notices();
    }

    /// Switches the strategy. Pending requests are lost.
    fn switch(&mut self, entry: &'static StrategyEntry) {
        self.entry = entry;
        self.world.on_request = entry.on_request();
        self.strategy = entry.build(&self.knobs);
        for task in self.tasks.iter() {
            self.strategy.insert(task);
        }
        self.world.record.strategy_switched();
    }

    /// Restarts the guaranteed waits. Call after births, deaths and knob changes.
    pub(crate) fn settle(&mut self) {
        let guarantee = self.strategy.guarantee();
        self.world.record.settle(guarantee);
    }

    /// Runs an update in which tasks take no actions.
    pub(crate) fn update(&mut self, delta: Nanos) -> Update {
        self.update_with(delta, &[])
    }

    /// Runs an update and checks each run. The first task that runs takes the first action, and so on.
    pub(crate) fn update_with(&mut self, delta: Nanos, actions: &[Action]) -> Update {
        let now = self.world.record.now() + delta;
        self.world.record.update_began(now);
        self.world.actions = actions.to_vec();
        for task in self.tasks.iter() {
            if let Some(dead) = self.world.dead.remove(&task.index) {
                self.strategy.remove(dead); // again, which must spare its successor
            }
        }
        let mut context = UpdateContext::new(delta, now, &mut self.tasks, &mut self.world);
        self.strategy.update(&mut context);

        let update = std::mem::take(&mut self.world.update);
        let stopped_at = update.stopped_at.get();
        let is_alive = stopped_at.is_some_and(|task| self.tasks.contains(task));
        let has_backlog = self.strategy.backlog() > 0;
        assert!(has_backlog || !is_alive, "{} has a backlog", self.entry.key);
        self.deliver_notices();
        let living = self.living();
        assert_eq!(living.len(), self.tasks.len());
        for task in living {
            let last_run = self.world.record.last_run(task);
            assert_eq!(self.tasks.last_run(task), Some(last_run), "{task:?}");
        }
        update
    }

    pub(crate) fn step(&mut self, step: &Step) {
        match step {
            Step::Update {
                delta,
                costs,
                actions,
            } => {
                self.world.costs.clone_from(costs);
                self.update_with(*delta, actions);
            }
            Step::Act(action) => {
                self.world.act(action, &mut self.tasks);
                self.deliver_notices();
            }
            Step::Weigh(weights) => self.world.weights.clone_from(weights),
            Step::Tune(fraction) => {
                for knob in STRATEGIES.iter().flat_map(|entry| entry.own_knobs()) {
                    self.knobs.set(knob, value_at(knob, *fraction));
                }
                self.strategy.tune(&self.knobs);
            }
            Step::Switch(pick) => self.switch(STRATEGIES[pick.index(STRATEGIES.len())]),
        }
    }

    /// Makes a step. If the step is an update, asserts that the guarantee before the step is kept.
    pub(crate) fn step_as_guaranteed(&mut self, step: &Step) {
        let guarantee = self.strategy.guarantee();
        self.step(step);
        if matches!(step, Step::Update { .. }) {
            self.world.record.assert_guarantee_kept(guarantee);
        }
    }
}

impl World {
    fn birth(&mut self, tasks: &mut Tasks) -> TaskId {
        let task = tasks.insert(self.record.now());
        self.record.born(task, self.record.now());
        self.notices.push(Notice::Born(task));
        task
    }

    fn kill(&mut self, task: TaskId, tasks: &mut Tasks) {
        assert!(tasks.remove(task), "{task:?} does not live");
        self.record.died(task);
        self.notices.push(Notice::Died(task));
        self.dead.insert(task.index, task);
    }

    /// Returns the target of an action. `None` if there are no tasks, or if the running task is meant and none runs.
    fn target(&self, target: &Target, tasks: &Tasks) -> Option<TaskId> {
        match target {
            Some(_) if tasks.is_empty() => None,
            Some(pick) => tasks.nth(pick.index(tasks.len())),
            None => self.update.ran.last().copied(),
        }
    }

    fn act(&mut self, action: &Action, tasks: &mut Tasks) {
        match action {
            Action::Nothing => {}
            Action::Birth => {
                self.birth(tasks);
            }
            Action::Kill(target) => {
                if let Some(task) = self.target(target, tasks) {
                    self.kill(task, tasks);
                }
            }
            Action::Replace(target) => {
                if let Some(task) = self.target(target, tasks) {
                    self.kill(task, tasks);
                    self.birth(tasks);
                }
            }
            Action::Request(target) => {
                let task = self.target(target, tasks);
                self.notices.extend(task.map(Notice::Requested));
            }
            Action::KillAll => {
                for task in self.record.tasks() {
                    self.kill(task, tasks);
                }
            }
        }
    }
}

impl Runner for World {
    fn run(&mut self, task: TaskId, elapsed: Nanos, tasks: &mut Tasks) {
        self.record.ran(task, elapsed, self.on_request);
        let cost = by_index(&self.costs, task);
        self.clock += cost;
        self.update.spent += cost;
        let action = self.actions.get(self.update.ran.len()).cloned();
        self.update.ran.push(task);
        if let Some(action) = action {
            self.act(&action, tasks);
        }
    }

    fn has_time_for(&self, task: TaskId) -> bool {
        assert_eq!(self.update.stopped_at.get(), None, "the update continues");
        let is_over = self.update.ran.len() >= self.most_runs;
        self.update.stopped_at.set(is_over.then_some(task));
        !is_over
    }

    fn clock(&self) -> ClockTime {
        let reads = &self.update.clock_reads;
        reads.set(reads.get() + 1);
        self.clock
    }

    fn weight(&self, task: TaskId) -> f64 {
        by_index(&self.weights, task)
    }
}

/// Returns the value for a task. If the list is shorter than the task's index, it repeats.
fn by_index<T: Copy>(values: &[T], task: TaskId) -> T {
    values[task.index as usize % values.len()]
}
