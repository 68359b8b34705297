//! Compares `balanced-slots` and the strategies by significance with the plainest form of their rules: on the standard
//! library's binary heap, and for the index rule of `weighted-share` also as a scan of all tasks.
//!
//! `cargo bench --package timeslice-benches --bench significance`. A word after `--` limits the bench to one strategy
//! (its key) or one size. Exits with status 1 if a strategy takes longer per run than the heap, or more than a tenth of
//! the scan's time with a million tasks.

mod crowd;
mod harness;
mod plain;
mod published;

use crowd::{Npc, think};
use harness::{Bench, noise_ns, ns};
use headless::sim::random::{Rng, Stream};
use plain::{DueTimes, Game, Passes, Phases, Plain, Scan};
use std::process::ExitCode;
use timeslicer::knob::KnobValues;
use timeslicer::scheduler::{Runner, Strides, TaskId, Tasks, UpdateContext};
use timeslicer::strategy::balanced_slots::SLOTS;
use timeslicer::strategy::knobs::{BUDGET, FASTEST, INTERVAL, SLOWEST};
use timeslicer::strategy::weighted_share::SHARE_EXPONENT;
use timeslicer::strategy::{STRATEGIES, Strategy, StrategyEntry};
use timeslicer::time::{ClockTime, GameTime, Nanos};

const SIZES: [usize; 3] = [1_000, 100_000, 1_000_000];
const ROUNDS: usize = 5;
/// Number of updates in an iteration.
const UPDATES: usize = 8;
/// The scan takes this many times as long at least, with a million tasks.
const SCAN_RATIO: f64 = 10.0;
/// Costs of tasks in nanoseconds. They are high enough for a reading of the clock after each run, in all forms.
const COSTS: std::ops::Range<usize> = 5_000..20_000;
const MEAN_COST: Nanos = Nanos::from_nanos(12_500);
const LEAST_WEIGHT: f64 = 0.1;

/// A strategy of the library, or a plain form.
trait Form {
    fn update(&mut self, delta: Nanos, now: GameTime, game: &mut Game);
}

impl<P: Plain> Form for P {
    fn update(&mut self, _delta: Nanos, now: GameTime, game: &mut Game) {
        Plain::update(self, now, game);
    }
}

/// A strategy of the library and its tasks.
struct Ours {
    strategy: Box<dyn Strategy>,
    tasks: Tasks,
}

impl Ours {
    fn new(entry: &StrategyEntry, knobs: &KnobValues, count: usize) -> Self {
        let (mut strategy, mut tasks) = (entry.build(knobs), Tasks::new());
        for _ in 0..count {
            strategy.insert(tasks.insert(GameTime::START));
        }
        Self { strategy, tasks }
    }

    fn update_with(&mut self, delta: Nanos, now: GameTime, runner: &mut dyn Runner) {
        let context = &mut UpdateContext::new(delta, now, &mut self.tasks, runner);
        self.strategy.update(context);
    }
}

impl Form for Ours {
    fn update(&mut self, delta: Nanos, now: GameTime, game: &mut Game) {
        self.update_with(delta, now, game);
    }
}

/// A game that records which tasks run.
struct Recorder<'a> {
    game: &'a mut Game,
    order: Vec<u32>,
}

impl<'a> Recorder<'a> {
    fn new(game: &'a mut Game) -> Self {
        let order = Vec::new();
        Self { game, order }
    }
}

impl Runner for Recorder<'_> {
    fn run(&mut self, task: TaskId, elapsed: Nanos, tasks: &mut Tasks) {
        self.order.push(task.index);
        self.game.run(task, elapsed, tasks);
    }

    fn clock(&self) -> ClockTime {
        self.game.clock()
    }

    fn weight(&self, task: TaskId) -> f64 {
        Runner::weight(self.game, task)
    }
}

/// A form, its present, and its number of runs.
struct Side {
    name: &'static str,
    form: Box<dyn Form>,
    now: GameTime,
    updates: usize,
    runs: usize,
}

impl Side {
    fn new(name: &'static str, form: impl Form + 'static, now: GameTime) -> Self {
        Self {
            name,
            form: Box::new(form),
            now,
            updates: 0,
            runs: 0,
        }
    }

    fn pass(&mut self, delta: Nanos, game: &mut Game) {
        let before = game.runs;
        for _ in 0..UPDATES {
            self.now += delta;
            self.form.update(delta, self.now, game);
        }
        self.updates += UPDATES;
        self.runs += game.runs - before;
    }

    /// Returns the mean number of runs in a pass.
    fn runs_per_pass(&self) -> f64 {
        self.runs as f64 / self.updates as f64 * UPDATES as f64
    }
}

/// A strategy and its plain forms, which run the tasks of the same game in turns.
struct Contest {
    game: Game,
    delta: Nanos,
    sides: Vec<Side>,
    /// Tasks in the order in which the strategy runs them. The bare loop calls the next ones.
    order: Vec<u32>,
    next: usize,
}

impl Contest {
    /// Returns `None` if the strategy has no plain form.
    fn new(entry: &StrategyEntry, count: usize) -> Option<Self> {
        let mut rng = Rng::new(1, Stream::Costs);
        let npcs = (0..count).map(|_| {
            let cost = COSTS.start + rng.below(COSTS.len());
            let weight = LEAST_WEIGHT + (1.0 - LEAST_WEIGHT) * rng.unit();
            Npc::new(weight, Nanos::from_nanos(cost as u64))
        });
        let mut game = Game::new(npcs.collect());

        let runs = (count / 10).clamp(1, 1_000);
        // All tasks run in the course of about a second.
        let (slowest, fastest) = (Nanos::from_secs(1), Nanos::from_millis(100));
        let share = runs as f64 / count as f64;
        let limit = MEAN_COST.as_secs_f64() * runs as f64;
        let (round, budget) = match entry.key {
            "balanced-slots" => (1.0, None),
            "distance-lod" | "earliest-deadline" => {
                let mean_weight = f64::midpoint(LEAST_WEIGHT, 1.0);
                // The budget has room for all tasks that are due.
                (fastest.as_secs_f64() / mean_weight, Some(2.0 * limit))
            }
            _ => (1.0, Some(limit)),
        };
        let delta = Nanos::from_secs_f64(round * share);
        let mut knobs = vec![(&INTERVAL, round), (&SHARE_EXPONENT, 2.0)];
        if let Some(budget) = budget {
            knobs.push((&BUDGET, budget * 1e3));
        }
        if entry.key != "weighted-share" {
            knobs.push((&FASTEST, fastest.as_secs_f64()));
            knobs.push((&SLOWEST, slowest.as_secs_f64()));
        }
        let mut ours = Ours::new(entry, &KnobValues::with(&knobs), count);

        let mut random = || rng.unit();
        let limit = Nanos::from_secs_f64(budget.unwrap_or(0.0));
        let start = GameTime::START;
        let mut others = match entry.key {
            "balanced-slots" => {
                let interval = Nanos::from_secs_f64(round);
                vec![Side::new(
                    "heap",
                    Phases::new(interval, SLOTS.default as u64, &game),
                    start,
                )]
            }
            "distance-lod" => {
                let form = DueTimes::new([fastest, slowest], None, random, &game);
                vec![Side::new("heap", form, start)]
            }
            "earliest-deadline" => {
                let form = DueTimes::new([fastest, slowest], Some(limit), random, &game);
                vec![Side::new("heap", form, start)]
            }
            "weighted-share" => {
                let passes = Passes::new(Strides::new(2.0), limit, &mut random, &game);
                let scan = Scan::new(runs, random, &game);
                vec![
                    Side::new("heap", passes, start),
                    // Its tasks have ages of up to a second.
                    Side::new("scan", scan, start + Nanos::from_secs(1)),
                ]
            }
            _ => return None,
        };

        // After two rounds, the tasks are as spread as they will ever be. A scan takes longer, but costs the same from
        // the beginning.
        let updates = 2 * count.div_ceil(runs);
        let (mut recorder, mut now) = (Recorder::new(&mut game), start);
        for update in 0..updates {
            if 2 * update == updates {
                recorder.order.clear();
            }
            now += delta;
            ours.update_with(delta, now, &mut recorder);
        }
        let order = recorder.order;
        for side in others.iter_mut().filter(|side| side.name != "scan") {
            for _ in 0..updates / UPDATES {
                side.pass(delta, &mut game);
            }
            (side.updates, side.runs) = (0, 0);
        }
        let mut sides = vec![Side::new("ours", ours, now)];
        sides.append(&mut others);
        let next = 0;
        Some(Self {
            game,
            delta,
            sides,
            order,
            next,
        })
    }

    /// Calls as many tasks as a pass of the strategy runs.
    fn bare(&mut self) {
        let runs = self.sides[0].runs_per_pass() as usize;
        for _ in 0..runs {
            self.next = if self.next + 1 < self.order.len() {
                self.next + 1
            } else {
                0
            };
            let index = self.order[self.next];
            think(&mut self.game.npcs[index as usize], self.delta);
        }
    }
}

fn main() -> ExitCode {
    let mut bench = Bench::new("significance");
    let mut rows = Vec::new();
    for entry in STRATEGIES {
        for size in SIZES {
            let Some(mut contest) = Contest::new(entry, size) else {
                continue;
            };
            let id = |name| format!("{}/{size}/{name}", entry.key);
            for round in 0..ROUNDS {
                for at in 0..contest.sides.len() {
                    let Contest {
                        game, delta, sides, ..
                    } = &mut contest;
                    let side = &mut sides[at];
                    bench.round(&id(side.name), round, || side.pass(*delta, game));
                }
                bench.round(&id("bare"), round, || contest.bare());
            }
            rows.extend(row(&mut bench, entry.key, size, &contest));
        }
    }
    bench.table(
        "| rule | tasks | runs in an update | ours, ns per run | binary heap | ratio | scan | ratio |",
        rows,
    );
    bench.finish()
}

/// Checks the targets, and returns the row of the table. `None` if a filter excludes it.
fn row(bench: &mut Bench, key: &str, size: usize, contest: &Contest) -> Option<String> {
    let time = |name: &str| bench.min_ns(&format!("{key}/{size}/{name}"));
    let [bare, heap, ours] = ["bare", "heap", "ours"].map(time);
    let bare = bare? / contest.sides[0].runs_per_pass();
    let above = |at: usize, time: f64| time / contest.sides[at].runs_per_pass() - bare;
    let (ours, heap) = (above(0, ours?), above(1, heap?));
    let scan = time("scan").map(|scan| above(2, scan));
    println!("{key}, {size}: a bare call {bare:.2} ns");
    let limit = heap + noise_ns(bare);
    bench.check(
        ours <= limit,
        format!("{key}, {size} tasks: {ours:.1} ns per run, limit {limit:.1}"),
    );
    let (scan_cell, ratio_cell) = match scan {
        None => ("-".to_owned(), "-".to_owned()),
        Some(scan) => (ns(scan), format!("{:.3}", ours / scan)),
    };
    if let Some(scan) = scan
        && size == 1_000_000
    {
        let ratio = scan / ours;
        bench.check(
            ratio >= SCAN_RATIO,
            format!("{key}, {size} tasks: a scan takes only {ratio:.1} times as long"),
        );
    }
    let runs = contest.sides[0].runs_per_pass() / UPDATES as f64;
    let (ratio, ours, heap) = (ours / heap, ns(ours), ns(heap));
    Some(format!(
        "| `{key}` | {size} | {runs:.0} | {ours} | {heap} | {ratio:.2} | {scan_cell} | {ratio_cell} |"
    ))
}
