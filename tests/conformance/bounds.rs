//! Every task runs within the bound that its strategy promises.

use crate::steps::{fraction, steady, wild_under_one_strategy};
use crate::table::Table;
use crate::watched::{Watched, steady_moments};
use crate::{for_every_lane, for_every_strategy};
use proptest::collection::vec;

#[test]
fn the_promise_holds_while_the_dead_are_replaced() {
    let values = (1usize..40, vec(fraction(), 2), steady(160));
    for_every_strategy(&values, |entry, (count, fractions, steps)| {
        let mut table = Table::new(entry, count, &fractions);
        for step in &steps {
            let wait = table.strategy.promise();
            if table.step(step).is_some() {
                table.assert_nobody_waits_longer_than(wait);
            }
        }
    });
}

#[test]
fn the_bound_holds_again_from_when_a_wild_time_ends() {
    let values = (
        0usize..20,
        vec(fraction(), 2),
        wild_under_one_strategy(40),
        steady(100),
    );
    for_every_strategy(&values, |entry, (count, fractions, wild, calm)| {
        let mut table = Table::new(entry, count, &fractions);
        for step in &wild {
            table.step(step);
        }
        table.settle();
        for step in &calm {
            let wait = table.strategy.promise();
            if table.step(step).is_some() {
                table.assert_nobody_waits_longer_than(wait);
            }
        }
    });
}

#[test]
fn the_promise_holds_in_a_lane_under_churn() {
    let values = (
        0u64..1000,
        1u32..40,
        0.0..0.6f64,
        fraction(),
        steady_moments(80),
    );
    for_every_lane(
        &values,
        |entry, frame_loop, (seed, count, churn, knob, moments)| {
            let mut lane = Watched::new(entry, frame_loop, seed);
            lane.set("entities", f64::from(count));
            lane.set_fraction("churn-per-s", churn);
            lane.set_fraction("cost-spread", 0.3);
            lane.set("requests-per-s", 0.0); // who asks is what the moments say
            for own in entry.knobs {
                lane.set_fraction(own.key, knob);
            }
            lane.settle();
            for moment in &moments {
                lane.live(moment);
            }
        },
    );
}
