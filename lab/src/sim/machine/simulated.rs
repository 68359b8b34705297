//! A simulated machine. Its clock can run much faster than real time, and simulations on it are reproducible.

use super::Machine;
use crate::catalog::knob::{Knob, KnobValues, Scale};
use crate::sim::recording::Recording;
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

pub const ADAPTIVE_SYNC: Knob = Knob {
    key: "adaptive-sync",
    label: "Adaptive sync",
    help: "Makes the simulated display refresh as soon as a frame is ready, but not before a period has passed. If this \
        is off, the display refreshes at fixed times, and a late frame waits for the next refresh.",
    ..Knob::SWITCH
};

pub const JITTER_MS: Knob = Knob {
    key: "jitter-ms",
    label: "Clock jitter",
    max: 10.0,
    scale: Scale::Logarithmic { from: 0.01 },
    help: "Standard deviation of the error with which the game reads its clock at the start of a frame. The errors do \
        not add up.",
    ..Knob::MILLIS
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
    label: "Drawing",
    max: 1_000.0,
    scale: Scale::Logarithmic { from: 0.1 },
    help: "Time that the simulated machine takes to draw a frame. The speed of the processor does not affect this time.",
    ..Knob::MILLIS
};

/// The minimum frame length on a simulated machine.
///
/// Without a minimum, a frame loop that never waits could run frames forever without advancing the clock, and the
/// simulation would never end. The limit corresponds to 100,000 frames per second, which is more than any game reaches.
pub const LEAST_FRAME: Nanos = Nanos::from_micros(10);

/// A machine with its own clock, which starts at zero and is advanced by tasks, drawing and waiting. The strategy's own
/// computations take no time on this clock, so the results do not depend on the computer that runs the simulation.
///
/// A frame that waits for the display ends at the first refresh at which it is ready, but not earlier than one period
/// after its start. By default, the display refreshes at the multiples of its period. With [`ADAPTIVE_SYNC`], it
/// refreshes as soon as the frame is ready. If there are recorded frame times, each frame takes the recorded time or,
/// if that is longer, the time of its tasks and drawing.
///
/// A frame that does not wait for the display takes at least [`LEAST_FRAME`].
#[derive(Clone, Debug)]
pub struct Simulated {
    clock: ClockTime,
    speed: f64,
    render: Nanos,
    display_hz: f64,
    slow_hz: Option<f64>,
    has_adaptive_sync: bool,
    /// Generates the minimum frame lengths on a display with adaptive sync.
    periods: Periods,
    recorded: Option<Recording>,
    /// The number of frames that have ended since the clock was last set back.
    frames: u64,
}

/// The machine with the default values of its knobs.
impl Default for Simulated {
    fn default() -> Self {
        Self {
            clock: ClockTime::START,
            speed: SPEED.default,
            render: RENDER_MS.default_span(),
            display_hz: DISPLAY_HZ.default,
            slow_hz: None,
            has_adaptive_sync: false,
            periods: Periods::new(DISPLAY_HZ.default),
            recorded: None,
            frames: 0,
        }
    }
}

impl Simulated {
    /// Sets the clock. If it goes back, the periods of the display and the recorded frame times restart, so that a
    /// restarted game has the same frames.
    pub fn set_clock(&mut self, time: ClockTime) {
        if time < self.clock {
            self.periods = Periods::new(self.refresh_hz());
            self.frames = 0;
        }
        self.clock = time;
    }

    pub fn refresh_hz(&self) -> f64 {
        self.slow_hz
            .map_or(self.display_hz, |slow| slow.min(self.display_hz))
    }

    /// Returns when the next frame replaces a frame that began at `start` and is ready now.
    fn shown_until(&mut self, start: ClockTime) -> ClockTime {
        if let Some(recorded) = &self.recorded {
            let slow = self.slow_hz.map_or(Nanos::ZERO, period);
            return start + recorded.of_frame(self.frames).max(slow);
        }
        if self.has_adaptive_sync {
            return start + self.periods.next_period();
        }
        let hz = self.refresh_hz();
        first_refresh(hz, self.clock.max(start + period(hz)))
    }
}

/// Returns the period of a display in whole nanoseconds, rounded down.
fn period(hz: f64) -> Nanos {
    Nanos::from_nanos((MICROHERTZ_NANOS / micro_hz(hz)) as u64)
}

/// Returns the time of the first refresh at or after `time`. The refreshes are the multiples of the display's period,
/// each rounded up to a whole nanosecond.
fn first_refresh(hz: f64, time: ClockTime) -> ClockTime {
    let rate = micro_hz(hz);
    let refreshes = u128::from(time.since_start().as_nanos()) * rate / MICROHERTZ_NANOS;
    let refresh = |number: u128| {
        let nanos = (number * MICROHERTZ_NANOS).div_ceil(rate);
        ClockTime::at(Nanos::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX)))
    };
    let last = refresh(refreshes);
    if last >= time {
        last
    } else {
        refresh(refreshes + 1)
    }
}

/// The period of a rate of 1 µHz, in nanoseconds.
const MICROHERTZ_NANOS: u128 = 1_000_000_000_000_000;

/// Converts a rate to whole microhertz, so that the times of the refreshes can be computed exactly.
fn micro_hz(hz: f64) -> u128 {
    ((hz * 1e6).round() as u128).max(1)
}

impl Machine for Simulated {
    fn speed(&self) -> f64 {
        self.speed
    }

    fn tune(&mut self, knobs: &KnobValues) {
        self.speed = knobs.get(&SPEED);
        self.render = Nanos::from_millis_f64(knobs.get(&RENDER_MS));
        self.has_adaptive_sync = knobs.get(&ADAPTIVE_SYNC) == 1.0;
        let hz = knobs.get(&DISPLAY_HZ);
        if hz != self.display_hz {
            self.display_hz = hz;
            self.periods = Periods::new(self.refresh_hz());
        }
    }

    fn replay(&mut self, recorded: Option<Recording>) {
        self.recorded = recorded;
        self.frames = 0;
    }

    fn stall(&mut self, time: Nanos) {
        self.clock += time;
    }

    fn slow_display(&mut self, hz: Option<f64>) {
        self.slow_hz = hz;
        self.periods = Periods::new(self.refresh_hz());
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
            Pace::Display => self.shown_until(frame_start).max(earliest),
            Pace::Until(time) => time.max(earliest),
            Pace::Nothing => earliest,
        };
        self.clock = self.clock.max(end);
        self.frames += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: fn(u64) -> ClockTime = |millis| ClockTime::at(Nanos::from_millis(millis));

    fn machine(set: &[(&Knob, f64)]) -> Simulated {
        let mut machine = Simulated::default();
        machine.tune(&KnobValues::with(set));
        machine
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
    fn refreshes_are_the_multiples_of_the_period_rounded_up() {
        for hz in [30.0, 59.94, 60.0, 72.0, 143.998, 10_000.0] {
            let mut machine = machine(&[(&DISPLAY_HZ, hz)]);
            let mut periods = Periods::new(hz);
            let mut expected = ClockTime::START;
            for _ in 0..5_000 {
                let start = machine.clock();
                machine.wait(start, Pace::Display);
                expected += periods.next_period();
                assert_eq!(machine.clock(), expected, "{hz}");
            }
        }
    }

    fn lengths(machine: &mut Simulated, work_ms: &[f64]) -> Vec<f64> {
        let length = |work: &f64| {
            let start = machine.clock();
            machine.work(Nanos::from_millis_f64(*work));
            machine.wait(start, Pace::Display);
            (machine.clock() - start).as_millis_f64()
        };
        work_ms.iter().map(length).collect()
    }

    #[test]
    fn a_late_frame_waits_for_the_next_refresh_unless_sync_is_adaptive() {
        let work = [5.0, 11.0, 10.0, 0.0, 35.0];
        let mut fixed = machine(&[(&DISPLAY_HZ, 100.0)]);
        assert_eq!(lengths(&mut fixed, &work), [10.0, 20.0, 10.0, 10.0, 40.0]);
        let mut adaptive = machine(&[(&DISPLAY_HZ, 100.0), (&ADAPTIVE_SYNC, 1.0)]);
        assert_eq!(
            lengths(&mut adaptive, &work),
            [10.0, 11.0, 10.0, 10.0, 35.0]
        );
        // A frame that begins between two refreshes takes at least a period, and then lasts until the next refresh.
        fixed.set_clock(AT(1_003));
        assert_eq!(lengths(&mut fixed, &[0.0, 0.0]), [17.0, 10.0]);
    }

    #[test]
    fn recorded_frame_times_replace_the_display_and_begin_again() {
        let mut machine = machine(&[(&DISPLAY_HZ, 100.0)]);
        let recorded = [5, 30, 7].map(Nanos::from_millis).to_vec();
        machine.replay(Recording::of_frame_times("session.txt", recorded));
        let work = [1.0, 1.0, 8.0, 1.0, 1.0];
        assert_eq!(lengths(&mut machine, &work), [5.0, 30.0, 8.0, 5.0, 30.0]);
        machine.set_clock(ClockTime::START);
        assert_eq!(lengths(&mut machine, &[1.0]), [5.0], "restarted");
    }

    #[test]
    fn setting_the_clock_back_changes_nothing_else() {
        let mut machine = machine(&[
            (&DISPLAY_HZ, 100.0),
            (&RENDER_MS, 4.0),
            (&ADAPTIVE_SYNC, 1.0),
        ]);
        machine.slow_display(Some(50.0));
        machine.stall(Nanos::SECOND);
        machine.set_clock(AT(10));
        machine.render();
        assert_eq!(machine.clock(), AT(14));
        machine.wait(AT(10), Pace::Display);
        assert_eq!(machine.clock(), AT(30));
    }
}
