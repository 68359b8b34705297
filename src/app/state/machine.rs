//! What the window's lane runs on.

use crate::sim::machine::{Host, Machine, RENDER_MS, Simulated};
use timeslice::knob::KnobValues;
use timeslice::time::{ClockTime, Nanos};

/// How long the simulated machine draws a picture: enough for drawing to be seen in the plots.
const DRAWING_MS: f64 = 2.0;

/// This computer; or a simulated machine, on which nothing depends on how fast this computer is, so that a
/// frame of the same number is the same picture in every run.
#[derive(Clone, Debug)]
pub enum WindowMachine {
    /// This computer.
    Host(Host),
    /// A simulated machine. To hold and to set its clock is all that it knows of the window: nothing from
    /// outside can hold it up.
    Simulated(Simulated),
}

impl WindowMachine {
    /// A simulated one, with a display of 60 Hz.
    pub fn simulated() -> Self {
        Self::Simulated(Simulated::new(&simulated_knobs()))
    }

    /// The knobs of a simulated machine that is like it, as far as there is one: this computer has none.
    pub fn knobs(&self) -> KnobValues {
        match self {
            Self::Host(_) => KnobValues::default(),
            Self::Simulated(_) => simulated_knobs(),
        }
    }

    /// Whether its time is not this computer's.
    pub fn is_simulated(&self) -> bool {
        matches!(self, Self::Simulated(_))
    }

    /// From here on the clock shows `time` and goes on from there.
    pub fn set_clock(&mut self, time: ClockTime) {
        match self {
            Self::Host(host) => host.set_clock(time),
            Self::Simulated(machine) => machine.set_clock(time),
        }
    }

    /// Where the display does not hold frames back by itself, each is kept at least this long.
    pub fn set_min_period(&mut self, period: Option<Nanos>) {
        if let Self::Host(host) = self {
            host.set_min_period(period);
        }
    }

    /// The least step of its clock; none where it goes as it is told to.
    pub fn resolution(&self) -> Option<Nanos> {
        match self {
            Self::Host(host) => Some(host.resolution()),
            Self::Simulated(_) => None,
        }
    }

    /// How long somebody else has to wait for what was asked of it; not at all where it has waited itself.
    pub fn left_to_wait(&mut self) -> Nanos {
        match self {
            Self::Host(host) => host
                .take_due()
                .map_or(Nanos::ZERO, |due| due - host.clock()),
            Self::Simulated(_) => Nanos::ZERO,
        }
    }

    /// A frame starts.
    pub fn start_frame(&mut self) {
        if let Self::Host(host) = self {
            host.start_frame();
        }
    }

    /// Something outside has held the program up for `time`.
    pub fn leave_out(&mut self, time: Nanos) {
        if let Self::Host(host) = self {
            host.leave_out(time);
        }
    }

    /// The time of this frame that was left out because something outside held the program up.
    pub fn left_out(&self) -> Nanos {
        match self {
            Self::Host(host) => host.left_out(),
            Self::Simulated(_) => Nanos::ZERO,
        }
    }

    /// The cost of this frame's tasks that was left out because the window would not be usable otherwise.
    pub fn forgone(&self) -> Nanos {
        match self {
            Self::Host(host) => host.forgone(),
            Self::Simulated(_) => Nanos::ZERO,
        }
    }
}

fn simulated_knobs() -> KnobValues {
    KnobValues::with(&[(&RENDER_MS, DRAWING_MS)])
}

impl Machine for WindowMachine {
    fn stall(&mut self, time: Nanos) {
        match self {
            Self::Host(host) => host.stall(time),
            Self::Simulated(machine) => machine.stall(time),
        }
    }

    fn slow_display(&mut self, hz: Option<f64>) {
        match self {
            Self::Host(host) => host.slow_display(hz),
            Self::Simulated(machine) => machine.slow_display(hz),
        }
    }

    fn least_frame(&self) -> Nanos {
        match self {
            Self::Host(host) => host.least_frame(),
            Self::Simulated(machine) => machine.least_frame(),
        }
    }

    fn clock(&self) -> ClockTime {
        match self {
            Self::Host(host) => host.clock(),
            Self::Simulated(machine) => machine.clock(),
        }
    }

    fn work(&mut self, cost: Nanos) -> Nanos {
        match self {
            Self::Host(host) => host.work(cost),
            Self::Simulated(machine) => machine.work(cost),
        }
    }

    fn render(&mut self) {
        match self {
            Self::Host(host) => host.render(),
            Self::Simulated(machine) => machine.render(),
        }
    }

    fn wait_until(&mut self, time: ClockTime) {
        match self {
            Self::Host(host) => host.wait_until(time),
            Self::Simulated(machine) => machine.wait_until(time),
        }
    }

    fn wait_for_display(&mut self, frame_start: ClockTime) {
        match self {
            Self::Host(host) => host.wait_for_display(frame_start),
            Self::Simulated(machine) => machine.wait_for_display(frame_start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simulated_machines_clock_can_be_set_forwards_and_back_and_stands_by_itself() {
        let mut machine = WindowMachine::simulated();
        for time in [1000, 3, 0].map(|millis| ClockTime::at(Nanos::from_millis(millis))) {
            machine.set_clock(time);
            machine.leave_out(Nanos::SECOND);
            assert_eq!(machine.clock(), time);
        }
    }
}
