//! Strategies, frame loops and knobs changed while a lane runs.

use crate::watched::{Watched, moments};
use crate::{every_lane, for_every_lane};
use timeslice::strategy::STRATEGIES;

/// Churn, requests and unequal costs.
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
fn bounds_hold_again_after_switches_and_turned_knobs() {
    for_every_lane(&moments(80), |entry, frame_loop, moments| {
        let mut lane = Watched::new(entry, frame_loop, 0);
        for moment in &moments {
            lane.live(moment);
        }
        lane.check_report();
    });
}

#[test]
fn every_strategy_hands_everybody_over_to_every_other() {
    for (from, frame_loop) in every_lane() {
        for to in STRATEGIES {
            let mut lane = Watched::with(from, frame_loop, 3, BUSY);
            (0..60).for_each(|_| lane.frame());
            let runs_before = lane.lane.totals().runs();
            lane.switch(to);
            lane.settle();
            let fresh = Watched::with(to, frame_loop, 3, BUSY);
            let own_wait = fresh.lane.strategy().promise();
            assert_eq!(lane.lane.strategy().promise(), own_wait);
            for _ in 0..60 {
                lane.frame();
                lane.assert_nobody_waits_too_long();
            }
            let ran = lane.lane.totals().runs() > runs_before;
            assert!(ran, "{} to {} on {}", from.key, to.key, frame_loop.key);
        }
    }
}
