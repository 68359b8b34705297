//! A machine is the clock, the processor and the display that a lane runs on.

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

/// The clock, the processor and the display that a lane runs on.
///
/// The [`Host`] is this computer. It reads the real clock, burns processor time and sleeps. A [`Simulated`] machine
/// burns no processor time, because work and waiting only advance its own clock. The same lane code runs on both.
pub trait Machine {
    /// Applies the current values of the machine's knobs, if it has any.
    fn tune(&mut self, _knobs: &KnobValues) {}

    fn stall(&mut self, time: Nanos);

    /// Limits the display's refresh rate to `hz`. `None` restores the display's own rate.
    fn slow_display(&mut self, hz: Option<f64>);

    /// Returns the machine's clock. It goes back only if someone sets it, for example after a pause.
    fn clock(&self) -> ClockTime;

    /// Returns false if the current frame is already too long for more work of this `cost`. Calls `cost` only if the
    /// machine limits the work in a frame.
    fn has_time_for(&self, _cost: impl FnOnce() -> Nanos) -> bool {
        true
    }

    /// Returns the properties of the machine's clock, or `None` if only work, drawing and waiting advance the clock.
    fn clock_reading(&self) -> Option<ClockReading> {
        None
    }

    fn work(&mut self, cost: Nanos) -> Nanos;

    /// Returns the speed of the processor. Work of cost c takes the time c / speed.
    fn speed(&self) -> f64 {
        1.0
    }

    /// Draws the frame, if the machine itself does the drawing.
    fn render(&mut self) {}

    /// Waits until the clock shows `time`. Returns at once if `time` has passed.
    fn wait_until(&mut self, time: ClockTime);

    /// Returns the minimum length of a frame, whatever the frame loop waits for.
    fn least_frame(&self) -> Nanos {
        Nanos::ZERO
    }

    /// Waits until the display accepts the frame that started at `frame_start`.
    fn wait_for_display(&mut self, frame_start: ClockTime);
}
