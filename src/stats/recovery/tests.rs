//! Recovery after disturbances.

use super::*;

use crate::sim::disturbance::{Disturbance, HEAVY};
use crate::sim::machine::{Machine, Simulated};
use crate::sim::settings::Settings;
use crate::sim::world::{COST, ENTITIES};
use crate::stats::MeasuredLane;
use crate::stats::test_lane::lane;
use timeslice::strategy::STRATEGIES;
use timeslice::strategy::knobs::INTERVAL;

const MS: fn(u64) -> Nanos = Nanos::from_millis;

/// Returns the recovery after frames of these lengths, with five runs each.
fn recovery_after(lengths_ms: &[u64]) -> Recovery {
    let disturbed = Disturbed {
        disturbance: Disturbance::Births,
        name: "100 births",
        first_frame: 0,
        heavy: None,
    };
    let mut recovery = Recovery::new(&disturbed, UsualHitches::default());
    for &ms in lengths_ms {
        let frame = FrameRecord {
            length: MS(ms),
            runs: 5,
            ..FrameRecord::default()
        };
        recovery.frame(&frame, MS(25));
    }
    recovery
}

fn run_for(lane: &mut MeasuredLane<Simulated>, secs: f64) {
    let to = lane.machine().clock() + Nanos::from_secs_f64(secs);
    while lane.machine().clock() < to {
        lane.frame();
    }
}

fn recovery_of(lane: &MeasuredLane<Simulated>) -> &Recovery {
    lane.recovery().expect("a disturbance")
}

#[test]
fn a_recovery_is_worded_by_its_hitches() {
    let lengths = |hitches: usize, calm: usize| [vec![100; hitches], vec![16; calm]].concat();
    for (hitches, calm, words) in [
        (0, 10, "no hitch so far"),
        (0, 200, "no hitch"),
        (1, 2, "one hitch of 100 ms so far"),
        (1, 40, "one hitch of 100 ms, smooth again after 100 ms"),
        (2, 200, "2 hitches up to 100 ms, smooth again after 200 ms"),
        (28, 30, "28 hitches up to 100 ms, not smooth within 3 s"),
        (40, 200, "30 hitches up to 100 ms, not smooth within 3 s"),
    ] {
        let mut recovery = recovery_after(&lengths(hitches, calm));
        let clause = recovery.clause();
        let expected = format!("100 births: {words}, up to 5 tasks a frame");
        assert_eq!(clause.to_string(), expected);
        assert_eq!(clause.is_warning(), hitches > 0);
        assert_eq!(
            recovery.summary().to_string(),
            format!("100 births: {words}")
        );
        (recovery.seen.backlog, recovery.seen.peak_runs) = (1234, 0);
        let expected = format!("100 births: {words}, no task ran, 1,234 waiting");
        assert_eq!(recovery.clause().to_string(), expected);
        recovery.heavy_waits = true;
        let expected = "100 births: not run yet, 1,234 waiting";
        assert_eq!(recovery.clause().to_string(), expected);
    }
    let mut usual = recovery_after(&[100]);
    usual.before = UsualHitches {
        rate: 1.0,
        longest: MS(100),
    };
    let words = "one hitch of 100 ms, as before";
    assert_eq!(usual.hitches_in_words().to_string(), words);
}

#[test]
fn the_stall_itself_is_no_hitch_but_its_burst_is() {
    let stalled = |key: &str| {
        let mut lane = lane(key, &[]);
        (0..100).for_each(|_| drop(lane.frame().clone()));
        lane.disturb(Disturbance::Stall);
        (0..200).for_each(|_| drop(lane.frame().clone()));
        (recovery_of(&lane).clone(), lane.report())
    };
    // After a stall, `max-per-frame` still runs 4 tasks of 0.1 ms a frame, but `fixed-interval` has 400 tasks due at
    // once.
    let (turns, report) = stalled("max-per-frame");
    assert_eq!((turns.seen.hitches, turns.seen.peak_runs), (0, 4));
    assert_eq!(report.hitches, 0);
    let (due, report) = stalled("fixed-interval");
    assert_eq!((due.seen.hitches, due.seen.longest), (1, MS(40)));
    assert_eq!(report.hitches, 1);
}

#[test]
fn earlier_hitches_are_not_blamed_on_it() {
    // In the first case every frame is a hitch. In the others there is a burst every three or two seconds.
    for (key, set) in [
        ("every-frame", vec![]),
        ("all-at-once", vec![(&INTERVAL, 3.0)]),
        ("all-at-once", vec![(&INTERVAL, 2.0)]),
    ] {
        let mut lane = lane(key, &set);
        run_for(&mut lane, 7.0);
        for disturbance in [
            Disturbance::Deaths,
            Disturbance::Births,
            Disturbance::Births,
        ] {
            lane.disturb(disturbance);
            run_for(&mut lane, 0.1); // so the last two happen during a warm-up
        }
        for _ in 0..14 {
            run_for(&mut lane, 0.5);
            let is_rough = lane.recovery().is_some_and(Recovery::is_rough);
            assert!(!is_rough, "{key}: {:?}", lane.recovery());
        }
    }
}

#[test]
fn names_count_entities_and_reversals_have_their_own() {
    let mut lane = lane("fixed-interval", &[]);
    let mut name_of = |disturbance| {
        lane.disturb(disturbance);
        let name = lane.recovery().map(|it| it.name().to_owned());
        lane.set_knob(&COST, lane.settings().knobs.get(&COST) + 1.0); // a change ends the recovery
        name.unwrap_or_default()
    };
    let names = [
        (Disturbance::SlowDisplay, Disturbance::SlowDisplay.name()),
        (Disturbance::SlowDisplay, "Display restored"),
        (Disturbance::AllRequest, ""),
        (Disturbance::KillAll, Disturbance::KillAll.name()),
        (Disturbance::Heavy, ""),
        (Disturbance::Deaths, ""),
        (Disturbance::KillAll, "400 births"),
        (Disturbance::Deaths, "100 deaths"),
        (Disturbance::Heavy, Disturbance::Heavy.name()),
    ];
    for (disturbance, name) in names {
        assert_eq!(name_of(disturbance), name, "{disturbance:?}");
    }
}

#[test]
fn a_heavy_task_is_watched_once_it_runs() {
    let mut lane = lane("max-per-frame", &[(&ENTITIES, 300.0)]);
    run_for(&mut lane, 1.0);
    lane.disturb(Disturbance::Heavy);
    let mut before = 0;
    while recovery_of(&lane).heavy_waits {
        assert!(!recovery_of(&lane).is_rough());
        lane.frame();
        before += 1;
        assert!(before <= 76, "a round has 75 frames");
    }
    assert!(lane.last_frame().task_time >= HEAVY);
}

#[test]
fn a_heavy_task_that_runs_late_is_watched_then() {
    // At 4 runs a frame, a round of 900 or more tasks takes longer than the time in which recovery is watched.
    for entities in [900.0, 1500.0] {
        let mut lane = lane("max-per-frame", &[(&ENTITIES, entities), (&COST, 1.0)]);
        run_for(&mut lane, 2.0);
        lane.disturb(Disturbance::Heavy);
        while lane.last_frame().task_time < HEAVY {
            assert!(recovery_of(&lane).heavy_waits);
            lane.frame();
        }
        assert!(!recovery_of(&lane).heavy_waits);
    }
}

#[test]
fn repeated_disturbances_look_alike() {
    let mut lane = lane("fixed-interval", &[]);
    for _ in 0..3 {
        run_for(&mut lane, 2.0);
        lane.disturb(Disturbance::Stall);
        run_for(&mut lane, 6.0);
        let recovery = recovery_of(&lane);
        assert!(recovery.is_rough());
        assert_eq!(recovery.seen.hitches, 1);
        assert!(recovery.seen.last + SMOOTH_AFTER < RECOVERY_WATCHED);
    }
}

#[test]
fn the_frame_in_progress_was_before_it() {
    let mut lane = lane("all-at-once", &[]);
    let updated = lane.begin_frame(); // all 400 run
    lane.disturb(Disturbance::Stall);
    let drawn = lane.drawn(updated);
    let waited = lane.wait(drawn);
    lane.finish(waited);
    lane.frame();
    let seen = recovery_of(&lane).seen;
    assert_eq!((seen.hitches, seen.peak_runs), (0, 0));
}

#[test]
fn it_is_reported_until_the_next_change_or_for_a_while() {
    for entry in STRATEGIES {
        let settings = Settings {
            strategy: entry,
            ..Settings::default()
        };
        let mut lane = MeasuredLane::new(settings.clone(), Simulated::new(&settings.knobs));
        lane.frame();
        assert!(lane.report().subject.recovery.is_none());
        for disturbance in [
            Disturbance::Stall,
            Disturbance::SlowDisplay,
            Disturbance::Births,
        ] {
            lane.disturb(disturbance);
            assert!(
                lane.report().subject.recovery.is_some(),
                "{}",
                disturbance.name()
            );
            lane.frame();
        }
        lane.set_knob(&COST, 1.0);
        assert!(lane.report().subject.recovery.is_none());
        lane.disturb(Disturbance::Stall);
        (0..900).for_each(|_| drop(lane.frame().clone()));
        assert!(lane.report().subject.recovery.is_none());
    }
}
