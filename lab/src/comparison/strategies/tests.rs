//! Tests that a lane in a comparison makes the same frames as a lane on its own.

use super::*;
use crate::catalog::frame_loop::FRAME_LOOPS;
use crate::catalog::knob::KnobValues;
use crate::catalog::strategy::STRATEGIES;
use crate::catalog::strategy::knobs::{GROUPS, INTERVAL};
use crate::sim::machine::DISPLAY_HZ;
use crate::sim::recording::Recording;
use crate::sim::world::{CHURN, COST, ENTITIES, Point};
use crate::testing::MS;

fn comparison() -> Comparison {
    let set = [(&ENTITIES, 200.0), (&COST, 150.0), (&CHURN, 20.0)];
    let settings = Settings {
        knobs: KnobValues::with(&set),
        seed: 5,
        ..Settings::default()
    };
    Comparison::new(&settings, STRATEGIES)
}

fn metrics(comparison: &Comparison) -> Vec<String> {
    let reports = comparison.reports();
    reports.iter().map(|it| it.to_json().to_string()).collect()
}

#[test]
fn too_much_work_slows_time_and_keeps_lanes_together() {
    let mut comparison = comparison();
    let length = Nanos::from_secs(5);
    assert!(!comparison.advance_to(length, 5_000));
    let reached = comparison.time();
    assert!(reached > Nanos::ZERO && reached < Nanos::from_secs(5));
    for lane in &comparison.lanes {
        let clock = lane.machine().clock().since_start();
        assert!(clock >= reached && clock < reached + MS(100), "{clock}");
    }
    while !comparison.advance_to(length, 5_000) {}
    assert_eq!(comparison.time(), Nanos::from_secs(5));
}

#[test]
fn knob_change_resets_only_affected_lanes() {
    let mut comparison = comparison();
    comparison.advance(Nanos::SECOND);
    comparison.set(Setting::Knob(&GROUPS, 7.0));
    for report in comparison.reports() {
        let affected = report.subject.strategy.knobs.contains(&GROUPS);
        let key = report.subject.strategy.key;
        assert_eq!(report.frames == 0, affected, "{key}");
    }
    comparison.set(Setting::Knob(&INTERVAL, 0.2));
    comparison.restart();
    assert_eq!(comparison.settings().knobs.get(&INTERVAL), 0.2);
    assert_eq!(comparison.time(), Nanos::ZERO);
    assert!(comparison.reports().iter().all(|report| report.frames == 0));
}

#[test]
fn evened_out_lanes_equal_a_run_of_that_length() {
    let mut lagging = 0;
    for steps in (1..20).map(|count| count * 197) {
        let mut comparison = comparison();
        comparison.advance_to(Nanos::from_secs(5), steps);
        let before = comparison.time();
        comparison.even_out();
        let time = comparison.time();
        lagging += u32::from(time > before);
        let mut command = self::comparison();
        assert!(command.advance_to(time, u64::MAX));
        assert_eq!(metrics(&comparison), metrics(&command), "{steps} steps");
        comparison.even_out();
        assert_eq!(comparison.time(), time);
    }
    assert!(lagging > 5, "{lagging}");
}

#[test]
fn changes_affect_all_lanes() {
    let at = Point { x: 0.5, y: 0.25 };
    let mut comparison = comparison();
    comparison.advance(Nanos::SECOND);
    let slow = Disturbance::SlowDisplay;
    for disturbance in [Disturbance::Births, Disturbance::Births, slow, slow] {
        comparison.disturb(disturbance, &KnobValues::default());
    }
    assert_eq!(comparison.settings().knobs.get(&ENTITIES), 400.0);
    comparison.set(Setting::Knob(&ENTITIES, 90.0));
    comparison.set(Setting::Target(Some(at)));
    let own = Recording::of_costs("costs.txt", vec![Nanos::from_micros(40)]);
    let settings = Settings {
        own_costs: own.clone(),
        ..comparison.settings().clone()
    };
    comparison.follow(&settings);
    for (index, lane) in comparison.lanes.iter().enumerate() {
        assert_eq!(lane.world().tasks().len(), 90);
        assert_eq!(lane.world().target(), at);
        assert_eq!(lane.settings().own_costs, own);
        assert!(!comparison.recent(index).iter().any(|it| it.is_disturbed));
    }
}

#[test]
fn a_frame_of_minutes_ends_when_its_settings_change() {
    let mut comparison = comparison();
    let mut settings = comparison.settings().clone();
    for (cost_us, may_restart) in [(1e6, false), (150.0, true), (200.0, false)] {
        let before = comparison.time();
        settings.knobs.set(&COST, cost_us);
        comparison.follow(&settings);
        assert_eq!(comparison.time() < before, may_restart, "{cost_us} us");
        comparison.advance_to(comparison.time() + Nanos::SECOND, u64::MAX);
    }
    settings.strategy = STRATEGIES[1];
    settings.knobs.set(&COST, 1e6);
    comparison.follow(&settings);
    comparison.advance_to(comparison.time() + Nanos::SECOND, u64::MAX);
    settings.strategy = STRATEGIES[2];
    settings.knobs.set(&HITCH, 3.0);
    let before = comparison.time();
    comparison.follow(&settings);
    assert_eq!(
        comparison.time(),
        before,
        "these settings lengthen no frame"
    );
    settings.knobs.set(&COST, 150.0);
    comparison.follow(&settings);
    let ends = comparison.lanes.iter().map(|lane| lane.machine().clock());
    assert!(
        ends.max()
            .is_some_and(|end| end.since_start() < Nanos::from_secs(3))
    );
}

#[test]
fn an_effect_stays_until_the_next_disturbance_or_reset() {
    let lanes = 0..STRATEGIES.len();
    let mut comparison = comparison();
    let run = |comparison: &mut Comparison| {
        let to = comparison.time() + Nanos::from_secs(20);
        comparison.advance_to(to, u64::MAX);
    };
    run(&mut comparison);
    assert!(lanes.clone().all(|lane| comparison.effect(lane).is_none()));
    comparison.disturb(Disturbance::Stall, &KnobValues::default());
    run(&mut comparison);
    for lane in lanes.clone() {
        assert!(comparison.effect(lane).is_some());
        assert!(comparison.lanes[lane].recovery().is_none(), "long ago");
    }
    comparison.disturb(Disturbance::Requests, &KnobValues::default());
    for (lane, entry) in STRATEGIES.iter().enumerate() {
        let is_concerned = comparison.effect(lane).is_some();
        assert_eq!(is_concerned, entry.on_request(), "{}", entry.key);
    }
    let change = |comparison: &mut Comparison| {
        comparison.set(Setting::Knob(&ENTITIES, 50.0));
        let to = comparison.time() + Nanos::SECOND;
        comparison.advance_to(to, u64::MAX);
    };
    change(&mut comparison);
    assert!(lanes.clone().all(|lane| comparison.effect(lane).is_none()));
    assert_eq!(comparison.last_disturbance(), None);
    comparison.disturb(Disturbance::Births, &KnobValues::default());
    assert!(lanes.clone().all(|lane| comparison.effect(lane).is_some()));
    comparison.restart();
    assert!(lanes.clone().all(|lane| comparison.effect(lane).is_none()));
    assert_eq!(comparison.last_disturbance(), None);
}

#[test]
fn a_second_press_removes_a_heavy_task_from_all_lanes() {
    let heavy = |comparison: &Comparison| {
        let lanes = comparison.lanes.iter();
        lanes.filter(|it| it.world().heavy().is_some()).count()
    };
    let mut comparison = comparison();
    comparison.advance_to(Nanos::SECOND, u64::MAX);
    comparison.disturb(Disturbance::Heavy, &KnobValues::default());
    assert_eq!(heavy(&comparison), STRATEGIES.len());
    // The heavy task dies in one lane only, so that there is nothing to remove.
    comparison.lanes[0].set_knob(&ENTITIES, 0.0);
    comparison.lanes[0].set_knob(&ENTITIES, 200.0);
    comparison.disturb(Disturbance::Heavy, &KnobValues::default());
    assert_eq!(heavy(&comparison), 0);
    assert!(!comparison.has_heavy_task());
    comparison.disturb(Disturbance::Heavy, &KnobValues::default());
    comparison.restart();
    assert_eq!(heavy(&comparison), 0, "a restart has none");
}

#[test]
fn the_game_time_of_a_frame_relates_load_and_task_time() {
    for entry in FRAME_LOOPS {
        for hz in [30.0, 144.0] {
            let settings = Settings {
                frame_loop: entry,
                knobs: KnobValues::with(&[(&DISPLAY_HZ, hz), (&COST, 5.0)]),
                ..Settings::default()
            };
            let mut comparison = Comparison::new(&settings, &[STRATEGIES[0]]);
            comparison.advance_to(Nanos::from_secs(10), u64::MAX);
            let report = &comparison.reports()[0];
            let game_time = comparison.game_time_per_frame().as_secs_f64();
            let expected = report.load().unwrap() * game_time;
            let measured = report.frame_tasks.mean.as_secs_f64();
            let is_near = (measured / expected - 1.0).abs() < 0.01;
            assert!(is_near, "{} {hz}", entry.key);
            // The speed follows the machine only if the loop waits for nothing.
            let follows = comparison.speed_follows_machine();
            assert_eq!(follows, entry.key == "unsynced", "{}", entry.key);
        }
    }
}
