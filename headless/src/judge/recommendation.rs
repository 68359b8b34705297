//! The result of a sweep. It says which setting is recommended, and why the other strategies are not.

use super::Sweep;
use super::curve::{Curve, Point, Setting, is_equally_good};
use super::fewer::Fewer;
use super::limits::{Broken, Limit, Limits};
use super::seeds::SeedCheck;
use super::trial::{Objective, Outcome};
use crate::sim::lane::Length;
use crate::sim::world::WEIGHT_RULE;
use timeslicer::knob::{Knob, KnobValues};
use timeslicer::strategy::{Snippet, StrategyEntry};
use timeslicer::time::Nanos;

#[derive(Clone, Debug)]
pub struct Choice {
    pub curve: usize,
    pub strategy: &'static StrategyEntry,
    pub setting: Setting,
    pub outcome: Outcome,
}

/// A strategy that is not recommended, and the reasons.
#[derive(Clone, Debug)]
pub struct Other {
    /// The strategy's best setting. If every setting exceeds a limit, this is the one that exceeds the limits least.
    pub choice: Choice,
    /// The limits that `choice` exceeds. Empty if it stays within all limits.
    pub broken: Vec<Broken>,
    /// The best setting that stays within all limits and changes one of the strategy's less important knobs. `None` if
    /// there is no such setting.
    pub remedy: Option<Choice>,
    /// The strategy's result divided by the result of the best strategy. `None` if one of them is unknown.
    pub times_best: Option<f64>,
}

/// A suggestion to relax one limit, so that a setting stays within all limits.
#[derive(Clone, Debug)]
pub struct Relaxation {
    pub limit: Limit,
    pub allowed: Nanos,
    /// The value that was measured with `choice`.
    pub measured: Nanos,
    /// The suggested value for the limit, rounded up to two digits.
    pub to: Nanos,
    /// The best setting that stays within all limits once this limit has been relaxed.
    pub choice: Choice,
}

/// The conditions under which the recommended setting was measured.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub length: Length,
    pub seed: u64,
    /// Whether another random seed would give different results.
    pub depends_on_seed: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Recommendation {
    pub objective: Objective,
    pub limits: Limits,
    pub entities: u32,
    /// The best setting that stays within all limits. If several strategies are equally good, this is the simplest of
    /// them.
    pub best: Option<Choice>,
    /// The best setting that stays within all limits and uses a different strategy from `best`.
    pub runner_up: Option<Choice>,
    /// A setting that stays within all limits and is even better than `best`, but changes two knobs: a strategy's most
    /// important knob and a less important one.
    pub better: Option<Choice>,
    /// If every setting exceeds a limit, the setting that exceeds the limits least.
    pub nearest: Option<Choice>,
    pub others: Vec<Other>,
    /// If every setting exceeds a limit, suggestions for limits to relax. The smallest change comes first.
    pub relaxations: Vec<Relaxation>,
    /// If every setting exceeds a limit, a smaller number of entities with which a setting stays within all limits.
    pub fewer: Option<Fewer>,
    pub measured: Option<Measured>,
    /// Whether the best setting also stays within the limits with other random seeds. `None` if the seed makes no
    /// difference, or if other seeds have not been tried yet.
    pub best_with_seeds: Option<SeedCheck>,
    /// Whether the runner-up also stays within the limits with other random seeds. `None` if the seed makes no
    /// difference, or if other seeds have not been tried yet.
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

    /// Returns the best setting of each strategy. If every setting of a strategy exceeds a limit, returns the one that
    /// exceeds the limits least.
    pub fn choices(&self) -> Vec<&Choice> {
        let others = self.others.iter().map(|other| &other.choice);
        let mut choices: Vec<&Choice> = self.best.iter().chain(others).collect();
        choices.sort_by_key(|choice| choice.curve);
        choices
    }

    /// Returns the best setting. If every setting exceeds a limit, returns the one that exceeds the limits least.
    pub fn recommended(&self) -> Option<&Choice> {
        self.best.as_ref().or(self.nearest.as_ref())
    }
}

/// For each strategy that can stay within the limits, returns its best setting that changes only its most important
/// knob. If no strategy has such a setting, returns settings that also change a less important knob.
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

/// Returns the first setting in `kept` that is about as good as the best one. It is the simplest such setting, because
/// `kept` is sorted from the simplest strategy to the most complex one. The strategy with the index `except` is
/// skipped.
fn first_of_best(objective: Objective, kept: &[Choice], except: Option<usize>) -> Option<Choice> {
    let objective_of = |choice: &Choice| objective.of(&choice.outcome);
    let kept = || kept.iter().filter(|it| Some(it.curve) != except);
    let least = kept().filter_map(objective_of).min();
    kept()
        .find(|it| is_equally_good(least, objective_of(it)))
        .cloned()
}

/// Returns the best setting that stays within the limits and changes two knobs of its strategy. Returns `None` if it is
/// not clearly better than `best`.
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

/// Returns an entry for each strategy except the best one. The entry contains the strategy's best setting that stays
/// within the limits. If there is no such setting, it contains a setting that a suggested relaxation would allow. If no
/// relaxation helps the strategy, it contains the setting that exceeds the limits least.
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

fn measured_points(sweep: &Sweep) -> impl Iterator<Item = (usize, &Point)> {
    let points = sweep.curves.iter().enumerate().flat_map(|(place, curve)| {
        let points = curve.points.iter().chain(&curve.remedies);
        points.map(move |point| (place, point))
    });
    points.filter(|(_, point)| point.outcome.staleness.is_some())
}

/// For each limit, returns the setting that exceeds it least, among those that exceed no other limit.
pub(super) fn nearly_kept(sweep: &Sweep) -> Vec<(Broken, Choice)> {
    let (limits, objective) = (&sweep.question.limits, sweep.question.objective);
    let of_limit = |limit| {
        let only_broken = measured_points(sweep).filter_map(|(place, point)| {
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

/// For each limit, returns how far it would have to be relaxed so that a setting stays within all limits. A limit is
/// left out if it is not enough to relax only this limit.
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

fn nearest(sweep: &Sweep) -> Option<Choice> {
    let (limits, objective) = (&sweep.question.limits, sweep.question.objective);
    let curves = sweep.curves.iter().enumerate();
    let nearest =
        curves.filter_map(|(place, curve)| Some((place, curve.nearest(limits, objective)?)));
    nearest_of(sweep, nearest)
}

/// Returns the setting that exceeds the limits least, among those that stay within the limits on task time and hitches.
///
/// Fewer entities help such a setting, because they make waits shorter. They would not help a setting that runs too
/// many tasks in a frame, because it would still run too many.
pub(super) fn nearest_in_time(sweep: &Sweep) -> Option<Choice> {
    let limits = &sweep.question.limits;
    let is_in_time = |broken: &Broken| !matches!(broken.limit, Limit::Tasks | Limit::Hitches);
    let in_time = measured_points(sweep)
        .filter(|(_, point)| limits.broken(&point.outcome).iter().all(is_in_time));
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

    /// Returns Rust code that uses the strategy with this setting. All other knobs get their values from `knobs`.
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
