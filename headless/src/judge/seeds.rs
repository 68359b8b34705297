//! Checks whether a setting also stays within the limits with other random seeds. If it does not, searches for another
//! setting of the same strategy that does.

use super::Question;
use super::curve::{Curve, Point, Setting};
use super::limits::{Broken, Limits};
use super::recommendation::Choice;
use super::trial::{Objective, Outcome};
use super::values::{between, rounded};
use timeslicer::time::Nanos;

/// The number of other random seeds to try. Including the original seed, a setting is measured for six times the
/// requested length.
pub const OTHER_SEEDS: u64 = 5;

/// The maximum number of rounds of simulations. The first round checks the setting, and the others look for a
/// replacement.
const ROUNDS: u32 = 6;

/// If the checked setting exceeds a limit, settings with these ranks are tried next. The ranks count only settings that
/// are worse than all tried ones, and rank 0 is the best of them. The distance between ranks doubles, because
/// neighbouring settings give similar results.
const RANKS: [usize; 4] = [0, 1, 3, 7];

#[derive(Clone, Debug)]
pub struct SeedCheck {
    /// The limit that the setting exceeds most with any seed. `None` if it stays within all limits with every seed.
    pub broken: Option<Broken>,
    /// If a limit is exceeded, the best setting of the same strategy that stays within all limits with all seeds.
    pub safe: Option<Choice>,
}

#[derive(Clone, Debug)]
pub(super) struct SeedSearch {
    /// The setting that is being checked.
    pub choice: Choice,
    tried: Vec<Tried>,
    rounds: u32,
}

/// A setting that has been tried, and its outcome for each seed. Seed number 0 is the original seed.
#[derive(Clone, Debug)]
struct Tried {
    setting: Setting,
    outcomes: Vec<(u64, Outcome)>,
}

impl Tried {
    fn keeps(&self, limits: &Limits) -> bool {
        let mut outcomes = self.outcomes.iter();
        outcomes.all(|(_, outcome)| limits.keeps(outcome))
    }

    fn outcome_with_original_seed(&self) -> Option<&Outcome> {
        let (seed, outcome) = self.outcomes.first()?;
        (*seed == 0).then_some(outcome)
    }

    fn objective(&self, objective: Objective) -> Nanos {
        let of = self
            .outcome_with_original_seed()
            .and_then(|outcome| objective.of(outcome));
        of.unwrap_or(Nanos::MAX)
    }
}

impl SeedSearch {
    pub fn new(choice: Choice) -> Self {
        Self {
            choice,
            tried: Vec::new(),
            rounds: 0,
        }
    }

    /// Returns the settings and seed numbers to try next. The list is empty if the search is over.
    pub fn next(&mut self, question: &Question, curve: &Curve) -> Vec<(Setting, u64)> {
        self.rounds += 1;
        if self.rounds > ROUNDS || self.keeps_limits_with_all_seeds(&question.limits) {
            return Vec::new();
        }
        let objective = question.objective;
        let mut places = Vec::new();
        let known = match self.safe(&question.limits, objective) {
            _ if self.tried.is_empty() => {
                vec![(self.choice.setting, Some(self.choice.outcome.clone()))]
            }
            None => self.worse(question, curve),
            Some(safe) => {
                let values = self.values_beside(safe, question, curve).into_iter();
                let setting = |value| Setting {
                    value: Some(value),
                    other: None,
                };
                values.map(|value| (setting(value), None)).collect()
            }
        };
        for (setting, own) in known {
            let first = u64::from(own.is_some());
            places.extend((first..=OTHER_SEEDS).map(|seed| (setting, seed)));
            self.tried.push(Tried {
                setting,
                outcomes: own.map(|outcome| (0, outcome)).into_iter().collect(),
            });
        }
        places
    }

    pub fn add(&mut self, setting: Setting, seed: u64, outcome: Outcome) {
        if let Some(tried) = self.tried.iter_mut().find(|it| it.setting == setting) {
            let place = tried.outcomes.partition_point(|(other, _)| *other < seed);
            tried.outcomes.insert(place, (seed, outcome));
        }
    }

    fn keeps_limits_with_all_seeds(&self, limits: &Limits) -> bool {
        self.tried.first().is_some_and(|it| it.keeps(limits))
    }

    /// Returns the best setting so far that stays within the limits with all seeds.
    fn safe(&self, limits: &Limits, objective: Objective) -> Option<&Tried> {
        let kept = self.tried.iter().filter(|it| it.keeps(limits));
        kept.min_by_key(|it| it.objective(objective))
    }

    /// Returns settings that stay within the limits with the original seed, but are worse than all settings tried so
    /// far.
    fn worse(&self, question: &Question, curve: &Curve) -> Vec<(Setting, Option<Outcome>)> {
        let (limits, objective) = (&question.limits, question.objective);
        let objective_of = |point: &Point| objective.of(&point.outcome).unwrap_or(Nanos::MAX);
        let worst = self.tried.iter().map(|it| it.objective(objective)).max();
        let points = curve.points.iter().chain(&curve.remedies);
        // A value that rounds to the same two digits would look like the setting that exceeded the limits.
        let digits = |setting: Setting| {
            let main = curve.knob.zip(setting.value);
            (
                main.map(|(knob, value)| rounded(knob, value, 2)),
                setting.other,
            )
        };
        let checked = digits(self.choice.setting);
        let is_kept =
            |point: &&Point| limits.keeps(&point.outcome) && digits(point.setting) != checked;
        let mut found: Vec<&Point> = points
            .filter(is_kept)
            .filter(|point| worst.is_none_or(|worst| objective_of(point) > worst))
            .collect();
        found.sort_by_key(|point| objective_of(point));
        let ranked = RANKS.into_iter().filter_map(|rank| found.get(rank));
        ranked
            .map(|point| (point.setting, Some(point.outcome.clone())))
            .collect()
    }

    /// Returns knob values next to the value of `safe`, because one of them may be better. They lie in the direction of
    /// the checked setting, and no further away than the nearest value that is known to exceed a limit.
    fn values_beside(&self, safe: &Tried, question: &Question, curve: &Curve) -> Vec<f64> {
        let values = safe.setting.value.zip(self.choice.setting.value);
        let Some((knob, (from, checked))) = curve.knob.zip(values) else {
            return Vec::new();
        };
        if safe.setting.other.is_some() {
            return Vec::new();
        }
        let broken = self.tried.iter().filter(|it| !it.keeps(&question.limits));
        let values = broken.filter_map(|it| it.setting.value);
        let values = values.filter(|value| *value != from && (*value > from) == (checked > from));
        let nearest =
            values.min_by(|one, other| (one - from).abs().total_cmp(&(other - from).abs()));
        nearest.map_or_else(Vec::new, |to| between(knob, from.min(to), from.max(to)))
    }

    /// Returns the result so far, or `None` before the first simulations.
    pub fn check(&self, limits: &Limits, objective: Objective) -> Option<SeedCheck> {
        let outcomes = &self.tried.first()?.outcomes;
        let broken = outcomes
            .iter()
            .flat_map(|(_, outcome)| limits.broken(outcome));
        let broken = broken.max_by(|one, other| one.excess().total_cmp(&other.excess()));
        let safe = self.safe(limits, objective).filter(|_| broken.is_some());
        Some(SeedCheck {
            safe: safe.and_then(|it| {
                Some(Choice {
                    setting: it.setting,
                    outcome: it.outcome_with_original_seed()?.clone(),
                    ..self.choice.clone()
                })
            }),
            broken,
        })
    }
}
