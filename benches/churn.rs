//! What a death and a birth cost, anywhere in a crowd: in the library's books and each strategy, and through a whole
//! lane; and what the removal from a list costs that keeps its order, as published.
//!
//! `cargo bench --no-default-features --bench churn`. It ends with status 1 where a million cost more than three times
//! as much as a thousand.

mod harness;

use harness::{Bench, ns};
use std::cell::RefCell;
use std::process::ExitCode;
use timeslice::knob::KnobValues;
use timeslice::scheduler::{TaskId, Tasks, UpdateContext};
use timeslice::strategy::stagger_groups;
use timeslice::strategy::stagger_groups::GROUPS;
use timeslice::strategy::{STRATEGIES, Strategy, StrategyEntry};
use timeslice::time::{GameTime, Nanos};
use timeslice_lab::sim::machine::Simulated;
use timeslice_lab::sim::random::{Rng, Stream};
use timeslice_lab::sim::settings::Settings;
use timeslice_lab::sim::world::{CHURN, ENTITIES, REQUESTS};
use timeslice_lab::stats::MeasuredLane;

const SIZES: [usize; 3] = [1_000, 100_000, 1_000_000];
const ROUNDS: usize = 5;
/// Exchanges in an iteration.
const EXCHANGES: usize = 1_000;

/// Tasks under a strategy, of which any may die.
struct Crowd {
    tasks: Tasks,
    living: Vec<TaskId>,
    strategy: Box<dyn Strategy>,
    chance: Rng,
}

impl Crowd {
    fn new(entry: &StrategyEntry, count: usize) -> Self {
        let mut crowd = Self {
            tasks: Tasks::new(),
            living: Vec::new(),
            strategy: (entry.make)(),
            chance: Rng::new(1, Stream::Churn),
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

    /// Who dies next: the first [`EXCHANGES`] of the living, after some have been drawn to stand there.
    fn draw(&mut self) {
        for place in 0..EXCHANGES {
            let other = place + self.chance.below(self.living.len() - place);
            self.living.swap(place, other);
        }
    }

    /// Lets a strategy that deletes its dead bit by bit, in its updates, do so.
    fn bury(&mut self, updates: usize) {
        let mut nothing = |_: TaskId, _: Nanos| {};
        for _ in 0..updates {
            let turn = &mut UpdateContext::new(
                Nanos::ZERO,
                GameTime::START,
                &mut self.tasks,
                &mut nothing,
            );
            self.strategy.update(turn);
        }
    }

    /// One after another dies, and one is born for each.
    fn exchange(&mut self) {
        for place in 0..EXCHANGES {
            let victim = self.living[place];
            self.tasks.remove(victim);
            self.strategy.remove(victim);
            self.living[place] = self.birth();
        }
    }
}

/// A lane in which a thousand die and are born in each frame, and little else happens.
fn lane(count: usize) -> MeasuredLane<Simulated> {
    let churn_per_s = EXCHANGES as f64 * 60.0;
    let knobs = KnobValues::with(&[
        (&ENTITIES, count as f64),
        (&CHURN, churn_per_s.min(CHURN.max)),
        (&REQUESTS, 0.0),
    ]);
    let settings = Settings {
        strategy: timeslice::strategy::by_key("request-list").unwrap_or(STRATEGIES[0]),
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
        for round in 0..ROUNDS {
            for (size, crowd) in &mut crowds {
                let crowd = RefCell::new(crowd);
                let draw = || {
                    crowd.borrow_mut().draw();
                    if **entry == stagger_groups::ENTRY {
                        crowd.borrow_mut().bury(GROUPS.default as usize);
                    }
                };
                let id = format!("{}/{size}", entry.key);
                bench.round_with(&id, round, draw, |()| crowd.borrow_mut().exchange());
            }
        }
        table.push((entry.key, EXCHANGES as f64));
    }
    let mut lanes = SIZES.map(|size| (size, lane(size)));
    for round in 0..ROUNDS {
        for (size, lane) in &mut lanes {
            bench.round(&format!("the whole lane/{size}"), round, || {
                lane.frame();
            });
        }
    }
    table.push(("the whole lane", CHURN.max / 60.0));
    for size in SIZES {
        let mut list: Vec<TaskId> = {
            let mut tasks = Tasks::new();
            (0..size).map(|_| tasks.insert(GameTime::START)).collect()
        };
        let mut chance = Rng::new(1, Stream::Churn);
        let id = format!("a list, as published/{size}");
        bench.round(&id, 0, || {
            let victim = list[chance.below(size)];
            list.retain(|&task| task != victim);
            list.push(victim);
        });
    }
    table.push(("a list, as published", 1.0));

    let mut rows = Vec::new();
    for (name, exchanges) in table {
        let least = SIZES.map(|size| bench.least_ns(&format!("{name}/{size}")));
        let [Some(few), Some(more), Some(many)] = least else {
            continue;
        };
        let ratio = many / few;
        let [few, more, many] = [few, more, many].map(|time| ns(time / exchanges));
        let shown = match timeslice::strategy::by_key(name) {
            Some(_) => format!("`{name}`"),
            None => name.to_owned(),
        };
        rows.push(format!(
            "| {shown} | {few} | {more} | {many} | {ratio:.1} |"
        ));
        let ours = name != "a list, as published";
        bench.hold(!ours || ratio <= 3.0, format!("{name}: {ratio:.1} times"));
    }
    bench.table(
        "| a death and a birth, ns | 1,000 | 100,000 | 1,000,000 | ratio |",
        rows,
    );
    bench.finish()
}
