//! Runs 100,000 entities on a simulated machine for hours of game time, and replaces 1,000 of them per second. Checks
//! that memory does not grow after the first 15 seconds of real time, and that after every frame the number of runs by
//! `fixed-interval` is exactly the number due.
//!
//! `cargo bench --package timeslice-benches --bench soak -- 10` runs for ten minutes. The default is one minute.

use headless::sim::machine::Simulated;
use headless::sim::settings::Settings;
use headless::sim::world::{CHURN, COST, ENTITIES};
use headless::stats::MeasuredLane;
use std::time::{Duration, Instant};
use timeslicer::knob::KnobValues;
use timeslicer::strategy::by_key;
use timeslicer::strategy::knobs::INTERVAL;

const CROWD: f64 = 100_000.0;
const REPLACED_PER_S: f64 = 1_000.0;
const INTERVAL_S: f64 = 0.5;
/// Maximum ratio of the memory in use to the memory in use after the first 15 seconds.
const GROWTH: f64 = 1.01;

fn main() {
    let minutes = std::env::args().find_map(|word| word.parse().ok());
    let length = Duration::from_secs_f64(60.0 * minutes.unwrap_or(1.0));
    let settings = Settings {
        strategy: by_key("fixed-interval").expect("in the registry"),
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
    let mut next_report = Duration::from_secs(15);
    let mut warm = None;
    while started.elapsed() < length {
        for _ in 0..1000 {
            lane.frame();
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
        if started.elapsed() > next_report {
            next_report += Duration::from_secs(15);
            let memory = memory();
            println!(
                "{:4.0} s: {:.1} h of game time, {} frames, {} births, {} runs as due, {} kB",
                started.elapsed().as_secs_f64(),
                lane.now().since_start().as_secs_f64() / 3600.0,
                lane.frames(),
                lane.world().born_so_far(),
                lane.totals().runs(),
                memory.map_or("?".to_owned(), |kilobytes| kilobytes.to_string()),
            );
            warm = warm.or(memory);
            if let (Some(warm), Some(memory)) = (warm, memory) {
                assert!(
                    memory <= warm * GROWTH,
                    "memory grew from {warm} to {memory} kB"
                );
            }
        }
    }
}

/// Returns the resident memory of this process in kilobytes. `None` if the system does not report it.
fn memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line?.split_whitespace().next()?.parse().ok()
}
