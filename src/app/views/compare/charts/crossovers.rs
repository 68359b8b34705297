//! The crossovers chart, which shows how the best strategy depends on the workload. Each line shows the staleness that
//! a strategy achieves with its best setting, relative to the best strategy. The line is dotted where even the best
//! setting exceeds a limit.

use super::axis::Axis;
use super::placement::place_labels;
use super::ribbon::{self, parts};
use super::{
    LABEL_MARGIN, PointDescription, chart_area, ink, key_label, lay, nearest, paint_axes,
    paint_card, paint_dashes, percent, times_axis, times_tick,
};
use crate::app::input::bindings::caps_of;
use crate::app::input::output::UiOutput;
use crate::app::state::State;
use crate::app::state::best_setting::{FoundCrossovers, MOST_ENTITIES, present};
use crate::app::state::command::Command;
use crate::app::views::compare::selected;
use crate::app::widgets::{theme, tooltip};
use egui::{Align2, Color32, Id, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, Vec2, pos2};
use headless::judge::{Limit, Tuned};
use headless::sim::world::{ENTITIES, TARGET_SPEED};
use headless::text::format;
use headless::text::rich::time;
use timeslicer::knob::Knob;
use timeslicer::strategy::knobs::BUDGET;

const RIBBON_GAP: f32 = 3.0;

const HELP: &str = "This chart shows which strategy is best for each value of the knob on the horizontal axis. Each \
    line shows how stale one strategy is at its best setting, compared with the best strategy. At 1.0, the strategy \
    is the best. At 2.0, it is twice as stale as the best strategy. The ribbon at the top names the best strategy, and \
    a solid vertical line marks each knob value at which a different strategy becomes the best. A line is dotted if \
    even the strategy's best setting exceeds a limit. A line is thin if its strategy is never the best and is not \
    selected. A thin line is labelled only with the key of its strategy, such as [8]. The dashed line marks the \
    current value of the knob. Point at a line to see its values, and click to apply them.";

/// Returns alternative descriptions of the axes, from the longest to the shortest. The chart shows the first
/// description that fits.
pub fn axis_descriptions() -> Vec<String> {
    let all = [
        "staleness of the best settings, relative to the best strategy, over",
        "staleness relative to the best strategy, over",
        "over",
    ];
    all.map(str::to_owned).to_vec()
}

pub fn knob_tooltip(knob: &Knob) -> String {
    if *knob == BUDGET {
        "Your limit on the task time per frame.".to_owned()
    } else {
        knob.help.to_owned()
    }
}

struct StrategyLine<'a> {
    lane: usize,
    /// Whether the strategy is selected, or is the best at some value of the knob on the horizontal axis. The lines of
    /// all other strategies are thin and dim.
    is_primary: bool,
    /// The values of the knob on the horizontal axis, each with the strategy's best setting for this value.
    points: Vec<(f64, &'a Tuned)>,
    places: Vec<Pos2>,
}

pub fn show(ui: &Ui, painter: &Painter, area: Rect, state: &State, output: &mut UiOutput) {
    let plot = area.with_min_y(area.top() + ribbon::HEIGHT + RIBBON_GAP);
    painter.rect_filled(plot, 0.0, theme::WELL);
    let response = ui.interact(plot, Id::new("crossovers"), Sense::CLICK);
    output.report("crossovers", plot);
    let best_setting = &state.compare.best_setting;
    let over = state.compare.over;
    let found = best_setting.crossovers().filter(|it| it.over == over);
    let progress = best_setting.progress();
    let Some(found) = found.filter(|it| !it.columns.is_empty()) else {
        let words = if state.settings.knobs.get(&ENTITIES) > MOST_ENTITIES {
            let most = format::number(MOST_ENTITIES);
            format!("Crossovers are only searched for up to {most} entities.")
        } else {
            search_progress(progress).unwrap_or_else(|| "searching for crossovers".to_owned())
        };
        let words = lay(painter, &words, theme::DIM);
        let place = Align2::CENTER_CENTER.anchor_size(plot.center(), words.size());
        painter.galley(place.min, words, theme::DIM);
        return tooltip::offer(&response, HELP);
    };
    let now = present(over, &state.settings, &best_setting.limits);
    let values = found.columns.iter().map(|(value, _)| *value);
    let range = best_setting.range().filter(|_| progress.is_some());
    let values = values.chain([now]).chain(range.into_iter().flatten());
    let values: Vec<f64> = values.collect();
    let x = Axis::of_knob(over, &values, [plot.left(), plot.right()]);
    let all = found.columns.iter().flat_map(|(_, tuned)| tuned).flatten();
    let kept = all.filter(|it| it.keeps).map(|it| it.times);
    let y = times_axis(kept, [plot.bottom(), plot.top()]);
    let lines = lines(found, x, y, state);

    let words_of_x = |value: f64| format::short(value);
    paint_axes(painter, plot, (x, words_of_x), (y, times_tick));
    let best = [plot.left(), plot.right()].map(|x| pos2(x, y.point(1.0)));
    painter.line_segment(best, Stroke::new(1.0, theme::DIM.gamma_multiply(0.5)));
    let parts = parts(&found.ranges, x);
    ribbon::show(painter, &parts, area.top(), plot.bottom(), output);

    let at = response.hover_pos().filter(|_| response.hovered());
    let places: Vec<Vec<Pos2>> = lines.iter().map(|it| it.places.clone()).collect();
    let preferred = lines.iter().position(|it| it.lane == selected(state));
    let pointed = at.and_then(|at| nearest(&places, plot, at, preferred));
    let inside = painter.with_clip_rect(plot.intersect(painter.clip_rect()));
    let marked = |index: usize| pointed.filter(|[line, _]| *line == index);
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|index| (marked(*index).is_some(), lines[*index].is_primary));
    for index in order {
        lines[index].paint(&inside, marked(index).map(|[_, point]| point));
    }

    let mut taken = vec![paint_current_value(painter, plot, x.point(now), over, now)];
    let note = search_progress(progress).unwrap_or_else(|| "dotted: exceeds a limit".to_owned());
    let has_note = progress.is_some() || lines.iter().any(StrategyLine::breaks);
    if has_note {
        let words = lay(painter, &note, theme::DIM);
        let size = words.size() + 2.0 * LABEL_MARGIN;
        let right = plot.right_top() + egui::vec2(-2.0, 2.0);
        let place = Align2::RIGHT_TOP.anchor_size(right, size);
        painter.rect_filled(place, 3.0, theme::WELL.gamma_multiply(0.8));
        painter.galley(place.min + LABEL_MARGIN, words, theme::DIM);
        taken.push(place);
    }
    paint_labels(painter, plot, &lines, &taken);

    let Some([line, point]) = pointed else {
        return tooltip::offer(&response, HELP);
    };
    let line = &lines[line];
    let (value, tuned) = line.points[point];
    let described = describe(found, value, tuned);
    paint_card(&response, chart_area(area), line.places[point], &described);
    if response.clicked() && !output.list_was_open {
        output
            .commands
            .extend(click_commands(over, value, tuned, line.lane));
    }
}

/// Returns the progress of the search for the best settings, such as `3 of 9 workloads tried`, or `None` if the search
/// is not running.
fn search_progress(progress: Option<(usize, usize)>) -> Option<String> {
    let (done, all) = progress?;
    Some(format!("{done} of {all} workloads tried"))
}

/// Returns a line for each strategy. A strategy is left out if none of its settings lets every task run.
fn lines<'a>(found: &'a FoundCrossovers, x: Axis, y: Axis, state: &State) -> Vec<StrategyLine<'a>> {
    let lanes = 0..state.compare.comparison.strategies().len();
    let of = |lane: usize| {
        let columns = found.columns.iter();
        let points = columns.filter_map(|(value, all)| Some((*value, all.get(lane)?.as_ref()?)));
        let points: Vec<(f64, &Tuned)> = points.collect();
        let place = |(value, tuned): &(f64, &Tuned)| {
            pos2(x.point(*value), y.point_beyond(tuned.times.max(1e-6)))
        };
        let places = points.iter().map(place).collect();
        let strategy = Some(state.compare.comparison.strategies()[lane]);
        let is_best = found.ranges.iter().any(|it| it.strategy == strategy);
        StrategyLine {
            lane,
            is_primary: is_best || lane == selected(state),
            points,
            places,
        }
    };
    let all = lanes.map(of);
    all.filter(|line| !line.points.is_empty()).collect()
}

impl StrategyLine<'_> {
    fn ink(&self) -> Color32 {
        ink(self.points[0].1.choice.strategy)
    }

    fn breaks(&self) -> bool {
        self.points.iter().any(|(_, tuned)| !tuned.keeps)
    }

    fn paint(&self, painter: &Painter, marked: Option<usize>) {
        let ink = self.ink();
        let (width, strength) = match (marked, self.is_primary) {
            (Some(_), _) => (2.4, 1.0),
            (None, true) => (1.8, 1.0),
            (None, false) => (0.9, 0.4),
        };
        let stroke = Stroke::new(width, ink.gamma_multiply(strength));
        let faint = Stroke::new(width * 0.7, ink.gamma_multiply(0.6 * strength));
        for (index, ends) in self.places.windows(2).enumerate() {
            let keeps = |index: usize| self.points[index].1.keeps;
            if keeps(index) && keeps(index + 1) {
                painter.line_segment([ends[0], ends[1]], stroke);
            } else {
                painter.extend(Shape::dashed_line(ends, faint, 1.5, 3.5));
            }
        }
        for ((_, tuned), at) in self.points.iter().zip(&self.places) {
            if tuned.keeps {
                painter.circle_filled(*at, width, stroke.color);
            }
        }
        if let Some(at) = marked.and_then(|point| self.places.get(point)) {
            painter.circle_filled(*at, 3.5, ink);
            painter.circle_stroke(*at, 5.5, Stroke::new(1.0, theme::BRIGHT));
        }
    }
}

/// Paints a dashed line at the current value of the knob on the horizontal axis, with the value next to the line.
/// Returns the area of the text.
fn paint_current_value(painter: &Painter, plot: Rect, at: f32, over: &Knob, now: f64) -> Rect {
    let line = [plot.top(), plot.bottom()].map(|y| pos2(at.round() + 0.5, y));
    paint_dashes(painter, &line, Stroke::new(1.5, theme::BRIGHT));
    let words = lay(
        painter,
        &format!("now {}", format::knob(over, now)),
        theme::TEXT,
    );
    let size = words.size() + 2.0 * LABEL_MARGIN;
    let is_wide = at + 2.0 + size.x <= plot.right();
    let left = if is_wide { at + 2.0 } else { at - 2.0 - size.x };
    let place = Rect::from_min_size(pos2(left, plot.bottom() - 2.0 - size.y), size);
    painter.rect_filled(place, 3.0, theme::WELL.gamma_multiply(0.8));
    painter.galley(place.min + LABEL_MARGIN, words, theme::TEXT);
    place
}

/// Paints the name of each strategy next to the point of its line that is farthest from the other lines. Thin lines are
/// only labelled with the strategy's keyboard shortcut. Names that do not fit are left out.
fn paint_labels(painter: &Painter, plot: Rect, lines: &[StrategyLine<'_>], taken: &[Rect]) {
    let anchor = |line: &StrategyLine<'_>| {
        let apart = |at: &Pos2| {
            let counts = |it: &&StrategyLine<'_>| it.is_primary || !line.is_primary;
            let others = lines.iter().filter(|it| it.lane != line.lane);
            let others = others.filter(counts);
            let points = others.flat_map(|it| &it.places);
            let same = points
                .filter(|it| it.x == at.x)
                .map(|it| (it.y - at.y).abs());
            same.fold(plot.height(), f32::min)
        };
        let points = line.points.iter().zip(&line.places);
        let inside = points.filter(|(_, at)| plot.contains(**at));
        let best = inside.max_by(|(one, at), (other, to)| {
            let keeps = one.1.keeps.cmp(&other.1.keeps);
            keeps.then(apart(at).total_cmp(&apart(to)))
        });
        best.map(|(_, at)| *at)
    };
    let anchors = lines.iter().filter_map(|line| Some((line, anchor(line)?)));
    let mut anchors: Vec<(&StrategyLine<'_>, Pos2)> = anchors.collect();
    // Place the labels of the best and the selected strategies first.
    let least = |line: &StrategyLine<'_>| {
        let kept = line.points.iter().filter(|(_, tuned)| tuned.keeps);
        kept.map(|(_, tuned)| tuned.times)
            .fold(f64::INFINITY, f64::min)
    };
    anchors.sort_by(|(one, _), (other, _)| {
        let primary = other.is_primary.cmp(&one.is_primary);
        primary.then(least(one).total_cmp(&least(other)))
    });
    let (primary, others) = anchors.split_at(anchors.partition_point(|(line, _)| line.is_primary));
    let mut taken = taken.to_vec();
    paint_names(painter, plot, primary, &mut taken);
    paint_names(painter, plot, others, &mut taken);
}

/// Paints the name of each strategy close to its anchor point, without overlapping the `taken` areas. Names that do not
/// fit are left out. The area of each painted name is added to `taken`.
fn paint_names(
    painter: &Painter,
    plot: Rect,
    anchors: &[(&StrategyLine<'_>, Pos2)],
    taken: &mut Vec<Rect>,
) {
    let texts = anchors.iter().map(|(line, _)| {
        let strategy = line.points[0].1.choice.strategy;
        let key = key_label(caps_of(Command::Strategy(strategy)));
        let (words, ink) = if line.is_primary {
            ([strategy.name, &*key], line.ink())
        } else {
            ([&*key; 2], line.ink().gamma_multiply(0.7))
        };
        words.map(|words| lay(painter, words, ink))
    });
    let texts: Vec<_> = texts.collect();
    let sizes = texts.iter();
    let sizes = sizes.map(|texts| texts.each_ref().map(|it| it.size() + 2.0 * LABEL_MARGIN));
    let sizes: Vec<[Vec2; 2]> = sizes.collect();
    let dots: Vec<Pos2> = anchors.iter().map(|(_, at)| *at).collect();
    let labels = place_labels(plot, &dots, &sizes, taken, &[], 0);
    for (label, texts) in labels.into_iter().zip(texts) {
        let Some(label) = label else { continue };
        if let Some(line) = label.line {
            painter.line_segment(line, Stroke::new(1.0, theme::DIM.gamma_multiply(0.6)));
        }
        painter.rect_filled(label.place, 3.0, theme::WELL.gamma_multiply(0.8));
        let text = texts[usize::from(label.is_short)].clone();
        painter.galley(label.place.min + LABEL_MARGIN, text, theme::BRIGHT);
        taken.push(label.place);
    }
}

/// Returns the commands to execute when the user clicks a point. The commands select the strategy, and set the workload
/// and the strategy's knobs to the values at this point.
fn click_commands(over: &'static Knob, value: f64, tuned: &Tuned, lane: usize) -> Vec<Command> {
    let mut commands = Vec::new();
    if *over == TARGET_SPEED {
        commands.push(Command::PinTargetAt(None)); // a pinned target has no speed
    }
    commands.push(if *over == BUDGET {
        task_time_limit_command(value)
    } else {
        Command::SetKnob(over, value)
    });
    let own = tuned.choice.values();
    commands.extend(own.map(|(knob, value)| Command::SetKnob(knob, value)));
    commands.push(Command::SelectLane(lane));
    commands
}

fn task_time_limit_command(millis: f64) -> Command {
    Command::SetLimit(Limit::Tasks, BUDGET.span(millis))
}

fn describe(found: &FoundCrossovers, value: f64, tuned: &Tuned) -> PointDescription {
    let (choice, over) = (&tuned.choice, found.over);
    let outcome = &choice.outcome;
    let staleness = found.objective.of(outcome).unwrap_or_default();
    let longest = outcome.staleness.as_ref().map(|it| it.worst);
    let longest = longest.map(|longest| format!("longest wait {}", time(longest)));
    let at = format::knob(over, value);
    let metrics = [
        Some(format!("{} {}", found.objective.name(), time(staleness))),
        Some(format!("{:.2}× as stale as the best strategy", tuned.times)),
        longest,
        Some(format!(
            "tasks take {} of the time, and {} in the worst frame",
            percent(outcome.share),
            time(outcome.tasks.max)
        )),
    ];
    let metrics: Vec<String> = metrics.into_iter().flatten().collect();
    let settings = choice.values();
    let settings =
        settings.map(|(knob, value)| format!("{} {}", knob.label, format::knob(knob, value)));
    let settings: Vec<String> = settings.collect();
    let mut limits = found.limits;
    let mut over_label = over.label;
    if *over == BUDGET {
        limits.tasks = Some(BUDGET.span(value));
        over_label = "Task time limit";
    }
    let sets = choice.values();
    let sets = sets.map(|(knob, value)| format!("{} to {}", knob.label, format::knob(knob, value)));
    let sets: Vec<String> = std::iter::once(format!("{over_label} to {at}"))
        .chain(sets)
        .collect();
    let own = settings.join(", ");
    let and_own = if own.is_empty() {
        String::new()
    } else {
        format!(", {own}")
    };
    PointDescription {
        title: format!("{}{and_own} at {over_label} {at}", choice.strategy.name),
        metrics: metrics.join(" · "),
        broken: limits
            .broken(outcome)
            .iter()
            .map(super::curves::describe_exceeded_limit)
            .collect(),
        click: format!(
            "Click to set {}, and to select this strategy.",
            format::listed(&sets)
        ),
    }
}
