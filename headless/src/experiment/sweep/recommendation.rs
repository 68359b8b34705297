//! The result of a sweep: which setting is recommended, which other settings keep all limits, and why the other
//! strategies are not recommended.

use super::Sweep;
use super::curve::{Curve, Point, Setting, is_equally_good};
use super::fewer::Fewer;
use super::limits::{Broken, Limit, Limits};
use super::outcome::{Objective, Outcome};
use super::seeds::SeedCheck;
use crate::sim::lane::Length;
use crate::sim::world::WEIGHT_RULE;
use timeslicer::knob::{Knob, KnobValues};
use timeslicer::strategy::{Snippet, StrategyEntry};
use timeslicer::time::Nanos;

/// A strategy with a setting, and the outcome of its trial.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The index of the strategy's curve in the sweep.
    pub curve: usize,
    pub strategy: &'static StrategyEntry,
    pub setting: Setting,
    pub outcome: Outcome,
}

/// A strategy that is not the best, and the reasons.
#[derive(Clone, Debug)]
pub struct Other {
    /// The strategy's best setting, or the setting that is closest to keeping the limits.
    pub choice: Choice,
    /// The limits that this setting breaks; empty if it keeps all of them.
    pub broken: Vec<Broken>,
    /// The strategy's best setting that keeps all limits by changing a second knob, if there is one.
    pub remedy: Option<Choice>,
    /// The strategy's objective as a multiple of the best strategy's objective; `None` if either is unknown.
    pub times_best: Option<f64>,
}

/// A limit that would have to be relaxed so that a setting keeps all limits.
#[derive(Clone, Debug)]
pub struct Relaxation {
    pub limit: Limit,
    pub allowed: Nanos,
    /// The value that was measured with `choice`.
    pub measured: Nanos,
    /// The value to allow instead, rounded up to two digits.
    pub to: Nanos,
    /// The best setting that keeps all limits after the relaxation.
    pub choice: Choice,
}

/// The conditions under which the recommended setting was measured.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub length: Length,
    pub seed: u64,
    /// False if every seed gives the same results.
    pub depends_on_seed: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Recommendation {
    pub objective: Objective,
    pub limits: Limits,
    pub entities: u32,
    /// The best setting that keeps all limits. If strategies are equally good, this is the first of them in the
    /// registry, because it is the simplest.
    pub best: Option<Choice>,
    /// The best setting of any other strategy that keeps all limits.
    pub runner_up: Option<Choice>,
    /// A setting that keeps all limits and is better than the best, because it changes a second knob of its strategy.
    pub better: Option<Choice>,
    /// The setting that is closest to keeping all limits, if no setting keeps them.
    pub nearest: Option<Choice>,
    /// All strategies except the best, in the order of the curves.
    pub others: Vec<Other>,
    /// If no setting keeps all limits, the limits that could be relaxed, the smallest relaxation first.
    pub relaxations: Vec<Relaxation>,
    /// If no setting keeps all limits, a smaller number of entities that lets a setting keep them.
    pub fewer: Option<Fewer>,
    /// How the recommended setting was measured; `None` if no setting is recommended.
    pub measured: Option<Measured>,
    /// The result of trying the best setting with other seeds. `None` if every seed gives the same results, or if other
    /// seeds have not been tried yet.
    pub best_with_seeds: Option<SeedCheck>,
    /// The result of trying the runner-up with other seeds. `None` if every seed gives the same results, or if other
    /// seeds have not been tried yet.
    pub runner_up_with_seeds: Option<SeedCheck>,
}

impl Recommendation {
    pub(super) fn new(sweep: &Sweep) -> Self {
        let (limits, objective) = (&sweep.question.limits, sweep.question.objective);
        let kept = kept(sweep, limits);
        let best = first_of_best(objective, &kept, None);
        let runner_up = best
            .as_ref()
            .and_then(|best| first_of_best(objective, &kept, Some(best.curve)));
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
            search.check(limits, objective)
        };
        Self {
            objective,
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

    /// Returns for each strategy its best setting, or the setting that is closest to keeping the limits, in the order
    /// of the curves.
    pub fn choices(&self) -> Vec<&Choice> {
        let others = self.others.iter().map(|other| &other.choice);
        let mut choices: Vec<&Choice> = self.best.iter().chain(others).collect();
        choices.sort_by_key(|choice| choice.curve);
        choices
    }

    /// Returns the best setting or, if no setting keeps the limits, the one that is closest to keeping them.
    pub fn recommended(&self) -> Option<&Choice> {
        self.best.as_ref().or(self.nearest.as_ref())
    }
}

/// Returns the best setting of each strategy that keeps the limits with a value of its main knob. If there is no such
/// strategy, returns the best settings that keep the limits by changing a second knob.
fn kept(sweep: &Sweep, limits: &Limits) -> Vec<Choice> {
    let objective = sweep.question.objective;
    let of = |best: for<'a> fn(&'a Curve, &Limits, Objective) -> Option<&'a Point>| {
        let curves = sweep.curves.iter().enumerate();
        let best = curves.filter_map(|(place, curve)| {
            Some(sweep.choice(place, best(curve, limits, objective)?))
        });
        best.collect::<Vec<Choice>>()
    };
    let kept = of(Curve::best);
    if kept.is_empty() {
        of(Curve::remedy)
    } else {
        kept
    }
}

/// Returns the first choice that is as good as the best one. The choice of the curve `except` is ignored.
fn first_of_best(objective: Objective, kept: &[Choice], except: Option<usize>) -> Option<Choice> {
    let objective_of = |choice: &Choice| objective.of(&choice.outcome);
    let kept = || kept.iter().filter(|it| Some(it.curve) != except);
    let least = kept().filter_map(objective_of).min();
    kept()
        .find(|it| is_equally_good(least, objective_of(it)))
        .cloned()
}

/// Returns the best setting that keeps the limits by changing a second knob, if it is better than `best`.
fn better(sweep: &Sweep, best: &Choice) -> Option<Choice> {
    let (limits, objective) = (&sweep.question.limits, sweep.question.objective);
    let objective_of = |outcome: &Outcome| objective.of(outcome);
    let curves = sweep.curves.iter().enumerate();
    let remedies =
        curves.filter_map(|(place, curve)| Some((place, curve.remedy(limits, objective)?)));
    let (place, point) = remedies.min_by_key(|(_, point)| objective_of(&point.outcome))?;
    let (own, best) = (objective_of(&point.outcome), objective_of(&best.outcome));
    (own < best && !is_equally_good(own, best)).then(|| sweep.choice(place, point))
}

/// Returns every strategy except the best, with its best setting. If every setting of a strategy breaks a limit, it is
/// returned with the setting that keeps all limits after a relaxation or, if there is none, with the one that is
/// closest to keeping them.
fn others(
    sweep: &Sweep,
    kept: &[Choice],
    relaxations: &[Relaxation],
    best: Option<&Choice>,
) -> Vec<Other> {
    let (limits, objective) = (&sweep.question.limits, sweep.question.objective);
    let best_goal = best.and_then(|best| objective.of(&best.outcome));
    let of = |(place, curve): (usize, &Curve)| {
        let relaxed = relaxations.iter().map(|it| &it.choice);
        let kept = kept.iter().chain(relaxed).find(|it| it.curve == place);
        let nearest = || Some(sweep.choice(place, curve.nearest(limits, objective)?));
        let choice = kept.cloned().or_else(nearest)?;
        let own = objective.of(&choice.outcome);
        Some(Other {
            broken: limits.broken(&choice.outcome),
            remedy: curve
                .remedy(limits, objective)
                .map(|point| sweep.choice(place, point)),
            times_best: own.zip(best_goal).map(|(own, best)| own.over(best)),
            choice,
        })
    };
    let others = sweep.curves.iter().enumerate();
    let others = others.filter(|(place, _)| best.is_none_or(|best| best.curve != *place));
    others.filter_map(of).collect()
}

/// Returns all settings whose trials ran every task, each with the index of its curve.
fn settled(sweep: &Sweep) -> impl Iterator<Item = (usize, &Point)> {
    let points = sweep.curves.iter().enumerate().flat_map(|(place, curve)| {
        let points = curve.points.iter().chain(&curve.remedies);
        points.map(move |point| (place, point))
    });
    points.filter(|(_, point)| point.outcome.staleness.is_some())
}

/// Returns, for each limit, the setting that breaks only this limit and exceeds it least, if there is one.
pub(super) fn nearly_kept(sweep: &Sweep) -> Vec<(Broken, Choice)> {
    let (limits, objective) = (&sweep.question.limits, sweep.question.objective);
    let of_limit = |limit| {
        let only_broken = settled(sweep).filter_map(|(place, point)| {
            let broken = limits.broken(&point.outcome);
            let [only] = broken[..] else { return None };
            (only.limit == limit).then_some((only, place, point))
        });
        let (only, place, point) = only_broken
            .min_by_key(|(only, _, point)| (only.measured, objective.of(&point.outcome)))?;
        Some((only, sweep.choice(place, point)))
    };
    Limit::ALL.into_iter().filter_map(of_limit).collect()
}

/// Returns, for each limit, the smallest relaxation that lets a setting keep all limits, and the best setting after it.
fn relaxations(sweep: &Sweep) -> Vec<Relaxation> {
    let (limits, objective) = (&sweep.question.limits, sweep.question.objective);
    let of_limit = |(least, _): (Broken, Choice)| {
        let (limit, to) = (least.limit, least.relaxed());
        let kept = kept(sweep, &limits.with(limit, to));
        let choice = first_of_best(objective, &kept, None)?;
        let measured = limit.measured(&choice.outcome)?;
        Some(Relaxation {
            limit,
            allowed: least.allowed,
            measured,
            // `Limits::with` removes the limit if it has no value, or if `to` is larger than its knob allows. The
            // measured value may then be larger than `to`.
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
    let (limits, objective) = (&sweep.question.limits, sweep.question.objective);
    let curves = sweep.curves.iter().enumerate();
    let nearest =
        curves.filter_map(|(place, curve)| Some((place, curve.nearest(limits, objective)?)));
    nearest_of(sweep, nearest)
}

/// Returns the setting that is closest to keeping the limits, of those that do not exceed the limits of task time and
/// hitches. With fewer entities, the waits of such a setting become shorter, whereas a setting that runs too many tasks
/// in a frame would still do so.
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
    let (limits, objective) = (&sweep.question.limits, sweep.question.objective);
    let points = points.filter(|(_, point)| point.outcome.staleness.is_some());
    let far = |point: &Point| (limits.excess(&point.outcome), objective.of(&point.outcome));
    let nearest = points.min_by(|(_, one), (_, other)| {
        let (one, other) = (far(one), far(other));
        one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
    });
    nearest.map(|(place, point)| sweep.choice(place, point))
}

impl Choice {
    /// Returns the knobs that the setting changes, with their values.
    pub fn values(&self) -> impl Iterator<Item = (&'static Knob, f64)> {
        let main = self.strategy.main_knob().zip(self.setting.value);
        main.into_iter().chain(self.setting.other)
    }

    /// Returns Rust code that uses the strategy with this setting. Other knobs have their values from `knobs`.
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
