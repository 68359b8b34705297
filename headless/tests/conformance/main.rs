//! One suite for every registered strategy and frame loop. Registering a new one is enough to test it.
//!
//! A [`table`] tests a strategy alone, with tasks that kill, give birth and make requests while they run. A
//! [`checked_lane`] tests a strategy in a lane on a simulated machine.

mod budgets;
mod chance;
mod checked_lane;
mod deaths;
mod edges;
mod elapsed;
mod idle;
mod loops;
mod million;
mod promises;
mod published_forms;
mod steps;
mod stops;
mod switches;
mod table;

use proptest::strategy::Strategy as Values;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use timeslicer::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use timeslicer::strategy::{STRATEGIES, StrategyEntry};

/// A strategy has at most this many knobs.
const KNOBS: usize = 12;

/// Number of random values in each test, unless the variable `PROPTEST_CASES` sets another.
const CASES: u32 = 50;

/// Returns the same values in every run, unless the variable `PROPTEST_CASES` asks for more.
fn config() -> Config {
    let config = Config {
        failure_persistence: None, // the message of a failure contains the smallest failing case
        ..Config::default()
    };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        return config;
    }
    Config {
        cases: CASES,
        rng_seed: RngSeed::Fixed(1),
        ..config
    }
}

/// Tests each strategy with the random values of [`config`].
fn for_every_strategy<V: Values>(values: &V, test: impl Fn(&'static StrategyEntry, V::Value)) {
    for entry in STRATEGIES {
        check(entry.key, values, |value| test(entry, value));
    }
}

/// Tests each strategy with the random values of [`config`], which the frame loops share.
fn for_every_lane<V: Values>(
    values: &V,
    test: impl Fn(&'static StrategyEntry, &'static FrameLoopEntry, V::Value),
) {
    for (entry, frame_loop) in every_lane() {
        let name = format!("{} on {}", entry.key, frame_loop.key);
        let config = config();
        let config = Config {
            cases: config.cases.div_ceil(FRAME_LOOPS.len() as u32),
            ..config
        };
        check_with(config, &name, values, |value| {
            test(entry, frame_loop, value);
        });
    }
}

/// Returns every pair of a strategy and a frame loop.
fn every_lane() -> impl Iterator<Item = (&'static StrategyEntry, &'static FrameLoopEntry)> {
    STRATEGIES.iter().flat_map(|entry| {
        FRAME_LOOPS
            .iter()
            .map(move |frame_loop| (*entry, *frame_loop))
    })
}

fn check<V: Values>(name: &str, values: &V, test: impl Fn(V::Value)) {
    check_with(config(), name, values, test);
}

fn check_with<V: Values>(config: Config, name: &str, values: &V, test: impl Fn(V::Value)) {
    let passed = TestRunner::new(config).run(values, |value| {
        test(value);
        Ok(())
    });
    if let Err(failure) = passed {
        panic!("{name}: {failure}");
    }
}
