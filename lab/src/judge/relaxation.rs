//! Finds out what would help if every setting exceeds a limit: relaxing a limit, or having fewer entities.

use super::Question;
use super::limits::{Limit, Limits, up_to_two_digits};
use super::recommendation::{Choice, Recommendation};
use super::search::{Found, StrategySearch};
use super::setting::Setting;
use super::trials::{Trials, join_all};
use super::values::between;
use super::worst::with_margin;
use crate::sim::world::ENTITIES;
use timeslicer::time::Nanos;

/// For each limit, this number of strategies is examined more closely.
const STRATEGIES_PER_LIMIT: usize = 2;

/// A strategy may need the least of all if it needs at most this many times as much as the best one in short trials.
const CLOSE_TO_LEAST: f64 = 1.3;

/// The number of batches of searches for fewer entities. Each one reduces the range of possible results to about a
/// quarter, so the result is accurate to a few percent.
const BATCHES: u32 = 4;

/// If a number of entities is too large with some seed, it is reduced by this fraction.
const FEWER_PER_TRY: u32 = 20;

/// A suggestion to relax one limit, so that a setting keeps all limits.
#[derive(Clone, Debug)]
pub struct Relaxation {
    pub limit: Limit,
    pub allowed: Nanos,
    /// The suggested value for the limit, rounded up to two digits. The choice keeps it with all seeds.
    pub to: Nanos,
    pub choice: Choice,
}

impl Relaxation {
    /// Returns the limit that a choice exceeds most, relaxed so that the choice keeps it.
    fn of(choice: Choice) -> Option<Self> {
        let broken = *choice.most_broken()?;
        Some(Self {
            limit: broken.limit,
            allowed: broken.allowed,
            to: broken.relaxed(),
            choice,
        })
    }

    fn excess(&self) -> f64 {
        self.to.over(self.allowed.max(Nanos::from_nanos(1)))
    }

    /// Returns the limits with this one relaxed. If the value is larger than the flag of the limit takes, the limit is
    /// removed.
    pub fn limits(&self, limits: &Limits) -> Limits {
        let knob = self.limit.knob();
        let is_taken = knob.is_some_and(|knob| self.to <= knob.span(knob.max));
        limits.with(self.limit, is_taken.then_some(self.to))
    }
}

/// A number of entities with which a setting keeps all limits.
#[derive(Clone, Debug)]
pub struct Fewer {
    pub entities: u32,
    pub choice: Choice,
}

/// Adds to a recommendation what would help to keep the limits. On the way, a setting may be found that keeps them. It is
/// then recommended, whether or not the question asks for an explanation.
pub(super) async fn explained(
    mut recommendation: Recommendation,
    trials: &Trials,
    question: &Question,
    found: &[Found],
) -> Recommendation {
    let limits = Limit::SETTABLE.into_iter();
    let limits = limits.filter(|limit| question.limits.is_set(*limit));
    let nearest = limits.map(|limit| least(limit, trials, question, found));
    for found in join_all(nearest).await {
        let choices = found
            .iter()
            .map(|(lane, found)| Choice::new(*lane, question, &question.limits, found));
        let choices: Vec<Choice> = choices.collect();
        recommendation.improve(&choices);
        let relaxed = choices.into_iter().filter_map(Relaxation::of);
        let least = relaxed.min_by_key(|it| (it.to, it.choice.objective));
        recommendation.relaxations.extend(least);
    }
    if recommendation.best.is_some() || !question.explains {
        recommendation.relaxations.clear();
        return recommendation;
    }
    let relaxations = &mut recommendation.relaxations;
    relaxations.sort_by(|one, other| one.excess().total_cmp(&other.excess()));
    if recommendation.cannot_be_split().is_none() {
        recommendation.fewer = fewer(&recommendation, trials, question).await;
    }
    recommendation
}

/// Finds the least task time per frame with which a setting keeps the limits on waits and staleness.
pub(super) async fn least_tasks(
    trials: &Trials,
    question: &Question,
    found: &[Found],
) -> Option<Relaxation> {
    let allowed = question.limits.tasks?;
    let found = least(Limit::Tasks, trials, question, found)
        .await
        .into_iter();
    let found = found.filter_map(|(lane, found)| {
        let to = with_margin(Limit::Tasks, &found.outcomes)?;
        Some(Relaxation {
            limit: Limit::Tasks,
            allowed,
            to: up_to_two_digits(to),
            choice: Choice::new(lane, question, &question.limits, &found),
        })
    });
    let least = found.min_by_key(|it| (it.to, it.choice.objective))?;
    (least.to < allowed).then_some(least)
}

/// Finds settings that keep all limits but one, and exceed that one as little as possible. (If the frame rate is this
/// limit, finds the freshest settings.) Returns them with the indices of their strategies.
async fn least(
    limit: Limit,
    trials: &Trials,
    question: &Question,
    found: &[Found],
) -> Vec<(usize, Found)> {
    let others = question.limits.with(limit, None);
    // For each strategy, the setting that comes closest to keeping this limit, too.
    let nearest = found.iter().enumerate().filter_map(|(lane, found)| {
        let kept = found.tried.iter().filter(|it| others.keeps(&it.outcome));
        let nearest = kept.min_by_key(|it| limit.measured(&it.outcome))?;
        Some((lane, limit.measured(&nearest.outcome), &nearest.setting))
    });
    let mut nearest: Vec<_> = nearest.collect();
    nearest.sort_by_key(|(_, measured, _)| *measured);
    nearest.truncate(STRATEGIES_PER_LIMIT);
    let mut starts: Vec<(usize, &Setting)> = Vec::new();
    starts.extend(nearest.iter().map(|(lane, _, setting)| (*lane, *setting)));
    // No budget beyond the limit has been tried yet, and few below it.
    let has_budget = |lane: &usize| {
        limit.knob().is_some() && question.strategies[*lane].main_knob() == limit.knob()
    };
    let excess = |lane: &usize| others.excess(&found[*lane].outcomes[0]);
    let with_budget = (0..found.len()).filter(has_budget);
    let with_budget = with_budget.min_by(|one, other| excess(one).total_cmp(&excess(other)));
    starts.retain(|(lane, _)| Some(*lane) != with_budget);
    starts.extend(with_budget.map(|lane| (lane, &found[lane].setting)));
    let searches = starts.into_iter().map(|(lane, setting)| async move {
        let mut search = StrategySearch::new(trials, question, question.strategies[lane]);
        search.relax(limit, setting).await;
        (lane, search)
    });
    let searches = join_all(searches).await;
    let leader = searches.iter().filter_map(|(_, search)| search.goal());
    let leader = leader.fold(f64::INFINITY, f64::min);
    let mut found = Vec::new();
    for (lane, search) in searches {
        if search.may_reach(CLOSE_TO_LEAST * leader) {
            found.push((lane, search.finish().await));
        }
    }
    let keeps_others =
        |(lane, found): &(usize, Found)| Choice::new(*lane, question, &others, found).holds();
    found.retain(keeps_others);
    found
}

/// Finds the largest crowd that one of two strategies can handle within all limits: the nearest strategy, and the nearest
/// one with a budget, which exceeds other limits than the rest.
async fn fewer(
    recommendation: &Recommendation,
    trials: &Trials,
    question: &Question,
) -> Option<Fewer> {
    let choices = || recommendation.choices.iter();
    let excess = |one: &&Choice, other: &&Choice| one.excess().total_cmp(&other.excess());
    let with_budget = choices().filter(|it| it.strategy.main_knob() == Limit::Tasks.knob());
    let nearest = [choices().min_by(excess), with_budget.min_by(excess)];
    let mut lanes: Vec<usize> = nearest.into_iter().flatten().map(|it| it.lane).collect();
    lanes.dedup();
    let with = |entities: u32| {
        let mut smaller = question.clone();
        smaller.settings.knobs.set(&ENTITIES, entities.into());
        (trials.of(smaller.settings.clone()), smaller)
    };
    let lanes = &lanes;
    let can_keep_limits = async |entities: u32| {
        let (trials, smaller) = with(entities);
        for &lane in lanes {
            let mut search = StrategySearch::new(&trials, &smaller, question.strategies[lane]);
            if search.can_keep_limits().await {
                return true;
            }
        }
        false
    };
    let (mut kept, mut broken) = (None, question.entities());
    for _ in 0..BATCHES {
        let counts = between(&ENTITIES, kept.unwrap_or(1).into(), broken.into());
        let tries = counts.into_iter().map(|count| count as u32);
        let tries = tries.map(async |count| (count, can_keep_limits(count).await));
        for (entities, keeps_limits) in join_all(tries).await {
            if !keeps_limits {
                broken = entities;
                break;
            }
            kept = Some(entities);
        }
    }
    // With all seeds, a few entities less may be necessary.
    let mut entities = kept?;
    for _ in 0..BATCHES {
        entities = down_to_two_digits(entities);
        let (trials, smaller) = with(entities);
        for &lane in lanes {
            let mut search = StrategySearch::new(&trials, &smaller, question.strategies[lane]);
            search.begin().await;
            let found = search.finish().await;
            let choice = Choice::new(lane, &smaller, &question.limits, &found);
            if choice.holds() {
                return Some(Fewer { entities, choice });
            }
        }
        entities -= entities.div_ceil(FEWER_PER_TRY);
    }
    None
}

/// Rounds a number of entities down to two digits, because it is not known more precisely.
fn down_to_two_digits(entities: u32) -> u32 {
    let power = 10_u32.pow(entities.max(1).ilog10().saturating_sub(1));
    entities / power * power
}
