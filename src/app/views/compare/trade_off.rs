//! The trade-off chart below the table: staleness, weighted by significance, against task time per frame, with a dot for
//! each strategy, on logarithmic axes. Its figures come from `stats`.

use super::below::{TITLE, explained};
use super::log_axis::{LogAxis, is_positive};
use super::{INSET, caps, clickable, selected};
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
use headless::stats::Report;
use headless::stats::WeightedStaleness::{self, Mean, Worst};
use headless::text::format;
use std::sync::Arc;
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
/// Radius around a dot that its neighbours' labels leave free, and space between a dot and its label.
const CLEAR: f32 = 6.0;
const GAP: f32 = 9.0;
/// Size of the labels' text, and the margin around it.
const POINTS: f32 = 11.0;
const MARGIN: Vec2 = vec2(4.0, 1.0);
/// Number of lines that approximate the curve.
const CURVE: u32 = 48;
/// Number of places for a label that are near its dot.
const NEAR: usize = 12;
/// From this distance between a dot and the closest point of its label on, a line joins both.
const JOINED_FROM: f32 = 14.0;

const HELP: &str = "Each dot is a strategy: lower is fresher, and farther left takes less time. A filled dot keeps the \
    budget; the teal one with a ring is the freshest of these. No strategy can be below the curve in the long run, if \
    the target rests.";

/// The kinds of staleness, from the right, with the words and the help of their buttons.
const CHOICES: [(WeightedStaleness, &str, &str); 2] = [
    (Worst, "Worst", "Largest product of weight and staleness."),
    (Mean, "Mean", "Mean staleness, weighted by significance."),
];

/// A strategy in the chart.
struct Dot<'a> {
    lane: usize,
    report: &'a Report,
    at: Pos2,
    label: Arc<Galley>,
    is_best: bool,
    is_selected: bool,
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
    let figures = (0..compare.reports.len()).filter_map(|lane| {
        let report = &compare.reports[lane];
        let time = report.frame_tasks.mean.as_millis_f64();
        let waits = report.settled_staleness(staleness)?.as_secs_f64();
        (is_positive(time) && is_positive(waits)).then_some((lane, time, waits))
    });
    let figures: Vec<(usize, f64, f64)> = figures.collect();
    let budget_ms = budget(comparison).as_millis_f64();
    let times = figures.iter().map(|it| it.1).chain([budget_ms]);
    let waits = figures.iter().map(|it| it.2);
    let x = LogAxis::covering(times, [plot.left(), plot.right()]);
    let y = LogAxis::covering(waits, [plot.bottom(), plot.top()]);
    let Some((x, y)) = x.zip(y) else {
        paint::left(&painter, plot.left_center(), "no figures", 12.0, theme::DIM);
        return;
    };
    let best = compare
        .advice
        .best
        .as_ref()
        .filter(|best| best.setting.is_none());
    let dot = |&(lane, time, waits): &(usize, f64, f64)| {
        let report = &compare.reports[lane];
        let (caps, name) = (caps(report), report.subject.strategy.name);
        let is_best = best.is_some_and(|best| best.lane == lane);
        let ink = if is_best { theme::TEAL } else { theme::BRIGHT };
        Dot {
            lane,
            report,
            at: pos2(x.point(time), y.point(waits)),
            label: lay(&painter, format!("{caps} {name}").trim_start(), ink),
            is_best,
            is_selected: selected(state) == lane,
        }
    };
    let dots: Vec<Dot<'_>> = figures.iter().map(dot).collect();
    let period_ms = comparison.game_time_per_frame().as_millis_f64();
    let minimum = |time: f64| staleness.minimum(&compare.bounds?, time / period_ms);
    let curve = curve(x, y, minimum);
    let words = format!("budget {} ms", format::number(budget_ms));
    let words = lay(&painter, &words, theme::TEXT);
    let size = words.size() + 2.0 * MARGIN;
    let at = x.point(budget_ms);
    let is_wide = at + 2.0 + size.x <= plot.right();
    let left = if is_wide { at + 2.0 } else { at - 2.0 - size.x };
    let budget_place = Rect::from_min_size(pos2(left, plot.top() + 2.0), size);

    let curve_lines = curve.windows(2);
    let curve_lines = curve_lines.map(|ends| Rect::from_two_pos(ends[0], ends[1]).expand(1.0));
    let mut lines: Vec<Rect> = curve_lines.collect();
    lines.push(Rect::from_x_y_ranges(at - 2.0..=at + 2.0, plot.y_range()));
    let labels = place_labels(plot, &dots, budget_place, &lines);
    let rings = dots.iter().map(Dot::ring);
    let taken = labels.iter().copied().flatten().chain(rings);
    let taken: Vec<Rect> = taken.chain([budget_place]).collect();

    painter.rect_filled(plot, 0.0, theme::WELL);
    paint_axes(&painter, plot, x, y);
    if curve.len() > 1 {
        let target_rests = state.settings.target.is_some();
        paint_minimum(&painter, plot, &curve, &taken, target_rests);
    }
    let line = [plot.top(), plot.bottom()].map(|y| pos2(at.round() + 0.5, y));
    paint_dashes(&painter, &line, Stroke::new(1.0, theme::TEXT));
    painter.galley(budget_place.min + MARGIN, words, theme::TEXT);
    let help = ui.interact(plot, Id::new("trade-off"), Sense::hover());
    answer.report("trade-off", plot);
    tooltip::offer(&help, HELP);
    for (dot, label) in dots.iter().zip(labels) {
        dot.operate(ui, &painter, label, state, answer);
    }
    for dot in &dots {
        dot.paint(&painter, compare.advice.keeps_budget[dot.lane]);
    }
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
    let words = format!("{staleness} against task time per frame");
    let (at, right) = (pos2(inner.left(), middle.y), left - 8.0);
    paint::title(&painter, at, "Trade-off", [14.0, 11.5], &[&words], right);
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
        label: Option<Rect>,
        state: &State,
        answer: &mut UiResponse,
    ) {
        let key = self.report.subject.strategy.key;
        let select = Command::SelectLane(self.lane);
        let response = clickable(ui, self.ring(), format!("dot:{key}"), select, answer);
        if response.hovered() {
            tooltip::offer(&response, self.help(state));
        }
        let Some(place) = label else { return };
        let closest = place.clamp(self.at);
        if closest.distance(self.at) >= JOINED_FROM {
            let line = Stroke::new(1.0, theme::DIM.gamma_multiply(0.6));
            painter.line_segment([self.at, closest], line);
        }
        if self.is_selected {
            paint::card(painter, place, theme::CHOSEN_ROW, theme::TEAL);
        } else if response.hovered() {
            painter.rect_filled(place, 4.0, theme::BAR);
        }
        painter.galley(place.min + MARGIN, self.label.clone(), theme::BRIGHT);
    }

    fn help(&self, state: &State) -> String {
        let (report, staleness) = (self.report, state.compare.staleness);
        let name = report.subject.strategy.name;
        let mean = format::number(report.frame_tasks.mean.as_millis_f64());
        let secs = report
            .settled_staleness(staleness)
            .map_or(0.0, Nanos::as_secs_f64);
        let (what, secs) = (staleness.name(), format::number(secs));
        let times = report.over_minimum(staleness);
        let times = times.map_or_else(String::new, |times| {
            format!(", {times:.2} times the theoretical minimum at this task time")
        });
        let class = explained(state, self.lane);
        format!(
            "{name}: {mean} ms of tasks a frame on average; {what} {secs} s{times}.\n\
             {class} Click to select the lane."
        )
    }

    /// Paints the dot: filled if the strategy keeps the budget, teal with a ring for the best of these.
    fn paint(&self, painter: &Painter, is_within: bool) {
        let at = self.at;
        let ring = |radius, width, ink| painter.circle_stroke(at, radius, Stroke::new(width, ink));
        if self.is_best {
            painter.circle_filled(at, DOT, theme::TEAL);
            ring(RING - 0.5, 1.2, theme::TEAL);
        } else if is_within {
            painter.circle_filled(at, DOT, theme::BRIGHT);
        } else {
            painter.circle_filled(at, DOT, theme::WELL);
            ring(DOT - 0.7, 1.4, theme::BRIGHT);
        }
        if self.is_selected && !self.is_best {
            ring(RING - 1.5, 1.0, theme::TEAL);
        }
    }
}

/// Returns the curve of the least possible staleness at each task time, as far as it is within the axes.
fn curve(x: LogAxis, y: LogAxis, minimum: impl Fn(f64) -> Option<f64>) -> Vec<Pos2> {
    let points = x
        .steps(CURVE)
        .filter_map(|time| Some((time, minimum(time)?)));
    points
        .filter(|(_, stale)| y.contains(*stale))
        .map(|(time, stale)| pos2(x.point(time), y.point(stale)))
        .collect()
}

/// Places the label of each dot beside it and inside `area`, those of the best and of the selected strategy first. A
/// label without room is left out. `taken` is the place of another text. A label covers one of the `lines` only if there
/// is no other place near its dot.
fn place_labels(area: Rect, dots: &[Dot<'_>], taken: Rect, lines: &[Rect]) -> Vec<Option<Rect>> {
    let clear = |dot: &Dot<'_>| Rect::from_center_size(dot.at, Vec2::splat(2.0 * CLEAR));
    let mut occupied: Vec<Rect> = dots.iter().map(clear).chain([taken]).collect();
    let mut places = vec![None; dots.len()];
    let mut order: Vec<usize> = (0..dots.len()).collect();
    order.sort_by_key(|&index| !(dots[index].is_best || dots[index].is_selected));
    for index in order {
        let (dot, size) = (dots[index].at, dots[index].label.size() + 2.0 * MARGIN);
        let is_free = |rect: &Rect| area.contains_rect(*rect) && is_apart(rect, &occupied);
        let is_clear = |rect: &Rect| is_free(rect) && is_apart(rect, lines);
        let clear = candidates(dot, size).take(NEAR).find(is_clear);
        places[index] = clear.or_else(|| candidates(dot, size).find(is_free));
        occupied.extend(places[index]);
    }
    places
}

/// Returns places for a label of this size, the best first: beside the dot, then above and below it, then farther away.
fn candidates(dot: Pos2, size: Vec2) -> impl Iterator<Item = Rect> {
    let beside = GAP + size.x / 2.0;
    let above = CLEAR + size.y / 2.0;
    (0..4).flat_map(move |steps| {
        let far = steps as f32 * size.y;
        let offsets = [
            vec2(beside, -far),
            vec2(beside, far),
            vec2(-beside, -far),
            vec2(-beside, far),
            vec2(0.0, -above - far),
            vec2(0.0, above + far),
        ];
        offsets.map(|offset| Rect::from_center_size((dot + offset).round(), size))
    })
}

fn is_apart(rect: &Rect, others: &[Rect]) -> bool {
    let overlaps = |other: &Rect| other.intersect(*rect).is_positive();
    !others.iter().any(overlaps)
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
        let words = format!("{} ms", format::number(tick));
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

/// Paints the theoretical minimum, and at the bottom what it means, unless that covers one of the `taken` places. If it is a bound, because the
/// target rests, the area below it is tinted.
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
    if room.contains_rect(place) && is_apart(&place, taken) {
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
    use headless::testing::report;
    use proptest::prelude::*;

    /// Lays out the labels of dots at these places, with a name of this many letters each.
    fn placed(
        area: Rect,
        dots: &[(Pos2, usize)],
        taken: Rect,
        lines: &[Rect],
    ) -> Vec<Option<Rect>> {
        let ctx = egui::Context::default();
        let mut places = Vec::new();
        let report = report("every-frame", &[], 0);
        let _ = ctx.run(egui::RawInput::default(), |ctx| {
            let painter = ctx.debug_painter();
            let dots = dots.iter().enumerate().map(|(lane, (at, letters))| Dot {
                lane,
                report: &report,
                at: *at,
                label: lay(&painter, &"x".repeat(*letters), theme::TEXT),
                is_best: lane == 0,
                is_selected: lane == 1,
            });
            places = place_labels(area, &dots.collect::<Vec<_>>(), taken, lines);
        });
        places
    }

    #[test]
    fn labels_avoid_lines_if_there_is_another_place() {
        let area = Rect::from_min_size(Pos2::ZERO, vec2(500.0, 140.0));
        let line = Rect::from_x_y_ranges(130.0..=132.0, area.y_range());
        let place = |lines: &[Rect]| {
            let places = placed(area, &[(pos2(100.0, 70.0), 12)], Rect::NOTHING, lines);
            places[0].expect("it has room")
        };
        assert!(place(&[line]).right() < 100.0);
        let both = place(&[line, line.translate(vec2(-60.0, 0.0))]);
        assert!(both.left() > 100.0, "no other place is near");
    }

    #[test]
    fn dots_above_the_minimum_are_above_its_curve() {
        let x = LogAxis::covering([1.0, 4.0].into_iter(), [0.0, 500.0]).unwrap();
        let y = LogAxis::covering([0.2, 0.51].into_iter(), [150.0, 0.0]).unwrap();
        let curve = curve(x, y, |time| Some(0.5 / time));
        for (time, stale) in [(1.0, 0.51), (4.0, 0.2)] {
            let at = pos2(x.point(time), y.point(stale));
            let mut after = curve.iter().filter(|point| point.x >= at.x);
            assert!(after.all(|point| point.y >= at.y - 0.5));
        }
        assert!(super::curve(x, y, |_| None).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn texts_never_overlap_and_are_inside(
            dots in prop::collection::vec((0.0_f32..1.0, 0.0_f32..1.0, 1_usize..20), 1..13),
            size in (160.0_f32..900.0, 50.0_f32..340.0),
        ) {
            let area = Rect::from_min_size(Pos2::ZERO, size.into());
            let at = |(x, y, letters): &(f32, f32, usize)| {
                (area.lerp_inside(vec2(*x, *y)), *letters)
            };
            let dots: Vec<(Pos2, usize)> = dots.iter().map(at).collect();
            let budget = Rect::from_min_size(area.min, vec2(60.0, 15.0));
            let mut texts = placed(area, &dots, budget, &[]);
            for (dot, _) in &dots {
                let mut labels = texts.iter().flatten();
                prop_assert!(labels.all(|label| !label.contains(*dot)), "{:?}", dot);
            }
            texts.push(Some(budget));
            let texts: Vec<Rect> = texts.into_iter().flatten().collect();
            for (index, text) in texts.iter().enumerate() {
                prop_assert!(area.contains_rect(*text));
                prop_assert!(is_apart(text, &texts[..index]), "{}", text);
            }
        }
    }
}
