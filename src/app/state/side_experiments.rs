//! What the other views show: every strategy in a comparison, all frame loops in a race. Each begins when it is first
//! looked at.

use super::view::View;
use crate::experiment::comparison::Comparison;
use crate::experiment::loop_race::Race;
use crate::sim::disturbance::Disturbance;
use crate::sim::machine::HELD_UP;
use crate::sim::settings::Settings;
use timeslice::strategy::STRATEGIES;
use timeslice::time::Nanos;

/// They go on by no more than this from picture to picture: what is beyond, the window was hidden.
const LONGEST_ADVANCE: Nanos = Nanos::from_millis(100);

/// So many runs of a lane's frame are shown one by one, at the most: 2.4 MB of them. Of more, all capsules are looked
/// at anew.
const SHOWN_RUNS: usize = 50_000;

/// The comparison and the race, as far as they were looked at.
#[derive(Default)]
pub struct SideExperiments {
    /// All frame loops side by side.
    pub race: Option<Race>,
    /// Every strategy side by side.
    pub comparison: Option<Comparison>,
    /// The place in the registry of the figure by which lanes are sorted, if by any.
    pub sorted_by: Option<usize>,
    /// How often the comparison began anew.
    pub epoch: u64,
    /// Whether their time goes slower than the clock, since there are too many frames to simulate.
    pub lag: bool,
    /// When they were last advanced, on the monotonic clock; none while they stand.
    advanced_at: Option<Nanos>,
}

impl SideExperiments {
    /// None of them is looked at.
    pub fn rest(&mut self) {
        self.advanced_at = None;
    }

    /// What `view` shows goes on `by` so much, or, where that is not said, as far as the `clock` has while it `runs`.
    /// It begins with these settings.
    pub fn advance(
        &mut self,
        view: View,
        by: Option<Nanos>,
        runs: bool,
        settings: &Settings,
        clock: Nanos,
    ) {
        let since = self.advanced_at.map_or(Nanos::ZERO, |last| clock - last);
        let by = by.unwrap_or(since.min(LONGEST_ADVANCE));
        self.advanced_at = runs.then_some(clock);
        let kept_up = match view {
            View::Compare => {
                let new = || {
                    let mut comparison = Comparison::new(settings, STRATEGIES);
                    comparison.list_runs(SHOWN_RUNS);
                    comparison
                };
                self.comparison.get_or_insert_with(new).advance(by)
            }
            View::Loops | View::Grid => {
                let new = || Race::new(&settings.knobs);
                self.race.get_or_insert_with(new).advance(by)
            }
        };
        // A picture that takes long holds it back, too; not one that nobody looked at meanwhile.
        let held_back = since > LONGEST_ADVANCE && since < HELD_UP;
        self.lag = !by.is_zero() && (!kept_up || held_back);
    }

    /// The comparison, where `view` shows it.
    pub fn compared(&self, view: View) -> Option<&Comparison> {
        self.comparison.as_ref().filter(|_| view == View::Compare)
    }

    /// The same, for what is to happen to it.
    pub fn compared_mut(&mut self, view: View) -> Option<&mut Comparison> {
        self.comparison.as_mut().filter(|_| view == View::Compare)
    }

    /// The race, where `view` shows it.
    pub fn raced(&self, view: View) -> Option<&Race> {
        self.race.as_ref().filter(|_| view == View::Loops)
    }

    /// The same, for what is to happen to it.
    pub fn raced_mut(&mut self, view: View) -> Option<&mut Race> {
        self.race.as_mut().filter(|_| view == View::Loops)
    }

    /// The time of what `view` shows; none where that is not here.
    pub fn time(&self, view: View) -> Option<Nanos> {
        let compared = self.compared(view).map(Comparison::time);
        compared.or_else(|| self.raced(view).map(Race::time))
    }

    /// The lane of the strategy at this place of the registry, where `view` shows it.
    pub fn lane_of(&self, view: View, strategy: usize) -> Option<usize> {
        let key = STRATEGIES.get(strategy)?.key;
        let mut lanes = self.compared(view)?.lanes().iter();
        lanes.position(|lane| lane.settings().strategy.key == key)
    }

    /// Lanes are sorted by the figure at this place of the registry; again: no more.
    pub fn sort_by(&mut self, figure: usize) {
        self.sorted_by = Some(figure).filter(|_| self.sorted_by != Some(figure));
    }

    /// Does it to all that `view` shows. Returns whether that is here.
    pub fn disturb(&mut self, view: View, disturbance: Disturbance) -> bool {
        if let Some(comparison) = self.compared_mut(view) {
            comparison.disturb(disturbance);
            return true;
        }
        let race = self.raced_mut(view);
        race.map(|race| race.disturb(disturbance)).is_some()
    }

    /// Whether the displays of what `view` shows have dropped to a lower rate.
    pub fn has_slow_display(&self, view: View) -> bool {
        let compared = self.compared(view);
        compared.is_some_and(Comparison::has_slow_display)
            || self.raced(view).is_some_and(Race::has_slow_display)
    }

    /// The comparison's figures begin at zero.
    pub fn measure_anew(&mut self) {
        if let Some(comparison) = &mut self.comparison {
            comparison.clear_statistics();
            self.epoch += 1;
        }
    }

    /// What `view` shows begins anew. Returns what the log says of it; none where it is not here.
    pub fn restart(&mut self, view: View) -> Option<&'static str> {
        if let Some(comparison) = self.compared_mut(view) {
            comparison.restart();
            self.epoch += 1;
            return Some("comparison restarted");
        }
        self.raced_mut(view)?.restart();
        Some("race restarted")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Nanos = Nanos::from_millis;

    #[test]
    fn they_go_on_as_the_clock_does_while_they_are_looked_at() {
        for view in [View::Compare, View::Loops] {
            let (mut others, settings) = (SideExperiments::default(), Settings::default());
            let at = |others: &mut SideExperiments, clock| {
                others.advance(view, None, true, &settings, clock);
                others.time(view).expect("it has begun")
            };
            assert_eq!(at(&mut others, MS(1000)), Nanos::ZERO);
            assert_eq!(at(&mut others, MS(1016)), MS(16));
            others.rest();
            assert_eq!(at(&mut others, MS(9000)), MS(16), "nobody looked at it");
            assert_eq!(at(&mut others, MS(9016)), MS(32));
            assert_eq!(
                at(&mut others, MS(9000 + 60_000)),
                MS(132),
                "the window was hidden"
            );
            assert!(!others.lag);
            let other = if view == View::Loops {
                View::Compare
            } else {
                View::Loops
            };
            assert_eq!(others.time(other), None);
        }
    }

    #[test]
    fn a_picture_that_takes_long_holds_them_back_and_that_is_known() {
        let (mut others, settings) = (SideExperiments::default(), Settings::default());
        for (clock, lag) in [(0, false), (90, false), (290, true), (300, false)] {
            others.advance(View::Loops, None, true, &settings, MS(clock));
            assert_eq!(others.lag, lag, "{clock} ms");
        }
    }

    #[test]
    fn a_figure_sorts_and_the_same_one_again_no_more() {
        let mut others = SideExperiments::default();
        others.sort_by(3);
        others.sort_by(5);
        assert_eq!(others.sorted_by, Some(5));
        others.sort_by(5);
        assert_eq!(others.sorted_by, None);
    }
}
