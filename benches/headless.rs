//! Measures how many task runs per second a whole lane executes on a simulated machine, including statistics, and how
//! much memory each entity takes. As in comparisons and sweeps, the lane counts the runs of a frame but does not list
//! them. The lane in the window also lists them.
//!
//! Run it with `cargo bench --package timeslice-benches --bench headless`. Exits with status 1 if a run takes too much
//! longer than with `every-frame`, or if a lane takes more than 128 bytes per entity.

mod harness;

use harness::{Bench, SIZES, ns};
use lab::catalog::strategy::knobs::{INTERVAL, MAX_TASKS};
use lab::catalog::strategy::{Family, STRATEGIES, StrategyEntry, every_frame};
use lab::measure::MeasuredLane;
use lab::sim::machine::Simulated;
use lab::sim::world::{COST, ENTITIES, REQUESTS};
use lab::testing::{lane_of, settings};
use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

const ROUNDS: usize = 3;
const BYTES_PER_ENTITY: f64 = 128.0;

/// The system's allocator, which also counts the allocated bytes.
struct Counting;

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: forwards every call to the system's allocator; the count does not affect it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: `System.alloc` has the same contract as this function, and the caller upholds it.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALLOCATED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: `System.dealloc` has the same contract as this function, and the caller upholds it.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Creates a lane whose tasks cost nothing, so that only the lab itself is measured. A strategy that can run all tasks
/// in one update does so in every update.
fn lane(strategy: &StrategyEntry, count: usize) -> MeasuredLane<Simulated> {
    let mut set = vec![
        (&ENTITIES, count as f64),
        (&COST, 0.0),
        (&MAX_TASKS, 1_000.0),
        (&REQUESTS, 10.0),
    ];
    let mut few = lane_of(strategy.key, "variable-step", &[]);
    if few.frame().runs as usize == few.world().tasks().len() {
        set.push((&INTERVAL, 0.0));
    }
    let settings = settings(strategy.key, "variable-step", &set);
    MeasuredLane::new(settings, Simulated::default())
}

/// Returns how long a run may take at most, as a multiple of the time of a run with `every-frame`.
fn most_times(strategy: &StrategyEntry) -> f64 {
    match strategy.family {
        Family::Periodic => 2.0,
        Family::OnRequest => 10.0,
        Family::BySignificance => 20.0,
    }
}

/// Returns the number of frames per iteration, from 6 to 60. Within this range, it gives about a million runs if all
/// tasks run in each frame. Six is the minimum because all tasks may run in one frame and none in the next.
fn frames_of(size: usize) -> usize {
    (1_000_000 / size).clamp(6, 60)
}

/// Creates a lane and runs 40 frames. Returns the lane and the number of bytes that it has allocated.
fn warm_lane(strategy: &StrategyEntry, count: usize) -> (MeasuredLane<Simulated>, usize) {
    let before = ALLOCATED.load(Ordering::Relaxed);
    let mut lane = lane(strategy, count);
    for _ in 0..40 {
        lane.frame();
    }
    let allocated = ALLOCATED.load(Ordering::Relaxed) - before;
    (lane, allocated)
}

fn main() -> ExitCode {
    let mut bench = Bench::new("headless");
    let mut rows = Vec::new();
    // For each size, the time of a run with `every-frame`, the first strategy. A filter may exclude this strategy.
    let mut shortest = [None; SIZES.len()];
    for &strategy in STRATEGIES {
        let mut lanes = SIZES.map(|size| warm_lane(strategy, size));
        let (few, many) = (lanes[0].1, lanes[2].1);
        let bytes = (many.saturating_sub(few)) as f64 / (SIZES[2] - SIZES[0]) as f64;
        let id = |size| format!("{}/{size}", strategy.key);
        let before = lanes
            .each_ref()
            .map(|(lane, _)| (lane.frames(), lane.report().runs));
        for _ in 0..ROUNDS {
            for (size, (lane, _)) in SIZES.iter().zip(&mut lanes) {
                bench.round(&id(*size), || {
                    for _ in 0..frames_of(*size) {
                        lane.frame();
                    }
                });
            }
        }
        let mut cells = String::new();
        for (nth, size) in SIZES.into_iter().enumerate() {
            let Some(time) = bench.min_ns(&id(size)) else {
                continue;
            };
            let (lane, (frames, runs)) = (&lanes[nth].0, before[nth]);
            let frames = (lane.frames() - frames) as f64;
            let runs_per_frame = (lane.report().runs - runs) as f64 / frames;
            let ns_per_run = time / frames_of(size) as f64 / runs_per_frame;
            let million_per_s = 1e3 / ns_per_run;
            let _ = write!(cells, " {million_per_s:.0} ({} ns) |", ns(ns_per_run)); // cannot fail
            if *strategy == every_frame::ENTRY {
                shortest[nth] = Some(ns_per_run);
            }
            if let Some(shortest) = shortest[nth] {
                let times = ns_per_run / shortest;
                bench.check(
                    times <= most_times(strategy),
                    format!(
                        "{}, {size} entities: {times:.1} times as long as every-frame",
                        strategy.key
                    ),
                );
            }
        }
        if !cells.is_empty() {
            bench.check(
                bytes <= BYTES_PER_ENTITY,
                format!("{}: {bytes:.0} bytes per entity", strategy.key),
            );
            rows.push(format!("| `{}` |{cells} {bytes:.0} |", strategy.key));
        }
    }
    bench.table(
        "| whole lane, million runs per second | 1,000 | 100,000 | 1,000,000 | bytes per entity |",
        rows,
    );
    bench.finish()
}
