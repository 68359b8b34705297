//! A simulated machine. Its clock can run much faster than real time, and simulations on it are reproducible.

use super::Machine;
use crate::catalog::knob::{Knob, KnobValues, Scale};
use timeslicer::frame_loop::Pace;
use timeslicer::time::{ClockTime, Nanos, Periods};

pub const DISPLAY_HZ: Knob = Knob {
    key: "display-hz",
    label: "Display",
    unit: "Hz",
    min: 1.0,
    max: 10_000.0,
    default: 60.0,
    scale: Scale::Logarithmic { from: 1.0 },
    help: "Refresh rate of the simulated display.",
    ..Knob::NUMBER
};

pub const SPEED: Knob = Knob {
    key: "speed",
    label: "Speed",
    unit: "x",
    min: 0.01,
    max: 100.0,
    default: 1.0,
    scale: Scale::Logarithmic { from: 0.01 },
    help: "Speed of the simulated processor. At a speed of 2, each task takes half the time.",
    ..Knob::NUMBER
};

pub const RENDER_MS: Knob = Knob {
    key: "render-ms",
    label: "Render",
    unit: "ms",
    max: 1_000.0,
    default: 0.0,
    scale: Scale::Logarithmic { from: 0.1 },
    help: "Time that the simulated machine takes to draw a frame. The speed of the processor does not affect this time.",
    ..Knob::NUMBER
};

/// The minimum frame length on a simulated machine.
///
/// Without a minimum, a frame loop that never waits could run frames forever without advancing the clock, and the
/// simulation would never end. The limit corresponds to 100,000 frames per second, which is more than any game reaches.
pub const LEAST_FRAME: Nanos = Nanos::from_micros(10);

/// A machine with its own clock, which starts at zero and is advanced by tasks, drawing and waiting. The strategy's own
/// computations take no time on this clock, so the results do not depend on the computer that runs the simulation.
///
/// A frame that waits for the display takes as long as its tasks and drawing, but at least one period of the display. A
/// frame that does not wait for the display takes at least [`LEAST_FRAME`].
#[derive(Clone, Debug)]
pub struct Simulated {
    clock: ClockTime,
    speed: f64,
    render: Nanos,
    display_hz: f64,
    slow_hz: Option<f64>,
    refreshes: Periods,
}

impl Default for Simulated {
    fn default() -> Self {
        Self::new(&KnobValues::default())
    }
}

impl Simulated {
    pub fn new(knobs: &KnobValues) -> Self {
        Self {
            clock: ClockTime::START,
            speed: knobs.get(&SPEED),
            render: Nanos::from_millis_f64(knobs.get(&RENDER_MS)),
            display_hz: knobs.get(&DISPLAY_HZ),
            slow_hz: None,
            refreshes: Periods::new(knobs.get(&DISPLAY_HZ)),
        }
    }

    /// Sets the clock. If it goes back, the display's refresh periods restart, so that a restarted game has the same
    /// frames.
    pub fn set_clock(&mut self, time: ClockTime) {
        if time < self.clock {
            self.refreshes = Periods::new(self.refresh_hz());
        }
        self.clock = time;
    }

    pub fn refresh_hz(&self) -> f64 {
        self.slow_hz
            .map_or(self.display_hz, |slow| slow.min(self.display_hz))
    }
}

impl Machine for Simulated {
    fn speed(&self) -> f64 {
        self.speed
    }

    fn tune(&mut self, knobs: &KnobValues) {
        self.speed = knobs.get(&SPEED);
        self.render = Nanos::from_millis_f64(knobs.get(&RENDER_MS));
        let hz = knobs.get(&DISPLAY_HZ);
        if hz != self.display_hz {
            self.display_hz = hz;
            self.refreshes = Periods::new(self.refresh_hz());
        }
    }

    fn stall(&mut self, time: Nanos) {
        self.clock += time;
    }

    fn slow_display(&mut self, hz: Option<f64>) {
        self.slow_hz = hz;
        self.refreshes = Periods::new(self.refresh_hz());
    }

    fn clock(&self) -> ClockTime {
        self.clock
    }

    fn work(&mut self, cost: Nanos) -> Nanos {
        let took = if self.speed == 1.0 {
            cost
        } else {
            Nanos::from_nanos_f64(cost.as_nanos() as f64 / self.speed)
        };
        self.clock += took;
        took
    }

    fn render(&mut self) {
        self.clock += self.render;
    }

    fn wait(&mut self, frame_start: ClockTime, pace: Pace) {
        let earliest = frame_start + LEAST_FRAME;
        let end = match pace {
            Pace::Display => frame_start + self.refreshes.next_period(),
            Pace::Until(time) => time.max(earliest),
            Pace::Nothing => earliest,
        };
        self.clock = self.clock.max(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: fn(u64) -> ClockTime = |millis| ClockTime::at(Nanos::from_millis(millis));

    fn machine(set: &[(&Knob, f64)]) -> Simulated {
        Simulated::new(&KnobValues::with(set))
    }

    #[test]
    fn slow_display_recovers_and_never_gets_faster() {
        let mut machine = machine(&[(&DISPLAY_HZ, 100.0)]);
        for (slow, period_ms) in [(Some(50.0), 20), (Some(500.0), 10), (None, 10)] {
            machine.slow_display(slow);
            let start = machine.clock();
            machine.wait(start, Pace::Display);
            assert_eq!(machine.clock() - start, Nanos::from_millis(period_ms));
        }
    }

    #[test]
    fn setting_the_clock_back_changes_nothing_else() {
        let mut machine = machine(&[(&DISPLAY_HZ, 100.0), (&RENDER_MS, 4.0)]);
        machine.slow_display(Some(50.0));
        machine.stall(Nanos::SECOND);
        machine.set_clock(AT(10));
        machine.render();
        assert_eq!(machine.clock(), AT(14));
        machine.wait(AT(10), Pace::Display);
        assert_eq!(machine.clock(), AT(30));
    }
}
