//! Tests strategies without a lane: guaranteed waits, births and deaths at any moment, and readings of the clock.

use crate::steps::{Action, Step, steady, wild};
use crate::test_game::TestGame;
use crate::values::{KNOBS, for_every_strategy, fraction};
use lab::catalog::knob::KnobValues;
use lab::catalog::strategy::STRATEGIES;
use proptest::collection::vec;
use timeslicer::strategy::Guarantee;
use timeslicer::time::Nanos;

#[test]
fn promises_hold_again_after_random_steps() {
    let values = (
        0usize..40,
        vec(fraction(), KNOBS),
        wild(40, false),
        steady(60),
    );
    for_every_strategy(&values, |entry, (count, fractions, wild, calm)| {
        let mut game = TestGame::new(entry, count, &fractions);
        for step in &wild {
            game.step(step);
        }
        game.settle();
        for step in &calm {
            game.step_as_guaranteed(step);
        }
    });
}

#[test]
fn crowds_share_clock_readings_and_idle_updates_take_none() {
    for entry in STRATEGIES {
        let mut game = TestGame::new(entry, 100_000, &[]);
        game.world.costs = vec![Nanos::from_nanos(100)];
        game.request_all();
        let update = game.update(Nanos::from_secs(10));
        assert!(!update.ran.is_empty(), "{}", entry.key);
        // A simple implementation reads the clock twice per task. With a budget, one reading per task is enough, and
        // without a budget a fifth of that, because several cheap tasks share a reading.
        let most = match entry.budget(&KnobValues::default()) {
            Some(_) => update.ran.len() + 1,
            None => update.ran.len() / 5,
        };
        let reads = update.clock_reads.get();
        assert!(reads <= most, "{}: {reads} readings", entry.key);

        let mut game = TestGame::new(entry, 100_000, &[]);
        let assert_idle = |game: &mut TestGame, delta| {
            let update = game.update(delta);
            let is_idle = update.ran.is_empty() && update.clock_reads.get() == 0;
            assert!(is_idle, "{} after {delta}", entry.key);
        };
        // Strategies that take turns are never idle, because tasks are due in every update.
        if !matches!(game.strategy.guarantee(), Guarantee::Updates(_)) {
            // Some strategies admit only a few thousand newborn tasks in each update.
            for _ in 0..20 {
                game.update(Nanos::ZERO);
            }
            game.request_all();
            game.update(Nanos::from_secs(10));
            while game.strategy.backlog() > 0 {
                game.update(Nanos::ZERO);
            }
            assert_idle(&mut game, Nanos::ZERO);
            assert_idle(&mut game, Nanos::from_nanos(1));
        }
        game.step(&Step::Act(Action::KillAll));
        for delta in [Nanos::ZERO, Nanos::from_millis(16), Nanos::from_secs(100)] {
            assert_idle(&mut game, delta);
        }
    }
}
