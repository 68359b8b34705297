//! The machine of the window's lane.

use headless::sim::machine::{ClockReading, Host, Machine, RENDER_MS, Simulated};
use timeslicer::knob::{Knob, KnobValues};
use timeslicer::time::{ClockTime, Nanos};

/// Drawing on the simulated machine takes long enough to see in the plots.
const SIMULATED: &[(&Knob, f64)] = &[(&RENDER_MS, 2.0)];

/// This computer, or a simulated machine. The simulated one does not depend on this computer's speed, so each frame
/// looks the same in every run.
#[derive(Clone, Debug)]
pub enum WindowMachine {
    Host(Host),
    /// A simulated machine, which nothing can interrupt. The window only reads and sets its clock.
    Simulated(Simulated),
}

/// Calls a method that both machines have.
macro_rules! on_either {
    ($self:ident, $machine:ident => $call:expr) => {
        match $self {
            WindowMachine::Host($machine) => $call,
            WindowMachine::Simulated($machine) => $call,
        }
    };
}

impl WindowMachine {
    /// Returns a simulated machine with a 60 Hz display.
    pub fn simulated() -> Self {
        Self::Simulated(Simulated::new(&KnobValues::with(SIMULATED)))
    }

    /// Knobs of an equivalent simulated machine. For this computer, which has no equivalent, the defaults.
    pub fn knobs(&self) -> KnobValues {
        match self {
            Self::Host(_) => KnobValues::default(),
            Self::Simulated(_) => KnobValues::with(SIMULATED),
        }
    }

    pub fn is_simulated(&self) -> bool {
        matches!(self, Self::Simulated(_))
    }

    pub fn host(&mut self) -> Option<&mut Host> {
        match self {
            Self::Host(host) => Some(host),
            Self::Simulated(_) => None,
        }
    }

    /// Sets the clock, which continues from `time`.
    pub fn set_clock(&mut self, time: ClockTime) {
        on_either!(self, machine => machine.set_clock(time));
    }

    /// Leaves `time` out of the frame because the program was interrupted for that long.
    pub fn leave_out(&mut self, time: Nanos) {
        if let Self::Host(host) = self {
            host.leave_out(time);
        }
    }
}

impl Machine for WindowMachine {
    fn stall(&mut self, time: Nanos) {
        on_either!(self, machine => machine.stall(time));
    }

    fn slow_display(&mut self, hz: Option<f64>) {
        on_either!(self, machine => machine.slow_display(hz));
    }

    fn clock(&self) -> ClockTime {
        on_either!(self, machine => machine.clock())
    }

    fn has_time_for(&self, cost: impl FnOnce() -> Nanos) -> bool {
        on_either!(self, machine => machine.has_time_for(cost))
    }

    fn clock_reading(&self) -> Option<ClockReading> {
        on_either!(self, machine => machine.clock_reading())
    }

    fn work(&mut self, cost: Nanos) -> Nanos {
        on_either!(self, machine => machine.work(cost))
    }

    fn render(&mut self) {
        on_either!(self, machine => machine.render());
    }

    fn wait_until(&mut self, time: ClockTime) {
        on_either!(self, machine => machine.wait_until(time));
    }

    fn wait_for_display(&mut self, frame_start: ClockTime) {
        on_either!(self, machine => machine.wait_for_display(frame_start));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simulated_clock_moves_only_when_set() {
        let mut machine = WindowMachine::simulated();
        for time in [1000, 3, 0].map(|millis| ClockTime::at(Nanos::from_millis(millis))) {
            machine.set_clock(time);
            machine.leave_out(Nanos::SECOND);
            assert_eq!(machine.clock(), time);
        }
    }
}
