//! The trade-off chart below the table: staleness, weighted by significance, against the share of time spent on tasks,
//! with a dot for each strategy, on logarithmic axes. Its figures come from `stats`.

use super::below::{TITLE, explained};
use super::log_axis::{LogAxis, is_positive};
use super::placement::{Label, Line, fan_out, is_above, place_labels};
use super::{INSET, caps, clickable, has_game_time, selected};
use crate::app::input::bindings::caps_of;
use crate::app::input::response::UiResponse;
use crate::app::state::State;
use crate::app::state::command::Command;
use crate::app::state::compare::budget;
use crate::app::widgets::buttons::wide_button;
use crate::app::widgets::{paint, theme, tooltip};
use egui::{
    Align, Align2, Color32, Galley, Id, Layout, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui,
    UiBuilder, Vec2, pos2, vec2,
};
use headless::stats::WeightedStaleness::{self, Mean, Worst};
use headless::stats::{Bounds, Report, Settled};
use headless::text::format;
use std::sync::Arc;
use timeslicer::knob::Knob;
use timeslicer::time::Nanos;

/// Distance from the top to the plot, and room for the ticks' texts at the left and below.
const ABOVE: f32 = 34.0;
const LEFT: f32 = 44.0;
const BELOW: f32 = 22.0;
/// Minimum width and height of the plot.
const LEAST: Vec2 = vec2(160.0, 50.0);
const BUTTON: f32 = 20.0;
/// Minimum distances between ticks.
const TICKS: [f32; 2] = [56.0, 18.0];
/// Radius of a dot, and of the ring around the best.
const DOT: f32 = 4.5;
const RING: f32 = 8.0;
/// Height of the mark at the end of a whisker.
const END_MARK: f32 = 6.0;
/// Size of the labels' text, and the margin around it.
const POINTS: f32 = 11.0;
const MARGIN: Vec2 = vec2(4.0, 1.0);
/// Number of lines that approximate the curve.
const CURVE: u32 = 48;

const HELP: &str = "Each dot is a strategy: lower is fresher, and farther left takes less time. The thin line to its right \
    ends at its worst frame. A filled dot keeps the budget; the teal one with a ring is the advised one. If the \
    target rests, no strategy can be below the curve, and none has more than 100 % of the time. The first round, until \
    every entity has run, is not counted.";

/// The kinds of staleness, from the right, with the words and the help of their buttons.
const CHOICES: [(WeightedStaleness, &str, &str); 2] = [
    (Worst, "Worst", "Largest product of weight and staleness."),
    (Mean, "Mean", "Mean staleness, weighted by significance."),
];

/// Figures of a strategy whose first round is over.
struct Figures<'a> {
    lane: usize,
    is_best: bool,
    is_selected: bool,
    /// The setting of the advised strategy, if it is not the one of its lane.
    setting: Option<(&'static Knob, f64)>,
    report: &'a Report,
    /// Share of time spent on tasks: on average, and in the worst frame.
    share: f64,
    worst: f64,
    /// Weighted staleness in seconds.
    stale: f64,
}

/// A strategy in the chart.
struct Dot<'a> {
    figures: &'a Figures<'a>,
    /// The place of its figures, and the place where it is shown.
    point: Pos2,
    at: Pos2,
    /// The end of the line to its worst frame, and whether that is inside the plot.
    worst: (Pos2, bool),
    /// Its name, and its key alone.
    texts: [Arc<Galley>; 2],
}

pub fn show(ui: &mut Ui, rect: Rect, state: &State, answer: &mut UiResponse) {
    let inner = rect.shrink2(vec2(INSET, 0.0));
    if inner.width() <= 0.0 {
        return;
    }
    heading(ui, rect, state, answer);
    let plot = Rect::from_min_max(inner.min + vec2(LEFT, ABOVE), inner.max - vec2(0.0, BELOW));
    if plot.width() < LEAST.x || plot.height() < LEAST.y {
        return;
    }
    let painter = ui.painter().with_clip_rect(rect);
    let (compare, comparison) = (&state.compare, &state.compare.comparison);
    let staleness = compare.staleness;
    let update = comparison.update_period();
    let figures = figures(state);
    let has_dot = |lane: usize| figures.iter().any(|it| it.lane == lane);
    let missing = compare.reports.iter().enumerate();
    let missing = missing.filter(|(lane, of)| !has_dot(*lane) && of.subject.entities > 0);
    let missing: Vec<&Report> = missing.map(|(_, report)| report).collect();

    painter.rect_filled(plot, 0.0, theme::WELL);
    let help = ui.interact(plot, Id::new("trade-off"), Sense::hover());
    answer.report("trade-off", plot);
    tooltip::offer(&help, HELP);
    let budget = budget(comparison);
    let budget_share = budget.over(update);
    let shares = figures.iter().map(|it| it.share);
    let shares = shares.chain([budget_share, 1.0]);
    let x = LogAxis::covering(shares, [plot.left(), plot.right()]);
    let waits = figures.iter().map(|it| it.stale);
    let y = LogAxis::covering(waits, [plot.bottom(), plot.top()]);
    let Some((x, y)) = x.zip(y) else {
        let words = measuring(&painter, &missing, plot.width());
        let words = words.unwrap_or_else(|| lay(&painter, "no figures", theme::DIM));
        let place = Align2::CENTER_CENTER.anchor_size(plot.center(), words.size());
        painter.galley(place.min, words, theme::DIM);
        return;
    };
    let minimum = minimum(staleness, compare.bounds, &compare.reports);
    let curve = curve(x, y, minimum);
    let end = x.point(1.0);
    let at = x.point(budget_share);

    let (budget_place, words) = budget_label(&painter, plot, at, (budget, budget_share));
    let mut taken = vec![budget_place];
    let unsettled = measuring(&painter, &missing, plot.width() - 2.0 * MARGIN.x);
    let unsettled = unsettled.map(|words| {
        let points = figures.iter();
        let points = points.map(|it| pos2(x.point(it.share), y.point(it.stale)));
        let size = words.size() + 2.0 * MARGIN;
        let place = free_corner(plot, size, &points.collect::<Vec<_>>(), budget_place);
        (place, words)
    });
    taken.extend(unsettled.as_ref().map(|(place, _)| *place));

    let dots = dots(&painter, plot, (x, y), &curve, &figures);
    let budget_line = [plot.top(), plot.bottom()].map(|y| pos2(at.round() + 0.5, y));
    let lines = curve.windows(2).map(|ends| [ends[0], ends[1]]);
    let lines = lines.chain(dots.iter().map(|dot| [dot.at, dot.worst.0]));
    let lines: Vec<Line> = lines.chain([budget_line]).collect();
    let certain = dots
        .iter()
        .filter(|dot| dot.figures.is_best || dot.figures.is_selected);
    let certain = certain.count();
    let shown: Vec<Pos2> = dots.iter().map(|dot| dot.at).collect();
    let sizes = dots
        .iter()
        .map(|dot| dot.texts.each_ref().map(|text| text.size() + 2.0 * MARGIN));
    let labels = place_labels(
        plot,
        &shown,
        &sizes.collect::<Vec<_>>(),
        &taken,
        &lines,
        certain,
    );
    taken.extend(labels.iter().flatten().map(|label| label.place));
    taken.extend(dots.iter().map(Dot::ring));

    paint_axes(&painter, plot, x, y);
    if curve.len() > 1 {
        let target_rests = state.settings.target_rests();
        paint_minimum(&painter, plot, &curve, &taken, target_rests);
    }
    // No machine has more time.
    painter.rect_filled(plot.with_min_x(end), 0.0, theme::FLOOR);
    painter.vline(
        end.round() + 0.5,
        plot.y_range(),
        Stroke::new(1.0, theme::DIM),
    );
    paint_dashes(&painter, &budget_line, Stroke::new(1.0, theme::TEXT));
    painter.galley(budget_place.min + MARGIN, words, theme::TEXT);
    if let Some((place, words)) = unsettled {
        painter.galley(place.min + MARGIN, words, theme::DIM);
    }
    for (dot, label) in dots.iter().zip(&labels) {
        dot.paint_lines(&painter, label.and_then(|it| it.line));
    }
    for (dot, label) in dots.iter().zip(labels) {
        dot.operate(ui, &painter, label, state, answer);
    }
    for dot in &dots {
        dot.paint(&painter, compare.advice.keeps_budget[dot.figures.lane]);
    }
}

/// Returns the figures of the strategies that have a dot; the advised one has another dot for its setting. The best and the
/// selected one come first, so that they have the first choice of places.
fn figures(state: &State) -> Vec<Figures<'_>> {
    let (compare, comparison) = (&state.compare, &state.compare.comparison);
    let frame = comparison.game_time_per_frame();
    let frame = frame.max(comparison.update_period());
    let best = compare.advice.best.as_ref();
    let tuned = best.filter(|best| best.setting.is_some());
    let plain = best.filter(|best| best.setting.is_none());
    let of = |(lane, report)| {
        Some(Figures {
            is_best: plain.is_some_and(|best| best.lane == lane),
            is_selected: selected(state) == lane,
            ..Figures::of(lane, report, compare.staleness, frame)?
        })
    };
    let figures = compare.reports.iter().enumerate().filter_map(of);
    let tuned = tuned.and_then(|best| {
        Some(Figures {
            is_best: true,
            setting: best.setting,
            ..Figures::of(best.lane, &best.report, compare.staleness, frame)?
        })
    });
    let mut figures: Vec<_> = figures.chain(tuned).collect();
    figures.sort_by_key(|it| (!it.is_best, !it.is_selected));
    figures
}

/// Returns a place of this `size` in a corner of the plot that has no point and does not overlap `taken`, or else at the
/// bottom right.
fn free_corner(plot: Rect, size: Vec2, points: &[Pos2], taken: Rect) -> Rect {
    let inner = plot.shrink(2.0);
    let corners = [
        (Align2::RIGHT_BOTTOM, inner.right_bottom()),
        (Align2::RIGHT_TOP, inner.right_top()),
        (Align2::LEFT_TOP, inner.left_top()),
    ];
    let places = corners.map(|(align, corner)| align.anchor_size(corner, size));
    let is_free = |place: &&Rect| {
        let is_apart = |point: &Pos2| !place.expand(RING).contains(*point);
        points.iter().all(is_apart) && !place.intersects(taken)
    };
    *places.iter().find(is_free).unwrap_or(&places[0])
}

/// Lays out the budget and its share of the time beside its line, which is at `at`.
fn budget_label(
    painter: &Painter,
    plot: Rect,
    at: f32,
    (budget, share): (Nanos, f64),
) -> (Rect, Arc<Galley>) {
    let ms = format::number(budget.as_millis_f64());
    let words = format!("budget {ms} ms: {}", percent(share));
    let words = lay(painter, &words, theme::TEXT);
    let size = words.size() + 2.0 * MARGIN;
    let is_wide = at + 2.0 + size.x <= plot.right();
    let left = if is_wide { at + 2.0 } else { at - 2.0 - size.x };
    (
        Rect::from_min_size(pos2(left, plot.top() + 2.0), size),
        words,
    )
}

/// Places the dots. One that is not at its point stays above the curve, and on its side of 100 %.
fn dots<'a>(
    painter: &Painter,
    plot: Rect,
    (x, y): (LogAxis, LogAxis),
    curve: &[Pos2],
    figures: &'a [Figures<'a>],
) -> Vec<Dot<'a>> {
    let points = figures.iter();
    let points = points.map(|it| pos2(x.point(it.share), y.point(it.stale)));
    let points: Vec<Pos2> = points.collect();
    let end = x.point(1.0);
    let places = fan_out(plot, &points, |point, at| {
        is_above(curve, at) && (at.x <= end) == (point.x <= end)
    });
    let dots = figures.iter().zip(points).zip(places);
    let dots = dots.map(|((figures, point), at)| {
        let (caps, name) = (caps(figures.report), figures.report.subject.strategy.name);
        let ink = if figures.is_best {
            theme::TEAL
        } else {
            theme::BRIGHT
        };
        let setting = figures
            .setting
            .map(|(knob, value)| format::knob(knob, value));
        let setting = setting.map_or_else(String::new, |value| format!(", {value}"));
        let texts = [format!("{caps} {name}{setting}"), caps.to_owned()];
        let worst = pos2(x.point(figures.worst).max(at.x), at.y);
        Dot {
            figures,
            point,
            at,
            worst: (worst, x.contains(figures.worst)),
            texts: texts.map(|words| lay(painter, words.trim_start(), ink)),
        }
    });
    dots.collect()
}

/// Shows the title, and the buttons that choose the staleness.
fn heading(ui: &mut Ui, rect: Rect, state: &State, answer: &mut UiResponse) {
    let inner = rect.shrink2(vec2(INSET, 0.0));
    let middle = pos2(inner.center().x, rect.top() + TITLE);
    let row = Rect::from_center_size(middle, vec2(inner.width(), BUTTON));
    let layout = Layout::right_to_left(Align::Center);
    let builder = UiBuilder::new().max_rect(row).layout(layout);
    let mut buttons = ui.new_child(builder.id_salt("staleness"));
    buttons.spacing_mut().interact_size.y = BUTTON;
    buttons.spacing_mut().item_spacing.x = 4.0;
    for (staleness, words, help) in CHOICES {
        let is_shown = staleness == state.compare.staleness;
        // The key shows the other one.
        let key = caps_of(Command::TradeOff);
        let key = if is_shown { "" } else { key };
        let response = wide_button(0.0, words, key, is_shown).show(&mut buttons);
        answer.report(format!("trade-off:{words}"), response.rect);
        if response.clicked() && !is_shown {
            answer.commands.push(Command::TradeOff);
        }
        tooltip::offer(&response, help);
    }
    let left = buttons.min_rect().left();
    let painter = ui.painter().with_clip_rect(inner.with_max_x(left - 4.0));
    let staleness = state.compare.staleness.name();
    let time = if has_game_time(state) {
        "share of game time"
    } else {
        "share of time"
    };
    let words = [
        format!("{staleness} against the {time} spent on tasks"),
        format!("{staleness} against the {time}"),
    ];
    let (at, right) = (pos2(inner.left(), middle.y), left - 8.0);
    paint::title(
        &painter,
        at,
        "Trade-off",
        [14.0, 11.5],
        &words.each_ref().map(|it| &**it),
        right,
    );
}

impl<'a> Figures<'a> {
    /// Returns the figures of a lane. `None` until its first round is over, and if it has not run since. The tasks of a frame
    /// are spread over the game time `frame`.
    fn of(
        lane: usize,
        report: &'a Report,
        staleness: WeightedStaleness,
        frame: Nanos,
    ) -> Option<Self> {
        let share = report.settled.as_ref().and_then(Settled::load)?;
        let stale = report.settled_staleness(staleness)?.as_secs_f64();
        (is_positive(share) && is_positive(stale)).then_some(Self {
            lane,
            is_best: false,
            is_selected: false,
            setting: None,
            report,
            share,
            worst: report.frame_tasks.max.over(frame),
            stale,
        })
    }
}

impl Dot<'_> {
    fn ring(&self) -> Rect {
        Rect::from_center_size(self.at, Vec2::splat(2.0 * RING))
    }

    /// Shows the label, and makes the dot selectable.
    fn operate(
        &self,
        ui: &Ui,
        painter: &Painter,
        label: Option<Label>,
        state: &State,
        answer: &mut UiResponse,
    ) {
        let figures = self.figures;
        let key = figures.report.subject.strategy.key;
        let select = Command::SelectLane(figures.lane);
        let kind = if figures.setting.is_some() {
            "tuned"
        } else {
            "dot"
        };
        let response = clickable(ui, self.ring(), format!("{kind}:{key}"), select, answer);
        if response.hovered() {
            tooltip::offer(&response, self.help(state));
        }
        let Some(Label {
            place, is_short, ..
        }) = label
        else {
            return;
        };
        if self.figures.is_selected {
            paint::card(painter, place, theme::CHOSEN_ROW, theme::TEAL);
        } else if response.hovered() {
            painter.rect_filled(place, 4.0, theme::BAR);
        }
        let text = self.texts[usize::from(is_short)].clone();
        painter.galley(place.min + MARGIN, text, theme::BRIGHT);
    }

    fn help(&self, state: &State) -> String {
        let staleness = state.compare.staleness;
        let Figures {
            report,
            share,
            worst,
            stale,
            ..
        } = *self.figures;
        let name = report.subject.strategy.name;
        let most = format::number(report.frame_tasks.max.as_millis_f64());
        let (what, secs) = (staleness.name(), format::number(stale));
        let times = report.over_minimum(staleness);
        let times = times.map_or_else(String::new, |times| {
            format!(", {times:.2} times the theoretical minimum at this share")
        });
        let class = explained(state, self.figures.lane);
        format!(
            "{name}: {} of the time on tasks, {} in the worst frame ({most} ms); {what} {secs} s{times}.\n\
             {class} Click to select the lane.",
            percent(share),
            percent(worst),
        )
    }

    /// Paints the line to the worst frame, that to the label, and that to the point of a dot that is shown beside it.
    fn paint_lines(&self, painter: &Painter, to_label: Option<Line>) {
        let (worst, is_inside) = self.worst;
        let faint = Stroke::new(1.0, theme::DIM.gamma_multiply(0.6));
        painter.line_segment([self.at, worst], faint);
        if is_inside && worst.x > self.at.x + DOT {
            let half = vec2(0.0, END_MARK / 2.0);
            painter.line_segment([worst - half, worst + half], faint);
        }
        if let Some(line) = to_label {
            painter.line_segment(line, Stroke::new(1.0, theme::DIM));
        }
        if self.at != self.point {
            painter.line_segment([self.at, self.point], Stroke::new(1.0, theme::TEXT));
            painter.circle_filled(self.point, 1.5, theme::TEXT);
        }
    }

    /// Paints the dot: filled if the strategy keeps the budget, teal with a ring for the best of these.
    fn paint(&self, painter: &Painter, is_within: bool) {
        let at = self.at;
        let ring = |radius, width, ink| painter.circle_stroke(at, radius, Stroke::new(width, ink));
        if self.figures.is_best {
            painter.circle_filled(at, DOT, theme::TEAL);
            ring(RING - 0.5, 1.2, theme::TEAL);
        } else if is_within {
            painter.circle_filled(at, DOT, theme::BRIGHT);
        } else {
            painter.circle_filled(at, DOT, theme::WELL);
            ring(DOT - 0.7, 1.4, theme::BRIGHT);
        }
        if self.figures.is_selected && !self.figures.is_best {
            ring(RING - 1.5, 1.0, theme::TEAL);
        }
    }
}

/// Returns a share in percent; it may exceed 100 %.
fn percent(share: f64) -> String {
    format!("{} %", format::number(100.0 * share))
}

/// Returns the least possible staleness by the share of time. That of the long run is too high for a short time in which
/// the entities were less stale at the end than at the beginning. So it is reduced by the largest factor by which the
/// minimum of a lane's own time is below it.
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
    let least = reports.iter().filter_map(factor).fold(1.0, f64::min);
    move |share| Some(least * in_long_run(share)?)
}

/// Returns the curve of the least possible staleness, up to the whole of the time and as far as it is within the axes.
fn curve(x: LogAxis, y: LogAxis, minimum: impl Fn(f64) -> Option<f64>) -> Vec<Pos2> {
    let shares = x.steps(CURVE).take_while(|share| *share < 1.0).chain([1.0]);
    let points = shares.filter_map(|share| Some((share, minimum(share)?)));
    points
        .filter(|(share, stale)| x.contains(*share) && y.contains(*stale))
        .map(|(share, stale)| pos2(x.point(share), y.point(stale)))
        .collect()
}

/// Lays out which strategies have no dot yet, as they are in their first round or have not run since, as long as fits.
/// Returns `None` if there are none.
fn measuring(painter: &Painter, missing: &[&Report], room: f32) -> Option<Arc<Galley>> {
    let percent = |report: &Report| report.first_round_percent().unwrap_or(100);
    let least = missing.iter().map(|report| percent(report)).min()?;
    let names = missing.iter().map(|report| {
        let name = report.subject.strategy.name;
        format!("{name} {} %", percent(report))
    });
    let names: Vec<String> = names.collect();
    let count = format::counted(missing.len() as u64, "strategy");
    let texts = [
        format!("measuring, have run: {}", names.join(", ")),
        format!("measuring {count}: at least {least} % have run"),
        format!("measuring {count}"),
    ];
    let style = (theme::text(POINTS), theme::DIM);
    paint::fitting(painter, texts.iter().map(|it| &**it), style, room)
}

fn lay(painter: &Painter, words: &str, ink: Color32) -> Arc<Galley> {
    painter.layout_no_wrap(words.to_owned(), theme::text(POINTS), ink)
}

fn paint_axes(painter: &Painter, plot: Rect, x: LogAxis, y: LogAxis) {
    let line = Stroke::new(1.0, theme::LINE);
    let text = |at, align, words: String| {
        painter.text(at, align, words, theme::mono(10.0), theme::DIM);
    };
    for tick in x.ticks(TICKS[0]) {
        let at = x.point(tick).round() + 0.5;
        painter.vline(at, plot.y_range(), line);
        let words = percent(tick);
        text(pos2(at, plot.bottom() + 9.0), Align2::CENTER_CENTER, words);
    }
    for tick in y.ticks(TICKS[1]) {
        let at = y.point(tick).round() + 0.5;
        painter.hline(plot.x_range(), at, line);
        // A tick of 0.1 may be computed a little less.
        let words = if tick > 0.099 {
            format!("{} s", format::number(tick))
        } else {
            format!("{} ms", format::number(tick * 1e3))
        };
        text(pos2(plot.left() - 6.0, at), Align2::RIGHT_CENTER, words);
    }
}

/// Paints the theoretical minimum, and at the bottom what it means, unless that covers one of the `taken` places. If it
/// is a bound, because the target rests, the area below it is tinted.
fn paint_minimum(
    painter: &Painter,
    plot: Rect,
    curve: &[Pos2],
    taken: &[Rect],
    target_rests: bool,
) {
    let (ink, line, words) = if target_rests {
        let tint = theme::TEAL_GROUND.gamma_multiply(0.45);
        let left = pos2(plot.left(), curve[0].y);
        let line = [left].into_iter().chain(curve.iter().copied());
        paint::fill_below(painter, line.map(|at| (at, tint)), plot.bottom());
        (theme::TEAL, theme::TEAL, "below this line: impossible")
    } else {
        let line = theme::DIM.gamma_multiply(0.5);
        (theme::DIM, line, "minimum for a target at rest; it moves")
    };
    paint_dashes(painter, curve, Stroke::new(1.2, line));
    let words = lay(painter, words, ink);
    let size = words.size() + 2.0 * MARGIN;
    let room = plot.shrink(4.0);
    let place = Align2::LEFT_BOTTOM.anchor_size(room.left_bottom(), size);
    let is_free = |other: &Rect| !other.intersect(place).is_positive();
    if room.contains_rect(place) && taken.iter().all(is_free) {
        painter.rect_filled(place, 3.0, theme::WELL);
        painter.galley(place.min + MARGIN, words, ink);
    }
}

fn paint_dashes(painter: &Painter, points: &[Pos2], stroke: Stroke) {
    painter.extend(Shape::dashed_line(points, stroke, 4.0, 3.0));
}

#[cfg(test)]
mod tests {
    use super::*;
    use headless::experiment::comparison::Comparison;
    use headless::sim::settings::Settings;
    use headless::sim::world::{CHURN, COST, COST_SPREAD, ENTITIES, FALLOFF, Point};
    use headless::stats::MOST_SAMPLED;
    use proptest::prelude::*;
    use timeslicer::frame_loop::{FRAME_LOOPS, FrameLoopEntry};
    use timeslicer::knob::{Knob, KnobValues};
    use timeslicer::strategy::STRATEGIES;
    use timeslicer::strategy::knobs::{BUDGET, INTERVAL};

    fn axes(plot: Rect, shares: &[f64], stale: &[f64]) -> (LogAxis, LogAxis) {
        let shares = shares.iter().copied().chain([1.0]);
        let x = LogAxis::covering(shares, [plot.left(), plot.right()]);
        let y = LogAxis::covering(stale.iter().copied(), [plot.bottom(), plot.top()]);
        x.zip(y).unwrap()
    }

    #[test]
    fn the_curve_ends_at_the_whole_of_the_time() {
        let plot = Rect::from_min_size(Pos2::ZERO, vec2(500.0, 150.0));
        let (x, y) = axes(plot, &[0.05, 3.0], &[0.001, 1.0]);
        let all = curve(x, y, |share| Some(0.01 / share));
        assert_eq!(all.last().unwrap().x, x.point(1.0));
        assert!(x.point(1.0) < x.point(3.0));
        assert!(all.is_sorted_by(|one, next| one.x < next.x && one.y < next.y));
        assert!(curve(x, y, |_| None).is_empty());
    }

    /// Asserts that no dot is below the curve.
    fn check(comparison: &Comparison) {
        let reports = comparison.reports();
        let bounds = comparison.lanes()[0].bounds(MOST_SAMPLED);
        for staleness in WeightedStaleness::ALL {
            let minimum = minimum(staleness, Some(bounds), &reports);
            for (lane, report) in reports.iter().enumerate() {
                let Some(dot) = Figures::of(lane, report, staleness, Nanos::SECOND) else {
                    continue;
                };
                assert!(report.settled.is_some());
                let least = minimum(dot.share).unwrap();
                let is_above = dot.stale >= least * (1.0 - 1e-6);
                assert!(
                    is_above,
                    "{}: {} {least}",
                    report.subject.strategy.key, dot.stale
                );
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
            let of = |report: &Report| Figures::of(0, report, Mean, Nanos::SECOND).is_some();
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
        let dots = dots.filter_map(|(lane, it)| Figures::of(lane, it, Mean, update));
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
        /// At any time, whatever the workload, and whatever the frame loop.
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
