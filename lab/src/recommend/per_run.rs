//! Finds out whether a recommended setting keeps the limits only if the cost of an entity's task never changes.
//!
//! A strategy can predict constant costs, but not costs that are drawn for each run. A setting that keeps the limits
//! with constant costs may therefore exceed them with random ones. Real costs lie in between.

use super::Question;
use super::limits::Broken;
use super::recommendation::{Choice, Excesses, Recommendation};
use super::search::StrategySearch;
use super::trials::{Request, Trials};
use crate::sim::lane::Length;
use crate::sim::world::COST_PER_RUN;

/// How a recommended setting does if the cost of each run is drawn separately.
#[derive(Clone, Debug)]
pub struct PerRun {
    /// The limits that the setting then exceeds.
    pub broken: Vec<Broken>,
    /// If limits are exceeded, a setting that keeps them all and differs only in its main knob. `None` if no such setting
    /// was found.
    pub instead: Option<Choice>,
}

/// Tries the recommended setting with costs that differ from run to run. Returns `None` if nothing is recommended, if
/// all costs are equal, or if the user has set `COST_PER_RUN`.
pub async fn per_run(
    trials: &Trials,
    question: &Question,
    recommendation: &Recommendation,
) -> Option<PerRun> {
    let best = recommendation.best()?;
    let settings = &question.settings;
    if !settings.costs_differ() || settings.knobs.given(&COST_PER_RUN).is_some() {
        return None;
    }
    let mut question = question.clone();
    question.settings.knobs.set(&COST_PER_RUN, COST_PER_RUN.max);
    let trials = trials.of(question.settings.clone());
    let length = Length::Time(question.trial_time);
    let requests = (0..question.seeds_of(best.strategy)).map(|seed| Request {
        seed,
        ..Request::new(best.strategy, &best.setting, length)
    });
    let outcomes = trials.run(&requests.collect::<Vec<_>>()).await;
    let broken = Excesses::of(&outcomes, &question.limits).broken;
    let mut instead = None;
    if !broken.is_empty() {
        let search = StrategySearch::new(&trials, &question, best.lane);
        let found = search.adjust(&best.setting).await;
        let choice = Choice::new(&question, &question.limits, &found);
        instead = Some(choice).filter(Choice::holds);
    }
    Some(PerRun { broken, instead })
}
