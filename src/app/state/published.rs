//! The switch between our strategies and their published forms.

use super::State;
use super::command::{Command, Lanes};
use super::view::View;
use timeslicer::strategy::knobs::AS_PUBLISHED;

impl State {
    /// Runs the strategy as published, or in our form if it already is. In Compare, switches all strategies that have
    /// both forms.
    pub(super) fn toggle_published(&mut self) {
        let other = 1.0 - self.settings.knobs.get(&AS_PUBLISHED);
        let has_both = match self.view {
            View::Grid => self.settings.strategy.published.is_some(),
            View::Compare => true,
            View::Loops => false,
        };
        if has_both {
            self.apply(Command::Turn(Lanes::InView, &AS_PUBLISHED, other));
        } else {
            self.note("no published form");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::state::tests::{frame, state};
    use timeslicer::strategy::{STRATEGIES, StrategyEntry};

    /// Returns the first strategy that has a published form, or the first that has none.
    fn strategy(has_published: bool) -> &'static StrategyEntry {
        let mut all = STRATEGIES.iter();
        let found = all.find(|entry| entry.published.is_some() == has_published);
        found.expect("there is one of each kind")
    }

    #[test]
    fn the_grid_switches_to_the_published_form_and_back() {
        let mut state = state();
        frame(&mut state);
        for entry in [strategy(true), strategy(false)] {
            state.apply(Command::Strategy(entry));
            for published in [true, false] {
                state.apply(Command::AsPublished);
                let runs_as_published = state.grid.lane.strategy().defect().is_some();
                let expected = published && entry.published.is_some();
                assert_eq!(runs_as_published, expected, "{}", entry.key);
                assert_eq!(state.link().contains("as-published=1"), expected);
            }
        }
    }

    #[test]
    fn compare_switches_every_strategy_that_has_both_forms() {
        let mut state = state();
        state.apply(Command::View(View::Compare));
        frame(&mut state);
        for published in [true, false] {
            state.apply(Command::AsPublished);
            let comparison = state.compare.comparison.as_ref();
            for lane in comparison.expect("its view is shown").lanes() {
                let runs_as_published = lane.strategy().defect().is_some();
                let has_both = lane.settings().strategy.published.is_some();
                assert_eq!(runs_as_published, published && has_both);
            }
        }
    }
}
