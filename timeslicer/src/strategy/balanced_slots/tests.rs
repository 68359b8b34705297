//! Tests of balanced slots, alone and in a game whose tasks differ in cost.

use super::*;
use crate::scheduler::{Runner, Tasks};
use crate::strategy::test_world::TestWorld;
use crate::time::GameTime;
use std::cell::Cell;

const INTERVAL: Nanos = Nanos::from_millis(500);

/// Game whose tasks have costs of their own.
struct Game {
    strategy: BalancedSlots,
    tasks: Tasks,
    now: GameTime,
    costs: Vec<Nanos>,
    random: u64,
}

/// One update of a [`Game`].
struct Update<'a> {
    costs: &'a [Nanos],
    spent: Nanos,
    elapsed: Vec<(TaskId, Nanos)>,
    readings: Cell<usize>,
}

impl Runner for Update<'_> {
    fn run(&mut self, task: TaskId, elapsed: Nanos, _tasks: &mut Tasks) {
        self.spent += self.costs[task.index as usize];
        self.elapsed.push((task, elapsed));
    }

    fn clock(&self) -> ClockTime {
        self.readings.set(self.readings.get() + 1);
        ClockTime::START + self.spent
    }
}

impl Game {
    fn new(slots: usize) -> Self {
        Self {
            strategy: BalancedSlots::new(INTERVAL, slots),
            tasks: Tasks::new(),
            now: GameTime::START,
            costs: Vec::new(),
            random: 1,
        }
    }

    fn random(&mut self) -> u64 {
        // Constants of Knuth's MMIX generator.
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005);
        self.random = self.random.wrapping_add(1_442_695_040_888_963_407);
        self.random >> 33
    }

    /// Returns a log-normal cost with a mean of 50 µs and a standard deviation of 1.5 means.
    fn random_cost(&mut self) -> Nanos {
        let uniform: f64 = (0..12).map(|_| self.random() as f64 / 2f64.powi(31)).sum();
        let variance = f64::ln(1.0 + 1.5 * 1.5);
        let cost = 50e3 * f64::exp((uniform - 6.0) * variance.sqrt() - variance / 2.0);
        Nanos::from_nanos_f64(cost)
    }

    fn birth(&mut self, cost: Nanos) {
        let task = self.tasks.insert(self.now);
        let index = task.index as usize;
        self.costs
            .resize(self.costs.len().max(index + 1), Nanos::ZERO);
        self.costs[index] = cost;
        self.strategy.insert(task);
    }

    fn replace_one(&mut self) {
        let nth = self.random() as usize % self.tasks.len();
        let victim = self.tasks.nth(nth).unwrap();
        self.tasks.remove(victim);
        self.strategy.remove(victim);
        let cost = self.random_cost();
        self.birth(cost);
    }

    fn update(&mut self, delta: Nanos) -> Update<'_> {
        self.now += delta;
        let mut update = Update {
            costs: &self.costs,
            spent: Nanos::ZERO,
            elapsed: Vec::new(),
            readings: Cell::new(0),
        };
        let mut context = UpdateContext::new(delta, self.now, &mut self.tasks, &mut update);
        self.strategy.update(&mut context);
        update
    }
}

/// Runs 2,000 tasks for 20 s with 20 births and deaths per second. Returns the task time of each update after the first
/// second, and the smallest and largest time between two runs of a task.
fn busy_game(hertz: u64, slots: usize) -> (Vec<Nanos>, Nanos, Nanos) {
    let mut game = Game::new(slots);
    for _ in 0..2000 {
        let cost = game.random_cost();
        game.birth(cost);
    }
    let delta = Nanos::from_nanos(1_000_000_000 / hertz);
    let mut last_run = std::collections::BTreeMap::new();
    let (mut spent, mut least, mut most) = (Vec::new(), Nanos::MAX, Nanos::ZERO);
    for update in 0..20 * hertz {
        if update * 20 % hertz < 20 {
            game.replace_one();
        }
        let now = game.now + delta;
        let update = game.update(delta);
        if now > GameTime::at(Nanos::SECOND) {
            spent.push(update.spent);
        }
        for (task, elapsed) in update.elapsed {
            // The first elapsed time counts from the birth.
            if last_run.insert(task, now).is_some() {
                (least, most) = (least.min(elapsed), most.max(elapsed));
            }
        }
    }
    (spent, least, most)
}

#[test]
fn updates_take_the_same_time_under_births_and_deaths() {
    let (mut spent, ..) = busy_game(60, 60);
    spent.sort_unstable();
    let mean = spent.iter().copied().sum::<Nanos>().as_secs_f64() / spent.len() as f64;
    let percentile = spent[spent.len() * 99 / 100].as_secs_f64() / mean;
    assert!(percentile <= 1.15, "{percentile}");
    let first = spent[spent.len() / 100].as_secs_f64() / mean;
    assert!(first >= 0.85, "{first}");
}

#[test]
fn intervals_differ_by_a_slot_and_a_frame_at_most() {
    for hertz in [30, 60, 144] {
        for slots in [7, 60, 600] {
            let (_, least, most) = busy_game(hertz, slots);
            let off = INTERVAL.as_secs_f64() / slots as f64 + 1.0 / hertz as f64;
            assert!(least.as_secs_f64() > 0.5 - off, "{least} {hertz} {slots}");
            assert!(most.as_secs_f64() < 0.5 + off, "{most} {hertz} {slots}");
        }
    }
}

#[test]
fn a_slot_spreads_over_the_updates_in_its_time() {
    for (hertz, slots) in [(144, 60), (144, 30), (1000, 30), (60, 7), (25, 60)] {
        let mut game = Game::new(slots);
        (0..2000).for_each(|_| game.birth(Nanos::from_micros(50)));
        let delta = Nanos::from_nanos(1_000_000_000 / hertz);
        let even = 2000.0 * 2.0 / hertz as f64;
        for _ in 0..2 * hertz {
            let runs = game.update(delta).elapsed.len() as f64;
            assert!(
                (runs - even).abs() <= 1.5 + even * 0.02,
                "{runs} of {even} at {hertz} Hz"
            );
        }
    }
}

#[test]
fn a_newborn_joins_the_slot_with_the_least_cost() {
    let mut game = Game::new(2);
    let half = Nanos::from_millis(250);
    for micros in [100, 900] {
        game.birth(Nanos::from_micros(micros));
    }
    (0..2).for_each(|_| drop(game.update(half)));
    for _ in 0..3 {
        game.birth(Nanos::from_micros(1)); // the estimate is the mean, 500 µs
    }
    let runs: Vec<Vec<u32>> = (0..2)
        .map(|_| game.update(half).elapsed)
        .map(|ran| ran.into_iter().map(|(task, _)| task.index).collect())
        .collect();
    assert_eq!(runs, [vec![1, 4], vec![0, 2, 3]]);
}

#[test]
fn the_fraction_is_kept_for_an_hour() {
    let mut world = TestWorld::new(BalancedSlots::new(INTERVAL, 60), 1);
    let delta = Nanos::from_nanos(16_666_667);
    let runs: usize = world.runs_in(3600 * 60, delta).iter().sum();
    assert_eq!(
        runs as u64,
        3600 * 60 * delta.as_nanos() / INTERVAL.as_nanos()
    );
}

#[test]
fn a_long_delta_runs_one_round_at_most() {
    let mut world = TestWorld::new(BalancedSlots::new(INTERVAL, 4), 10);
    for delta in [70, 10_000, 0, 33, 501, 10_000] {
        let delta = Nanos::from_millis(delta);
        let mut ran = world.update(delta);
        if delta > Nanos::SECOND {
            assert_eq!(ran.len(), 10);
        }
        ran.sort_unstable();
        ran.dedup();
        assert!(ran.len() <= 10);
        assert_eq!(world.update(Nanos::ZERO).len(), 0);
    }
}

#[test]
fn a_zero_interval_runs_every_task_in_every_update() {
    let mut world = TestWorld::new(BalancedSlots::new(Nanos::ZERO, 4), 9);
    let frame = Nanos::from_millis(16);
    assert_eq!(world.runs_in(2, frame), [9, 9]);
    assert_eq!(world.runs_in(2, Nanos::ZERO), [9, 9]);
    world.strategy.set_interval(INTERVAL);
    world.update(frame);
    world.strategy.set_interval(Nanos::ZERO);
    assert_eq!(world.runs_in(2, frame), [9, 9]);
}

#[test]
fn a_stopped_update_continues_where_it_stopped() {
    let mut world = TestWorld::new(BalancedSlots::new(INTERVAL, 4), 8);
    let whole = world.clone_order();
    world.most_runs = 3;
    assert_eq!(world.update(INTERVAL), whole[..3]);
    assert_eq!(world.strategy.backlog(), 5);
    world.strategy.set_interval(INTERVAL); // no change
    assert_eq!(world.update(Nanos::ZERO), whole[3..6]);
    world.birth();
    assert_eq!(world.update(Nanos::ZERO), whole[6..]);
    assert_eq!(world.strategy.backlog(), 0);
    assert!(world.update(Nanos::ZERO).is_empty());
}

impl TestWorld<BalancedSlots> {
    /// Returns the order of turns in the next round.
    fn clone_order(&self) -> Vec<u32> {
        let mut copy = TestWorld::new(self.strategy.clone(), 0);
        copy.tasks = self.tasks.clone();
        copy.update(INTERVAL)
    }
}

#[test]
fn another_number_of_slots_loses_no_task_and_starts_no_burst() {
    let frame = Nanos::from_millis(10); // 4 runs
    let mut world = TestWorld::new(BalancedSlots::new(INTERVAL, 60), 200);
    for slots in [7, 1, 2, 600, 59, 3, 60] {
        for _ in 0..33 {
            let ran = world.update(frame).len();
            assert!((2..=6).contains(&ran), "{ran} at {slots}");
        }
        let order = world.clone_order();
        world.strategy.set_slots(slots);
        assert_eq!(world.clone_order(), order, "{slots}");
        assert_eq!(order.len(), 200);
    }
}

#[test]
fn another_interval_starts_no_burst() {
    let mut world = TestWorld::new(BalancedSlots::new(Nanos::from_secs(10), 60), 200);
    world.update(Nanos::from_millis(9_999));
    world.strategy.set_interval(Nanos::from_secs(1));
    let ran = world.update(Nanos::from_millis(10)).len();
    assert!((1..=4).contains(&ran), "{ran}");
}

#[test]
fn cheap_tasks_share_readings_of_the_clock() {
    for (cost, most) in [(100, 300), (50_000, 5001)] {
        let mut game = Game::new(60);
        (0..5000).for_each(|_| game.birth(Nanos::from_nanos(cost)));
        let update = game.update(INTERVAL);
        assert_eq!(update.elapsed.len(), 5000);
        let readings = update.readings.get();
        assert!(readings <= most, "{readings}");
        assert_eq!(game.update(Nanos::ZERO).readings.get(), 0);
    }
}

#[test]
fn a_task_that_leaves_and_returns_runs_once_per_round() {
    let mut world = TestWorld::new(BalancedSlots::new(INTERVAL, 2), 6);
    for _ in 0..3 {
        let task = world.tasks.at(4).unwrap();
        world.strategy.remove(task);
        world.strategy.insert(task);
        let ran = world.update(INTERVAL);
        assert_eq!(
            ran.iter().filter(|&&index| index == 4).count(),
            1,
            "{ran:?}"
        );
    }
}
