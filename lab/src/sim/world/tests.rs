//! Tests of the simulated world: births, deaths, costs, requests and the target.

use super::*;
use crate::catalog::knob::Knob;

fn world(set: &[(&Knob, f64)], count: usize) -> World {
    let mut world = World::new(&KnobValues::with(set), 1);
    for _ in 0..count {
        world.birth(GameTime::START);
    }
    world
}

#[test]
fn numbers_follow_birth_order_and_are_never_reused() {
    let mut world = world(&[], 3);
    let second = world.tasks.at(1).unwrap();
    world.death(second);
    let newborn = world.birth(GameTime::START);
    assert_eq!(newborn.index, 1);
    assert_eq!(world.entity(newborn).unwrap().number, 3);
    assert!(world.entity(second).is_none());
}

#[test]
fn costs_have_the_given_mean_and_deviation() {
    let mut world = world(&[(&COST, 123.0)], 50_000);
    let costs = |world: &World| -> Vec<f64> {
        let cost = |task| world.crowd.cost(task).as_nanos() as f64 / 1e3;
        world.tasks.iter().map(cost).collect()
    };
    assert!(costs(&world).iter().all(|&cost| cost == 123.0));
    // A new cost spread also changes the costs of living entities' tasks.
    world.tune(&KnobValues::with(&[(&COST, 100.0), (&COST_SPREAD, 0.4)]));
    let costs = costs(&world);
    let mean = costs.iter().sum::<f64>() / costs.len() as f64;
    let squares = costs.iter().map(|cost| (cost - mean).powi(2)).sum::<f64>();
    let deviation = (squares / costs.len() as f64).sqrt();
    assert!((mean - 100.0).abs() < 1.0, "{mean}");
    assert!((deviation - 40.0).abs() < 1.0, "{deviation}");
}

/// Returns the costs of the next `count` runs of a task, in microseconds.
fn costs_of_runs(world: &mut World, task: TaskId, count: usize) -> Vec<f64> {
    let cost = |_| {
        let cost = world.crowd.cost(task);
        world.crowd.ran(task, GameTime::START);
        cost.as_nanos() as f64 / 1e3
    };
    (0..count).map(cost).collect()
}

fn mean(costs: &[f64]) -> f64 {
    costs.iter().sum::<f64>() / costs.len() as f64
}

#[test]
fn costs_vary_from_run_to_run_around_the_usual_cost_of_their_entity() {
    let file: Vec<u64> = (1..=200).map(|step| step * step).collect();
    for own_costs in [None, Some(own(&file))] {
        let knobs = |per_run| {
            [
                (&COST, 100.0),
                (&COST_SPREAD, 0.8),
                (&COST_PER_RUN, per_run),
            ]
        };
        let mut means: Vec<f64> = Vec::new();
        for per_run in [0.0, 0.5, 1.0] {
            let mut world = world(&knobs(per_run), 300);
            world.set_own_costs(own_costs.clone());
            let tasks: Vec<TaskId> = world.tasks.iter().collect();
            for &task in &tasks[..3] {
                let usual = world.cost(task).unwrap().as_nanos() as f64 / 1e3;
                let costs = costs_of_runs(&mut world, task, 4_000);
                let is_constant = costs.iter().all(|cost| *cost == costs[0]);
                assert_eq!(is_constant, per_run == 0.0);
                let error = mean(&costs) / usual - 1.0;
                assert!(error.abs() < 0.06, "{per_run}: {error}");
                assert_eq!(world.cost(task).unwrap().as_nanos() as f64 / 1e3, usual);
            }
            // The mean over all runs does not depend on the fraction of the variance that comes from single runs.
            let costs = tasks
                .iter()
                .map(|&task| mean(&costs_of_runs(&mut world, task, 20)));
            means.push(mean(&costs.collect::<Vec<_>>()));
        }
        assert!(
            means.iter().all(|one| (one / means[0] - 1.0).abs() < 0.15),
            "{means:?}"
        );
    }
}

fn own(micros: &[u64]) -> Recording {
    let costs = micros.iter().map(|&cost| Nanos::from_micros(cost));
    Recording::of_costs("costs.txt", costs.collect()).unwrap()
}

#[test]
fn own_costs_are_drawn_as_often_as_the_file_has_them() {
    let mut world = world(&[], 0);
    world.set_own_costs(Some(own(&[40, 3, 3, 3, 900, 3, 40, 40, 3, 3])));
    for _ in 0..20_000 {
        world.birth(GameTime::START);
    }
    for (micros, expected) in [(3, 12_000_usize), (40, 6_000), (900, 2_000)] {
        let cost = Nanos::from_micros(micros);
        let tasks = world.tasks.iter();
        let count = tasks.filter(|task| world.crowd.cost(*task) == cost).count();
        assert!(count.abs_diff(expected) < 300, "{count} {expected}");
    }
}

#[test]
fn request_rate_is_independent_of_the_delta() {
    // 100 entities make 2 requests per second for 10 s. In a single long update, each makes at most one request.
    for (updates, delta_ms, expected) in [
        (10_000, 1, 1_850..=2_150),
        (100, 100, 1_850..=2_150),
        (1, 10_000, 100..=100),
    ] {
        let mut world = world(&[(&REQUESTS, 2.0)], 100);
        let mut count = 0;
        for _ in 0..updates {
            world.requests(Nanos::from_millis(delta_ms), |requests| {
                count += requests.len();
            });
        }
        assert!(expected.contains(&count), "{count} in {updates}");
    }
}

#[test]
fn requests_arrive_in_order_and_evenly_over_the_time_since_the_last_update() {
    // At the last rate, most entities make several requests, and only their first ones, which come early, are drawn.
    for (rate, mean) in [(0.5, 0.5), (20.0, 0.5), (50.0, 0.5), (99.0, 0.347)] {
        let mut world = world(&[(&REQUESTS, rate)], 2000);
        let delta = Nanos::from_millis(20);
        let mut quarters = [0_u32; 4];
        let (mut sum, mut count) = (0.0, 0);
        for _ in 0..200 {
            let mut last = delta;
            world.requests(delta, |requests| {
                for &(_, ago) in requests {
                    assert!(ago <= last && !ago.is_zero(), "{ago} after {last}");
                    last = ago;
                    let share = 1.0 - ago.over(delta);
                    sum += share;
                    count += 1;
                    quarters[(share * 4.0) as usize] += 1;
                }
            });
        }
        let measured = sum / f64::from(count);
        assert!((measured - mean).abs() < 0.02, "{rate}: {measured}");
        if mean == 0.5 {
            let even = count / 4;
            let is_even = |&quarter: &u32| quarter.abs_diff(even) < even / 10;
            assert!(quarters.iter().all(is_even), "{rate}: {quarters:?}");
        }
    }
}

/// Returns the numbers of the entities that make requests in the next 10 ms. The rate of random requests must be zero.
fn asking(world: &mut World) -> Vec<u64> {
    let mut tasks = Vec::new();
    world.requests(Nanos::from_millis(10), |requests| {
        tasks.extend(requests.iter().map(|&(task, _)| task));
    });
    let numbers = tasks.iter().map(|&task| world.crowd.entity(task).number);
    numbers.collect()
}

#[test]
fn the_share_of_eager_entities_survives_churn() {
    let knobs = |percent| KnobValues::with(&[(&REQUESTS, 0.0), (&EAGER, percent)]);
    let mut world = world(&[(&REQUESTS, 0.0), (&EAGER, 10.0)], 10_000);
    let first = asking(&mut world);
    for _ in 0..40_000 {
        let dying = world.random_task().unwrap();
        world.death(dying);
        world.birth(GameTime::START);
    }
    let later = asking(&mut world);
    assert!(first.iter().filter(|number| later.contains(number)).count() < 100);
    for eager in [&first, &later] {
        assert!((900..=1_100).contains(&eager.len()), "{}", eager.len());
    }
    // If the share grows, more entities become eager, and eager ones stay eager.
    world.tune(&knobs(30.0));
    let more = asking(&mut world);
    assert!((2_800..=3_200).contains(&more.len()), "{}", more.len());
    assert!(later.iter().all(|number| more.contains(number)));
    for (percent, expected) in [(100.0, 10_000), (0.0, 0)] {
        world.tune(&knobs(percent));
        assert_eq!(asking(&mut world).len(), expected);
    }
}

/// Returns how far the target moves in this time, with 60 moves per second.
fn path(world: &mut World, from: GameTime, secs: u64) -> f64 {
    let frame = Nanos::from_nanos(16_666_667);
    let (mut now, mut length) = (from, 0.0);
    let mut last = world.target();
    while now < from + Nanos::from_secs(secs) {
        now += frame;
        world.move_target(now, None);
        let (x, y) = last.towards(world.target());
        length += f64::from(x).hypot(f64::from(y));
        last = world.target();
    }
    length
}

#[test]
fn the_target_moves_at_its_mean_speed() {
    for speed in [TARGET_SPEED.default, 0.02, 0.5, 0.0] {
        let mut world = world(&[(&TARGET_SPEED, speed)], 0);
        let secs = if speed < 0.1 { 630 } else { 63 };
        let mean = path(&mut world, GameTime::START, secs) / secs as f64;
        assert!((mean - speed).abs() <= 0.02 * speed, "{speed}: {mean}");
    }
}

#[test]
fn a_change_of_the_target_speed_makes_no_jump() {
    let mut world = world(&[], 0);
    path(&mut world, GameTime::START, 5);
    let (now, before) = (world.target_moved, world.target());
    world.tune(&KnobValues::with(&[(&TARGET_SPEED, 0.0)]));
    world.pointer = Some(Point { x: 0.1, y: 0.1 });
    assert_eq!(
        path(&mut world, now, 5),
        0.0,
        "it rests whatever the pointer does"
    );
    assert_eq!(world.target(), before);
    world.pointer = None;
    world.tune(&KnobValues::with(&[(&TARGET_SPEED, 1.0)]));
    world.move_target(now + Nanos::from_secs(5) + Nanos::from_millis(10), None);
    let (x, y) = before.towards(world.target());
    assert!(x.hypot(y) < 0.05);
}

#[test]
fn only_large_crowds_are_sampled_independently_of_groups() {
    let sample = |count| world(&[], count).sampled(1000).collect::<Vec<_>>();
    for (count, size) in [(0, 0), (400, 400), (1000, 1000), (1001, 1000)] {
        assert_eq!(sample(count).len(), size);
    }
    let sample = sample(100_000);
    // Strategies run such groups in successive updates, so a fair sample needs equally many tasks of each quarter.
    for groups in [4, 8, 32, 60, 64, 100] {
        let mut of_quarter = [0; 4];
        for task in &sample {
            of_quarter[4 * (task.index as usize % groups) / groups] += 1;
        }
        let is_near = |count: &i32| (200..300).contains(count);
        assert!(of_quarter.iter().all(is_near), "{groups}: {of_quarter:?}");
    }
}
