//! Contents of Compare and Loops: all strategies, and all frame loops, on simulated machines. An experiment begins when
//! its view is first shown, and advances only while it is on screen.

mod compare;

pub use compare::{CompareState, Order, budget};

use headless::sim::machine::INTERRUPTED_FROM;
use timeslicer::time::{ClockTime, Nanos};

/// Maximum advance from one picture to the next, however long the gap between the pictures.
pub const LONGEST_ADVANCE: Nanos = Nanos::from_millis(100);

/// Weight of all earlier pictures in the speed of an experiment, compared with the last picture.
const REMEMBERED: f64 = 0.95;
/// An experiment lags far behind if real time is more than this multiple of its time.
const MUCH_SLOWER: f64 = 2.0;

/// Paces the experiment on screen, and detects whether this computer keeps up.
#[derive(Default)]
pub struct ExperimentClock {
    /// Whether simulated time falls behind the clock because there are too many frames to simulate.
    pub lags: bool,
    /// Monotonic time of the last picture in which the experiment ran.
    ticked_at: Option<ClockTime>,
    /// Recent simulated time and the real time that it took, in seconds. Older pictures count less and less.
    recent: [f64; 2],
}

impl ExperimentClock {
    /// Pauses, so that the time until the next advance does not count.
    pub fn rest(&mut self) {
        self.ticked_at = None;
    }

    /// Returns the time on `clock` since the last call, if `is_running` was true in that call; otherwise zero.
    pub fn tick(&mut self, clock: ClockTime, is_running: bool) -> Nanos {
        let last = std::mem::replace(&mut self.ticked_at, is_running.then_some(clock));
        last.map_or(Nanos::ZERO, |last| clock - last)
    }

    /// Call after the experiment was to advance `by` and has simulated some time, `since_last` after the last picture.
    /// `kept_up` is false if this computer could not simulate all of it.
    pub fn advanced(&mut self, since_last: Nanos, by: Nanos, simulated: Nanos, kept_up: bool) {
        // A slow picture holds the experiment back, too. A much longer gap means that the window was hidden.
        let held_back = since_last > LONGEST_ADVANCE && since_last < INTERRUPTED_FROM;
        self.lags = !by.is_zero() && (!kept_up || held_back);
        let real = since_last.min(Nanos::SECOND); // a longer gap is hardly this program's work
        let last = [simulated, real].map(Nanos::as_secs_f64);
        for (recent, last) in self.recent.iter_mut().zip(last) {
            *recent = *recent * REMEMBERED + last;
        }
    }

    /// Returns how many times slower than real time the experiment has recently been, if it lags far behind.
    pub fn slowdown(&self) -> Option<f64> {
        let [simulated, real] = self.recent;
        (self.lags && simulated * MUCH_SLOWER < real).then(|| real / simulated.max(1e-3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    #[test]
    fn only_the_time_while_an_experiment_runs_counts() {
        let mut clock = ExperimentClock::default();
        for (now, is_running, since_last) in [
            (1000, true, 0),
            (1016, true, 16),
            (1032, false, 16),
            (2000, true, 0),
            (2016, true, 16),
        ] {
            let ticked = clock.tick(ClockTime::at(MS(now)), is_running);
            assert_eq!(ticked, MS(since_last), "{now}");
        }
        clock.rest();
        let ticked = clock.tick(ClockTime::at(MS(9000)), true);
        assert_eq!(ticked, Nanos::ZERO, "another view was shown");
    }

    #[test]
    fn slow_pictures_make_an_experiment_lag() {
        let mut clock = ExperimentClock::default();
        for (since_last, kept_up, lags) in [
            (0, true, false),
            (90, true, false),
            (200, true, true),
            (10, true, false),
            (60_000, true, false), // the window was hidden
            (16, false, true),
        ] {
            clock.advanced(MS(since_last), MS(16), MS(16), kept_up);
            assert_eq!(clock.lags, lags, "{since_last} ms");
        }
    }

    #[test]
    fn far_slower_experiments_have_a_slowdown() {
        let mut clock = ExperimentClock::default();
        assert_eq!(clock.slowdown(), None);
        for _ in 0..100 {
            clock.advanced(MS(400), MS(100), MS(10), false);
        }
        let slowdown = clock.slowdown().expect("it lags");
        assert!((38.0..42.0).contains(&slowdown), "{slowdown}");
        for _ in 0..100 {
            clock.advanced(MS(20), MS(20), MS(18), false);
        }
        assert_eq!(clock.slowdown(), None, "only a little slower");
    }
}
