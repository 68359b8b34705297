//! Thin curves behind the data points of the trade-off chart. Each curve shows the results of a strategy for different
//! values of its most important knob.

use super::axis::Axis;
use super::trade_off::LOWEST;
use super::{PointDescription, ink, percent};
use crate::app::state::State;
use crate::app::state::command::Command;
use crate::app::widgets::theme;
use egui::{Painter, Pos2, Shape, Stroke, pos2};
use headless::judge::{Broken, Objective, Point, Reference, Sweep};
use headless::text::format;
use headless::text::rich::time;
use timeslicer::strategy::StrategyEntry;

const MIN_MARKER_RADIUS: f32 = 1.4;

/// The results of a strategy for different values of its most important knob.
pub struct Curve<'a> {
    pub strategy: &'static StrategyEntry,
    pub lane: usize,
    /// The tried settings, each with the value that the vertical axis shows for it. The settings are sorted by the
    /// strategy's most important knob. Settings without a result are left out.
    pub points: Vec<(&'a Point, f64)>,
}

/// Returns a curve for each strategy whose settings were tried in `sweep`. `y_value` returns a setting's value on the
/// vertical axis.
pub fn curves<'a>(
    state: &State,
    sweep: &'a Sweep,
    y_value: impl Fn(&Point) -> Option<f64>,
) -> Vec<Curve<'a>> {
    let strategies = state.compare.comparison.strategies();
    let curves = sweep.curves().iter().filter_map(|curve| {
        let lane = strategies.iter().position(|it| *it == curve.strategy)?;
        let points = curve.points.iter();
        let points = points.filter(|point| point.outcome.share > 0.0);
        let points = points.filter_map(|point| Some((point, y_value(point)?)));
        Some(Curve {
            strategy: curve.strategy,
            lane,
            points: points.collect(),
        })
    });
    curves.collect()
}

impl Curve<'_> {
    /// Returns the screen positions of the curve's points, which may lie outside the plot.
    pub fn places(&self, x: Axis, y: Axis) -> Vec<Pos2> {
        let of = |(point, value): &(&Point, f64)| {
            pos2(x.point_beyond(point.outcome.share), y.point_beyond(*value))
        };
        self.points.iter().map(of).collect()
    }

    /// Paints a line through `positions`, with a marker at each position. The marker with the index `highlighted` is
    /// larger than the others.
    pub fn paint(
        &self,
        painter: &Painter,
        positions: &[Pos2],
        (is_best, is_selected): (bool, bool),
        highlighted: Option<usize>,
    ) {
        let ink = if is_best {
            theme::TEAL
        } else {
            ink(self.strategy)
        };
        let (width, strength) = match (highlighted, is_best || is_selected) {
            (Some(_), _) => (2.2, 1.0),
            (None, true) => (1.5, 0.85),
            (None, false) => (1.0, 0.5),
        };
        let stroke = Stroke::new(width, ink.gamma_multiply(strength));
        painter.add(Shape::line(positions.to_vec(), stroke));
        for at in positions {
            painter.circle_filled(*at, MIN_MARKER_RADIUS.max(width), stroke.color);
        }
        if let Some(at) = highlighted.and_then(|point| positions.get(point)) {
            painter.circle_filled(*at, 3.5, ink);
            painter.circle_stroke(*at, 5.5, Stroke::new(1.0, theme::BRIGHT));
        }
    }

    /// Returns the commands to execute when the user clicks a point of the curve. The commands apply this point's
    /// setting to all strategies and select the curve's strategy.
    pub fn click_commands(&self, point: &Point) -> impl Iterator<Item = Command> {
        let knob = self.strategy.main_knob().zip(point.setting.value);
        let turn = knob.map(|(knob, value)| Command::SetKnob(knob, value));
        turn.into_iter().chain([Command::SelectLane(self.lane)])
    }

    pub fn describe(&self, point: &Point, state: &State, reference: Reference) -> PointDescription {
        let compare = &state.compare;
        let objective: Objective = compare.staleness.into();
        let outcome = &point.outcome;
        let knob = self.strategy.main_knob().zip(point.setting.value);
        let setting = knob.map(|(knob, value)| (knob.label, format::knob(knob, value)));
        let of = match reference {
            Reference::Minimum => "the minimum",
            Reference::Best(_) => LOWEST,
        };
        let staleness = objective.of(outcome).unwrap_or_default();
        let times = reference.times_of(objective, outcome);
        let times = times.map(|times| format!("{times:.2}× {of}"));
        let longest = outcome.staleness.as_ref().map(|it| it.worst);
        let longest = longest.map(|longest| format!("longest wait {}", time(longest)));
        let share = percent(outcome.share);
        let metrics = [
            Some(format!("{} {}", objective.name(), time(staleness))),
            times,
            longest,
        ];
        let tasks = format!(
            "tasks take {share} of the time, and {} in the worst frame",
            time(outcome.tasks.max)
        );
        let metrics: Vec<String> = metrics.into_iter().flatten().chain([tasks]).collect();
        let broken = compare.best_setting.limits.broken(outcome);
        PointDescription {
            title: match &setting {
                Some((label, value)) => format!("{}, {label} {value}", self.strategy.name),
                None => self.strategy.name.to_owned(),
            },
            metrics: metrics.join(" · "),
            broken: broken.iter().map(describe_exceeded_limit).collect(),
            click: match &setting {
                Some((label, value)) => {
                    format!("Click to set {label} to {value} and select this strategy.")
                }
                None => "Click to select this strategy.".to_owned(),
            },
        }
    }
}

pub fn describe_exceeded_limit(broken: &Broken) -> String {
    broken.words().to_string()
}
