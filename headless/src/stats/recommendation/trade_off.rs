//! The trade-off between staleness and task time: staleness weighted by significance, as mean or as worst, and the best
//! strategy within a budget.

use super::{BudgetClass, Recommendation};
use crate::phrase;
use crate::stats::{Bounds, Report};
use crate::text::rich::{Clause, figure, time};
use timeslicer::time::Nanos;

/// A staleness below the theoretical minimum is explained: that is possible only in a short time. Slightly below it is the
/// minimum, rounded.
const BELOW_MINIMUM: f64 = 0.995;

/// Which weighted staleness to compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightedStaleness {
    /// Mean over time and over the entities, each with its weight.
    #[default]
    Mean,
    /// Largest product of an entity's weight and its staleness.
    Worst,
}

impl WeightedStaleness {
    /// All of them, in the order of their buttons.
    pub const ALL: [Self; 2] = [Self::Mean, Self::Worst];

    /// Returns the name of the figure.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean weighted staleness",
            Self::Worst => "worst weighted staleness",
        }
    }

    /// Returns the staleness of a lane; `None` without figures: during the warm-up, without runs or without entities.
    #[must_use]
    pub fn of(self, of: &Report) -> Option<Nanos> {
        let is_known = !of.subject.warming_up && of.runs > 0 && of.subject.entities > 0;
        let staleness = match self {
            Self::Mean => of.weighted_mean,
            Self::Worst => Some(of.worst_weighted),
        };
        staleness.filter(|staleness| is_known && !staleness.is_zero())
    }

    /// Returns the staleness of a lane divided by the theoretical minimum at the lane's task time; `None` without
    /// figures, or if the target moves.
    #[must_use]
    pub fn over_minimum(self, of: &Report) -> Option<f64> {
        let least = match self {
            Self::Mean => of.least_weighted_mean(),
            Self::Worst => of.least_weighted_worst(),
        };
        Some(self.of(of)?.over(least.filter(|least| !least.is_zero())?))
    }

    /// Returns the theoretical minimum in seconds for `load` seconds of task time per second of game time.
    #[must_use]
    pub fn minimum(self, bounds: &Bounds, load: f64) -> Option<f64> {
        match self {
            Self::Mean => bounds.least_mean(load),
            Self::Worst => bounds.least_worst(load),
        }
    }
}

impl Recommendation {
    /// Returns the lane with the least weighted staleness among those within the budget, or nearly so, that keep up with
    /// their work.
    #[must_use]
    pub fn best_by(&self, staleness: WeightedStaleness, reports: &[Report]) -> Option<usize> {
        let candidates = self.keep.iter().chain(&self.nearly);
        let candidates = candidates.filter(|lane| !self.behind.contains(lane));
        let known = candidates.filter_map(|&lane| Some((staleness.of(&reports[lane])?, lane)));
        known.min().map(|(_, lane)| lane)
    }

    /// Returns true if the lane is within the budget, or nearly so.
    #[must_use]
    pub fn is_within(&self, report: &Report) -> bool {
        use BudgetClass::{LastTask, Rarely, Within};
        matches!(
            BudgetClass::of(report, self.budget),
            Within | Rarely | LastTask
        )
    }

    /// Names the best lane by mean weighted staleness, and how many times the theoretical minimum that is, if it is known.
    pub(super) fn best_where_it_matters(&self, reports: &[Report]) -> Option<Clause> {
        let mean = WeightedStaleness::Mean;
        let best = &reports[self.best_by(mean, reports)?];
        let name = best.subject.strategy.name;
        let budget = phrase!["at ", time(self.budget), " of tasks a frame, ", name];
        let what = " keeps the crowd freshest where it matters: weighted staleness ";
        let mut words = phrase![budget, what, best.game_time(mean.of(best)?)];
        if let Some(times) = mean.over_minimum(best) {
            words.push(phrase![
                ", ",
                figure(format!("{times:.2}")),
                " times the theoretical minimum"
            ]);
            if times < BELOW_MINIMUM {
                words.push(phrase![
                    " (possible only until every entity has run a few times)"
                ]);
            }
        }
        Some(words.normal())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::lane::Length;
    use crate::sim::world::{COST, ENTITIES, Point};
    use crate::stats::recommend;
    use crate::testing::lane;
    use timeslicer::strategy::{STRATEGIES, StrategyEntry};

    fn reports(entities: f64, target: Option<Point>, seconds: u64) -> Vec<Report> {
        let report = |entry: &StrategyEntry| {
            let set = [(&ENTITIES, entities), (&COST, 50.0)];
            let mut lane = lane(entry.key, &set);
            lane.pin_target(target);
            while lane.is_within(Length::Time(Nanos::from_secs(seconds))) {
                lane.frame();
            }
            lane.report()
        };
        STRATEGIES.iter().copied().map(report).collect()
    }

    const REST: Option<Point> = Some(Point { x: 0.5, y: 0.25 });
    const BUDGET: Nanos = Nanos::from_millis(4);

    #[test]
    fn the_best_has_the_least_staleness_within_the_budget() {
        let reports = reports(400.0, REST, 8);
        let advice = recommend(&reports, BUDGET);
        for staleness in WeightedStaleness::ALL {
            let best = advice.best_by(staleness, &reports).expect("some keep it");
            assert!(advice.is_within(&reports[best]) && !advice.behind.contains(&best));
            for (lane, report) in reports.iter().enumerate() {
                let is_candidate = advice.is_within(report) && !advice.behind.contains(&lane);
                assert!(!is_candidate || staleness.of(report) >= staleness.of(&reports[best]));
            }
        }
    }

    #[test]
    fn no_steady_lane_within_the_budget_is_fresher_than_the_best() {
        for seconds in [5, 20] {
            check_best(&reports(2_000.0, REST, seconds));
        }
    }

    #[track_caller]
    fn check_best(reports: &[Report]) {
        let grows = |of: &Report| of.subject.promise.is_on_request() && of.falls_behind();
        let advice = recommend(reports, BUDGET);
        for staleness in WeightedStaleness::ALL {
            let best = advice.best_by(staleness, reports).expect("some keep it");
            let steady = |of: &&Report| advice.is_within(of) && !grows(of);
            let seconds = |of: &Report| staleness.of(of).map(Nanos::as_secs_f64);
            let least = reports.iter().filter(steady).filter_map(seconds);
            let least = least.fold(f64::MAX, f64::min);
            let name = reports[best].subject.strategy.name;
            assert_eq!(
                seconds(&reports[best]),
                Some(least),
                "{staleness:?}: {name}"
            );
        }
    }

    #[test]
    fn no_strategy_is_below_the_minimum_of_a_resting_target() {
        for report in reports(400.0, REST, 8) {
            let Some(times) = WeightedStaleness::Mean.over_minimum(&report) else {
                continue;
            };
            assert!(times > 0.98, "{}: {times}", report.subject.strategy.key);
        }
    }

    #[test]
    fn the_sentence_has_the_minimum_only_of_a_resting_target() {
        for (target, is_known) in [(REST, true), (None, false)] {
            let reports = reports(400.0, target, 8);
            let advice = recommend(&reports, BUDGET);
            let best = &reports[advice.best_by(WeightedStaleness::Mean, &reports).unwrap()];
            let sentence = advice.text(&reports).to_string();
            let name = best.subject.strategy.name;
            let begin = format!(
                "at 4 ms of tasks a frame, {name} keeps the crowd freshest where it matters: "
            );
            assert!(sentence.starts_with(&begin), "{sentence}");
            assert_eq!(
                sentence.contains(" times the theoretical minimum"),
                is_known
            );
        }
    }

    #[test]
    fn a_staleness_below_the_minimum_is_explained() {
        let mut reports = reports(400.0, REST, 8);
        for (longer, is_explained) in [(1.0, false), (0.25, true)] {
            for report in &mut reports {
                let mean = report.weighted_mean.unwrap().as_secs_f64();
                report.weighted_mean = Some(Nanos::from_secs_f64(mean * longer));
            }
            let sentence = recommend(&reports, BUDGET).text(&reports).to_string();
            let explained = sentence.contains("(possible only until every entity has run");
            assert_eq!(explained, is_explained, "{sentence}");
        }
    }

    #[test]
    fn lanes_without_figures_have_no_staleness() {
        for reports in [reports(0.0, REST, 3), reports(400.0, REST, 0)] {
            let advice = recommend(&reports, BUDGET);
            for staleness in WeightedStaleness::ALL {
                assert!(reports.iter().all(|it| staleness.of(it).is_none()));
                assert!(
                    reports
                        .iter()
                        .all(|it| staleness.over_minimum(it).is_none())
                );
                assert_eq!(advice.best_by(staleness, &reports), None);
            }
        }
    }
}
