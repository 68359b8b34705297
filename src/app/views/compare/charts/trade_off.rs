//! What the trade-off chart shows: how much time each strategy spends on tasks and how stale the entities become.

use super::{PointedSetting, set_commands};
use crate::app::state::State;
use crate::app::state::command::CompareCommand;
use crate::app::state::compare::Offer;
use lab::catalog::strategy::STRATEGIES;
use lab::chart::{MarkedSetting, TradeOff};
use lab::judge::{Choice, named};

pub const HELP: &str = "Each dot is a strategy as it is set now, and is filled if it keeps all limits. A dot at the top edge \
    is above the chart. The teal ring is the recommended setting. Curves show other settings. Point at one to see its \
    values, and click to set them.";

/// Returns descriptions of the axes, from the longest to the shortest. The chart shows the first one that fits.
pub fn axis_descriptions(state: &State) -> [String; 2] {
    let staleness = state.compare.objective().name();
    let time = if state.compare.on_request() {
        "longest task time"
    } else {
        "share of time"
    };
    [format!("{staleness}, over {time}"), staleness.to_owned()]
}

fn unset_recommendation(state: &State) -> Option<&Choice> {
    let recommended = state.compare.best_setting.recommendation()?.best()?;
    let is_set = state.compare.is_set(recommended, &state.settings);
    (!is_set).then_some(recommended)
}

/// Returns what the chart shows. Strategies that have run every task have marks for their current settings. The last
/// mark is the recommended setting, unless it is current.
pub fn trade_off(state: &State) -> TradeOff<'_> {
    let compare = &state.compare;
    let (objective, curves) = (compare.objective(), compare.best_setting.curves());
    let unset = unset_recommendation(state);
    let answer = compare.best_setting.recommendation();
    let best = answer.and_then(|answer| answer.best);
    let lanes = compare.reports.iter().zip(&compare.broken).enumerate();
    let current = lanes.filter(|(_, (report, _))| compare.on_request() || report.settled.is_some());
    let current = current.map(|(lane, (report, broken))| MarkedSetting {
        lane,
        outcome: compare.outcome(report),
        keeps_limits: broken.is_empty(),
        is_recommended: unset.is_none() && best == Some(lane),
    });
    let tried = unset.map(|choice| MarkedSetting::best(choice, true));
    TradeOff {
        strategies: STRATEGIES,
        curves,
        marked: current.chain(tried).collect(),
        objective,
        task_limit: compare.best_setting.limits.in_effect.tasks,
        frame: compare.comparison.game_time_per_frame(),
    }
}

/// Returns the recommended setting if a mark shows it, and `None` if the mark shows a current setting.
pub fn tried_choice<'a>(marked: &MarkedSetting, state: &'a State) -> Option<&'a Choice> {
    unset_recommendation(state).filter(|_| marked.is_recommended)
}

pub fn describe_mark<'a>(
    trade_off: &'a TradeOff<'_>,
    mark: usize,
    state: &State,
) -> Option<PointedSetting<'a>> {
    let marked = &trade_off.marked[mark];
    let lane = marked.lane;
    let (title, broken, click, command) = match tried_choice(marked, state) {
        Some(choice) => (
            format!("{}, the recommended setting", choice.words()),
            &choice.broken,
            "Click to set it.",
            CompareCommand::Apply(Offer::Strategy(lane)),
        ),
        None => (
            format!("{} as it is set now", STRATEGIES[lane].name),
            state.compare.broken.get(lane)?,
            "Click to select this strategy.",
            CompareCommand::SelectLane(lane),
        ),
    };
    Some(PointedSetting {
        title,
        comparison: trade_off.describe(&marked.outcome),
        outcome: &marked.outcome,
        broken: broken.clone(),
        click: click.to_owned(),
        commands: vec![command.into()],
    })
}

pub fn describe_point<'a>(
    trade_off: &TradeOff<'a>,
    lane: usize,
    index: usize,
    state: &State,
) -> Option<PointedSetting<'a>> {
    let curve = &trade_off.curves[lane];
    let point = &curve.points[index];
    let best_setting = &state.compare.best_setting;
    let tried = best_setting.curve_settings()?;
    let tried = point.setting.applied_to(curve.strategy, tried);
    Some(PointedSetting {
        title: named(curve.strategy, &point.setting),
        comparison: trade_off.describe(&point.outcome),
        outcome: &point.outcome,
        broken: best_setting.limits.in_effect.broken(&point.outcome),
        click: "Click to set it.".to_owned(),
        commands: set_commands(lane, &tried, state),
    })
}
