//! One suite that every registered strategy passes, on every registered frame loop.
//!
//! A new strategy or loop is covered by being listed. What a strategy may rely on, and what it promises, is
//! tested on a [`table`]: the strategy alone, with tasks that kill, give birth and ask while they run.
//! What the laboratory makes of it is tested in a [`watched`] lane on a simulated machine.

mod account;
mod bounds;
mod chance;
mod counted;
mod edges;
mod histories;
mod idle;
mod leavers;
mod loops;
mod steps;
mod switches;
mod table;
mod watched;

use proptest::strategy::Strategy as Values;
use proptest::test_runner::{Config, TestRunner};
use timeslice::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use timeslice::strategy::{STRATEGIES, StrategyEntry};

/// Tests each strategy with `PROPTEST_CASES` (256) random values.
fn for_every_strategy<V: Values>(values: &V, test: impl Fn(&'static StrategyEntry, V::Value)) {
    for entry in STRATEGIES {
        check(entry.key, values, |value| test(entry, value));
    }
}

/// Tests each strategy on each frame loop with `PROPTEST_CASES` (256) random values.
fn for_every_lane<V: Values>(
    values: &V,
    test: impl Fn(&'static StrategyEntry, &'static FrameLoopEntry, V::Value),
) {
    for (entry, frame_loop) in every_lane() {
        let name = format!("{} on {}", entry.key, frame_loop.key);
        check(&name, values, |value| test(entry, frame_loop, value));
    }
}

/// Every strategy with every frame loop.
fn every_lane() -> impl Iterator<Item = (&'static StrategyEntry, &'static FrameLoopEntry)> {
    STRATEGIES.iter().flat_map(|entry| {
        FRAME_LOOPS
            .iter()
            .map(move |frame_loop| (*entry, *frame_loop))
    })
}

fn check<V: Values>(name: &str, values: &V, test: impl Fn(V::Value)) {
    let config = Config {
        failure_persistence: None, // a failure prints its smallest case
        ..Config::default()
    };
    let passed = TestRunner::new(config).run(values, |value| {
        test(value);
        Ok(())
    });
    if let Err(failure) = passed {
        panic!("{name}: {failure}");
    }
}
