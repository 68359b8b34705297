//! Properties of every frame loop on any machine: it accounts for all real time, and it recovers from stalls, switches
//! and turned knobs without a burst of updates. Fixed steps are deterministic.

use crate::check;

use crate::steps::{at_fraction, fraction, knob};
use headless::sim::machine::{LEAST_FRAME, Machine, Simulated};
use headless::sim::settings::{Owner, Settings, all_knobs};
use headless::sim::world::ENTITIES;
use headless::stats::MeasuredLane;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use timeslicer::frame_loop::{FRAME_LOOPS, FrameLoopEntry, by_key};
use timeslicer::time::{ClockTime, Nanos};

const LONG: Nanos = Nanos::from_secs(10);

/// Creates a lane with these knobs. It has no entities unless `set` says otherwise.
fn lane(frame_loop: &'static FrameLoopEntry, set: &[(&str, f64)]) -> MeasuredLane<Simulated> {
    let mut settings = Settings {
        frame_loop,
        strategy: timeslicer::strategy::by_key("every-frame").expect("it is registered"),
        ..Settings::default()
    };
    settings.knobs.set(knob("entities"), 0.0);
    for (key, value) in set {
        settings.knobs.set(knob(key), *value);
    }
    let machine = Simulated::new(&settings.knobs);
    MeasuredLane::new(settings, machine)
}

/// Returns the time up to which the loop has accounted for real time: the frame's start, or the end of the frame's
/// updates. Returns `None` if the loop never has debt.
fn accounts_until(lane: &MeasuredLane<Simulated>) -> Option<ClockTime> {
    match lane.settings().frame_loop.key {
        "constant-fps" | "fixed-step" => Some(lane.last_frame().start),
        "max-frame-skip" => Some(lane.machine().clock()),
        _ => None,
    }
}

/// Asserts, after a frame's updates, that simulated time, debt and dropped debt add up to the time that has passed. A
/// loop that updates at the start of a step may be ahead of real time by up to `longest`. It then has no debt.
fn assert_accounted(lane: &MeasuredLane<Simulated>, dropped: Nanos, longest: Nanos) {
    let frame = lane.last_frame();
    let name = lane.settings().frame_loop.key;
    assert!((0.0..=1.0).contains(&frame.alpha), "{name}: {frame:?}");
    let Some(clock) = accounts_until(lane) else {
        assert_eq!((frame.debt, dropped), (Nanos::ZERO, Nanos::ZERO), "{name}");
        return;
    };
    let account = lane.now().since_start() + frame.debt + dropped;
    let passed = clock.since_start();
    if name == "fixed-step" || !frame.debt.is_zero() {
        assert_eq!(account, passed, "{name}: {frame:?}");
    } else {
        let ahead = account - passed;
        assert!(account >= passed && ahead <= longest, "{name}: {frame:?}");
    }
    if name == "fixed-step" {
        assert!(frame.debt < frame.step && frame.alpha < 1.0, "{frame:?}");
    }
}

/// Makes a frame whose drawing takes the time `picture`, and checks its account. `longest` is the longest step so far.
fn frame(lane: &mut MeasuredLane<Simulated>, picture: Nanos, longest: &mut Nanos) {
    let dropped_before = lane.totals().debt_dropped();
    let updated = lane.begin_frame();
    *longest = lane.last_frame().step.max(*longest);
    let dropped = dropped_before + lane.last_frame().debt_dropped;
    assert_accounted(lane, dropped, *longest);

    lane.machine_mut().stall(picture);
    let drawn = lane.drawn(updated);
    let waited = lane.wait(drawn);
    let record = lane.finish(waited);
    let parts = record.task_time + record.scheduling + record.drawing + record.waiting;
    assert_eq!(parts, record.length);
    assert!(record.length >= LEAST_FRAME);
    assert_eq!(lane.totals().debt_dropped(), dropped);
}

fn picture() -> impl Strategy<Value = Nanos> {
    prop_oneof![
        2 => Just(0),
        8 => 0..50_000_000u64,
        2 => 0..2_000_000_000u64,
        1 => Just(10_000_000_000),
    ]
    .prop_map(Nanos::from_nanos)
}

#[test]
fn updates_and_debt_add_up_to_real_time() {
    let values = (
        vec(fraction(), 4),
        0u32..6,
        0.0..8000.0f64,
        vec(picture(), 1..60),
    );
    for frame_loop in FRAME_LOOPS {
        check(
            frame_loop.key,
            &values,
            |(own, count, cost_us, pictures)| {
                let set = [("entities", f64::from(count)), ("cost-us", cost_us)];
                let mut lane = lane(frame_loop, &set);
                for (own, fraction) in frame_loop.knobs.iter().zip(own) {
                    lane.set_knob(own, at_fraction(own, fraction));
                }
                let mut longest = Nanos::ZERO;
                for picture in pictures {
                    frame(&mut lane, picture, &mut longest);
                    let step = lane.last_frame().step.as_nanos();
                    // The steps of other loops vary from update to update.
                    if ["unsynced", "fixed-step", "max-frame-skip"].contains(&frame_loop.key) {
                        let simulated = lane.totals().updates() * step;
                        assert_eq!(lane.now().since_start().as_nanos(), simulated);
                    }
                }
            },
        );
    }
}

#[test]
fn turning_knobs_starts_no_burst() {
    let turn = prop_oneof![
        3 => Just(None),
        1 => (any::<Index>(), fraction()).prop_map(Some),
    ];
    let values = vec((turn, 0..50_000_000u64), 1..60);
    for frame_loop in FRAME_LOOPS {
        check(frame_loop.key, &values, |events| {
            let mut lane = lane(frame_loop, &[]);
            let mut longest = Nanos::ZERO;
            for (turn, picture) in events {
                if let (Some((pick, fraction)), false) = (turn, frame_loop.knobs.is_empty()) {
                    let own = pick.get(frame_loop.knobs);
                    lane.set_knob(own, at_fraction(own, fraction));
                }
                let (now, last) = (lane.now(), lane.last_frame());
                let owed = (lane.machine().clock() - last.start) + last.debt;
                frame(&mut lane, Nanos::from_nanos(picture), &mut longest);
                // Some loops update at the start of a step, so they may be a step ahead.
                let most = owed + lane.last_frame().step;
                assert!(lane.now() - now <= most, "{:?}", lane.last_frame());
            }
        });
    }
}

#[test]
fn loops_ignore_knobs_of_other_loops() {
    for frame_loop in FRAME_LOOPS {
        let set = [("render-ms", 7.3), ("loop-fps", 59.94)];
        let (mut unchanged, mut turned) = (lane(frame_loop, &set), lane(frame_loop, &set));
        let foreign = all_knobs()
            .into_iter()
            .filter(|(owner, _)| *owner != Owner::Machine)
            .map(|(_, knob)| knob)
            .filter(|knob| !frame_loop.knobs.contains(knob) && **knob != ENTITIES);
        for knob in foreign.cycle().take(200) {
            turned.set_knob(knob, knob.max);
            assert_eq!(unchanged.frame(), turned.frame(), "{}", knob.key);
        }
        let bits = |lane: &MeasuredLane<Simulated>| lane.body().motion().bits();
        assert_eq!(bits(&unchanged), bits(&turned));
    }
}

#[test]
fn loops_recover_from_any_stall_in_a_few_frames() {
    for frame_loop in FRAME_LOOPS {
        for stall in [LONG, Nanos::from_secs(36_000)] {
            let set = [("step-ms", 1.0), ("max-skip", 100.0), ("render-ms", 1.0)];
            let mut lane = lane(frame_loop, &set);
            (0..10).for_each(|_| drop(lane.frame().clone()));
            lane.machine_mut().stall(stall);
            let before = lane.now();
            for _ in 0..60 {
                // At most 250 ms are caught up, in steps of 1 ms.
                assert!(lane.frame().updates <= 250, "{}", frame_loop.key);
            }
            let caught_up = lane.last_frame().debt <= Nanos::from_millis(20);
            assert!(caught_up, "{}", frame_loop.key);
            let gained = lane.now() - before;
            match frame_loop.key {
                // One update covers the whole stall.
                "variable-step" => assert!(gained >= stall),
                _ => assert!(gained <= Nanos::from_millis(250 + 60 * 20)),
            }
            let lost = lane.totals().debt_dropped();
            if accounts_until(&lane).is_some() {
                assert!(lost + Nanos::from_millis(300) >= stall, "{lost}");
            }
        }
    }
}

#[test]
fn a_loop_runs_the_same_after_a_switch() {
    for from in FRAME_LOOPS {
        for to in FRAME_LOOPS {
            let set = [("render-ms", 30.0), ("drop-debt", 0.0)];
            let mut fresh = lane(to, &set);
            let mut switched = lane(from, &set);
            (0..20).for_each(|_| drop(switched.frame().clone()));
            switched.machine_mut().stall(LONG);
            switched.frame();
            switched.set_frame_loop(to);
            for number in 0..30 {
                let (expected, actual) = (fresh.frame().clone(), switched.frame().clone());
                let what = format!("{} to {}, frame {number}", from.key, to.key);
                assert_eq!(expected.updates, actual.updates, "{what}");
                assert_eq!(expected.step, actual.step, "{what}");
                assert_eq!(expected.alpha, actual.alpha, "{what}");
                assert_eq!(expected.debt, actual.debt, "{what}");
                // Display periods are rounded, so frames may differ by a nanosecond.
                let lengths = [expected, actual].map(|frame| frame.length.as_nanos());
                assert!(lengths[0].abs_diff(lengths[1]) <= 1, "{what}");
            }
        }
    }
}

#[test]
fn fixed_steps_stay_within_one_update_for_an_hour() {
    let fixed_step = by_key("fixed-step").expect("it is registered");
    for display_hz in [30.0, 59.94, 60.0, 144.0, 240.0] {
        let mut lane = lane(fixed_step, &[("display-hz", display_hz)]);
        let hundredths_hz = (display_hz * 100.0) as u64;
        let mut updates: u64 = 0;
        for frame in 0..=3600 * hundredths_hz / 100 {
            updates += u64::from(lane.frame().updates);
            // The frame starts after frame / rate seconds, and a step is 20 ms.
            let exact = frame * 100 * 50 / hundredths_hz;
            let off = updates.abs_diff(exact);
            assert!(off <= 1, "{updates} of {exact} at {frame}");
        }
        assert_eq!(lane.totals().debt_dropped(), Nanos::ZERO);
    }
}

/// Returns the end states of the first ten flights on a fast and a slow machine.
fn flights(frame_loop: &'static FrameLoopEntry) -> [Vec<[u32; 4]>; 2] {
    [
        [("display-hz", 144.0), ("render-ms", 1.0)],
        [("display-hz", 20.0), ("render-ms", 50.0)],
    ]
    .map(|machine| {
        let mut lane = lane(frame_loop, &machine);
        let mut ends = Vec::new();
        while ends.len() < 10 {
            lane.frame();
            let flight = lane.body().last_flight();
            if let Some(flight) = flight.filter(|flight| flight.number == ends.len() as u64) {
                ends.push(flight.end.bits());
            }
        }
        ends
    })
}

#[test]
fn only_fixed_steps_are_bit_identical_on_all_machines() {
    for frame_loop in FRAME_LOOPS {
        let fixed = (frame_loop.make)().step().is_some();
        let [fast, slow] = flights(frame_loop);
        assert_eq!(fast == slow, fixed, "{}", frame_loop.key);
    }
}

/// Returns the projectile's error in ms in the last frame of its second crossing, on a machine with these knobs.
fn error_ms(frame_loop: &'static FrameLoopEntry, set: &[(&str, f64)]) -> f64 {
    let mut lane = lane(frame_loop, set);
    let mut error = 0;
    while lane.projectile().sight().crossing < 2 {
        error = lane.projectile().sight().error_nanos;
        lane.frame();
    }
    error as f64 / 1e6
}

#[test]
fn loops_that_follow_real_time_place_the_projectile() {
    let fast = [("display-hz", 144.0), ("render-ms", 5.0), ("step-ms", 20.0)];
    let slow = [("display-hz", 20.0), ("render-ms", 50.0), ("step-ms", 20.0)];
    for frame_loop in FRAME_LOOPS {
        let [fast, slow] = [&fast, &slow].map(|set| error_ms(frame_loop, set));
        let name = format!("{}: {fast} ms, {slow} ms", frame_loop.key);
        match frame_loop.key {
            // A crossing takes 2 s. In each second, the fast machine makes 200 steps of 20 ms, so it simulates 4 s. The
            // slow machine makes 20 steps and simulates 0.4 s.
            "unsynced" => assert!(fast > 5_900.0 && slow < -1_150.0, "{name}"),
            "constant-fps" => assert!(fast.abs() < 0.001 && slow < -1_290.0, "{name}"),
            _ => assert!(fast.abs() < 0.001 && slow.abs() < 0.001, "{name}"),
        }
    }
}

#[test]
fn every_loop_has_one_or_two_short_lines_of_code() {
    for entry in FRAME_LOOPS {
        let lines: Vec<&str> = entry.code.lines().collect();
        assert!((1..=2).contains(&lines.len()), "{}", entry.key);
        assert!(lines.iter().all(|line| line.len() <= 30), "{}", entry.key);
        assert!(entry.code.contains("draw("), "{}", entry.key);
    }
}
