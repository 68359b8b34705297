//! Measures the time that a strategy takes.

use crate::sim::machine::{ClockReading, Machine};
use timeslicer::time::{ClockTime, Nanos};

/// Adds up the spans in which the strategy is at work, without the time that measuring takes.
///
/// The end of a span includes one reading of the clock, which is subtracted. On a clock of coarse steps, a span usually
/// measures nothing and sometimes a whole step, so only the mean over many updates is exact: what cannot be subtracted
/// now is subtracted later.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stopwatch {
    since: ClockTime,
    measured: Nanos,
    spans: u64,
    /// Time to subtract from later spans, a few steps of the clock at most.
    excess: Nanos,
}

impl Stopwatch {
    /// Begins a span.
    pub(super) fn start(&mut self, machine: &impl Machine) {
        self.since = machine.clock();
    }

    /// Ends the span.
    pub(super) fn stop(&mut self, machine: &impl Machine) {
        self.measured += machine.clock() - self.since;
        self.spans += 1;
    }

    /// Returns the length of the spans since the last call, by a clock with these properties.
    pub(super) fn take(&mut self, reading: ClockReading) -> Nanos {
        let readings = Nanos::from_nanos(reading.takes.as_nanos().saturating_mul(self.spans));
        let too_much = readings + self.excess;
        let time = self.measured - too_much; // zero at least
        let most_excess = Nanos::from_nanos(8 * reading.step.as_nanos());
        *self = Self {
            excess: (too_much - self.measured).min(most_excess),
            ..Self::default()
        };
        time
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::lane::test_machine::{TestMachine, pass};

    #[test]
    fn readings_of_the_clock_are_subtracted() {
        let machine = TestMachine::new(40, 1);
        let mut stopwatch = Stopwatch::default();
        for span in [0, 7, 1000] {
            for _ in 0..10 {
                stopwatch.start(&machine);
                pass(span);
                stopwatch.stop(&machine);
                pass(5000);
            }
            let reading = machine.clock_reading().unwrap();
            assert_eq!(stopwatch.take(reading), Nanos::from_nanos(10 * span));
        }
    }

    #[test]
    fn a_coarse_clock_is_right_on_average() {
        for step in [5_000, 100_000, 1_000_000] {
            let machine = TestMachine::new(300, step);
            let mut stopwatch = Stopwatch::default();
            let mut sum = Nanos::ZERO;
            for _ in 0..10_000 {
                for _ in 0..20 {
                    stopwatch.start(&machine);
                    pass(250);
                    stopwatch.stop(&machine);
                    pass(1_777);
                }
                pass(16_000_011);
                sum += stopwatch.take(machine.clock_reading().unwrap());
            }
            let mean = sum.as_nanos() / 10_000;
            assert!((4_500..5_500).contains(&mean), "{step}: {mean}");
        }
    }
}
