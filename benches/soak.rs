//! A hundred thousand entities, a thousand of which are replaced each second, for minutes of real time on a simulated
//! machine, which are hours of game time. Memory has to stay as it is after the first quarter of a minute, and after
//! every frame exactly as many tasks of `fixed-interval` have run as were due.
//!
//! `cargo bench --bench soak -- 10` runs for ten minutes; without a number for one.

use std::time::{Duration, Instant};
use timeslice::knob::KnobValues;
use timeslice::strategy::by_key;
use timeslice::strategy::knobs::INTERVAL;
use timeslice_lab::sim::machine::Simulated;
use timeslice_lab::sim::settings::Settings;
use timeslice_lab::sim::world::{CHURN, COST, ENTITIES};
use timeslice_lab::stats::MeasuredLane;

const CROWD: f64 = 100_000.0;
const REPLACED_PER_S: f64 = 1_000.0;
const INTERVAL_S: f64 = 0.5;
/// How much memory it may have beyond what it had once it was warm.
const GROWTH: f64 = 1.01;

fn main() {
    let minutes = std::env::args().find_map(|word| word.parse().ok());
    let length = Duration::from_secs_f64(60.0 * minutes.unwrap_or(1.0));
    let settings = Settings {
        strategy: by_key("fixed-interval").expect("it is registered"),
        knobs: KnobValues::with(&[
            (&ENTITIES, CROWD),
            (&CHURN, REPLACED_PER_S),
            (&COST, 0.0),
            (&INTERVAL, INTERVAL_S),
        ]),
        ..Settings::default()
    };
    let mut lane = MeasuredLane::new(settings.clone(), Simulated::new(&settings.knobs));
    let interval = (INTERVAL_S * 1e9) as u128;
    let started = Instant::now();
    let mut told = Duration::from_secs(15);
    let mut warm = None;
    while started.elapsed() < length {
        for _ in 0..1000 {
            lane.frame();
            // Tasks times nanoseconds, over the interval: what is left of it is owed.
            let time = u128::from(lane.now().since_start().as_nanos());
            let due = CROWD as u128 * time / interval;
            let ran = u128::from(lane.totals().runs());
            assert_eq!(
                ran,
                due,
                "after {} s",
                lane.now().since_start().as_secs_f64()
            );
        }
        if started.elapsed() > told {
            told += Duration::from_secs(15);
            let memory = memory();
            println!(
                "{:4.0} s: {:.1} h of game time, {} frames, {} born, {} runs, as many as were due; {} kB",
                started.elapsed().as_secs_f64(),
                lane.now().since_start().as_secs_f64() / 3600.0,
                lane.frames(),
                lane.world().born_so_far(),
                lane.totals().runs(),
                memory.map_or("?".to_owned(), |kilobytes| kilobytes.to_string()),
            );
            warm = warm.or(memory);
            if let (Some(warm), Some(memory)) = (warm, memory) {
                assert!(memory <= warm * GROWTH, "{warm} kB have become {memory}");
            }
        }
    }
}

/// What this process has in memory, in kilobytes, where that can be known.
fn memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line?.split_whitespace().next()?.parse().ok()
}
