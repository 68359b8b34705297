//! The error with which a game reads its machine's clock at the start of a frame. It differs from frame to frame, because
//! the operating system wakes the game a little earlier or later after each refresh of the display.

use crate::sim::random::{Rng, Stream};
use timeslicer::time::{ClockTime, Nanos};

/// Errors are limited to this multiple of their standard deviation.
const MOST_DEVIATIONS: f64 = 3.0;

/// The clock as the game reads it in the current frame. All readings of a frame have the same error, so the time between
/// two of them is exact.
///
/// The delta of a frame is the difference of two readings, each with an error of its own. The errors therefore do not
/// add up: the sum of all deltas is never further from the true time than two errors.
pub(super) struct GameClock {
    rng: Rng,
    /// When the frame started, on the machine's clock.
    start: ClockTime,
    /// When the frame started, as the game read it.
    read_start: ClockTime,
}

impl GameClock {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed, Stream::Jitter),
            start: ClockTime::START,
            read_start: ClockTime::START,
        }
    }

    /// Begins a frame at the time `start` of the machine's clock. `jitter` is the standard deviation of the error.
    /// Returns the time since the start of the previous frame as the game reads it.
    pub(super) fn begin_frame(&mut self, start: ClockTime, jitter: Nanos) -> Nanos {
        let (last_start, last_read) = (self.start, self.read_start);
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
        if start >= last_start {
            read = read.max(last_read); // the clock goes back only if it is set
        }
        (self.start, self.read_start) = (start, read);
        read.saturating_since(last_read)
    }

    /// Draws an error, in standard deviations.
    fn deviations(&mut self) -> f64 {
        loop {
            let deviations = self.rng.normal();
            if deviations.abs() <= MOST_DEVIATIONS {
                return deviations;
            }
        }
    }

    /// Returns what the game reads when the machine's clock is at `time`.
    pub(super) fn read(&self, time: ClockTime) -> ClockTime {
        self.read_start + time.saturating_since(self.start)
    }

    /// Returns the time on the machine's clock at which the game reads `read`.
    pub(super) fn time_of(&self, read: ClockTime) -> ClockTime {
        self.start + read.saturating_since(self.read_start)
    }
}
