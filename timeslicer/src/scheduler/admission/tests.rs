//! Tests of admission on a simulated clock.

use super::*;
use crate::scheduler::{Runner, Tasks};
use crate::time::GameTime;
use std::cell::Cell;

/// A game whose clock is advanced by the cost of each run.
struct Game {
    /// Cost in nanoseconds by task index; the last one also for all higher indices.
    costs: Vec<u64>,
    clock: ClockTime,
    readings: Cell<usize>,
    most_runs: usize,
    ran: Vec<u32>,
}

impl Runner for Game {
    fn run(&mut self, task: TaskId, _elapsed: Nanos, _tasks: &mut Tasks) {
        self.ran.push(task.index);
        let cost = self.costs.get(task.index as usize).or(self.costs.last());
        self.clock += Nanos::from_nanos(*cost.unwrap());
    }

    fn clock(&self) -> ClockTime {
        self.readings.set(self.readings.get() + 1);
        self.clock
    }

    fn has_time_for(&self, _task: TaskId) -> bool {
        self.ran.len() < self.most_runs
    }
}

struct World {
    admission: Admission,
    tasks: Tasks,
    ids: Vec<TaskId>,
    game: Game,
    /// Offers several tasks at a time.
    at_once: bool,
}

impl World {
    /// Tasks with these costs in microseconds.
    fn new(budget_us: u64, costs_us: &[u64]) -> Self {
        let mut tasks = Tasks::new();
        let ids = costs_us.iter().map(|_| tasks.insert(GameTime::START));
        let ids = ids.collect();
        Self {
            admission: Admission::new(Nanos::from_micros(budget_us)),
            tasks,
            ids,
            at_once: false,
            game: Game {
                costs: costs_us.iter().map(|cost| cost * 1000).collect(),
                clock: ClockTime::START,
                readings: Cell::new(0),
                most_runs: usize::MAX,
                ran: Vec::new(),
            },
        }
    }

    /// Offers all tasks in order. Returns the number of those that took their turn, and the time spent.
    fn update(&mut self) -> (usize, Nanos) {
        self.game.ran.clear();
        let start = self.game.clock;
        let now = GameTime::START;
        let mut context = UpdateContext::new(Nanos::ZERO, now, &mut self.tasks, &mut self.game);
        let mut slice = self.admission.begin(&mut context);
        let turns = if self.at_once {
            let mut turns = 0;
            loop {
                match slice.run_first(&self.ids[turns..]) {
                    0 => break turns,
                    more => turns += more,
                }
            }
        } else {
            self.ids.iter().take_while(|&&task| slice.run(task)).count()
        };
        drop(slice);
        (turns, self.game.clock - start)
    }

    /// Makes updates. Returns what each spends, in microseconds.
    fn spent_us(&mut self, updates: usize) -> Vec<u64> {
        let spent = (0..updates).map(|_| self.update().1.as_nanos() / 1000);
        spent.collect()
    }
}

#[test]
fn a_task_starts_only_if_it_fits() {
    let mut world = World::new(1000, &[300, 400, 400, 100]);
    world.spent_us(2); // it learns the costs of the first three
    world.admission.owed = Nanos::ZERO;
    assert_eq!(world.update(), (2, Nanos::from_micros(700)));
    world.admission.set_prediction(false);
    assert_eq!(world.update(), (3, Nanos::from_micros(1100)));
}

#[test]
fn a_zero_budget_admits_one_task() {
    for cost in [0, 100] {
        for predicts in [false, true] {
            let mut world = World::new(0, &[cost; 5]);
            world.admission.set_prediction(predicts);
            assert_eq!([(); 3].map(|()| world.update().0), [1, 1, 1]);
            assert_eq!(world.admission.next_budget(), Nanos::ZERO);
        }
    }
}

#[test]
fn overruns_are_paid_back_with_half_of_the_budget() {
    let mut world = World::new(1000, &[100; 20]);
    assert_eq!(world.spent_us(3), [1000; 3]);
    world.game.costs[0] = 1_900_000;
    assert_eq!(world.spent_us(1), [1900]);
    let dead = world.ids.remove(0);
    world.admission.forget(dead);
    assert_eq!(world.admission.owed(), Nanos::from_micros(900));
    assert_eq!(world.spent_us(4), [500, 600, 1000, 1000]);
    assert_eq!(world.admission.owed(), Nanos::ZERO);

    world.admission.set_pay_back(false);
    world.admission.set_prediction(false);
    world.game.costs = vec![900_000];
    assert_eq!(world.spent_us(3), [1800, 1800, 1800]);
}

#[test]
fn a_long_overload_is_soon_paid_back() {
    let mut world = World::new(1000, &[100; 20]);
    let long = world.tasks.insert(GameTime::START);
    world.spent_us(3);
    for (cost_us, updates) in [(1500, 3600), (3_600_000_000, 1)] {
        world.game.costs.truncate(20);
        world.game.costs.push(cost_us * 1000);
        world.ids.insert(0, long);
        world.spent_us(updates);
        world.ids.remove(0);
        let shortened = world.spent_us(200).into_iter().filter(|&us| us < 1000);
        assert_eq!(shortened.count(), 128, "after {updates} updates");
    }
}

#[test]
fn unused_time_is_not_saved_and_idle_updates_pay_back() {
    let mut world = World::new(1000, &[1500; 1]);
    let all = std::mem::take(&mut world.ids);
    world.spent_us(100);
    world.ids = all;
    assert_eq!(world.spent_us(1), [1500]);
    assert_eq!(world.admission.next_budget(), Nanos::from_micros(500));
    world.ids.clear();
    let readings = world.game.readings.get();
    world.spent_us(1);
    assert_eq!(world.admission.next_budget(), Nanos::from_micros(1000));
    assert_eq!(world.game.readings.get(), readings, "nothing to measure");
}

#[test]
fn a_changed_budget_ends_all_debt() {
    let mut world = World::new(1000, &[500_000]);
    world.update();
    world.admission.set_budget(Nanos::from_micros(1000));
    assert!(!world.admission.owed().is_zero());
    world.admission.set_budget(Nanos::from_micros(2000));
    assert!(world.admission.owed().is_zero());
}

#[test]
fn cheap_tasks_share_readings_of_the_clock() {
    let mut world = World::new(4000, &vec![1; 10_000]);
    assert_eq!(world.update().0, 4000);
    let (before, turns) = (world.game.readings.get(), world.update().0);
    let readings = world.game.readings.get() - before;
    assert_eq!(turns, 4000);
    assert!(readings < 300, "{readings} for {turns} tasks");
    assert_eq!(world.admission.estimates().mean(), Nanos::from_micros(1));
}

#[test]
fn suddenly_expensive_tasks_overrun_by_a_batch_at_most() {
    for predicts in [false, true] {
        let mut world = World::new(4000, &[1; 100]);
        world.admission.set_prediction(predicts);
        world.update();
        world.game.costs = vec![1_000_000];
        assert!(world.update().0 <= 4 + LARGEST_BATCH);
        world.admission.owed = Nanos::ZERO;
        assert!(world.update().0 <= 14, "the estimates have risen");
    }
}

#[test]
fn expensive_tasks_are_measured_one_by_one_among_cheap_ones() {
    let costs: Vec<u64> = (0..50).map(|index| 1 + index % 5 / 4 * 99).collect();
    let mut world = World::new(10_000, &costs);
    world.spent_us(20);
    for (&task, cost) in world.ids.iter().zip(costs) {
        let estimate = world.admission.estimates().of(task);
        assert_eq!(estimate, Nanos::from_micros(cost));
    }
}

#[test]
fn only_a_stopped_update_refuses_a_turn() {
    let mut world = World::new(1000, &[10; 6]);
    world.tasks.remove(world.ids[0]);
    world.game.most_runs = 2;
    assert_eq!(world.update().0, 3, "a dead task and two runs");
    assert_eq!(world.game.ran, [1, 2]);
}

#[test]
fn tasks_run_alike_one_by_one_and_at_once() {
    for (budget, predicts) in [
        (0, true),
        (77, true),
        (400, true),
        (400, false),
        (9999, true),
    ] {
        let results = [false, true].map(|at_once| {
            let costs: Vec<u64> = (0..80).map(|index| 1 + index % 7 / 6 * 30).collect();
            let mut world = World::new(budget, &costs);
            world.at_once = at_once;
            world.admission.set_prediction(predicts);
            for dead in [0, 5, 21] {
                world.tasks.remove(world.ids[dead]);
            }
            let mut updates = Vec::new();
            for most_runs in [usize::MAX, usize::MAX, usize::MAX, 20, usize::MAX] {
                world.game.most_runs = most_runs;
                updates.push((world.update(), world.game.ran.clone()));
            }
            updates
        });
        assert_eq!(results[0], results[1], "{budget} {predicts}");
    }
}

#[test]
fn cheap_tasks_that_are_offered_at_once_share_readings() {
    let mut world = World::new(4000, &vec![1; 10_000]);
    world.at_once = true;
    assert_eq!(world.update().0, 4000);
    let (before, turns) = (world.game.readings.get(), world.update().0);
    let readings = world.game.readings.get() - before;
    assert_eq!((turns, readings), (4000, 4000 / LARGEST_BATCH + 1));
}

#[test]
fn part_of_the_budget_can_be_kept_free() {
    let mut world = World::new(1000, &[200; 9]);
    world.update();
    let mut context = UpdateContext::new(
        Nanos::ZERO,
        GameTime::START,
        &mut world.tasks,
        &mut world.game,
    );
    let mut slice = world.admission.begin(&mut context);
    let part = Nanos::from_micros(500);
    let runs = world
        .ids
        .iter()
        .take_while(|&&task| slice.run_within(task, part));
    assert_eq!(runs.count(), 2);
    assert_eq!(
        world
            .ids
            .iter()
            .take_while(|&&task| slice.run(task))
            .count(),
        3
    );
    assert_eq!(slice.spent(), Nanos::from_micros(1000));
}

#[test]
fn extreme_spans_do_not_overflow() {
    for budget in [Nanos::ZERO, Nanos::from_nanos(1), Nanos::MAX] {
        let mut world = World::new(0, &[0; 40]);
        world.admission.set_budget(budget);
        world.game.costs = vec![1, u64::MAX / 2, u64::MAX / 2, 5];
        for _ in 0..3 {
            assert!(world.update().0 > 0);
            assert!(world.admission.next_budget() >= half(budget));
        }
    }
}
