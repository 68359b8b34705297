//! Measures how long it takes to try 24 settings of every strategy, and to find the best one.
//!
//! Run it with `cargo bench --package timeslice-benches --bench sweep`. Exits with status 1 if two threads take more
//! than 3 s to try the settings with 2,000 entities for ten seconds each.

mod harness;

use harness::Bench;
use headless::io::threads::run_on_threads;
use headless::judge::{Job, Limits, Objective, Outcome, Plan, Question, STEPS, Sweep};
use headless::sim::lane::Length;
use headless::sim::settings::Settings;
use headless::sim::world::{COST, ENTITIES};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use timeslicer::knob::KnobValues;
use timeslicer::strategy::STRATEGIES;
use timeslicer::time::Nanos;

const ROUNDS: usize = 3;
const THREADS: usize = 2;
const MOST: Duration = Duration::from_secs(3);

/// The first trials of a sweep, whose values divide the range of each main knob evenly.
struct EvenValues(Option<Sweep>);

impl Plan for EvenValues {
    fn next_jobs(&mut self) -> Vec<Job> {
        self.0
            .take()
            .map_or_else(Vec::new, |mut sweep| sweep.next_jobs())
    }

    fn conclude(&mut self, _job: &Job, _outcome: Outcome) {}
}

fn sweep() -> Sweep {
    let knobs = KnobValues::with(&[(&ENTITIES, 2_000.0), (&COST, 50.0)]);
    Sweep::new(Question {
        settings: Settings {
            knobs,
            ..Settings::default()
        },
        strategies: STRATEGIES.to_vec(),
        length: Length::Time(Nanos::from_secs(10)),
        steps: STEPS,
        limits: Limits {
            tasks: Some(Nanos::from_millis(4)),
            ..Limits::default()
        },
        objective: Objective::WeightedMean,
        explains: true,
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
    let even = least_time(|| EvenValues(Some(sweep())));
    let whole = least_time(sweep);
    let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
    let count = sweep().even_count();
    let rows = [
        (format!("{count} settings"), even),
        ("with the search for the best".to_owned(), whole),
    ];
    let rows = rows.map(|(name, time)| format!("| {name} | {} |", seconds(time)));
    bench.check(even <= MOST, format!("{count} settings: {}", seconds(even)));
    bench.table(
        "| every strategy with 2,000 entities for ten seconds, two threads | |",
        rows.into(),
    );
    bench.finish()
}
