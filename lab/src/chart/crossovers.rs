//! The crossovers chart: over a knob of the workload, how stale the best settings are, relative to the best strategy.

use super::axis::Axis;
use super::{Bound, Chart, CurvePoint, Position, Section, StrategyCurve};
use crate::catalog::knob::Knob;
use crate::catalog::strategy::StrategyEntry;
use crate::judge::{Column, Range};
use crate::text::format;

/// Returns the chart of the best settings at all values of the knob `over`. The horizontal axis covers these values,
/// `more_values`, and the `present` value, which a vertical line marks.
///
/// Values at which no strategy keeps all limits are left out of the curves, because there is no best strategy to compare
/// with.
pub fn crossovers(
    over: &Knob,
    strategies: &[&'static StrategyEntry],
    columns: &[Column],
    ranges: &[Range],
    present: Option<f64>,
    more_values: &[f64],
) -> Chart {
    let values = columns.iter().map(|column| column.value);
    let values = values.chain(present).chain(more_values.iter().copied());
    let x = Axis::of_knob(over, &values.collect::<Vec<f64>>());
    let kept = columns.iter().flat_map(|column| {
        let all = &column.recommendation;
        let kept = all.choices.iter().filter(|choice| choice.holds());
        kept.filter_map(|choice| all.times_best(choice))
    });
    let y = Axis::of_multiples(kept);
    let is_considered = |lane: usize| {
        let mut choices = columns
            .iter()
            .filter_map(|it| it.recommendation.choices.get(lane));
        choices.all(|it| it.is_considered)
    };
    let considered = strategies
        .iter()
        .enumerate()
        .filter(|(lane, _)| is_considered(*lane));
    let curves = considered.map(|(lane, &strategy)| {
        let columns = columns.iter().enumerate();
        let columns = columns.filter(|(_, column)| column.recommendation.best.is_some());
        let points = columns.filter_map(|(index, column)| {
            let choice = column.recommendation.choices.get(lane)?;
            let times = column.recommendation.times_best(choice)?;
            Some(CurvePoint {
                at: Position::on([&x, &y], [column.value, times]),
                index,
                keeps_limits: choice.holds(),
            })
        });
        let points: Vec<CurvePoint> = points.collect();
        StrategyCurve {
            lane,
            strategy,
            is_strong: ranges.iter().any(|range| range.strategy == Some(strategy)),
            keeps_limits: points.iter().any(|point| point.keeps_limits),
            points,
        }
    });
    let mut curves: Vec<StrategyCurve> = curves.collect();
    curves.sort_by_key(|curve| !curve.is_strong);
    Chart {
        x,
        y,
        curves,
        marks: Vec::new(),
        bound: Some(Bound {
            ends: [0.0, 1.0].map(|x| Position { x, y: y.at(1.0) }),
            name: "best strategy",
            is_minimum: false,
        }),
        vertical_line: present.map(|now| (x.at(now), format!("now {}", format::knob(over, now)))),
        sections: sections(ranges, x),
    }
}

/// Returns a section for each range. Borders are halfway between the end of one range and the start of the next.
fn sections(ranges: &[Range], x: Axis) -> Vec<Section> {
    let mut start = ranges.first().map_or(0.0, |range| x.at(range.from));
    let sections = ranges.iter().enumerate().map(|(index, range)| {
        let to = x.at(range.to);
        let next = ranges.get(index + 1).map(|next| x.at(next.from));
        let end = next.map_or(to, |from| f64::midpoint(to, from));
        let ends = [start, end];
        start = end;
        let name = range.strategy.map_or("none", |strategy| strategy.name);
        let limit = range.first_broken.map(|broken| broken.limit.name());
        let with_limit = limit.map(|limit| format!("{name}, limit: {limit}"));
        Section {
            strategy: range.strategy,
            ends,
            words: with_limit.into_iter().chain([name.to_owned()]).collect(),
        }
    });
    sections.collect()
}
