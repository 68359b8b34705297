//! The machine that a simulated game runs on, which consists of a clock, a processor and a display.

mod host;
mod simulated;

pub use host::{FRAME_CAP, Host, INTERRUPTED_FROM};
pub use simulated::{
    ADAPTIVE_SYNC, DISPLAY_HZ, JITTER_MS, LEAST_FRAME, RENDER_MS, SPEED, Simulated,
};

use super::recording::Recording;
use crate::catalog::knob::{Knob, KnobValues};
use timeslicer::frame_loop::Pace;
use timeslicer::time::{ClockTime, Nanos};

pub static KNOBS: &[Knob] = &[DISPLAY_HZ, ADAPTIVE_SYNC, JITTER_MS, SPEED, RENDER_MS];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockReading {
    pub takes: Nanos,
    pub step: Nanos,
}

/// A machine that a game can run on, which consists of a clock, a processor and a display.
///
/// There are two kinds of machines. The [`Host`] is this computer, which spends processor time on each task and sleeps
/// when it has to wait. A [`Simulated`] machine spends no processor time, because tasks and waiting only advance its
/// own clock.
pub trait Machine {
    /// Applies the current values of the machine's knobs. Does nothing if the machine has no knobs.
    fn tune(&mut self, _knobs: &KnobValues) {}

    /// Replaces the display by recorded frame times, from their beginning. Does nothing on this computer.
    fn replay(&mut self, _recorded: Option<Recording>) {}

    fn stall(&mut self, time: Nanos);

    /// Limits the display's refresh rate, in hertz. `None` restores the original refresh rate.
    fn slow_display(&mut self, hz: Option<f64>);

    /// Returns the time of the machine's clock. This time goes back only if the clock is set, for example after a
    /// pause.
    fn clock(&self) -> ClockTime;

    /// Returns true if another task of the given cost can still run in this frame. `cost` is called only on a machine
    /// that limits the time for tasks in a frame.
    fn has_time_for(&self, _cost: impl FnOnce() -> Nanos) -> bool {
        true
    }

    /// Returns the properties of a real clock, or `None` if the clock is simulated.
    fn clock_reading(&self) -> Option<ClockReading> {
        None
    }

    fn is_simulated(&self) -> bool {
        self.clock_reading().is_none()
    }

    fn work(&mut self, cost: Nanos) -> Nanos;

    /// Returns the speed of the processor. At a speed of 2, each task takes half of its cost.
    fn speed(&self) -> f64 {
        1.0
    }

    /// Simulates the drawing of the frame. Does nothing on this computer, where the window draws it.
    fn render(&mut self) {}

    /// Waits as the frame loop requires, after the frame that started at `frame_start` has been drawn.
    fn wait(&mut self, frame_start: ClockTime, pace: Pace);
}
