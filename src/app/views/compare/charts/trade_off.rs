//! The trade-off chart, which shows how much time each strategy spends on tasks and how stale the entities become.
//! Staleness is either a time or a multiple. While the target rests, it is a multiple of the theoretical minimum for
//! the same task time. While the target moves, this minimum is unknown, and staleness is compared with that of the most
//! efficient setting.

use super::labels::place_label;
use super::{
    POINTER_DISTANCE, PointedSetting, ink, label_size, lay, nearest, paint_axes, paint_dashes,
    paint_label, paint_message, paint_pointed, percent, place, set_commands, time_axis_name,
    times_tick,
};
use crate::app::input::output::UiOutput;
use crate::app::state::State;
use crate::app::state::command::{Command, CompareCommand};
use crate::app::state::compare::Offer;
use crate::app::views::compare::selected;
use crate::app::widgets::{paint, theme, tooltip};
use egui::{
    Align2, Color32, Id, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, Vec2, pos2, vec2,
};
use lab::catalog::strategy::StrategyEntry;
use lab::chart::{Axis, times_axis};
use lab::judge::{Broken, Choice, Objective, Outcome, Reference, Setting, named};
use lab::phrase;
use lab::sim::world::ENTITIES;
use lab::text::format;
use lab::text::rich::{Phrase, multiple};
use timeslicer::time::Nanos;

const DOT_RADIUS: f32 = 4.5;
const RING_RADIUS: f32 = 7.5;
const MARKER_RADIUS: f32 = 1.4;
const MINIMUM_CURVE_SEGMENTS: u32 = 48;
/// The horizontal axis is not extended below this fraction of time to show curves or a task time limit. It is always
/// extended far enough to show all dots.
const MIN_CURVE_SHARE: f64 = 0.01;
/// The horizontal axis is not extended to show a task time limit above this fraction of a frame.
const MAX_LIMIT_SHARE: f64 = 2.0;
/// The horizontal axis begins at the smallest value divided by this factor, and ends at the largest value times this
/// factor.
const X_MARGIN: f64 = 1.15;
/// The same margin for a vertical axis that shows times.
const Y_MARGIN: f64 = 1.4;
/// The minimum ratio between the ends of a vertical axis that shows times. With a smaller ratio, values that are almost
/// equal would look very different.
const MIN_Y_RATIO: f64 = 12.0;

const HELP: &str = "Each dot is a strategy as it is set now. The line beside it ends at the task time of its worst \
    frame. Filled dots keep all limits. The teal ring is the recommended setting. Curves show other settings. Point \
    at one to see its values, and click to set them.";

pub fn relative_words(state: &State) -> &'static str {
    if state.settings.target_rests() {
        "relative to the theoretical minimum"
    } else {
        "relative to the most efficient setting"
    }
}

/// Returns alternative descriptions of the axes, from the longest to the shortest. The chart shows the first
/// description that fits.
pub fn axis_descriptions(state: &State) -> Vec<String> {
    let (time, staleness) = (time_axis_name(state), state.compare.staleness.name());
    if state.compare.is_absolute {
        return vec![format!("{staleness}, over {time}"), staleness.to_owned()];
    }
    let relative = relative_words(state);
    vec![
        format!("{staleness} {relative}, over {time}"),
        format!("{relative}, over {time}"),
        relative.to_owned(),
    ]
}

/// The vertical axis: what it shows, and the metric that strategies are compared by.
#[derive(Clone, Copy)]
struct Scale {
    objective: Objective,
    reference: Reference,
    is_absolute: bool,
}

impl Scale {
    fn of(state: &State) -> Self {
        let compare = &state.compare;
        let (objective, curves) = (compare.staleness.into(), compare.best_setting.curves());
        Self {
            objective,
            reference: Reference::of(curves, state.settings.target_rests(), objective),
            is_absolute: compare.is_absolute,
        }
    }

    /// Returns the position of an outcome on both axes, or `None` if it has none.
    fn values(self, outcome: &Outcome) -> Option<(f64, f64)> {
        let value = if self.is_absolute {
            self.objective.of(outcome)?.as_secs_f64()
        } else {
            self.reference.times_of(self.objective, outcome)?
        };
        (outcome.share > 0.0 && value > 0.0).then_some((outcome.share, value))
    }

    /// Describes how stale the entities are, such as `mean weighted staleness 97 ms, 1.04× the theoretical minimum`.
    fn describe(self, outcome: &Outcome) -> Phrase {
        let staleness = self.objective.of(outcome).unwrap_or_default();
        let mut words = phrase!("{} {}", self.objective.name(), staleness);
        let times = self.reference.times_of(self.objective, outcome);
        match (times, self.reference) {
            (Some(times), Reference::Minimum) => {
                words.push(phrase!(", {} the theoretical minimum", multiple(times)));
            }
            (Some(times), Reference::Best(_)) if !self.is_absolute => words.push(phrase!(
                ", {} that of the most efficient setting, scaled to this share of time",
                multiple(times)
            )),
            _ => {}
        }
        words
    }
}

/// A setting that has a dot: either the current setting of a strategy, or the recommended setting.
struct Dot<'a> {
    lane: usize,
    strategy: &'static StrategyEntry,
    outcome: Outcome,
    broken: &'a [Broken],
    /// The position on both axes.
    values: (f64, f64),
    /// The recommended setting. `None` if the dot shows the current setting.
    choice: Option<&'a Choice>,
    is_recommended: bool,
    is_selected: bool,
}

/// Returns the dots of all strategies with their current settings, except those that have not run every task yet. The
/// recommended setting has a dot of its own, unless it is the current setting. The recommended and the selected
/// strategies come first.
fn dots(state: &State, scale: Scale) -> Vec<Dot<'_>> {
    let compare = &state.compare;
    let recommendation = compare.best_setting.recommendation();
    let recommended = recommendation.and_then(|it| it.best());
    let is_set = recommended.is_some_and(|it| compare.is_set(it, &state.settings));
    let lanes = compare.reports.iter().zip(&compare.broken).enumerate();
    let current = lanes.filter(|(_, (report, _))| report.has_run_all());
    let current = current.filter_map(|(lane, (report, broken))| {
        let outcome = Outcome::of(report);
        Some(Dot {
            lane,
            strategy: report.subject.strategy,
            values: scale.values(&outcome)?,
            outcome,
            broken,
            choice: None,
            is_recommended: is_set && recommended.is_some_and(|it| it.lane == lane),
            is_selected: selected(state) == lane,
        })
    });
    let tried = recommended.filter(|_| !is_set).and_then(|choice| {
        Some(Dot {
            lane: choice.lane,
            strategy: choice.strategy,
            values: scale.values(&choice.outcome)?,
            outcome: choice.outcome.clone(),
            broken: &choice.broken,
            choice: Some(choice),
            is_recommended: true,
            is_selected: false,
        })
    });
    let mut dots: Vec<Dot<'_>> = current.chain(tried).collect();
    dots.sort_by_key(|it| (!it.is_recommended, !it.is_selected));
    dots
}

impl Dot<'_> {
    fn ink(&self) -> Color32 {
        if self.is_recommended {
            theme::TEAL
        } else {
            ink(self.strategy)
        }
    }

    fn log_name(&self) -> String {
        let kind = if self.choice.is_some() {
            "tuned"
        } else {
            "dot"
        };
        format!("{kind}:{}", self.strategy.key)
    }

    fn label(&self) -> String {
        let name = self.strategy.name;
        if self.choice.is_some() {
            format!("{name}, recommended")
        } else {
            name.to_owned()
        }
    }

    /// Paints the dot. It is filled if the setting keeps all limits. A dot above the plot is an arrow at its top.
    fn paint(&self, painter: &Painter, at: Pos2, is_above: bool) {
        let fill = if self.broken.is_empty() {
            self.ink()
        } else {
            theme::WELL
        };
        let stroke = Stroke::new(1.4, self.ink());
        if is_above {
            let points = [(-1.0, 0.9), (0.0, -1.0), (1.0, 0.9)];
            let points = points.map(|(x, y)| at + DOT_RADIUS * vec2(x, y)).to_vec();
            painter.add(Shape::convex_polygon(points, fill, stroke));
        } else {
            painter.circle(at, DOT_RADIUS - 0.7, fill, stroke);
        }
        if self.is_recommended || self.is_selected {
            painter.circle_stroke(at, RING_RADIUS, Stroke::new(1.2, theme::TEAL));
        }
    }

    fn describe(&self, at: Pos2, scale: Scale) -> PointedSetting {
        let (title, command) = match self.choice {
            Some(choice) => (
                format!("{}, the recommended setting", choice.words()),
                Command::Compare(CompareCommand::Apply(Offer::Strategy(self.lane))),
            ),
            None => (
                format!("{} as it is set now", self.strategy.name),
                Command::Compare(CompareCommand::SelectLane(self.lane)),
            ),
        };
        let (outcome, broken, commands) = (&self.outcome, self.broken, vec![command]);
        let comparison = scale.describe(outcome);
        let mut pointed = PointedSetting::new(at, title, &comparison, outcome, broken, commands);
        if self.choice.is_none() {
            pointed.click = "Click to select this strategy.".into();
        }
        pointed
    }
}

/// The settings of a strategy with different values of its main knob.
struct Curve<'a> {
    lane: usize,
    strategy: &'static StrategyEntry,
    points: Vec<(&'a Setting, &'a Outcome)>,
    values: Vec<(f64, f64)>,
}

/// Returns the curve of each strategy. Settings without a position on the chart are left out.
fn curves(state: &State, scale: Scale) -> Vec<Curve<'_>> {
    let curves = state.compare.best_setting.curves().iter().enumerate();
    let curves = curves.map(|(lane, curve)| {
        let points = curve.points.iter();
        let points = points.filter_map(|point| {
            let values = scale.values(&point.outcome)?;
            Some(((&point.setting, &point.outcome), values))
        });
        let (points, values) = points.unzip();
        Curve {
            lane,
            strategy: curve.strategy,
            points,
            values,
        }
    });
    curves.collect()
}

impl Curve<'_> {
    fn paint(&self, painter: &Painter, places: &[Pos2], is_strong: bool, pointed: Option<usize>) {
        let ink = ink(self.strategy);
        let (width, strength) = match pointed {
            Some(_) => (2.2, 1.0),
            None if is_strong => (1.5, 0.85),
            None => (1.0, 0.5),
        };
        let stroke = Stroke::new(width, ink.gamma_multiply(strength));
        painter.add(Shape::line(places.to_vec(), stroke));
        for at in places {
            painter.circle_filled(*at, MARKER_RADIUS.max(width), stroke.color);
        }
        if let Some(point) = pointed {
            paint_pointed(painter, places[point], ink);
        }
    }

    fn describe(&self, point: usize, at: Pos2, scale: Scale, state: &State) -> PointedSetting {
        let (setting, outcome) = self.points[point];
        let best_setting = &state.compare.best_setting;
        let title = named(self.strategy, setting).to_string();
        let broken = best_setting.limits.in_effect.broken(outcome);
        let tried = best_setting.curve_settings();
        let tried = tried.map(|settings| setting.applied_to(self.strategy, settings));
        let commands = tried.map(|tried| set_commands(self.lane, &tried, state));
        let commands = commands.unwrap_or_default();
        PointedSetting::new(
            at,
            title,
            &scale.describe(outcome),
            outcome,
            &broken,
            commands,
        )
    }
}

/// Shows the chart. Returns the setting under the pointer, if there is one.
pub fn show(
    ui: &Ui,
    painter: &Painter,
    plot: Rect,
    state: &State,
    output: &mut UiOutput,
) -> Option<(Response, PointedSetting)> {
    let scale = Scale::of(state);
    let (dots, curves) = (dots(state, scale), curves(state, scale));
    painter.rect_filled(plot, 0.0, theme::WELL);
    let response = ui.interact(plot, Id::new("trade-off"), Sense::CLICK);
    output.report("trade-off", plot);
    let frame = state.compare.comparison.game_time_per_frame();
    let limit = state.compare.best_setting.limits.in_effect.tasks;
    let limit = limit.map(|limit| (limit, limit.over(frame)));
    let Some((x, y)) = axes(plot, &dots, &curves, limit.map(|(_, share)| share), scale) else {
        let message = if state.settings.knobs.get(&ENTITIES) == 0.0 {
            "Without entities, there is nothing to measure."
        } else {
            "Nothing has been measured yet."
        };
        paint_message(painter, plot, message);
        tooltip::offer(&response, HELP);
        return None;
    };
    let words_of_y = if scale.is_absolute {
        seconds_tick
    } else {
        times_tick
    };
    paint_axes(painter, plot, (x, percent), (y, words_of_y));
    let inside = painter.with_clip_rect(plot.intersect(painter.clip_rect()));
    let mut taken = Vec::new();
    taken.extend(paint_minimum(&inside, plot, (x, y), &dots, scale, state));
    paint_whole_time(&inside, plot, x.at(1.0) as f32);
    if let Some((limit, share)) = limit {
        taken.push(paint_limit(
            &inside,
            plot,
            x.at(share) as f32,
            [limit, frame],
        ));
    }

    let at = response.hover_pos().filter(|_| response.hovered());
    let is_above: Vec<bool> = dots
        .iter()
        .map(|dot| y.at(dot.values.1) < plot.top().into())
        .collect();
    let dot_places = dots.iter().zip(&is_above).map(|(dot, is_above)| {
        let at = place(x, y, dot.values);
        let top = plot.top() + RING_RADIUS + 1.0;
        if *is_above { pos2(at.x, top) } else { at }
    });
    let dot_places: Vec<Pos2> = dot_places.collect();
    let pointed_dot = at.and_then(|at| nearest_dot(&dot_places, at));
    let curve_places = curves.iter().map(|curve| {
        let places = curve.values.iter().map(|values| place(x, y, *values));
        places.collect()
    });
    let curve_places: Vec<Vec<Pos2>> = curve_places.collect();
    let pointed = at.filter(|_| pointed_dot.is_none()).and_then(|at| {
        let preferred = curves.iter().position(|it| it.lane == selected(state));
        nearest(&curve_places, plot, at, preferred)
    });
    for (index, (curve, places)) in curves.iter().zip(&curve_places).enumerate() {
        let pointed = pointed.filter(|[line, _]| *line == index);
        let is_strong = curve.lane == selected(state);
        curve.paint(&inside, places, is_strong, pointed.map(|[_, point]| point));
    }
    for (dot, at) in dots.iter().zip(&dot_places) {
        let worst = x.at(dot.outcome.tasks.max.over(frame)) as f32;
        let whisker = [*at, pos2(worst.max(at.x), at.y)];
        inside.line_segment(whisker, Stroke::new(1.0, theme::DIM.gamma_multiply(0.6)));
        let ring = Rect::from_center_size(*at, Vec2::splat(2.0 * RING_RADIUS));
        output.report(dot.log_name(), ring);
        taken.push(ring);
    }
    for (dot, at) in dots.iter().zip(&dot_places) {
        let words = lay(painter, dot.label(), dot.ink());
        if let Some(place) = place_label(plot, &[*at], label_size(&words), &taken) {
            taken.push(place);
            paint_label(painter, place, words);
        }
    }
    // The most important dots come first, so they are painted last.
    for ((dot, at), is_above) in dots.iter().zip(&dot_places).zip(is_above).rev() {
        dot.paint(painter, *at, is_above);
    }
    let described = match (pointed_dot, pointed) {
        (Some(dot), _) => dots[dot].describe(dot_places[dot], scale),
        (None, Some([line, point])) => {
            curves[line].describe(point, curve_places[line][point], scale, state)
        }
        (None, None) => {
            tooltip::offer(&response, HELP);
            return None;
        }
    };
    Some((response, described))
}

/// Returns the index of the dot under the pointer.
fn nearest_dot(places: &[Pos2], at: Pos2) -> Option<usize> {
    let distances = places.iter().map(|place| place.distance(at)).enumerate();
    let near = distances.filter(|(_, distance)| *distance <= POINTER_DISTANCE);
    near.min_by(|one, other| one.1.total_cmp(&other.1))
        .map(|(index, _)| index)
}

/// Returns the horizontal and vertical axes, or `None` if there is nothing to show.
fn axes(
    plot: Rect,
    dots: &[Dot<'_>],
    curves: &[Curve<'_>],
    limit: Option<f64>,
    scale: Scale,
) -> Option<(Axis, Axis)> {
    let across = [plot.left(), plot.right()].map(f64::from);
    let upwards = [plot.bottom(), plot.top()].map(f64::from);
    let of_curves = || curves.iter().flat_map(|it| it.values.iter().copied());
    let of_dots = || dots.iter().map(|it| it.values);
    let limit = limit.filter(|limit| (MIN_CURVE_SHARE..=MAX_LIMIT_SHARE).contains(limit));
    let shares = of_dots().map(|(share, _)| share).chain(limit);
    let least = of_curves().map(|(share, _)| share).fold(1.0, f64::min);
    let least = shares.clone().fold(least.max(MIN_CURVE_SHARE), f64::min);
    let most = shares.fold(1.0, f64::max);
    let x = Axis::logarithmic([least / X_MARGIN, most * X_MARGIN], across);
    // The curves may reach much farther, so they determine the vertical axis only if there are no dots.
    let visible = of_curves().filter(|(share, _)| dots.is_empty() && *share >= least);
    let values = of_dots().chain(visible).map(|(_, value)| value);
    if !scale.is_absolute {
        return values
            .clone()
            .next()
            .map(|_| (x, times_axis(values, upwards)));
    }
    let low = values.clone().reduce(f64::min)? / Y_MARGIN;
    let high = values.fold(low, f64::max) * Y_MARGIN;
    let missing = (MIN_Y_RATIO * low / high).max(1.0).sqrt();
    Some((
        x,
        Axis::logarithmic([low / missing, high * missing], upwards),
    ))
}

/// Darkens the area in which tasks take more than all of the time.
fn paint_whole_time(painter: &Painter, plot: Rect, end: f32) {
    painter.rect_filled(plot.with_min_x(end), 0.0, theme::FLOOR);
    let line = Stroke::new(1.0, theme::DIM);
    painter.vline(end.round() + 0.5, plot.y_range(), line);
}

/// Paints a vertical line at the task time limit and returns the area of its label.
fn paint_limit(painter: &Painter, plot: Rect, x: f32, [limit, frame]: [Nanos; 2]) -> Rect {
    let line = [plot.top(), plot.bottom()].map(|y| pos2(x.round() + 0.5, y));
    paint_dashes(painter, &line, Stroke::new(1.0, theme::TEXT));
    let [limit, frame] = [limit, frame].map(|it| format::number(it.as_millis_f64()));
    let words = lay(
        painter,
        format!("limit: {limit} ms of {frame} ms"),
        theme::TEXT,
    );
    let size = label_size(&words);
    let is_right = x + 2.0 + size.x <= plot.right();
    let left = if is_right { x + 2.0 } else { x - 2.0 - size.x };
    let left = left.clamp(plot.left(), (plot.right() - size.x).max(plot.left()));
    let place = Rect::from_min_size(pos2(left, plot.top() + 2.0), size);
    paint_label(painter, place, words);
    place
}

/// Paints the theoretical minimum, below which the area is tinted because no strategy can reach it. While the target
/// moves, the minimum is unknown. A line then marks the most efficient setting, unless the axis shows times. Returns
/// the area of the label.
fn paint_minimum(
    painter: &Painter,
    plot: Rect,
    (x, y): (Axis, Axis),
    dots: &[Dot<'_>],
    scale: Scale,
    state: &State,
) -> Option<Rect> {
    let target_rests = scale.reference == Reference::Minimum;
    let curve: Vec<Pos2> = if scale.is_absolute {
        let minimum = Some(minimum(dots, state)).filter(|_| target_rests)?;
        let from = x.values[0].ln();
        let shares = (0..=MINIMUM_CURVE_SEGMENTS).map(|step| {
            let rest = f64::from(MINIMUM_CURVE_SEGMENTS - step);
            (from * rest / f64::from(MINIMUM_CURVE_SEGMENTS)).exp()
        });
        let points = shares.filter_map(|share| Some(place(x, y, (share, minimum(share)?))));
        points.collect()
    } else {
        let ends = [x.values[0], 1.0];
        ends.map(|share| place(x, y, (share, 1.0))).to_vec()
    };
    if curve.len() < 2 {
        return None;
    }
    let (ink, words) = if target_rests {
        let tint = theme::TEAL_GROUND.gamma_multiply(0.45);
        paint::fill_below(painter, curve.iter().map(|at| (*at, tint)), plot.bottom());
        (theme::TEAL, "no strategy can be below this line")
    } else {
        (theme::DIM, "1.0: the most efficient setting")
    };
    paint_dashes(painter, &curve, Stroke::new(1.2, ink));
    let words = lay(painter, words, ink);
    let corner = plot.shrink(3.0).left_bottom();
    let place = Align2::LEFT_BOTTOM.anchor_size(corner, label_size(&words));
    let is_clear = |at: &Pos2| at.y <= place.top() || at.x > place.right();
    if !plot.contains_rect(place) || !curve.iter().all(is_clear) {
        return None;
    }
    paint_label(painter, place, words);
    Some(place)
}

/// Returns a function that computes the lowest possible staleness in seconds. Its argument is the fraction of time that
/// is spent on tasks.
fn minimum(dots: &[Dot<'_>], state: &State) -> impl Fn(f64) -> Option<f64> {
    let (staleness, bounds) = (state.compare.staleness, state.compare.bounds);
    let in_long_run = move |share: f64| staleness.minimum(&bounds?, share);
    // After a short run, a strategy may be fresher than is possible in the long run. Scale the minimum down, so that no
    // dot is below it.
    let ratio = |dot: &Dot<'_>| Some(dot.values.1 / in_long_run(dot.values.0)?);
    let least = dots.iter().filter_map(ratio).fold(1.0, f64::min);
    move |share| Some(least * in_long_run(share)?)
}

/// Formats a time for a tick label, such as `2 s`.
fn seconds_tick(seconds: f64) -> String {
    // A tick of 1 s may be slightly less because of rounding errors.
    if seconds > 0.999 {
        format!("{} s", format::number(seconds))
    } else {
        format!("{} ms", format::number(seconds * 1e3))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{REST, compared};
    use super::*;
    use lab::measure::WeightedStaleness;
    use lab::sim::world::{COST, ENTITIES};

    #[test]
    fn the_line_is_the_minimum_and_no_dot_is_below_it() {
        for staleness in WeightedStaleness::ALL {
            let state = compared(&[(&ENTITIES, 300.0), (&COST, 60.0)], REST, |state| {
                state.compare.staleness = staleness;
            });
            let scale = Scale::of(&state);
            let dots = dots(&state, scale);
            let minimum = minimum(&dots, &state);
            for dot in &dots {
                let (share, secs) = dot.values;
                let above = secs / minimum(share).expect("the target rests");
                assert!(above > 1.0 - 1e-6, "{}: {above}", dot.label());
                let expected = scale.objective.times_minimum(&dot.outcome).unwrap();
                let is_near = (above / expected - 1.0).abs() < 0.05;
                assert!(is_near || dot.choice.is_none(), "{above}, not {expected}");
            }
        }
    }
}
