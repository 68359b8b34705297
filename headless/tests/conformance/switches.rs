//! Changes of strategy, frame loop and knobs while a lane runs.

use crate::checked_lane::{CheckedLane, events};
use crate::{every_lane, for_every_lane};
use timeslicer::strategy::STRATEGIES;

/// Knobs for churn, requests and unequal costs.
const BUSY: &[(&str, f64)] = &[
    ("entities", 40.0),
    ("churn-per-s", 20.0),
    ("requests-per-s", 5.0),
    ("cost-spread", 1.0),
    ("interval-s", 0.3),
    ("max-tasks", 7.0),
    ("groups", 12.0),
];

#[test]
fn promises_hold_again_after_any_change() {
    for_every_lane(&events(80), |entry, frame_loop, events| {
        let mut lane = CheckedLane::new(entry, frame_loop, 0);
        for event in &events {
            lane.apply_and_check(event);
        }
        lane.check_report();
    });
}

#[test]
fn tasks_survive_a_switch_to_any_strategy() {
    for (from, frame_loop) in every_lane() {
        for to in STRATEGIES {
            let mut lane = CheckedLane::with(from, frame_loop, 3, BUSY);
            (0..60).for_each(|_| lane.frame());
            let runs_before = lane.lane.totals().runs();
            lane.switch(to);
            lane.settle();
            let fresh = CheckedLane::with(to, frame_loop, 3, BUSY);
            let expected = fresh.lane.strategy().promise();
            assert_eq!(lane.lane.strategy().promise(), expected);
            for _ in 0..60 {
                lane.frame();
                lane.assert_promise_kept();
            }
            let ran = lane.lane.totals().runs() > runs_before;
            assert!(ran, "{} to {} on {}", from.key, to.key, frame_loop.key);
        }
    }
}
