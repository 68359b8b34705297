//! A game with copies of this crate's files instead of a dependency on the crate. It needs only the four modules below.
//!
//! Every sentry requests a decision, and each update spends half a millisecond on decisions.

#![allow(
    dead_code,
    unused_imports,
    unexpected_cfgs,
    reason = "a game deletes the parts that it does not need, and may have no feature `serde`"
)]

#[path = "../src/scheduler/mod.rs"]
mod scheduler;
#[path = "../src/strategy/mod.rs"]
mod strategy;
#[path = "../src/time.rs"]
mod time;
#[path = "../src/timeslicer/mod.rs"]
mod timeslicer;

use crate::timeslicer::Timeslicer;
use std::time::Duration;
use strategy::TimeBudget;

fn main() {
    let mut deciding = Timeslicer::new(TimeBudget::new(Duration::from_micros(500)));
    for sentry in 0..100 {
        let task = deciding.add(sentry);
        deciding.request(task);
    }
    for frame in 1..=30 {
        let decided = deciding.update(Duration::from_millis(16), |sentry: i32, _elapsed| {
            let roots = (0..20_000).map(|x| f64::from(x + sentry).sqrt());
            std::hint::black_box(roots.sum::<f64>());
        });
        if decided > 0 {
            println!(
                "frame {frame:2}: {decided} decide, {} wait",
                deciding.backlog()
            );
        }
    }
}
