//! Finds out whether a recommended setting depends on each entity keeping its cost for life.
//!
//! A strategy can predict a cost that stays the same, but not a new one for each run. A setting that is
//! recommended for the one may therefore exceed a limit with the other, and real costs lie between them.

use super::Question;
use super::limits::Broken;
use super::recommendation::{Choice, Excesses, Recommendation};
use super::search::StrategySearch;
use super::trials::{Request, Trials};
use crate::sim::lane::Length;
use crate::sim::world::COST_PER_RUN;

/// What becomes of a recommended setting if the cost of each run is drawn separately.
#[derive(Clone, Debug)]
pub struct PerRun {
    /// The limits that the setting then exceeds.
    pub broken: Vec<Broken>,
    /// If limits are exceeded, a setting that keeps them all and differs only in its main knob. `None` if no such setting
    /// was found.
    pub instead: Option<Choice>,
}

/// Tries the recommended setting with costs that differ from run to run. Returns `None` if there is no such setting, if all
/// costs are equal, or if the user has said how much of a cost belongs to the entity.
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
