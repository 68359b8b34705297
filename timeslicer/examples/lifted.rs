//! A game can contain copies of modules instead of depending on the crate. A strategy needs only the four modules
//! below.
//!
//! When something moves here, the game requests a decision from every sentry. Each update spends half a millisecond on
//! decisions.

#![allow(
    dead_code,
    unused_imports,
    reason = "a game deletes the parts that it does not need"
)]

#[path = "../src/knob.rs"]
mod knob;
#[path = "../src/scheduler/mod.rs"]
mod scheduler;
#[path = "../src/strategy/mod.rs"]
mod strategy;
#[path = "../src/time.rs"]
mod time;

use scheduler::{TaskId, Tasks, UpdateContext};
use strategy::{Strategy, TimeBudget};
use time::{GameTime, Nanos};

fn main() {
    let mut tasks = Tasks::new();
    let mut strategy = TimeBudget::new(Nanos::from_micros(500));
    let sentries: Vec<TaskId> = (0..100).map(|_| tasks.insert(GameTime::START)).collect();
    for &sentry in &sentries {
        strategy.insert(sentry);
    }
    let mut now = GameTime::START;
    for frame in 1..=30 {
        let delta = Nanos::from_millis(16);
        now += delta;
        if frame == 10 {
            // Something moves.
            for &sentry in &sentries {
                strategy.request(sentry);
            }
        }
        let mut decided = 0;
        let mut decide = |_: TaskId, _: Nanos| {
            decided += 1;
            std::hint::black_box((0..20_000).map(f64::from).map(f64::sqrt).sum::<f64>());
        };
        strategy.update(&mut UpdateContext::new(delta, now, &mut tasks, &mut decide));
        if decided > 0 {
            println!(
                "frame {frame:2}: {decided} decide, {} wait",
                strategy.backlog()
            );
        }
    }
}
