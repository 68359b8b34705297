//! Generates random values.

use lab::catalog::frame_loop::knobs::GAME_SPEED;
use lab::catalog::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use lab::catalog::knob::Knob;
use lab::catalog::strategy::knobs::{AS_PUBLISHED, CATCH_UP};
use lab::catalog::strategy::{STRATEGIES, StrategyEntry};
use lab::sim::disturbance::SIZES;
use lab::sim::settings::all_knobs;
use lab::sim::world::COST;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

/// The maximum number of knobs of a strategy.
pub(crate) const KNOBS: usize = 12;

/// The number of random cases in each test, unless the environment variable `PROPTEST_CASES` is set.
const CASES: u32 = 50;

/// Tests random values, which are the same in every run unless the environment variable `PROPTEST_CASES` is set.
fn check<V: Strategy>(name: &str, shares: usize, values: &V, test: impl Fn(V::Value)) {
    let mut config = Config {
        failure_persistence: None, // the message of a failure contains the smallest failing case
        ..Config::default()
    };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = CASES;
        config.rng_seed = RngSeed::Fixed(1);
    }
    config.cases = config.cases.div_ceil(shares as u32);
    let passed = TestRunner::new(config).run(values, |value| {
        test(value);
        Ok(())
    });
    if let Err(failure) = passed {
        panic!("{name}: {failure}");
    }
}

/// Tests each strategy with random values.
pub(crate) fn for_every_strategy<V: Strategy>(
    values: &V,
    test: impl Fn(&'static StrategyEntry, V::Value),
) {
    for entry in STRATEGIES {
        check(entry.key, 1, values, |value| test(entry, value));
    }
}

/// Tests each strategy with random values. The values are distributed over the frame loops.
pub(crate) fn for_every_lane<V: Strategy>(
    values: &V,
    test: impl Fn(&'static StrategyEntry, &'static FrameLoopEntry, V::Value),
) {
    for (entry, frame_loop) in every_lane() {
        let name = format!("{} on {}", entry.key, frame_loop.key);
        check(&name, FRAME_LOOPS.len(), values, |value| {
            test(entry, frame_loop, value);
        });
    }
}

pub(crate) fn every_lane() -> impl Iterator<Item = (&'static StrategyEntry, &'static FrameLoopEntry)>
{
    let with_loops = |entry| FRAME_LOOPS.iter().map(move |it| (entry, *it));
    STRATEGIES.iter().copied().flat_map(with_loops)
}

/// Returns all knobs that the tests may set. `AS_PUBLISHED` and `CATCH_UP` are left out, because strategies may then
/// break their guarantees. `GAME_SPEED` is left out because of rounding errors in the account of real time.
pub(crate) fn own_knobs() -> Vec<&'static Knob> {
    let all = all_knobs().into_iter().map(|(_, knob)| knob);
    // Leave out the sizes of disturbances, because a burst of a million births would take as long as all other tests.
    let all = all.filter(|&knob| !SIZES.contains(knob));
    all.filter(|&knob| ![AS_PUBLISHED, CATCH_UP, GAME_SPEED].contains(knob))
        .collect()
}

/// Generates a fraction of a range, from 0 to 1, which is often 0 or 1.
pub(crate) fn fraction() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(0.0), 1 => Just(1.0), 6 => 0.0..1.0]
}

/// Returns the value at a fraction of a knob's range. Small values are more frequent than large ones. Costs are at most
/// 20 ms, because otherwise a frame could take many minutes, in which there would be millions of births and deaths.
pub(crate) fn value_at(knob: &Knob, fraction: f64) -> f64 {
    let max = if *knob == COST { 20_000.0 } else { knob.max };
    let value = knob.min + fraction.powi(3) * (max - knob.min);
    if knob.whole { value.round() } else { value }
}
