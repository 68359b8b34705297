//! The trade-off chart. For each strategy, a curve shows how stale the entities are, depending on the fraction of time
//! that is spent on tasks. Each point of a curve shows one value of the strategy's main knob.
//!
//! If work is done only on request, every strategy spends the same time on it. The chart then shows how long requests
//! wait, depending on the longest time that a frame spends on tasks.

use super::axis::Axis;
use super::{Bound, Chart, CurvePoint, Mark, Position, StrategyCurve};
use crate::catalog::strategy::StrategyEntry;
use crate::judge::{Choice, Curve, Outcome};
use crate::measure::Objective;
use crate::text::format::{self, multiple, time};
use timeslicer::time::Nanos;

/// The horizontal axis is not extended below this fraction of time, except to show all marks.
const MIN_SHARE: f64 = 0.005;
/// The horizontal axis is not extended to show a limit above this fraction of a frame.
const MAX_LIMIT_SHARE: f64 = 2.0;
/// The horizontal axis exceeds the smallest and the largest value by this factor.
const X_MARGIN: f64 = 1.1;
/// The same for the vertical axis. It is large, because values that are almost equal must not look very different.
const Y_MARGIN: f64 = 2.0;

pub struct TradeOff<'a> {
    pub strategies: &'a [&'static StrategyEntry],
    /// The curve of each strategy. Empty if they are not known yet.
    pub curves: &'a [Curve],
    pub marked: Vec<MarkedSetting>,
    pub objective: Objective,
    /// The limit on the task time of each frame.
    pub task_limit: Option<Nanos>,
    /// The game time of a frame.
    pub frame: Nanos,
}

pub struct MarkedSetting {
    /// The index of its strategy.
    pub lane: usize,
    pub outcome: Outcome,
    pub keeps_limits: bool,
    pub is_recommended: bool,
}

impl MarkedSetting {
    pub fn best(choice: &Choice, is_recommended: bool) -> Self {
        Self {
            lane: choice.lane,
            outcome: choice.outcome.clone(),
            keeps_limits: choice.holds(),
            is_recommended,
        }
    }
}

impl TradeOff<'_> {
    pub fn chart(&self) -> Option<Chart> {
        let limit = self.task_limit.map(|limit| limit.over(self.frame));
        let (x, y) = self.axes(limit)?;
        let position = |outcome: &Outcome| Some(Position::on([&x, &y], self.values(outcome)?));
        let marks = self.marked.iter().enumerate();
        let marks = marks.filter_map(|(index, marked)| {
            let mut at = position(&marked.outcome)?;
            at.y = at.y.clamp(0.0, 1.0);
            Some(Mark {
                strategy: self.strategies[marked.lane],
                at,
                index,
                keeps_limits: marked.keeps_limits,
                is_recommended: marked.is_recommended,
            })
        });
        let strategies = self.strategies.iter().enumerate();
        let is_of_requests = self.objective.is_of_requests();
        let strategies = strategies.filter(|(_, it)| !is_of_requests || it.on_request());
        let curves = strategies.map(|(lane, strategy)| {
            let points = self.curves.get(lane).map_or(&[][..], |curve| &curve.points);
            let points = points.iter().enumerate().filter_map(|(index, point)| {
                Some(CurvePoint {
                    at: position(&point.outcome)?,
                    index,
                    keeps_limits: true,
                })
            });
            let mut marked = self.marked.iter().filter(|marked| marked.lane == lane);
            StrategyCurve {
                lane,
                strategy,
                points: points.collect(),
                is_strong: marked.clone().any(|marked| marked.is_recommended),
                keeps_limits: marked.all(|marked| marked.keeps_limits),
            }
        });
        let mut marks: Vec<Mark> = marks.collect();
        marks.sort_by_key(|mark| mark.is_recommended); // it is drawn last
        let vertical_line = self.task_limit.zip(limit).map(|(limit, share)| {
            let words = format!("limit: {} of {}", time(limit), time(self.frame));
            (x.at(share).clamp(0.0, 1.0), words)
        });
        Some(Chart {
            x,
            y,
            curves: curves.collect(),
            marks,
            bound: self.bound(x, y),
            vertical_line,
            sections: Vec::new(),
        })
    }

    /// Returns the horizontal and the vertical axis, or `None` if there is nothing to show.
    fn axes(&self, limit: Option<f64>) -> Option<(Axis, Axis)> {
        let marks = self.marked.iter();
        let marks = marks.filter_map(|marked| self.values(&marked.outcome));
        let marks: Vec<[f64; 2]> = marks.collect();
        let points = self.curves.iter().flat_map(|curve| &curve.points);
        let points = points.filter_map(|point| self.values(&point.outcome));
        let points: Vec<[f64; 2]> = points.filter(|[share, _]| *share >= MIN_SHARE).collect();
        let limit = limit.filter(|share| (MIN_SHARE..=MAX_LIMIT_SHARE).contains(share));
        let shares = || marks.iter().map(|[share, _]| *share).chain(limit);
        let least = points.iter().map(|[share, _]| *share);
        let least = least.chain(shares()).fold(1.0, f64::min);
        let most = shares().fold(1.0, f64::max);
        let x = Axis::new([least / X_MARGIN, most * X_MARGIN], percent);
        // The curves reach much farther than the marks, so they determine the vertical axis only if there are no marks.
        let shown = if marks.is_empty() { &points } else { &marks };
        let staleness = shown.iter().map(|[_, staleness]| *staleness);
        let lowest = staleness.clone().reduce(f64::min)?;
        let highest = staleness.fold(lowest, f64::max);
        let y = Axis::new([lowest / Y_MARGIN, highest * Y_MARGIN], seconds);
        Some((x, y))
    }

    /// Returns the share of time and the staleness of an outcome, or the longest share of a frame and the wait of requests.
    /// `None` if the outcome has no position in the chart.
    fn values(&self, outcome: &Outcome) -> Option<[f64; 2]> {
        let share = if self.objective.is_of_requests() {
            outcome.tasks.max.over(self.frame)
        } else {
            outcome.share
        };
        let staleness = self.objective.of(outcome)?.as_secs_f64();
        (share > 0.0 && staleness > 0.0).then_some([share, staleness])
    }

    /// Returns the line of the theoretical minimum, if it is known. With half the task time, it is twice as stale.
    fn bound(&self, x: Axis, y: Axis) -> Option<Bound> {
        let points = self.curves.iter().flat_map(|curve| &curve.points);
        let marked = self.marked.iter().map(|marked| &marked.outcome);
        let outcomes = points.map(|point| &point.outcome).chain(marked);
        let products = outcomes.filter_map(|outcome| {
            let staleness = self.objective.of(outcome)?.as_secs_f64();
            Some(outcome.share * staleness / self.objective.times_minimum(outcome)?)
        });
        let least = products.reduce(f64::min)?;
        Some(Bound {
            ends: x
                .ends()
                .map(|share| Position::on([&x, &y], [share, least / share])),
            name: "theoretical minimum",
            is_minimum: true,
        })
    }

    /// Describes how stale the entities are, such as `mean weighted staleness 97 ms, 1.04× the theoretical minimum`.
    pub fn describe(&self, outcome: &Outcome) -> String {
        let staleness = self.objective.of(outcome).unwrap_or_default();
        let words = format!("{} {}", self.objective.name(), time(staleness));
        match self.objective.times_minimum(outcome) {
            Some(times) => format!("{words}, {} the theoretical minimum", multiple(times)),
            None => words,
        }
    }
}

fn percent(share: f64) -> String {
    format!("{} %", format::number(100.0 * share))
}

fn seconds(seconds: f64) -> String {
    // A tick of 1 s may be slightly less because of rounding errors.
    if seconds > 0.999 {
        format!("{} s", format::number(seconds))
    } else {
        format!("{} ms", format::number(seconds * 1e3))
    }
}
