//! Every task runs within the time that its strategy promises.

use crate::checked_lane::{CheckedLane, steady_events};
use crate::steps::{fraction, steady, wild_under_one_strategy};
use crate::table::Table;
use crate::{KNOBS, for_every_lane, for_every_strategy};
use proptest::collection::vec;

#[test]
fn promises_hold_while_dead_tasks_are_replaced() {
    let values = (1usize..40, vec(fraction(), KNOBS), steady(80));
    for_every_strategy(&values, |entry, (count, fractions, steps)| {
        let mut table = Table::new(entry, count, &fractions);
        for step in &steps {
            let promises = table.promises();
            if table.step(step).is_some() {
                table.assert_promises_kept(&promises);
            }
        }
    });
}

#[test]
fn promises_hold_again_after_random_steps() {
    let values = (
        0usize..20,
        vec(fraction(), KNOBS),
        wild_under_one_strategy(40),
        steady(60),
    );
    for_every_strategy(&values, |entry, (count, fractions, wild, calm)| {
        let mut table = Table::new(entry, count, &fractions);
        for step in &wild {
            table.step(step);
        }
        table.settle();
        for step in &calm {
            let promises = table.promises();
            if table.step(step).is_some() {
                table.assert_promises_kept(&promises);
            }
        }
    });
}

#[test]
fn promises_hold_in_a_lane_under_churn() {
    let values = (
        0u64..1000,
        1u32..40,
        0.0..0.6f64,
        fraction(),
        steady_events(80),
    );
    for_every_lane(
        &values,
        |entry, frame_loop, (seed, count, churn, knob, events)| {
            let mut lane = CheckedLane::new(entry, frame_loop, seed);
            lane.set("entities", f64::from(count));
            lane.set_fraction("churn-per-s", churn);
            lane.set_fraction("cost-spread", 0.3);
            lane.set("requests-per-s", 0.0); // only events make requests
            for own in entry.own_knobs() {
                lane.set_fraction(own.key, knob);
            }
            lane.settle();
            for event in &events {
                lane.apply_and_check(event);
            }
        },
    );
}
