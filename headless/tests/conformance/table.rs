//! A strategy by itself, with tasks and a clock. Each run advances the clock by its cost, and is checked against
//! independent records.

use crate::steps::{Action, Step, at_fraction};
use proptest::sample::Index;
use std::cell::Cell;
use std::collections::BTreeMap;
use timeslicer::knob::{Knob, KnobValues};
use timeslicer::scheduler::{Runner, TaskId, Tasks, UpdateContext};
use timeslicer::strategy::{Inspect, Promise, STRATEGIES, StrategyEntry};
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// Record of a living task.
#[derive(Clone, Copy, Debug)]
struct Life {
    born: GameTime,
    last_run: GameTime,
    elapsed_sum: Nanos,
    /// Start of the promised wait.
    waits_from: GameTime,
    /// Number of updates since the start of the promised wait.
    waited: usize,
    /// Number of the update in which the task last ran.
    ran_in: Option<u32>,
    /// Number of updates left until the task's request must be served.
    served_within: Option<usize>,
}

impl Life {
    fn born_at(now: GameTime) -> Self {
        Self {
            born: now,
            last_run: now,
            elapsed_sum: Nanos::ZERO,
            waits_from: now,
            waited: 0,
            ran_in: None,
            served_within: None,
        }
    }
}

/// Notifications for the strategy after an update.
enum News {
    Born(TaskId),
    Died(TaskId),
    Requested(TaskId),
}

/// Result of an update.
pub(crate) struct Update {
    pub(crate) ran: Vec<TaskId>,
    pub(crate) clock_reads: u32,
    pub(crate) was_stopped: bool,
    /// Time of all runs, and of the longest.
    pub(crate) spent: Nanos,
    pub(crate) longest: Nanos,
}

/// Promises of a strategy before an update.
pub(crate) struct Promises {
    all: Promise,
    each: BTreeMap<TaskId, Promise>,
}

pub(crate) struct Table {
    pub(crate) entry: &'static StrategyEntry,
    pub(crate) strategy: Box<dyn Inspect>,
    pub(crate) tasks: Tasks,
    knobs: KnobValues,
    now: GameTime,
    clock: ClockTime,
    /// Number of runs in an update that the game has time for.
    pub(crate) most_runs: usize,
    updates: u32,
    /// Costs of the runs of each task, by index, beside those of [`Table::update_with`]. They repeat.
    pub(crate) costs: Vec<Nanos>,
    /// What the game answers for the weight of each task, by index. They repeat.
    weights: Vec<f64>,
    /// Game time after each update.
    ends: Vec<GameTime>,
    lives: BTreeMap<TaskId, Life>,
}

impl Table {
    /// Creates a table with `count` tasks and the strategy's knobs at these fractions of their ranges.
    pub(crate) fn new(entry: &'static StrategyEntry, count: usize, fractions: &[f64]) -> Self {
        let mut knobs = KnobValues::default();
        for (knob, fraction) in entry.own_knobs().zip(fractions) {
            knobs.set(knob, at_fraction(knob, *fraction));
        }
        let mut table = Self {
            entry,
            strategy: entry.build(&knobs),
            tasks: Tasks::new(),
            knobs,
            now: GameTime::START,
            clock: ClockTime::START,
            most_runs: usize::MAX,
            updates: 0,
            costs: vec![Nanos::ZERO],
            weights: vec![1.0],
            ends: Vec::new(),
            lives: BTreeMap::new(),
        };
        for _ in 0..count {
            table.birth();
        }
        table
    }

    /// Sets a knob of the strategy.
    pub(crate) fn set(&mut self, knob: &Knob, value: f64) {
        self.knobs.set(knob, value);
        self.strategy.tune(&self.knobs);
    }

    pub(crate) fn birth(&mut self) -> TaskId {
        let task = self.tasks.insert(self.now);
        self.lives.insert(task, Life::born_at(self.now));
        self.strategy.insert(task);
        task
    }

    pub(crate) fn kill(&mut self, task: TaskId) {
        if self.tasks.remove(task) {
            self.lives.remove(&task);
            self.strategy.remove(task);
        }
    }

    pub(crate) fn kill_all(&mut self) {
        let all: Vec<TaskId> = self.tasks.iter().collect();
        for task in all {
            self.kill(task);
        }
    }

    pub(crate) fn request(&mut self, task: TaskId) {
        let Some(life) = self.lives.get_mut(&task) else {
            return;
        };
        self.strategy.request(task);
        if let Promise::Request { updates } = self.strategy.promise() {
            life.served_within.get_or_insert(updates); // a request that already waits keeps its deadline
        }
    }

    pub(crate) fn request_all(&mut self) {
        let all: Vec<TaskId> = self.tasks.iter().collect();
        for task in all {
            self.request(task);
        }
    }

    /// Switches the strategy. Pending requests are dropped.
    fn switch(&mut self, entry: &'static StrategyEntry) {
        self.entry = entry;
        self.strategy = entry.build(&self.knobs);
        self.tasks
            .iter()
            .for_each(|task| self.strategy.insert(task));
        self.lives
            .values_mut()
            .for_each(|life| life.served_within = None);
    }

    /// Restarts the promised waits. Call when births, deaths and changes of knobs have ended.
    pub(crate) fn settle(&mut self) {
        let within = match self.strategy.promise() {
            Promise::Request { updates } => updates,
            Promise::Updates(_) | Promise::Interval(_) | Promise::Eventually { .. } => 0,
        };
        for life in self.lives.values_mut() {
            life.waits_from = self.now;
            life.waited = 0;
            life.served_within = life.served_within.map(|_| within);
        }
    }

    /// Makes an update. Its tasks cost nothing and do nothing.
    pub(crate) fn update(&mut self, delta: Nanos) -> Update {
        self.update_with(delta, &[], &[])
    }

    /// Makes an update and checks each run. The first task to run takes the first cost and the first action, and so on.
    pub(crate) fn update_with(
        &mut self,
        delta: Nanos,
        costs: &[Nanos],
        actions: &[Action],
    ) -> Update {
        self.now += delta;
        self.updates += 1;
        self.ends.push(self.now);
        for life in self.lives.values_mut() {
            life.waited += 1;
            life.served_within = life.served_within.map(|updates| updates.saturating_sub(1));
        }
        let mut game = Game {
            lives: &mut self.lives,
            now: self.now,
            update: self.updates,
            clock: self.clock,
            clock_reads: Cell::new(0),
            most_runs: self.most_runs,
            was_stopped: Cell::new(false),
            spent: Nanos::ZERO,
            longest: Nanos::ZERO,
            costs,
            task_costs: &self.costs,
            weights: &self.weights,
            actions,
            on_request: self.entry.on_request(),
            ran: Vec::new(),
            news: Vec::new(),
        };
        let mut turn = UpdateContext::new(delta, self.now, &mut self.tasks, &mut game);
        self.strategy.update(&mut turn);

        let Game {
            clock,
            clock_reads,
            was_stopped,
            spent,
            longest,
            ran,
            news,
            ..
        } = game;
        self.clock = clock;
        let (stopped, waiting) = (was_stopped.get(), self.strategy.backlog());
        assert!(!stopped || waiting > 0, "{} has a backlog", self.entry.key);
        for item in news {
            match item {
                News::Born(task) => self.strategy.insert(task),
                News::Died(task) => self.strategy.remove(task),
                News::Requested(task) => self.request(task),
            }
        }
        Update {
            ran,
            clock_reads: clock_reads.get(),
            was_stopped: stopped,
            spent,
            longest,
        }
    }

    /// Makes a step. Returns the result if it is an update.
    pub(crate) fn step(&mut self, step: &Step) -> Option<Update> {
        let chosen = |pick: &Index| {
            let count = self.tasks.len();
            (count > 0).then(|| self.tasks.nth(pick.index(count)).expect("below the count"))
        };
        match step {
            Step::Update {
                delta,
                costs,
                actions,
            } => return Some(self.update_with(*delta, costs, actions)),
            Step::Birth => {
                self.birth();
            }
            Step::Kill(pick) => chosen(pick).into_iter().for_each(|task| self.kill(task)),
            Step::Replace(pick) => {
                if let Some(task) = chosen(pick) {
                    self.kill(task);
                    self.birth();
                }
            }
            Step::Request(pick) => chosen(pick).into_iter().for_each(|task| self.request(task)),
            Step::Weigh(weights) => self.weights.clone_from(weights),
            Step::Tune(fraction) => {
                for knob in STRATEGIES.iter().flat_map(|entry| entry.own_knobs()) {
                    self.knobs.set(knob, at_fraction(knob, *fraction));
                }
                self.strategy.tune(&self.knobs);
            }
            Step::Switch(pick) => self.switch(STRATEGIES[pick.index(STRATEGIES.len())]),
        }
        None
    }

    /// Returns the promises for the next update.
    pub(crate) fn promises(&self) -> Promises {
        let promise_to = |task: &TaskId| (*task, self.strategy.promise_to(*task));
        Promises {
            all: self.strategy.promise(),
            each: self.lives.keys().map(promise_to).collect(),
        }
    }

    /// Asserts that the latest update kept the promises that were made before it.
    pub(crate) fn assert_promises_kept(&self, promises: &Promises) {
        for (task, life) in &self.lives {
            self.assert_promise_kept(*task, life, promises.all);
            if let Some(&promise) = promises.each.get(task) {
                self.assert_promise_kept(*task, life, promise);
            }
        }
    }

    fn assert_promise_kept(&self, task: TaskId, life: &Life, promise: Promise) {
        let (key, now) = (self.entry.key, self.now);
        let what = format!("{key}: {task:?} {life:?} at {now}, {promise:?}");
        match promise {
            Promise::Updates(updates) => assert!(life.waited < updates, "{what}"),
            Promise::Interval(interval) => {
                let runs_now = life.waits_from == self.now;
                let due = self.now - life.waits_from >= interval;
                assert!(!due || runs_now, "{what}");
            }
            Promise::Eventually { interval, updates } => {
                let due =
                    |&&end: &&GameTime| end > life.waits_from && end - life.waits_from >= interval;
                let overdue = self.ends.iter().rev().take_while(due).count();
                assert!(overdue <= updates, "{what}");
            }
            Promise::Request { .. } => assert_ne!(life.served_within, Some(0), "{what}"),
        }
    }

    /// Asserts that every task's elapsed times add up to its age at its last run.
    pub(crate) fn assert_elapsed_times_add_up(&self) {
        assert_eq!(self.lives.len(), self.tasks.len());
        for (task, life) in &self.lives {
            assert_eq!(life.elapsed_sum, life.last_run - life.born, "{task:?}");
            assert_eq!(self.tasks.last_run(*task), Some(life.last_run));
        }
    }
}

/// The tasks of one update.
struct Game<'a> {
    lives: &'a mut BTreeMap<TaskId, Life>,
    now: GameTime,
    update: u32,
    clock: ClockTime,
    clock_reads: Cell<u32>,
    most_runs: usize,
    was_stopped: Cell<bool>,
    spent: Nanos,
    longest: Nanos,
    costs: &'a [Nanos],
    task_costs: &'a [Nanos],
    weights: &'a [f64],
    actions: &'a [Action],
    on_request: bool,
    ran: Vec<TaskId>,
    news: Vec<News>,
}

impl Game<'_> {
    fn birth(&mut self, tasks: &mut Tasks) {
        let task = tasks.insert(self.now);
        self.lives.insert(task, Life::born_at(self.now));
        self.news.push(News::Born(task));
    }

    fn kill(&mut self, task: TaskId, tasks: &mut Tasks) {
        assert!(tasks.remove(task) && self.lives.remove(&task).is_some());
        self.news.push(News::Died(task));
    }

    fn act(&mut self, action: &Action, task: TaskId, tasks: &mut Tasks) {
        let chosen = |pick: &Index, tasks: &Tasks| {
            tasks
                .nth(pick.index(tasks.len()))
                .expect("at least the running task lives")
        };
        match action {
            Action::Nothing => {}
            Action::Die => self.kill(task, tasks),
            Action::Kill(pick) => self.kill(chosen(pick, tasks), tasks),
            Action::KillAll => {
                let all: Vec<TaskId> = tasks.iter().collect();
                for victim in all {
                    self.kill(victim, tasks);
                }
            }
            Action::Birth => self.birth(tasks),
            Action::Replace(pick) => {
                self.kill(chosen(pick, tasks), tasks);
                self.birth(tasks);
            }
            Action::Rebirth => {
                self.kill(task, tasks);
                self.birth(tasks);
            }
            Action::Request(pick) => self.news.push(News::Requested(chosen(pick, tasks))),
            Action::RequestAgain => self.news.push(News::Requested(task)),
        }
    }
}

impl Runner for Game<'_> {
    fn run(&mut self, task: TaskId, elapsed: Nanos, tasks: &mut Tasks) {
        let life = self.lives.get_mut(&task);
        let life = life.unwrap_or_else(|| panic!("{task:?} runs after its death"));
        let twice = life.ran_in.replace(self.update) == Some(self.update);
        assert!(!twice, "{task:?} runs twice in an update");
        let requested = life.served_within.take().is_some();
        assert!(
            requested || !self.on_request,
            "{task:?} runs without a request"
        );
        assert_eq!(elapsed, self.now - life.last_run, "{task:?}");
        life.last_run = self.now;
        life.elapsed_sum += elapsed;
        life.waits_from = self.now;
        life.waited = 0;

        let nth = self.ran.len();
        self.ran.push(task);
        let cost =
            self.costs.get(nth).copied().unwrap_or_default() + by_index(self.task_costs, task);
        self.clock += cost;
        self.spent += cost;
        self.longest = self.longest.max(cost);
        if let Some(action) = self.actions.get(nth) {
            self.act(action, task, tasks);
        }
    }

    fn has_time_for(&self, _task: TaskId) -> bool {
        assert!(!self.was_stopped.get(), "the update continues");
        self.was_stopped.set(self.ran.len() >= self.most_runs);
        !self.was_stopped.get()
    }

    fn clock(&self) -> ClockTime {
        self.clock_reads.set(self.clock_reads.get() + 1);
        self.clock
    }

    fn weight(&self, task: TaskId) -> f64 {
        by_index(self.weights, task)
    }
}

/// Returns the value of a task in a list that repeats.
fn by_index<T: Copy>(values: &[T], task: TaskId) -> T {
    values[task.index as usize % values.len()]
}
