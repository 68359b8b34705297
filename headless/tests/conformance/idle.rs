//! Updates without due tasks run nothing and do not read the clock, for any number of tasks.

use crate::table::Table;
use timeslicer::strategy::{Promise, STRATEGIES};
use timeslicer::time::Nanos;

const CROWD: usize = 100_000;

#[test]
fn no_task_runs_before_it_is_due() {
    for entry in STRATEGIES {
        let mut table = Table::new(entry, CROWD, &[]);
        if let Promise::Updates(_) = table.strategy.promise() {
            continue; // some task is due in every update
        }
        table.request_all();
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
fn the_clock_is_read_once_per_run_at_most() {
    for entry in STRATEGIES {
        let mut table = Table::new(entry, CROWD, &[]);
        table.request_all();
        let costs = vec![Nanos::from_nanos(100); CROWD];
        let update = table.update_with(Nanos::from_secs(10), &costs, &[]);
        assert!(!update.ran.is_empty(), "{}", entry.key);
        // The textbook form reads the clock twice per task. Without a budget, a tenth of these readings is enough,
        // because cheap tasks share one.
        let most = match table.strategy.budget() {
            Some(_) => update.ran.len() + 1,
            None => update.ran.len() / 5,
        };
        let reads = update.clock_reads as usize;
        assert!(reads <= most, "{}: {reads} reads", entry.key);
    }
}

#[test]
fn without_tasks_the_clock_is_not_read() {
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
