use super::*;
use crate::catalog::frame_loop::constant_fps::LOOP_FPS;
use crate::catalog::frame_loop::knobs::{GAME_SPEED, INTERPOLATE, SNAP, STEP};
use crate::catalog::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use crate::catalog::frame_loop::{
    constant_fps, fixed_step, max_frame_skip, unsynced, variable_step,
};
use crate::catalog::knob::{Knob, KnobValues};
use crate::testing::MS;

const NAMES: [&str; 2] = ["fast", "slow"];

/// Advances a comparison by `secs`, at 60 frames per second.
fn watched(mut loop_comparison: LoopComparison, secs: u64) -> LoopComparison {
    let end = loop_comparison.time() + Nanos::from_secs(secs);
    while loop_comparison.time() < end {
        assert!(loop_comparison.advance(MS(16)));
    }
    loop_comparison
}

/// Creates a comparison with these knobs on both machines and advances it by `secs`.
fn comparison_with(knobs: &[(&'static Knob, [f64; 2])], secs: u64) -> LoopComparison {
    let mut loop_comparison = LoopComparison::of(Machines::FastAndSlow);
    for &(knob, [fast, slow]) in knobs {
        loop_comparison.set_knob(Side::Left, knob, fast);
        loop_comparison.set_knob(Side::Right, knob, slow);
    }
    watched(loop_comparison, secs)
}

fn row<'a>(loop_comparison: &'a LoopComparison, entry: &FrameLoopEntry) -> &'a LoopRow {
    let mut rows = loop_comparison.rows.iter();
    rows.find(|row| row.entry == entry)
        .expect("a row for each loop")
}

fn stats(loop_comparison: &LoopComparison, entry: &FrameLoopEntry) -> [LoopStats; 2] {
    row(loop_comparison, entry).stats().unwrap()
}

fn loop_machines(loop_comparison: &LoopComparison) -> impl Iterator<Item = &LoopMachine> {
    loop_comparison
        .rows
        .iter()
        .flat_map(|row| &row.loop_machines)
}

#[test]
fn each_loop_has_a_character() {
    let mut loop_comparison = LoopComparison::of(Machines::FastAndSlow);
    let verdict = "first results after 2 s of game time";
    assert_eq!(loop_comparison.verdict().to_string(), verdict);
    assert!(loop_comparison.rows[0].summary(NAMES).clauses.is_empty());
    loop_comparison = watched(loop_comparison, 8);
    let lessons = [
        // A frame advances 20 ms of game time. It takes 3.5 ms on the fast machine and 52 ms on the slow one,
        // whose display then shows it for four refreshes.
        "5.71× real time on the fast machine, 0.38× on the slow one · bit-identical on both machines · the same steps of 20 ms · the fast machine is never idle",
        "0.32× real time on the slow machine · bit-identical on both machines · the slow machine loses 679 ms per second · the same steps of 16.7 ms",
        "real time on both machines · the shots end 1.1 m apart · steps of 6.94 ms (fast) and 66.7 ms (slow)",
        "real time on both machines · bit-identical on both machines · the same steps of 20 ms",
        "real time on both machines · bit-identical on both machines · the same steps of 20 ms",
    ];
    assert_eq!(loop_comparison.rows.len(), FRAME_LOOPS.len());
    for ((row, &entry), lesson) in loop_comparison.rows.iter().zip(FRAME_LOOPS).zip(lessons) {
        assert_eq!(row.entry, entry);
        assert_eq!(row.summary(NAMES).to_string(), lesson, "{}", entry.key);
        let has_fixed_steps = entry != &variable_step::ENTRY;
        assert_eq!(row.is_reproducible(), Some(has_fixed_steps));
    }
    let verdict = "Fixed step and Max frame skip play the same game at the same speed on both machines · Unsynced runs 14.9× as fast on one machine as on the other";
    assert_eq!(loop_comparison.verdict().to_string(), verdict);
    for loop_machine in loop_machines(&loop_comparison) {
        let ahead = loop_machine.clock() - loop_comparison.time();
        assert!(ahead < MS(100), "{ahead}");
        // The distance between the drawn and the true position of the projectile must equal the reported error.
        let sight = loop_machine.samples.back().unwrap().sight;
        let off = (sight.drawn - sight.truth) * LAP.as_nanos() as f64;
        let error = loop_machine.stats().unwrap().error_nanos as f64;
        assert!((off - error).abs() < 1e3, "{off} {error}");
    }
}

#[test]
fn a_fast_game_is_compared_with_its_own_speed() {
    let fast_game = comparison_with(&[(&GAME_SPEED, [3.0; 2])], 6);
    for entry in [
        &variable_step::ENTRY,
        &fixed_step::ENTRY,
        &max_frame_skip::ENTRY,
    ] {
        let [fast, _] = stats(&fast_game, entry);
        assert!(fast.error_nanos.abs() < 1_000_000, "{}", entry.key);
        assert!((fast.speed - 3.0).abs() < 0.03, "{}", entry.key);
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
    let mut loop_comparison = LoopComparison::new(&given);
    let knobs = |loop_comparison: &LoopComparison, knob: &Knob| {
        Side::BOTH.map(|side| loop_comparison.knob(side, knob))
    };
    for (knob, values) in [
        (&COST, [500.0; 2]),
        (&STEP, [5.0; 2]),
        (&ENTITIES, [1.0; 2]),
        (&RENDER_MS, [3.0, 50.0]),
    ] {
        assert_eq!(knobs(&loop_comparison, knob), values, "{}", knob.key);
    }
    assert_eq!(
        LoopComparison::of(Machines::FastAndSlow).knob(Side::Left, &COST),
        DEFAULT_COST_MICROS
    );
    loop_comparison.set_knob(Side::Right, &RENDER_MS, 1.0);
    loop_comparison.set_knob(Side::Left, &STEP, 10.0);
    loop_comparison = watched(loop_comparison, 3);
    let [fast, slow] = stats(&loop_comparison, &fixed_step::ENTRY);
    assert_eq!((fast.step, slow.step), (MS(10), MS(10)));
    assert!((slow.fps - 60.0).abs() < 1.5, "{slow:?}");
    loop_comparison.restart();
    assert_eq!(loop_comparison.time(), Nanos::ZERO);
    assert!(loop_comparison.rows[0].stats().is_none());
    assert_eq!(knobs(&loop_comparison, &RENDER_MS), [3.0, 1.0]);
}

#[test]
fn too_many_frames_only_slow_time_down() {
    let mut loop_comparison =
        comparison_with(&[(&RENDER_MS, [0.0; 2]), (&DISPLAY_HZ, [10_000.0; 2])], 0);
    loop_comparison.set_knob(Side::Left, &COST, 0.0);
    assert!(!loop_comparison.advance(Nanos::from_secs(1)));
    assert!(loop_comparison.time() > MS(150) && loop_comparison.time() < MS(250));
    loop_comparison = watched(loop_comparison, 4);
    // The new step makes the loops simulate more than a lap again. The comparison's time stands still meanwhile.
    let before = loop_comparison.time();
    loop_comparison.set_knob(Side::Left, &STEP, 10.0);
    let continues = (0..20).position(|_| loop_comparison.advance(MS(16)));
    assert!(continues.is_some_and(|pictures| pictures > 2));
    assert_eq!(loop_comparison.time(), before + MS(16));
    for loop_machine in loop_machines(&loop_comparison) {
        assert!(loop_machine.stats().unwrap().speed > 0.99);
        assert!(loop_machine.samples.len() < 8_000);
    }
}

#[test]
fn flight_ends_are_known_after_each_crossing() {
    let mut loop_comparison = watched(LoopComparison::of(Machines::FastAndSlow), 2);
    assert!(loop_comparison.advance(MS(400)));
    for row in &loop_comparison.rows {
        // Shots take longer if the slow machine slows the game down.
        let slowed = [&unsynced::ENTRY, &constant_fps::ENTRY].contains(&row.entry);
        assert_eq!(row.shot_ends().is_none(), slowed, "{}", row.entry.key);
    }
    // The fast machine now makes 5,000 shots per second.
    for (knob, value) in [(&STEP, 100.0), (&COST, 0.0), (&RENDER_MS, 0.0)] {
        loop_comparison.set_knob(Side::Left, knob, value);
    }
    for _ in 0..150 {
        loop_comparison.advance(MS(50));
    }
    assert!(loop_comparison.time() > Nanos::from_secs(8));
    assert_eq!(
        row(&loop_comparison, &unsynced::ENTRY).is_reproducible(),
        Some(true)
    );
}

#[test]
fn slightly_different_machines_are_not_called_equal() {
    let loop_comparison =
        comparison_with(&[(&RENDER_MS, [3.0; 2]), (&DISPLAY_HZ, [144.0, 143.99])], 6);
    let of_loop = row(&loop_comparison, &variable_step::ENTRY);
    assert_eq!(of_loop.is_reproducible(), Some(false));
    assert!(of_loop.summary(NAMES).is_warning());
    // Rounding to whole nanoseconds can make the machines' steps differ by one, but they count as equal.
    let [fast, slow] = stats(&loop_comparison, &constant_fps::ENTRY);
    assert!(fast.has_the_steps_of(&slow));
}

#[test]
fn jitter_is_compared_with_an_exact_clock() {
    let mut given = KnobValues::with(&[(&JITTER_MS, 0.4)]);
    let comparison = LoopComparison::new(&given);
    assert_eq!(comparison.machines, Machines::ExactAndJittery);
    let jitters = Side::BOTH.map(|side| comparison.knob(side, &JITTER_MS));
    assert_eq!(jitters, [0.0, 0.4]);
    let mut shown = watched(comparison, 8);
    let summary = row(&shown, &fixed_step::ENTRY).summary(shown.machines.names());
    let words = "jittery: ";
    assert!(
        summary.is_warning() && summary.to_string().contains(words),
        "{summary}"
    );
    assert!(
        shown
            .jerks()
            .to_string()
            .contains("exact, 60 fps: one update per frame")
    );
    shown.set_knob(Side::Right, &SNAP, 1.0);
    let snapped = watched(shown, 4);
    let with_one = stats(&snapped, &fixed_step::ENTRY).map(|it| it.by_updates[1]);
    assert_eq!(with_one, [1.0; 2]);
    snapped.give_knobs(&mut given);
    let again = LoopComparison::new(&given);
    for side in Side::BOTH {
        let knobs = [&JITTER_MS, &SNAP, &STEP];
        assert_eq!(
            knobs.map(|it| again.knob(side, it)),
            knobs.map(|it| snapped.knob(side, it))
        );
    }
}

#[test]
fn speed_is_measured_at_any_frame_length() {
    let loop_comparison = comparison_with(&[(&LOOP_FPS, [1.0; 2]), (&RENDER_MS, [1000.0; 2])], 8);
    for entry in [&constant_fps::ENTRY, &variable_step::ENTRY] {
        for stats in stats(&loop_comparison, entry) {
            assert!((stats.speed - 1.0).abs() < 0.01, "{stats:?}");
            assert!(stats.fps > 0.98 && stats.fps <= 1.0, "{stats:?}");
        }
    }
    for stats in stats(&loop_comparison, &unsynced::ENTRY) {
        assert!((stats.speed - 0.02).abs() < 0.001, "{stats:?}");
    }
    // Frames take a little more than half a second.
    let loop_comparison = comparison_with(&[(&RENDER_MS, [3.0, 600.0])], 8);
    let [_, slow] = stats(&loop_comparison, &variable_step::ENTRY);
    assert!(slow.keeps_real_time(), "{slow:?}");
}

#[test]
fn knob_changes_are_measured_at_once_even_while_paused() {
    let mut loop_comparison = watched(LoopComparison::of(Machines::FastAndSlow), 7);
    let time = loop_comparison.time();
    loop_comparison.set_knob(Side::Right, &RENDER_MS, 100.0);
    assert_eq!(loop_comparison.time(), time);
    let of_loop = row(&loop_comparison, &variable_step::ENTRY);
    assert_eq!(
        of_loop.stats().unwrap()[1].step,
        Nanos::from_nanos(116_666_667)
    );
    assert!(of_loop.shot_ends().is_some());
    // Every row is at the same point of its lap.
    let into_lap = time.as_secs_f64() % 2.0 / 2.0;
    for loop_machine in loop_machines(&loop_comparison) {
        let off = into_lap - loop_machine.samples.back().unwrap().sight.truth;
        assert!((0.0..0.08).contains(&off), "{off}");
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
        comparison_with(&knobs, 8).jerks().to_string()
    };
    for (step, mode, displays, words) in [
        (
            40.0,
            0.0,
            [144.0, 60.0],
            "25 updates per second · fast, 144 fps: 5 or 6 frames per update · slow, 60 fps: 2 or 3 frames \
                per update · last update: jerky, and up to 40 ms late",
        ),
        (
            20.0,
            1.0,
            [60.0, 20.0],
            "50 updates per second · fast, 60 fps: 1 or 2 frames per update · slow, 20 fps: 2 or 3 updates per frame · extrapolated: smooth, but up to 2.85 cm past a bounce",
        ),
        (
            20.0,
            2.0,
            [100.0, 50.0],
            "50 updates per second · fast, 100 fps: 2 frames per update · slow, 50 fps: one update per frame · interpolated: smooth, but 20 ms late",
        ),
    ] {
        assert_eq!(why(step, mode, displays), words);
    }
    assert_eq!(
        LoopComparison::of(Machines::FastAndSlow)
            .jerks()
            .to_string(),
        ""
    );
}

#[test]
fn only_extrapolation_overshoots_and_its_price_grows_with_the_step() {
    let stats_of = |step, mode| {
        let loop_comparison = comparison_with(&[(&STEP, [step; 2]), (&INTERPOLATE, [mode; 2])], 8);
        stats(&loop_comparison, &fixed_step::ENTRY)[0]
    };
    let ahead = [5.0, 20.0, 80.0].map(|step| stats_of(step, 1.0));
    for (stats, step) in ahead.iter().zip([0.005, 0.02, 0.08]) {
        // The overshoot is at most the distance that the projectile falls in one step at the speed of a bounce.
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
fn restarted_rows_keep_lasting_disturbances() {
    let mut loop_comparison = watched(LoopComparison::of(Machines::FastAndSlow), 3);
    loop_comparison.disturb(Disturbance::Births, &KnobValues::default());
    loop_comparison.disturb(Disturbance::SlowDisplay, &KnobValues::default());
    loop_comparison.disturb(Disturbance::Heavy, &KnobValues::default());
    loop_comparison.set_knob(Side::Left, &RENDER_MS, 1.0);
    assert!(loop_comparison.has_slow_display());
    loop_comparison = watched(loop_comparison, 1);
    for loop_machine in loop_machines(&loop_comparison) {
        let lane = &loop_machine.lane;
        assert!(lane.has_slow_display() && lane.recovery().is_none());
        assert_eq!(lane.world().tasks().len(), 101);
        assert!(lane.world().heavy().is_some());
    }
    loop_comparison.disturb(Disturbance::Heavy, &KnobValues::default());
    let mut lanes = loop_machines(&loop_comparison).map(|it| it.lane.world().heavy());
    assert!(lanes.all(|heavy| heavy.is_none()));
}

/// During and after a stall, a loop that makes up for part of the stall must not seem faster than real time.
#[test]
fn no_loop_gains_from_a_stall() {
    let entries = [
        &constant_fps::ENTRY,
        &fixed_step::ENTRY,
        &max_frame_skip::ENTRY,
    ];
    for stall_ms in (4_000..6_000).step_by(175) {
        let mut loop_comparison = LoopComparison::of(Machines::FastAndSlow);
        loop_comparison.advance(MS(stall_ms));
        loop_comparison.disturb(Disturbance::Stall, &KnobValues::default());
        for _ in 0..56 {
            loop_comparison.advance(MS(25));
            for stats in entries
                .iter()
                .flat_map(|entry| stats(&loop_comparison, entry))
            {
                assert!(stats.speed < 1.06, "{stats:?}, stall at {stall_ms} ms");
            }
        }
    }
}
