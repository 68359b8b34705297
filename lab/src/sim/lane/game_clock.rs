//! Simulates clock jitter: the error with which a game reads its machine's clock. It differs from frame to frame,
//! because the operating system wakes the game a little earlier or later after each refresh of the display.

use crate::sim::random::{Rng, Stream};
use std::cell::Cell;
use timeslicer::time::{ClockTime, Nanos};

/// Errors are limited to this multiple of their standard deviation.
const MOST_DEVIATIONS: f64 = 3.0;

/// The clock as the game reads it in the current frame. All readings of a frame have the same error, so the time
/// between two of them is exact.
///
/// The delta of a frame is the difference between two readings, each with its own error. When deltas are added up, all
/// errors except the first and the last cancel out, so the sum is never off by more than two errors.
pub(super) struct GameClock {
    rng: Rng,
    /// When the frame started, on the machine's clock.
    start: ClockTime,
    /// When the frame started, as the game read it.
    read_start: ClockTime,
    /// The time of the latest reading on the machine's clock, and what the game read.
    latest: Cell<(ClockTime, ClockTime)>,
}

impl GameClock {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed, Stream::Jitter),
            start: ClockTime::START,
            read_start: ClockTime::START,
            latest: Cell::default(),
        }
    }

    /// Begins a frame at the time `start` of the machine's clock. `jitter` is the standard deviation of the error.
    /// Returns the time since the start of the previous frame as the game reads it.
    pub(super) fn begin_frame(&mut self, start: ClockTime, jitter: Nanos) -> Nanos {
        let deviations = if jitter.is_zero() {
            0.0
        } else {
            self.deviations()
        };
        let error = Nanos::from_nanos_f64(deviations.abs() * jitter.as_nanos() as f64);
        let mut read = if deviations < 0.0 {
            start.saturating_sub(error)
        } else {
            start + error
        };
        let (latest, latest_read) = self.latest.get();
        if start >= latest {
            read = read.max(latest_read); // the clock goes back only if it is set
        }
        let delta = read.saturating_since(self.read_start);
        (self.start, self.read_start) = (start, read);
        self.latest.set((start, read));
        delta
    }

    fn deviations(&mut self) -> f64 {
        loop {
            let deviations = self.rng.normal();
            if deviations.abs() <= MOST_DEVIATIONS {
                return deviations;
            }
        }
    }

    pub(super) fn read(&self, time: ClockTime) -> ClockTime {
        let read = self.read_start + time.saturating_since(self.start);
        self.latest.set((time, read));
        read
    }

    pub(super) fn time_of(&self, read: ClockTime) -> ClockTime {
        self.start + read.saturating_since(self.read_start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_their_deviation_and_do_not_add_up() {
        const FRAMES: u32 = 20_000;
        let (jitter, period) = (Nanos::from_micros(300), Nanos::from_millis(16));
        let mut clock = GameClock::new(7);
        let (mut start, mut sum, mut squares) = (ClockTime::START, Nanos::ZERO, 0.0);
        clock.begin_frame(start, jitter);
        for _ in 0..FRAMES {
            start += period;
            let delta = clock.begin_frame(start, jitter);
            sum += delta;
            squares += (delta.as_millis_f64() - period.as_millis_f64()).powi(2);
            let drift = sum.abs_diff(start.since_start());
            assert!(drift <= Nanos::from_micros(6 * 300), "{drift}");
            // All readings of a frame have the same error.
            let later = start + Nanos::from_millis(5);
            assert_eq!(clock.read(later) - clock.read(start), later - start);
            assert_eq!(clock.time_of(clock.read(later)), later);
        }
        let deviation = (squares / f64::from(FRAMES)).sqrt();
        let expected = 0.3 * 2.0_f64.sqrt(); // a delta has two errors
        assert!((deviation / expected - 1.0).abs() < 0.03, "{deviation}");
    }

    #[test]
    fn the_clock_goes_back_only_if_it_is_set() {
        let (jitter, mut clock) = (Nanos::from_millis(10), GameClock::new(7));
        let mut last = ClockTime::START;
        for micros in 1..2_000 {
            let start = ClockTime::at(Nanos::from_micros(3 * micros));
            clock.begin_frame(start, jitter);
            for time in [start, start + Nanos::from_micros(2)] {
                let read = clock.read(time);
                assert!(read >= last);
                last = read;
            }
        }
        clock.begin_frame(ClockTime::START, Nanos::ZERO);
        assert_eq!(clock.read(ClockTime::START), ClockTime::START);
        // The clock can also be set back to a time after the start of the current frame.
        let later = Nanos::from_secs(9);
        clock.read(ClockTime::at(later + later));
        let delta = clock.begin_frame(ClockTime::at(later), Nanos::ZERO);
        assert_eq!(delta, later);
    }
}
