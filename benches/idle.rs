//! What an update costs in which nothing is due, with a thousand entities and with a million: the same, or
//! the strategy or the lane looks at entities that rest.
//!
//! `cargo bench --bench idle`. Ends with status 1 where a million cost more than twice as much.

use std::process::ExitCode;
use std::time::{Duration, Instant};
use timeslice_lab::knob::KnobValues;
use timeslice_lab::lane::Lane;
use timeslice_lab::machine::{DISPLAY_HZ, Simulated};
use timeslice_lab::settings::Settings;
use timeslice_lab::strategy::{STRATEGIES, StrategyEntry};
use timeslice_lab::world::{ENTITIES, REQUESTS};

const FRAMES: u32 = 2_000;
const TRIALS: usize = 15;

/// A lane in which nothing is due for the next frames: a display so fast that the frames take no time to
/// speak of, no requests, and the first round over.
fn resting(strategy: &'static StrategyEntry, entities: f64) -> Option<Lane<Simulated>> {
    let mut knobs =
        KnobValues::with(&[(&ENTITIES, entities), (&REQUESTS, 0.0), (&DISPLAY_HZ, 1e4)]);
    for knob in strategy
        .knobs
        .iter()
        .filter(|knob| knob.key == "interval-s")
    {
        knobs.set(knob, knob.max);
    }
    let settings = Settings {
        strategy,
        knobs,
        ..Settings::default()
    };
    let machine = Simulated::new(&settings.knobs);
    let mut lane = Lane::new(settings, machine);
    lane.frame();
    (0..10).all(|_| lane.frame().runs == 0).then_some(lane)
}

/// The time of a frame, the best of several trials.
fn frame_time(lane: &mut Lane<Simulated>) -> Duration {
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
