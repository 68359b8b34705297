//! Tests of `Timeslicer`. They share a clock that they advance, and functions for many tasks at once.

mod games;
mod updates;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use timeslicer::strategy::Strategy;
use timeslicer::{TaskId, Timeslicer};

const FRAME: Duration = Duration::from_millis(16);

#[derive(Clone, Default)]
struct Clock(Arc<AtomicU64>);

impl Clock {
    fn advance(&self, micros: u64) {
        self.0.fetch_add(micros, Ordering::Relaxed);
    }

    fn now(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }

    /// Returns a clock for a timeslicer.
    fn reader(&self) -> impl FnMut() -> Duration + Send + Sync + 'static {
        let clock = self.clone();
        move || clock.now()
    }

    /// Creates a timeslicer that reads this clock.
    fn slicer<S: Strategy>(&self, strategy: S) -> Timeslicer<u32, S> {
        Timeslicer::new(strategy).with_clock(self.reader())
    }
}

/// Adds tasks with the keys from 0 to `count`.
fn add<S: Strategy>(slicer: &mut Timeslicer<u32, S>, count: u32) -> Vec<TaskId> {
    (0..count).map(|key| slicer.add(key)).collect()
}

fn request<S: Strategy>(slicer: &mut Timeslicer<u32, S>, tasks: &[TaskId]) {
    for &task in tasks {
        slicer.request(task);
    }
}
