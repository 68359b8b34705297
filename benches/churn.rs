//! Measures how long a death and a birth of random entities take in a whole lane. Compares them with the published way
//! of removing an entity from an ordered list.
//!
//! Run it with `cargo bench --package timeslice-benches --bench churn`. Exits with status 1 if a death and a birth take
//! more than three times as long among a million entities as among a thousand.

mod harness;

use harness::{Bench, SIZES};
use lab::measure::MeasuredLane;
use lab::sim::machine::Simulated;
use lab::sim::random::{Rng, Stream};
use lab::sim::world::{CHURN, ENTITIES, REQUESTS};
use lab::testing::settings;
use std::process::ExitCode;
use timeslicer::scheduler::{TaskId, Tasks};
use timeslicer::time::GameTime;

const ROUNDS: usize = 5;
const WHOLE_LANE: &str = "whole lane";
const PUBLISHED_LIST: &str = "published list";

/// Creates a lane with the maximum rate of births and deaths, and little else to do.
fn lane(count: usize) -> MeasuredLane<Simulated> {
    let count = count as f64;
    let set = [(&ENTITIES, count), (&CHURN, CHURN.max), (&REQUESTS, 0.0)];
    let settings = settings("request-list", "variable-step", &set);
    MeasuredLane::new(settings, Simulated::default())
}

fn main() -> ExitCode {
    let mut bench = Bench::new("churn");
    let mut lanes = SIZES.map(|size| (size, lane(size)));
    for _ in 0..ROUNDS {
        for (size, lane) in &mut lanes {
            bench.round(&format!("{WHOLE_LANE}/{size}"), || {
                lane.frame();
            });
        }
    }
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

    let lane = bench.row_of_sizes(WHOLE_LANE, CHURN.max / 60.0, 3.0);
    let list = bench.row_of_sizes(PUBLISHED_LIST, 1.0, f64::INFINITY);
    bench.table(
        "| one death and one birth, ns | 1,000 | 100,000 | 1,000,000 | ratio |",
        lane.into_iter().chain(list).collect(),
    );
    bench.finish()
}
