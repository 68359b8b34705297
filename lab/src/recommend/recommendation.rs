//! The answer to a question: which strategy and setting is recommended, and how the other strategies did.

use super::limits::{Broken, Limit, Limits};
use super::per_run::PerRun;
use super::relaxation::Way;
use super::search::Found;
use super::setting::{Setting, named};
use super::trial::{Outcome, Staleness};
use super::{Point, Question};
use crate::catalog::strategy::StrategyEntry;
use crate::measure::{Objective, Times};
use crate::sim::settings::Settings;
use crate::text::rust;
use std::sync::Arc;
use timeslicer::time::Nanos;

/// If the lower of two results is at least this fraction of the other, they count as equal, and the simpler one wins.
pub(super) const EQUALLY_GOOD: f64 = 0.98;

/// The best setting of a strategy. If every setting exceeds a limit, the one that exceeds the limits least.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The index of the strategy in [`Question::strategies`].
    pub lane: usize,
    pub strategy: &'static StrategyEntry,
    /// False if the strategy was not tried, because it cannot do this kind of work ([`Question::considers`]).
    pub is_considered: bool,
    pub setting: Setting,
    /// The outcome with the user's seed. However, the longest wait and task time are maxima over all seeds, and the
    /// mean staleness and wait of requests are averages over all seeds.
    pub outcome: Outcome,
    /// The objective of this outcome, or `None` if some tasks never ran.
    pub objective: Option<Nanos>,
    pub depends_on_seed: bool,
    /// The number of seeds with which the setting keeps all limits.
    pub kept: u64,
    /// The limits that the setting exceeds, except for tolerated excesses, each with the largest value over all seeds.
    pub broken: Vec<Broken>,
    /// The limits that the setting exceeds so little that this is tolerated.
    pub tolerated: Vec<Broken>,
}

/// With seeds other than the user's, waits, staleness and the task time of a few frames may exceed limits by this
/// factor. Costs differ from seed to seed, so otherwise a setting would have to stay well below the limits.
const TOLERANCE: f64 = 1.03;
/// Over all seeds together, at most one in this many frames may exceed the limit on task time.
const FRAMES_PER_EXCESS: u64 = 2000;

/// The limits that a setting exceeds, each with the largest value of all seeds.
pub(super) struct Excesses {
    pub broken: Vec<Broken>,
    /// Limits that are exceeded a little, and only with seeds other than the first.
    pub tolerated: Vec<Broken>,
}

impl Excesses {
    /// Compares the outcomes of a setting with the limits. The first outcome must be the one with the user's seed.
    pub fn of(outcomes: &[Arc<Outcome>], limits: &Limits) -> Self {
        let own = limits.broken(&outcomes[0]);
        let largest = Limit::ALL.into_iter().filter_map(|limit| {
            let broken = outcomes.iter().flat_map(|it| limits.broken(it));
            let exceeded = broken.filter(|it| it.limit == limit);
            exceeded.max_by_key(|it| it.measured)
        });
        let (tolerated, broken) = largest.partition(|it| {
            let is_tolerable = match it.limit {
                Limit::Near | Limit::Longest | Limit::Wait => true,
                Limit::Tasks => are_rare(outcomes, it.allowed),
                Limit::Hitches | Limit::MeanFrame => false,
            };
            let is_own = own.iter().any(|own| own.limit == it.limit);
            is_tolerable && !is_own && it.excess() <= TOLERANCE
        });
        Self { broken, tolerated }
    }
}

/// Returns true if so few frames spend more than `allowed` on tasks that it can be tolerated.
fn are_rare(outcomes: &[Arc<Outcome>], allowed: Nanos) -> bool {
    let frames: u64 = outcomes.iter().map(|it| it.tasks.count).sum();
    let long = outcomes.iter().filter(|it| it.tasks.max > allowed).count() as u64;
    let are_single = outcomes.iter().all(|it| it.second_tasks <= allowed);
    are_single && long * FRAMES_PER_EXCESS <= frames
}

/// Combines the outcomes with all seeds as described at [`Choice::outcome`].
fn combined(outcomes: &[Arc<Outcome>]) -> Outcome {
    let mut all = (*outcomes[0]).clone();
    let most = outcomes.iter().map(|it| it.tasks.max).max();
    all.tasks.max = most.unwrap_or_default();
    let waits = outcomes.iter().filter_map(|it| it.request_wait);
    let waits: Vec<Times> = waits.collect(); // with some seeds, nothing may have been requested
    all.request_wait = waits.first().map(|first| {
        let sum: f64 = waits.iter().map(|it| it.mean.as_nanos() as f64).sum();
        Times {
            mean: Nanos::from_nanos_f64(sum / waits.len() as f64),
            max: waits.iter().map(|it| it.max).max().unwrap_or_default(),
            ..*first
        }
    });
    let known: Option<Vec<&Staleness>> = outcomes.iter().map(|it| it.staleness.as_ref()).collect();
    all.staleness = known.map(|known| {
        let average = |of: fn(&Staleness) -> Option<Nanos>| {
            let values = known.iter().filter_map(|it| of(it));
            let values: Vec<f64> = values.map(|it| it.as_nanos() as f64).collect();
            let sum: f64 = values.iter().sum();
            (!values.is_empty()).then(|| Nanos::from_nanos_f64(sum / values.len() as f64))
        };
        let mean = |of| average(of).unwrap_or_default();
        Staleness {
            mean: mean(|it| Some(it.mean)),
            near: average(|it| it.near),
            others: average(|it| it.others),
            worst: known.iter().map(|it| it.worst).max().unwrap_or_default(),
            weighted_mean: mean(|it| Some(it.weighted_mean)),
            weighted_worst: mean(|it| Some(it.weighted_worst)),
            least_mean: average(|it| it.least_mean),
            least_worst: average(|it| it.least_worst),
        }
    });
    all
}

impl Choice {
    pub(super) fn new(question: &Question, limits: &Limits, found: &Found) -> Self {
        let strategy = question.strategies[found.lane];
        let outcomes = &found.outcomes;
        let Excesses { broken, tolerated } = Excesses::of(outcomes, limits);
        let outcome = combined(outcomes);
        Self {
            lane: found.lane,
            strategy,
            is_considered: question.considers(strategy),
            setting: found.setting.clone(),
            objective: question.objective.of(&outcome),
            outcome,
            depends_on_seed: question.seeds_of(strategy) > 1,
            kept: outcomes.iter().filter(|it| limits.keeps(it)).count() as u64,
            broken,
            tolerated,
        }
    }

    /// Returns true if every task ran and no limit was exceeded, with all seeds. A small excess is tolerated.
    pub fn holds(&self) -> bool {
        self.objective.is_some() && self.broken.is_empty()
    }

    pub fn excess(&self) -> f64 {
        if self.objective.is_none() {
            return f64::INFINITY;
        }
        self.broken.iter().map(Broken::excess).product()
    }

    pub(super) fn most_broken(&self) -> Option<&Broken> {
        let broken = self.broken.iter();
        broken.max_by(|one, other| one.excess().total_cmp(&other.excess()))
    }

    pub fn words(&self) -> String {
        named(self.strategy, &self.setting)
    }
}

impl From<&Choice> for Point {
    fn from(choice: &Choice) -> Self {
        Self {
            strategy: choice.strategy,
            setting: choice.setting.clone(),
            outcome: choice.outcome.clone(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Recommendation {
    pub objective: Objective,
    pub limits: Limits,
    pub entities: u32,
    /// The settings that all choices are based on.
    pub base: Settings,
    /// The mean time per frame that requested tasks need. `None` unless the work is done only on request.
    pub requested_tasks: Option<Nanos>,
    /// The best setting of each strategy, in the order of [`Question::strategies`], which begins with the simplest.
    pub choices: Vec<Choice>,
    /// The index of the recommended choice, or `None` if every setting exceeds a limit. It is the choice with the best
    /// objective. If several choices are about equally good, it is the simplest of them.
    pub best: Option<usize>,
    /// The choice that keeps the limits on waits and staleness with the least task time per frame, and this time.
    /// `None` if there are no such limits, or if the time is not below the limit on task time.
    pub least_tasks: Option<(Nanos, Choice)>,
    /// How the recommended setting does if costs differ from run to run. `None` if that was not tried.
    pub per_run: Option<PerRun>,
    /// If every setting exceeds a limit, changes to the question that would help. Those that relax a limit come first,
    /// beginning with the smallest change.
    pub ways: Vec<Way>,
    /// The length of the trials in which the choices were measured.
    pub trial_time: Nanos,
}

impl Recommendation {
    /// Creates the answer from what the search for each strategy has found. Without entities, there is no search.
    pub(super) fn new(question: &Question, found: &[Found]) -> Self {
        let choices = found.iter();
        let choices = choices.map(|found| Choice::new(question, &question.limits, found));
        let choices: Vec<Choice> = choices.collect();
        Self {
            objective: question.objective,
            limits: question.limits,
            entities: question.entities(),
            base: question.settings.clone(),
            requested_tasks: (question.limits.on_request).then(|| question.requested_tasks()),
            best: first_of_best(&choices),
            choices,
            least_tasks: None,
            per_run: None,
            ways: Vec::new(),
            trial_time: question.trial_time,
        }
    }

    /// Returns true if other random seeds give other results, at least for some strategies.
    pub fn depends_on_seed(&self) -> bool {
        self.choices.iter().any(|it| it.depends_on_seed)
    }

    /// Replaces choices by these ones if they are closer to keeping the limits.
    pub(super) fn improve(&mut self, choices: &[Choice]) {
        for choice in choices {
            let old = &mut self.choices[choice.lane];
            if !old.holds() && choice.excess() < old.excess() {
                *old = choice.clone();
            }
        }
        self.best = first_of_best(&self.choices);
    }

    pub fn best(&self) -> Option<&Choice> {
        self.best.map(|best| &self.choices[best])
    }

    /// Returns the recommended choice. If every setting exceeds a limit, returns the choice that exceeds the limits by
    /// the smallest factor. How often it exceeds them does not matter.
    pub fn recommended(&self) -> Option<&Choice> {
        self.best().or_else(|| self.nearest())
    }

    fn nearest(&self) -> Option<&Choice> {
        let known = self.choices.iter().filter(|it| it.objective.is_some());
        known.min_by(|one, other| {
            let excess = one.excess().total_cmp(&other.excess());
            excess.then(one.objective.cmp(&other.objective))
        })
    }

    /// Returns the simplest choice that keeps all limits. Returns `None` if it is the recommended one.
    pub fn simplest(&self) -> Option<&Choice> {
        let first = self.choices.iter().position(Choice::holds)?;
        (Some(first) != self.best).then(|| &self.choices[first])
    }

    /// Returns the choice with the best objective among those that keep all limits but are not recommended.
    pub fn runner_up(&self) -> Option<&Choice> {
        let others = self.choices.iter().filter(|it| it.holds());
        let others = others.filter(|it| Some(it.lane) != self.best);
        others.min_by_key(|it| it.objective)
    }

    /// Returns the indices of all choices: first the recommended or closest one, then those that keep the limits, then by
    /// excess.
    pub fn order(&self) -> Vec<usize> {
        let first = self.recommended().map(|choice| choice.lane);
        let mut order: Vec<usize> = (0..self.choices.len()).collect();
        let place = |lane: usize| {
            let choice = &self.choices[lane];
            let objective = choice.objective.filter(|_| choice.holds());
            (Some(choice.lane) != first, objective.unwrap_or(Nanos::MAX))
        };
        order.sort_by(|&one, &other| {
            let excess = || {
                self.choices[one]
                    .excess()
                    .total_cmp(&self.choices[other].excess())
            };
            place(one).cmp(&place(other)).then_with(excess)
        });
        order
    }

    /// Returns the objective of a choice divided by that of the recommended one, or `None` if one of them is unknown.
    pub fn times_best(&self, choice: &Choice) -> Option<f64> {
        let best = self.recommended()?.objective?;
        Some(choice.objective?.over(best.max(Nanos::from_nanos(1))))
    }

    pub fn settings(&self, choice: &Choice) -> Settings {
        choice.setting.applied_to(choice.strategy, &self.base)
    }

    pub fn snippet(&self, choice: &Choice) -> String {
        let knobs = self.settings(choice).knobs;
        rust::snippet(choice.strategy, &knobs)
    }

    /// Returns the command-line flags of the `run` command that simulates a choice: names without dashes, and values.
    pub fn flags(&self, choice: &Choice) -> Vec<(&'static str, String)> {
        let mut flags = vec![("strategy", choice.strategy.key.to_owned())];
        flags.extend(choice.setting.flags());
        for (name, value) in self.settings(choice).flags() {
            if flags.iter().all(|(known, _)| *known != name) {
                flags.push((name, value));
            }
        }
        flags.push(("seconds", self.trial_time.in_seconds()));
        flags
    }
}

/// Returns the index of the first choice that is about as good as the best one. It is the simplest such choice.
fn first_of_best(choices: &[Choice]) -> Option<usize> {
    let held = || choices.iter().filter(|it| it.holds());
    let least = held().filter_map(|it| it.objective).min()?;
    let is_equal = |it: &&Choice| it.objective.is_some_and(|own| is_equally_good(least, own));
    held().find(is_equal).map(|it| it.lane)
}

/// Returns true if `best` is so little better than `other` that the difference may be due to chance or rounding.
pub(super) fn is_equally_good(best: Nanos, other: Nanos) -> bool {
    best.as_nanos() as f64 >= EQUALLY_GOOD * other.as_nanos() as f64
}
