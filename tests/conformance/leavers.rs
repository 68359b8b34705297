//! The dead leave their strategy, too.

use crate::table::{Table, Update};
use std::collections::BTreeSet;
use timeslice::scheduler::TaskId;
use timeslice::strategy::{Promise, STRATEGIES, by_key};
use timeslice::time::Nanos;

const FRAME: Nanos = Nanos::from_millis(16);

/// The groups of a `stagger-groups` table, in the order of their turns from here.
fn round(table: &mut Table) -> Vec<Update> {
    let Promise::Updates(groups) = table.strategy.promise() else {
        panic!("groups take turns");
    };
    (0..groups).map(|_| table.update(FRAME)).collect()
}

#[test]
fn the_dead_leave_their_group_so_that_newcomers_fill_it_again() {
    let entry = by_key("stagger-groups").expect("it is registered");
    let mut table = Table::new(entry, 300, &[]);
    for generation in 0..100 {
        let sizes: Vec<usize> = round(&mut table).iter().map(|it| it.ran.len()).collect();
        assert_eq!(sizes, [10; 30], "generation {generation}");

        let doomed = table.update(FRAME).ran; // the first group: all of it dies
        for task in doomed {
            table.kill(task);
        }
        for _ in 0..29 + 30 {
            table.update(FRAME); // the rest of this round, and another: by then they are deleted
        }
        for _ in 0..10 {
            table.birth();
        }
    }
}

#[test]
fn under_churn_a_round_runs_each_living_task_once() {
    let entry = by_key("stagger-groups").expect("it is registered");
    let mut table = Table::new(entry, 90, &[]);
    for update in 0u32..6000 {
        let place = (update * 7) % 90;
        let victim = table.tasks.nth(place as usize).expect("90 live");
        table.kill(victim);
        table.birth();
        let runs = table.update(FRAME).ran.len();
        // One dies and one comes in each update; a group's dead stay for a round at the most.
        assert!(runs <= 6, "{runs} of 3 in update {update}");
    }
    let ran: Vec<TaskId> = round(&mut table)
        .into_iter()
        .flat_map(|it| it.ran)
        .collect();
    assert_eq!(ran.len(), 90);
    assert_eq!(ran.into_iter().collect::<BTreeSet<_>>().len(), 90);
}

#[test]
fn requests_of_the_dead_are_forgotten() {
    for entry in STRATEGIES.iter().filter(|entry| entry.on_request()) {
        let mut table = Table::new(entry, 50, &[]);
        table.ask_all();
        assert_eq!(table.strategy.backlog(), 50);
        table.kill_all();
        assert_eq!(table.strategy.backlog(), 0, "{}", entry.key);
    }
}

#[test]
fn a_second_removal_does_not_touch_the_next_task_there() {
    for entry in STRATEGIES {
        let mut table = Table::new(entry, 1, &[]);
        let dead = table.tasks.at(0).expect("one lives");
        table.kill(dead);
        let newborn = table.birth();
        assert_eq!(newborn.index, dead.index);
        table.ask(newborn);
        table.strategy.remove(dead);
        for round in 0..3 {
            let ran = (0..30).flat_map(|_| table.update(Nanos::from_secs(10)).ran);
            let ran: Vec<TaskId> = ran.collect();
            assert!(ran.contains(&newborn), "{} in round {round}", entry.key);
            table.ask(newborn);
        }
    }
}
