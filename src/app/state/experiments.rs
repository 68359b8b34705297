//! What the views Compare and Loops show: all strategies, and all frame loops, on simulated machines. Each begins
//! when its view is first shown, and advances only while it is.

use crate::experiment::comparison::Comparison;
use crate::experiment::loop_race::Race;
use crate::sim::machine::HELD_UP;
use crate::sim::settings::Settings;
use timeslice::strategy::{STRATEGIES, StrategyEntry};
use timeslice::time::{ClockTime, Nanos};

/// The furthest that an experiment advances from one picture to the next: beyond that, the window was hidden.
const LONGEST_ADVANCE: Nanos = Nanos::from_millis(100);

/// The most runs of a lane's frame that are listed one by one: 2.4 MB. After more, all capsules are updated.
const LISTED_RUNS: usize = 50_000;

/// The view that compares strategies.
#[derive(Default)]
pub struct CompareState {
    /// A lane for each strategy.
    pub comparison: Option<Comparison>,
    /// The place in the registry of the figure by which lanes are sorted.
    pub sorted_by: Option<usize>,
    /// Number of restarts of the comparison or its figures.
    pub epoch: u64,
}

impl CompareState {
    /// Advances the comparison, which begins with these settings. Returns whether it kept up.
    pub fn advance(&mut self, by: Nanos, settings: &Settings) -> bool {
        let new = || {
            let mut comparison = Comparison::new(settings, STRATEGIES);
            comparison.list_runs(LISTED_RUNS);
            comparison
        };
        self.comparison.get_or_insert_with(new).advance(by)
    }

    /// The lane that runs this strategy.
    pub fn lane_of(&self, strategy: &StrategyEntry) -> Option<usize> {
        let mut lanes = self.comparison.as_ref()?.lanes().iter();
        lanes.position(|lane| lane.settings().strategy == strategy)
    }

    /// Sorts the lanes by the figure at this place of the registry, or no longer if they are.
    pub fn sort_by(&mut self, figure: usize) {
        self.sorted_by = Some(figure).filter(|_| self.sorted_by != Some(figure));
    }

    /// Sets all figures to zero.
    pub fn clear_statistics(&mut self) {
        if let Some(comparison) = &mut self.comparison {
            comparison.clear_statistics();
            self.epoch += 1;
        }
    }

    /// Starts again with the present settings.
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
    /// Each loop on a fast machine and on a slow one.
    pub race: Option<Race>,
}

impl LoopsState {
    /// Advances the race, which begins with these settings. Returns whether it kept up.
    pub fn advance(&mut self, by: Nanos, settings: &Settings) -> bool {
        let new = || Race::new(&settings.knobs);
        self.race.get_or_insert_with(new).advance(by)
    }
}

/// How far the experiment that is shown has to advance, and whether this computer keeps up.
#[derive(Default)]
pub struct ExperimentClock {
    /// Whether simulated time is slower than the clock: there are too many frames to simulate.
    pub lags: bool,
    /// When the experiment was last advanced, on the monotonic clock; none if it is at rest.
    advanced_at: Option<ClockTime>,
}

impl ExperimentClock {
    /// Rests until the next advance: the time until then does not count.
    pub fn rest(&mut self) {
        self.advanced_at = None;
    }

    /// Advances an experiment by `step`; without a step, by what has passed on `clock` since the last call.
    /// `is_running` says whether the time until the next call counts.
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
        // A slow picture holds it back, too; a hidden window does not.
        let held_back = since > LONGEST_ADVANCE && since < HELD_UP;
        self.lags = !by.is_zero() && (!kept_up || held_back);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    #[test]
    fn experiments_follow_the_clock_while_they_are_shown() {
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
    fn an_experiment_begins_when_it_first_advances() {
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
    fn a_slow_picture_holds_an_experiment_back() {
        let mut clock = ExperimentClock::default();
        for (now, lags) in [(0, false), (90, false), (290, true), (300, false)] {
            clock.advance(None, true, ClockTime::at(MS(now)), |_| true);
            assert_eq!(clock.lags, lags, "{now} ms");
        }
        clock.advance(None, true, ClockTime::at(MS(316)), |_| false);
        assert!(clock.lags, "it did not keep up");
    }

    #[test]
    fn a_figure_sorts_until_it_is_chosen_again() {
        let mut compare = CompareState::default();
        compare.sort_by(3);
        compare.sort_by(5);
        assert_eq!(compare.sorted_by, Some(5));
        compare.sort_by(5);
        assert_eq!(compare.sorted_by, None);
    }
}
