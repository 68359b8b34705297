//! Tests that switches between frame loops cause no burst, and that a loop ignores the knobs of other loops.
//!
//! The lanes of [`crate::checked_lane`] check that a loop accounts for all real time, so that nothing starts a burst of
//! updates.

use lab::catalog::frame_loop::constant_fps::LOOP_FPS;
use lab::catalog::frame_loop::knobs::DROP_DEBT;
use lab::catalog::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use lab::catalog::knob::Knob;
use lab::measure::MeasuredLane;
use lab::sim::machine::{ADAPTIVE_SYNC, Machine, RENDER_MS, Simulated};
use lab::sim::settings::{Owner, all_knobs};
use lab::sim::world::ENTITIES;
use lab::testing::lane_of;
use timeslicer::time::Nanos;

/// Creates a lane with these knobs and no entities.
fn empty(frame_loop: &FrameLoopEntry, set: &[(&Knob, f64)]) -> MeasuredLane<Simulated> {
    let set = [&[(&ENTITIES, 0.0)], set].concat();
    lane_of("every-frame", frame_loop.key, &set)
}

#[test]
fn loops_ignore_knobs_of_other_loops() {
    for frame_loop in FRAME_LOOPS {
        let set = [(&RENDER_MS, 7.3), (&LOOP_FPS, 59.94)];
        let (mut unchanged, mut turned) = (empty(frame_loop, &set), empty(frame_loop, &set));
        let foreign = all_knobs()
            .into_iter()
            .filter(|(owner, _)| ![Owner::Machine, Owner::Limit].contains(owner))
            .map(|(_, knob)| knob)
            .filter(|knob| !frame_loop.knobs.contains(knob) && **knob != ENTITIES);
        for knob in foreign.cycle().take(200) {
            turned.set_knob(knob, knob.max);
            assert_eq!(unchanged.frame(), turned.frame(), "{}", knob.key);
            let deltas = [&unchanged, &turned].map(|lane| {
                let deltas = lane.updates().iter().map(|update| update.delta);
                deltas.collect::<Vec<_>>()
            });
            assert_eq!(deltas[0], deltas[1], "{}", knob.key);
        }
    }
}

#[test]
fn a_loop_runs_the_same_after_a_switch() {
    for from in FRAME_LOOPS {
        for to in FRAME_LOOPS {
            // Use adaptive sync: otherwise, the first frame after the switch would begin between two refreshes.
            let set = [(&RENDER_MS, 30.0), (&DROP_DEBT, 0.0), (&ADAPTIVE_SYNC, 1.0)];
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
