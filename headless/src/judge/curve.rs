//! Stores which settings of a strategy have been tried, and searches for the best one.

use super::Question;
use super::limits::Limits;
use super::trial::{Objective, Outcome};
use super::values::{between, rounded, spread, two_digits};
use timeslicer::knob::Knob;
use timeslicer::strategy::StrategyEntry;
use timeslicer::time::Nanos;

const MAX_ROUNDS: u32 = 6;

/// If the better (lower) of two results divided by the other one is at least this number, the two settings count as
/// equally good. Among equally good settings, the search can prefer round values, and the recommendation can prefer
/// simple strategies.
pub(super) const EQUALLY_GOOD: f64 = 0.995;

/// The number of values to try for each of a strategy's other knobs, if changing its most important knob is not enough
/// to stay within the limits.
const VALUES_PER_OTHER_KNOB: u32 = 6;

/// The knob values that distinguish one simulation of a strategy from the others. All other knobs have the same values
/// in every simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Setting {
    /// The value of the strategy's most important knob. `None` if the strategy has no knobs of its own.
    pub value: Option<f64>,
    /// A second knob of the strategy that is changed, and its value. `None` if no second knob is changed.
    pub other: Option<(&'static Knob, f64)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    pub setting: Setting,
    pub outcome: Outcome,
    /// Whether the value is one of the evenly spaced values that are tried first.
    pub is_even: bool,
}

#[derive(Clone, Debug)]
pub struct Curve {
    pub strategy: &'static StrategyEntry,
    pub knob: Option<&'static Knob>,
    /// The settings that change only the strategy's most important knob, sorted by the value of this knob.
    pub points: Vec<Point>,
    /// The settings that change the strategy's most important knob and one of its other knobs.
    pub remedies: Vec<Point>,
    rounds: u32,
}

impl Curve {
    pub(super) fn new(strategy: &'static StrategyEntry) -> Self {
        Self {
            strategy,
            knob: strategy.main_knob(),
            points: Vec::new(),
            remedies: Vec::new(),
            rounds: 0,
        }
    }

    pub fn even_points(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|point| point.is_even)
    }

    pub(super) fn add(&mut self, setting: Setting, outcome: Outcome) {
        let point = Point {
            setting,
            outcome,
            is_even: self.rounds <= 1,
        };
        let points = match setting.other {
            Some(_) => &mut self.remedies,
            None => &mut self.points,
        };
        let is_before = |it: &Point| it.setting.sort_key() < setting.sort_key();
        points.insert(points.partition_point(is_before), point);
    }

    pub fn best(&self, limits: &Limits, objective: Objective) -> Option<&Point> {
        let place = self.best_index(limits, objective)?;
        let (knob, best) = (self.knob, &self.points[place]);
        // Prefer a rounder value that is equally good.
        let is_round = |point: &&Point| {
            knob.zip(point.setting.value)
                .is_some_and(|(knob, value)| rounded(knob, value, 2) == value)
        };
        let objective_of = |point: &Point| objective.of(&point.outcome);
        let is_as_good = |point: &&Point| {
            limits.keeps(&point.outcome) && is_equally_good(objective_of(best), objective_of(point))
        };
        let round = self.points.iter().filter(is_round).filter(is_as_good);
        let round = round.min_by_key(|point| (objective_of(point), point.outcome.tasks.mean));
        Some(round.unwrap_or(best))
    }

    fn best_index(&self, limits: &Limits, objective: Objective) -> Option<usize> {
        let kept = self.points.iter().enumerate();
        let kept = kept.filter(|(_, point)| limits.keeps(&point.outcome));
        let best = kept.min_by_key(|(_, point)| {
            (
                objective.of(&point.outcome).unwrap_or(Nanos::MAX),
                point.outcome.tasks.mean,
            )
        });
        best.map(|(place, _)| place)
    }

    /// Returns the setting that comes closest to staying within the limits. Settings that exceed only one limit are
    /// preferred, because relaxing a single limit is then enough. Returns `None` before the first simulation.
    pub fn nearest(&self, limits: &Limits, objective: Objective) -> Option<&Point> {
        let breaks_one =
            |outcome: &Outcome| outcome.staleness.is_some() && limits.broken(outcome).len() == 1;
        let place = self
            .nearest_index(limits, objective, breaks_one)
            .or_else(|| self.nearest_index(limits, objective, |_| true));
        place.map(|place| &self.points[place])
    }

    /// Returns the index of the setting that exceeds the limits least, among those for which `eligible` returns true.
    fn nearest_index(
        &self,
        limits: &Limits,
        objective: Objective,
        eligible: impl Fn(&Outcome) -> bool,
    ) -> Option<usize> {
        let far = |point: &Point| {
            let objective = objective.of(&point.outcome).unwrap_or(Nanos::MAX);
            (limits.excess(&point.outcome), objective)
        };
        let points = self.points.iter().enumerate();
        let points = points.filter(|(_, point)| eligible(&point.outcome));
        let places = points.map(|(place, point)| (place, far(point)));
        let nearest = places
            .min_by(|(_, one), (_, other)| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        nearest.map(|(place, _)| place)
    }

    /// Returns the best of the [`Curve::remedies`] that stay within the limits.
    pub fn remedy(&self, limits: &Limits, objective: Objective) -> Option<&Point> {
        let kept = self.remedies.iter();
        let kept = kept.filter(|point| limits.keeps(&point.outcome));
        kept.min_by_key(|point| objective.of(&point.outcome))
    }

    /// Returns the settings to try next. The list is empty if the search is over. Call this only after all earlier
    /// settings have been tried.
    pub(super) fn next(&mut self, question: &Question) -> Vec<Setting> {
        self.rounds += 1;
        let Some(knob) = self.knob else {
            let is_first = self.rounds == 1;
            return Vec::from_iter(is_first.then(Setting::default));
        };
        if self.rounds == 1 {
            return self.untried(spread(knob, question.steps));
        }
        if self.rounds > MAX_ROUNDS {
            return Vec::new();
        }
        let values = self.values_around_best(knob, &question.limits, question.objective);
        self.untried(values)
    }

    fn untried(&self, values: Vec<f64>) -> Vec<Setting> {
        let is_untried = |value: &f64| {
            let mut tried = self.points.iter();
            tried.all(|it| it.setting.value != Some(*value))
        };
        let untried = values.into_iter().filter(is_untried);
        let settings = untried.map(|value| Setting {
            value: Some(value),
            other: None,
        });
        settings.collect()
    }

    /// Returns untried settings between `setting` and its neighbours on both sides. The list is empty if `setting`
    /// changes any knob other than the strategy's most important one.
    pub(super) fn beside(&self, setting: Setting) -> Vec<Setting> {
        let place = self.points.iter().position(|it| it.setting == setting);
        let Some((place, knob)) = place.zip(self.knob) else {
            return Vec::new();
        };
        let value_at = |place: usize| self.points.get(place)?.setting.value;
        let places = [
            place.checked_sub(1).map(|before| (before, place)),
            Some((place, place + 1)),
        ];
        let pairs = places.into_iter().flatten();
        let pairs = pairs.filter_map(|(from, to)| value_at(from).zip(value_at(to)));
        self.untried(
            pairs
                .flat_map(|(from, to)| between(knob, from, to))
                .collect(),
        )
    }

    /// Returns knob values to try next. They are close to the best value or, if every value exceeds a limit, to the
    /// value that exceeds the limits least.
    fn values_around_best(&self, knob: &Knob, limits: &Limits, objective: Objective) -> Vec<f64> {
        let best = self.best_index(limits, objective);
        let Some(place) = best.or_else(|| self.nearest_index(limits, objective, |_| true)) else {
            return Vec::new();
        };
        let value_at = |place: usize| self.points[place].setting.value.unwrap_or_default();
        let objective_at = |place: usize| objective.of(&self.points[place].outcome);
        let mut values = Vec::new();
        let neighbours = [place.checked_sub(1), Some(place + 1)];
        for neighbour in neighbours.into_iter().flatten() {
            let Some(point) = self.points.get(neighbour) else {
                continue;
            };
            // No setting between two equally good settings is much better.
            let keeps = limits.keeps(&point.outcome);
            let is_flat = keeps && is_equally_good(objective_at(place), objective_at(neighbour));
            if best.is_some() && is_flat {
                continue;
            }
            let [from, to] = [place.min(neighbour), place.max(neighbour)].map(value_at);
            values.extend(between(knob, from, to));
        }
        if values.is_empty() && best.is_some() {
            values.extend(two_digits(knob, value_at(place)));
        }
        values
    }

    /// Returns settings that change two knobs: the strategy's most important knob and one of its other knobs. The list
    /// is empty if the most important knob alone is enough to stay within the limits, or if settings with two changed
    /// knobs have already been tried.
    pub(super) fn next_remedies(&mut self, question: &Question) -> Vec<Setting> {
        let (limits, objective) = (&question.limits, question.objective);
        let is_kept = self.best_index(limits, objective).is_some();
        let nearest = self.nearest(limits, objective);
        let Some(nearest) = nearest.filter(|_| !is_kept && self.remedies.is_empty()) else {
            return Vec::new();
        };
        let others = self.strategy.own_knobs().skip(1);
        let of = |knob: &'static Knob| {
            let now = question.settings.knobs.get(knob);
            let values = if knob.is_switch() {
                vec![1.0 - now]
            } else {
                spread(knob, VALUES_PER_OTHER_KNOB)
            };
            let values = values.into_iter().filter(move |value| *value != now);
            values.map(move |value| Setting {
                other: Some((knob, value)),
                ..nearest.setting
            })
        };
        others.flat_map(of).collect()
    }
}

impl Setting {
    fn sort_key(&self) -> (f64, &'static str, f64) {
        let other = self.other.map(|(knob, value)| (knob.key, value));
        let (key, value) = other.unwrap_or(("", 0.0));
        (self.value.unwrap_or_default(), key, value)
    }
}

/// Returns true if `best` is only slightly better than `other`, so that the difference may be due to chance or
/// rounding.
pub(super) fn is_equally_good(best: Option<Nanos>, other: Option<Nanos>) -> bool {
    best.zip(other)
        .is_some_and(|(best, other)| best.over(other) >= EQUALLY_GOOD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Staleness;
    use crate::stats::Times;
    use crate::testing::MS;
    use timeslicer::strategy::by_key;

    #[test]
    fn a_setting_that_breaks_one_limit_is_the_nearest() {
        let limits = Limits {
            tasks: Some(MS(4)),
            near: Some(MS(100)),
            ..Limits::default()
        };
        let mut curve = Curve::new(by_key("fixed-interval").unwrap());
        for (interval, tasks, near) in [(0.1, 40, 50), (0.2, 5, 110), (0.3, 4, 200)] {
            let setting = Setting {
                value: Some(interval),
                other: None,
            };
            let outcome = Outcome {
                tasks: Times {
                    max: MS(tasks),
                    ..Times::default()
                },
                staleness: Some(Staleness {
                    near: Some(MS(near)),
                    ..Staleness::default()
                }),
                ..Outcome::default()
            };
            curve.add(setting, outcome);
        }
        let nearest = curve.nearest(&limits, Objective::default());
        assert_eq!(nearest.and_then(|it| it.setting.value), Some(0.3));
    }
}
