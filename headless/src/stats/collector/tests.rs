//! Figures of a collector, lane by lane.

use super::*;
use timeslicer::frame_loop;
use timeslicer::knob::Knob;

use crate::sim::lane::Length;
use crate::sim::machine::{DISPLAY_HZ, Machine, RENDER_MS, Simulated};
use crate::sim::settings::FADE;
use crate::sim::world::{CHURN, COST, ENTITIES};
use crate::stats::MeasuredLane;
use crate::testing::lane;
use timeslicer::strategy::STRATEGIES;
use timeslicer::strategy::knobs::{AS_PUBLISHED, INTERVAL, PREDICT};
use timeslicer::strategy::max_per_frame::MAX_TASKS;

const MS: fn(u64) -> Nanos = Nanos::from_millis;

fn run(lane: &mut MeasuredLane<Simulated>, frames: u64) {
    let length = Length::Frames(lane.frames() + frames);
    while lane.is_within(length) {
        lane.frame();
    }
}

#[test]
fn a_fresh_lane_counts_from_its_first_frame() {
    let mut lane = lane("every-frame", &[]);
    run(&mut lane, 7);
    let report = lane.report();
    assert_eq!((report.frames, report.updates, report.runs), (7, 7, 2800));
    assert_eq!(
        report.interval.count,
        6 * 400,
        "the first run makes no interval"
    );
    assert!(!report.subject.warming_up);
}

#[test]
fn a_change_restarts_counting_after_the_warm_up() {
    type Change = fn(&mut MeasuredLane<Simulated>);
    let changes: [Change; 3] = [
        |lane| lane.set_knob(&COST, 50.0),
        |lane| lane.set_strategy(STRATEGIES[1]),
        |lane| lane.set_frame_loop(frame_loop::FRAME_LOOPS[3]),
    ];
    for change in changes {
        let mut lane = lane("every-frame", &[(&DISPLAY_HZ, 100.0), (&ENTITIES, 10.0)]);
        run(&mut lane, 50);
        change(&mut lane);
        let report = lane.report();
        assert!(report.subject.warming_up && report.frames == 0);
        run(&mut lane, 25);
        assert!(lane.report().subject.warming_up, "within {WARM_UP}");
        run(&mut lane, 3);
        let report = lane.report();
        assert_eq!((report.subject.warming_up, report.frames), (false, 3));
        assert_eq!(report.span, MS(30));
        assert_eq!(lane.frames(), 78, "totals go on");
    }
}

#[test]
fn unused_or_unchanged_knobs_change_nothing() {
    let mut lane = lane("every-frame", &[]);
    run(&mut lane, 5);
    lane.set_knob(&COST, COST.default);
    lane.set_knob(&FADE, 700.0);
    lane.set_knob(&MAX_TASKS, 9.0);
    assert_eq!(lane.report().frames, 5);
}

#[test]
fn clearing_leaves_out_intervals_that_began_before() {
    let mut lane = lane("fixed-interval", &[(&DISPLAY_HZ, 100.0)]);
    run(&mut lane, 100);
    lane.clear_statistics();
    run(&mut lane, 49);
    let report = lane.report();
    assert_eq!((report.frames, report.interval.count), (49, 0));
    assert!(report.runs > 0 && report.worst_staleness <= MS(490));
    run(&mut lane, 51);
    let report = lane.report();
    assert_eq!(report.interval.count, 51 * 8, "of the last 51 frames");
    assert_eq!(report.interval.mean, MS(500));
}

#[test]
fn a_hitch_exceeds_one_and_a_half_display_periods() {
    let hitches = |cost_us| {
        let set = [(&DISPLAY_HZ, 100.0), (&ENTITIES, 1.0), (&COST, cost_us)];
        let mut lane = lane("every-frame", &set);
        run(&mut lane, 10);
        lane.report().hitches
    };
    assert_eq!([hitches(15_000.0), hitches(15_001.0)], [0, 10]);
}

#[test]
fn a_loop_with_its_own_rate_is_judged_by_it() {
    let mut lane = lane(
        "every-frame",
        &[(&frame_loop::constant_fps::LOOP_FPS, 25.0)],
    );
    run(&mut lane, 10);
    lane.set_frame_loop(frame_loop::by_key("constant-fps").unwrap());
    run(&mut lane, 30);
    let report = lane.report();
    assert_eq!((report.subject.pacing.target, report.hitches), (MS(40), 0));
    assert!(!report.subject.pacing.waits_for_display);
}

#[test]
fn the_window_sets_the_period_of_a_real_display() {
    let mut lane = lane("every-frame", &[(&ENTITIES, 1.0)]);
    lane.set_display_period(MS(5));
    run(&mut lane, 10);
    assert_eq!(lane.report().hitches, 10);
}

#[test]
fn interval_strategies_obey_the_law() {
    for (strategy, entities, render_ms, hz) in [
        ("fixed-interval", 1000.0, 4.0, 1000.0),
        ("fixed-interval", 2000.0, 4.0, 1000.0),
        ("all-at-once", 1000.0, 4.0, 1000.0),
        ("fixed-interval", 1000.0, 4.0, 60.0),
        ("fixed-interval", 2000.0, 4.0, 60.0),
    ] {
        let set = [
            (&ENTITIES, entities),
            (&COST, 200.0),
            (&INTERVAL, 0.5),
            (&RENDER_MS, render_ms),
            (&DISPLAY_HZ, hz),
        ];
        let mut lane = lane(strategy, &set);
        while lane.is_within(Length::Time(Nanos::from_secs(10))) {
            lane.frame();
        }
        let report = lane.report();
        let utilisation = entities * 0.2e-3 / 0.5;
        assert!((report.utilisation().unwrap() - utilisation).abs() < 0.001);
        let law = (render_ms / (1.0 - utilisation)).max(1000.0 / hz);
        let predicted = report.predicted_frame().unwrap().as_millis_f64();
        assert!((predicted / law - 1.0).abs() < 1e-3, "{predicted}, {law}");
        let measured = report.frame.mean.as_millis_f64();
        assert!((measured / law - 1.0).abs() < 0.05, "{measured}, {law}");
    }
}

#[test]
fn nothing_is_predicted_unless_the_law_holds() {
    let bursts = lane("all-at-once", &[(&INTERVAL, 0.5)]);
    let overload = lane("fixed-interval", &[(&ENTITIES, 9000.0)]);
    let mut unsynced = lane("fixed-interval", &[]);
    unsynced.set_frame_loop(frame_loop::by_key("unsynced").unwrap());
    for mut lane in [bursts, overload, unsynced] {
        run(&mut lane, 200);
        assert!(lane.report().utilisation().is_some());
        assert_eq!(lane.report().predicted_frame(), None);
    }
    let mut turns = lane("max-per-frame", &[]);
    run(&mut turns, 10);
    assert_eq!(turns.report().utilisation(), None);
}

#[test]
fn figures_equal_those_of_single_runs() {
    for entry in STRATEGIES {
        let set = [(&ENTITIES, 90.0), (&CHURN, 20.0), (&COST, 700.0)];
        let mut lane = lane(entry.key, &[&set[..], &[(&PREDICT, 0.0)]].concat());
        let (mut intervals, mut off) = (Distribution::new(), Distribution::new());
        let (mut worst, mut peak, mut overruns) = (Nanos::ZERO, 0, Distribution::new());
        for _ in 0..400 {
            lane.frame();
            for run in lane.runs() {
                worst = worst.max(run.elapsed);
                if !run.first {
                    intervals.add(run.elapsed);
                    off.add((run.elapsed - MS(500)).max(MS(500) - run.elapsed));
                }
            }
            peak = peak.max(lane.last_frame().runs);
            worst = worst.max(lane.worst_staleness());
            let over = lane.last_frame().task_time - MS(4);
            if !over.is_zero() {
                overruns.add(over);
            }
        }
        let report = lane.report();
        let about = |one: Nanos, other: Nanos| one.as_nanos().abs_diff(other.as_nanos()) < 10;
        let (counted, exact) = (report.interval, intervals.times());
        assert_eq!((counted.count, counted.max), (exact.count, exact.max));
        assert!(about(counted.mean, exact.mean) && about(counted.deviation, exact.deviation));
        assert_eq!(report.peak_runs, peak);
        assert!(report.worst_staleness >= worst, "{}", entry.key);
        if report.wanted.is_some() {
            let exact = off.times();
            assert_eq!(
                (counted.off_p99, counted.off_worst),
                (Some(exact.p99), exact.max)
            );
        }
        if report.subject.budget.is_some() {
            assert!(overruns.count() > 0);
            assert_eq!(report.overrun, overruns.times());
        }
    }
}

#[test]
fn each_starved_entity_counts_once() {
    let set = [(&ENTITIES, 40.0), (&DISPLAY_HZ, 100.0), (&INTERVAL, 0.1)];
    let mut lane = lane("fixed-interval", &set);
    run(&mut lane, 100);
    assert_eq!(lane.report().starved, Some(0));
    // The machine stalls for a second; the game catches up in its next frame.
    for _ in 0..2 {
        lane.machine_mut().stall(Nanos::SECOND);
        run(&mut lane, 50);
    }
    let report = lane.report();
    assert_eq!(report.starved, Some(40));
    assert_eq!(report.late, Some(80));
}

#[test]
fn each_run_is_compared_with_the_interval_of_its_task() {
    let late = |strategy, set: &[(&Knob, f64)]| {
        let mut lane = lane(strategy, set);
        run(&mut lane, 600);
        let report = lane.report();
        (report.late.expect("a promise"), report.starved, report.runs)
    };
    // The target moves, so intervals change all the time.
    assert_eq!(late("distance-lod", &[]).0, 0);
    assert_eq!(late("earliest-deadline", &[]).0, 0);
    let (late_as_published, ..) = late("distance-lod", &[(&AS_PUBLISHED, 1.0)]);
    assert!(late_as_published > 1000, "{late_as_published}");
    // Updates of about 200 ms: tasks that should run every 50 ms to 100 ms are late.
    let heavy = [(&ENTITIES, 4000.0), (&COST, 60.0)];
    let (late_runs, starved, runs) = late("distance-lod", &heavy);
    assert!(late_runs > runs / 10, "{late_runs} of {runs}");
    assert_eq!(starved, Some(0));
    // A budget stretches the intervals, as promised.
    let (late_runs, starved, _) = late("earliest-deadline", &heavy);
    assert_eq!((late_runs, starved), (0, Some(0)));
}
