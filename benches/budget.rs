//! Compares scheduling cost and overruns of `time-budget` with those of the published queue, which reads the clock
//! twice per task. Task costs are constant, log-normal or heavy-tailed.
//!
//! `cargo bench --package timeslice-benches --bench budget`. Exits with status 1 if scheduling costs more than a fifth
//! of the published queue's (three fifths for tasks of 10 µs), or if the total overrun is larger than the published
//! queue's.
//!
//! Only tasks and clock readings advance the simulated clock, so nothing else on the computer can cause an overrun.
//! Tasks take no real time, because real work would hide the cost of scheduling. Each reading of the simulated clock
//! also reads the real one, since readings are most of the published queue's cost.

mod harness;

use harness::{Bench, ns};
use headless::sim::random::{Rng, Stream};
use std::cell::Cell;
use std::hint::black_box;
use std::process::ExitCode;
use timeslicer::scheduler::{Runner, TaskId, Tasks, UpdateContext};
use timeslicer::strategy::published::{self, Form, Units};
use timeslicer::strategy::{Strategy, TimeBudget};
use timeslicer::time::{ClockTime, GameTime, Nanos, monotonic};

const BUDGET: Nanos = Nanos::from_millis(4);
const ROUNDS: usize = 5;
/// Number of requests in a pass.
const REQUESTS: usize = 2_000;

#[derive(Clone, Copy, Debug)]
enum Costs {
    Constant,
    LogNormal,
    HeavyTailed,
}

impl Costs {
    const ALL: [Self; 3] = [Self::Constant, Self::LogNormal, Self::HeavyTailed];

    fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::LogNormal => "log-normal",
            Self::HeavyTailed => "heavy-tailed",
        }
    }

    /// Draws a cost with a mean of 1.
    fn draw(self, rng: &mut Rng) -> f64 {
        match self {
            Self::Constant => 1.0,
            // The standard deviation equals the mean.
            Self::LogNormal => {
                let variance = 2f64.ln();
                (rng.normal() * variance.sqrt() - variance / 2.0).exp()
            }
            // Pareto distribution with infinite variance.
            Self::HeavyTailed => {
                const EXPONENT: f64 = 1.5;
                let min = (EXPONENT - 1.0) / EXPONENT;
                min * (1.0 - rng.unit()).powf(-1.0 / EXPONENT)
            }
        }
    }

    fn draws(self, mean: f64, count: usize, seed: u64) -> Vec<u64> {
        let mut rng = Rng::new(seed, Stream::Costs);
        (0..count)
            .map(|_| (mean * self.draw(&mut rng)).round() as u64)
            .collect()
    }
}

/// A game with a simulated clock. Only tasks and clock readings advance the clock.
struct SimulatedGame<'a> {
    /// Costs of successive runs in nanoseconds. After the last cost, the first follows again.
    costs: &'a [u64],
    next_cost: usize,
    clock: Cell<u64>,
    /// Time that a clock reading takes, in nanoseconds.
    reading: u64,
}

impl<'a> SimulatedGame<'a> {
    fn new(costs: &'a [u64], reading: u64) -> Self {
        Self {
            costs,
            next_cost: 0,
            clock: Cell::new(0),
            reading,
        }
    }

    fn work(&mut self) {
        self.clock
            .set(self.clock.get() + self.costs[self.next_cost]);
        self.next_cost += 1;
        if self.next_cost == self.costs.len() {
            self.next_cost = 0;
        }
    }

    fn read(&self) -> ClockTime {
        black_box(monotonic());
        self.clock.set(self.clock.get() + self.reading);
        ClockTime::at(Nanos::from_nanos(self.clock.get()))
    }
}

impl Runner for SimulatedGame<'_> {
    fn run(&mut self, _task: TaskId, _elapsed: Nanos, _tasks: &mut Tasks) {
        self.work();
    }
    fn clock(&self) -> ClockTime {
        self.read()
    }
}

impl Units for SimulatedGame<'_> {
    fn update(&mut self, _unit: TaskId) {
        self.work();
    }
    fn act(&mut self, _unit: TaskId, _elapsed: Nanos) {
        self.work();
    }
    fn is_dead(&self, _unit: TaskId) -> bool {
        false
    }
    fn realtime(&mut self) -> ClockTime {
        self.read()
    }
}

/// Overruns of the updates that serve a number of requests.
#[derive(Default)]
struct Overruns {
    total_ns: u64,
    worst_ns: u64,
    updates: u64,
}

impl Overruns {
    fn add(&mut self, spent: u64) {
        let over = spent.saturating_sub(BUDGET.as_nanos());
        self.total_ns += over;
        self.worst_ns = self.worst_ns.max(over);
        self.updates += 1;
    }

    fn mean_us(&self) -> f64 {
        self.total_ns as f64 / 1e3 / self.updates as f64
    }
}

fn ids(count: usize) -> (Tasks, Vec<TaskId>) {
    let mut tasks = Tasks::new();
    let all = (0..count).map(|_| tasks.insert(GameTime::START)).collect();
    (tasks, all)
}

fn overruns_of_ours(costs: &[u64], reading: u64, sum: &mut Overruns) {
    let (mut tasks, all) = ids(costs.len());
    let mut strategy = TimeBudget::new(BUDGET);
    for &task in &all {
        strategy.request(task);
    }
    let mut game = SimulatedGame::new(costs, reading);
    while strategy.backlog() > 0 {
        let before = game.clock.get();
        strategy.update(&mut UpdateContext::new(
            Nanos::ZERO,
            GameTime::START,
            &mut tasks,
            &mut game,
        ));
        sum.add(game.clock.get() - before);
    }
}

fn overruns_of_published(costs: &[u64], reading: u64, sum: &mut Overruns) {
    let mut game = SimulatedGame::new(costs, reading);
    let mut queue = published::timeslice_update::TimeBudget::new(BUDGET);
    for task in ids(costs.len()).1 {
        queue.request(task);
    }
    while queue.backlog() > 0 {
        let before = game.clock.get();
        queue.update(Nanos::ZERO, &mut game);
        sum.add(game.clock.get() - before);
    }
}

/// Returns the minimum time of many calls of `work`, in nanoseconds.
fn min_time(mut work: impl FnMut()) -> f64 {
    let times = (0..200).map(|_| {
        let start = monotonic();
        work();
        monotonic() - start
    });
    times.min().unwrap_or_default().as_nanos() as f64
}

/// Returns the maximum share of the published cost. Tasks below 2 µs share readings of the clock; for other tasks, one of
/// the published two readings remains.
fn limit(mean_ns: f64) -> f64 {
    if mean_ns < 2_000.0 { 0.2 } else { 0.6 }
}

fn main() -> ExitCode {
    let mut bench = Bench::new("budget");
    let reading = min_time(|| {
        for _ in 0..1_000 {
            black_box(monotonic());
        }
    }) / 1e3;
    println!("reading the clock takes {reading:.0} ns");

    let mut rows = Vec::new();
    for mean_ns in [100.0, 1_000.0, 10_000.0] {
        for costs in Costs::ALL {
            let name = format!("{} µs, {}", mean_ns / 1e3, costs.name());

            let id = |form: &str| format!("{}-{mean_ns}/{form}", costs.name());
            let drawn = costs.draws(mean_ns, REQUESTS, 1);
            let mut game = SimulatedGame::new(&drawn, reading as u64);
            let (mut tasks, all) = ids(REQUESTS);
            let mut strategy = TimeBudget::new(BUDGET);
            let mut queue = published::timeslice_update::TimeBudget::new(BUDGET);
            for round in 0..ROUNDS {
                bench.round(&id("bare"), round, || {
                    let game: &mut dyn Units = &mut game;
                    for &task in &all {
                        game.update(task);
                    }
                });
                bench.round(&id("published"), round, || {
                    for &task in &all {
                        queue.request(task);
                    }
                    while queue.backlog() > 0 {
                        queue.update(Nanos::ZERO, &mut game);
                    }
                });
                bench.round(&id("ours"), round, || {
                    for &task in &all {
                        strategy.request(task);
                    }
                    while strategy.backlog() > 0 {
                        let context = &mut UpdateContext::new(
                            Nanos::ZERO,
                            GameTime::START,
                            &mut tasks,
                            &mut game,
                        );
                        strategy.update(context);
                    }
                });
            }
            let per_run = |form| Some(bench.min_ns(&id(form))? / REQUESTS as f64);
            let [Some(bare), Some(published), Some(ours)] =
                ["bare", "published", "ours"].map(per_run)
            else {
                continue;
            };
            let (published, ours) = (published - bare, ours - bare);
            bench.check(
                ours <= published * limit(mean_ns),
                format!("{name}: {ours:.1} ns per run, published queue {published:.1}"),
            );

            let [mut our_overruns, mut their_overruns] = [Overruns::default(), Overruns::default()];
            let simulated = (2e9 / mean_ns) as usize;
            for seed in 1..=5 {
                let costs = costs.draws(mean_ns, simulated.min(2_000_000), seed);
                overruns_of_ours(&costs, reading as u64, &mut our_overruns);
                overruns_of_published(&costs, reading as u64, &mut their_overruns);
            }
            bench.check(
                our_overruns.total_ns <= their_overruns.total_ns,
                format!("{name}: more overrun in total than the published queue"),
            );
            let us = |nanos: u64| nanos as f64 / 1e3;
            rows.push(format!(
                "| {name} | {} | {} | {:.2} | {:.1} | {:.1} | {:.0} | {:.0} |",
                ns(published),
                ns(ours),
                ours / published,
                their_overruns.mean_us(),
                our_overruns.mean_us(),
                us(their_overruns.worst_ns),
                us(our_overruns.worst_ns),
            ));
        }
    }
    bench.table(
        "| mean task cost | published, ns per run | ours | ratio | published mean overrun, µs | ours | worst | ours |",
        rows,
    );
    bench.finish()
}
