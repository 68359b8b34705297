//! Contents of Compare and Loops: all strategies, and all frame loops, on simulated machines. An experiment begins when
//! its view is first shown, and advances only while it is on screen.

mod compare;

pub use compare::{CompareState, Order, budget};

use headless::experiment::loop_race::Race;
use headless::sim::machine::INTERRUPTED_FROM;
use headless::sim::settings::Settings;
use timeslicer::time::{ClockTime, Nanos};

/// Maximum advance from one picture to the next, however long the gap between the pictures.
const LONGEST_ADVANCE: Nanos = Nanos::from_millis(100);

/// Weight of all earlier pictures in the speed of an experiment, compared with the last picture.
const REMEMBERED: f64 = 0.95;
/// An experiment lags far behind if real time is more than this multiple of its time.
const MUCH_SLOWER: f64 = 2.0;

#[derive(Default)]
pub struct LoopsState {
    /// Each loop on a fast and a slow machine.
    pub race: Option<Race>,
}

impl LoopsState {
    /// Advances the race, beginning it with `settings` if necessary. Returns true if this computer kept up.
    pub fn advance(&mut self, by: Nanos, settings: &Settings) -> bool {
        let new = || Race::new(&settings.knobs);
        self.race.get_or_insert_with(new).advance(by)
    }
}

/// Paces the experiment on screen, and detects whether this computer keeps up.
#[derive(Default)]
pub struct ExperimentClock {
    /// Whether simulated time falls behind the clock because there are too many frames to simulate.
    pub lags: bool,
    /// Monotonic time of the last advance; `None` while idle.
    advanced_at: Option<ClockTime>,
    /// Recent simulated time and the real time that it took, in seconds. Older pictures count less and less.
    recent: [f64; 2],
}

impl ExperimentClock {
    /// Pauses, so that the time until the next advance does not count.
    pub fn rest(&mut self) {
        self.advanced_at = None;
    }

    /// Advances an experiment by `step`. If that is `None`, advances by the time on `clock` since the last call, if
    /// `is_running` was true in that call. `experiment` advances by a time and returns true if this computer kept up.
    pub fn advance(
        &mut self,
        step: Option<Nanos>,
        is_running: bool,
        clock: ClockTime,
        experiment: impl FnOnce(Nanos) -> bool,
    ) {
        let since = self.advanced_at.map_or(Nanos::ZERO, |last| clock - last);
        let by = step.unwrap_or(since.min(LONGEST_ADVANCE));
        self.advanced_at = is_running.then_some(clock);
        let kept_up = experiment(by);
        // A slow picture holds the experiment back, too. A much longer gap means that the window was hidden.
        let held_back = since > LONGEST_ADVANCE && since < INTERRUPTED_FROM;
        self.lags = !by.is_zero() && (!kept_up || held_back);
        let real = since.min(Nanos::SECOND); // a longer gap is hardly this program's work
        self.recent[1] = self.recent[1] * REMEMBERED + real.as_secs_f64();
    }

    /// Adds the time that the last advance simulated.
    pub fn simulated(&mut self, time: Nanos) {
        self.recent[0] = self.recent[0] * REMEMBERED + time.as_secs_f64();
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
    fn experiments_follow_the_clock_only_while_shown() {
        let (mut clock, mut time) = (ExperimentClock::default(), Nanos::ZERO);
        let mut at = |clock: &mut ExperimentClock, span| {
            clock.advance(None, true, ClockTime::at(span), |by| {
                time += by;
                true
            });
            time
        };
        assert_eq!(at(&mut clock, MS(1000)), Nanos::ZERO);
        assert_eq!(at(&mut clock, MS(1016)), MS(16));
        clock.rest();
        assert_eq!(at(&mut clock, MS(9000)), MS(16), "another view was shown");
        assert_eq!(at(&mut clock, MS(9016)), MS(32));
        let hidden = at(&mut clock, MS(9000 + 60_000));
        assert_eq!(hidden, MS(132), "the window was hidden");
        assert!(!clock.lags);
    }

    #[test]
    fn experiments_begin_with_their_first_advance() {
        let settings = Settings::default();
        let (mut compare, mut loops) = (CompareState::default(), LoopsState::default());
        assert!(compare.comparison.is_none() && loops.race.is_none());
        assert!(compare.advance(MS(16), &settings) && loops.advance(MS(16), &settings));
        let times = [
            compare.comparison.map(|it| it.time()),
            loops.race.map(|it| it.time()),
        ];
        assert_eq!(times, [Some(MS(16)); 2]);
    }

    #[test]
    fn slow_picture_makes_an_experiment_lag() {
        let mut clock = ExperimentClock::default();
        for (now, lags) in [(0, false), (90, false), (290, true), (300, false)] {
            clock.advance(None, true, ClockTime::at(MS(now)), |_| true);
            assert_eq!(clock.lags, lags, "{now} ms");
        }
        clock.advance(None, true, ClockTime::at(MS(316)), |_| false);
        assert!(clock.lags, "it did not keep up");
    }

    #[test]
    fn far_slower_experiments_have_a_slowdown() {
        let mut clock = ExperimentClock::default();
        assert_eq!(clock.slowdown(), None);
        for picture in 0..100 {
            let now = ClockTime::at(MS(picture * 400));
            clock.advance(None, true, now, |_| false);
            clock.simulated(MS(10));
        }
        let slowdown = clock.slowdown().expect("it lags");
        assert!((38.0..42.0).contains(&slowdown), "{slowdown}");
        for picture in 0..100 {
            let now = ClockTime::at(MS(40_000 + picture * 20));
            clock.advance(None, true, now, |_| false);
            clock.simulated(MS(18));
        }
        assert_eq!(clock.slowdown(), None, "only a little slower");
    }
}
