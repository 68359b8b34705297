//! Tests that lanes in a comparison make the same frames as lanes on their own.

use super::*;
use crate::sim::world::{CHURN, COST, ENTITIES, Point};
use crate::stats::FIGURES;
use timeslicer::frame_loop::FRAME_LOOPS;
use timeslicer::strategy::STRATEGIES;
use timeslicer::strategy::knobs::INTERVAL;
use timeslicer::strategy::stagger_groups::GROUPS;

const MS: fn(u64) -> Nanos = Nanos::from_millis;

fn comparison() -> Comparison {
    let set = [(&ENTITIES, 200.0), (&COST, 150.0), (&CHURN, 20.0)];
    let settings = Settings {
        knobs: KnobValues::with(&set),
        seed: 5,
        ..Settings::default()
    };
    Comparison::new(&settings, STRATEGIES)
}

fn figures(comparison: &Comparison) -> Vec<String> {
    let reports = comparison.reports();
    reports.iter().map(|it| it.to_json().to_string()).collect()
}

#[test]
fn number_of_calls_makes_no_difference() {
    let mut at_once = comparison();
    assert!(at_once.advance_to(Length::Time(Nanos::from_secs(5)), u64::MAX));
    let mut bit_by_bit = comparison();
    let mut by = 1;
    while bit_by_bit.time() < Nanos::from_secs(5) {
        by = by * 7 % 61; // 7, 49, 38, 22 ...
        let left = Nanos::from_secs(5) - bit_by_bit.time();
        bit_by_bit.advance(MS(by).min(left));
    }
    assert_eq!(figures(&at_once), figures(&bit_by_bit));
    let mut in_small_steps = comparison();
    while !in_small_steps.advance_to(Length::Time(Nanos::from_secs(5)), 10) {}
    assert_eq!(figures(&at_once), figures(&in_small_steps));
}

#[test]
fn too_much_work_slows_time_and_keeps_lanes_together() {
    let mut comparison = comparison();
    let length = Length::Time(Nanos::from_secs(5));
    assert!(!comparison.advance_to(length, 5_000));
    let reached = comparison.time();
    assert!(reached > Nanos::ZERO && reached < Nanos::from_secs(5));
    assert!(comparison.progress(length) < 1.0);
    for lane in comparison.lanes() {
        let clock = lane.machine().clock().since_start();
        assert!(clock >= reached && clock < reached + MS(100), "{clock}");
    }
    while !comparison.advance_to(length, 5_000) {}
    assert_eq!(comparison.time(), Nanos::from_secs(5));
    assert_eq!(comparison.progress(length), 1.0);
}

#[test]
fn all_lanes_have_the_same_births_and_deaths() {
    let mut comparison = comparison();
    comparison.set(Setting::Knob(&COST, 0.0));
    comparison.advance_to(Length::Frames(300), u64::MAX);
    // Game times are equal because frames without task cost have equal lengths.
    assert!(
        comparison
            .lanes()
            .iter()
            .all(|lane| lane.now() == comparison.lanes()[0].now())
    );
    let living = |lane: &MeasuredLane<Simulated>| -> Vec<u64> {
        let world = lane.world();
        let entities = world.tasks().iter().filter_map(|task| world.entity(task));
        entities.map(|entity| entity.number).collect()
    };
    let all: Vec<Vec<u64>> = comparison.lanes().iter().map(living).collect();
    assert!(all.iter().all(|it| *it == all[0]));
    assert!(
        all[0].iter().any(|&number| number > 200),
        "an entity was born"
    );
}

#[test]
fn knob_change_resets_only_affected_lanes() {
    let mut comparison = comparison();
    comparison.advance(Nanos::SECOND);
    comparison.set(Setting::Knob(&GROUPS, 7.0));
    for report in comparison.reports() {
        let affected = report.subject.strategy.knobs.contains(&GROUPS);
        assert_eq!(
            report.subject.warming_up, affected,
            "{}",
            report.subject.strategy.key
        );
    }
    comparison.set(Setting::Knob(&INTERVAL, 0.2));
    comparison.restart();
    assert_eq!(comparison.knobs().get(&INTERVAL), 0.2);
    assert_eq!(comparison.time(), Nanos::ZERO);
    assert!(comparison.reports().iter().all(|report| report.frames == 0));
}

#[test]
fn empty_comparison_is_done_at_once() {
    let mut none = Comparison::new(&Settings::default(), &[]);
    assert!(none.advance(Nanos::SECOND) && none.reports().is_empty());
    assert_eq!(none.progress(Length::Frames(0)), 1.0);
}

#[test]
fn every_figure_is_finite_or_absent() {
    let mut comparison = comparison();
    comparison.advance(Nanos::SECOND);
    for report in comparison.reports() {
        for figure in FIGURES {
            let value = (figure.value)(&report);
            assert!(value.is_none_or(f64::is_finite), "{}", figure.key);
        }
    }
}

#[test]
fn evened_out_lanes_equal_a_run_of_that_length() {
    let mut lagging = 0;
    for steps in (1..40).map(|count| count * 97) {
        let mut comparison = comparison();
        comparison.advance_to(Length::Time(Nanos::from_secs(5)), steps);
        let before = comparison.time();
        comparison.even_out();
        let time = comparison.time();
        lagging += u32::from(time > before);
        let mut command = self::comparison();
        assert!(command.advance_to(Length::Time(time), u64::MAX));
        assert_eq!(figures(&comparison), figures(&command), "{steps} steps");
        comparison.even_out();
        assert_eq!(comparison.time(), time);
    }
    assert!(lagging > 5, "{lagging}");
    let mut none = Comparison::new(&Settings::default(), STRATEGIES);
    none.even_out();
    assert_eq!(none.time(), Nanos::ZERO);
}

#[test]
fn edit_log_lists_changes_until_restart() {
    let mut comparison = comparison();
    comparison.advance(Nanos::SECOND);
    comparison.set(Setting::Knob(&ENTITIES, 200.0)); // no change
    assert!(comparison.edit_log().is_empty());
    for disturbance in [Disturbance::Stall, Disturbance::Births, Disturbance::Births] {
        comparison.disturb(disturbance);
    }
    comparison.disturb(Disturbance::SlowDisplay);
    comparison.disturb(Disturbance::SlowDisplay);
    comparison.set(Setting::Knob(&ENTITIES, 90.0));
    comparison.clear_statistics();
    let labels = [
        Disturbance::Stall.name(),
        "100 births",
        "100 births",
        Disturbance::SlowDisplay.name(),
        "Display restored",
        "--entities 90",
        "figures reset",
    ];
    assert_eq!(
        comparison.edit_log().lines(),
        labels.map(|label| format!("at 1 s: {label}"))
    );
    // With no entities to kill, the disturbance changes nothing and is not listed.
    comparison.set(Setting::Knob(&ENTITIES, 0.0));
    let before = comparison.edit_log().lines();
    comparison.disturb(Disturbance::Deaths);
    assert_eq!(comparison.edit_log().lines(), before);
    comparison.restart();
    assert!(comparison.edit_log().is_empty());
}

#[test]
fn only_the_last_frames_of_a_lane_are_kept() {
    let mut comparison = comparison();
    assert!(comparison.advance_to(Length::Time(Nanos::from_secs(9)), u64::MAX));
    for (index, lane) in comparison.lanes().iter().enumerate() {
        let recent = comparison.recent(index);
        assert!(recent.len() <= RECENT);
        assert_eq!(recent.back(), Some(lane.last_frame()));
    }
    comparison.restart();
    assert!(comparison.recent(0).is_empty());
}

#[test]
fn disturbance_affects_all_lanes_and_the_knobs() {
    let mut comparison = comparison();
    comparison.disturb(Disturbance::Births);
    comparison.advance(MS(100));
    assert!((0..STRATEGIES.len()).all(|lane| comparison.disturbances(lane) == [0]));
    assert_eq!(comparison.knobs().get(&ENTITIES), 300.0);
    let living = |lane: &MeasuredLane<Simulated>| lane.world().tasks().len();
    assert!(comparison.lanes().iter().all(|lane| living(lane) == 300));
}

#[test]
fn an_effect_stays_until_the_next_disturbance_or_reset() {
    let lanes = 0..STRATEGIES.len();
    let mut comparison = comparison();
    let run = |comparison: &mut Comparison| {
        let to = comparison.time() + Nanos::from_secs(20);
        comparison.advance_to(Length::Time(to), u64::MAX);
    };
    run(&mut comparison);
    assert!(lanes.clone().all(|lane| comparison.effect(lane).is_none()));
    comparison.disturb(Disturbance::Stall);
    run(&mut comparison);
    let name = |effect: Option<Effect>| match effect {
        Some(Effect::Recovery(recovery)) => Some(recovery.name().to_owned()),
        _ => None,
    };
    for lane in lanes.clone() {
        let named = name(comparison.effect(lane));
        assert_eq!(named.as_deref(), comparison.last_disturbance());
        assert!(comparison.lanes()[lane].recovery().is_none(), "long ago");
    }
    comparison.disturb(Disturbance::AllRequest);
    for (lane, entry) in STRATEGIES.iter().enumerate() {
        let is_concerned = comparison.effect(lane) != Some(Effect::NotConcerned);
        assert_eq!(is_concerned, entry.on_request(), "{}", entry.key);
        assert!(comparison.effect(lane).is_some());
    }
    for reset in [Comparison::clear_statistics, Comparison::restart] {
        comparison.disturb(Disturbance::Births);
        assert!(
            lanes
                .clone()
                .all(|lane| name(comparison.effect(lane)).is_some())
        );
        reset(&mut comparison);
        assert!(lanes.clone().all(|lane| comparison.effect(lane).is_none()));
        assert_eq!(comparison.last_disturbance(), None);
    }
}

#[test]
fn speed_follows_the_machine_only_without_a_pace() {
    for entry in FRAME_LOOPS {
        let settings = Settings {
            frame_loop: entry,
            ..Settings::default()
        };
        let mut comparison = Comparison::new(&settings, STRATEGIES);
        comparison.advance(MS(100));
        let follows = comparison.speed_follows_machine();
        assert_eq!(follows, entry.key == "unsynced", "{}", entry.key);
    }
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
            comparison.advance_to(Length::Frames(600), u64::MAX);
            let report = &comparison.reports()[0];
            let game_time = comparison.game_time_per_frame().as_secs_f64();
            let expected = report.load().unwrap() * game_time;
            let measured = report.frame_tasks.mean.as_secs_f64();
            assert!(
                (measured / expected - 1.0).abs() < 0.01,
                "{} {hz}",
                entry.key
            );
        }
    }
}

#[test]
fn the_target_of_all_lanes_is_pinned_and_the_change_is_logged() {
    let at = Point { x: 0.5, y: 0.25 };
    let mut comparison = Comparison::new(&Settings::default(), STRATEGIES);
    comparison.advance(Nanos::from_millis(100));
    comparison.set(Setting::Target(Some(at)));
    comparison.advance(Nanos::from_millis(100));
    for lane in comparison.lanes() {
        assert_eq!(
            (lane.world().target(), lane.settings().target),
            (at, Some(at))
        );
    }
    assert_eq!(comparison.settings().target, Some(at));
    comparison.set(Setting::Target(Some(at)));
    assert_eq!(
        comparison.edit_log().lines(),
        ["at 0.1 s: --target 0.5,0.25"]
    );
}
