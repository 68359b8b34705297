//! The edges: nobody, no time, much time, knobs at both ends, and tasks that kill while they run.

use crate::every_lane;
use crate::steps::Deed;
use crate::table::Table;
use crate::watched::Watched;
use std::collections::BTreeSet;
use timeslice::scheduler::TaskId;
use timeslice::strategy::{Promise, STRATEGIES};
use timeslice::time::Nanos;
use timeslice_lab::sim::machine::Machine;
use timeslice_lab::sim::settings::all_knobs;
use timeslice_lab::sim::world::ENTITIES;

const LONG: Nanos = Nanos::from_secs(10);
const ENDS: [&[f64]; 2] = [&[0.0], &[1.0]];

/// Everybody asks; who runs in the updates within which everybody has to.
fn who_runs(table: &mut Table) -> BTreeSet<TaskId> {
    table.ask_all();
    let updates = match table.strategy.promise() {
        Promise::Updates(updates) | Promise::Request { updates } => updates,
        Promise::Interval(_) => 1,
    };
    (0..updates).flat_map(|_| table.update(LONG).ran).collect()
}

fn everybody(table: &Table) -> BTreeSet<TaskId> {
    table.tasks.iter().collect()
}

#[test]
fn every_task_runs_once_with_every_knob_at_either_end() {
    for entry in STRATEGIES {
        for fractions in ENDS {
            for count in [0, 1, 2, 7] {
                let mut table = Table::new(entry, count, fractions);
                for delta in [Nanos::ZERO, Nanos::ZERO, Nanos::from_nanos(1), LONG] {
                    table.update(delta);
                }
                let name = format!("{} at {fractions:?}", entry.key);
                assert_eq!(table.tasks.len(), count);
                assert_eq!(who_runs(&mut table), everybody(&table), "{name}");
            }
        }
    }
}

#[test]
fn an_update_of_no_time_runs_no_task_before_its_interval() {
    for entry in STRATEGIES {
        let mut table = Table::new(entry, 5, &[]);
        if matches!(table.strategy.promise(), Promise::Interval(_)) {
            assert_eq!(table.update(LONG).ran.len(), 5, "{}", entry.key);
            assert!(table.update(Nanos::ZERO).ran.is_empty(), "{}", entry.key);
        }
    }
}

#[test]
fn a_task_that_kills_all_runs_last_and_newborns_run_as_ever() {
    let first: &[Deed] = &[Deed::KillAll];
    let second = &[Deed::Nothing, Deed::KillAll];
    for entry in STRATEGIES {
        for (fractions, count, deeds) in [
            (ENDS[0], 9, first),
            (ENDS[1], 9, first),
            (&[], 90, first),
            (&[], 90, second),
        ] {
            let mut table = Table::new(entry, count, fractions);
            table.ask_all();
            let mut ran = Vec::new();
            while ran.len() < deeds.len() {
                ran = table.update_with(LONG, &[], deeds).ran;
            }
            assert_eq!(ran.len(), deeds.len(), "{}", entry.key);
            assert!(table.tasks.is_empty(), "{}", entry.key);
            assert_eq!(table.strategy.backlog(), 0, "{}", entry.key);
            assert!(table.update(LONG).ran.is_empty(), "{}", entry.key);

            for _ in 0..3 {
                table.birth();
            }
            assert_eq!(who_runs(&mut table), everybody(&table), "{}", entry.key);
        }
    }
}

#[test]
fn a_task_that_dies_while_it_runs_takes_nobody_with_it() {
    for entry in STRATEGIES {
        let mut table = Table::new(entry, 5, &[]);
        table.ask_all();
        while table.update_with(LONG, &[], &[Deed::Die]).ran.is_empty() {}
        assert_eq!(table.tasks.len(), 4, "{}", entry.key);
        assert_eq!(who_runs(&mut table), everybody(&table), "{}", entry.key);
    }
}

#[test]
fn a_task_born_in_the_place_of_the_running_one_has_its_turns() {
    for entry in STRATEGIES {
        let mut table = Table::new(entry, 4, &[]);
        table.ask_all();
        while table
            .update_with(LONG, &[], &[Deed::Rebirth])
            .ran
            .is_empty()
        {}
        assert_eq!(table.tasks.len(), 4, "{}", entry.key);
        assert_eq!(who_runs(&mut table), everybody(&table), "{}", entry.key);
    }
}

#[test]
fn a_lane_lives_with_every_knob_at_either_end() {
    for (strategy, frame_loop) in every_lane() {
        for (_, knob) in all_knobs() {
            for value in [knob.min, knob.max] {
                let value = if *knob == ENTITIES {
                    value.min(1000.0)
                } else {
                    value
                };
                let mut lane = Watched::with(strategy, frame_loop, 0, &[(knob.key, value)]);
                (0..20).for_each(|_| lane.frame());
                lane.lane.machine_mut().stall(Nanos::SECOND);
                (0..3).for_each(|_| lane.frame());
            }
        }
    }
}

#[test]
fn a_lane_without_entities_has_frames_as_ever() {
    for (strategy, frame_loop) in every_lane() {
        let set = [
            ("entities", 0.0),
            ("churn-per-s", 100.0),
            ("requests-per-s", 100.0),
        ];
        let mut lane = Watched::with(strategy, frame_loop, 0, &set);
        (0..100).for_each(|_| lane.frame());
        assert_eq!(lane.lane.totals().runs(), 0);
        assert_eq!(lane.lane.last_frame().backlog, 0);
        assert!(lane.lane.totals().updates() > 0);
    }
}
