//! What to use, what keeps all limits next to it, and why not the others.

use super::Question;
use super::curve::{Curve, Point, Setting, is_equally_good};
use super::limits::{Broken, Limit, Limits};
use super::outcome::{Goal, Outcome};
use crate::phrase;
use crate::sim::world::WEIGHT_RULE;
use crate::text::format;
use crate::text::rich::{Phrase, RichText, figure, multiple};
use timeslicer::knob::{Knob, KnobValues};
use timeslicer::strategy::{Snippet, StrategyEntry};
use timeslicer::time::Nanos;

/// A strategy with a setting, and its figures.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Index of the strategy's curve.
    pub curve: usize,
    pub strategy: &'static StrategyEntry,
    pub setting: Setting,
    pub outcome: Outcome,
}

/// A strategy that is not the best.
#[derive(Clone, Debug)]
pub struct Other {
    /// Its best setting, or the one that is closest to keeping the limits.
    pub choice: Choice,
    /// The limits that it breaks with this setting; none if it keeps all of them.
    pub broken: Vec<Broken>,
    /// The same main setting with another value of another knob, if it keeps all limits then.
    pub remedy: Option<Choice>,
    /// Its goal as a multiple of that of the best strategy; `None` if either is not known.
    pub times_best: Option<f64>,
}

/// A limit that would have to be relaxed if all others are to be kept.
#[derive(Clone, Debug)]
pub struct Relaxation {
    pub limit: Limit,
    pub allowed: Nanos,
    /// What would be allowed instead, rounded up to two digits.
    pub to: Nanos,
    /// The setting that keeps all limits then.
    pub choice: Choice,
}

/// The answer of a sweep.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub goal: Goal,
    pub limits: Limits,
    /// The best setting that keeps all limits. Of strategies that are equally good, the first in the registry is the best,
    /// because it is the simplest.
    pub best: Option<Choice>,
    /// The best setting of another strategy that keeps all limits.
    pub runner_up: Option<Choice>,
    /// If no setting keeps all limits, the one that is closest to it.
    pub nearest: Option<Choice>,
    /// Every other strategy, in the order of the curves.
    pub others: Vec<Other>,
    /// If no setting keeps all limits: which limit could be relaxed, the one that needs least first.
    pub relaxations: Vec<Relaxation>,
    /// The largest excess over a limit with other seeds, if the best setting breaks one then.
    pub with_other_seeds: Option<Broken>,
}

impl Answer {
    pub(super) fn new(question: &Question, curves: &[Curve], other_seeds: &[Outcome]) -> Self {
        let (limits, goal) = (&question.limits, question.goal);
        let choice = |curve: usize, point: &Point| Choice {
            curve,
            strategy: curves[curve].strategy,
            setting: point.setting,
            outcome: point.outcome.clone(),
        };
        let goal_of = |choice: &Choice| goal.of(&choice.outcome).unwrap_or(Nanos::MAX);
        let kept = curves.iter().enumerate();
        let kept = kept.filter_map(|(place, curve)| Some(choice(place, curve.best(limits, goal)?)));
        let kept: Vec<Choice> = kept.collect();
        let first_of_best = |kept: &[&Choice]| {
            let least = kept.iter().map(|it| goal_of(it)).min();
            let mut kept = kept.iter();
            let best = kept.find(|it| is_equally_good(least, Some(goal_of(it))));
            best.map(|it| (*it).clone())
        };
        let best = first_of_best(&kept.iter().collect::<Vec<_>>());
        let is_other = |it: &&Choice| best.as_ref().is_some_and(|best| best.curve != it.curve);
        let runner_up = first_of_best(&kept.iter().filter(is_other).collect::<Vec<_>>());

        let best_goal = best.as_ref().map(goal_of);
        let of = |(place, curve): (usize, &Curve)| {
            let kept = kept.iter().find(|it| it.curve == place);
            let nearest = || Some(choice(place, curve.nearest(limits, goal)?));
            let choice_of = kept.cloned().or_else(nearest)?;
            let own = goal.of(&choice_of.outcome);
            Some(Other {
                broken: limits.broken(&choice_of.outcome),
                remedy: curve.remedy(limits, goal).map(|point| choice(place, point)),
                times_best: own.zip(best_goal).map(|(own, best)| own.over(best)),
                choice: choice_of,
            })
        };
        let others = curves.iter().enumerate().filter_map(of);
        let others = others.filter(|it| {
            best.as_ref()
                .is_none_or(|best| best.curve != it.choice.curve)
        });
        let others: Vec<Other> = others.collect();

        let mut relaxations = Vec::new();
        let mut nearest = None;
        if best.is_none() {
            let points = curves.iter().enumerate().flat_map(|(place, curve)| {
                let points = curve.points.iter().chain(&curve.remedies);
                points.map(move |point| (place, point))
            });
            let points = points.filter(|(_, point)| point.outcome.staleness.is_some());
            let points: Vec<(usize, &Point)> = points.collect();
            let of_limit = |limit| {
                let only_broken = points.iter().filter_map(|(place, point)| {
                    let broken = limits.broken(&point.outcome);
                    let [only] = broken[..] else { return None };
                    (only.limit == limit).then_some((only, *place, *point))
                });
                let (only, place, point) = only_broken
                    .min_by_key(|(only, _, point)| (only.measured, goal.of(&point.outcome)))?;
                Some(Relaxation {
                    limit,
                    allowed: only.allowed,
                    to: up_to_two_digits(only.measured),
                    choice: choice(place, point),
                })
            };
            relaxations = Limit::ALL.into_iter().filter_map(of_limit).collect();
            relaxations.sort_by(|one, other| one.excess().total_cmp(&other.excess()));
            let least = points.iter().min_by(|(_, one), (_, other)| {
                let excess = |point: &Point| limits.excess(&point.outcome);
                excess(one).total_cmp(&excess(other))
            });
            let by_excess = || least.map(|(place, point)| choice(*place, point));
            let by_limit = relaxations.first().map(|it| it.choice.clone());
            nearest = by_limit.or_else(by_excess);
        }
        let broken = other_seeds.iter().flat_map(|it| limits.broken(it));
        Self {
            goal,
            limits: *limits,
            with_other_seeds: broken.max_by(|one, other| one.excess().total_cmp(&other.excess())),
            best,
            runner_up,
            nearest,
            others,
            relaxations,
        }
    }

    /// Returns the best setting, or else the one that is closest to keeping the limits.
    pub fn advised(&self) -> Option<&Choice> {
        self.best.as_ref().or(self.nearest.as_ref())
    }

    /// Says what to use, the most important first.
    pub fn text(&self) -> RichText {
        let first = match (&self.best, &self.nearest) {
            (Some(best), _) => phrase!("use {}: {}", best.words(), self.figures(best)).normal(),
            (None, Some(nearest)) => {
                let broken = self.limits.broken(&nearest.outcome);
                let broken = broken.iter().map(Broken::words);
                let closest = phrase!("closest is {}, with which ", nearest.words());
                let words = joined(broken, " and ");
                phrase!("no strategy keeps all limits: {}{}", closest, words).warning()
            }
            (None, None) => phrase!("no task has run with any strategy").warning(),
        };
        let mut clauses = vec![first];
        if let Some(runner_up) = &self.runner_up {
            let price = self.price(runner_up);
            clauses.push(phrase!("runner-up: {}, {}", runner_up.words(), price).normal());
        }
        let to = self.relaxations.iter().map(Relaxation::words);
        if !self.relaxations.is_empty() {
            clauses.push(phrase!("to keep all others, {}", joined(to, ", or ")).normal());
        }
        if let Some(broken) = self.with_other_seeds {
            clauses.push(phrase!("with another seed, {}", broken.words()).warning());
        }
        clauses.into_iter().collect()
    }

    /// Says how good a choice is: `mean weighted staleness 172 ms, 1.02 times the theoretical minimum`.
    pub fn figures(&self, choice: &Choice) -> Phrase {
        let staleness = self.goal.of(&choice.outcome).unwrap_or_default();
        let mut words = phrase!("{} {}", self.goal.name(), staleness);
        if let Some(times) = self.goal.times_minimum(&choice.outcome) {
            let times = figure(format!("{times:.2}"));
            words.push(phrase!(", {} times the theoretical minimum", times));
        }
        words
    }

    /// Says what a choice costs compared with the best.
    pub fn price(&self, choice: &Choice) -> Phrase {
        let of = |choice: &Choice| self.goal.of(&choice.outcome);
        let times = self.best.as_ref().and_then(of).zip(of(choice));
        let times = times.map_or(1.0, |(best, own)| own.over(best));
        if (times - 1.0).abs() < 0.005 {
            "equally stale".into()
        } else {
            phrase!("{} as stale", multiple(times))
        }
    }

    /// Says why a strategy is not the best, and what would save it.
    pub fn why_not(&self, other: &Other) -> Vec<Phrase> {
        if other.broken.is_empty() && other.choice.outcome.staleness.is_some() {
            let price = self.price(&other.choice);
            return vec![match other.choice.setting_words() {
                Some(setting) => phrase!("{} with {}", price, setting),
                None => price,
            }];
        }
        if other.choice.outcome.staleness.is_none() {
            return vec!["not every task runs".into()];
        }
        let broken = joined(other.broken.iter().map(Broken::words), " and ");
        let mut reasons = vec![match other.choice.setting_words() {
            Some(setting) => phrase!("{} with {}", broken, setting),
            None => broken,
        }];
        if let Some(remedy) = &other.remedy {
            let knob = remedy.setting.other.map(|(knob, value)| at(knob, value));
            let knob = knob.unwrap_or_default();
            reasons.push(phrase!("keeps all limits with {}", knob));
        } else {
            let allow = other.broken.iter().map(Broken::relaxed);
            reasons.push(phrase!("would need {}", joined(allow, " and ")));
        }
        reasons
    }
}

/// Joins phrases.
fn joined(phrases: impl Iterator<Item = Phrase>, with: &str) -> Phrase {
    let mut words = Phrase::default();
    for (nth, phrase) in phrases.enumerate() {
        if nth > 0 {
            words.push(with);
        }
        words.push(phrase);
    }
    words
}

/// Names a value of a knob: `Interval at 4.2 s`.
fn at(knob: &Knob, value: f64) -> Phrase {
    phrase!("{} at {}", knob.label, figure(format::knob(knob, value)))
}

/// Rounds a time up to two digits.
fn up_to_two_digits(time: Nanos) -> Nanos {
    let nanos = time.as_nanos();
    let zeros = nanos.max(1).ilog10().saturating_sub(1);
    let unit = 10_u64.pow(zeros);
    Nanos::from_nanos(nanos.div_ceil(unit).saturating_mul(unit))
}

impl Choice {
    /// Returns the knobs that the setting changes, and their values.
    pub fn values(&self) -> impl Iterator<Item = (&'static Knob, f64)> {
        let main = self.strategy.main_knob().zip(self.setting.value);
        main.into_iter().chain(self.setting.other)
    }

    /// Names the setting: `Interval at 0.42 s`. `None` for a strategy without a main knob.
    pub fn setting_words(&self) -> Option<Phrase> {
        let values: Vec<Phrase> = self.values().map(|(knob, value)| at(knob, value)).collect();
        (!values.is_empty()).then(|| joined(values.into_iter(), " and "))
    }

    /// Names strategy and setting: `Fixed interval with Interval at 0.42 s`.
    pub fn words(&self) -> Phrase {
        match self.setting_words() {
            Some(setting) => phrase!("{} with {}", self.strategy.name, setting),
            None => self.strategy.name.into(),
        }
    }

    /// Returns Rust code that uses the strategy with this setting; its other knobs have the values `knobs`.
    pub fn snippet(&self, knobs: &KnobValues) -> Snippet {
        let mut knobs = knobs.clone();
        for (knob, value) in self.values() {
            knobs.set(knob, value);
        }
        self.strategy.snippet(&knobs, &WEIGHT_RULE)
    }
}

impl Broken {
    /// Says what happens: `an entity waits 2.25 s, more than 2 s`.
    pub fn words(&self) -> Phrase {
        let (measured, allowed) = (self.measured, self.allowed);
        match self.limit {
            Limit::Tasks => {
                phrase!(
                    "a frame spends {} on tasks, more than {}",
                    measured,
                    allowed
                )
            }
            Limit::Near => phrase!(
                "mean staleness near the target is {}, more than {}",
                measured,
                allowed
            ),
            Limit::Longest => phrase!("an entity waits {}, more than {}", measured, allowed),
            Limit::Hitches => phrase!("tasks cause a hitch of {}", measured),
        }
    }

    /// Says what the game would have to allow: `a longest wait of 2.3 s instead of 2 s`.
    fn relaxed(&self) -> Phrase {
        relaxed(self.limit, up_to_two_digits(self.measured), self.allowed)
    }
}

fn relaxed(limit: Limit, to: Nanos, allowed: Nanos) -> Phrase {
    match limit {
        Limit::Tasks => phrase!("{} of tasks in a frame instead of {}", to, allowed),
        Limit::Near => phrase!("{} near the target instead of {}", to, allowed),
        Limit::Longest => phrase!("a longest wait of {} instead of {}", to, allowed),
        Limit::Hitches => phrase!("hitches of up to {}", to),
    }
}

impl Relaxation {
    fn excess(&self) -> f64 {
        self.to.over(self.allowed.max(Nanos::from_nanos(1)))
    }

    /// Says what to allow: `allow a longest wait of 2.3 s instead of 2 s (Weighted share with Budget at 4 ms)`.
    pub fn words(&self) -> Phrase {
        let to = relaxed(self.limit, self.to, self.allowed);
        phrase!("allow {} ({})", to, self.choice.words())
    }
}
