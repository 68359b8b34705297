//! What the crossovers chart shows: how stale each strategy is at its best setting, as a multiple of the best strategy,
//! for each workload. A strategy's line is dotted where even its best setting exceeds a limit.

use super::axis::Axis;
use super::model::{Bound, ChartModel, CurvePoint, Section, StrategyCurve};
use super::{PointedSetting, considered_lanes, set_commands};
use crate::app::input::bindings::caps_of;
use crate::app::state::State;
use crate::app::state::best_setting::{MOST_ENTITIES, Progress};
use crate::app::state::command::{Command, CompareCommand};
use crate::app::widgets::theme;
use egui::{Color32, Rect, pos2};
use lab::catalog::strategy::STRATEGIES;
use lab::catalog::strategy::knobs::BUDGET;
use lab::recommend::{Limit, Range, Setting};
use lab::sim::world::TARGET_SPEED;
use lab::text::format;

pub const HELP: &str = "Each line shows a strategy at its best setting: 1.0 means as fresh as the best strategy, and 2.0 \
    twice as stale. The ribbon names the best strategy. A line is dotted where the strategy exceeds a limit, and thin if \
    it is never best. Point at a line to see its values, and click to apply them.";

/// Returns descriptions of the axes, from the longest to the shortest or, while the search is running, its progress.
pub fn axis_descriptions(state: &State) -> Vec<String> {
    let best_setting = &state.compare.best_setting;
    let progress = match (best_setting.progress(), best_setting.crossover_progress()) {
        (Progress::TooManyEntities, _) => {
            let most = format::number(MOST_ENTITIES);
            format!("Crossovers are only searched for up to {most} entities.")
        }
        (Progress::Searching | Progress::Outdated, _) => {
            "searching for the best setting first".to_owned()
        }
        (Progress::Final, Some((done, all))) => format!("{done} of {all} values tried"),
        (Progress::Final, None) if best_setting.final_crossovers().is_none() => {
            "searching for crossovers".to_owned()
        }
        (Progress::Final, None) => {
            let what = if state.compare.on_request() {
                "wait"
            } else {
                "staleness"
            };
            return vec![
                format!("{what} with the best settings, relative to the best strategy, over"),
                format!("relative {what}, over"),
            ];
        }
    };
    vec![progress]
}

/// Returns the chart of the best settings at all values of the knob. The horizontal axis covers the range of the search
/// and the present value, which a vertical line marks.
///
/// Values at which no strategy keeps all limits are left out of the curves, because there is no best strategy to compare
/// with.
pub fn chart(state: &State, plot: Rect) -> Option<ChartModel> {
    let best_setting = &state.compare.best_setting;
    let found = best_setting.crossovers()?;
    let (columns, ranges) = (&found.columns, &found.ranges);
    if columns.is_empty() {
        return None;
    }
    let now = best_setting.present(&state.settings);
    let tried = columns.iter().map(|column| column.value);
    let range = best_setting.crossover_range().into_iter().flatten();
    let values: Vec<f64> = tried.chain([now]).chain(range).collect();
    let x = Axis::of_knob(&values, [plot.left(), plot.right()]);
    let kept = columns.iter().flat_map(|column| {
        let all = &column.recommendation;
        let kept = all.choices.iter().filter(|choice| choice.holds());
        kept.filter_map(|choice| all.times_best(choice))
    });
    let y = Axis::of_multiples(kept, [plot.bottom(), plot.top()]);
    let curves = considered_lanes(state).map(|lane| {
        let columns = columns.iter().enumerate();
        let columns = columns.filter(|(_, column)| column.recommendation.best.is_some());
        let points = columns.filter_map(|(index, column)| {
            let choice = column.recommendation.choices.get(lane)?;
            let times = column.recommendation.times_best(choice)?;
            Some(CurvePoint {
                at: pos2(x.at(column.value), y.at(times)),
                index,
                keeps_limits: choice.holds(),
            })
        });
        let points: Vec<CurvePoint> = points.collect();
        let strategy = Some(STRATEGIES[lane]);
        StrategyCurve {
            lane,
            is_strong: ranges.iter().any(|range| range.strategy == strategy),
            keeps_limits: points.iter().any(|point| point.keeps_limits),
            points,
        }
    });
    Some(ChartModel {
        plot,
        x,
        y,
        curves: curves.collect(),
        marks: Vec::new(),
        bound: Some(Bound {
            ends: [plot.left(), plot.right()].map(|x| pos2(x, y.at(1.0))),
            name: "best strategy",
            ink: theme::DIM,
            fill: Color32::TRANSPARENT,
        }),
        vertical_line: Some((x.at(now), format!("now {}", format::knob(found.over, now)))),
        sections: sections(ranges, x),
    })
}

/// Returns a section for each range. Borders are halfway between the end of one range and the start of the next.
fn sections(ranges: &[Range], x: Axis) -> Vec<Section> {
    let mut start = ranges.first().map_or(0.0, |range| x.at(range.from));
    let sections = ranges.iter().enumerate().map(|(index, range)| {
        let to = x.at(range.to);
        let next = ranges.get(index + 1).map(|next| x.at(next.from));
        let end = next.map_or(to, |from| f32::midpoint(to, from));
        let ends = [start, end];
        start = end;
        let name = range.strategy.map_or("none", |strategy| strategy.name);
        let limit = range.first_broken.map(|broken| broken.limit.name());
        let with_limit = limit.map(|limit| format!("{name}, limit: {limit}"));
        let key = range.strategy.map(|it| caps_of(Command::Strategy(it)));
        Section {
            strategy: range.strategy,
            ends,
            words: with_limit
                .into_iter()
                .chain([name.to_owned()])
                .chain(key.map(str::to_owned))
                .collect(),
        }
    });
    sections.collect()
}

/// Describes the best setting of a strategy at the value with this index.
pub fn describe(lane: usize, index: usize, state: &State) -> Option<PointedSetting<'_>> {
    let found = state.compare.best_setting.crossovers()?;
    let over = found.over;
    let column = found.columns.get(index)?;
    let all = &column.recommendation;
    let choice = all.choices.get(lane)?;
    let workload = if *over == BUDGET {
        let limit = format::exact(over, column.value);
        format!("a task time limit of {limit}")
    } else {
        Setting::default()
            .with(over, column.value)
            .words()
            .unwrap_or_default()
    };
    let mut commands = Vec::new();
    if *over == TARGET_SPEED {
        commands.push(Command::PinTargetAt(None)); // a pinned target has no speed
    }
    commands.push(if *over == BUDGET {
        CompareCommand::SetLimit(Limit::Tasks, BUDGET.span(column.value)).into()
    } else {
        Command::SetKnob(over, column.value)
    });
    commands.extend(set_commands(lane, &choice.setting, state));
    Some(PointedSetting {
        title: format!("{}, for {workload}", choice.words()),
        comparison: all.price(choice),
        outcome: &choice.outcome,
        broken: choice.broken.clone(),
        click: format!("Click to set it for {workload}."),
        commands,
    })
}
