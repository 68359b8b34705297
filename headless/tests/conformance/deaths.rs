//! Strategies forget dead tasks.

use crate::table::{Table, Update};
use std::collections::BTreeSet;
use timeslicer::scheduler::TaskId;
use timeslicer::strategy::{Promise, STRATEGIES, by_key};
use timeslicer::time::Nanos;

const FRAME: Nanos = Nanos::from_millis(16);

/// Makes one update for each group. The table's strategy must be `stagger-groups`.
fn round(table: &mut Table) -> Vec<Update> {
    let Promise::Updates(groups) = table.strategy.promise() else {
        panic!("stagger-groups promises updates");
    };
    (0..groups).map(|_| table.update(FRAME)).collect()
}

#[test]
fn newborns_fill_the_groups_of_dead_tasks() {
    let entry = by_key("stagger-groups").expect("it is registered");
    let mut table = Table::new(entry, 300, &[]);
    for generation in 0..100 {
        let sizes: Vec<usize> = round(&mut table).iter().map(|it| it.ran.len()).collect();
        assert_eq!(sizes, [10; 30], "generation {generation}");

        let first_group = table.update(FRAME).ran;
        for task in first_group {
            table.kill(task);
        }
        for _ in 0..29 + 30 {
            table.update(FRAME); // the rest of this round, and a second round that deletes the dead tasks
        }
        for _ in 0..10 {
            table.birth();
        }
    }
}

#[test]
fn under_churn_a_round_runs_each_task_once() {
    let entry = by_key("stagger-groups").expect("it is registered");
    let mut table = Table::new(entry, 90, &[]);
    for update in 0u32..6000 {
        let place = (update * 7) % 90;
        let victim = table.tasks.nth(place as usize).expect("90 tasks");
        table.kill(victim);
        table.birth();
        let runs = table.update(FRAME).ran.len();
        // Each update replaces one task. A dead task stays in its group for at most a round.
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
fn requests_of_dead_tasks_are_forgotten() {
    for entry in STRATEGIES.iter().filter(|entry| entry.on_request()) {
        let mut table = Table::new(entry, 50, &[]);
        table.request_all();
        assert_eq!(table.strategy.backlog(), 50);
        table.kill_all();
        assert_eq!(table.strategy.backlog(), 0, "{}", entry.key);
    }
}

#[test]
fn removing_a_task_twice_spares_its_successor() {
    for entry in STRATEGIES {
        let mut table = Table::new(entry, 1, &[]);
        let dead = table.tasks.at(0).expect("one task");
        table.kill(dead);
        let newborn = table.birth();
        assert_eq!(newborn.index, dead.index);
        table.request(newborn);
        table.strategy.remove(dead);
        for round in 0..3 {
            let ran = (0..30).flat_map(|_| table.update(Nanos::from_secs(10)).ran);
            let ran: Vec<TaskId> = ran.collect();
            assert!(ran.contains(&newborn), "{} in round {round}", entry.key);
            table.request(newborn);
        }
    }
}
