//! Compares the strategies that use a queue with plain implementations of the same rules on the standard library's
//! binary heap.
//!
//! Run it with `cargo bench --package timeslice-benches --bench plain`. A word after `--` limits it to one strategy
//! (its key) or one size; `scan` selects the comparison with a scan of all tasks. Exits with status 1 if a target is
//! missed.

mod harness;
mod heap_forms;

use harness::{Bench, ns};
use heap_forms::{BalancedSlots, DistanceLod, EarliestDeadline, Scan, WeightedShare};
use std::hint::black_box;
use std::process::ExitCode;
use timeslicer::knob::KnobValues;
use timeslicer::scheduler::{Runner, TaskId, Tasks, UpdateContext};
use timeslicer::strategy::knobs::{BUDGET, FASTEST, INTERVAL, SLOWEST};
use timeslicer::strategy::{
    Strategy, StrategyEntry, balanced_slots, distance_lod, earliest_deadline, weighted_share,
};
use timeslicer::time::{ClockTime, GameTime, Nanos};

const ROUNDS: usize = 3;
const SIZES: [usize; 4] = [100, 1_000, 100_000, 1_000_000];
const STRATEGIES: [&StrategyEntry; 4] = [
    &balanced_slots::ENTRY,
    &distance_lod::ENTRY,
    &earliest_deadline::ENTRY,
    &weighted_share::ENTRY,
];
/// The length of an update.
const DELTA: Nanos = Nanos::from_nanos(16_666_667);
/// The cost of each run on the game's clock. It is less than a microsecond, so that `balanced-slots` reads the clock
/// once for several runs, as its plain form does.
const COST: Nanos = Nanos::from_nanos(500);
/// In a crowd that shares a budget, one in this many tasks fits into an update.
const FITTING: usize = 32;

/// An entity that fills a cache line.
#[repr(align(64))]
struct Npc {
    thoughts: u64,
    elapsed: Nanos,
    weight: f64,
}

/// The task, which reads and writes the entity. The optimiser cannot inline it.
#[inline(never)]
fn think(npc: &mut Npc, elapsed: Nanos) {
    npc.thoughts += 1;
    npc.elapsed += black_box(elapsed);
}

/// A game whose clock advances only when tasks run, so that all implementations run the same number of tasks per
/// update.
struct Game {
    npcs: Vec<Npc>,
    clock: ClockTime,
    /// The indices of the tasks in the order of their runs; `None` while runs are not recorded.
    order: Option<Vec<u32>>,
}

impl Runner for Game {
    fn run(&mut self, task: TaskId, elapsed: Nanos, _tasks: &mut Tasks) {
        think(&mut self.npcs[task.index as usize], elapsed);
        self.clock += COST;
        if let Some(order) = &mut self.order {
            order.push(task.index);
        }
    }

    fn clock(&self) -> ClockTime {
        self.clock
    }

    fn weight(&self, task: TaskId) -> f64 {
        self.npcs[task.index as usize].weight
    }
}

/// Returns entities with weights from 0.05 to 1, spread evenly by the golden ratio.
fn npcs(count: usize) -> Vec<Npc> {
    let weight = |at| 0.05 + 0.95 * (at as f64 * 0.618_033_988_75).fract();
    let npc = |at| Npc {
        thoughts: 0,
        elapsed: Nanos::ZERO,
        weight: weight(at),
    };
    (0..count).map(npc).collect()
}

/// A crowd that one implementation of a strategy schedules.
struct Crowd {
    strategy: Box<dyn Strategy>,
    count: usize,
    tasks: Tasks,
    now: GameTime,
    game: Game,
    /// The indices of the tasks in the order of their runs in an iteration; empty before the first iteration.
    order: Vec<u32>,
}

impl Crowd {
    fn new(strategy: Box<dyn Strategy>, count: usize) -> Self {
        Self {
            strategy,
            count,
            tasks: Tasks::new(),
            now: GameTime::START,
            game: Game {
                npcs: Vec::new(),
                clock: ClockTime::START,
                order: None,
            },
            order: Vec::new(),
        }
    }

    fn update(&mut self) {
        self.now += DELTA;
        let context = &mut UpdateContext::new(DELTA, self.now, &mut self.tasks, &mut self.game);
        self.strategy.update(context);
    }

    fn updates(&mut self) {
        for _ in 0..(100_000 / self.count).clamp(2, 600) {
            self.update();
        }
    }

    /// Makes one iteration. The first iteration also inserts the tasks and makes updates until the queue is in its
    /// usual state, so that a crowd that a filter excludes takes no time.
    fn iteration(&mut self) {
        if self.order.is_empty() {
            self.game.npcs = npcs(self.count);
            for _ in 0..self.count {
                let task = self.tasks.insert(GameTime::START);
                self.strategy.insert(task);
            }
            for _ in 0..70 {
                self.update();
            }
            self.game.order = Some(Vec::new());
            self.updates();
            self.order = self.game.order.take().unwrap_or_default();
        }
        self.updates();
    }

    /// Only calls the tasks of an iteration, in the same order.
    fn bare(&mut self) {
        for &index in &self.order {
            think(&mut self.game.npcs[index as usize], DELTA);
        }
    }
}

/// Returns the knob values. `weighted-share` has a budget for `fitting` tasks, the other strategies for all tasks that
/// are due.
fn knobs(entry: &StrategyEntry, fitting: usize) -> KnobValues {
    let budget = if *entry == weighted_share::ENTRY {
        (COST.as_nanos() * fitting as u64) as f64 * 1e-6
    } else {
        BUDGET.max
    };
    KnobValues::with(&[
        (&BUDGET, budget),
        (&FASTEST, 0.1),
        (&SLOWEST, 1.0),
        (&INTERVAL, 0.5),
    ])
}

/// Returns the plain implementation of a strategy.
fn plain(entry: &StrategyEntry, knobs: &KnobValues) -> Box<dyn Strategy> {
    if *entry == weighted_share::ENTRY {
        Box::new(WeightedShare::new(knobs))
    } else if *entry == earliest_deadline::ENTRY {
        Box::new(EarliestDeadline::new(knobs))
    } else if *entry == distance_lod::ENTRY {
        Box::new(DistanceLod::new(knobs))
    } else {
        Box::new(BalancedSlots::new(knobs))
    }
}

fn main() -> ExitCode {
    let mut bench = Bench::new("plain");
    let mut rows = Vec::new();
    for entry in STRATEGIES {
        for size in SIZES {
            let knobs = knobs(entry, (size / FITTING).max(1));
            let strategies: [Box<dyn Strategy>; 2] = [entry.build(&knobs), plain(entry, &knobs)];
            let Some([ours, plain]) = per_run(
                &mut bench,
                &format!("{}/{size}", entry.key),
                size,
                strategies,
            ) else {
                continue;
            };
            let most = if size <= 1_000 { 1.0 } else { 0.5 };
            rows.push(row(
                &mut bench,
                &format!("`{}`, binary heap", entry.key),
                size,
                [ours, plain],
                most,
            ));
        }
    }
    // With a thousand tasks, a 32nd of them run per update, as above; with a million, a thousand.
    for (size, fitting, most) in [(1_000, 1_000 / FITTING, 1.0), (1_000_000, 1_000, 0.05)] {
        let entry = &weighted_share::ENTRY;
        let knobs = knobs(entry, fitting);
        let strategies: [Box<dyn Strategy>; 2] = [entry.build(&knobs), Box::new(Scan::new(&knobs))];
        if let Some(times) = per_run(&mut bench, &format!("scan/{size}"), size, strategies) {
            rows.push(row(
                &mut bench,
                "`weighted-share`, scan of all tasks",
                size,
                times,
                most,
            ));
        }
    }
    bench.table(
        "| scheduling, ns per run, against a plain form with a | tasks | plain form | ours | ratio | at most |",
        rows,
    );
    bench.finish()
}

/// Measures two implementations of a strategy with `size` tasks. Returns how long each takes to schedule a run, in
/// nanoseconds, or `None` if a filter on the command line excluded `id`.
fn per_run(
    bench: &mut Bench,
    id: &str,
    size: usize,
    strategies: [Box<dyn Strategy>; 2],
) -> Option<[f64; 2]> {
    let [mut ours, mut plain] = strategies.map(|strategy| Crowd::new(strategy, size));
    let id = |form| format!("{id}/{form}");
    for round in 0..ROUNDS {
        bench.round(&id("plain"), round, || plain.iteration());
        bench.round(&id("ours"), round, || ours.iteration());
        bench.round(&id("bare"), round, || ours.bare());
    }
    let per_run = |form, crowd: &Crowd| Some(bench.min_ns(&id(form))? / crowd.order.len() as f64);
    let bare = per_run("bare", &ours)?;
    Some([
        per_run("ours", &ours)? - bare,
        per_run("plain", &plain)? - bare,
    ])
}

fn row(bench: &mut Bench, name: &str, size: usize, [ours, plain]: [f64; 2], most: f64) -> String {
    let ratio = ours / plain;
    bench.check(
        ratio <= most,
        format!("{name}, {size} tasks: {ratio:.2} of the plain form"),
    );
    let [ours, plain] = [ours, plain].map(ns);
    format!("| {name} | {size} | {plain} | {ours} | {ratio:.2} | {most} |")
}
