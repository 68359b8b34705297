//! What to use, what keeps all limits next to it, and why not the others.

use super::Sweep;
use super::curve::{Curve, Point, Setting, is_equally_good};
use super::fewer::Fewer;
use super::limits::{Broken, Limit, Limits};
use super::outcome::{Goal, Outcome};
use super::seeds::SeedCheck;
use crate::sim::lane::Length;
use crate::sim::world::WEIGHT_RULE;
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
    /// What was measured with the setting below.
    pub measured: Nanos,
    /// What would be allowed instead, rounded up to two digits.
    pub to: Nanos,
    /// The best setting that keeps all limits then.
    pub choice: Choice,
}

/// What the figures of the advised setting are measured over.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub length: Length,
    pub seed: u64,
    /// False if every seed gives the same figures.
    pub depends_on_seed: bool,
}

/// The answer of a sweep.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub goal: Goal,
    pub limits: Limits,
    /// Number of entities.
    pub entities: u32,
    /// The best setting that keeps all limits. Of strategies that are equally good, the first in the registry is the best,
    /// because it is the simplest.
    pub best: Option<Choice>,
    /// The best setting of another strategy that keeps all limits.
    pub runner_up: Option<Choice>,
    /// A setting that keeps all limits and is better than the best, because it also changes a knob that is not the main one
    /// of its strategy.
    pub better: Option<Choice>,
    /// If no setting keeps all limits, the one that is closest to it.
    pub nearest: Option<Choice>,
    /// Every other strategy, in the order of the curves.
    pub others: Vec<Other>,
    /// If no setting keeps all limits: which limit could be relaxed, the one that needs least first.
    pub relaxations: Vec<Relaxation>,
    /// If no setting keeps all limits: the number of entities with which one does.
    pub fewer: Option<Fewer>,
    /// `None` without an advised setting.
    pub measured: Option<Measured>,
    /// What other seeds say about the best setting, and about the runner-up. `None` if all seeds give the same figures, and
    /// until other seeds have been tried.
    pub best_with_seeds: Option<SeedCheck>,
    pub runner_up_with_seeds: Option<SeedCheck>,
}

impl Answer {
    pub(super) fn new(sweep: &Sweep) -> Self {
        let (limits, goal) = (&sweep.question.limits, sweep.question.goal);
        let kept = kept(sweep, limits);
        let best = first_of_best(goal, &kept, None);
        let runner_up = best
            .as_ref()
            .and_then(|best| first_of_best(goal, &kept, Some(best.curve)));
        let better = best.as_ref().and_then(|best| better(sweep, best));
        let relaxations = match best {
            Some(_) => Vec::new(),
            None => relaxations(sweep),
        };
        let nearest = match (&best, relaxations.first()) {
            (Some(_), _) => None,
            (None, Some(relaxation)) => Some(relaxation.choice.clone()),
            (None, None) => nearest(sweep),
        };
        let question = &sweep.question;
        let measured = best.as_ref().or(nearest.as_ref()).map(|it| Measured {
            length: question.length,
            seed: question.settings.seed,
            depends_on_seed: question.depends_on_seed(it.strategy),
        });
        let with_seeds = |choice: &Option<Choice>| {
            let curve = choice.as_ref()?.curve;
            let search = sweep.seeds.iter().find(|it| it.choice.curve == curve)?;
            search.check(limits, goal)
        };
        Self {
            goal,
            limits: *limits,
            entities: question.entities(),
            measured,
            best_with_seeds: with_seeds(&best),
            runner_up_with_seeds: with_seeds(&runner_up),
            others: others(sweep, &kept, &relaxations, best.as_ref()),
            fewer: nearest.as_ref().and_then(|_| sweep.fewer.best()),
            best,
            runner_up,
            better,
            nearest,
            relaxations,
        }
    }

    /// Returns the best setting of every strategy, or the one that is closest to keeping the limits, in the order of the
    /// curves.
    pub fn choices(&self) -> Vec<&Choice> {
        let others = self.others.iter().map(|other| &other.choice);
        let mut choices: Vec<&Choice> = self.best.iter().chain(others).collect();
        choices.sort_by_key(|choice| choice.curve);
        choices
    }

    /// Returns the best setting, or else the one that is closest to keeping the limits.
    pub fn advised(&self) -> Option<&Choice> {
        self.best.as_ref().or(self.nearest.as_ref())
    }
}

/// Returns the best setting of each strategy that keeps the limits with a value of its main knob. If there is none, of each
/// that keeps them with another value of another knob.
fn kept(sweep: &Sweep, limits: &Limits) -> Vec<Choice> {
    let goal = sweep.question.goal;
    let of = |best: for<'a> fn(&'a Curve, &Limits, Goal) -> Option<&'a Point>| {
        let curves = sweep.curves.iter().enumerate();
        let best = curves
            .filter_map(|(place, curve)| Some(sweep.choice(place, best(curve, limits, goal)?)));
        best.collect::<Vec<Choice>>()
    };
    let kept = of(Curve::best);
    if kept.is_empty() {
        of(Curve::remedy)
    } else {
        kept
    }
}

/// Returns the first of the choices that are as good as the best, without that of the curve `except`.
fn first_of_best(goal: Goal, kept: &[Choice], except: Option<usize>) -> Option<Choice> {
    let goal_of = |choice: &Choice| goal.of(&choice.outcome);
    let kept = || kept.iter().filter(|it| Some(it.curve) != except);
    let least = kept().filter_map(goal_of).min();
    kept()
        .find(|it| is_equally_good(least, goal_of(it)))
        .cloned()
}

/// Returns the best setting with another value of another knob that keeps the limits, if it is better than `best`.
fn better(sweep: &Sweep, best: &Choice) -> Option<Choice> {
    let (limits, goal) = (&sweep.question.limits, sweep.question.goal);
    let goal_of = |outcome: &Outcome| goal.of(outcome);
    let curves = sweep.curves.iter().enumerate();
    let remedies = curves.filter_map(|(place, curve)| Some((place, curve.remedy(limits, goal)?)));
    let (place, point) = remedies.min_by_key(|(_, point)| goal_of(&point.outcome))?;
    let (own, best) = (goal_of(&point.outcome), goal_of(&best.outcome));
    (own < best && !is_equally_good(own, best)).then(|| sweep.choice(place, point))
}

/// Returns every strategy except the best, with its best setting. If it breaks a limit with any, with the one that keeps all
/// limits after a relaxation, or else with the nearest.
fn others(
    sweep: &Sweep,
    kept: &[Choice],
    relaxations: &[Relaxation],
    best: Option<&Choice>,
) -> Vec<Other> {
    let (limits, goal) = (&sweep.question.limits, sweep.question.goal);
    let best_goal = best.and_then(|best| goal.of(&best.outcome));
    let of = |(place, curve): (usize, &Curve)| {
        let relaxed = relaxations.iter().map(|it| &it.choice);
        let kept = kept.iter().chain(relaxed).find(|it| it.curve == place);
        let nearest = || Some(sweep.choice(place, curve.nearest(limits, goal)?));
        let choice = kept.cloned().or_else(nearest)?;
        let own = goal.of(&choice.outcome);
        Some(Other {
            broken: limits.broken(&choice.outcome),
            remedy: curve
                .remedy(limits, goal)
                .map(|point| sweep.choice(place, point)),
            times_best: own.zip(best_goal).map(|(own, best)| own.over(best)),
            choice,
        })
    };
    let others = sweep.curves.iter().enumerate();
    let others = others.filter(|(place, _)| best.is_none_or(|best| best.curve != *place));
    others.filter_map(of).collect()
}

/// Returns all settings that ran every task, with the index of their curve.
fn settled(sweep: &Sweep) -> impl Iterator<Item = (usize, &Point)> {
    let points = sweep.curves.iter().enumerate().flat_map(|(place, curve)| {
        let points = curve.points.iter().chain(&curve.remedies);
        points.map(move |point| (place, point))
    });
    points.filter(|(_, point)| point.outcome.staleness.is_some())
}

/// Returns for each limit the setting that keeps all others and exceeds it least, if there is one.
pub(super) fn nearly_kept(sweep: &Sweep) -> Vec<(Broken, Choice)> {
    let (limits, goal) = (&sweep.question.limits, sweep.question.goal);
    let of_limit = |limit| {
        let only_broken = settled(sweep).filter_map(|(place, point)| {
            let broken = limits.broken(&point.outcome);
            let [only] = broken[..] else { return None };
            (only.limit == limit).then_some((only, place, point))
        });
        let (only, place, point) =
            only_broken.min_by_key(|(only, _, point)| (only.measured, goal.of(&point.outcome)))?;
        Some((only, sweep.choice(place, point)))
    };
    Limit::ALL.into_iter().filter_map(of_limit).collect()
}

/// Returns for each limit the least relaxation with which a setting keeps all limits, and the best setting then.
fn relaxations(sweep: &Sweep) -> Vec<Relaxation> {
    let (limits, goal) = (&sweep.question.limits, sweep.question.goal);
    let of_limit = |(least, _): (Broken, Choice)| {
        let (limit, to) = (least.limit, least.relaxed());
        let kept = kept(sweep, &limits.with(limit, to));
        let choice = first_of_best(goal, &kept, None)?;
        let measured = limit.measured(&choice.outcome)?;
        Some(Relaxation {
            limit,
            allowed: least.allowed,
            measured,
            // Any value is allowed if the limit has none, or if the value is larger than its field takes.
            to: to.max(Broken { measured, ..least }.relaxed()),
            choice,
        })
    };
    let mut relaxations: Vec<Relaxation> = nearly_kept(sweep)
        .into_iter()
        .filter_map(of_limit)
        .collect();
    relaxations.sort_by(|one, other| one.excess().total_cmp(&other.excess()));
    relaxations
}

/// Returns the setting that is closest to keeping the limits.
fn nearest(sweep: &Sweep) -> Option<Choice> {
    let (limits, goal) = (&sweep.question.limits, sweep.question.goal);
    let curves = sweep.curves.iter().enumerate();
    let nearest = curves.filter_map(|(place, curve)| Some((place, curve.nearest(limits, goal)?)));
    nearest_of(sweep, nearest)
}

/// Returns the setting that is closest to keeping the limits, of those that take no more time than allowed. Their waits
/// become shorter with fewer entities, whereas a setting that runs too many tasks in a frame still does.
pub(super) fn nearest_in_time(sweep: &Sweep) -> Option<Choice> {
    let limits = &sweep.question.limits;
    let is_in_time = |broken: &Broken| !matches!(broken.limit, Limit::Tasks | Limit::Hitches);
    let in_time =
        settled(sweep).filter(|(_, point)| limits.broken(&point.outcome).iter().all(is_in_time));
    nearest_of(sweep, in_time)
}

fn nearest_of<'a>(
    sweep: &Sweep,
    points: impl Iterator<Item = (usize, &'a Point)>,
) -> Option<Choice> {
    let (limits, goal) = (&sweep.question.limits, sweep.question.goal);
    let points = points.filter(|(_, point)| point.outcome.staleness.is_some());
    let far = |point: &Point| (limits.excess(&point.outcome), goal.of(&point.outcome));
    let nearest = points.min_by(|(_, one), (_, other)| {
        let (one, other) = (far(one), far(other));
        one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
    });
    nearest.map(|(place, point)| sweep.choice(place, point))
}

impl Choice {
    /// Returns the knobs that the setting changes, and their values.
    pub fn values(&self) -> impl Iterator<Item = (&'static Knob, f64)> {
        let main = self.strategy.main_knob().zip(self.setting.value);
        main.into_iter().chain(self.setting.other)
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

impl Relaxation {
    fn excess(&self) -> f64 {
        self.to.over(self.allowed.max(Nanos::from_nanos(1)))
    }
}
