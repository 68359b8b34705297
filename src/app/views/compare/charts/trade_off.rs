//! The trade-off chart, which shows how much time each strategy spends on tasks and how stale the tasks become. By
//! default, staleness is divided by the theoretical minimum for the same task time, because otherwise all strategies
//! would lie close to one diagonal line. The theoretical minimum is unknown while the target that the entities watch is
//! moving. Staleness is then compared with that of the most efficient setting.

use super::axis::Axis;
use super::curves::{Curve, curves};
use super::dots::{Dot, DotMetrics, RING_RADIUS, dots, metrics};
use super::placement::{Label, Line, place_labels};
use super::{
    LABEL_FONT_SIZE, LABEL_MARGIN, chart_area, lay, nearest, paint_axes, paint_card, paint_dashes,
    percent, time_axis_name, times_axis, times_tick,
};
use crate::app::input::output::UiOutput;
use crate::app::state::State;
use crate::app::views::compare::selected;
use crate::app::widgets::{paint, theme, tooltip};
use egui::{Align2, Galley, Id, Painter, Pos2, Rect, Response, Sense, Stroke, Ui, Vec2, pos2};
use headless::judge::{Objective, Reference};
use headless::stats::{Bounds, Report, WeightedStaleness};
use headless::text::format;
use std::sync::Arc;
use timeslicer::time::Nanos;

const MINIMUM_CURVE_SEGMENTS: u32 = 48;
/// The horizontal axis is not extended below this fraction of the frame time to show curves or a task time limit. It is
/// always extended far enough to show all data points.
const MIN_CURVE_SHARE: f64 = 0.01;
/// If the task time limit is greater than the time between two updates times this factor, the horizontal axis is not
/// extended to show the limit.
const MAX_LIMIT_SHARE: f64 = 2.0;
/// The horizontal axis begins at the smallest value divided by this factor, and ends at the largest value times this
/// factor.
const MARGIN_FACTOR: f64 = 1.15;

const HELP: &str = "Each dot shows a strategy with its current settings. A lower dot means less staleness, and a dot \
    farther left means that tasks take less time. The thin line to the right of a dot ends at the task time of the \
    worst frame. A filled dot meets all limits. The teal dot with a ring is the best setting of the recommended \
    strategy. A label in brackets, such as [8], is the key of a strategy. The curves show all other settings. Point at \
    a curve to see its values, and click to apply them. Unless \"Absolute\" is on, staleness is divided by the \
    theoretical minimum for the same share of time, which no strategy can beat. The minimum is not known while the \
    target moves. Staleness is then compared with the most efficient setting, which has the smallest product of \
    staleness and task time. The first round, in which every task runs once, is not counted.";

/// Describes the value that is used instead of the theoretical minimum, which is unknown while the target is moving.
pub const LOWEST: &str =
    "the staleness of the most efficient setting, scaled to this share of time";

/// Returns alternative descriptions of the axes, from the longest to the shortest. The chart shows the first
/// description that fits.
pub fn axis_descriptions(state: &State) -> Vec<String> {
    let (time, staleness) = (time_axis_name(state), state.compare.staleness.name());
    if state.compare.is_absolute {
        return vec![format!("{staleness}, over {time}"), staleness.to_owned()];
    }
    let reference = match reference(state) {
        Reference::Minimum => "relative to the theoretical minimum",
        Reference::Best(_) => "relative to the most efficient setting",
    };
    vec![
        format!("{staleness} {reference}, over {time}"),
        format!("{reference}, over {time}"),
        reference.to_owned(),
    ]
}

/// Returns the reference value by which the chart divides staleness. It is the theoretical minimum while the target is
/// at rest, and the staleness of the most efficient setting while the target is moving.
fn reference(state: &State) -> Reference {
    let compare = &state.compare;
    if state.settings.target_rests() {
        return Reference::Minimum;
    }
    let sweep = compare.best_setting.sweep();
    let by_sweep = sweep.map(|sweep| Reference::of(sweep, compare.staleness.into()));
    by_sweep
        .filter(|reference| *reference != Reference::Minimum)
        .unwrap_or_else(|| {
            let settled = compare.reports.iter().filter_map(|report| {
                let secs = report.settled_staleness(compare.staleness)?.as_secs_f64();
                Some((report.settled.as_ref()?.load()?, secs))
            });
            Reference::of_best(settled)
        })
}

pub fn show(ui: &Ui, painter: &Painter, plot: Rect, state: &State, output: &mut UiOutput) {
    let (compare, comparison) = (&state.compare, &state.compare.comparison);
    let staleness = compare.staleness;
    let objective: Objective = staleness.into();
    let (reference, is_absolute) = (reference(state), compare.is_absolute);
    let metrics = metrics(state, reference);
    let height = |it: &DotMetrics<'_>| {
        if is_absolute {
            Some(it.staleness_secs)
        } else {
            it.times
        }
    };
    let is_shown = |it: &&DotMetrics<'_>| height(it).is_some();
    let has_dot = |lane: usize| metrics.iter().any(|it| it.lane == lane && is_shown(&it));
    let missing = without_dot(state, has_dot);
    let sweep = compare.best_setting.sweep();
    let curves = sweep.map_or_else(Vec::new, |sweep| {
        curves(state, sweep, |point| {
            let times = || reference.times_of(objective, &point.outcome);
            let secs = || Some(objective.of(&point.outcome)?.as_secs_f64());
            if is_absolute { secs() } else { times() }
        })
    });

    painter.rect_filled(plot, 0.0, theme::WELL);
    let response = ui.interact(plot, Id::new("trade-off"), Sense::CLICK);
    output.report("trade-off", plot);
    let limit = compare.best_setting.limits.tasks;
    let limit_share = limit.map(|limit| limit.over(comparison.update_period()));
    let axes = axes(plot, &metrics, &curves, (limit_share, is_absolute));
    let Some((x, y)) = axes else {
        paint_nothing(painter, plot, &missing);
        return tooltip::offer(&response, HELP);
    };
    let minimum = if is_absolute {
        let minimum = minimum(staleness, compare.bounds, &compare.reports);
        minimum_curve(x, y, minimum)
    } else {
        let ends = [plot.left(), x.point(1.0)];
        ends.map(|at| pos2(at, y.point(1.0))).to_vec()
    };

    let dots = dots(painter, plot, (x, y), &minimum, &metrics, height);
    let limit = limit.zip(limit_share);
    let limit = limit.map(|(limit, share)| {
        let period = comparison.update_period();
        Limit::new(painter, plot, x.point(share), [limit, period], &dots)
    });
    let mut taken: Vec<Rect> = limit.iter().map(|limit| limit.place).collect();
    let unsettled = layout_progress(painter, &missing, plot.width() - 2.0 * LABEL_MARGIN.x);
    let unsettled = unsettled.map(|words| {
        let points: Vec<Pos2> = dots.iter().map(|dot| dot.at).collect();
        let size = words.size() + 2.0 * LABEL_MARGIN;
        let place = free_corner(plot, size, &points, &taken);
        (place, words)
    });
    taken.extend(unsettled.as_ref().map(|(place, _)| *place));

    let lines = minimum.windows(2).map(|ends| [ends[0], ends[1]]);
    let lines = lines.chain(limit.iter().map(|limit| limit.line));
    let labels = labels(plot, &dots, lines, &taken);
    taken.extend(labels.iter().flatten().map(|label| label.place));
    taken.extend(dots.iter().map(Dot::ring));

    let words_of_y = if is_absolute {
        seconds_tick
    } else {
        times_tick
    };
    paint_axes(painter, plot, (x, percent), (y, words_of_y));
    if minimum.len() > 1 {
        let target_rests = state.settings.target_rests();
        paint_minimum(painter, plot, &minimum, &taken, (target_rests, is_absolute));
    }
    paint_ends(painter, plot, x.point(1.0), limit);
    let places: Vec<Vec<Pos2>> = curves.iter().map(|it| it.places(x, y)).collect();
    let pointed = pointed(&response, plot, &curves, &places, state);
    let inside = painter.with_clip_rect(plot.intersect(painter.clip_rect()));
    let best = metrics.iter().find(|it| it.is_best).map(|it| it.lane);
    paint_curves(
        &inside,
        &curves,
        &places,
        pointed,
        [best, Some(selected(state))],
    );
    if let Some((place, words)) = unsettled {
        painter.rect_filled(place, 3.0, theme::WELL.gamma_multiply(0.8));
        painter.galley(place.min + LABEL_MARGIN, words, theme::DIM);
    }
    let is_on_dot = show_dots(ui, painter, &dots, &labels, (state, reference), output);
    let Some([line, point]) = pointed.filter(|_| !is_on_dot) else {
        return tooltip::offer(&response, HELP);
    };
    let (curve, at) = (&curves[line], places[line][point]);
    let point = curve.points[point].0;
    let described = curve.describe(point, state, reference);
    paint_card(&response, chart_area(plot), at, &described);
    if response.clicked() && !output.list_was_open {
        output.commands.extend(curve.click_commands(point));
    }
}

/// Paints a line at the task time limit and a line at 100 % of the frame time. Darkens the area beyond 100 %.
fn paint_ends(painter: &Painter, plot: Rect, end: f32, limit: Option<Limit>) {
    painter.rect_filled(plot.with_min_x(end), 0.0, theme::FLOOR);
    let line = Stroke::new(1.0, theme::DIM);
    painter.vline(end.round() + 0.5, plot.y_range(), line);
    if let Some(limit) = limit {
        paint_dashes(painter, &limit.line, Stroke::new(1.0, theme::TEXT));
        painter.galley(limit.place.min + LABEL_MARGIN, limit.words, theme::TEXT);
    }
}

/// Paints the curves of all strategies. The best curve, the selected curve and the curve under the pointer are
/// highlighted.
fn paint_curves(
    painter: &Painter,
    curves: &[Curve<'_>],
    places: &[Vec<Pos2>],
    pointed: Option<[usize; 2]>,
    [best, selected]: [Option<usize>; 2],
) {
    for (index, (curve, places)) in curves.iter().zip(places).enumerate() {
        let marked = pointed.filter(|[line, _]| *line == index);
        let looks = (best == Some(curve.lane), selected == Some(curve.lane));
        curve.paint(painter, places, looks, marked.map(|[_, point]| point));
    }
}

/// Shows the data points and their labels. Returns whether the pointer is over a data point.
fn show_dots(
    ui: &Ui,
    painter: &Painter,
    dots: &[Dot<'_>],
    labels: &[Option<Label>],
    (state, reference): (&State, Reference),
    output: &mut UiOutput,
) -> bool {
    for (dot, label) in dots.iter().zip(labels) {
        dot.paint_lines(painter, label.and_then(|it| it.line));
    }
    let mut is_on_dot = false;
    for (dot, label) in dots.iter().zip(labels) {
        is_on_dot |= dot.interact(ui, painter, *label, state, reference, output);
    }
    for dot in dots {
        dot.paint(painter);
    }
    is_on_dot
}

/// Returns the reports of the strategies that have entities but no data point yet.
fn without_dot(state: &State, has_dot: impl Fn(usize) -> bool) -> Vec<&Report> {
    let reports = state.compare.reports.iter().enumerate();
    let missing = reports.filter(|(lane, of)| !has_dot(*lane) && of.subject.entities > 0);
    missing.map(|(_, report)| report).collect()
}

/// Paints a message instead of the axes if there are no data points.
fn paint_nothing(painter: &Painter, plot: Rect, missing: &[&Report]) {
    let words = layout_progress(painter, missing, plot.width());
    let words = words.unwrap_or_else(|| lay(painter, "Nothing has been measured yet.", theme::DIM));
    let place = Align2::CENTER_CENTER.anchor_size(plot.center(), words.size());
    painter.galley(place.min, words, theme::DIM);
}

fn labels(
    plot: Rect,
    dots: &[Dot<'_>],
    lines: impl Iterator<Item = Line>,
    taken: &[Rect],
) -> Vec<Option<Label>> {
    let lines = lines.chain(dots.iter().map(|dot| [dot.at, dot.worst.0]));
    let lines: Vec<Line> = lines.collect();
    let is_certain = |dot: &&Dot<'_>| dot.metrics.is_best || dot.metrics.is_selected;
    let certain = dots.iter().filter(is_certain).count();
    let places: Vec<Pos2> = dots.iter().map(|dot| dot.at).collect();
    let sizes: Vec<[Vec2; 2]> = dots.iter().map(Dot::sizes).collect();
    place_labels(plot, &places, &sizes, taken, &lines, certain)
}

/// Returns the horizontal and vertical axes, or `None` if there is nothing to show.
fn axes(
    plot: Rect,
    metrics: &[DotMetrics<'_>],
    curves: &[Curve<'_>],
    (limit, is_absolute): (Option<f64>, bool),
) -> Option<(Axis, Axis)> {
    let (across, upwards) = ([plot.left(), plot.right()], [plot.bottom(), plot.top()]);
    let shares = || metrics.iter().map(|it| it.share);
    let of_curves = curves.iter().flat_map(|it| &it.points);
    let of_curves = || {
        of_curves
            .clone()
            .map(|(point, value)| (point.outcome.share, *value))
    };
    let least = of_curves().map(|(share, _)| share).fold(1.0, f64::min);
    let limit = limit.filter(|limit| (MIN_CURVE_SHARE..=MAX_LIMIT_SHARE).contains(limit));
    let least = shares()
        .chain(limit)
        .fold(least.max(MIN_CURVE_SHARE), f64::min);
    let most = shares().chain(limit).fold(1.0, f64::max);
    let x = Axis::logarithmic([least / MARGIN_FACTOR, most * MARGIN_FACTOR], across);
    if metrics.is_empty() && of_curves().next().is_none() {
        return None;
    }
    let y = if is_absolute {
        let visible = of_curves().filter(|(share, _)| metrics.is_empty() && x.contains(*share));
        let values = metrics.iter().map(|it| it.staleness_secs);
        Axis::covering(values.chain(visible.map(|(_, value)| value)), upwards)?
    } else {
        let times = metrics.iter().filter_map(|it| it.times);
        let times: Vec<f64> = times.collect();
        let visible = of_curves().filter(|(share, _)| times.is_empty() && x.contains(*share));
        let visible: Vec<f64> = visible.map(|(_, value)| value).collect();
        times_axis(times.iter().copied().chain(visible), upwards)
    };
    Some((x, y))
}

/// Returns the index of the curve under the pointer and the index of its point that is closest to the pointer.
fn pointed(
    response: &Response,
    plot: Rect,
    curves: &[Curve<'_>],
    places: &[Vec<Pos2>],
    state: &State,
) -> Option<[usize; 2]> {
    let at = response.hover_pos().filter(|_| response.hovered())?;
    let selected = selected(state);
    let preferred = curves.iter().position(|curve| curve.lane == selected);
    nearest(places, plot, at, preferred)
}

const LIMIT_LABEL_STEP: f32 = 4.0;

/// A vertical line that shows the task time limit, with its label.
struct Limit {
    line: Line,
    place: Rect,
    words: Arc<Galley>,
}

impl Limit {
    /// Creates the line at the horizontal position `x`. The label is placed as high as the data points allow.
    fn new(
        painter: &Painter,
        plot: Rect,
        x: f32,
        [limit, period]: [Nanos; 2],
        dots: &[Dot<'_>],
    ) -> Self {
        let [limit, period] = [limit, period].map(|it| format::number(it.as_millis_f64()));
        let words = lay(
            painter,
            &format!("limit: {limit} ms of {period} ms"),
            theme::TEXT,
        );
        let size = words.size() + 2.0 * LABEL_MARGIN;
        let taken = dots.iter().flat_map(|dot| {
            let worst_frame = Rect::from_two_pos(dot.at, dot.worst.0).expand(1.0);
            [dot.ring(), worst_frame]
        });
        let taken: Vec<Rect> = taken.collect();
        let is_free = |place: &Rect| {
            let is_apart = |other: &Rect| !other.intersect(*place).is_positive();
            plot.contains_rect(*place) && taken.iter().all(is_apart)
        };
        let rows = (0..(plot.height() / LIMIT_LABEL_STEP) as u16)
            .map(|row| plot.top() + 2.0 + f32::from(row) * LIMIT_LABEL_STEP);
        let places = rows.flat_map(|top| {
            let sides = [x + 2.0, x - 2.0 - size.x];
            sides.map(|left| Rect::from_min_size(pos2(left, top), size))
        });
        let mut inside = places.filter(|place| plot.contains_rect(*place));
        let first = inside.clone().next();
        let place = inside.find(is_free).or(first);
        Self {
            line: [plot.top(), plot.bottom()].map(|y| pos2(x.round() + 0.5, y)),
            place: place.unwrap_or(Rect::from_min_size(plot.min, size)),
            words,
        }
    }
}

/// Returns a rectangle of the given `size` in a corner of the plot. If possible, the rectangle overlaps neither
/// `points` nor `taken` areas. Otherwise, it is in the bottom right corner.
fn free_corner(plot: Rect, size: Vec2, points: &[Pos2], taken: &[Rect]) -> Rect {
    let inner = plot.shrink(2.0);
    let corners = [
        (Align2::RIGHT_BOTTOM, inner.right_bottom()),
        (Align2::RIGHT_TOP, inner.right_top()),
        (Align2::LEFT_TOP, inner.left_top()),
    ];
    let places = corners.map(|(align, corner)| align.anchor_size(corner, size));
    let is_free = |place: &&Rect| {
        let is_apart = |point: &Pos2| !place.expand(RING_RADIUS).contains(*point);
        points.iter().all(is_apart) && !taken.iter().any(|it| place.intersects(*it))
    };
    *places.iter().find(is_free).unwrap_or(&places[0])
}

/// Returns a function that computes the lowest possible staleness. Its argument is the fraction of the frame time that
/// is spent on tasks.
fn minimum(
    staleness: WeightedStaleness,
    bounds: Option<Bounds>,
    reports: &[Report],
) -> impl Fn(f64) -> Option<f64> {
    let in_long_run = move |share: f64| staleness.minimum(&bounds?, share);
    let factor = |report: &Report| {
        let share = report.settled.as_ref()?.load()?;
        Some(report.least(staleness)?.as_secs_f64() / in_long_run(share)?)
    };
    // After a short run, the minimum for long runs may be too high. Scale it down so that it is not above the lowest
    // staleness that was possible for any strategy.
    let least = reports.iter().filter_map(factor).fold(1.0, f64::min);
    move |share| Some(least * in_long_run(share)?)
}

/// Returns the points of the curve that shows the lowest possible staleness. The curve ends at 100 % of the frame time
/// and stays inside the plot.
fn minimum_curve(x: Axis, y: Axis, minimum: impl Fn(f64) -> Option<f64>) -> Vec<Pos2> {
    let shares = x
        .steps(MINIMUM_CURVE_SEGMENTS)
        .take_while(|share| *share < 1.0)
        .chain([1.0]);
    let points = shares.filter_map(|share| Some((share, minimum(share)?)));
    points
        .filter(|(share, stale)| x.contains(*share) && y.contains(*stale))
        .map(|(share, stale)| pos2(x.point(share), y.point(stale)))
        .collect()
}

/// Lays out a message about the strategies that are still being measured and have no data point yet. The message is
/// shortened to fit into `max_width`. Returns `None` if there are no such strategies.
fn layout_progress(painter: &Painter, missing: &[&Report], max_width: f32) -> Option<Arc<Galley>> {
    let percent = |report: &Report| report.first_round_percent().unwrap_or(100);
    let least = missing.iter().map(|report| percent(report)).min()?;
    let names = missing.iter().map(|report| {
        let name = report.subject.strategy.name;
        format!("{name} {} %", percent(report))
    });
    let names: Vec<String> = names.collect();
    let count = format::counted(missing.len() as u64, "strategy");
    let texts = [
        format!("tasks that have run so far: {}", names.join(", ")),
        format!("measuring {count}: at least {least} % of the tasks have run"),
        format!("measuring {count}"),
    ];
    let style = (theme::text(LABEL_FONT_SIZE), theme::DIM);
    paint::fitting(painter, texts.iter().map(|it| &**it), style, max_width)
}

/// Formats a time for a tick label, such as `2 s`.
fn seconds_tick(seconds: f64) -> String {
    // A tick of 0.1 s may be slightly less because of rounding errors.
    if seconds > 0.099 {
        format!("{} s", format::number(seconds))
    } else {
        format!("{} ms", format::number(seconds * 1e3))
    }
}

/// Paints the curve of the theoretical minimum and a label that explains it. The label is left out if it would cover a
/// `taken` area. While the target is at rest, the area below the curve is tinted because no strategy can reach it.
fn paint_minimum(
    painter: &Painter,
    plot: Rect,
    curve: &[Pos2],
    taken: &[Rect],
    (target_rests, is_absolute): (bool, bool),
) {
    let (ink, line, words) = if target_rests {
        let tint = theme::TEAL_GROUND.gamma_multiply(0.45);
        let left = pos2(plot.left(), curve[0].y);
        let line = [left].into_iter().chain(curve.iter().copied());
        paint::fill_below(painter, line.map(|at| (at, tint)), plot.bottom());
        (
            theme::TEAL,
            theme::TEAL,
            "no strategy can be below this line",
        )
    } else {
        let line = theme::DIM.gamma_multiply(0.5);
        let words = if is_absolute {
            "minimum for a target at rest"
        } else {
            "1.0: the most efficient setting"
        };
        (theme::DIM, line, words)
    };
    paint_dashes(painter, curve, Stroke::new(1.2, line));
    let words = lay(painter, words, ink);
    let size = words.size() + 2.0 * LABEL_MARGIN;
    let room = plot.shrink(3.0);
    let place = Align2::LEFT_BOTTOM.anchor_size(room.left_bottom(), size);
    let is_free = |other: &Rect| !other.intersect(place).is_positive();
    if room.contains_rect(place) && taken.iter().all(is_free) {
        painter.rect_filled(place, 3.0, theme::WELL.gamma_multiply(0.7));
        painter.galley(place.min + LABEL_MARGIN, words, ink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;
    use headless::experiment::comparison::Comparison;
    use headless::sim::settings::Settings;
    use headless::sim::world::{CHURN, COST, COST_SPREAD, ENTITIES, FALLOFF, Point};
    use headless::stats::MOST_SAMPLED;
    use headless::stats::WeightedStaleness::Mean;
    use proptest::prelude::*;
    use timeslicer::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
    use timeslicer::knob::{Knob, KnobValues};
    use timeslicer::strategy::STRATEGIES;
    use timeslicer::strategy::knobs::{BUDGET, INTERVAL};

    fn log_axes(plot: Rect, shares: &[f64], stale: &[f64]) -> (Axis, Axis) {
        let shares = shares.iter().copied().chain([1.0]);
        let x = Axis::covering(shares, [plot.left(), plot.right()]);
        let y = Axis::covering(stale.iter().copied(), [plot.bottom(), plot.top()]);
        x.zip(y).unwrap()
    }

    #[test]
    fn the_curve_ends_at_the_whole_of_the_time() {
        let plot = Rect::from_min_size(Pos2::ZERO, vec2(500.0, 150.0));
        let (x, y) = log_axes(plot, &[0.05, 3.0], &[0.001, 1.0]);
        let all = minimum_curve(x, y, |share| Some(0.01 / share));
        assert_eq!(all.last().unwrap().x, x.point(1.0));
        assert!(x.point(1.0) < x.point(3.0));
        assert!(all.is_sorted_by(|one, next| one.x < next.x && one.y < next.y));
        assert!(minimum_curve(x, y, |_| None).is_empty());
    }

    /// Asserts that no data point is below the curve of the minimum.
    fn check(comparison: &Comparison) {
        let reports = comparison.reports();
        let bounds = comparison.lanes()[0].bounds(MOST_SAMPLED);
        for staleness in WeightedStaleness::ALL {
            let minimum = minimum(staleness, Some(bounds), &reports);
            for (lane, report) in reports.iter().enumerate() {
                let Some(dot) =
                    DotMetrics::of(lane, report, staleness, Reference::Minimum, Nanos::SECOND)
                else {
                    continue;
                };
                assert!(report.settled.is_some());
                let least = minimum(dot.share).unwrap();
                let is_above = dot.staleness_secs >= least * (1.0 - 1e-6);
                assert!(
                    is_above,
                    "{}: {} {least}",
                    report.subject.strategy.key, dot.staleness_secs
                );
                assert!(dot.times.unwrap() >= 1.0 - 1e-6, "{:?}", dot.times);
            }
        }
    }

    fn comparison(
        set: &[(&Knob, f64)],
        frame_loop: &'static FrameLoopEntry,
        target: Point,
    ) -> Comparison {
        let settings = Settings {
            frame_loop,
            knobs: KnobValues::with(set),
            target: Some(target),
            ..Settings::default()
        };
        Comparison::new(&settings, STRATEGIES)
    }

    #[test]
    fn large_crowds_have_no_dots_before_the_end_of_the_first_round() {
        let set = [(&ENTITIES, 5000.0), (&COST, 50.0)];
        let mut comparison = comparison(
            &set,
            Settings::default().frame_loop,
            Point { x: 0.5, y: 0.25 },
        );
        let lanes = |comparison: &Comparison| {
            let of = |report: &Report| {
                DotMetrics::of(0, report, Mean, Reference::Minimum, Nanos::SECOND).is_some()
            };
            comparison.reports().iter().filter(|it| of(it)).count()
        };
        let mut before = 0;
        for secs in [0, 2, 5] {
            comparison.advance_to(Nanos::from_secs(secs), u64::MAX);
            check(&comparison);
            let count = lanes(&comparison);
            assert!(
                before <= count && count < STRATEGIES.len(),
                "{secs}: {count}"
            );
            before = count;
        }
        assert!(before > STRATEGIES.len() / 2, "{before}");
    }

    #[test]
    fn whiskers_cross_the_budget_if_a_frame_exceeds_it() {
        let budget = Nanos::from_millis(4);
        let set = [(&ENTITIES, 1000.0), (&COST, 30.0)];
        let mut comparison = comparison(
            &set,
            Settings::default().frame_loop,
            Point { x: 0.5, y: 0.25 },
        );
        comparison.advance_to(Nanos::from_secs(5), u64::MAX);
        let update = comparison.update_period();
        let reports = comparison.reports();
        let dots = reports.iter().enumerate();
        let dots = dots
            .filter_map(|(lane, it)| DotMetrics::of(lane, it, Mean, Reference::Minimum, update));
        let mut crossing = 0;
        for dot in dots {
            let exceeds = dot.report.frame_tasks.max > budget;
            assert_eq!(dot.worst > budget.over(update), exceeds);
            crossing += usize::from(exceeds);
        }
        assert!((2..STRATEGIES.len()).contains(&crossing), "{crossing}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]
        /// Tests random workloads and frame loops at random times.
        #[test]
        fn no_dot_is_below_the_curve(
            (entities, cost_us) in prop_oneof![(1.0..800.0_f64, 1.0..400.0_f64), (800.0..4000.0, 1.0..60.0)],
            (spread, churn) in prop_oneof![(0.0..1.2_f64, Just(0.0)), (Just(0.0), 0.0..300.0_f64)],
            (falloff, interval, budget) in (0.0..3.0_f64, 0.1..1.0_f64, 0.5..30.0_f64),
            frame_loop in 0..FRAME_LOOPS.len(),
            (x, y) in (0.0..1.0_f32, 0.0..0.5_f32),
            times_ms in prop::collection::vec(20_u64..1500, 1..4),
        ) {
            let set = [
                (&ENTITIES, entities.floor()),
                (&COST, cost_us),
                (&COST_SPREAD, spread),
                (&CHURN, churn),
                (&FALLOFF, falloff),
                (&INTERVAL, interval),
                (&BUDGET, budget),
            ];
            let mut comparison = comparison(&set, FRAME_LOOPS[frame_loop], Point { x, y });
            let mut to = Nanos::ZERO;
            for ms in times_ms {
                to += Nanos::from_millis(ms);
                comparison.advance_to(to, u64::MAX);
                check(&comparison);
            }
        }
    }
}
