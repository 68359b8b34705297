//! Machines: the clock, processor and display that a lane runs on.

mod host;
mod simulated;

pub use host::{FRAME_CAP, HELD_UP, Host};
pub use simulated::{DISPLAY_HZ, LEAST_FRAME, RENDER_MS, SPEED, Simulated};

use timeslice::knob::{Knob, KnobValues};
use timeslice::time::{ClockTime, Nanos};

/// The knobs of a simulated machine.
pub static KNOBS: &[Knob] = &[DISPLAY_HZ, SPEED, RENDER_MS];

/// A clock, a processor and a display.
///
/// The [`Host`] is this computer: it reads the real clock, burns processor time and sleeps. A [`Simulated`] machine has a
/// clock of its own that work and waiting advance, and burns nothing. The same lane runs on both.
pub trait Machine {
    /// Takes its knobs' present values, if it has any.
    fn tune(&mut self, _knobs: &KnobValues) {}

    /// Stalls the machine for `time`.
    fn stall(&mut self, time: Nanos);

    /// Limits the display's refresh rate to `hz`; without it the display has its own rate again.
    fn slow_display(&mut self, hz: Option<f64>);

    /// The machine's clock; it steps back only if it is set, as for a pause.
    fn clock(&self) -> ClockTime;

    /// Does work that costs `cost` at speed 1. Returns the time that it took.
    fn work(&mut self, cost: Nanos) -> Nanos;

    /// Draws the picture, if the machine does that itself.
    fn render(&mut self);

    /// Waits until the clock shows `time`; returns at once if that has passed.
    fn wait_until(&mut self, time: ClockTime);

    /// The shortest length of a frame, whatever it waits for.
    fn least_frame(&self) -> Nanos {
        Nanos::ZERO
    }

    /// Waits for the display to be ready for the picture of the frame that started at `frame_start`.
    fn wait_for_display(&mut self, frame_start: ClockTime);
}
