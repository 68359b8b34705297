//! Tests of the recovery after disturbances.

use super::*;

use crate::catalog::knob::Knob;
use crate::catalog::strategy::by_key;
use crate::catalog::strategy::knobs::INTERVAL;
use crate::measure::MeasuredLane;
use crate::sim::disturbance::Disturbance;
use crate::sim::machine::{Machine, Simulated};
use crate::sim::world::{CHURN, COST, ENTITIES, HEAVY, REQUESTS};
use crate::testing::lane;

const MS: fn(u64) -> Nanos = Nanos::from_millis;

/// Returns a frame that spends this time on five tasks.
fn frame(tasks_ms: u64) -> FrameRecord {
    FrameRecord {
        length: MS(tasks_ms.max(16)),
        task_time: MS(tasks_ms),
        runs: 5,
        ..FrameRecord::default()
    }
}

/// Returns the recovery after frames with these task times. Before the disturbance, frames are measured for
/// `measured_ms`, and every `nth` of them is a hitch of 40 ms.
fn recovery_after(tasks_ms: &[u64], nth: usize, measured_ms: u64) -> Recovery {
    let mut before = Baseline::default();
    for number in 1.. {
        if before.measured >= MS(measured_ms) {
            break;
        }
        let tasks_ms = if number % nth == 0 { 40 } else { 1 };
        before.frame(&frame(tasks_ms), MS(16), NO_CROWD);
    }
    let mut recovery = Recovery::new("100 births", 0, None, &before);
    for &ms in tasks_ms {
        recovery.frame(&frame(ms), MS(16), NO_CROWD);
    }
    recovery
}

const NO_CROWD: CrowdStaleness = CrowdStaleness {
    highest_mean: None,
    oldest_run: GameTime::START,
};

/// A value for `nth` that is higher than any frame number of a test, so that no frame is a hitch.
const NEVER: usize = usize::MAX;

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
    for (hitches, calm, words) in [
        (0, 10, "no extra hitches"),
        (1, 2, "1 extra hitch so far"),
        (1, 40, "1 extra hitch, over after 100 ms"),
        (2, 200, "2 extra hitches, over after 200 ms"),
        (40, 200, "30 extra hitches, not over"),
    ] {
        let lengths = [vec![100; hitches], vec![1; calm]].concat();
        let mut recovery = recovery_after(&lengths, NEVER, 3_000);
        let clause = recovery.clause();
        assert_eq!(clause.to_string(), format!("100 births: {words}"));
        assert_eq!(clause.is_warning(), hitches > 0);
        recovery.heavy = Some(TaskId {
            index: 0,
            generation: 0,
        });
        assert_eq!(recovery.words(), "not yet run");
    }
    let mut calm = recovery_after(&[1; 200], NEVER, 3_000);
    calm.staleness = Some(MS(610));
    let effect = |of: &Recovery| of.effect().to_string();
    let words = "no extra hitches, mean staleness";
    assert_eq!(effect(&calm), format!("{words} up to 610 ms"));
    calm.baseline_staleness = Some(MS(250));
    assert_eq!(
        effect(&calm),
        format!("{words} 250 ms before, 610 ms after")
    );
    let unknown = recovery_after(&[100], NEVER, 700);
    assert_eq!(unknown.words(), "too early to compare");
    assert!(!unknown.clause().is_warning());
}

#[test]
fn hitches_count_less_those_of_three_seconds_before() {
    // Every tenth frame is a hitch, which makes 16 in three seconds. One more is not blamed on the disturbance.
    let rhythm = |count: usize| [vec![1; 9], vec![40]].concat().repeat(count);
    let burst = |hitches: usize| [vec![40; hitches], rhythm(14)].concat();
    for (name, after, nth, measured_ms, extra) in [
        ("none before", vec![40; 3], NEVER, 3_000, 3),
        ("none in one second before", vec![40; 3], NEVER, 1_000, 3),
        ("as before", rhythm(20), 10, 3_000, 0),
        ("as in one second before", rhythm(20), 10, 1_000, 0),
        ("every frame, as before", vec![40; 80], 1, 3_000, 0),
        (
            "a burst of five, three of them usual",
            burst(5),
            10,
            3_000,
            2,
        ),
        ("long ago", vec![40; 2], 1_000, 30_000, 2),
    ] {
        let recovery = recovery_after(&after, nth, measured_ms);
        assert_eq!(recovery.extra_hitches(), extra, "{name}: {recovery:?}");
    }
}

#[test]
fn bursts_are_not_blamed_on_a_disturbance_at_any_time() {
    for (key, interval) in [
        ("every-frame", 0.5),
        ("all-at-once", 0.5),
        ("all-at-once", 2.0),
    ] {
        for tenths in 31..39 {
            let mut lane = lane(key, &[(&INTERVAL, interval)]);
            run_for(&mut lane, f64::from(tenths) / 10.0);
            for disturbance in [Disturbance::Stall, Disturbance::Births, Disturbance::Deaths] {
                lane.disturb(disturbance);
                run_for(&mut lane, 0.1); // so the last ones happen during a warm-up
            }
            run_for(&mut lane, 4.0);
            let recovery = recovery_of(&lane);
            assert_eq!(recovery.extra_hitches(), 0, "{key}: {recovery:?}");
        }
    }
}

#[test]
fn only_a_change_by_the_user_makes_the_time_before_unknown() {
    let stalled = |change: fn(&mut MeasuredLane<Simulated>)| {
        let mut lane = lane("all-at-once", &[]);
        run_for(&mut lane, 3.0);
        change(&mut lane);
        run_for(&mut lane, 0.4);
        lane.disturb(Disturbance::Stall);
        recovery_of(&lane).baseline.is_some()
    };
    assert!(!stalled(|lane| lane.set_knob(&COST, 90.0)));
    assert!(!stalled(
        |lane| lane.set_strategy(by_key("every-frame").expect("registered"))
    ));
    assert!(stalled(MeasuredLane::clear_statistics));
    assert!(stalled(|lane| drop(lane.disturb(Disturbance::Births))));
}

#[test]
fn the_stall_itself_is_no_hitch_but_its_burst_is() {
    // After a stall, `max-per-frame` still runs 4 tasks of 0.1 ms per frame, but `fixed-interval` has 400 tasks due at
    // once. Repeated stalls have the same effect.
    for (key, extra) in [("max-per-frame", 0), ("fixed-interval", 1)] {
        let mut lane = lane(key, &[]);
        for stalls in 1..=2 {
            run_for(&mut lane, 3.0);
            lane.disturb(Disturbance::Stall);
            run_for(&mut lane, 4.0);
            assert_eq!(recovery_of(&lane).extra_hitches(), extra, "{key}");
            assert_eq!(lane.report().hitches, u64::from(extra) * stalls, "{key}");
        }
    }
}

#[test]
fn a_heavy_task_is_watched_once_it_runs_or_dies() {
    // At 4 runs per frame, a round of 900 tasks takes longer than the time in which recovery is watched. In the last
    // case no task runs, and 2000 times as many entities die as there are.
    let dying: &[(&Knob, f64)] = &[(&ENTITIES, 5.0), (&CHURN, 10_000.0), (&REQUESTS, 0.0)];
    for (key, set, runs) in [
        ("max-per-frame", &[(&ENTITIES, 300.0)][..], true),
        ("max-per-frame", &[(&ENTITIES, 900.0), (&COST, 1.0)], true),
        ("request-list", dying, false),
    ] {
        let mut lane = lane(key, set);
        run_for(&mut lane, 1.0);
        lane.disturb(Disturbance::Heavy);
        let mut frames = 0;
        while recovery_of(&lane).heavy.is_some() {
            assert!(
                recovery_of(&lane).extra_hitches() == 0 && frames < 230,
                "{key}"
            );
            lane.frame();
            frames += 1;
        }
        assert_eq!(lane.last_frame().task_time >= HEAVY, runs, "{key}");
    }
}

/// Returns the staleness before and after a disturbance at this time. The last value is true if the clause is a
/// warning.
fn staleness(
    (key, set): (&str, &[(&Knob, f64)]),
    disturbance: Disturbance,
    secs: f64,
) -> (Option<Nanos>, Nanos, bool) {
    let mut lane = lane(key, set);
    run_for(&mut lane, secs);
    lane.disturb(disturbance);
    assert_eq!(recovery_of(&lane).staleness, None, "no frame yet");
    run_for(&mut lane, 4.0);
    let of = recovery_of(&lane);
    let after = of.staleness.expect("there are entities");
    (of.baseline_staleness, after, of.effect().is_warning())
}

#[test]
fn staleness_is_compared_with_that_before() {
    let none: &[(&Knob, f64)] = &[];
    let (slow, stall, deaths) = (
        Disturbance::SlowDisplay,
        Disturbance::Stall,
        Disturbance::Deaths,
    );
    for (key, disturbance, before_ms, after_ms, is_warning) in [
        // Rounds of 100 updates take twice as long on the slow display.
        ("max-per-frame", slow, 833, 1_667, true),
        ("fixed-interval", slow, 250, 250, false),
        // All entities become half a second staler, which the stall alone explains.
        ("max-per-frame", stall, 833, 1_333, false),
        ("max-per-frame", deaths, 833, 833, false),
    ] {
        let found = staleness((key, none), disturbance, 6.0);
        let near = |found: Nanos, ms| found.as_millis_f64() - f64::from(ms);
        let (before, after, warns) = found;
        let off = [near(before.unwrap(), before_ms), near(after, after_ms)];
        let is_near = off.iter().all(|off| off.abs() < 30.0);
        assert!(is_near && warns == is_warning, "{key}: {found:?}");
    }
}

#[test]
fn staleness_before_is_unknown_in_the_first_round() {
    // A round of 2000 entities takes 8.3 s.
    let lane: (&str, &[(&Knob, f64)]) = ("max-per-frame", &[(&ENTITIES, 2000.0)]);
    for (secs, is_known) in [(2.0, false), (8.0, false), (9.0, true)] {
        let (before, after, is_warning) = staleness(lane, Disturbance::Stall, secs);
        assert_eq!(before.is_some(), is_known, "{secs}");
        assert!(after > MS(2_500) && !is_warning);
    }
}
