//! Edge cases: no tasks, no time, long updates, knobs at both ends of their ranges, and tasks that kill tasks while
//! they run.

use crate::checked_lane::CheckedLane;
use crate::steps::Action;
use crate::table::Table;
use crate::{KNOBS, every_lane};
use headless::sim::machine::Machine;
use headless::sim::settings::all_knobs;
use headless::sim::world::ENTITIES;
use std::collections::BTreeSet;
use timeslicer::scheduler::TaskId;
use timeslicer::strategy::{Promise, STRATEGIES};
use timeslicer::time::Nanos;

/// Every task is due again after this time, whatever the strategy's knobs.
const LONG: Nanos = Nanos::from_secs(100);
const ENDS: [&[f64]; 2] = [&[0.0; KNOBS], &[1.0; KNOBS]];

/// Requests all tasks and makes updates until all have run, at most the promised number. Returns the tasks that ran.
fn run_all(table: &mut Table) -> BTreeSet<TaskId> {
    table.request_all();
    let updates = match table.strategy.promise() {
        Promise::Updates(updates) | Promise::Request { updates } => updates,
        Promise::Interval(_) => 1,
        Promise::Eventually { updates, .. } => updates + 1,
    };
    let mut ran = BTreeSet::new();
    for _ in 0..updates {
        if ran == living(table) {
            break;
        }
        ran.extend(table.update(LONG).ran);
    }
    ran
}

fn living(table: &Table) -> BTreeSet<TaskId> {
    table.tasks.iter().collect()
}

#[test]
fn every_task_runs_with_knobs_at_either_end() {
    for entry in STRATEGIES {
        for fractions in ENDS {
            for count in [0, 1, 2, 7] {
                let mut table = Table::new(entry, count, fractions);
                for delta in [Nanos::ZERO, Nanos::ZERO, Nanos::from_nanos(1), LONG] {
                    table.update(delta);
                }
                let name = format!("{} at {fractions:?}", entry.key);
                assert_eq!(table.tasks.len(), count);
                assert_eq!(run_all(&mut table), living(&table), "{name}");
            }
        }
    }
}

#[test]
fn an_empty_update_runs_no_task_before_its_interval() {
    for entry in STRATEGIES {
        let mut table = Table::new(entry, 5, &[]);
        if matches!(table.strategy.promise(), Promise::Interval(_)) {
            assert_eq!(table.update(LONG).ran.len(), 5, "{}", entry.key);
            assert!(table.update(Nanos::ZERO).ran.is_empty(), "{}", entry.key);
        }
    }
}

#[test]
fn a_task_can_kill_all_tasks_and_newborns_run() {
    let first: &[Action] = &[Action::KillAll];
    let second = &[Action::Nothing, Action::KillAll];
    for entry in STRATEGIES {
        for (fractions, count, actions) in [
            (ENDS[0], 9, first),
            (ENDS[1], 9, first),
            (&[], 90, first),
            (&[], 90, second),
        ] {
            let mut table = Table::new(entry, count, fractions);
            table.request_all();
            let mut ran = Vec::new();
            while ran.len() < actions.len() {
                ran = table.update_with(LONG, &[], actions).ran;
            }
            assert_eq!(ran.len(), actions.len(), "{}", entry.key);
            assert!(table.tasks.is_empty(), "{}", entry.key);
            assert_eq!(table.strategy.backlog(), 0, "{}", entry.key);
            assert!(table.update(LONG).ran.is_empty(), "{}", entry.key);

            for _ in 0..3 {
                table.birth();
            }
            assert_eq!(run_all(&mut table), living(&table), "{}", entry.key);
        }
    }
}

#[test]
fn a_task_that_dies_while_running_skips_no_other() {
    for entry in STRATEGIES {
        let mut table = Table::new(entry, 5, &[]);
        table.request_all();
        while table.update_with(LONG, &[], &[Action::Die]).ran.is_empty() {}
        assert_eq!(table.tasks.len(), 4, "{}", entry.key);
        assert_eq!(run_all(&mut table), living(&table), "{}", entry.key);
    }
}

#[test]
fn a_task_that_replaces_a_running_one_runs() {
    for entry in STRATEGIES {
        let mut table = Table::new(entry, 4, &[]);
        table.request_all();
        while table
            .update_with(LONG, &[], &[Action::Rebirth])
            .ran
            .is_empty()
        {}
        assert_eq!(table.tasks.len(), 4, "{}", entry.key);
        assert_eq!(run_all(&mut table), living(&table), "{}", entry.key);
    }
}

#[test]
fn lanes_work_with_every_knob_at_either_end() {
    for (strategy, frame_loop) in every_lane() {
        for (_, knob) in all_knobs() {
            for value in [knob.min, knob.max] {
                let value = if *knob == ENTITIES {
                    value.min(1000.0)
                } else {
                    value
                };
                let mut lane = CheckedLane::with(strategy, frame_loop, 0, &[(knob.key, value)]);
                (0..20).for_each(|_| lane.frame());
                lane.lane.machine_mut().stall(Nanos::SECOND);
                (0..3).for_each(|_| lane.frame());
            }
        }
    }
}

#[test]
fn lanes_without_entities_make_updates() {
    for (strategy, frame_loop) in every_lane() {
        let set = [
            ("entities", 0.0),
            ("churn-per-s", 100.0),
            ("requests-per-s", 100.0),
        ];
        let mut lane = CheckedLane::with(strategy, frame_loop, 0, &set);
        (0..100).for_each(|_| lane.frame());
        assert_eq!(lane.lane.totals().runs(), 0);
        assert_eq!(lane.lane.last_frame().backlog, 0);
        assert!(lane.lane.totals().updates() > 0);
    }
}
