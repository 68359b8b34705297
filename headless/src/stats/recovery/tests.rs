//! Recovery after disturbances.

use super::*;

use crate::sim::disturbance::{Disturbance, HEAVY, STALL};
use crate::sim::machine::{Machine, RENDER_MS, Simulated};
use crate::sim::settings::Settings;
use crate::sim::world::{CHURN, COST, ENTITIES, REQUESTS};
use crate::stats::MeasuredLane;
use crate::testing::lane;
use timeslicer::knob::Knob;
use timeslicer::strategy::knobs::INTERVAL;
use timeslicer::strategy::{STRATEGIES, StrategyEntry, by_key};

const MS: fn(u64) -> Nanos = Nanos::from_millis;

/// Returns the recovery after frames that spend these times on five tasks, if the hitches before were `before`.
fn recovery_after(tasks_ms: &[u64], before: Option<UsualHitches>) -> Recovery {
    let disturbed = Disturbed {
        disturbance: Disturbance::Births,
        name: "100 births",
        first_frame: 0,
        heavy: None,
    };
    let mut recovery = Recovery::new(&disturbed, before, MS(500));
    for &ms in tasks_ms {
        let frame = FrameRecord {
            length: MS(ms.max(16)),
            task_time: MS(ms),
            runs: 5,
            ..FrameRecord::default()
        };
        recovery.frame(&frame, MS(16));
    }
    recovery
}

/// A lane without hitches.
const SMOOTH: Option<UsualHitches> = Some(UsualHitches {
    rate: 0.0,
    longest: Nanos::from_millis(1),
});

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
    let lengths = |hitches: usize, calm: usize| [vec![100; hitches], vec![1; calm]].concat();
    for (hitches, calm, words, effect) in [
        (0, 10, "no extra hitch so far", "no extra hitch"),
        (0, 200, "no extra hitch", "no extra hitch"),
        (1, 2, "1 extra hitch of 100 ms so far", "1 hitch so far"),
        (
            1,
            40,
            "1 extra hitch of 100 ms, over after 100 ms",
            "1 hitch, over after 100 ms",
        ),
        (
            2,
            200,
            "2 extra hitches up to 100 ms, over after 200 ms",
            "2 hitches, over after 200 ms",
        ),
        (
            40,
            200,
            "30 extra hitches up to 100 ms, not over within 3 s",
            "30 hitches, not over",
        ),
    ] {
        let mut recovery = recovery_after(&lengths(hitches, calm), SMOOTH);
        let clause = recovery.clause();
        let expected = format!("100 births: {words}, up to 5 tasks a frame");
        assert_eq!(clause.to_string(), expected);
        assert_eq!(clause.is_warning(), hitches > 0);
        let summary = recovery.summary().to_string();
        assert_eq!(summary, format!("100 births: {words}"));
        assert_eq!(recovery.effect().to_string(), effect);
        assert_eq!(recovery.effect().is_warning(), hitches > 0);
        (recovery.seen.backlog, recovery.seen.peak_runs) = (1234, 0);
        let expected = format!("100 births: {words}, no task ran, 1,234 waiting");
        assert_eq!(recovery.clause().to_string(), expected);
        recovery.heavy_waits = true;
        let expected = "100 births: not run yet, 1,234 waiting";
        assert_eq!(recovery.clause().to_string(), expected);
        assert_eq!(recovery.effect().to_string(), "not run yet");
    }
    let unknown = recovery_after(&[100], None);
    let words = "too little measured before it";
    assert_eq!(unknown.hitches_in_words().to_string(), words);
    assert_eq!(unknown.effect().to_string(), "too early to compare");
    assert!(!unknown.is_rough());
}

#[test]
fn only_longer_or_more_frequent_hitches_are_extra() {
    let before = |rate, ms| {
        Some(UsualHitches {
            rate,
            longest: MS(ms),
        })
    };
    let extra = |tasks_ms: &[u64], before| recovery_after(tasks_ms, before).extra_hitches();
    assert_eq!(extra(&[40], before(2.0, 40)), 0);
    assert_eq!(extra(&[50], before(2.0, 40)), 0);
    assert_eq!(extra(&[51], before(2.0, 40)), 1, "longer");
    assert_eq!(extra(&[40], before(0.0, 40)), 1, "there was none before");
    // In 0.4 s, a rate of 2 per second explains 0.8 hitches, about as many by chance, and one in advance.
    assert_eq!(extra(&[40; 10], before(2.0, 40)), 8);
    assert_eq!(extra(&[40; 70], before(25.0, 40)), 0, "every frame");
}

#[test]
fn frames_that_are_long_without_tasks_are_not_extra() {
    let mut recovery = recovery_after(&[], SMOOTH);
    let mut frame = FrameRecord {
        length: MS(80),
        drawing: MS(70),
        task_time: MS(10),
        runs: 5,
        ..FrameRecord::default()
    };
    recovery.frame(&frame, MS(16));
    assert_eq!(recovery.extra_hitches(), 0);
    (frame.drawing, frame.task_time) = (MS(10), MS(70));
    recovery.frame(&frame, MS(16));
    assert_eq!(recovery.extra_hitches(), 1);
}

/// Returns the recovery of each strategy, three and a half seconds after a stall that followed `secs` seconds.
fn after_a_stall(set: &[(&'static Knob, f64)], secs: f64) -> Vec<(&'static str, Recovery)> {
    let recovery = |entry: &&'static StrategyEntry| {
        let mut lane = lane(entry.key, set);
        run_for(&mut lane, secs);
        lane.disturb(Disturbance::Stall);
        run_for(&mut lane, 3.5 + STALL.as_secs_f64());
        (entry.key, recovery_of(&lane).clone())
    };
    STRATEGIES.iter().map(recovery).collect()
}

#[test]
fn a_stall_is_soon_over_for_every_strategy() {
    let set = [(&ENTITIES, 400.0), (&COST, 100.0)];
    for tenths in 20..30 {
        for (key, recovery) in after_a_stall(&set, f64::from(tenths) / 10.0) {
            let over = recovery.over_after();
            assert!(over.is_some_and(|time| time < MS(300)), "{key}: {over:?}");
            assert!(recovery.extra_hitches() <= 3, "{key}: {recovery:?}");
        }
    }
}

#[test]
fn bursts_are_not_blamed_on_a_stall_at_any_time() {
    for hundredths in 200..260 {
        let secs = f64::from(hundredths) / 100.0;
        let mut lane = lane("all-at-once", &[]);
        run_for(&mut lane, secs);
        assert!(lane.report().hitches > 3);
        lane.disturb(Disturbance::Stall);
        run_for(&mut lane, 4.0);
        let recovery = recovery_of(&lane);
        assert_eq!(recovery.extra_hitches(), 0, "{secs} s: {recovery:?}");
        assert_eq!(recovery.over_after(), Some(Nanos::ZERO));
    }
}

#[test]
fn slow_drawing_is_not_blamed_on_a_stall() {
    let set = [(&RENDER_MS, 30.0), (&COST, 1.0)];
    for (key, recovery) in after_a_stall(&set, 2.0) {
        assert_eq!(recovery.extra_hitches(), 0, "{key}: {recovery:?}");
    }
    // With tasks of 40 ms in one frame, drawing is no longer the cause.
    let set = [(&RENDER_MS, 30.0), (&COST, 100.0)];
    for (key, recovery) in after_a_stall(&set, 2.0) {
        assert!(recovery.extra_hitches() <= 1, "{key}: {recovery:?}");
        assert!(recovery.over_after().is_some(), "{key}: {recovery:?}");
    }
}

#[test]
fn nothing_is_blamed_before_enough_is_measured() {
    for (key, recovery) in after_a_stall(&[], 0.2) {
        assert!(!recovery.is_rough(), "{key}: {recovery:?}");
        assert_eq!(recovery.over_after(), None, "{key}");
    }
    let mut lane = lane("every-frame", &[]);
    run_for(&mut lane, 2.0);
    lane.set_strategy(by_key("all-at-once").expect("it is registered"));
    lane.disturb(Disturbance::Stall);
    assert_eq!(recovery_of(&lane).before, None, "another strategy's");
}

#[test]
fn hitches_of_other_settings_are_no_comparison() {
    let mut lane = lane("all-at-once", &[(&COST, 10.0)]);
    run_for(&mut lane, 3.0);
    lane.set_knob(&COST, 100.0); // every burst is now a hitch
    run_for(&mut lane, 0.4);
    lane.disturb(Disturbance::Stall);
    run_for(&mut lane, 4.0);
    assert!(!recovery_of(&lane).is_rough(), "{:?}", recovery_of(&lane));
    lane.clear_statistics(); // changes no setting
    lane.disturb(Disturbance::Births); // changes one, but is the disturbance itself
    assert!(recovery_of(&lane).before.is_some());
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
    assert_eq!((turns.seen.extra, turns.seen.peak_runs), (0, 4));
    assert_eq!(report.hitches, 0);
    let (due, report) = stalled("fixed-interval");
    assert_eq!((due.seen.extra, due.seen.longest), (1, MS(40)));
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
fn a_heavy_task_that_dies_is_not_waited_for() {
    // No task runs, and 2000 times as many entities die as there are.
    let set = [(&ENTITIES, 5.0), (&CHURN, 10_000.0), (&REQUESTS, 0.0)];
    let mut lane = lane("request-list", &set);
    run_for(&mut lane, 1.0);
    lane.disturb(Disturbance::Heavy);
    assert!(recovery_of(&lane).heavy_waits);
    run_for(&mut lane, 1.0);
    assert!(!recovery_of(&lane).heavy_waits);
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
        assert_eq!(recovery.extra_hitches(), 1);
        assert_eq!(recovery.over_after(), Some(recovery.seen.last));
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
    assert_eq!((seen.extra, seen.peak_runs), (0, 0));
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
        assert!(lane.last_recovery().is_some(), "Compare still shows it");
        lane.clear_statistics();
        assert!(lane.last_recovery().is_none());
    }
}
