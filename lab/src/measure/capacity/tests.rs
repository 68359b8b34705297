//! Compares the estimated capacity with lanes on simulated machines.

use super::*;
use crate::catalog::frame_loop::knobs::{SNAP, STEP};
use crate::catalog::knob::Knob;
use crate::catalog::strategy::STRATEGIES;
use crate::catalog::strategy::knobs::{BUDGET, INTERVAL, PREDICT};
use crate::measure::MeasuredLane;
use crate::sim::machine::{DISPLAY_HZ, JITTER_MS, Simulated};
use crate::sim::world::{COST, COST_SPREAD, FALLOFF, Point};
use crate::testing::{lane, lane_of, run_to};

fn capacity(lane: &MeasuredLane<Simulated>) -> Capacity {
    let budget = lane.settings().knobs.span(&BUDGET);
    Capacity::of(&lane.report(), budget)
}

/// Returns a report on a lane whose target rests in a corner.
fn measured(strategy: &str, set: &[(&Knob, f64)], entities: usize) -> Report {
    let mut lane = lane(strategy, &[set, &[(&ENTITIES, entities as f64)]].concat());
    lane.pin_target(Some(Point { x: 0.0, y: 0.0 }));
    (0..900).for_each(|_| drop(lane.frame().clone()));
    lane.report()
}

#[test]
fn the_capacity_fits_and_half_more_does_not() {
    for (set, budget_ms) in [
        (&[(&COST, 20.0), (&FALLOFF, 0.0)][..], 1.0),
        (
            &[(&COST, 400.0), (&INTERVAL, 0.2), (&DISPLAY_HZ, 144.0)],
            4.0,
        ),
        (&[(&COST, 50.0), (&COST_SPREAD, 0.5)], 4.0),
        (&[(&COST, 300.0), (&PREDICT, 0.0)], 4.0),
    ] {
        let set = [set, &[(&BUDGET, budget_ms)]].concat();
        let budget = Nanos::from_millis_f64(budget_ms);
        for strategy in STRATEGIES {
            let of = measured(strategy.key, &set, 300);
            let Some(Most::About(most)) = of.most_within(budget) else {
                continue;
            };
            let fits = |entities: f64| {
                let of = measured(strategy.key, &set, entities as usize);
                if of.stops_at_budget() {
                    // Near full load, some tasks wait by chance and make no requests meanwhile, so allow some slack.
                    of.demand().is_some_and(|demand| demand < 1.05)
                } else {
                    of.busy_update() <= budget
                }
            };
            // The estimate ignores that random phases are less even if there are few entities, so allow more slack.
            let few = if strategy.is_random() { 0.5 } else { 0.75 };
            let found = [few, 1.5].map(|share| fits(share * most as f64 + 1.0));
            assert_eq!(found, [true, false], "{}: {most}, {set:?}", strategy.key);
        }
    }
}

#[test]
fn frames_with_several_updates_do_not_halve_the_capacity() {
    let set = [(&JITTER_MS, 0.3), (&STEP, 16.666_667), (&SNAP, 0.0)];
    let mut lane = lane_of("fixed-interval", "fixed-step", &set);
    run_to(&mut lane, 10);
    assert_eq!(capacity(&lane).most.in_words(), "about 1,100");
}

#[test]
fn steady_work_fits_exactly() {
    use Most::{About, Any, FewerThan, NoLimit, Unknown};
    for (strategy, set, most) in [
        ("every-frame", &[][..], About(40)),
        ("every-frame", &[(&COST, 16.1), (&BUDGET, 0.161)], About(10)),
        ("every-frame", &[(&COST, 0.0)], NoLimit),
        ("all-at-once", &[], About(40)),
        ("max-per-frame", &[], Any),
        ("max-per-frame", &[(&COST, 2_000.0)], About(2)),
        ("fixed-interval", &[], About(1_200)),
        ("fixed-interval", &[(&DISPLAY_HZ, 144.0)], About(2_880)),
        ("fixed-interval", &[(&ENTITIES, 9_000.0)], FewerThan(9_000)),
        ("fixed-interval", &[(&ENTITIES, 0.0)], Unknown),
        ("stagger-groups", &[], About(1_200)),
        ("balanced-slots", &[], About(1_200)),
        ("weighted-share", &[], Any),
    ] {
        let mut lane = lane(strategy, set);
        (0..120).for_each(|_| drop(lane.frame().clone()));
        let of = capacity(&lane);
        match (of.most, most) {
            // The first update runs no tasks.
            (About(found), About(most)) => {
                assert!(
                    found.abs_diff(most) * 100 <= most,
                    "{strategy} {set:?}: {found}"
                );
            }
            (found, most) => assert_eq!(found, most, "{strategy} {set:?}"),
        }
        let is_exceeded = match most {
            About(most) => most < 400,
            other => matches!(other, FewerThan(_)),
        };
        assert_eq!(of.is_exceeded(), is_exceeded);
    }
}

#[test]
fn the_words_have_the_numbers() {
    let idle = capacity(&lane_of("every-frame", "fixed-step", &[]));
    assert_eq!(
        (idle.most, idle.budget.as_str()),
        (Most::Unknown, "4 ms per update")
    );
    for (count, words) in [(0, "about 0"), (7, "about 7"), (1_259, "about 1,200")] {
        assert_eq!(Most::About(count).in_words(), words);
    }
}
