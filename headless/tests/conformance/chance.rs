//! Lanes with the same seed are identical.

use crate::checked_lane::CheckedLane;
use crate::every_lane;
use headless::sim::lane::{Change, Run};
use timeslicer::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use timeslicer::strategy::{STRATEGIES, StrategyEntry};
use timeslicer::time::{ClockTime, GameTime};

/// Knobs that make everything random.
const RANDOM: &[(&str, f64)] = &[
    ("entities", 60.0),
    ("churn-per-s", 40.0),
    ("requests-per-s", 3.0),
    ("cost-spread", 1.0),
    ("cost-us", 800.0),
];

fn runs(
    strategy: &'static StrategyEntry,
    frame_loop: &'static FrameLoopEntry,
    seed: u64,
) -> Vec<(ClockTime, Run)> {
    let mut lane = CheckedLane::with(strategy, frame_loop, seed, RANDOM);
    let mut runs = Vec::new();
    for _ in 0..150 {
        lane.frame();
        let start = lane.lane.last_frame().start;
        runs.extend(lane.lane.runs().iter().map(|run| (start, *run)));
    }
    runs
}

fn changes(
    strategy: &'static StrategyEntry,
    frame_loop: &'static FrameLoopEntry,
    cost_us: f64,
) -> Vec<(GameTime, Change)> {
    let set = [
        ("entities", 60.0),
        ("churn-per-s", 100.0),
        ("cost-us", cost_us),
    ];
    let mut lane = CheckedLane::with(strategy, frame_loop, 5, &set);
    let mut changes = Vec::new();
    for _ in 0..150 {
        lane.frame();
        let now = lane.lane.now();
        changes.extend(lane.lane.changes().iter().map(|change| (now, *change)));
    }
    changes
}

#[test]
fn the_seed_alone_determines_the_runs() {
    for (strategy, frame_loop) in every_lane() {
        let first = runs(strategy, frame_loop, 1);
        let name = format!("{} on {}", strategy.key, frame_loop.key);
        assert!(!first.is_empty(), "{name}");
        assert!(first == runs(strategy, frame_loop, 1), "{name}");
        assert!(first != runs(strategy, frame_loop, 2), "{name}");
    }
}

#[test]
fn births_and_deaths_are_the_same_under_every_strategy() {
    for frame_loop in FRAME_LOOPS {
        let first = changes(STRATEGIES[0], frame_loop, 0.0);
        assert!(!first.is_empty());
        for strategy in STRATEGIES {
            let changes = changes(strategy, frame_loop, 0.0);
            assert!(changes == first, "{} on {}", strategy.key, frame_loop.key);
        }
    }
}

#[test]
fn frame_lengths_do_not_reorder_births_and_deaths() {
    let order = |changes: Vec<(GameTime, Change)>| -> Vec<Change> {
        changes.into_iter().map(|(_, change)| change).collect()
    };
    for frame_loop in FRAME_LOOPS {
        let free = order(changes(STRATEGIES[0], frame_loop, 0.0));
        for strategy in STRATEGIES {
            let costly = order(changes(strategy, frame_loop, 2000.0));
            let count = free.len().min(costly.len());
            assert!(count > 100, "{} on {}", strategy.key, frame_loop.key);
            assert!(free[..count] == costly[..count], "{}", strategy.key);
        }
    }
}
