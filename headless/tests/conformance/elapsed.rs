//! Runs and their elapsed times are correct, whatever happened before.
//!
//! The table checks each run: dead tasks do not run, no task runs twice in an update, event-driven strategies run only
//! requested tasks, and the elapsed time is the time since the last run.

use crate::for_every_strategy;
use crate::steps::{fraction, wild, wild_under_one_strategy};
use crate::table::Table;
use proptest::collection::vec;

#[test]
fn only_living_tasks_run_and_at_most_once_per_update() {
    let values = (0usize..30, vec(fraction(), 2), wild_under_one_strategy(60));
    for_every_strategy(&values, |entry, (count, fractions, steps)| {
        let mut table = Table::new(entry, count, &fractions);
        for step in &steps {
            table.step(step);
        }
    });
}

#[test]
fn elapsed_times_add_up_across_switches() {
    let values = (0usize..30, vec(fraction(), 2), wild(60));
    for_every_strategy(&values, |entry, (count, fractions, steps)| {
        let mut table = Table::new(entry, count, &fractions);
        for step in &steps {
            table.step(step);
            table.assert_elapsed_times_add_up();
        }
    });
}
