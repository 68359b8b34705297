//! What an update costs in which nothing is due, with a thousand entities and with a million: the same, or
//! the strategy or the lane looks at entities that rest.
//!
//! `cargo bench --bench idle`. Ends with status 1 where a million cost more than twice as much.

use std::process::ExitCode;
use std::time::{Duration, Instant};
use timeslice_lab::knob::KnobValues;
use timeslice_lab::lane::Lane;
use timeslice_lab::machine::Machine;
use timeslice_lab::settings::Settings;
use timeslice_lab::strategy::{STRATEGIES, StrategyEntry};
use timeslice_lab::time::Nanos;
use timeslice_lab::world::{ENTITIES, REQUESTS};

const FRAMES: u32 = 2_000;
const TRIALS: usize = 15;

/// A machine on which time creeps: a nanosecond a frame, in which nothing becomes due.
struct Creeping(Nanos);

impl Machine for Creeping {
    fn now(&self) -> Nanos {
        self.0
    }
    fn work(&mut self, _cost: Nanos) -> Nanos {
        Nanos::ZERO
    }
    fn stall(&mut self, _time: Nanos) {}
    fn slow_display(&mut self, _hz: Option<f64>) {}
    fn render(&mut self) {}
    fn wait_until(&mut self, time: Nanos) {
        self.0 = self.0.max(time);
    }
    fn wait_for_display(&mut self, frame_start: Nanos) {
        self.wait_until(frame_start + Nanos::from_nanos(1));
    }
}

/// A lane with its first round over and nothing due; none where something always is.
fn resting(strategy: &'static StrategyEntry, entities: f64) -> Option<Lane<Creeping>> {
    let knobs = KnobValues::with(&[(&ENTITIES, entities), (&REQUESTS, 0.0)]);
    let settings = Settings {
        strategy,
        knobs,
        ..Settings::default()
    };
    let mut lane = Lane::new(settings, Creeping(Nanos::ZERO));
    lane.frame();
    (0..10).all(|_| lane.frame().runs == 0).then_some(lane)
}

/// The time of a frame, the best of several trials.
fn frame_time(lane: &mut Lane<Creeping>) -> Duration {
    let trials = (0..TRIALS).map(|_| {
        let start = Instant::now();
        for _ in 0..FRAMES / TRIALS as u32 {
            lane.frame();
        }
        start.elapsed() / (FRAMES / TRIALS as u32)
    });
    trials.min().unwrap_or_default()
}

fn main() -> ExitCode {
    println!("A frame in which nothing is due, through the whole lane:");
    println!(
        "{:<16} {:>12} {:>12} {:>7}",
        "strategy", "1,000", "1,000,000", "ratio"
    );
    let mut missed = false;
    for &strategy in STRATEGIES {
        let (Some(mut few), Some(mut many)) = (resting(strategy, 1e3), resting(strategy, 1e6))
        else {
            println!("{:<16} always has something due", strategy.key);
            continue;
        };
        let (few, many) = (frame_time(&mut few), frame_time(&mut many));
        let ratio = many.as_secs_f64() / few.as_secs_f64();
        missed |= ratio > 2.0;
        println!(
            "{:<16} {:>9.0} ns {:>9.0} ns {ratio:>7.2}",
            strategy.key,
            few.as_secs_f64() * 1e9,
            many.as_secs_f64() * 1e9
        );
    }
    if missed {
        println!("MISSED: a million cost more than twice as much as a thousand");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
