//! Records the births, deaths, requests, updates and runs of a game that uses a strategy. The format is described in
//! `Replay.cs` in this folder.

use lab::catalog::strategy::Inspect;
use lab::sim::random::Rng;
use std::collections::HashMap;
use std::fmt::Write;
use timeslicer::scheduler::{Runner, TaskId, Tasks, UniqueQueue, UpdateContext};
use timeslicer::strategy::Strategy;
use timeslicer::time::{ClockTime, GameTime, Nanos};

/// A game whose births, deaths, requests and costs are random. Some of these events happen while tasks run. Some tasks
/// panic, after which the game has no time left in that update.
pub struct Recorder {
    strategy: Box<dyn Inspect>,
    tasks: Tasks,
    /// The open requests, which are kept here while the strategy does not run on request.
    requested: UniqueQueue,
    game: Game,
}

struct Game {
    script: String,
    /// The number of the case, which determines the weights of the tasks.
    case: usize,
    updates: usize,
    rng: Rng,
    now: GameTime,
    clock: ClockTime,
    /// The cost of a usual run.
    cost: Nanos,
    /// Whether tasks are born, die and panic while tasks run. If not, running tasks only make requests.
    is_wild: bool,
    /// The number of each task, in order of birth.
    numbers: HashMap<TaskId, usize>,
    /// The births, deaths and requests of this update that have not been reported to the strategy yet.
    events: Vec<Event>,
    ran: Vec<TaskId>,
    has_failed: bool,
}

#[derive(Clone, Copy)]
enum Event {
    Birth(TaskId),
    Death(TaskId),
    Request(TaskId),
}

impl Recorder {
    /// Starts the case that the C# program calls `number`, with the strategy of this name. A case with an odd number is
    /// wild. A usual run costs `cost`.
    pub fn new(
        name: &str,
        number: usize,
        strategy: Box<dyn Inspect>,
        cost: Nanos,
        rng: Rng,
    ) -> Self {
        let is_wild = number % 2 == 1;
        Self {
            strategy,
            tasks: Tasks::new(),
            requested: UniqueQueue::default(),
            game: Game {
                script: format!("case {number} {name}\n"),
                case: number,
                updates: 0,
                rng,
                now: GameTime::START,
                clock: ClockTime::START,
                cost,
                is_wild,
                numbers: HashMap::new(),
                events: Vec::new(),
                ran: Vec::new(),
                has_failed: false,
            },
        }
    }

    /// Ends the case and returns its part of the script.
    pub fn script(self) -> String {
        self.game.script
    }

    /// Makes `counts` births, deaths and requests.
    pub fn events(&mut self, counts: [usize; 3]) {
        for (kind, count) in counts.into_iter().enumerate() {
            for _ in 0..count {
                self.game.event(kind, &mut self.tasks);
            }
        }
        self.report();
    }

    /// Runs an update that advances the game by `delta`.
    pub fn update(&mut self, delta: Nanos) {
        let game = &mut self.game;
        game.now += delta;
        game.updates += 1;
        game.has_failed = false;
        let _ = writeln!(game.script, "update {}", delta.as_nanos());
        let now = game.now;
        let mut context = UpdateContext::new(delta, now, &mut self.tasks, game);
        if !delta.is_zero() {
            self.strategy.update(&mut context);
        }
        for task in &game.ran {
            self.requested.remove(*task);
        }
        let runs = std::mem::take(&mut game.ran).len();
        self.report();
        let backlog = self.strategy.backlog();
        let _ = writeln!(self.game.script, "end {runs} {backlog}");
    }

    /// Switches to a strategy that the C# program calls `number`, in the same way as [`timeslicer::Timeslicer`].
    pub fn set_strategy(&mut self, number: usize, strategy: Box<dyn Inspect>) {
        for task in self.strategy.requested() {
            self.requested.push(task);
        }
        self.strategy = strategy;
        let mut tasks: Vec<TaskId> = self.tasks.iter().collect();
        tasks.sort_by_key(|&task| self.tasks.last_run(task));
        for task in tasks {
            self.strategy.insert(task);
        }
        if self.strategy.guarantee().is_on_request() {
            while let Some(task) = self.requested.pop() {
                self.strategy.request(task);
            }
        }
        let _ = writeln!(self.game.script, "strategy {number}");
    }

    /// Reports all events so far to the strategy.
    fn report(&mut self) {
        for event in self.game.events.drain(..) {
            match event {
                Event::Birth(task) => self.strategy.insert(task),
                Event::Death(task) => {
                    self.strategy.remove(task);
                    self.requested.remove(task);
                }
                Event::Request(task) if self.strategy.guarantee().is_on_request() => {
                    self.strategy.request(task);
                }
                Event::Request(task) => {
                    self.requested.push(task);
                }
            }
        }
    }
}

impl Game {
    /// Makes a birth (0), a death (1) or a request (2). Does nothing if there is no task that could die or be
    /// requested.
    fn event(&mut self, kind: usize, tasks: &mut Tasks) {
        if kind == 0 {
            let task = tasks.insert(self.now);
            self.numbers.insert(task, self.numbers.len());
            self.events.push(Event::Birth(task));
            self.script += "birth\n";
            return;
        }
        let Some(task) = tasks.nth(self.rng.below(tasks.len())) else {
            return;
        };
        let number = self.numbers[&task];
        if kind == 1 {
            tasks.remove(task);
            self.events.push(Event::Death(task));
            let _ = writeln!(self.script, "death {number}");
        } else {
            self.events.push(Event::Request(task));
            let _ = writeln!(self.script, "request {number}");
        }
    }
}

impl Runner for Game {
    fn run(&mut self, task: TaskId, elapsed: Nanos, tasks: &mut Tasks) {
        let number = self.numbers[&task];
        // Most tasks have a cost of their own, but some runs cost far more.
        let factor = 0.5 + (number % 7) as f64 / 3.0;
        let spike = if self.rng.below(50) == 0 { 20.0 } else { 1.0 };
        let cost = Nanos::from_nanos_f64(self.cost.as_nanos() as f64 * factor * spike);
        self.clock += cost;
        self.ran.push(task);
        let (elapsed, cost) = (elapsed.as_nanos(), cost.as_nanos());
        let _ = writeln!(self.script, "run {number} {elapsed} {cost}");
        while self.rng.below(12) == 0 {
            let kind = if self.is_wild { self.rng.below(3) } else { 2 };
            self.event(kind, tasks);
        }
        if self.is_wild && self.rng.below(150) == 0 {
            self.has_failed = true;
            self.script += "throw\n";
        }
    }

    fn clock(&self) -> ClockTime {
        self.clock
    }

    fn has_time_for(&self, _task: TaskId) -> bool {
        !self.has_failed
    }

    /// Returns the same weights as `Replay.Weigh`, which are not all between 0 and 1. After a panic, the game is not
    /// asked.
    fn weight(&self, task: TaskId) -> f64 {
        let place = (self.numbers[&task] * 37 + self.updates / 4) % 100;
        match self.case % 3 {
            _ if self.has_failed => 0.0,
            0 => 1.0 / (1 + place) as f64,
            1 if place < 10 => 1.0,
            1 => 0.05,
            _ => place as f64 / 50.0 - 0.2,
        }
    }
}
