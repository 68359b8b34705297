//! Measures how long a death and a birth of random entities take, in each strategy and in a whole lane. Compares them
//! with the published way of removing an entity from an ordered list.
//!
//! In the rows of the strategies, the next update, which takes up the newborn tasks, is not measured. Game time does
//! not advance, so all tasks of `weighted-share` are resting when they die, and none has to leave its queue.
//!
//! Run it with `cargo bench --package timeslice-benches --bench churn`. Exits with status 1 if a death and a birth take
//! more than three times as long among a million entities as among a thousand.

mod harness;

use harness::{Bench, SIZES};
use lab::catalog::knob::KnobValues;
use lab::catalog::strategy::knobs::GROUPS;
use lab::catalog::strategy::{STRATEGIES, StrategyEntry, stagger_groups};
use lab::measure::MeasuredLane;
use lab::sim::machine::Simulated;
use lab::sim::random::{Rng, Stream};
use lab::sim::settings::Settings;
use lab::sim::world::{CHURN, ENTITIES, REQUESTS};
use std::cell::RefCell;
use std::process::ExitCode;
use timeslicer::scheduler::{TaskId, Tasks, UpdateContext};
use timeslicer::strategy::Strategy;
use timeslicer::time::{GameTime, Nanos};

const ROUNDS: usize = 5;
/// The number of deaths per iteration, each followed by a birth.
const EXCHANGES: usize = 1_000;
const WHOLE_LANE: &str = "whole lane";
const PUBLISHED_LIST: &str = "published list";

/// The tasks of one strategy, which die and are born at random.
struct Crowd {
    tasks: Tasks,
    living: Vec<TaskId>,
    strategy: Box<dyn Strategy>,
    rng: Rng,
}

impl Crowd {
    fn new(entry: &StrategyEntry, count: usize) -> Self {
        let mut crowd = Self {
            tasks: Tasks::new(),
            living: Vec::new(),
            strategy: (entry.make)(),
            rng: Rng::new(1, Stream::Churn),
        };
        for _ in 0..count {
            let task = crowd.birth();
            crowd.living.push(task);
        }
        crowd
    }

    fn birth(&mut self) -> TaskId {
        let task = self.tasks.insert(GameTime::START);
        self.strategy.insert(task);
        task
    }

    /// Draws the next victims at random and moves them to the start of `living`.
    fn draw(&mut self) {
        for place in 0..EXCHANGES {
            let other = place + self.rng.below(self.living.len() - place);
            self.living.swap(place, other);
        }
    }

    /// Runs updates that last no time, in which a strategy takes up newborn tasks and deletes dead ones.
    fn update(&mut self, updates: usize) {
        let mut nothing = |_: TaskId, _: Nanos| {};
        for _ in 0..updates {
            let context = &mut UpdateContext::new(
                Nanos::ZERO,
                GameTime::START,
                &mut self.tasks,
                &mut nothing,
            );
            self.strategy.update(context);
        }
    }

    /// Replaces each victim with a newborn task.
    fn exchange(&mut self) {
        for place in 0..EXCHANGES {
            let victim = self.living[place];
            self.tasks.remove(victim);
            self.strategy.remove(victim);
            self.living[place] = self.birth();
        }
    }
}

/// Creates a lane with the maximum rate of births and deaths, and little else to do.
fn lane(count: usize) -> MeasuredLane<Simulated> {
    let churn_per_s = EXCHANGES as f64 * 60.0;
    let knobs = KnobValues::with(&[
        (&ENTITIES, count as f64),
        (&CHURN, churn_per_s.min(CHURN.max)),
        (&REQUESTS, 0.0),
    ]);
    let settings = Settings {
        strategy: STRATEGIES
            .iter()
            .copied()
            .find(|entry| entry.on_request())
            .expect("some strategy runs on request"),
        knobs,
        ..Settings::default()
    };
    let machine = Simulated::new(&settings.knobs);
    MeasuredLane::new(settings, machine)
}

fn main() -> ExitCode {
    let mut bench = Bench::new("churn");
    let mut table = Vec::new();
    for entry in STRATEGIES {
        let mut crowds = SIZES.map(|size| (size, Crowd::new(entry, size)));
        for _ in 0..ROUNDS {
            for (size, crowd) in &mut crowds {
                let crowd = RefCell::new(crowd);
                let draw = || {
                    crowd.borrow_mut().draw();
                    // The strategy takes up its newborn tasks, and `stagger-groups` deletes the dead ones of all
                    // groups.
                    let groups = GROUPS.default as usize;
                    let is_stagger = **entry == stagger_groups::ENTRY;
                    let updates = if is_stagger { groups } else { 1 };
                    crowd.borrow_mut().update(updates);
                };
                let id = format!("{}/{size}", entry.key);
                bench.round_with(&id, draw, || crowd.borrow_mut().exchange());
            }
        }
        table.push((entry.key, EXCHANGES as f64));
    }
    let mut lanes = SIZES.map(|size| (size, lane(size)));
    for _ in 0..ROUNDS {
        for (size, lane) in &mut lanes {
            bench.round(&format!("{WHOLE_LANE}/{size}"), || {
                lane.frame();
            });
        }
    }
    table.push((WHOLE_LANE, CHURN.max / 60.0));
    for size in SIZES {
        let mut list: Vec<TaskId> = {
            let mut tasks = Tasks::new();
            (0..size).map(|_| tasks.insert(GameTime::START)).collect()
        };
        let mut rng = Rng::new(1, Stream::Churn);
        let id = format!("{PUBLISHED_LIST}/{size}");
        bench.round(&id, || {
            let victim = list[rng.below(size)];
            list.retain(|&task| task != victim);
            list.push(victim);
        });
    }
    table.push((PUBLISHED_LIST, 1.0));

    let mut rows = Vec::new();
    for (name, exchanges) in table {
        let most = if name == PUBLISHED_LIST {
            f64::INFINITY
        } else {
            3.0
        };
        rows.extend(bench.row_of_sizes(name, exchanges, most));
    }
    bench.table(
        "| one death and one birth, ns | 1,000 | 100,000 | 1,000,000 | ratio |",
        rows,
    );
    bench.finish()
}
