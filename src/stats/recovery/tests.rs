//! Recovery after disturbances.

use super::*;

use crate::sim::disturbance::Disturbance;
use crate::sim::machine::{Machine, Simulated};
use crate::sim::settings::Settings;
use crate::sim::world::{COST, ENTITIES};
use crate::stats::test_lane::lane;
use crate::stats::{MeasuredLane, verdict};
use timeslice::strategy::STRATEGIES;
use timeslice::strategy::knobs::INTERVAL;

const MS: fn(u64) -> Nanos = Nanos::from_millis;

fn text(after: &Recovery) -> String {
    after.clause().to_string()
}

fn after(lengths_ms: &[u64]) -> Recovery {
    let disturbed = Disturbed {
        disturbance: Disturbance::Births,
        name: "100 births",
        first_frame: 0,
        heavy: None,
    };
    let mut after = Recovery::new(&disturbed, UsualHitches::default());
    for &ms in lengths_ms {
        let frame = FrameRecord {
            length: MS(ms),
            runs: 5,
            ..FrameRecord::default()
        };
        after.frame(&frame, MS(25));
    }
    after
}

#[test]
fn a_smooth_one_is_told_as_such() {
    let so_far = text(&after(&[16; 10]));
    assert_eq!(
        so_far,
        "100 births: no hitch after it so far, at most 5 tasks a frame"
    );
    let whole = text(&after(&[16; 200]));
    assert_eq!(
        whole,
        "100 births: no hitch after it, at most 5 tasks a frame"
    );
}

#[test]
fn hitches_are_counted_until_it_is_smooth_again() {
    let lengths = |hitches: usize, calm: usize| [vec![100; hitches], vec![16; calm]].concat();
    for (hitches, calm, words) in [
        (1, 2, "one hitch of 100 ms so far"),
        (1, 40, "one hitch of 100 ms, smooth again after 100 ms"),
        (
            2,
            200,
            "2 hitches, the longest 100 ms, smooth again after 200 ms",
        ),
        (28, 30, "28 hitches, the longest 100 ms, not over after 3 s"),
        (
            40,
            200,
            "30 hitches, the longest 100 ms, not over after 3 s",
        ),
    ] {
        let told = text(&after(&lengths(hitches, calm)));
        let expected = format!("100 births: {words}, at most 5 tasks a frame");
        assert_eq!(told, expected);
    }
}

#[test]
fn the_stall_itself_is_no_hitch_but_what_it_leaves_behind_is() {
    let stalled = |key: &str| {
        let mut lane = lane(key, &[]);
        (0..100).for_each(|_| drop(lane.frame().clone()));
        lane.disturb(Disturbance::Stall);
        (0..200).for_each(|_| drop(lane.frame().clone()));
        (told(&lane), verdict(&lane.report()).to_string())
    };
    // 4 tasks of 0.1 ms a frame, whatever time has passed; and 400 that are due at once.
    assert_eq!(
        stalled("max-per-frame").0,
        "Stall 500 ms: no hitch after it, at most 4 tasks a frame"
    );
    let verdict = stalled("max-per-frame").1;
    assert!(
        verdict.contains("smooth, no frame above 25 ms"),
        "{verdict}"
    );
    assert!(
        stalled("fixed-interval")
            .0
            .starts_with("Stall 500 ms: one hitch of 40 ms, smooth again after"),
        "{}",
        stalled("fixed-interval").0
    );
}

fn frames(lane: &mut MeasuredLane<Simulated>, secs: f64) {
    let to = lane.machine().clock() + Nanos::from_secs_f64(secs);
    while lane.machine().clock() < to {
        lane.frame();
    }
}

fn told(lane: &MeasuredLane<Simulated>) -> String {
    lane.recovery().map_or_else(String::new, text)
}

#[test]
fn hitches_that_there_were_before_are_not_blamed_on_it() {
    // Every frame is one, and one burst each three seconds is, too.
    for (key, set) in [
        ("every-frame", vec![]),
        ("all-at-once", vec![(&INTERVAL, 3.0)]),
        ("all-at-once", vec![(&INTERVAL, 2.0)]),
    ] {
        let mut lane = lane(key, &set);
        frames(&mut lane, 7.0);
        for disturbance in [
            Disturbance::Deaths,
            Disturbance::Births,
            Disturbance::Births,
        ] {
            lane.disturb(disturbance);
            frames(&mut lane, 0.1); // two within the warm-up
        }
        for _ in 0..14 {
            frames(&mut lane, 0.5);
            let told = told(&lane);
            let blamed = lane.recovery().is_some_and(Recovery::is_rough);
            assert!(!blamed, "{key}: {told}");
            assert!(
                !told.contains("not over") && !told.contains("smooth"),
                "{told}"
            );
        }
    }
}

#[test]
fn the_way_back_has_a_name_of_its_own_and_nothing_done_is_nothing_told() {
    let mut lane = lane("fixed-interval", &[]);
    let mut after = |disturbance| {
        lane.disturb(disturbance);
        let name = lane.recovery().map(|it| it.name().to_owned());
        lane.set_knob(&COST, lane.settings().knobs.get(&COST) + 1.0); // the next begins anew
        name.unwrap_or_default()
    };
    let names = [
        (Disturbance::SlowDisplay, "30 Hz display"),
        (Disturbance::SlowDisplay, "Display restored"),
        (Disturbance::AllRequest, ""),
        (Disturbance::KillAll, "Kill all"),
        (Disturbance::Heavy, ""),
        (Disturbance::Deaths, ""),
        (Disturbance::KillAll, "400 births"),
        (Disturbance::Deaths, "100 deaths"),
        (Disturbance::Heavy, "One 20 ms task"),
    ];
    for (disturbance, name) in names {
        assert_eq!(after(disturbance), name, "{disturbance:?}");
    }
}

#[test]
fn a_heavy_one_is_told_of_once_it_has_run() {
    let mut lane = lane("max-per-frame", &[(&ENTITIES, 300.0)]);
    frames(&mut lane, 1.0);
    lane.disturb(Disturbance::Heavy);
    let mut before = 0;
    while !told(&lane).contains("hitch") {
        let waits = told(&lane).starts_with("One 20 ms task: it has not run yet");
        assert!(waits, "{}", told(&lane));
        lane.frame();
        before += 1;
        assert!(before < 76, "a round has 75 frames");
    }
    assert!(lane.last_frame().task_time >= crate::sim::disturbance::HEAVY);
}

#[test]
fn the_second_time_is_told_as_the_first() {
    let mut lane = lane("fixed-interval", &[]);
    let mut words = Vec::new();
    for _ in 0..3 {
        frames(&mut lane, 2.0);
        lane.disturb(Disturbance::Stall);
        frames(&mut lane, 6.0);
        assert!(lane.recovery().unwrap().is_rough());
        words.push(lane.recovery().unwrap().hitches_in_words().to_string());
    }
    assert!(words[0].contains("one hitch") && words[0].contains("smooth again"));
    assert!(
        words[1].contains("one hitch") && words[1].contains("smooth again"),
        "{words:?}"
    );
    assert!(
        words[2].contains("one hitch") && words[2].contains("smooth again"),
        "{words:?}"
    );
}

#[test]
fn a_heavy_one_that_runs_late_is_watched_from_then_on() {
    // 4 of 2,000 a frame: more than eight seconds a round.
    for entities in [900.0, 1500.0] {
        let mut lane = lane("max-per-frame", &[(&ENTITIES, entities), (&COST, 1.0)]);
        frames(&mut lane, 2.0);
        lane.disturb(Disturbance::Heavy);
        while lane.last_frame().task_time < crate::sim::disturbance::HEAVY {
            assert!(
                told(&lane).contains("it has not run yet"),
                "{}",
                told(&lane)
            );
            lane.frame();
        }
        assert!(!told(&lane).contains("not run yet"), "{}", told(&lane));
    }
}

#[test]
fn the_frame_under_way_was_before_it() {
    let mut lane = lane("all-at-once", &[]);
    let updated = lane.begin_frame(); // all 400 run
    lane.disturb(Disturbance::Stall);
    let drawn = lane.drawn(updated);
    let waited = lane.wait(drawn);
    lane.finish(waited);
    lane.frame();
    assert_eq!(
        told(&lane),
        "Stall 500 ms: no hitch after it so far, nothing ran"
    );
}

#[test]
fn it_is_told_until_something_else_is_changed_or_it_is_long_ago() {
    for entry in STRATEGIES {
        let settings = Settings {
            strategy: entry,
            ..Settings::default()
        };
        let mut lane = MeasuredLane::new(settings.clone(), Simulated::new(&settings.knobs));
        lane.frame();
        assert!(lane.report().recovery.is_none());
        for disturbance in [
            Disturbance::Stall,
            Disturbance::SlowDisplay,
            Disturbance::Births,
        ] {
            lane.disturb(disturbance);
            assert!(lane.report().recovery.is_some(), "{}", disturbance.name());
            lane.frame();
        }
        lane.set_knob(&crate::sim::world::COST, 1.0);
        assert!(lane.report().recovery.is_none());
        lane.disturb(Disturbance::Stall);
        (0..900).for_each(|_| drop(lane.frame().clone()));
        assert!(lane.report().recovery.is_none());
    }
}
