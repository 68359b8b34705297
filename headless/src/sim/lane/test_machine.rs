//! Machine for tests of measuring: each reading of its clock takes time, and so does everything that a test wants.

use crate::sim::machine::{ClockReading, Machine};
use std::cell::Cell;
use timeslicer::time::{ClockTime, Nanos};

thread_local! {
    /// Time on the clock of this thread's machines, in nanoseconds.
    static NANOS: Cell<u64> = const { Cell::new(987_654_321) };
}

/// Lets time pass on the clock of this thread's machines.
pub(super) fn pass(nanos: u64) {
    NANOS.set(NANOS.get() + nanos);
}

/// Machine whose clock advances by a known time with each reading and each task, and by [`pass`].
#[derive(Debug)]
pub(super) struct TestMachine {
    reading: ClockReading,
    /// Time left for tasks.
    pub(super) time_left: Nanos,
}

impl TestMachine {
    /// Creates a machine whose clock takes `reading_ns` to read, and has steps of `step_ns`.
    pub(super) fn new(reading_ns: u64, step_ns: u64) -> Self {
        Self {
            reading: ClockReading {
                takes: Nanos::from_nanos(reading_ns),
                step: Nanos::from_nanos(step_ns),
            },
            time_left: Nanos::MAX,
        }
    }
}

impl Machine for TestMachine {
    fn stall(&mut self, time: Nanos) {
        pass(time.as_nanos());
    }

    fn slow_display(&mut self, _hz: Option<f64>) {}

    fn clock(&self) -> ClockTime {
        let (before, step) = (NANOS.get(), self.reading.step.as_nanos());
        pass(self.reading.takes.as_nanos());
        ClockTime::at(Nanos::from_nanos(before / step * step))
    }

    fn clock_reading(&self) -> Option<ClockReading> {
        Some(self.reading)
    }

    fn has_time_for(&self, cost: impl FnOnce() -> Nanos) -> bool {
        cost() <= self.time_left
    }

    fn work(&mut self, cost: Nanos) -> Nanos {
        self.time_left -= cost;
        pass(cost.as_nanos());
        cost
    }

    fn render(&mut self) {}

    fn wait_until(&mut self, _time: ClockTime) {}

    fn wait_for_display(&mut self, _frame_start: ClockTime) {
        pass(16_000_000);
    }
}
