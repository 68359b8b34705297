//! The data points of the trade-off chart. They show the results of each strategy with its current setting, and of the
//! recommended strategy with its best setting.

use super::axis::Axis;
use super::placement::{Label, Line, fan_out, is_above};
use super::trade_off::LOWEST;
use super::{LABEL_MARGIN, ink, key_label, lay, percent};
use crate::app::input::output::UiOutput;
use crate::app::state::State;
use crate::app::state::command::Command;
use crate::app::views::compare::below::explain_limits;
use crate::app::views::compare::{caps, clickable, selected};
use crate::app::widgets::{paint, theme, tooltip};
use egui::{Galley, Painter, Pos2, Rect, Shape, Stroke, Ui, Vec2, pos2, vec2};
use headless::judge::{Choice, Reference};
use headless::stats::{Report, Settled, WeightedStaleness};
use headless::text::format;
use std::sync::Arc;
use timeslicer::time::Nanos;

pub const DOT_RADIUS: f32 = 4.5;
pub const RING_RADIUS: f32 = 8.0;
const WORST_FRAME_TICK_HEIGHT: f32 = 6.0;
const MAX_DISPLACEMENT_LINE_LENGTH: f32 = 9.0;
const CLIPPED_ARROW_TOP: f32 = 8.0;

/// The metrics that determine the position, the look and the tooltip of a data point.
#[derive(Clone, Copy)]
pub struct DotMetrics<'a> {
    pub lane: usize,
    pub report: &'a Report,
    /// The recommended setting, for its own data point. `None` for the data points of the strategies' current settings.
    pub choice: Option<&'a Choice>,
    pub is_best: bool,
    pub is_selected: bool,
    pub is_within_limits: bool,
    /// The average fraction of the frame time that is spent on tasks.
    pub share: f64,
    /// The longest time that a frame spent on tasks, as a fraction of the frame time. It can be greater than 1.
    pub worst: f64,
    pub max_task_time: Nanos,
    pub staleness_secs: f64,
    /// The weighted staleness as a multiple of the chart's reference value, which is usually the theoretical minimum.
    /// `None` if the reference value is unknown.
    pub times: Option<f64>,
}

impl<'a> DotMetrics<'a> {
    /// Returns the metrics of a strategy with its current setting, or `None` if too few tasks have run. `frame_time` is
    /// the game time that a frame covers.
    pub fn of(
        lane: usize,
        report: &'a Report,
        staleness: WeightedStaleness,
        reference: Reference,
        frame_time: Nanos,
    ) -> Option<Self> {
        // These are known once every entity has run and at least one entity has run again.
        let share = report.settled.as_ref().and_then(Settled::load)?;
        let staleness_secs = report.settled_staleness(staleness)?.as_secs_f64();
        let max_task_time = report.frame_tasks.max;
        (share > 0.0 && staleness_secs > 0.0).then(|| Self {
            lane,
            report,
            choice: None,
            is_best: false,
            is_selected: false,
            is_within_limits: true,
            share,
            worst: max_task_time.over(frame_time),
            max_task_time,
            staleness_secs,
            times: reference.times(share, staleness_secs, report.over_minimum(staleness)),
        })
    }

    /// Returns the metrics of the recommended setting, which were measured when the setting was tried.
    fn of_choice(
        lane: usize,
        report: &'a Report,
        choice: &'a Choice,
        staleness: WeightedStaleness,
        reference: Reference,
        frame_time: Nanos,
    ) -> Option<Self> {
        let objective = staleness.into();
        let (share, max_task_time) = (choice.outcome.share, choice.outcome.tasks.max);
        let staleness_secs =
            headless::judge::Objective::of(objective, &choice.outcome)?.as_secs_f64();
        (share > 0.0 && staleness_secs > 0.0).then(|| Self {
            lane,
            report,
            choice: Some(choice),
            is_best: true,
            is_selected: false,
            is_within_limits: true,
            share,
            worst: max_task_time.over(frame_time),
            max_task_time,
            staleness_secs,
            times: reference.times_of(objective, &choice.outcome),
        })
    }
}

/// Returns the metrics of all data points, starting with those of the recommended and selected strategies. Each
/// strategy has a data point for its current setting. The recommended setting has a data point of its own, unless the
/// strategy already uses it.
pub fn metrics(state: &State, reference: Reference) -> Vec<DotMetrics<'_>> {
    let (compare, comparison) = (&state.compare, &state.compare.comparison);
    let frame = comparison.game_time_per_frame();
    let frame = frame.max(comparison.update_period());
    let staleness = compare.staleness;
    let strategies = comparison.strategies();
    let recommended = compare
        .best_setting
        .recommendation()
        .and_then(|it| it.recommended());
    let recommended = recommended.and_then(|choice| {
        let lane = strategies.iter().position(|it| *it == choice.strategy)?;
        let knobs = &state.settings.knobs;
        let is_set = choice
            .values()
            .all(|(knob, value)| knobs.get(knob) == value);
        Some((lane, choice, is_set))
    });
    let of = |(lane, report)| {
        Some(DotMetrics {
            is_best: recommended.is_some_and(|(best, _, is_set)| best == lane && is_set),
            is_selected: selected(state) == lane,
            ..DotMetrics::of(lane, report, staleness, reference, frame)?
        })
    };
    let metrics = compare.reports.iter().enumerate().filter_map(of);
    let tuned = recommended.filter(|(_, _, is_set)| !is_set);
    let tuned = tuned.and_then(|(lane, choice, _)| {
        let report = compare.reports.get(lane)?;
        DotMetrics::of_choice(lane, report, choice, staleness, reference, frame)
    });
    let limits = &compare.best_setting.limits;
    let metrics = metrics.chain(tuned).map(|it| DotMetrics {
        is_within_limits: match it.choice {
            Some(choice) => limits.keeps(&choice.outcome),
            None => compare.broken.get(it.lane).is_some_and(Vec::is_empty),
        },
        ..it
    });
    let mut metrics: Vec<_> = metrics.collect();
    metrics.sort_by_key(|it| (!it.is_best, !it.is_selected));
    metrics
}

/// A data point of the trade-off chart.
pub struct Dot<'a> {
    pub metrics: DotMetrics<'a>,
    /// The true position, which follows from the metrics.
    pub point: Pos2,
    /// The position at which the data point is drawn. It differs from `point` if the data point was moved to avoid an
    /// overlap.
    pub at: Pos2,
    /// The right end of the line that shows the task time in the worst frame, and whether this end is inside the plot.
    pub worst: (Pos2, bool),
    /// Whether the data point lies above the plot. In this case, an arrow is drawn at the top of the plot instead.
    is_clipped: bool,
    /// The full label, and a short label that contains only the strategy's keyboard shortcut.
    pub texts: [Arc<Galley>; 2],
}

/// Creates the data points and moves overlapping data points apart. `minimum_curve` contains the screen positions of
/// the curve that shows the theoretical minimum. `y_value` returns a data point's value on the vertical axis.
pub fn dots<'a>(
    painter: &Painter,
    plot: Rect,
    (x, y): (Axis, Axis),
    minimum_curve: &[Pos2],
    metrics: &[DotMetrics<'a>],
    y_value: impl Fn(&DotMetrics<'_>) -> Option<f64>,
) -> Vec<Dot<'a>> {
    let is_clipped = |value: f64| y.point_beyond(value) < plot.top();
    let known = metrics.iter().filter_map(|it| Some((it, y_value(it)?)));
    let mut known: Vec<_> = known.collect();
    // Place clipped data points early, because their values can only be read from their labels.
    known.sort_by_key(|(it, value)| (!it.is_best, !it.is_selected, !is_clipped(*value)));
    let points = known.iter().map(|(it, value)| {
        let at = y.point(*value);
        let at = if is_clipped(*value) {
            plot.top() + CLIPPED_ARROW_TOP
        } else {
            at
        };
        pos2(x.point(it.share), at)
    });
    let points: Vec<Pos2> = points.collect();
    let end = x.point(1.0);
    // If possible, do not move a data point below the theoretical minimum or across the line at 100 %.
    let places = fan_out(plot, &points, |point, at| {
        is_above(minimum_curve, at) && (at.x <= end) == (point.x <= end)
    });
    let dots = known.into_iter().zip(points).zip(places);
    let dots = dots.map(|(((metrics, value), point), at)| {
        let entry = metrics.report.subject.strategy;
        let (caps, name) = (caps(metrics.report), entry.name);
        let ink = if metrics.is_best {
            theme::TEAL
        } else {
            ink(entry)
        };
        let setting = metrics.choice.and_then(|choice| choice.values().next());
        let setting = setting.map(|(knob, value)| format!(", {}", format::knob(knob, value)));
        let setting = setting.unwrap_or_default();
        let beyond = is_clipped(value).then(|| format!(": {}×", format::number(value)));
        let beyond = beyond.unwrap_or_default();
        let texts = [
            format!("{name}{setting}{beyond}"),
            format!("{}{beyond}", key_label(caps)),
        ];
        let worst = pos2(x.point(metrics.worst).max(at.x), at.y);
        Dot {
            metrics: *metrics,
            point,
            at,
            worst: (worst, x.contains(metrics.worst)),
            is_clipped: is_clipped(value),
            texts: texts.map(|words| lay(painter, &words, ink)),
        }
    });
    dots.collect()
}

impl Dot<'_> {
    pub fn ring(&self) -> Rect {
        Rect::from_center_size(self.at, Vec2::splat(2.0 * RING_RADIUS))
    }

    /// Returns the sizes of the full and short labels, including margins.
    pub fn sizes(&self) -> [Vec2; 2] {
        self.texts
            .each_ref()
            .map(|text| text.size() + 2.0 * LABEL_MARGIN)
    }

    /// Paints the label, shows a tooltip if the pointer is over the data point, and selects the strategy if the user
    /// clicks it. Returns whether the pointer is over the data point.
    pub fn interact(
        &self,
        ui: &Ui,
        painter: &Painter,
        label: Option<Label>,
        state: &State,
        reference: Reference,
        output: &mut UiOutput,
    ) -> bool {
        let metrics = self.metrics;
        let key = metrics.report.subject.strategy.key;
        let select = Command::SelectLane(metrics.lane);
        let kind = if metrics.choice.is_some() {
            "tuned"
        } else {
            "dot"
        };
        let response = clickable(ui, self.ring(), format!("{kind}:{key}"), select, output);
        if response.hovered() {
            tooltip::offer(&response, self.help(state, reference));
        }
        if let Some(Label {
            place, is_short, ..
        }) = label
        {
            if metrics.is_selected {
                paint::card(painter, place, theme::CHOSEN_ROW, theme::TEAL);
            } else {
                let ground = if response.hovered() {
                    theme::BAR
                } else {
                    theme::WELL
                };
                painter.rect_filled(place, 4.0, ground.gamma_multiply(0.8));
            }
            let text = self.texts[usize::from(is_short)].clone();
            painter.galley(place.min + LABEL_MARGIN, text, theme::BRIGHT);
        }
        response.hovered()
    }

    fn help(&self, state: &State, reference: Reference) -> String {
        let staleness = state.compare.staleness;
        let DotMetrics {
            report,
            choice,
            share,
            worst,
            max_task_time,
            staleness_secs,
            times,
            ..
        } = self.metrics;
        let name = match choice {
            Some(choice) => choice.words().to_string(),
            None => report.subject.strategy.name.to_owned(),
        };
        let max_task_time = format::number(max_task_time.as_millis_f64());
        let (what, secs) = (staleness.name(), format::number(staleness_secs));
        let of = match reference {
            Reference::Minimum => "the theoretical minimum for this share of time",
            Reference::Best(_) => LOWEST,
        };
        let times = times.map_or_else(String::new, |times| format!(", which is {times:.2}× {of}"));
        let class = match choice {
            Some(_) => "This is the best setting of the recommended strategy.".to_owned(),
            None => explain_limits(state, self.metrics.lane),
        };
        format!(
            "{name} spends {} of the time on tasks, and {} ({max_task_time} ms) in the worst frame. The {what} is \
             {secs} s{times}.\n{class} Click to select this strategy.",
            percent(share),
            percent(worst),
        )
    }

    /// Paints a line that shows the task time in the worst frame, and a line to the label. If the data point was moved,
    /// also paints a line that points to its true position.
    pub fn paint_lines(&self, painter: &Painter, to_label: Option<Line>) {
        let (worst, is_inside) = self.worst;
        let faint = Stroke::new(1.0, theme::DIM.gamma_multiply(0.6));
        painter.line_segment([self.at, worst], faint);
        if is_inside && worst.x > self.at.x + DOT_RADIUS {
            let half = vec2(0.0, WORST_FRAME_TICK_HEIGHT / 2.0);
            painter.line_segment([worst - half, worst + half], faint);
        }
        if let Some(line) = to_label {
            painter.line_segment(line, Stroke::new(1.0, theme::DIM));
        }
        if self.at != self.point {
            // Stop short of the true position, because several data points may share it.
            let by = self.point - self.at;
            let end = self.at + by.normalized() * by.length().min(MAX_DISPLACEMENT_LINE_LENGTH);
            painter.line_segment([self.at, end], Stroke::new(1.0, theme::TEXT));
            painter.circle_filled(self.point, 1.5, theme::TEXT);
        }
    }

    /// Paints the data point. It is filled if the setting stays within all limits. The recommended setting is teal and
    /// has a ring. A data point above the plot is painted as an arrow.
    pub fn paint(&self, painter: &Painter) {
        let (at, metrics) = (self.at, self.metrics);
        let ink = if metrics.is_best {
            theme::TEAL
        } else {
            ink(metrics.report.subject.strategy)
        };
        let ring = |radius, width, ink| painter.circle_stroke(at, radius, Stroke::new(width, ink));
        if self.is_clipped {
            let points = [(-1.0, 0.9), (0.0, -1.0), (1.0, 0.9)];
            let points = points.map(|(x, y)| at + DOT_RADIUS * vec2(x, y)).to_vec();
            let fill = if metrics.is_within_limits {
                ink
            } else {
                theme::WELL
            };
            painter.add(Shape::convex_polygon(points, fill, Stroke::new(1.2, ink)));
        } else if metrics.is_within_limits {
            painter.circle_filled(at, DOT_RADIUS, ink);
        } else {
            painter.circle_filled(at, DOT_RADIUS, theme::WELL);
            ring(DOT_RADIUS - 0.7, 1.4, ink);
        }
        if metrics.is_best {
            ring(RING_RADIUS - 0.5, 1.2, theme::TEAL);
        } else if metrics.is_selected {
            ring(RING_RADIUS - 1.5, 1.0, theme::TEAL);
        }
    }
}
