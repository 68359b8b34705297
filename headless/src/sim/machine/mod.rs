//! Machines: clock, processor and display of a lane.

mod host;
mod simulated;

pub use host::{FRAME_CAP, Host, INTERRUPTED_FROM};
pub use simulated::{DISPLAY_HZ, LEAST_FRAME, RENDER_MS, SPEED, Simulated};

use timeslicer::knob::{Knob, KnobValues};
use timeslicer::time::{ClockTime, Nanos};

pub static KNOBS: &[Knob] = &[DISPLAY_HZ, SPEED, RENDER_MS];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockReading {
    pub takes: Nanos,
    pub step: Nanos,
}

/// Clock, processor and display.
///
/// The [`Host`] is this computer: it reads the real clock, burns processor time and sleeps. A [`Simulated`] machine
/// burns nothing: work and waiting only advance its own clock. The same lane runs on both.
pub trait Machine {
    /// Adopts the current values of its knobs, if it has any.
    fn tune(&mut self, _knobs: &KnobValues) {}

    fn stall(&mut self, time: Nanos);

    /// Limits the display's refresh rate to `hz`; `None` restores its own rate.
    fn slow_display(&mut self, hz: Option<f64>);

    /// Returns the machine's clock. It goes back only if it is set, for example after a pause.
    fn clock(&self) -> ClockTime;

    /// Returns false if the machine does no work of this `cost` in the current frame, because the frame has taken too
    /// long already. Asks for the cost only if there is a limit.
    fn has_time_for(&self, _cost: impl FnOnce() -> Nanos) -> bool {
        true
    }

    /// Returns the properties of the machine's clock; `None` if only work, drawing and waiting advance it.
    fn clock_reading(&self) -> Option<ClockReading> {
        None
    }

    fn work(&mut self, cost: Nanos) -> Nanos;

    /// Returns the speed of the processor: work of cost c takes c divided by it. The default is 1.
    fn speed(&self) -> f64 {
        1.0
    }

    /// Draws the picture, if the machine does so by itself.
    fn render(&mut self) {}

    /// Waits until the clock shows `time`; returns at once if `time` has passed.
    fn wait_until(&mut self, time: ClockTime);

    /// Returns the minimum length of a frame, whatever the frame loop waits for.
    fn least_frame(&self) -> Nanos {
        Nanos::ZERO
    }

    /// Waits until the display accepts the picture of the frame that started at `frame_start`.
    fn wait_for_display(&mut self, frame_start: ClockTime);
}
