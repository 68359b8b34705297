//! Tests that every frame loop recovers from stalls, switches and knob changes without a burst of updates.
//!
//! The lanes of [`crate::checked_lane`] check that a loop accounts for all real time. The loop comparison in
//! `lab::experiment` checks on which machines it plays the same game.

use crate::values::{for_every_loop, fraction, lane, value_at};
use lab::catalog::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use lab::catalog::strategy::STRATEGIES;
use lab::measure::MeasuredLane;
use lab::sim::machine::{Machine, Simulated};
use lab::sim::settings::{Owner, all_knobs};
use lab::sim::world::ENTITIES;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use timeslicer::time::Nanos;

/// Creates a lane with these knobs and no entities.
fn empty(frame_loop: &'static FrameLoopEntry, set: &[(&str, f64)]) -> MeasuredLane<Simulated> {
    let set = [&[("entities", 0.0)], set].concat();
    lane(STRATEGIES[0], frame_loop, 0, &set)
}

#[test]
fn turning_knobs_starts_no_burst() {
    let turn = prop_oneof![
        3 => Just(None),
        1 => (any::<Index>(), fraction()).prop_map(Some),
    ];
    let values = vec((turn, 0..50_000_000u64), 1..60);
    for_every_loop(&values, |frame_loop, events| {
        let mut lane = empty(frame_loop, &[]);
        for (turn, drawing) in events {
            if let (Some((pick, fraction)), false) = (turn, frame_loop.knobs.is_empty()) {
                let own = pick.get(frame_loop.knobs);
                lane.set_knob(own, value_at(own, fraction));
            }
            let (now, last) = (lane.now(), lane.last_frame());
            let owed = (lane.machine().clock() - last.start) + last.debt;
            lane.frame();
            lane.machine_mut().stall(Nanos::from_nanos(drawing));
            // Some loops update at the start of a step, so they may be one step ahead.
            let most = owed + lane.last_frame().step;
            assert!(lane.now() - now <= most, "{:?}", lane.last_frame());
        }
    });
}

#[test]
fn loops_ignore_knobs_of_other_loops() {
    for frame_loop in FRAME_LOOPS {
        let set = [("render-ms", 7.3), ("loop-fps", 59.94)];
        let (mut unchanged, mut turned) = (empty(frame_loop, &set), empty(frame_loop, &set));
        let foreign = all_knobs()
            .into_iter()
            .filter(|(owner, _)| *owner != Owner::Machine)
            .map(|(_, knob)| knob)
            .filter(|knob| !frame_loop.knobs.contains(knob) && **knob != ENTITIES);
        for knob in foreign.cycle().take(200) {
            turned.set_knob(knob, knob.max);
            assert_eq!(unchanged.frame(), turned.frame(), "{}", knob.key);
        }
        let bits = |lane: &MeasuredLane<Simulated>| lane.body().motion.bits();
        assert_eq!(bits(&unchanged), bits(&turned));
    }
}

#[test]
fn loops_recover_from_any_stall_in_a_few_frames() {
    for frame_loop in FRAME_LOOPS {
        for stall in [Nanos::from_secs(10), Nanos::from_secs(36_000)] {
            let set = [("step-ms", 1.0), ("max-skip", 100.0), ("render-ms", 1.0)];
            let mut lane = empty(frame_loop, &set);
            (0..10).for_each(|_| drop(lane.frame().clone()));
            lane.machine_mut().stall(stall);
            let before = lane.now();
            for _ in 0..60 {
                // Loops catch up at most 250 ms, in steps of 1 ms.
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
            let lost = lane.report().debt_dropped;
            if !["unsynced", "variable-step"].contains(&frame_loop.key) {
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
            let mut fresh = empty(to, &set);
            let mut switched = empty(from, &set);
            (0..20).for_each(|_| drop(switched.frame().clone()));
            switched.machine_mut().stall(Nanos::from_secs(10));
            switched.frame();
            switched.set_frame_loop(to);
            for number in 0..30 {
                let (expected, actual) = (fresh.frame().clone(), switched.frame().clone());
                let what = format!("{} to {}, frame {number}", from.key, to.key);
                assert_eq!(expected.updates, actual.updates, "{what}");
                assert_eq!(expected.step, actual.step, "{what}");
                assert_eq!(expected.alpha, actual.alpha, "{what}");
                assert_eq!(expected.debt, actual.debt, "{what}");
                // Display periods are rounded, so frame lengths may differ by a nanosecond.
                let lengths = [expected, actual].map(|frame| frame.length.as_nanos());
                assert!(lengths[0].abs_diff(lengths[1]) <= 1, "{what}");
            }
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
