//! Records the births, deaths, requests, updates and runs of a game that uses a strategy. The format is described in
//! `Replay.cs` in this folder.

use lab::catalog::strategy::Inspect;
use lab::sim::random::Rng;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use timeslicer::time::Nanos;
use timeslicer::{Run, TaskId, Timeslicer};

/// A game whose births, deaths, requests and costs are random. Some of these events happen while tasks run. Some tasks
/// panic, after which nothing else runs in that update.
pub struct Recorder {
    /// The keys of the tasks are their numbers, in order of birth.
    slicer: Timeslicer<usize, Box<dyn Inspect>>,
    game: Game,
}

struct Game {
    script: String,
    /// The number of the case, which determines the weights of the tasks.
    case: usize,
    updates: usize,
    rng: Rng,
    /// The time on the machine's clock, in nanoseconds.
    clock: Arc<AtomicU64>,
    /// The cost of a usual run.
    cost: Nanos,
    /// Whether tasks are born, die and panic while tasks run. If not, running tasks only make requests.
    is_wild: bool,
    /// The living tasks and their numbers.
    living: Vec<(TaskId, usize)>,
    born: usize,
    /// The number of runs in this update.
    runs: usize,
}

enum Event {
    Birth(usize),
    Death(TaskId),
    Request(TaskId),
}

impl Recorder {
    /// Starts recording case `number`, with the strategy called `name`. A case with an odd number is wild. A usual run
    /// costs `cost`.
    pub fn new(
        name: &str,
        number: usize,
        strategy: Box<dyn Inspect>,
        cost: Nanos,
        rng: Rng,
    ) -> Self {
        let clock = Arc::new(AtomicU64::new(0));
        let time = clock.clone();
        let slicer = Timeslicer::new(strategy);
        Self {
            slicer: slicer.with_clock(move || Duration::from_nanos(time.load(Ordering::Relaxed))),
            game: Game {
                script: format!("case {number} {name}\n"),
                case: number,
                updates: 0,
                rng,
                clock,
                cost,
                is_wild: number % 2 == 1,
                living: Vec::new(),
                born: 0,
                runs: 0,
            },
        }
    }

    pub fn script(self) -> String {
        self.game.script
    }

    /// Makes `counts` births, deaths and requests.
    pub fn events(&mut self, counts: [usize; 3]) {
        let (slicer, game) = (&mut self.slicer, &mut self.game);
        for (kind, count) in counts.into_iter().enumerate() {
            for _ in 0..count {
                match game.event(kind) {
                    Some(Event::Birth(number)) => game.living.push((slicer.add(number), number)),
                    Some(Event::Death(task)) => _ = slicer.remove(task),
                    Some(Event::Request(task)) => _ = slicer.request(task),
                    None => {}
                }
            }
        }
    }

    pub fn update(&mut self, delta: Nanos) {
        let game = &mut self.game;
        game.updates += 1;
        game.runs = 0;
        let _ = writeln!(game.script, "update {}", delta.as_nanos());
        let weight = |game: &Game, number: &usize| game.weight(*number);
        let update = || (self.slicer).update_with(delta.into(), game, weight, Game::run);
        let _ = catch_unwind(AssertUnwindSafe(update)); // fails if a task panics
        let (runs, backlog) = (self.game.runs, self.slicer.backlog());
        let _ = writeln!(self.game.script, "end {runs} {backlog}");
    }

    /// Switches to the strategy of the case with this `number`.
    pub fn set_strategy(&mut self, number: usize, strategy: Box<dyn Inspect>) {
        self.slicer.set_strategy(strategy);
        let _ = writeln!(self.game.script, "strategy {number}");
    }
}

impl Game {
    /// Records a birth (0), a death (1) or a request (2), and returns it. Returns `None` if there is no task that could
    /// die or be requested.
    fn event(&mut self, kind: usize) -> Option<Event> {
        if kind == 0 {
            self.script += "birth\n";
            self.born += 1;
            return Some(Event::Birth(self.born - 1));
        }
        if self.living.is_empty() {
            return None;
        }
        let pick = self.rng.below(self.living.len());
        let (task, number) = self.living[pick];
        if kind == 1 {
            self.living.swap_remove(pick);
            let _ = writeln!(self.script, "death {number}");
            Some(Event::Death(task))
        } else {
            let _ = writeln!(self.script, "request {number}");
            Some(Event::Request(task))
        }
    }

    fn run(&mut self, run: &mut Run<'_, usize>) {
        let number = *run.key();
        // Most tasks have a cost of their own, but some runs cost far more.
        let factor = 0.5 + (number % 7) as f64 / 3.0;
        let spike = if self.rng.below(50) == 0 { 20.0 } else { 1.0 };
        let cost = Nanos::from_nanos_f64(self.cost.as_nanos() as f64 * factor * spike);
        self.clock.fetch_add(cost.as_nanos(), Ordering::Relaxed);
        self.runs += 1;
        let (elapsed, cost) = (run.elapsed().as_nanos(), cost.as_nanos());
        let _ = writeln!(self.script, "run {number} {elapsed} {cost}");
        while self.rng.below(12) == 0 {
            let kind = if self.is_wild { self.rng.below(3) } else { 2 };
            match self.event(kind) {
                Some(Event::Birth(number)) => self.living.push((run.add(number), number)),
                Some(Event::Death(task)) => _ = run.remove(task),
                Some(Event::Request(task)) => _ = run.request(task),
                None => {}
            }
        }
        if self.is_wild && self.rng.below(150) == 0 {
            self.script += "throw\n";
            resume_unwind(Box::new("the task fails"));
        }
    }

    /// Returns the same weights as `Replay.Weigh`, which are not all between 0 and 1.
    fn weight(&self, number: usize) -> f64 {
        let place = (number * 37 + self.updates / 4) % 100;
        match self.case % 3 {
            0 => 1.0 / (1 + place) as f64,
            1 if place < 10 => 1.0,
            1 => 0.05,
            _ => place as f64 / 50.0 - 0.2,
        }
    }
}
