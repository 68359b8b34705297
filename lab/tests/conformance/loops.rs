//! Tests what a frame loop has to do with other loops: switches between them, and their knobs.
//!
//! The lanes of [`crate::checked_lane`] check that a loop accounts for all real time, so that nothing starts a burst of
//! updates.

use crate::values::lane;
use lab::catalog::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
use lab::catalog::strategy::STRATEGIES;
use lab::measure::MeasuredLane;
use lab::sim::machine::{Machine, Simulated};
use lab::sim::settings::{Owner, all_knobs};
use lab::sim::world::ENTITIES;
use timeslicer::time::Nanos;

/// Creates a lane with these knobs and no entities.
fn empty(frame_loop: &'static FrameLoopEntry, set: &[(&str, f64)]) -> MeasuredLane<Simulated> {
    let set = [&[("entities", 0.0)], set].concat();
    lane(STRATEGIES[0], frame_loop, 0, &set)
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
