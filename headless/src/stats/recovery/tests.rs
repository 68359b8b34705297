//! Recovery after disturbances.

use super::*;

use crate::sim::disturbance::{Disturbance, HEAVY};
use crate::sim::machine::{Machine, Simulated};
use crate::sim::world::{CHURN, COST, ENTITIES, REQUESTS};
use crate::stats::MeasuredLane;
use crate::testing::lane;
use timeslicer::knob::Knob;
use timeslicer::strategy::by_key;
use timeslicer::strategy::knobs::INTERVAL;

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

/// Returns the recovery after frames with these times of tasks. Before the disturbance, every `nth` frame was a hitch of
/// 40 ms, for this time.
fn recovery_after(tasks_ms: &[u64], nth: usize, measured_ms: u64) -> Recovery {
    let mut before = RecentHitches::default();
    for number in 1.. {
        if before.measured >= MS(measured_ms) {
            break;
        }
        before.frame(&frame(if number % nth == 0 { 40 } else { 1 }), MS(16));
    }
    let mut recovery = Recovery::new("100 births", 0, None, &before);
    for &ms in tasks_ms {
        recovery.frame(&frame(ms), MS(16));
    }
    recovery
}

/// Later than any frame of a test: no frame is a hitch.
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
        (0, 10, "no extra hitch"),
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
        assert_eq!(recovery.words().to_string(), "not run yet");
    }
    let unknown = recovery_after(&[100], NEVER, 700);
    assert_eq!(unknown.words().to_string(), "too early to compare");
    assert!(!unknown.clause().is_warning());
}

#[test]
fn hitches_count_less_those_of_three_seconds_before() {
    // Every tenth frame is a hitch: 16 in three seconds. One more is not blamed on the disturbance.
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
fn frames_that_are_long_without_tasks_are_not_extra() {
    let mut recovery = recovery_after(&[], NEVER, 3_000);
    for (tasks, extra) in [(10, 0), (70, 1)] {
        let length = MS(80);
        recovery.frame(
            &FrameRecord {
                length,
                ..frame(tasks)
            },
            MS(16),
        );
        assert_eq!(recovery.extra_hitches(), extra);
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
            let words = recovery.words().to_string();
            assert_eq!(words, "no extra hitch", "{key}: {recovery:?}");
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
        recovery_of(&lane).usual.is_some()
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
    // After a stall, `max-per-frame` still runs 4 tasks of 0.1 ms a frame, but `fixed-interval` has 400 tasks due at
    // once. Repeated stalls look alike.
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
    // At 4 runs a frame, a round of 900 tasks takes longer than the time in which recovery is watched. In the last case no
    // task runs, and 2000 times as many entities die as there are.
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

#[test]
fn the_frame_in_progress_was_before_it() {
    let mut lane = lane("all-at-once", &[]);
    let updated = lane.begin_frame(); // all 400 run
    lane.disturb(Disturbance::Stall);
    let drawn = lane.drawn(updated);
    let waited = lane.wait(drawn);
    lane.finish(waited);
    lane.frame();
    assert_eq!(recovery_of(&lane).hitches, 0);
}
