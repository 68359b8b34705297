//! Who runs, and what each is told: nothing of it is ever lost or wrong, whatever happens.
//!
//! The table itself checks each run: the dead do not run, nobody runs twice in an update, only who asked
//! runs on request, and the elapsed time is the time since the last run.

use crate::for_every_strategy;
use crate::steps::{fraction, wild, wild_under_one_strategy};
use crate::table::Table;
use proptest::collection::vec;

#[test]
fn the_dead_never_run_and_nobody_runs_twice_in_an_update() {
    let values = (0usize..30, vec(fraction(), 2), wild_under_one_strategy(60));
    for_every_strategy(&values, |entry, (count, fractions, steps)| {
        let mut table = Table::new(entry, count, &fractions);
        for step in &steps {
            table.step(step);
        }
    });
}

#[test]
fn elapsed_times_add_up_across_switches_and_turned_knobs() {
    let values = (0usize..30, vec(fraction(), 2), wild(60));
    for_every_strategy(&values, |entry, (count, fractions, steps)| {
        let mut table = Table::new(entry, count, &fractions);
        for step in &steps {
            table.step(step);
            table.assert_elapsed_times_add_up();
        }
    });
}
