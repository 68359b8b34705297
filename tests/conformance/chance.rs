//! The same seed brings the same, another seed something else.

use crate::every_lane;
use crate::watched::Watched;
use timeslice::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use timeslice::strategy::{STRATEGIES, StrategyEntry};
use timeslice::time::{ClockTime, GameTime};
use timeslice_lab::sim::lane::{Change, Run};

/// Everything that comes by chance.
const CHANCE: &[(&str, f64)] = &[
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
    let mut lane = Watched::with(strategy, frame_loop, seed, CHANCE);
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
    let mut lane = Watched::with(strategy, frame_loop, 5, &set);
    let mut changes = Vec::new();
    for _ in 0..150 {
        lane.frame();
        let now = lane.lane.now();
        changes.extend(lane.lane.changes().iter().map(|change| (now, *change)));
    }
    changes
}

#[test]
fn the_same_seed_brings_the_same_runs_and_another_seed_others() {
    for (strategy, frame_loop) in every_lane() {
        let once = runs(strategy, frame_loop, 1);
        let name = format!("{} on {}", strategy.key, frame_loop.key);
        assert!(!once.is_empty(), "{name}");
        assert!(once == runs(strategy, frame_loop, 1), "{name}");
        assert!(once != runs(strategy, frame_loop, 2), "{name}");
    }
}

#[test]
fn births_and_deaths_are_the_same_under_every_strategy() {
    for frame_loop in FRAME_LOOPS {
        let first = changes(STRATEGIES[0], frame_loop, 0.0);
        assert!(!first.is_empty());
        for strategy in STRATEGIES {
            let these = changes(strategy, frame_loop, 0.0);
            assert!(these == first, "{} on {}", strategy.key, frame_loop.key);
        }
    }
}

#[test]
fn births_and_deaths_have_the_same_order_at_any_frame_length() {
    let order = |changes: Vec<(GameTime, Change)>| -> Vec<Change> {
        changes.into_iter().map(|(_, change)| change).collect()
    };
    for frame_loop in FRAME_LOOPS {
        let free = order(changes(STRATEGIES[0], frame_loop, 0.0));
        for strategy in STRATEGIES {
            let dear = order(changes(strategy, frame_loop, 2000.0));
            let both = free.len().min(dear.len());
            assert!(both > 100, "{} on {}", strategy.key, frame_loop.key);
            assert!(free[..both] == dear[..both], "{}", strategy.key);
        }
    }
}
