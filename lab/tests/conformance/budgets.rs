//! Tests that strategies with a budget keep it.

use crate::test_game::TestGame;
use lab::catalog::strategy::STRATEGIES;
use lab::catalog::strategy::knobs::{BUDGET, PAY_BACK, PREDICT};
use timeslicer::time::Nanos;

/// The number of updates in which the strategy learns the costs, and the number of updates that are then measured.
const LEARNING: usize = 4000;
const MEASURED: usize = 500;

#[test]
fn overloaded_updates_keep_the_budget() {
    // Each case sets `PREDICT`, `PAY_BACK` and the cost of the longest task in microseconds. With prediction, each
    // update keeps the budget. With pay-back, updates keep it on average, but an update pays back at most half of the
    // budget, so the overrun of a task of 6 ms could not be paid back.
    let cases = [(1.0, 0.0, 6000), (1.0, 1.0, 2000), (0.0, 1.0, 2000)];
    for entry in STRATEGIES {
        if !entry.knobs.contains(&PREDICT) {
            continue;
        }
        for (predict, pay_back, longest_us) in cases {
            let mut game = TestGame::new(entry, 100, &[]);
            game.set(&PREDICT, predict);
            game.set(&PAY_BACK, pay_back);
            let costs_us = [100, 700, 300, 900, 1900, 400, 250, longest_us];
            game.world.costs = costs_us.map(Nanos::from_micros).to_vec();
            let budget = BUDGET.default_span();
            let mut total = Nanos::ZERO;
            for number in 0..LEARNING + MEASURED {
                game.request_all();
                let update = game.update(Nanos::from_millis(16));
                let (spent, ran) = (update.spent, update.ran.len());
                if number >= LEARNING {
                    let is_kept = spent <= budget || ran == 1 || predict == 0.0;
                    assert!(is_kept, "{}: {spent}, {ran}", entry.key);
                    total += spent;
                }
            }
            let mean = total.over(budget) / MEASURED as f64;
            let is_kept = (0.7..=1.01).contains(&mean) || pay_back == 0.0;
            assert!(is_kept, "{}: {mean} budgets", entry.key);
        }
    }
}
