//! Tests of earliest deadline.

use super::*;
use crate::strategy::test_world::{TestWorld, runs_of_each};

const FAST: Nanos = Nanos::from_millis(50);
const SLOW: Nanos = Nanos::from_secs(1);
const FRAME: Nanos = Nanos::from_nanos(16_666_667);
const BUDGET: Nanos = Nanos::from_millis(4);

/// A world whose weights fall from 1 to 0.01, in which the tasks of an update cost about this many budgets on average.
/// Returns the exact number of budgets, too: a budget is a whole number of tasks.
fn world_at_load(load: f64, count: usize) -> (TestWorld<EarliestDeadline>, f64) {
    let strategy = EarliestDeadline::new(BUDGET).with_intervals(FAST, SLOW);
    let mut world = TestWorld::new(strategy, count);
    world.weights = (0..count)
        .map(|at| 1.0 / (1.0 + 99.0 * at as f64 / count as f64))
        .collect();
    let rates = world.weights.iter().map(|&weight| 1.0 / wanted(weight));
    let runs = rates.sum::<f64>() * FRAME.as_secs_f64();
    let fitting = (runs / load).round().max(1.0);
    world.cost = Nanos::from_nanos(BUDGET.as_nanos() / fitting as u64);
    (world, runs / fitting)
}

fn wanted(weight: f64) -> f64 {
    Deadlines::interval_at(FAST, SLOW, weight).as_secs_f64()
}

/// Makes `count` updates. Returns the sorted ratios of the measured intervals to the wanted ones.
fn ratios(world: &mut TestWorld<EarliestDeadline>, count: usize) -> Vec<f64> {
    let mut ratios = Vec::new();
    for _ in 0..count {
        for (index, elapsed) in world.update_elapsed(FRAME) {
            ratios.push(elapsed.as_secs_f64() / wanted(world.weights[index as usize]));
        }
    }
    ratios.sort_unstable_by(f64::total_cmp);
    ratios
}

fn percentile(sorted: &[f64], percent: usize) -> f64 {
    sorted[sorted.len() * percent / 100]
}

#[test]
fn with_time_to_spare_intervals_are_the_wanted_ones() {
    let (mut world, _) = world_at_load(0.5, 500);
    ratios(&mut world, 120);
    for _ in 0..600 {
        for (index, elapsed) in world.update_elapsed(FRAME) {
            let wanted = wanted(world.weights[index as usize]);
            let off = (elapsed.as_secs_f64() - wanted).abs();
            assert!(off <= FRAME.as_secs_f64() + 1e-9, "{index}: {off}");
        }
    }
    assert_eq!(world.strategy.stretch(), 1.0);
    assert_eq!(world.strategy.backlog(), 0);
}

#[test]
fn twice_the_load_doubles_every_interval() {
    for (load, count) in [(2.0, 500), (2.0, 5000), (5.0, 500)] {
        let (mut world, load) = world_at_load(load, count);
        ratios(&mut world, 600);
        let ratios = ratios(&mut world, 1200);
        let [low, middle, high] = [5, 50, 95].map(|percent| percentile(&ratios, percent));
        assert!(high / low <= 1.3, "{load} {count}: {low} {middle} {high}");
        assert!((middle / load - 1.0).abs() < 0.1, "{load}: {middle}");
        let stretch = world.strategy.stretch();
        assert!((stretch / load - 1.0).abs() < 0.1, "{load}: {stretch}");
    }
}

#[test]
fn the_budget_holds_under_overload() {
    let (mut world, _) = world_at_load(3.0, 2000);
    for _ in 0..300 {
        let runs = world.update(FRAME).len();
        let spent = Nanos::from_nanos(runs as u64 * world.cost.as_nanos());
        assert!(spent <= BUDGET, "{spent}");
    }
}

#[test]
fn after_an_overload_the_intervals_return() {
    let (mut world, _) = world_at_load(4.0, 500);
    ratios(&mut world, 600);
    world.cost = Nanos::from_nanos(world.cost.as_nanos() / 8);
    ratios(&mut world, 200);
    let ratios = ratios(&mut world, 600);
    let [low, high] = [2, 98].map(|percent| percentile(&ratios, percent));
    assert!(low > 0.65 && high < 1.35, "{low} {high}");
    assert!(world.strategy.stretch() < 1.01);
}

#[test]
fn no_task_starves_without_a_budget() {
    for fastest in [Nanos::ZERO, FAST] {
        for delta in [Nanos::ZERO, Nanos::from_nanos(1), FRAME, SLOW] {
            let (mut world, _) = world_at_load(1.0, 20);
            world.strategy = EarliestDeadline::new(Nanos::ZERO).with_intervals(fastest, SLOW);
            world
                .tasks
                .iter()
                .for_each(|task| world.strategy.insert(task));
            world.weights[10..].fill(0.0);
            let Promise::Eventually { updates, .. } = world.strategy.promise() else {
                panic!("a promise of updates");
            };
            for _ in 0..3 {
                world.update(SLOW);
                let runs = runs_of_each(&mut world, updates, delta);
                assert!(runs.iter().all(|&runs| runs > 0), "{delta}: {runs:?}");
            }
            let most = world.runs_in(updates, delta).into_iter().max();
            assert!(most <= Some(1), "{most:?}");
        }
    }
}

#[test]
fn invalid_weights_give_the_longest_or_shortest_interval() {
    let (mut world, _) = world_at_load(0.5, 6);
    world.weights = vec![0.0, f64::NAN, -1.0, f64::INFINITY, 7.0, 1.0];
    world.cost = Nanos::ZERO;
    let runs = runs_of_each(&mut world, 1000, Nanos::from_millis(10));
    assert_eq!(runs, [10, 10, 10, 200, 200, 200]);
}

#[test]
fn zero_runs_every_task_in_every_update() {
    let (mut world, _) = world_at_load(1.0, 70);
    world.cost = Nanos::ZERO;
    world.strategy = world.strategy.with_intervals(Nanos::ZERO, Nanos::ZERO);
    assert_eq!(world.runs_in(3, Nanos::from_nanos(1)), [70; 3]);
    assert_eq!(world.update(Nanos::ZERO).len(), 70);
}

#[test]
fn a_stall_makes_each_task_run_once() {
    let (mut world, _) = world_at_load(0.7, 500);
    ratios(&mut world, 300);
    let mut runs = vec![0; 500];
    let mut updates = 0;
    world.update_elapsed(Nanos::from_secs(10));
    while world.strategy.backlog() > 0 {
        for index in world.update(FRAME) {
            runs[index as usize] += 1;
        }
        updates += 1;
    }
    assert!(updates < 60, "{updates}");
    assert!(runs.iter().all(|&runs| runs <= 4), "{runs:?}");
}

#[test]
fn a_task_that_begins_to_matter_runs_soon_under_overload() {
    let (mut world, load) = world_at_load(2.0, 500);
    ratios(&mut world, 300);
    world.weights[499] = 1.0;
    ratios(&mut world, 60);
    let runs = runs_of_each(&mut world, 300, FRAME)[499];
    let expected = 5.0 / (load * FAST.as_secs_f64());
    assert!(
        (runs as f64 / expected - 1.0).abs() < 0.1,
        "{runs} {expected}"
    );
}

#[test]
fn a_stopped_update_continues_with_the_tasks_left() {
    let (mut world, _) = world_at_load(1.0, 10);
    world.cost = Nanos::ZERO;
    world.most_runs = 6;
    let mut ran = world.update(SLOW);
    assert_eq!(world.strategy.backlog(), 4);
    ran.extend(&world.update(Nanos::ZERO));
    assert_eq!(world.strategy.backlog(), 0);
    ran.sort_unstable();
    assert!(ran.into_iter().eq(0..10));
}

#[test]
fn dead_tasks_leave_the_backlog() {
    let (mut world, _) = world_at_load(1.0, 40);
    world.cost = BUDGET;
    world.update(SLOW);
    assert_eq!(world.strategy.backlog(), 39);
    for index in 0..40 {
        world.death(index);
    }
    assert_eq!(world.strategy.backlog(), 0);
    world.birth();
    assert_eq!(world.update(SLOW).len(), 1);
}

#[test]
fn an_update_of_a_million_tasks_stays_within_the_budget() {
    let (mut world, _) = world_at_load(100.0, 1_000_000);
    for _ in 0..20 {
        let runs = world.update(FRAME).len();
        assert!(runs > 0 && runs as u64 * world.cost.as_nanos() <= BUDGET.as_nanos());
    }
}
