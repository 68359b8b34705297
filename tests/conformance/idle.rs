//! An update in which nothing is due runs nothing, and asks the clock no more the more tasks there are.

use crate::table::Table;
use timeslice::strategy::{Promise, STRATEGIES};
use timeslice::time::Nanos;

const CROWD: usize = 100_000;

#[test]
fn of_a_hundred_thousand_tasks_of_which_none_is_due_none_runs() {
    for entry in STRATEGIES {
        let mut table = Table::new(entry, CROWD, &[]);
        if let Promise::Updates(_) = table.strategy.promise() {
            continue; // of these some task is due in every update
        }
        table.ask_all();
        table.update(Nanos::from_secs(10));
        while table.strategy.backlog() > 0 {
            table.update(Nanos::ZERO);
        }
        for delta in [Nanos::ZERO, Nanos::from_nanos(1)] {
            let idle = table.update(delta);
            assert!(idle.ran.is_empty(), "{}", entry.key);
            assert_eq!(idle.clock_reads, 0, "{}", entry.key);
        }
    }
}

#[test]
fn the_clock_is_read_only_for_a_budget_and_once_a_batch() {
    for entry in STRATEGIES {
        let mut table = Table::new(entry, CROWD, &[]);
        table.ask_all();
        let costs = vec![Nanos::from_nanos(100); CROWD];
        let update = table.update_with(Nanos::from_secs(10), &costs, &[]);
        assert!(!update.ran.is_empty(), "{}", entry.key);
        // A tenth of the two reads a task that the snippet makes; batches are bounded, so no fewer.
        let most = match table.strategy.budget() {
            Some(_) => update.ran.len() / 5,
            None => 0,
        };
        let reads = update.clock_reads as usize;
        assert!(reads <= most, "{}: {reads} reads", entry.key);
    }
}

#[test]
fn nobody_is_there_and_nothing_is_read() {
    for entry in STRATEGIES {
        let mut table = Table::new(entry, CROWD, &[]);
        table.kill_all();
        for delta in [Nanos::ZERO, Nanos::from_millis(16), Nanos::from_secs(10)] {
            let idle = table.update(delta);
            assert!(
                idle.ran.is_empty() && idle.clock_reads == 0,
                "{}",
                entry.key
            );
        }
    }
}
