//! Tests that no task loses its turn if the game stops updates because it has no time left.

use crate::steps::{Step, wild};
use crate::test_game::TestGame;
use crate::values::{KNOBS, for_every_strategy, fraction};
use lab::catalog::strategy::STRATEGIES;
use lab::catalog::strategy::weighted_share::EXPIRE;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::{BTreeMap, BTreeSet};
use timeslicer::scheduler::TaskId;
use timeslicer::strategy::Guarantee;
use timeslicer::time::Nanos;

/// A delta so long that every task is due again, whatever the strategy's interval is.
const LONG: Nanos = Nanos::from_secs(100);

/// Runs an update in which every task is due, or has requested a run.
fn update_all_due(game: &mut TestGame) -> Vec<TaskId> {
    if game.entry.on_request() {
        game.request_all();
    }
    game.update(LONG).ran
}

/// Returns the number of updates within which every task must run if each update has time for `most_runs` runs.
fn enough_updates(game: &TestGame, most_runs: usize) -> usize {
    let count = game.tasks.len();
    let unlimited = match game.strategy.guarantee() {
        Guarantee::Updates(updates) => updates,
        Guarantee::Interval(_) => 1,
        Guarantee::Eventually { updates, .. } => updates + 1,
        Guarantee::Request { .. } => count,
    };
    unlimited + 2 * count.div_ceil(most_runs) + 1
}

/// Asserts that every task runs soon, and that no task runs more than `most` times before that.
fn assert_fair(game: &mut TestGame, most_runs: usize, most: usize) {
    game.world.most_runs = most_runs;
    let mut left: BTreeSet<TaskId> = game.living().into_iter().collect();
    let mut runs: BTreeMap<TaskId, usize> = BTreeMap::new();
    for _ in 0..enough_updates(game, most_runs) {
        for task in update_all_due(game) {
            if !left.is_empty() {
                *runs.entry(task).or_default() += 1;
            }
            left.remove(&task);
        }
        if left.is_empty() {
            break; // some strategies need far fewer updates than they guarantee
        }
    }
    assert!(left.is_empty(), "{left:?} do not run");
    assert!(runs.values().all(|&runs| runs <= most), "{runs:?}");
}

#[test]
fn each_task_runs_once_before_any_runs_twice() {
    // Before each round, there are some updates and a death.
    let rounds = vec((0usize..8, any::<Index>()), 0..8);
    let values = (1usize..30, vec(fraction(), KNOBS), 1usize..8, rounds);
    for_every_strategy(&values, |entry, (count, fractions, most_runs, rounds)| {
        let mut game = TestGame::new(entry, count, &fractions);
        // Turn expiry off. Expired tasks get only half of the budget, so other tasks could run twice before them.
        game.set(&EXPIRE, 0.0);
        // An update without time for any task must not lose one.
        game.world.most_runs = 0;
        assert!(update_all_due(&mut game).is_empty());
        assert_fair(&mut game, most_runs, 1);
        for (updates, pick) in rounds.iter().take(count) {
            for _ in 0..*updates {
                update_all_due(&mut game);
            }
            game.kill(*pick.get(&game.living()));
            assert_fair(&mut game, most_runs, 2); // a death may change the order of the next round
        }
    });
}

#[test]
fn every_task_gets_a_turn_after_random_stops() {
    let phases = vec((1usize..8, wild(12, true)), 1..6);
    let values = (0usize..20, vec(fraction(), KNOBS), phases);
    for_every_strategy(&values, |entry, (count, fractions, phases)| {
        let mut game = TestGame::new(entry, count, &fractions);
        let mut last = 1;
        for (most_runs, steps) in &phases {
            last = if *most_runs == 7 { 1000 } else { *most_runs };
            game.world.most_runs = last;
            for step in steps {
                game.step(step);
            }
        }
        // Make all weights equal, because tasks with low weights could wait for many thousands of updates.
        game.step(&Step::Weigh(vec![1.0]));
        assert_fair(&mut game, last, usize::MAX);
    });
}

#[test]
fn births_and_deaths_do_not_starve_the_others() {
    for entry in STRATEGIES {
        for most_runs in [1, 4] {
            let mut game = TestGame::new(entry, 40, &[]);
            game.world.most_runs = most_runs;
            let mut left: BTreeSet<TaskId> = game.living().into_iter().collect();
            for update in 0..3 * enough_updates(&game, most_runs) {
                // Replace as many tasks as an update can run.
                for nth in 0..most_runs {
                    let victim = game.tasks.nth((update * 7 + nth) % 40).expect("40 tasks");
                    left.remove(&victim);
                    game.kill(victim);
                    game.birth();
                }
                for task in update_all_due(&mut game) {
                    left.remove(&task);
                }
            }
            assert!(left.is_empty(), "{} at {most_runs}: {left:?}", entry.key);
        }
    }
}

#[test]
fn stopped_requests_keep_their_order() {
    for entry in STRATEGIES.iter().filter(|entry| entry.on_request()) {
        let mut game = TestGame::new(entry, 20, &[]);
        game.world.most_runs = 3;
        game.request_all();
        let mut ran = Vec::new();
        for update in 1..=7 {
            game.request_all(); // pending requests keep their order
            let stopped = game.update(Nanos::ZERO);
            assert!(stopped.stopped_at.get().is_some(), "{}", entry.key);
            ran.extend(stopped.ran);
            assert_eq!(ran.len(), update * 3);
        }
        assert_eq!(ran[..20], game.living(), "{}", entry.key);
    }
}
