//! Tests of weighted shares on a simulated clock.

use super::*;
use crate::strategy::test_world::{TestWorld, log_normal_costs};

const FRAME: Nanos = Nanos::from_nanos(16_666_667);
const COST: Nanos = Nanos::from_micros(80);
const TASKS: usize = 1000;

/// Returns the weights of tasks all over a plane of 1 by 0.5, with the target at this place.
fn weights(target: (f64, f64)) -> Vec<f64> {
    let weight = |task: usize| {
        let x = ((task % 45) as f64 + 0.5) / 45.0 - target.0;
        let y = 0.5 * ((task / 45) as f64 + 0.5) / 23.0 - target.1;
        let distance = x.hypot(y) / 0.15;
        if distance > 1.0 {
            1.0 / (distance * distance)
        } else {
            1.0
        }
    };
    (0..TASKS).map(weight).collect()
}

/// Returns a world with a budget for 50 of 1,000 tasks.
fn world(exponent: f64, spread: f64) -> TestWorld<WeightedShare> {
    let strategy = WeightedShare::new(COST_OF_FRAME)
        .with_share_exponent(exponent)
        .with_expiry(Nanos::ZERO);
    let mut world = TestWorld::new(strategy, TASKS);
    world.weights = weights((0.4, 0.2));
    world.costs = log_normal_costs(TASKS, COST, spread);
    world
}

const COST_OF_FRAME: Nanos = Nanos::from_millis(4);

struct Staleness {
    /// Mean weighted staleness over the smallest possible.
    over_minimum: f64,
    /// Largest weighted staleness in seconds.
    worst: f64,
}

/// Returns half of the weighted sum of the squares of all present staleness, in seconds.
fn weighted_squares(world: &TestWorld<WeightedShare>) -> f64 {
    let squares = world.weights.iter().enumerate().map(|(index, weight)| {
        let task = world.tasks.at(index as u32).unwrap();
        let stale = (world.now - world.tasks.last_run(task).unwrap()).as_secs_f64();
        weight * stale * stale / 2.0
    });
    squares.sum()
}

/// Measures 2,000 updates, after 500 others.
fn staleness(exponent: f64, spread: f64) -> Staleness {
    let mut world = world(exponent, spread);
    for _ in 0..500 {
        world.update(FRAME);
    }
    let start = world.now;
    // Runs end intervals that began before the start.
    let mut integral = -weighted_squares(&world);
    let (mut worst, mut spent) = (0.0_f64, Nanos::ZERO);
    for _ in 0..2000 {
        for (index, elapsed) in world.update_elapsed(FRAME) {
            let (weight, elapsed) = (world.weights[index as usize], elapsed.as_secs_f64());
            integral += weight * elapsed * elapsed / 2.0;
            worst = worst.max(weight * elapsed);
            spent += world.costs[index as usize];
        }
    }
    integral += weighted_squares(&world);
    let time = world.now - start;
    let pairs = || world.weights.iter().zip(&world.costs);
    let sum: f64 = pairs().map(|(w, c)| (w * c.as_secs_f64()).sqrt()).sum();
    let all: f64 = world.weights.iter().sum();
    let share = spent.over(time);
    let minimum = sum * sum / (2.0 * share * all);
    Staleness {
        over_minimum: integral / time.as_secs_f64() / all / minimum,
        worst,
    }
}

#[test]
fn the_mean_weighted_staleness_is_nearly_minimal() {
    for (exponent, spread, most) in [(2.0, 0.0, 1.02), (2.0, 0.9, 1.03), (1.5, 0.0, 1.04)] {
        let ratio = staleness(exponent, spread).over_minimum;
        assert!(
            (0.98..most).contains(&ratio),
            "{exponent} {spread}: {ratio}"
        );
    }
}

#[test]
fn a_small_exponent_has_the_smallest_worst_case() {
    for spread in [0.0, 0.9] {
        let worst = [1.0, 1.5, 2.0].map(|exponent| staleness(exponent, spread).worst);
        assert!(worst[0] < worst[1] && worst[0] < worst[2], "{worst:?}");
    }
}

#[test]
fn a_target_that_jumps_finds_its_surroundings_awake() {
    let mut world = world(1.0, 0.0);
    (0..500).for_each(|_| drop(world.update(FRAME)));
    world.weights = weights((0.9, 0.4));
    // 16 updates review all tasks, and the ones around the target run within some updates more.
    let mut left: Vec<u32> = (0..TASKS as u32)
        .filter(|&task| world.weights[task as usize] == 1.0)
        .collect();
    assert!(left.len() > 50);
    let mut updates = 0;
    while !left.is_empty() {
        let ran = world.update(FRAME);
        left.retain(|task| !ran.contains(task));
        updates += 1;
    }
    assert!(updates < 25, "{updates}");
}

#[test]
fn no_task_runs_before_it_has_rested() {
    let mut world = world(1.5, 0.9);
    world.strategy.admission.set_budget(Nanos::from_millis(200));
    let fastest = Nanos::from_millis(50);
    let mut runs = 0;
    for update in 0..100 {
        let delta = Nanos::from_millis(5 + update % 7 * 4);
        for (_, elapsed) in world.update_elapsed(delta) {
            assert!(elapsed >= fastest, "{elapsed}");
            runs += 1;
        }
    }
    assert!(runs > 20_000, "{runs}");
}

#[test]
fn a_task_runs_at_most_once_in_an_update() {
    let mut world = world(1.5, 0.0);
    world.strategy = WeightedShare::new(Nanos::SECOND).with_fastest(Nanos::ZERO);
    for index in 0..TASKS as u32 {
        world.strategy.insert(world.tasks.at(index).unwrap());
    }
    for delta in [FRAME, Nanos::ZERO, Nanos::from_secs(10), FRAME] {
        let mut ran = world.update(delta);
        ran.sort_unstable();
        assert!(ran.into_iter().eq(0..TASKS as u32));
    }
}

#[test]
fn updates_keep_the_budget() {
    let mut world = world(1.5, 0.9);
    (0..500).for_each(|_| drop(world.update(FRAME))); // until all costs are known
    for _ in 0..400 {
        let time = world.time_of_update(FRAME);
        assert!(time <= COST_OF_FRAME, "{time} ms");
        assert!(time > Nanos::from_millis(3), "{time} ms");
    }
    world.strategy.admission.set_budget(Nanos::ZERO);
    assert_eq!(world.runs_in(5, FRAME), [1; 5]);
}

#[test]
fn expired_tasks_go_first_with_half_of_the_budget() {
    // Forty tasks of weight 1 can use up the budget of ten runs, so the other thirty hardly run by their passes.
    let strategy = WeightedShare::new(Nanos::from_millis(1)).with_share_exponent(1.0);
    let mut world = TestWorld::new(strategy.with_expiry(Nanos::from_secs(1)), 70);
    world.cost = Nanos::from_micros(100);
    world.weights = (0..70).map(|task| f64::from(u8::from(task < 40))).collect();
    let mut waits = Vec::new();
    for _ in 0..600 {
        let ran = world.update_elapsed(FRAME);
        let expired = ran.iter().filter(|run| run.1 >= Nanos::SECOND);
        assert!(expired.clone().count() <= 5);
        let first = ran.iter().take(expired.clone().count());
        assert!(first.eq(expired.clone()), "expired tasks run first");
        waits.extend(ran.iter().filter(|run| run.0 >= 40).map(|run| run.1));
    }
    assert!(waits.len() > 200);
    // Thirty tasks in six updates, at most.
    assert!(waits.iter().all(|&wait| wait < Nanos::from_millis(1120)));

    world.strategy = WeightedShare::new(Nanos::from_millis(1)).with_expiry(Nanos::ZERO);
    (0..70).for_each(|index| world.strategy.insert(world.tasks.at(index).unwrap()));
    world.update(Nanos::from_secs(2));
    let light = (0..600)
        .flat_map(|_| world.update(FRAME))
        .filter(|&task| task >= 40);
    assert!(light.count() < 60);
}

#[test]
fn expired_tasks_leave_room_for_expensive_ones() {
    // The expired tasks of a large crowd use up half of the budget in every update. The five tasks that matter most cost
    // more than the other half.
    let runs_of_important = |expiry, important_cost| {
        let strategy = WeightedShare::new(COST_OF_FRAME).with_expiry(expiry);
        let mut world = TestWorld::new(strategy, 6000);
        world.cost = Nanos::from_micros(100);
        world.costs = vec![important_cost; 5];
        world.weights = (0..6000)
            .map(|task| if task < 5 { 1.0 } else { 0.01 })
            .collect();
        (0..500).for_each(|_| drop(world.update(FRAME)));
        let mut spent = Nanos::ZERO;
        let mut runs = 0;
        for _ in 0..1000 {
            spent += world.time_of_update(FRAME);
            let five = world.tasks.iter().take(5);
            runs += five
                .filter(|&task| world.tasks.last_run(task) == Some(world.now))
                .count();
        }
        (runs, spent.over(COST_OF_FRAME) / 1000.0)
    };
    for cost in [2500, 3900, 6000].map(Nanos::from_micros) {
        let (usual, _) = runs_of_important(Nanos::ZERO, cost);
        let (runs, spent) = runs_of_important(Nanos::SECOND, cost);
        assert!(3 * runs > 2 * usual, "{cost}: {runs} instead of {usual}");
        assert!(spent > 0.8, "{cost}: {spent} budgets");
    }
}

#[test]
fn a_zero_budget_serves_every_task_as_promised() {
    let mut world = world(1.0, 0.0);
    let expiry = Nanos::from_secs(1);
    world.strategy = WeightedShare::new(Nanos::ZERO).with_expiry(expiry);
    (0..TASKS as u32).for_each(|index| world.strategy.insert(world.tasks.at(index).unwrap()));
    let updates = 2 * TASKS;
    let promise = Promise::Eventually {
        interval: expiry,
        updates,
    };
    assert_eq!(world.strategy.promise(), promise);
    let bound = expiry + Nanos::from_nanos(FRAME.as_nanos() * updates as u64);
    for _ in 0..5000 {
        for (_, elapsed) in world.update_elapsed(FRAME) {
            assert!(elapsed <= bound, "{elapsed}");
        }
    }
}

#[test]
fn a_stopped_update_continues_in_the_next() {
    let (mut world, mut whole) = (world(1.5, 0.0), world(1.5, 0.0));
    for _ in 0..200 {
        assert_eq!(world.update(FRAME), whole.update(FRAME));
    }
    let expected = whole.update(FRAME);
    world.most_runs = 7;
    let mut ran = world.update(FRAME);
    while ran.len() < expected.len() {
        ran.extend(world.update(Nanos::ZERO));
    }
    assert_eq!(ran[..expected.len()], expected);
}

#[test]
fn births_and_deaths_keep_the_shares() {
    let mut world = world(1.5, 0.0);
    world.weights.clear();
    for update in 0..300_u32 {
        let first = world.update(FRAME).first().copied();
        world.death(first.unwrap_or(0));
        world.birth();
        if update % 50 == 0 {
            let (killer, victim) = (update % 1000, (update + 500) % 1000);
            let pair = [killer, victim].map(|index| world.tasks.at(index).unwrap());
            world.kills = vec![(pair[0], pair[1])];
        }
    }
    let count = world.tasks.len();
    assert_eq!(world.strategy.shares.population, count);
    world.kills.clear();
    let mut runs = vec![0; TASKS];
    for _ in 0..400 {
        world
            .update(FRAME)
            .iter()
            .for_each(|&index| runs[index as usize] += 1);
    }
    let living = (0..TASKS).filter(|&index| world.tasks.at(index as u32).is_some());
    for index in living {
        assert!((19..=21).contains(&runs[index]), "{index}: {}", runs[index]);
    }
    (0..TASKS as u32)
        .filter(|&index| world.tasks.at(index).is_some())
        .collect::<Vec<_>>()
        .into_iter()
        .for_each(|index| world.death(index));
    assert!(world.update(FRAME).is_empty());
}

#[test]
fn a_newborn_starts_at_the_present_virtual_time() {
    let strategy = WeightedShare::new(Nanos::from_millis(1)).with_expiry(Nanos::ZERO);
    let mut world = TestWorld::new(strategy, 40);
    world.cost = Nanos::from_micros(100);
    (0..1000).for_each(|_| drop(world.update(FRAME)));
    world.birth();
    let mut runs = vec![0; 41];
    for _ in 0..410 {
        world
            .update(FRAME)
            .iter()
            .for_each(|&index| runs[index as usize] += 1);
    }
    assert!(
        runs.iter().all(|runs| (98..=102).contains(runs)),
        "{runs:?}"
    );
}

#[test]
fn any_weight_has_a_share() {
    for weight in [0.0, f64::NAN, f64::INFINITY, -1.0, 1e-300] {
        let mut world = world(1.5, 0.0);
        world.weights = vec![weight; TASKS];
        let ran: usize = world.runs_in(20, FRAME).into_iter().sum();
        assert!(ran > 600, "{weight}: {ran}");
    }
}
