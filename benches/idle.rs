//! Measures a frame in which no task is due. If such a frame takes longer with more entities, the strategy or the lane
//! scans idle entities.
//!
//! Run it with `cargo bench --package timeslice-benches --bench idle`. Exits with status 1 if a frame with a million
//! entities takes more than twice as long as one with a thousand.

mod harness;

use harness::{Bench, SIZES};
use lab::catalog::strategy::{STRATEGIES, StrategyEntry};
use lab::measure::MeasuredLane;
use lab::sim::machine::Machine;
use lab::sim::world::{ENTITIES, REQUESTS};
use lab::testing::settings;
use std::process::ExitCode;
use timeslicer::frame_loop::Pace;
use timeslicer::time::{ClockTime, Nanos};

const ROUNDS: usize = 5;

/// A machine whose frames take a nanosecond, so that no task becomes due.
struct Creeping(ClockTime);

impl Machine for Creeping {
    fn clock(&self) -> ClockTime {
        self.0
    }
    fn work(&mut self, _cost: Nanos) -> Nanos {
        Nanos::ZERO
    }
    fn stall(&mut self, _time: Nanos) {}
    fn slow_display(&mut self, _hz: Option<f64>) {}
    fn render(&mut self) {}
    fn wait(&mut self, frame_start: ClockTime, _pace: Pace) {
        self.0 = self.0.max(frame_start + Nanos::from_nanos(1));
    }
}

/// Creates a lane that has finished its first round and has no task due. Returns `None` if the strategy always has
/// tasks due.
fn idle_lane(strategy: &StrategyEntry, entities: f64) -> Option<MeasuredLane<Creeping>> {
    let set = [(&ENTITIES, entities), (&REQUESTS, 0.0)];
    let settings = settings(strategy.key, "variable-step", &set);
    let mut lane = MeasuredLane::new(settings, Creeping(ClockTime::START));
    lane.frame();
    (0..10).all(|_| lane.frame().runs == 0).then_some(lane)
}

fn main() -> ExitCode {
    let mut bench = Bench::new("idle");
    let mut rows = Vec::new();
    for &strategy in STRATEGIES {
        let lanes = SIZES.map(|size| idle_lane(strategy, size as f64));
        let [Some(few), Some(more), Some(many)] = lanes else {
            rows.push(format!(
                "| `{}` | always has tasks due | | | |",
                strategy.key
            ));
            continue;
        };
        let id = |size| format!("{}/{size}", strategy.key);
        let mut lanes = [few, more, many];
        for _ in 0..ROUNDS {
            for (size, lane) in SIZES.iter().zip(&mut lanes) {
                bench.round(&id(*size), || {
                    lane.frame();
                });
            }
        }
        rows.extend(bench.row_of_sizes(strategy.key, 1.0, 2.0));
    }
    bench.table(
        "| frame with nothing due, ns | 1,000 | 100,000 | 1,000,000 | ratio |",
        rows,
    );
    bench.finish()
}
