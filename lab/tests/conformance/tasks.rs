//! Tests strategies without a lane: guaranteed waits, births and deaths at any moment, and updates in which nothing is
//! due.

use crate::steps::{Action, steady, wild};
use crate::test_game::TestGame;
use crate::values::{KNOBS, for_every_strategy, fraction};
use lab::catalog::strategy::STRATEGIES;
use proptest::collection::vec;
use std::collections::BTreeSet;
use timeslicer::scheduler::TaskId;
use timeslicer::strategy::Guarantee;
use timeslicer::time::Nanos;

/// Every task is due again after this time, whatever the strategy's knobs.
const LONG: Nanos = Nanos::from_secs(100);
const CROWD: usize = 100_000;

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

/// Requests a run of each task, and makes updates until all have run, but not more than guaranteed.
/// Returns the tasks that ran.
fn run_all(game: &mut TestGame) -> Vec<TaskId> {
    game.request_all();
    let updates = match game.strategy.guarantee() {
        Guarantee::Updates(updates) | Guarantee::Request { updates } => updates,
        Guarantee::Interval(_) => 1,
        Guarantee::Eventually { updates, .. } => updates + 1,
    };
    let mut ran = BTreeSet::new();
    for _ in 0..updates {
        if ran.len() == game.tasks.len() {
            break;
        }
        ran.extend(game.update(LONG).ran);
    }
    ran.into_iter().collect()
}

#[test]
fn tasks_that_die_while_running_skip_no_other() {
    use Action::{Die, KillAll, Nothing, Rebirth};
    let cases: [(&[Action], usize, usize); 4] = [
        (&[Die], 9, 8),
        (&[Rebirth], 9, 9),
        (&[KillAll], 9, 0),
        (&[Nothing, KillAll], 90, 0), // enough tasks that each strategy runs two of them in an update
    ];
    for entry in STRATEGIES {
        for (actions, count, survivors) in cases {
            let mut game = TestGame::new(entry, count, &[]);
            game.request_all();
            while game.update_with(LONG, actions).ran.len() < actions.len() {}
            let name = format!("{} after {actions:?}", entry.key);
            assert_eq!(game.tasks.len(), survivors, "{name}");
            if survivors == 0 {
                assert_eq!(game.strategy.backlog(), 0, "{name}");
                assert!(game.update(LONG).ran.is_empty(), "{name}");
            }
            for _ in 0..3 {
                game.birth();
            }
            assert_eq!(run_all(&mut game), game.living(), "{name}");
        }
    }
}

#[test]
fn removing_a_task_twice_spares_its_successor() {
    for entry in STRATEGIES {
        let mut game = TestGame::new(entry, 1, &[]);
        let dead = game.living()[0];
        game.request(dead);
        game.kill(dead);
        assert_eq!(game.strategy.backlog(), 0, "{}", entry.key);
        let newborn = game.birth();
        assert_eq!(newborn.index, dead.index);
        game.request(newborn);
        game.strategy.remove(dead);
        for _ in 0..3 {
            assert_eq!(run_all(&mut game), [newborn], "{}", entry.key);
        }
    }
}

#[test]
fn updates_without_due_tasks_do_not_read_the_clock() {
    for entry in STRATEGIES {
        let mut game = TestGame::new(entry, CROWD, &[]);
        let assert_idle = |game: &mut TestGame, delta| {
            let update = game.update(delta);
            let idle = update.ran.is_empty() && update.clock_reads == 0;
            assert!(idle, "{} after {delta}", entry.key);
        };
        // With some strategies, tasks are due in every update.
        if !matches!(game.strategy.guarantee(), Guarantee::Updates(_)) {
            game.request_all();
            game.update(Nanos::from_secs(10));
            while game.strategy.backlog() > 0 {
                game.update(Nanos::ZERO);
            }
            assert_idle(&mut game, Nanos::ZERO);
            assert_idle(&mut game, Nanos::from_nanos(1));
        }
        game.kill_all();
        for delta in [Nanos::ZERO, Nanos::from_millis(16), LONG] {
            assert_idle(&mut game, delta);
        }
    }
}

#[test]
fn the_clock_is_read_once_per_run_at_most() {
    for entry in STRATEGIES {
        let mut game = TestGame::new(entry, CROWD, &[]);
        game.set_costs(vec![Nanos::from_nanos(100)]);
        game.request_all();
        let update = game.update(Nanos::from_secs(10));
        assert!(!update.ran.is_empty(), "{}", entry.key);
        // The textbook form reads the clock twice per task. Without a budget, a tenth of these readings is enough,
        // because cheap tasks share a reading.
        let most = match game.strategy.budget() {
            Some(_) => update.ran.len() + 1,
            None => update.ran.len() / 5,
        };
        let reads = update.clock_reads;
        assert!(reads <= most, "{}: {reads} reads", entry.key);
    }
}
