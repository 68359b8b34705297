use super::*;
use crate::testing::MS;
use timeslicer::frame_loop::constant_fps::LOOP_FPS;
use timeslicer::frame_loop::knobs::{BetweenUpdates, INTERPOLATE, STEP};
use timeslicer::frame_loop::{constant_fps, fixed_step, max_frame_skip, unsynced, variable_step};

/// Advances a race by `secs`, at 60 pictures per second.
fn watched(mut race: Race, secs: u64) -> Race {
    let end = race.time() + Nanos::from_secs(secs);
    while race.time() < end {
        assert!(race.advance(MS(16)));
    }
    race
}

/// Creates a race with these knobs on both machines and advances it by `secs`.
fn race_with(knobs: &[(&'static Knob, [f64; 2])], secs: u64) -> Race {
    let mut race = Race::default();
    for &(knob, [fast, slow]) in knobs {
        race.set_knob(Side::Fast, knob, fast);
        race.set_knob(Side::Slow, knob, slow);
    }
    watched(race, secs)
}

fn row<'a>(race: &'a Race, entry: &FrameLoopEntry) -> &'a LoopRow {
    let mut rows = race.rows().iter();
    rows.find(|row| row.entry == entry)
        .expect("a row for each loop")
}

fn stats(race: &Race, entry: &FrameLoopEntry) -> [LoopStats; 2] {
    row(race, entry).stats().unwrap()
}

fn contestants(race: &Race) -> impl Iterator<Item = &Contestant> {
    race.rows().iter().flat_map(|row| &row.contestants)
}

#[test]
fn each_loop_has_a_character() {
    let mut race = Race::default();
    let verdict = "first comparison after 2 s of game time";
    assert_eq!(race.verdict().to_string(), verdict);
    assert!(race.rows()[0].summary().clauses.is_empty());
    race = watched(race, 8);
    let lessons = [
        // A frame advances 20 ms of game time. It takes 3.5 ms on the fast machine and 52 ms on the slow one.
        "fast 5.71×, slow 0.38× real time · bit-identical on both machines · equal steps of 20 ms · the fast machine is never idle",
        "0.32× real time on the slow machine · bit-identical on both machines · the slow machine loses 679 ms per second · equal steps of 16.7 ms",
        "real time on both · flights end 0.82 m apart · steps: fast 6.94 ms, slow 52 ms",
        "real time on both · bit-identical on both machines · equal steps of 20 ms",
        "real time on both · bit-identical on both machines · equal steps of 20 ms",
    ];
    assert_eq!(race.rows().len(), FRAME_LOOPS.len());
    for ((row, &entry), lesson) in race.rows().iter().zip(FRAME_LOOPS).zip(lessons) {
        assert_eq!(row.entry, entry);
        assert_eq!(row.summary().to_string(), lesson, "{}", entry.key);
        let has_fixed_steps = entry != &variable_step::ENTRY;
        assert_eq!(row.is_reproducible(), Some(has_fixed_steps));
    }
    let verdict = "Fixed step and Max frame skip play the same game at the same speed on both machines · Unsynced runs 14.9× as fast on one machine as on the other";
    assert_eq!(race.verdict().to_string(), verdict);
    for contestant in contestants(&race) {
        let ahead = contestant.clock() - race.time();
        assert!(ahead < MS(100), "{ahead}");
        // The picture is off by the error.
        let sight = contestant.samples.back().unwrap().sight;
        let off = (sight.drawn - sight.truth) * CROSSING.as_nanos() as f64;
        let error = contestant.stats().unwrap().error_nanos as f64;
        assert!((off - error).abs() < 1e3, "{off} {error}");
    }
}

#[test]
fn json_has_every_loops_figures_on_both_machines() {
    assert!(Race::default().to_json()["loops"][0]["fast"].is_null());
    let race = watched(Race::default(), 6);
    let json = race.to_json();
    assert_eq!(json["time_s"], race.time().as_secs_f64());
    assert_eq!(json["verdict"], race.verdict().to_string());
    assert_eq!(json["slow"]["render-ms"], 50.0);
    assert_eq!(json["both"]["cost-us"], 1000.0);
    for (index, row) in race.rows().iter().enumerate() {
        let (json, [fast, slow]) = (&json["loops"][index], row.stats().unwrap());
        assert_eq!(json["loop"], row.entry.key);
        assert_eq!(json["lesson"], row.summary().to_string());
        assert_eq!(json["fast"]["speed"], fast.speed);
        assert_eq!(json["slow"]["fps"], slow.fps);
        assert_eq!(json["ends"]["identical"].as_bool(), row.is_reproducible());
    }
}

#[test]
fn machine_knobs_are_separate_and_others_shared() {
    let given = KnobValues::with(&[
        (&COST, 500.0),
        (&STEP, 5.0),
        (&ENTITIES, 900.0),
        (&RENDER_MS, 77.0),
    ]);
    let mut race = Race::new(&given);
    let knobs = |race: &Race, knob: &Knob| Side::BOTH.map(|side| race.knob(side, knob));
    for (knob, values) in [
        (&COST, [500.0; 2]),
        (&STEP, [5.0; 2]),
        (&ENTITIES, [1.0; 2]),
        (&RENDER_MS, [3.0, 50.0]),
    ] {
        assert_eq!(knobs(&race, knob), values, "{}", knob.key);
    }
    assert_eq!(Race::default().knob(Side::Fast, &COST), FIRST_COST);
    race.set_knob(Side::Slow, &RENDER_MS, 1.0);
    race.set_knob(Side::Fast, &STEP, 10.0);
    race = watched(race, 3);
    let [fast, slow] = stats(&race, &fixed_step::ENTRY);
    assert_eq!((fast.step, slow.step), (MS(10), MS(10)));
    assert!((slow.fps - 60.0).abs() < 1.5, "{slow:?}");
    race.restart();
    assert_eq!(race.time(), Nanos::ZERO);
    assert!(race.rows()[0].stats().is_none());
    assert_eq!(knobs(&race, &RENDER_MS), [3.0, 1.0]);
}

#[test]
fn too_many_frames_only_slow_time_down() {
    let mut race = race_with(&[(&RENDER_MS, [0.0; 2]), (&DISPLAY_HZ, [10_000.0; 2])], 0);
    race.set_knob(Side::Fast, &COST, 0.0);
    assert!(!race.advance(Nanos::from_secs(1)));
    assert!(race.time() > MS(150) && race.time() < MS(250));
    race = watched(race, 4);
    // More than a crossing is simulated again. Time stops until that is done, then continues.
    let before = race.time();
    race.set_knob(Side::Fast, &STEP, 10.0);
    let continues = (0..20).position(|_| race.advance(MS(16)));
    assert!(continues.is_some_and(|pictures| pictures > 2));
    assert_eq!(race.time(), before + MS(16));
    for contestant in contestants(&race) {
        assert!(contestant.stats().unwrap().speed > 0.99);
        assert!(contestant.samples.len() < 8_000);
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
    // The fast machine now makes 5,000 flights per second.
    for (knob, value) in [(&STEP, 100.0), (&COST, 0.0), (&RENDER_MS, 0.0)] {
        race.set_knob(Side::Fast, knob, value);
    }
    for _ in 0..150 {
        race.advance(MS(50));
    }
    assert!(race.time() > Nanos::from_secs(8));
    assert_eq!(row(&race, &unsynced::ENTRY).is_reproducible(), Some(true));
}

#[test]
fn slightly_different_machines_are_not_called_equal() {
    let race = race_with(&[(&RENDER_MS, [3.0; 2]), (&DISPLAY_HZ, [144.0, 143.99])], 6);
    let of_loop = row(&race, &variable_step::ENTRY);
    let lesson = "real time on both · flights end less than 1 mm apart · steps: fast 6.944444 ms, slow 6.944927 ms";
    assert_eq!(of_loop.summary().to_string(), lesson);
    assert!(of_loop.summary().is_warning());
    // Rounding to whole nanoseconds can make the machines' steps differ by one, but they count as equal.
    let [fast, slow] = stats(&race, &constant_fps::ENTRY);
    assert!(fast.has_the_steps_of(&slow));
}

#[test]
fn equally_slow_machines_are_fair() {
    let knobs = [
        (&SPEED, [0.5; 2]),
        (&RENDER_MS, [10.0; 2]),
        (&DISPLAY_HZ, [60.0; 2]),
        (&COST, [COST.max; 2]),
    ];
    let race = race_with(&knobs, 12);
    let fair = "Unsynced, Constant FPS, Variable step, Fixed step and Max frame skip play the same game at the same speed on both machines";
    assert_eq!(race.verdict().to_string(), fair);
    let summary = row(&race, &fixed_step::ENTRY).summary().to_string();
    assert!(summary.contains("× real time · "), "{summary}");
}

#[test]
fn speed_is_measured_at_any_frame_length() {
    let race = race_with(&[(&LOOP_FPS, [1.0; 2]), (&RENDER_MS, [1000.0; 2])], 8);
    for entry in [&constant_fps::ENTRY, &variable_step::ENTRY] {
        for stats in stats(&race, entry) {
            assert!((stats.speed - 1.0).abs() < 0.01, "{stats:?}");
            assert!(stats.fps > 0.98 && stats.fps <= 1.0, "{stats:?}");
        }
    }
    for stats in stats(&race, &unsynced::ENTRY) {
        assert!((stats.speed - 0.02).abs() < 0.001, "{stats:?}");
    }
    // Frames take a little more than half a second.
    let race = race_with(&[(&RENDER_MS, [3.0, 600.0])], 8);
    let [_, slow] = stats(&race, &variable_step::ENTRY);
    assert!(slow.keeps_real_time(), "{slow:?}");
}

#[test]
fn knob_changes_are_measured_at_once_even_while_paused() {
    let mut race = watched(Race::default(), 7);
    let time = race.time();
    race.set_knob(Side::Slow, &RENDER_MS, 100.0);
    assert_eq!(race.time(), time);
    let of_loop = row(&race, &variable_step::ENTRY);
    assert_eq!(of_loop.stats().unwrap()[1].step, MS(102));
    assert!(of_loop.flight_ends().is_some());
    // Every row is at the same point of its crossing.
    let into_crossing = time.as_secs_f64() % 2.0 / 2.0;
    for contestant in contestants(&race) {
        let off = into_crossing - contestant.samples.back().unwrap().sight.truth;
        assert!((0.0..0.08).contains(&off), "{off}");
    }
    // Setting a knob to its current value changes nothing.
    let before = race.to_json();
    race.set_knob(Side::Slow, &RENDER_MS, 100.0);
    assert_eq!(race.to_json(), before);
}

#[test]
fn pictures_show_the_last_update_or_are_drawn_ahead_or_one_step_late() {
    for (mode, between_updates) in [
        (0.0, BetweenUpdates::LastUpdate),
        (1.0, BetweenUpdates::Extrapolated),
        (2.0, BetweenUpdates::Interpolated),
    ] {
        let mut race = Race::new(&KnobValues::with(&[(&STEP, 40.0), (&INTERPOLATE, mode)]));
        race.advance(MS(7_900));
        for entry in [&fixed_step::ENTRY, &max_frame_skip::ENTRY] {
            let [contestant, _] = &row(&race, entry).contestants;
            assert_eq!(contestant.between_updates(), Some(between_updates));
            // Max frame skip is compared with the clock after its updates, which take half a millisecond each.
            let slack = MS(u64::from(entry == &max_frame_skip::ENTRY)).over(CROSSING) + 1e-6;
            let samples: Vec<&Sample> = contestant.samples.iter().collect();
            let pairs = samples.windows(2).map(|pair| (pair[0], pair[1]));
            for (last, next) in pairs.filter(|(a, b)| a.sight.crossing == b.sight.crossing) {
                let jump = f64::from(next.updates) * MS(40).over(CROSSING);
                assert!((next.sight.updated - last.sight.updated - jump).abs() < slack);
                let length = (next.start - last.start).over(CROSSING);
                let is_last = between_updates == BetweenUpdates::LastUpdate;
                let expected = if is_last { jump } else { length };
                let moved = next.sight.drawn - last.sight.drawn;
                assert!((moved - expected).abs() < slack, "{moved} {expected}");
                let late = match between_updates {
                    BetweenUpdates::LastUpdate => 0..=40_000_001,
                    BetweenUpdates::Extrapolated => 0..=1,
                    BetweenUpdates::Interpolated => 39_999_999..=40_000_001,
                };
                assert!(
                    late.contains(&next.sight.error_nanos.abs()),
                    "{:?}",
                    next.sight
                );
            }
        }
        let others = [
            &unsynced::ENTRY,
            &constant_fps::ENTRY,
            &variable_step::ENTRY,
        ];
        for entry in others {
            let [contestant, _] = &row(&race, entry).contestants;
            assert_eq!(contestant.between_updates(), None);
        }
    }
}

#[test]
fn a_fixed_step_jerks_for_reasons_that_are_measured() {
    let why = |step, mode, displays: [f64; 2]| {
        let knobs = [
            (&STEP, [step; 2]),
            (&INTERPOLATE, [mode; 2]),
            (&DISPLAY_HZ, displays),
            (&RENDER_MS, [1.0; 2]),
            (&COST, [0.0; 2]),
        ];
        race_with(&knobs, 8).jerks().to_string()
    };
    for (step, mode, displays, words) in [
        (
            40.0,
            0.0,
            [144.0, 60.0],
            "25 updates a second · fast, 144 fps: 5 or 6 frames repeat a picture · slow, 60 fps: 2 or 3 frames repeat a picture · last update: jerky, and up to 39.7 ms late · 1 extrapolates, 2 interpolates",
        ),
        (
            20.0,
            1.0,
            [60.0, 20.0],
            "50 updates a second · fast, 60 fps: 1 or 2 frames would repeat a picture · slow, 20 fps: a frame would advance by 2 or 3 updates · extrapolated: smooth, but up to 2.85 cm past a bounce",
        ),
        (
            20.0,
            2.0,
            [100.0, 50.0],
            "50 updates a second · fast, 100 fps: 2 frames would repeat a picture · slow, 50 fps: every frame shows one new update · interpolated: smooth, but 20 ms late",
        ),
    ] {
        assert_eq!(why(step, mode, displays), words);
    }
    assert_eq!(Race::default().jerks().to_string(), "");
}

#[test]
fn only_extrapolation_overshoots_and_its_price_grows_with_the_step() {
    let stats_of = |step, mode| {
        let race = race_with(&[(&STEP, [step; 2]), (&INTERPOLATE, [mode; 2])], 8);
        stats(&race, &fixed_step::ENTRY)[0]
    };
    let ahead = [5.0, 20.0, 80.0].map(|step| stats_of(step, 1.0));
    for (stats, step) in ahead.iter().zip([0.005, 0.02, 0.08]) {
        // At most the fall of a step, at the speed of a bounce.
        assert!(
            (0.0..step * 9.81 * 0.2).contains(&stats.overshoot),
            "{stats:?}"
        );
        assert_eq!(stats.late, Nanos::ZERO);
    }
    assert!(ahead[2].overshoot > 3.0 * ahead[1].overshoot && ahead[1].overshoot > 0.02);
    for mode in [0.0, 2.0] {
        assert_eq!(stats_of(80.0, mode).overshoot, 0.0);
    }
    assert_eq!(stats_of(80.0, 2.0).late, MS(80));
    let late = stats_of(80.0, 0.0).late;
    assert!(MS(70) < late && late < MS(80), "{late}");
}

#[test]
fn the_verdict_says_while_figures_mix_two_situations() {
    for (disturbance, label) in [
        (Disturbance::KillAll, "Kill all"),
        (Disturbance::Deaths, "1 death"),
        (Disturbance::SlowDisplay, "30 Hz display"),
        (Disturbance::Stall, "Stall 500 ms"),
    ] {
        let mut race = watched(Race::default(), 4);
        let says_so = |race: &Race| race.verdict().to_string().contains("figures mix");
        assert!(!says_so(&race));
        race.disturb(disturbance);
        race.advance(MS(200));
        let verdict = race.verdict().to_string();
        let words = format!("figures mix frames before and after “{label}” · ");
        assert!(verdict.starts_with(&words), "{verdict}");
        race = watched(race, 2);
        assert!(!says_so(&race), "{label}");
        // Rows that start again have figures of the new situation only.
        race.disturb(Disturbance::Births);
        race.advance(MS(200));
        assert!(says_so(&race));
        race.set_knob(Side::Fast, &COST, 1.0);
        assert!(!says_so(&race), "{label}");
    }
}

#[test]
fn samples_show_a_disturbance_for_a_crossing() {
    let mut race = watched(Race::default(), 3);
    race.disturb(Disturbance::Stall);
    race = watched(race, 1);
    let has_line = |it: &Contestant| it.samples.iter().any(|sample| sample.is_disturbed);
    assert!(contestants(&race).all(has_line));
    race = watched(race, 11);
    assert!(!contestants(&race).any(has_line));
}

#[test]
fn restarted_rows_keep_lasting_disturbances() {
    let mut race = watched(Race::default(), 3);
    race.disturb(Disturbance::Births);
    race.disturb(Disturbance::SlowDisplay);
    race.disturb(Disturbance::Heavy);
    race.set_knob(Side::Fast, &RENDER_MS, 1.0);
    assert!(race.has_slow_display());
    race = watched(race, 1);
    for contestant in contestants(&race) {
        let lane = &contestant.lane;
        assert!(lane.has_slow_display() && lane.recovery().is_none());
        assert_eq!(lane.world().tasks().len(), 101);
        assert!(lane.world().heavy_task().is_some());
    }
    race.disturb(Disturbance::Heavy);
    let mut lanes = contestants(&race).map(|it| it.lane.world().heavy_task());
    assert!(lanes.all(|heavy| heavy.is_none()));
}

/// During and after a stall, a loop that makes up for a part of it must not seem faster than real time.
#[test]
fn no_loop_gains_from_a_stall() {
    let entries = [
        &constant_fps::ENTRY,
        &fixed_step::ENTRY,
        &max_frame_skip::ENTRY,
    ];
    for stall_ms in (4_000..6_000).step_by(175) {
        let mut race = Race::default();
        race.advance(MS(stall_ms));
        race.disturb(Disturbance::Stall);
        for _ in 0..56 {
            race.advance(MS(25));
            for stats in entries.iter().flat_map(|entry| stats(&race, entry)) {
                assert!(stats.speed < 1.06, "{stats:?}, stall at {stall_ms} ms");
            }
        }
    }
}
