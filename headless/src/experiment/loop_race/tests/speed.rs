//! Tests of the game's measured speed.

use super::*;

#[test]
fn speed_is_measured_at_any_frame_length() {
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
    assert!(!verdict.contains(" 0×"), "{verdict}");
    // Frames take a little more than half a second.
    let mut race = Race::default();
    race.set_knob(Side::Slow, &RENDER_MS, 600.0);
    let race = watched(race, 8);
    let [_, slow] = stats(&race, &variable_step::ENTRY);
    assert!(slow.keeps_real_time(), "{slow:?}");
}

#[test]
fn machine_recovers_at_once_from_a_brief_crawl() {
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
fn knob_changes_are_measured_at_once_even_while_paused() {
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
    // Every row is at the same point of its crossing.
    for row in race.rows() {
        for side in Side::BOTH {
            let last = row.contestant(side).samples().back().unwrap();
            let into = time.as_secs_f64() % 2.0 / 2.0;
            let off = into - last.sight.truth;
            assert!((0.0..0.08).contains(&off), "{}: {off}", row.entry.key);
        }
    }
    // Setting a knob to its current value changes nothing.
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
