//! The race's figures and sentences.

use super::*;
use timeslice::frame_loop::constant_fps::LOOP_FPS;
use timeslice::frame_loop::knobs::{DEBT_CAP, STEP};
use timeslice::frame_loop::{constant_fps, fixed_step, max_frame_skip, unsynced, variable_step};

const MS: fn(u64) -> Nanos = Nanos::from_millis;

/// A race after so many seconds, watched at 60 pictures a second.
fn watched(mut race: Race, secs: u64) -> Race {
    let end = race.time() + Nanos::from_secs(secs);
    while race.time() < end {
        assert!(race.advance(MS(16)));
    }
    race
}

fn row<'a>(race: &'a Race, entry: &FrameLoopEntry) -> &'a LoopRow {
    let mut rows = race.rows().iter();
    rows.find(|row| row.entry == entry).expect("it is there")
}

fn stats(race: &Race, entry: &FrameLoopEntry) -> [LoopStats; 2] {
    row(race, entry).stats().unwrap()
}

#[test]
fn every_frame_loop_runs_on_both_machines() {
    let race = watched(Race::default(), 2);
    let loops: Vec<&FrameLoopEntry> = race.rows().iter().map(|row| row.entry).collect();
    assert_eq!(loops, FRAME_LOOPS);
    for row in race.rows() {
        for side in Side::BOTH {
            let clock = row.contestant(side).clock().since_start();
            assert!(clock >= race.time() && clock < race.time() + MS(100));
            assert!(row.contestant(side).stats().is_some());
        }
    }
}

#[test]
fn unsynced_goes_as_fast_as_the_machine() {
    let race = watched(Race::default(), 3);
    let [fast, slow] = stats(&race, &unsynced::ENTRY);
    // 3 ms a picture and half a millisecond of work, 20 ms of game time each; 52 ms on the slow one.
    assert!((fast.speed - 20.0 / 3.5).abs() < 0.05, "{fast:?}");
    assert!((slow.speed - 20.0 / 52.0).abs() < 0.01, "{slow:?}");
    assert!(fast.busy > 0.999 && slow.busy > 0.999);
    let summary = row(&race, &unsynced::ENTRY).summary();
    assert!(summary.is_warning());
    let start = "5.71× real time here, 0.38× there · equal steps of 20 ms";
    assert!(summary.to_string().starts_with(start), "{summary}");
}

#[test]
fn a_variable_step_keeps_real_time_but_ends_elsewhere() {
    let race = watched(Race::default(), 6);
    let row = row(&race, &variable_step::ENTRY);
    let [fast, slow] = row.stats().unwrap();
    assert!(fast.keeps_real_time() && slow.keeps_real_time());
    assert!((fast.fps - 144.0).abs() < 1.5, "{fast:?}");
    assert!(!row.flight_ends().unwrap().identical);
    let text = row.summary().to_string();
    let start = "real time on both · the bodies end ";
    assert!(text.starts_with(start), "{text}");
    let steps = " m apart · steps of 6.94 ms here, 52 ms there";
    assert!(text.ends_with(steps), "{text}");
}

#[test]
fn fixed_steps_are_fair_and_end_in_the_same_bits() {
    let race = watched(Race::default(), 6);
    for entry in [&fixed_step::ENTRY, &max_frame_skip::ENTRY] {
        let row = row(&race, entry);
        assert!(row.flight_ends().unwrap().identical, "{}", entry.key);
        let text = row.summary().to_string();
        let start = "real time on both · both bodies end in the same bits · equal steps of 20 ms";
        assert!(text.starts_with(start), "{}: {text}", entry.key);
    }
    let verdict = race.verdict().to_string();
    let start =
        "fixed step and max frame skip play the same game, at the same speed, on both machines";
    assert!(verdict.starts_with(start), "{verdict}");
    let ratio = "unsynced runs 14.9× as fast on one as on the other";
    assert!(verdict.contains(ratio), "{verdict}");
}

#[test]
fn constant_fps_is_right_only_where_the_machine_keeps_up() {
    let race = watched(Race::default(), 3);
    let [fast, slow] = stats(&race, &constant_fps::ENTRY);
    assert!(fast.keeps_real_time() && !slow.keeps_real_time());
    assert!(fast.busy < 0.3, "{fast:?}");
    let text = row(&race, &constant_fps::ENTRY).summary().to_string();
    let start = "0.32× real time on the slow machine";
    assert!(text.starts_with(start), "{text}");
}

#[test]
fn a_machine_whose_updates_cost_more_than_their_step_gives_time_up() {
    let mut race = Race::default();
    race.set_knob(Side::Slow, &COST, 15_000.0); // 30 ms on the slow machine, 7.5 ms on the fast one
    let race = watched(race, 4);
    let [fast, slow] = stats(&race, &fixed_step::ENTRY);
    assert!(fast.keeps_real_time(), "{fast:?}");
    assert!(slow.speed < 0.7 && slow.dropped > 0.3, "{slow:?}");
    let text = row(&race, &fixed_step::ENTRY).summary().to_string();
    assert!(text.contains("the slow machine gives up "), "{text}");
}

#[test]
fn a_machines_knob_is_its_own_and_any_other_is_shared() {
    let mut race = watched(Race::default(), 3);
    race.set_knob(Side::Slow, &RENDER_MS, 1.0);
    race.set_knob(Side::Fast, &STEP, 10.0);
    assert_eq!(race.knob(Side::Fast, &RENDER_MS), 3.0);
    assert_eq!(race.knob(Side::Slow, &STEP), 10.0);
    let [fast, slow] = stats(&race, &fixed_step::ENTRY);
    assert_eq!((fast.step, slow.step), (MS(10), MS(10)));
    assert!((slow.fps - 60.0).abs() < 1.5, "{slow:?}");
}

#[test]
fn nothing_is_said_before_it_was_measured() {
    let race = Race::default();
    assert!(
        race.rows()
            .iter()
            .all(|row| row.summary().clauses.is_empty())
    );
    assert!(
        race.verdict()
            .to_string()
            .starts_with("each bullet flies for 2 seconds")
    );
}

#[test]
fn machines_that_make_too_many_frames_slow_time_down_and_nothing_else() {
    let mut race = Race::default();
    for side in Side::BOTH {
        race.set_knob(side, &RENDER_MS, 0.0);
        race.set_knob(side, &DISPLAY_HZ, 10_000.0);
    }
    race.set_knob(Side::Fast, &COST, 0.0);
    assert!(!race.advance(Nanos::from_secs(1)));
    assert!(race.time() > MS(150) && race.time() < MS(250));
    race = watched(race, 4);
    // All that a crossing and more has of them is made anew; time stands meanwhile, and then goes on.
    let before = race.time();
    race.set_knob(Side::Fast, &STEP, 10.0);
    let goes_on = (0..20).position(|_| race.advance(MS(16)));
    assert!(goes_on.is_some_and(|pictures| pictures > 2), "{goes_on:?}");
    assert_eq!(race.time(), before + MS(16));
    for row in race.rows() {
        let [fast, slow] = row.stats().unwrap();
        assert!(fast.speed > 0.99 && slow.speed > 0.99, "{}", row.entry.key);
        for side in Side::BOTH {
            assert!(row.contestant(side).samples().len() < 8_000);
        }
    }
}

#[test]
fn the_picture_is_behind_or_ahead_by_what_the_error_says() {
    let race = watched(Race::default(), 3);
    for row in race.rows() {
        for side in Side::BOTH {
            let contestant = row.contestant(side);
            let (last, stats) = (
                contestant.samples().back().unwrap(),
                contestant.stats().unwrap(),
            );
            let off = (last.sight.drawn - last.sight.truth) * CROSSING.as_nanos() as f64;
            assert!(
                (off - stats.error_nanos as f64).abs() < 1e3,
                "{}",
                row.entry.key
            );
        }
    }
}

#[test]
fn a_restart_begins_at_zero_with_the_knobs_as_they_are() {
    let mut race = watched(Race::default(), 3);
    race.set_knob(Side::Fast, &STEP, 10.0);
    race.restart();
    assert_eq!(race.time(), Nanos::ZERO);
    assert_eq!(race.knob(Side::Slow, &STEP), 10.0);
    assert!(race.rows()[0].stats().is_none());
}

#[test]
fn a_speed_is_measured_however_long_frames_are() {
    let mut race = Race::default();
    for side in Side::BOTH {
        race.set_knob(side, &RENDER_MS, 1000.0);
    }
    race.set_knob(Side::Fast, &LOOP_FPS, 1.0);
    let race = watched(race, 8);
    for entry in [&constant_fps::ENTRY, &variable_step::ENTRY] {
        for stats in stats(&race, entry) {
            assert!((stats.speed - 1.0).abs() < 0.01, "{stats:?}");
            assert!(stats.fps > 0.98 && stats.fps <= 1.0, "{stats:?}");
        }
    }
    for stats in stats(&race, &unsynced::ENTRY) {
        assert!((stats.speed - 0.02).abs() < 0.001, "{stats:?}");
    }
    let verdict = race.verdict().to_string();
    assert!(!verdict.contains("0×"), "{verdict}");
    // Also where frames are of half a second and a little more.
    let mut race = Race::default();
    race.set_knob(Side::Slow, &RENDER_MS, 600.0);
    let race = watched(race, 8);
    let [_, slow] = stats(&race, &variable_step::ENTRY);
    assert!(slow.keeps_real_time(), "{slow:?}");
}

#[test]
fn a_machine_that_was_a_crawl_for_a_moment_goes_on_at_once() {
    let mut race = watched(Race::default(), 3);
    let all = [
        (&SPEED, 0.01, 0.5),
        (&COST, COST.max, 1000.0),
        (&STEP, 1.0, 20.0),
        (&DEBT_CAP, 5000.0, 250.0),
    ];
    for (knob, value, _) in all {
        race.set_knob(Side::Slow, knob, value);
    }
    race.advance(MS(100));
    for (knob, _, back) in all {
        race.set_knob(Side::Slow, knob, back);
    }
    for row in race.rows() {
        for side in Side::BOTH {
            let ahead = row.contestant(side).clock().since_start() - race.time();
            assert!(ahead < MS(100), "{}: {ahead} ms", row.entry.key);
        }
    }
    let race = watched(race, 1);
    let [_, slow] = stats(&race, &fixed_step::ENTRY);
    assert!(slow.keeps_real_time(), "{slow:?}");
}

#[test]
fn what_a_knob_does_is_measured_and_compared_at_once_while_time_stands_too() {
    let mut race = watched(Race::default(), 7);
    let time = race.time();
    race.set_knob(Side::Slow, &RENDER_MS, 100.0);
    assert_eq!(race.time(), time);
    let of_loop = row(&race, &variable_step::ENTRY);
    let [fast, slow] = of_loop.stats().unwrap();
    assert_eq!(
        (fast.step, slow.step),
        (Nanos::from_nanos(6_944_444), MS(102))
    );
    assert!(of_loop.flight_ends().is_some());
    // Every row is in the same place of its crossing.
    for row in race.rows() {
        for side in Side::BOTH {
            let last = row.contestant(side).samples().back().unwrap();
            let into = time.as_secs_f64() % 2.0 / 2.0;
            let off = into - last.sight.truth;
            assert!((0.0..0.08).contains(&off), "{}: {off}", row.entry.key);
        }
    }
    // A knob that stays where it was changes nothing.
    let samples = row(&race, &unsynced::ENTRY)
        .contestant(Side::Fast)
        .samples()
        .len();
    race.set_knob(Side::Slow, &RENDER_MS, 100.0);
    assert_eq!(
        row(&race, &unsynced::ENTRY)
            .contestant(Side::Fast)
            .samples()
            .len(),
        samples
    );
}

#[test]
fn what_was_given_is_taken_but_for_the_machines_knobs() {
    let given = KnobValues::with(&[
        (&COST, 500.0),
        (&STEP, 5.0),
        (&LOOP_FPS, 25.0),
        (&ENTITIES, 900.0),
        (&RENDER_MS, 77.0),
    ]);
    let race = Race::new(&given);
    for side in Side::BOTH {
        assert_eq!(race.knob(side, &COST), 500.0);
        assert_eq!(race.knob(side, &STEP), 5.0);
        assert_eq!(race.knob(side, &LOOP_FPS), 25.0);
        assert_eq!(race.knob(side, &ENTITIES), 1.0);
    }
    assert_eq!(race.knob(Side::Fast, &RENDER_MS), 3.0);
    assert_eq!(race.knob(Side::Slow, &RENDER_MS), 50.0);
    assert_eq!(Race::default().knob(Side::Fast, &COST), FIRST_COST);
    let race = watched(race, 3);
    assert_eq!(stats(&race, &fixed_step::ENTRY)[0].step, MS(5));
}

#[test]
fn max_frame_skip_keeps_real_time_steadily_until_it_would_need_more_updates_than_it_may_make() {
    // On the slow machine 12 ms an update: 6.25 of them a picture. With 16 ms 12.5, and it may make 10.
    for (cost, speed) in [(6_000.0, 1.0), (7_400.0, 1.0), (8_000.0, 200.0 / 210.0)] {
        let mut race = Race::default();
        race.set_knob(Side::Fast, &COST, cost);
        race = watched(race, 4);
        for _ in 0..300 {
            race.advance(MS(16));
            let [fast, slow] = stats(&race, &max_frame_skip::ENTRY);
            assert!((fast.speed - 1.0).abs() < 1e-6, "{cost}: {fast:?}");
            assert!((slow.speed - speed).abs() < 1e-6, "{cost}: {slow:?}");
        }
    }
}

#[test]
fn ends_are_known_after_each_crossing_and_for_ever() {
    let mut race = watched(Race::default(), 2);
    assert!(race.advance(MS(400)));
    for row in race.rows() {
        // Where the slow machine slows the game down, its flight takes longer.
        let slowed = [&unsynced::ENTRY, &constant_fps::ENTRY].contains(&row.entry);
        assert_eq!(row.flight_ends().is_none(), slowed, "{}", row.entry.key);
    }
    // 5,000 flights a second on one of them.
    race.set_knob(Side::Fast, &STEP, 100.0);
    race.set_knob(Side::Fast, &COST, 0.0);
    race.set_knob(Side::Fast, &RENDER_MS, 0.0);
    for _ in 0..600 {
        race.advance(MS(50));
        if race.time() > Nanos::from_secs(8) {
            assert!(
                row(&race, &unsynced::ENTRY)
                    .flight_ends()
                    .unwrap()
                    .identical
            );
        }
    }
}

#[test]
fn steps_that_differ_by_little_are_not_called_equal_nor_their_ends_no_distance_apart() {
    let mut race = Race::default();
    race.set_knob(Side::Slow, &RENDER_MS, 3.0);
    race.set_knob(Side::Slow, &DISPLAY_HZ, 143.99);
    let race = watched(race, 6);
    let text = row(&race, &variable_step::ENTRY).summary().to_string();
    assert_eq!(
        text,
        "real time on both · the bodies end less than 1 mm apart · steps of 6.944 ms here, 6.945 ms there"
    );
    // Periods that do not divide a second differ by a nanosecond, and are one step.
    let text = row(&race, &constant_fps::ENTRY).summary().to_string();
    assert!(text.contains("equal steps of 16.7 ms"), "{text}");
}

#[test]
fn two_machines_that_are_equally_slow_play_at_the_same_speed_but_not_in_real_time() {
    let mut race = Race::default();
    for side in Side::BOTH {
        race.set_knob(side, &SPEED, 0.5);
        race.set_knob(side, &RENDER_MS, 10.0);
        race.set_knob(side, &DISPLAY_HZ, 60.0);
    }
    race.set_knob(Side::Fast, &COST, COST.max);
    let race = watched(race, 12);
    let [fast, slow] = stats(&race, &fixed_step::ENTRY);
    assert!(fast.speed < 0.7 && fast.is_as_fast_as(&slow), "{fast:?}");
    let verdict = race.verdict().to_string();
    assert!(
        verdict.starts_with(
            "unsynced, constant fps, variable step, fixed step and max frame skip play the same game, \
             at the same speed, on both machines · "
        ),
        "{verdict}"
    );
    let speed = crate::text::format::number(fast.speed);
    let slow = format!("fixed step at {speed}× real time");
    assert!(verdict.contains(&slow), "{verdict}");
    assert!(!verdict.contains("variable step at"), "{verdict}");
    assert!(!verdict.contains("as fast on one"), "{verdict}");
    assert!(race.verdict().is_warning());
    let text = row(&race, &fixed_step::ENTRY).summary().to_string();
    let start = format!("{speed}× real time on both · both bodies end in the same bits");
    assert!(text.starts_with(&start), "{text}");
}

#[test]
fn one_that_is_faster_on_the_slow_machine_is_told_too() {
    let mut race = Race::default();
    race.set_knob(Side::Fast, &RENDER_MS, 200.0);
    race.set_knob(Side::Slow, &RENDER_MS, 1.0);
    let race = watched(race, 60);
    let verdict = race.verdict().to_string();
    assert!(
        verdict.contains("× as fast on one as on the other"),
        "{verdict}"
    );
}

#[test]
fn each_loop_says_how_both_machines_took_a_shock_and_marks_it() {
    let mut race = Race::new(&KnobValues::default());
    race.advance(Nanos::from_secs(3));
    race.disturb(Disturbance::Stall);
    race.advance(Nanos::SECOND);
    for row in race.rows() {
        let summary = row.summary().to_string();
        assert!(summary.starts_with("Stall 500 ms: "), "{summary}");
        for side in Side::BOTH {
            assert_eq!(row.contestant(side).disturbances().len(), 1);
        }
    }
    while race.time() < Nanos::from_secs(15) {
        race.advance(Nanos::from_millis(500));
    }
    for row in race.rows() {
        assert!(!row.summary().to_string().contains("Stall"));
        assert!(row.contestant(Side::Fast).disturbances().is_empty());
    }
}

#[test]
fn rows_that_begin_anew_keep_the_slow_display_and_the_newborn() {
    let mut race = Race::new(&KnobValues::default());
    race.advance(Nanos::from_secs(3));
    let entities = race.knob(Side::Fast, &ENTITIES);
    race.disturb(Disturbance::Births);
    race.disturb(Disturbance::SlowDisplay);
    race.set_knob(Side::Fast, &RENDER_MS, 1.0);
    race.advance(Nanos::SECOND);
    for row in race.rows() {
        for side in Side::BOTH {
            let lane = row.contestant(side).lane();
            assert!(lane.has_slow_display() && lane.recovery().is_none());
            assert_eq!(lane.world().tasks().len() as f64, entities + 100.0);
        }
    }
}
