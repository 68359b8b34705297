//! Finds out what would help if every setting exceeds a limit: relaxing a limit, or having fewer entities.

use super::Question;
use super::limits::{Broken, Limit};
use super::recommendation::{Choice, Recommendation};
use super::search::{Found, StrategySearch};
use super::setting::Setting;
use super::trials::{Trials, join_all};
use super::values::{between, two_digits};
use super::worst::worst_value;
use crate::catalog::strategy::knobs::BUDGET;
use crate::sim::world::ENTITIES;
use timeslicer::time::Nanos;

/// To find out how far a limit has to be relaxed, this number of strategies is searched. For the limit on task time,
/// the best strategy with a budget is searched, too.
const STRATEGIES_PER_LIMIT: usize = 2;

/// A strategy takes part in long trials if, in short ones, it needs at most this many times as much as the best one.
const CLOSE_TO_LEAST: f64 = 1.3;

/// The number of batches in which the search for a smaller crowd tries numbers of entities. Each batch reduces the
/// range of possible results to about a quarter, so the result is accurate to a few percent.
const BATCHES: u32 = 4;

/// The number of values that a batch tries. If the range is narrower than the fraction `TOO_CLOSE`, it tries none.
const COUNTS: u32 = 3;
const TOO_CLOSE: f64 = 0.011;

/// If a number of entities is too large with some seed, one in this many entities is removed.
const FEWER_PER_TRY: u32 = 20;

/// A way to keep all limits: a change to the question, and the setting that then keeps them.
#[derive(Clone, Debug)]
pub struct Way {
    pub change: Change,
    pub choice: Choice,
}

#[derive(Clone, Copy, Debug)]
pub enum Change {
    /// Relax this limit to [`Broken::relaxed`]. The choice keeps the relaxed limit with all seeds.
    Relax(Broken),
    Entities(u32),
}

/// Adds to a recommendation what would help to keep the limits. If these searches happen to find a setting that keeps
/// the limits, it is recommended, whether or not the question asks for an explanation.
pub(super) async fn explained(
    mut recommendation: Recommendation,
    trials: &Trials,
    question: &Question,
    found: &[Found],
) -> Recommendation {
    let limits = Limit::SETTABLE.into_iter();
    let limits = limits.filter(|limit| question.limits.is_set(*limit));
    let nearest = limits.map(|limit| least(limit, trials, question, found));
    let mut relaxed = Vec::new();
    for found in join_all(nearest).await {
        let choices = found.iter();
        let choices = choices.map(|found| Choice::new(question, &question.limits, found));
        let choices: Vec<Choice> = choices.collect();
        recommendation.improve(&choices);
        let broken = choices
            .into_iter()
            .filter_map(|choice| Some((*choice.most_broken()?, choice)));
        relaxed.extend(broken.min_by_key(|(it, choice)| (it.relaxed(), choice.objective)));
    }
    if recommendation.best.is_some() || !question.explains {
        return recommendation;
    }
    let excess = |it: &Broken| it.relaxed().over(it.allowed.max(Nanos::from_nanos(1)));
    relaxed.sort_by(|(one, _), (other, _)| excess(one).total_cmp(&excess(other)));
    let relaxed = relaxed.into_iter().map(|(broken, choice)| Way {
        change: Change::Relax(broken),
        choice,
    });
    recommendation.ways.extend(relaxed);
    if recommendation.cannot_be_split().is_none() {
        let fewer = fewer(&recommendation, trials, question).await;
        recommendation.ways.extend(fewer);
    }
    recommendation
}

/// Finds the setting that keeps the limits on waits and staleness with the least task time per frame, and that time.
pub(super) async fn least_tasks(
    trials: &Trials,
    question: &Question,
    found: &[Found],
) -> Option<(Nanos, Choice)> {
    let allowed = question.limits.tasks?;
    let found = least(Limit::Tasks, trials, question, found)
        .await
        .into_iter();
    let found = found.filter_map(|found| {
        let tasks = worst_value(Limit::Tasks, allowed, &found.outcomes)?;
        // A strategy may spend its whole budget, even if it did not in any trial.
        let budget = found.setting.get(&BUDGET).map(|value| BUDGET.span(value));
        let tasks = tasks.value.relaxed().max(budget.unwrap_or_default());
        Some((tasks, Choice::new(question, &question.limits, &found)))
    });
    let least = found.min_by_key(|(tasks, choice)| (*tasks, choice.objective))?;
    (least.0 < allowed).then_some(least)
}

/// Finds settings that keep all limits but one, and exceed that one as little as possible. (If the frame rate is this
/// limit, finds the freshest settings.)
async fn least(limit: Limit, trials: &Trials, question: &Question, found: &[Found]) -> Vec<Found> {
    let others = question.limits.with(limit, None);
    // For each strategy, find the setting that keeps all other limits and comes closest to keeping this one.
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
    // Also start from the best strategy with a budget, because budgets above the limit have not been tried yet.
    let has_budget = |lane: &usize| {
        limit.knob().is_some() && question.strategies[*lane].main_knob() == limit.knob()
    };
    let excess = |lane: &usize| others.excess(&found[*lane].outcomes[0]);
    let with_budget = (0..found.len()).filter(has_budget);
    let with_budget = with_budget.min_by(|one, other| excess(one).total_cmp(&excess(other)));
    starts.retain(|(lane, _)| Some(*lane) != with_budget);
    starts.extend(with_budget.map(|lane| (lane, &found[lane].setting)));
    let searches = starts.into_iter().map(|(lane, setting)| async move {
        let mut search = StrategySearch::new(trials, question, lane);
        search.relax(limit, setting).await;
        search
    });
    let searches = join_all(searches).await;
    let leader = searches.iter().filter_map(StrategySearch::goal);
    let leader = leader.fold(f64::INFINITY, f64::min);
    let mut found = Vec::new();
    for search in searches {
        if search
            .goal()
            .is_none_or(|own| own <= CLOSE_TO_LEAST * leader)
        {
            found.push(search.finish().await);
        }
    }
    found.retain(|found| Choice::new(question, &others, found).holds());
    found
}

/// Finds the largest crowd that one of two strategies can handle within all limits: the strategy that exceeds the
/// limits least, and the best one with a budget. A budget is tried because it makes a strategy exceed other limits.
async fn fewer(
    recommendation: &Recommendation,
    trials: &Trials,
    question: &Question,
) -> Option<Way> {
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
            let mut search = StrategySearch::new(&trials, &smaller, lane);
            search.begin().await;
            if search.goal().is_some() {
                return true;
            }
        }
        false
    };
    let (mut kept, mut broken) = (None, question.entities());
    for _ in 0..BATCHES {
        let [from, to] = [kept.unwrap_or(1), broken].map(f64::from);
        let counts = between(&ENTITIES, from, to, COUNTS, TOO_CLOSE);
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
    // So far, only one seed was tried. Other seeds may require slightly fewer entities.
    let mut entities = kept?;
    for _ in 0..BATCHES {
        entities = two_digits(&ENTITIES, entities.into())[0] as u32; // it is not known more precisely
        let (trials, smaller) = with(entities);
        for &lane in lanes {
            let mut search = StrategySearch::new(&trials, &smaller, lane);
            search.begin().await;
            let found = search.finish().await;
            let choice = Choice::new(&smaller, &question.limits, &found);
            if choice.holds() {
                let change = Change::Entities(entities);
                return Some(Way { change, choice });
            }
        }
        entities -= entities.div_ceil(FEWER_PER_TRY);
    }
    None
}
