//! Measures how long it takes to recommend a setting, with and without the curves of all strategies.
//!
//! Run it with `cargo bench --package timeslice-benches --bench sweep`. Exits with status 1 if the search for the best
//! setting takes more than twice as long as the curves, which have 24 settings of every strategy.

mod harness;

use harness::Bench;
use headless::catalog::knob::KnobValues;
use headless::io::threads::run_on_threads;
use headless::judge::{Limits, Plan, Question, STEPS, Sweep};
use headless::sim::settings::Settings;
use headless::sim::world::{COST, ENTITIES};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use timeslicer::time::Nanos;

const ROUNDS: usize = 3;
const THREADS: usize = 2;
/// The maximum time of the search as a multiple of the time for the curves.
const MOST_TIMES: f64 = 2.0;

fn sweep(steps: u32) -> Sweep {
    let knobs = KnobValues::with(&[(&ENTITIES, 2_000.0), (&COST, 50.0)]);
    let settings = Settings {
        knobs,
        ..Settings::default()
    };
    let limits = Limits {
        tasks: Some(Nanos::from_millis(4)),
        ..Limits::default()
    };
    Sweep::new(Question {
        steps,
        ..Question::new(settings, limits)
    })
}

/// Returns the shortest time of several rounds.
fn least_time<P: Plan + Send>(plan: impl Fn() -> P) -> Duration {
    let rounds = (0..ROUNDS).map(|_| {
        let (plan, start) = (Mutex::new(plan()), Instant::now());
        run_on_threads(&plan, THREADS, &AtomicBool::new(false), |_, _| {});
        start.elapsed()
    });
    rounds.min().unwrap_or_default()
}

fn main() -> ExitCode {
    let mut bench = Bench::new("sweep");
    let search = least_time(|| sweep(0));
    let whole = least_time(|| sweep(STEPS));
    let curves = whole.saturating_sub(search);
    let rows = [("recommendation alone", search), ("with all curves", whole)];
    let rows = rows.map(|(name, time)| format!("| {name} | {:.2} s |", time.as_secs_f64()));
    let times = search.as_secs_f64() / curves.as_secs_f64();
    bench.check(
        times <= MOST_TIMES,
        format!("the search takes {times:.2} times as long as the curves"),
    );
    bench.table(
        "| every strategy with 2,000 entities for ten seconds, two threads | |",
        rows.into(),
    );
    bench.finish()
}
