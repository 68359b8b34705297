//! What the trade-off chart shows: how much time each strategy spends on tasks and how stale the entities become. Each
//! point of a curve is one value of the strategy's main knob.
//!
//! If work is done only on request, every strategy spends the same time on it. The chart then shows how long requests
//! wait, depending on the longest time that a frame spends on tasks.

use super::axis::Axis;
use super::model::{Bound, ChartModel, CurvePoint, Mark, StrategyCurve};
use super::{PointedSetting, considered_lanes, set_commands};
use crate::app::state::State;
use crate::app::state::command::CompareCommand;
use crate::app::state::compare::{CompareState, Offer};
use crate::app::widgets::theme;
use egui::{Rect, pos2};
use lab::recommend::{Choice, Outcome, named};
use lab::text::format::{self, time};
use timeslicer::time::Nanos;

/// The horizontal axis is not extended below this fraction of time, except to show all marks.
const MIN_SHARE: f64 = 0.005;
/// The horizontal axis is not extended to show a limit above this fraction of a frame.
const MAX_LIMIT_SHARE: f64 = 2.0;
/// The horizontal axis extends beyond the smallest and the largest value by this factor.
const X_MARGIN: f64 = 1.1;
/// The same factor for the vertical axis. It is large so that almost equal values do not look very different.
const Y_MARGIN: f64 = 2.0;

pub const HELP: &str = "Each dot shows a strategy at its best setting, and is filled if this setting keeps all limits. If \
    a dot is at the top edge, its value is too high for the chart. The teal ring marks the recommended setting, and \
    curves show other settings. Point at a setting to see its values, and click to apply them.";

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

/// Returns the best settings of the strategies, which have marks. There are none until the answer is known.
fn choices(state: &State) -> impl Iterator<Item = &Choice> {
    let answer = state.compare.best_setting.recommendation();
    let choices = answer.into_iter().flat_map(|answer| &answer.choices);
    choices.filter(|choice| choice.is_considered)
}

/// Returns the share of time and the staleness of an outcome, or the longest share of a frame and the wait of requests.
/// `None` if the outcome has no position in the chart.
fn values(outcome: &Outcome, compare: &CompareState) -> Option<[f64; 2]> {
    let objective = compare.objective();
    let share = if objective.is_of_requests() {
        let frame = compare.comparison.game_time_per_frame();
        outcome.tasks.max.over(frame)
    } else {
        outcome.share
    };
    let staleness = objective.of(outcome)?.as_secs_f64();
    (share > 0.0 && staleness > 0.0).then_some([share, staleness])
}

/// Returns the outcomes of all points of the curves.
fn curve_outcomes(compare: &CompareState) -> impl Iterator<Item = &Outcome> {
    let points = compare.best_setting.curves().iter().flatten();
    points.map(|point| &point.outcome)
}

pub fn chart(state: &State, plot: Rect) -> Option<ChartModel> {
    let compare = &state.compare;
    let best = compare.best_setting.recommendation().and_then(|it| it.best);
    let frame = compare.comparison.game_time_per_frame();
    let limit = compare.best_setting.limits.in_effect.tasks;
    let limit_share = limit.map(|limit| limit.over(frame));
    let [x, y] = axes(state, limit_share, plot)?;
    let position = |outcome: &Outcome| {
        let [share, staleness] = values(outcome, compare)?;
        Some(pos2(x.at(share), y.at(staleness)))
    };
    let curves = considered_lanes(state).map(|lane| {
        let curve = compare.best_setting.curves().get(lane).into_iter();
        let points = curve.flatten().enumerate();
        let points = points.filter_map(|(index, point)| {
            Some(CurvePoint {
                at: position(&point.outcome)?,
                index,
                keeps_limits: true,
            })
        });
        let mut choice = choices(state).filter(|choice| choice.lane == lane);
        StrategyCurve {
            lane,
            points: points.collect(),
            is_strong: best == Some(lane),
            keeps_limits: choice.all(Choice::holds),
        }
    });
    let curves = curves.collect();
    let bound = bound(state, [x, y]);
    let marks = choices(state).filter_map(|choice| {
        let at = position(&choice.outcome)?;
        Some(Mark {
            at: pos2(at.x, at.y.clamp(plot.top(), plot.bottom())),
            lane: choice.lane,
            keeps_limits: choice.holds(),
            is_recommended: best == Some(choice.lane),
        })
    });
    let mut marks: Vec<Mark> = marks.collect();
    marks.sort_by_key(|mark| mark.is_recommended); // it is painted last
    let vertical_line = limit.zip(limit_share).map(|(limit, share)| {
        let words = format!("limit: {} of {}", time(limit), time(frame));
        (x.at(share).clamp(plot.left(), plot.right()), words)
    });
    Some(ChartModel {
        plot,
        x,
        y,
        curves,
        marks,
        bound,
        vertical_line,
        sections: Vec::new(),
    })
}

/// Returns the horizontal and the vertical axis, or `None` if there is nothing to show.
fn axes(state: &State, limit_share: Option<f64>, plot: Rect) -> Option<[Axis; 2]> {
    let compare = &state.compare;
    let marks = choices(state).filter_map(|choice| values(&choice.outcome, compare));
    let marks: Vec<[f64; 2]> = marks.collect();
    let points = curve_outcomes(compare).filter_map(|outcome| values(outcome, compare));
    let points: Vec<[f64; 2]> = points.filter(|[share, _]| *share >= MIN_SHARE).collect();
    let limit = limit_share.filter(|share| (MIN_SHARE..=MAX_LIMIT_SHARE).contains(share));
    let shares = || marks.iter().map(|[share, _]| *share).chain(limit);
    let least = points.iter().map(|[share, _]| *share);
    let least = least.chain(shares()).fold(1.0, f64::min);
    let most = shares().fold(1.0, f64::max);
    let percent = |share| format!("{} %", format::number(100.0 * share));
    let ends = [plot.left(), plot.right()];
    let x = Axis::new([least / X_MARGIN, most * X_MARGIN], ends, percent);
    // The curves reach much farther than the marks, so they determine the vertical axis only if there are no marks.
    let shown = if marks.is_empty() { &points } else { &marks };
    let staleness = shown.iter().map(|[_, staleness]| *staleness);
    let lowest = staleness.clone().reduce(f64::min)?;
    let highest = staleness.fold(lowest, f64::max);
    let seconds = |seconds| time(Nanos::from_secs_f64(seconds));
    let ends = [plot.bottom(), plot.top()];
    let y = Axis::new([lowest / Y_MARGIN, highest * Y_MARGIN], ends, seconds);
    Some([x, y])
}

/// Returns the line of the theoretical minimum, if known. On this line, half the task time means twice the staleness.
fn bound(state: &State, [x, y]: [Axis; 2]) -> Option<Bound> {
    let compare = &state.compare;
    let marked = choices(state).map(|choice| &choice.outcome);
    let outcomes = curve_outcomes(compare).chain(marked);
    let objective = compare.objective();
    let products = outcomes.filter_map(|outcome| {
        let staleness = objective.of(outcome)?.as_secs_f64();
        Some(outcome.share * staleness / objective.times_minimum(outcome)?)
    });
    let least = products.reduce(f64::min)?;
    let end = |share| pos2(x.at(share), y.at(least / share));
    Some(Bound {
        ends: x.values().map(end),
        name: "theoretical minimum",
        ink: theme::TEAL,
        fill: theme::TEAL.gamma_multiply(0.14),
    })
}

pub fn describe_mark(lane: usize, state: &State) -> Option<PointedSetting<'_>> {
    let choice = choices(state).find(|choice| choice.lane == lane)?;
    Some(PointedSetting {
        title: format!("{}, the best setting", choice.words()),
        comparison: state.compare.objective().describe(&choice.outcome)?,
        outcome: &choice.outcome,
        broken: choice.broken.clone(),
        click: "Click to set it.".to_owned(),
        commands: vec![CompareCommand::Apply(Offer::Strategy(lane)).into()],
    })
}

pub fn describe_point(lane: usize, index: usize, state: &State) -> Option<PointedSetting<'_>> {
    let best_setting = &state.compare.best_setting;
    let point = best_setting.curves().get(lane)?.get(index)?;
    Some(PointedSetting {
        title: named(point.strategy, &point.setting),
        comparison: state.compare.objective().describe(&point.outcome)?,
        outcome: &point.outcome,
        broken: best_setting.limits.in_effect.broken(&point.outcome),
        click: "Click to set it.".to_owned(),
        commands: set_commands(lane, &point.setting, state),
    })
}
