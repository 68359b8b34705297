//! Tests that strategies with a budget keep it.

use crate::test_game::{TestGame, Update};
use lab::catalog::strategy::knobs::{PAY_BACK, PREDICT};
use lab::catalog::strategy::{STRATEGIES, StrategyEntry};
use timeslicer::time::Nanos;

/// Runs updates with more work than the budget allows, until every task has run, and then `count` more. Returns these
/// `count` updates and the budget. Costs are from 0.1 ms to `longest_us`.
fn overloaded(
    entry: &'static StrategyEntry,
    predicts: bool,
    pays_back: bool,
    longest_us: u64,
    count: usize,
) -> (Vec<Update>, Nanos) {
    let mut game = TestGame::new(entry, 100, &[]);
    game.set(&PREDICT, f64::from(u8::from(predicts)));
    game.set(&PAY_BACK, f64::from(u8::from(pays_back)));
    let costs_us = [100, 700, 300, 900, 1900, 400, 250, longest_us];
    game.world.costs = costs_us.map(Nanos::from_micros).to_vec();
    let mut update = || {
        game.request_all();
        game.update(Nanos::from_millis(16))
    };
    for _ in 0..40 * 100 {
        update();
    }
    let updates = (0..count).map(|_| update()).collect();
    let budget = game.strategy.budget().expect("admission has a budget");
    (updates, budget)
}

#[test]
fn overloaded_updates_keep_the_budget() {
    for entry in STRATEGIES.iter().filter(|it| it.knobs.contains(&PREDICT)) {
        for pays_back in [false, true] {
            let (updates, budget) = overloaded(entry, true, pays_back, 6000, 300);
            for update in updates {
                let (spent, ran) = (update.spent, update.ran.len());
                assert!(spent <= budget || ran == 1, "{}: {spent}, {ran}", entry.key);
            }
        }
        for predicts in [false, true] {
            // At most half of the budget is paid back per update, so the overrun of a longer task could not be paid
            // back.
            let (updates, budget) = overloaded(entry, predicts, true, 2000, 500);
            let spent: Nanos = updates.iter().map(|update| update.spent).sum();
            let mean = spent.as_secs_f64() / updates.len() as f64 / budget.as_secs_f64();
            let is_kept = (0.7..=1.01).contains(&mean);
            assert!(is_kept, "{}: {mean} budgets", entry.key);
        }
    }
}
