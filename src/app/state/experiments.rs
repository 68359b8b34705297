//! Contents of Compare and Loops: all strategies, and all frame loops, on simulated machines. An experiment begins when
//! its view is first shown, and advances only while it is on screen.

use crate::experiment::comparison::Comparison;
use crate::experiment::loop_race::Race;
use crate::sim::machine::INTERRUPTED_FROM;
use crate::sim::settings::{Owner, Settings, all_knobs};
use timeslice::strategy::STRATEGIES;
use timeslice::time::{ClockTime, Nanos};

/// Maximum advance from one picture to the next, however long the gap between the pictures.
const LONGEST_ADVANCE: Nanos = Nanos::from_millis(100);

/// The view that compares strategies.
#[derive(Default)]
pub struct CompareState {
    /// A lane for each strategy.
    pub comparison: Option<Comparison>,
    /// Index in the registry of the figure that sorts the lanes.
    pub sorted_by: Option<usize>,
    /// Number of restarts and resets of the figures.
    pub epoch: u64,
}

impl CompareState {
    /// Advances the comparison, beginning it with `settings` if necessary. Returns true if this computer kept up.
    pub fn advance(&mut self, by: Nanos, settings: &Settings) -> bool {
        let new = || {
            let mut comparison = Comparison::new(settings, STRATEGIES);
            comparison.collect_changed_places();
            comparison
        };
        self.comparison.get_or_insert_with(new).advance(by)
    }

    /// Changes the running lanes to these settings, except the seed.
    pub(super) fn follow(&mut self, settings: &Settings) {
        let Some(comparison) = &mut self.comparison else {
            return; // begins with the settings
        };
        if settings.frame_loop != comparison.settings().frame_loop {
            comparison.set_frame_loop(settings.frame_loop);
        }
        for (owner, knob) in all_knobs() {
            let value = settings.knobs.get(knob);
            if owner != Owner::Picture && value != comparison.knobs().get(knob) {
                comparison.set_knob(knob, value);
            }
        }
    }

    /// Sorts the lanes by the figure at this index of the registry, or stops sorting if that figure sorts them already.
    pub fn sort_by(&mut self, figure: usize) {
        self.sorted_by = Some(figure).filter(|_| self.sorted_by != Some(figure));
    }

    /// Resets all figures.
    pub fn clear_statistics(&mut self) {
        if let Some(comparison) = &mut self.comparison {
            comparison.clear_statistics();
            self.epoch += 1;
        }
    }

    /// Restarts with the current settings.
    pub fn restart(&mut self) {
        if let Some(comparison) = &mut self.comparison {
            comparison.restart();
            self.epoch += 1;
        }
    }
}

/// The view of all frame loops.
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
    fn choosing_a_figure_twice_stops_sorting() {
        let mut compare = CompareState::default();
        compare.sort_by(3);
        compare.sort_by(5);
        assert_eq!(compare.sorted_by, Some(5));
        compare.sort_by(5);
        assert_eq!(compare.sorted_by, None);
    }
}
