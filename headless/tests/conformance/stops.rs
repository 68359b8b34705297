//! The game stops updates because it has no time left: no task loses its turn.

use crate::steps::{Step, fraction, wild};
use crate::table::Table;
use crate::{KNOBS, for_every_strategy};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::{BTreeMap, BTreeSet};
use timeslicer::scheduler::TaskId;
use timeslicer::strategy::{Promise, STRATEGIES};
use timeslicer::time::Nanos;

/// Every task is due again after this time, whatever the strategy's interval.
const LONG: Nanos = Nanos::from_secs(100);

/// Birth or death between two updates.
#[derive(Clone, Debug)]
enum Change {
    Birth,
    Death(Index),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![Just(Change::Birth), any::<Index>().prop_map(Change::Death)]
}

impl Table {
    /// Makes an update in which every task is due, or has requested a run.
    fn update_all_due(&mut self) -> Vec<TaskId> {
        if self.entry.on_request() {
            self.request_all();
        }
        let ran = self.update(LONG).ran;
        self.assert_elapsed_times_add_up();
        ran
    }

    /// Returns the number of updates in which every task must run.
    fn enough_updates(&self) -> usize {
        let count = self.tasks.len();
        let unlimited = match self.strategy.promise() {
            Promise::Updates(updates) => updates,
            Promise::Interval(_) => 1,
            Promise::Eventually { updates, .. } => updates + 1,
            Promise::Request { .. } => count,
        };
        unlimited + 2 * count.div_ceil(self.most_runs) + 1
    }

    /// Asserts that every task runs soon, and none more than `most` times before that. Tasks in `newborn` do not count,
    /// because they may have to wait for the next round. Removes those that run from `newborn`.
    fn assert_fair(&mut self, newborn: &mut BTreeSet<TaskId>, most: usize) {
        let mut left: BTreeSet<TaskId> = self.tasks.iter().collect();
        left.retain(|task| !newborn.contains(task));
        newborn.retain(|&task| self.tasks.contains(task));
        let mut runs: BTreeMap<TaskId, usize> = BTreeMap::new();
        for _ in 0..self.enough_updates() {
            if left.is_empty() && newborn.is_empty() {
                break; // some strategies promise very many updates, but need few
            }
            for task in self.update_all_due() {
                if !left.is_empty() {
                    *runs.entry(task).or_default() += 1;
                }
                left.remove(&task);
                newborn.remove(&task);
            }
        }
        assert!(left.is_empty(), "{left:?} do not run");
        assert!(runs.values().all(|&runs| runs <= most), "{runs:?}");
    }
}

#[test]
fn each_task_runs_once_before_any_runs_twice() {
    let changes = vec((0usize..8, change()), 0..8);
    let values = (1usize..30, vec(fraction(), KNOBS), 1usize..8, changes);
    for_every_strategy(&values, |entry, (count, fractions, most_runs, changes)| {
        let mut table = Table::new(entry, count, &fractions);
        table.most_runs = most_runs;
        let mut newborn = BTreeSet::new();
        table.assert_fair(&mut newborn, 1);
        let mut most = 1;
        for (updates, change) in changes {
            for _ in 0..updates {
                table.update_all_due();
            }
            let nth = match change {
                Change::Death(index) if !table.tasks.is_empty() => index.index(table.tasks.len()),
                Change::Birth | Change::Death(_) => usize::MAX,
            };
            match table.tasks.nth(nth) {
                Some(victim) => {
                    table.kill(victim);
                    most = 2; // a death may change the order of the next round
                }
                None => drop(newborn.insert(table.birth())),
            }
            table.assert_fair(&mut newborn, most);
        }
    });
}

#[test]
fn every_task_gets_a_turn_after_random_stops() {
    let phases = vec((1usize..6, wild(12)), 1..6);
    let values = (0usize..20, vec(fraction(), KNOBS), phases);
    for_every_strategy(&values, |entry, (count, fractions, phases)| {
        let mut table = Table::new(entry, count, &fractions);
        for (most_runs, steps) in &phases {
            table.most_runs = *most_runs;
            for step in steps {
                table.step(step);
                table.assert_elapsed_times_add_up();
            }
        }
        // A task that hardly matters may wait for many thousands of updates.
        table.step(&Step::Weigh(vec![1.0]));
        table.assert_fair(&mut BTreeSet::new(), usize::MAX);
    });
}

#[test]
fn births_and_deaths_do_not_starve_the_others() {
    for entry in STRATEGIES {
        for most_runs in [1, 4] {
            let mut table = Table::new(entry, 40, &[]);
            table.most_runs = most_runs;
            let mut left: BTreeSet<TaskId> = table.tasks.iter().collect();
            for update in 0..3 * table.enough_updates() {
                // The dead are replaced faster than tasks can run.
                for nth in 0..most_runs {
                    let victim = table.tasks.nth((update * 7 + nth) % 40).expect("40 tasks");
                    left.remove(&victim);
                    table.kill(victim);
                    table.birth();
                }
                for task in table.update_all_due() {
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
        let mut table = Table::new(entry, 20, &[]);
        table.most_runs = 3;
        let all: Vec<TaskId> = table.tasks.iter().collect();
        table.request_all();
        let mut ran = Vec::new();
        for update in 1..=7 {
            table.request_all(); // a task that waits keeps its place
            let made = table.update(Nanos::ZERO);
            assert!(made.was_stopped, "{}", entry.key);
            ran.extend(made.ran);
            assert_eq!(ran.len(), update * 3);
        }
        assert_eq!(ran[..20], all, "{}", entry.key);
    }
}

#[test]
fn a_stop_before_the_first_task_loses_nothing() {
    for entry in STRATEGIES {
        let mut table = Table::new(entry, 10, &[]);
        for _ in 0..3 {
            table.most_runs = 0;
            assert!(table.update_all_due().is_empty());
            table.most_runs = 4;
            table.assert_fair(&mut BTreeSet::new(), 1);
        }
    }
}
