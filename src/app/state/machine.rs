//! The machine of the window's lane.

use headless::sim::machine::{ClockReading, Host, Machine, RENDER_MS, Simulated};
use timeslicer::knob::KnobValues;
use timeslicer::time::{ClockTime, Nanos};

/// Drawing time on the simulated machine: long enough to see in the plots.
const DRAWING_MS: f64 = 2.0;

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
        Self::Simulated(Simulated::new(&simulated_knobs()))
    }

    /// Knobs of an equivalent simulated machine. For this computer, which has no equivalent, the defaults.
    pub fn knobs(&self) -> KnobValues {
        match self {
            Self::Host(_) => KnobValues::default(),
            Self::Simulated(_) => simulated_knobs(),
        }
    }

    pub fn is_simulated(&self) -> bool {
        matches!(self, Self::Simulated(_))
    }

    /// Sets the clock, which continues from `time`.
    pub fn set_clock(&mut self, time: ClockTime) {
        on_either!(self, machine => machine.set_clock(time));
    }

    /// Sets the minimum frame period, which a timer enforces because the display does not hold frames back. `None`
    /// stops the timer.
    pub fn set_min_period(&mut self, period: Option<Nanos>) {
        if let Self::Host(host) = self {
            host.set_min_period(period);
        }
    }

    /// Resolution of the clock; `None` if it is simulated and has no fixed steps.
    pub fn resolution(&self) -> Option<Nanos> {
        match self {
            Self::Host(host) => Some(host.resolution()),
            Self::Simulated(_) => None,
        }
    }

    /// Time that the caller must still wait because the machine cannot wait itself. Zero if the machine has waited.
    pub fn left_to_wait(&mut self) -> Nanos {
        match self {
            Self::Host(host) => host
                .take_due()
                .map_or(Nanos::ZERO, |due| due - host.clock()),
            Self::Simulated(_) => Nanos::ZERO,
        }
    }

    pub fn start_frame(&mut self) {
        if let Self::Host(host) = self {
            host.start_frame();
        }
    }

    /// Leaves `time` out of the frame because the program was interrupted for that long.
    pub fn leave_out(&mut self, time: Nanos) {
        if let Self::Host(host) = self {
            host.leave_out(time);
        }
    }

    pub fn left_out(&self) -> Nanos {
        match self {
            Self::Host(host) => host.left_out(),
            Self::Simulated(_) => Nanos::ZERO,
        }
    }
}

fn simulated_knobs() -> KnobValues {
    KnobValues::with(&[(&RENDER_MS, DRAWING_MS)])
}

impl Machine for WindowMachine {
    fn stall(&mut self, time: Nanos) {
        on_either!(self, machine => machine.stall(time));
    }

    fn slow_display(&mut self, hz: Option<f64>) {
        on_either!(self, machine => machine.slow_display(hz));
    }

    fn speed(&self) -> f64 {
        on_either!(self, machine => machine.speed())
    }

    fn least_frame(&self) -> Nanos {
        on_either!(self, machine => machine.least_frame())
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
