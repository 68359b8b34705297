//! Tests of the race's figures, and of the clauses that follow from them.

mod speed;

use super::verdict::{
    dropped, ends, fair_loops, never_idle, no_comparison_yet, off_real_time, speed_ratio, speeds,
    steps,
};
use super::*;
use crate::text::rich::RichText;
use timeslicer::frame_loop::constant_fps::LOOP_FPS;
use timeslicer::frame_loop::knobs::{DEBT_CAP, STEP};
use timeslicer::frame_loop::{constant_fps, fixed_step, max_frame_skip, unsynced, variable_step};

const MS: fn(u64) -> Nanos = Nanos::from_millis;

/// Advances a race by `secs`, at 60 pictures per second.
fn watched(mut race: Race, secs: u64) -> Race {
    let end = race.time() + Nanos::from_secs(secs);
    while race.time() < end {
        assert!(race.advance(MS(16)));
    }
    race
}

fn row<'a>(race: &'a Race, entry: &FrameLoopEntry) -> &'a LoopRow {
    let mut rows = race.rows().iter();
    rows.find(|row| row.entry == entry)
        .expect("a row for each loop")
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

/// A stall of 500 ms costs all of these loops time, so none seems faster than real time before the stall is over by a
/// second.
#[test]
fn no_loop_seems_fast_after_a_stall() {
    const PICTURE: Nanos = Nanos::from_millis(25);
    for stall in 0..12 {
        let mut race = Race::default();
        race.advance(Nanos::from_secs(6));
        for _ in 0..stall {
            race.advance(PICTURE);
        }
        race.disturb(Disturbance::Stall);
        for picture in 0..56 {
            race.advance(PICTURE);
            for entry in [
                &constant_fps::ENTRY,
                &fixed_step::ENTRY,
                &max_frame_skip::ENTRY,
            ] {
                for stats in stats(&race, entry) {
                    let speed = stats.speed;
                    assert!(speed < 1.06, "{}: {speed}, {stall}, {picture}", entry.key);
                }
            }
        }
    }
}

#[test]
fn unsynced_is_as_fast_as_the_machine() {
    let race = watched(Race::default(), 3);
    let [fast, slow] = stats(&race, &unsynced::ENTRY);
    // A frame advances 20 ms of game time. It takes 3.5 ms on the fast machine and 52 ms on the slow one.
    assert!((fast.speed - 20.0 / 3.5).abs() < 0.05, "{fast:?}");
    assert!((slow.speed - 20.0 / 52.0).abs() < 0.01, "{slow:?}");
    assert!(fast.busy > 0.999 && slow.busy > 0.999);
    let summary = row(&race, &unsynced::ENTRY).summary();
    assert_eq!(fast.step, MS(20));
    let clauses = [
        speeds(&fast, &slow),
        steps(&fast, &slow),
        never_idle(&fast).unwrap(),
    ];
    assert_eq!(summary.clauses, clauses);
}

#[test]
fn variable_step_keeps_real_time_but_flights_differ() {
    let race = watched(Race::default(), 6);
    let row = row(&race, &variable_step::ENTRY);
    let [fast, slow] = row.stats().unwrap();
    assert!(fast.keeps_real_time() && slow.keeps_real_time());
    assert!((fast.fps - 144.0).abs() < 1.5, "{fast:?}");
    let flight_ends = row.flight_ends().unwrap();
    assert!(!flight_ends.identical && flight_ends.apart > 0.1);
    assert_eq!(
        (fast.step, slow.step),
        (Nanos::from_nanos(6_944_444), MS(52))
    );
    let clauses = [speeds(&fast, &slow), ends(flight_ends), steps(&fast, &slow)];
    assert_eq!(row.summary().clauses, clauses);
}

#[test]
fn fixed_steps_are_fair_and_bit_identical() {
    let race = watched(Race::default(), 6);
    for entry in [&fixed_step::ENTRY, &max_frame_skip::ENTRY] {
        let row = row(&race, entry);
        let flight_ends = row.flight_ends().unwrap();
        assert!(flight_ends.identical, "{}", entry.key);
        let [fast, slow] = row.stats().unwrap();
        assert!(fast.keeps_real_time() && slow.keeps_real_time());
        assert_eq!((fast.step, slow.step), (MS(20), MS(20)));
        let clauses = [speeds(&fast, &slow), ends(flight_ends), steps(&fast, &slow)];
        assert_eq!(row.summary().clauses[..3], clauses, "{}", entry.key);
    }
    let verdict = race.verdict();
    let fair = fair_loops(
        &[&fixed_step::ENTRY, &max_frame_skip::ENTRY].map(|entry| entry.name.to_owned()),
    );
    let ratio = speed_ratio(unsynced::ENTRY.name.to_owned(), 14.86);
    assert_eq!(verdict.clauses, [fair, ratio]);
}

#[test]
fn only_variable_steps_are_not_reproducible() {
    let race = watched(Race::default(), 8);
    for row in race.rows() {
        let has_fixed_steps = row.entry != &variable_step::ENTRY;
        assert_eq!(
            row.is_reproducible(),
            Some(has_fixed_steps),
            "{}",
            row.entry.key
        );
    }
}

#[test]
fn constant_fps_needs_a_fast_machine() {
    let race = watched(Race::default(), 3);
    let [fast, slow] = stats(&race, &constant_fps::ENTRY);
    assert!(fast.keeps_real_time() && !slow.keeps_real_time());
    assert!(fast.busy < 0.3, "{fast:?}");
    let summary = row(&race, &constant_fps::ENTRY).summary();
    assert_eq!(summary.clauses[0], speeds(&fast, &slow));
    assert!(summary.clauses[0].is_warning());
}

#[test]
fn updates_longer_than_their_step_lose_game_time() {
    let mut race = Race::default();
    race.set_knob(Side::Slow, &COST, 15_000.0); // 30 ms on the slow machine, 7.5 ms on the fast one
    let race = watched(race, 4);
    let [fast, slow] = stats(&race, &fixed_step::ENTRY);
    assert!(fast.keeps_real_time(), "{fast:?}");
    assert!(slow.speed < 0.7 && slow.dropped > 0.3, "{slow:?}");
    let summary = row(&race, &fixed_step::ENTRY).summary();
    let lost = dropped("slow", &slow).unwrap();
    assert!(summary.clauses.contains(&lost), "{summary}");
}

#[test]
fn machine_knobs_are_separate_and_others_shared() {
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
fn texts_are_empty_before_anything_is_measured() {
    let race = Race::default();
    assert!(
        race.rows()
            .iter()
            .all(|row| row.summary().clauses.is_empty())
    );
    assert_eq!(race.verdict(), RichText::from(no_comparison_yet()));
}

#[test]
fn too_many_frames_only_slow_time_down() {
    let mut race = Race::default();
    for side in Side::BOTH {
        race.set_knob(side, &RENDER_MS, 0.0);
        race.set_knob(side, &DISPLAY_HZ, 10_000.0);
    }
    race.set_knob(Side::Fast, &COST, 0.0);
    assert!(!race.advance(Nanos::from_secs(1)));
    assert!(race.time() > MS(150) && race.time() < MS(250));
    race = watched(race, 4);
    // More than a crossing is simulated again. Time stops until that is done, then continues.
    let before = race.time();
    race.set_knob(Side::Fast, &STEP, 10.0);
    let continues = (0..20).position(|_| race.advance(MS(16)));
    assert!(
        continues.is_some_and(|pictures| pictures > 2),
        "{continues:?}"
    );
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
fn picture_is_off_by_the_error() {
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
fn restart_begins_at_zero_and_keeps_knobs() {
    let mut race = watched(Race::default(), 3);
    race.set_knob(Side::Fast, &STEP, 10.0);
    race.restart();
    assert_eq!(race.time(), Nanos::ZERO);
    assert_eq!(race.knob(Side::Slow, &STEP), 10.0);
    assert!(race.rows()[0].stats().is_none());
}

#[test]
fn given_knobs_are_used_except_the_machines() {
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
fn max_frame_skip_keeps_real_time_up_to_its_limit() {
    // On the slow machine an update of 20 ms takes 12 ms, so each picture needs 6.25 updates to keep real time. If the
    // update takes 16 ms, each picture needs 12.5 updates, but may have only 10.
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
fn flight_ends_are_known_after_each_crossing() {
    let mut race = watched(Race::default(), 2);
    assert!(race.advance(MS(400)));
    for row in race.rows() {
        // Flights take longer if the slow machine slows the game down.
        let slowed = [&unsynced::ENTRY, &constant_fps::ENTRY].contains(&row.entry);
        assert_eq!(row.flight_ends().is_none(), slowed, "{}", row.entry.key);
    }
    // One machine now makes 5,000 flights per second.
    race.set_knob(Side::Fast, &STEP, 100.0);
    race.set_knob(Side::Fast, &COST, 0.0);
    race.set_knob(Side::Fast, &RENDER_MS, 0.0);
    for _ in 0..300 {
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
fn slightly_different_steps_are_not_called_equal() {
    let mut race = Race::default();
    race.set_knob(Side::Slow, &RENDER_MS, 3.0);
    race.set_knob(Side::Slow, &DISPLAY_HZ, 143.99);
    let race = watched(race, 6);
    let of_loop = row(&race, &variable_step::ENTRY);
    let [fast, slow] = of_loop.stats().unwrap();
    assert!(!fast.has_the_steps_of(&slow) && slow.step - fast.step < Nanos::from_micros(1));
    let flight_ends = of_loop.flight_ends().unwrap();
    assert!(!flight_ends.identical && flight_ends.apart < 0.001);
    assert!(of_loop.summary().clauses.contains(&steps(&fast, &slow)));
    // Rounding to whole nanoseconds can make the machines' steps differ by one, but they count as equal.
    let [fast, slow] = stats(&race, &constant_fps::ENTRY);
    assert!(fast.has_the_steps_of(&slow));
}

#[test]
fn equally_slow_machines_are_fair_but_off_real_time() {
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
    let names: Vec<String> = race.rows().iter().map(LoopRow::name).collect();
    let mut clauses = vec![fair_loops(&names)];
    for row in race.rows() {
        let [fast, slow] = row.stats().unwrap();
        if !fast.keeps_real_time() {
            clauses.push(off_real_time(row.name(), &fast, &slow));
        }
    }
    let is_off = |entry| {
        let [fast, slow] = stats(&race, entry);
        clauses.contains(&off_real_time(entry.name.to_owned(), &fast, &slow))
    };
    assert!(is_off(&fixed_step::ENTRY) && !is_off(&variable_step::ENTRY));
    assert_eq!(race.verdict().clauses, clauses, "no speeds differ");
    let summary = row(&race, &fixed_step::ENTRY).summary();
    assert_eq!(summary.clauses[0], speeds(&fast, &slow));
}

#[test]
fn faster_slow_machine_is_reported_too() {
    let mut race = Race::default();
    race.set_knob(Side::Fast, &RENDER_MS, 200.0);
    race.set_knob(Side::Slow, &RENDER_MS, 1.0);
    let race = watched(race, 60);
    let [fast, slow] = stats(&race, &unsynced::ENTRY);
    let ratio = speed_ratio(unsynced::ENTRY.name.to_owned(), slow.speed / fast.speed);
    assert_eq!(race.verdict().clauses.last(), Some(&ratio));
}
