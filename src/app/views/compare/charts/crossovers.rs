//! The crossovers chart, which shows how the best strategy depends on the workload. Each line shows the staleness that
//! a strategy achieves with its best setting, relative to the best strategy. The line is dotted where even the best
//! setting exceeds a limit.

use super::labels::place_label;
use super::{
    PointedSetting, ink, label_size, lay, nearest, paint_axes, paint_dashes, paint_label,
    paint_message, paint_pointed, place, ribbon, set_commands, times_tick,
};
use crate::app::input::output::UiOutput;
use crate::app::state::State;
use crate::app::state::best_setting::{FoundCrossovers, MOST_ENTITIES, Progress, present};
use crate::app::state::command::{Command, CompareCommand, GridCommand};
use crate::app::views::compare::selected;
use crate::app::widgets::{theme, tooltip};
use egui::{Align2, Id, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, pos2, vec2};
use lab::catalog::knob::Knob;
use lab::catalog::strategy::StrategyEntry;
use lab::catalog::strategy::knobs::BUDGET;
use lab::chart::{Axis, times_axis};
use lab::judge::{Choice, Column, Limit, Setting};
use lab::phrase;
use lab::sim::world::TARGET_SPEED;
use lab::text::format;

const RIBBON_GAP: f32 = 3.0;

const HELP: &str = "Each line is a strategy at its best setting: 1.0 is the best strategy, 2.0 is twice as stale. The \
    ribbon names the best one. Lines are dotted where a limit is exceeded, and thin if the strategy is never best. \
    Point at a line to see its values, and click to set them.";

/// Returns alternative descriptions of the axes, from the longest to the shortest. The chart shows the first
/// description that fits.
pub fn axis_descriptions() -> Vec<String> {
    let all = [
        "staleness of the best settings, relative to the best strategy, over",
        "staleness relative to the best strategy, over",
        "relative to the best, over",
        "over",
    ];
    all.map(str::to_owned).to_vec()
}

pub fn knob_tooltip(knob: &Knob) -> &'static str {
    if *knob == BUDGET {
        "Your limit on the task time per frame."
    } else {
        knob.help
    }
}

/// The best settings of a strategy at all values of the knob on the horizontal axis.
struct StrategyLine<'a> {
    lane: usize,
    strategy: &'static StrategyEntry,
    /// Whether the strategy is selected, or is the best at some value of the knob. The lines of all other strategies
    /// are thin and dim, and have no labels.
    is_primary: bool,
    columns: Vec<(&'a Column, &'a Choice)>,
    places: Vec<Pos2>,
}

/// Shows the chart. Returns the setting under the pointer, if there is one.
pub fn show(
    ui: &Ui,
    painter: &Painter,
    area: Rect,
    state: &State,
    output: &mut UiOutput,
) -> Option<(Response, PointedSetting)> {
    let plot = area.with_min_y(area.top() + ribbon::HEIGHT + RIBBON_GAP);
    painter.rect_filled(plot, 0.0, theme::WELL);
    let response = ui.interact(plot, Id::new("crossovers"), Sense::CLICK);
    output.report("crossovers", plot);
    let best_setting = &state.compare.best_setting;
    let Some(found) = best_setting
        .crossovers()
        .filter(|it| !it.columns.is_empty())
    else {
        let words = search_progress(state).unwrap_or_default();
        paint_message(painter, plot, &words);
        tooltip::offer(&response, HELP);
        return None;
    };
    let now = present(found.over, &state.settings, &best_setting.limits.in_effect);
    let values = found.columns.iter().map(|column| column.value).chain([now]);
    let range = best_setting.crossover_range().into_iter().flatten();
    let values: Vec<f64> = values.chain(range).collect();
    let x = Axis::of_knob(
        found.over,
        &values,
        [plot.left(), plot.right()].map(f64::from),
    );
    let times = found.columns.iter().flat_map(|column| {
        let all = &column.recommendation;
        let kept = all.choices.iter().filter(|it| it.holds());
        kept.filter_map(|choice| all.times_best(choice))
    });
    let y = times_axis(times, [plot.bottom(), plot.top()].map(f64::from));
    let lines = lines(found, (x, y), state);

    paint_axes(painter, plot, (x, format::short), (y, times_tick));
    let best = y.at(1.0) as f32;
    painter.hline(
        plot.x_range(),
        best,
        Stroke::new(1.0, theme::DIM.gamma_multiply(0.5)),
    );
    ribbon::show(painter, &found.ranges, x, area, output);

    let places: Vec<Vec<Pos2>> = lines.iter().map(|it| it.places.clone()).collect();
    let preferred = lines.iter().position(|it| it.lane == selected(state));
    let at = response.hover_pos().filter(|_| response.hovered());
    let pointed = at.and_then(|at| nearest(&places, plot, at, preferred));
    let inside = painter.with_clip_rect(plot.intersect(painter.clip_rect()));
    for (index, line) in lines.iter().enumerate() {
        let pointed = pointed.filter(|[pointed, _]| *pointed == index);
        line.paint(&inside, pointed.map(|[_, point]| point));
    }
    let mut taken = vec![paint_present(
        painter,
        plot,
        x.at(now) as f32,
        found.over,
        now,
    )];
    let exceeds = lines
        .iter()
        .any(|line| line.columns.iter().any(|(_, it)| !it.holds()));
    let dotted = exceeds.then(|| "dotted: exceeds a limit".to_owned());
    if let Some(note) = search_progress(state).or(dotted) {
        let words = lay(painter, note, theme::DIM);
        let corner = plot.right_top() + vec2(-2.0, 2.0);
        let place = Align2::RIGHT_TOP.anchor_size(corner, label_size(&words));
        paint_label(painter, place, words);
        taken.push(place);
    }
    // The lines are sorted by importance, with the most important one last.
    for line in lines.iter().rev().filter(|line| line.is_primary) {
        let words = lay(painter, line.strategy.name, ink(line.strategy));
        // The lines are usually farthest apart at the right end.
        let anchors: Vec<Pos2> = line.places.iter().rev().copied().collect();
        if let Some(place) = place_label(plot, &anchors, label_size(&words), &taken) {
            paint_label(painter, place, words);
            taken.push(place);
        }
    }
    let Some([line, point]) = pointed else {
        tooltip::offer(&response, HELP);
        return None;
    };
    let described = lines[line].describe(point, found.over, state);
    Some((response, described))
}

const FAILED: &str = "The search has ended because of an error.";

/// Describes the state of the search, such as `3 of 9 values tried`. Returns `None` if it is complete.
fn search_progress(state: &State) -> Option<String> {
    let best_setting = &state.compare.best_setting;
    match best_setting.progress() {
        Progress::TooManyEntities => {
            let most = format::number(MOST_ENTITIES);
            return Some(format!(
                "Crossovers are only searched for up to {most} entities."
            ));
        }
        Progress::Failed => return Some(FAILED.to_owned()),
        Progress::Searching | Progress::Outdated => {
            return Some("searching for the best setting first".to_owned());
        }
        Progress::Final if best_setting.crossovers_have_failed() => return Some(FAILED.to_owned()),
        Progress::Final => {}
    }
    match best_setting.crossover_progress() {
        Some((done, all)) => Some(format!("{done} of {all} values tried")),
        None if best_setting.has_final_crossovers() => None,
        None => Some("searching for crossovers".to_owned()),
    }
}

/// Returns a line for each strategy, in ascending order of importance. Values at which no strategy keeps all limits are
/// left out, because there is no best strategy to compare with.
fn lines<'a>(
    found: &'a FoundCrossovers,
    (x, y): (Axis, Axis),
    state: &State,
) -> Vec<StrategyLine<'a>> {
    let strategies = state.compare.comparison.strategies().iter().enumerate();
    let lines = strategies.map(|(lane, &strategy)| {
        let columns = found.columns.iter();
        let columns = columns.filter(|column| column.recommendation.best.is_some());
        let points = columns.filter_map(|column| {
            let choice = column.recommendation.choices.get(lane)?;
            let times = column.recommendation.times_best(choice)?;
            Some(((column, choice), place(x, y, (column.value, times))))
        });
        let (columns, places) = points.unzip();
        let is_best = found.ranges.iter().any(|it| it.strategy == Some(strategy));
        StrategyLine {
            lane,
            strategy,
            is_primary: is_best || lane == selected(state),
            columns,
            places,
        }
    });
    let mut lines: Vec<StrategyLine<'_>> = lines.filter(|it| !it.places.is_empty()).collect();
    lines.sort_by_key(|line| line.is_primary);
    lines
}

impl StrategyLine<'_> {
    fn paint(&self, painter: &Painter, pointed: Option<usize>) {
        let ink = ink(self.strategy);
        let (width, strength) = match pointed {
            Some(_) => (2.4, 1.0),
            None if self.is_primary => (1.8, 1.0),
            None => (0.9, 0.4),
        };
        let stroke = Stroke::new(width, ink.gamma_multiply(strength));
        let faint = Stroke::new(width * 0.7, ink.gamma_multiply(0.6 * strength));
        for (ends, columns) in self.places.windows(2).zip(self.columns.windows(2)) {
            if columns.iter().all(|(_, choice)| choice.holds()) {
                painter.line_segment([ends[0], ends[1]], stroke);
            } else {
                painter.extend(Shape::dashed_line(ends, faint, 1.5, 3.5));
            }
        }
        for ((_, choice), at) in self.columns.iter().zip(&self.places) {
            if choice.holds() {
                painter.circle_filled(*at, width, stroke.color);
            }
        }
        if let Some(point) = pointed {
            paint_pointed(painter, self.places[point], ink);
        }
    }

    fn describe(&self, point: usize, over: &'static Knob, state: &State) -> PointedSetting {
        let (column, choice) = self.columns[point];
        let all = &column.recommendation;
        let workload = if *over == BUDGET {
            let limit = format::exact(over, column.value);
            phrase!("a task time limit of {}", limit)
        } else {
            Setting::of(over, column.value).words().unwrap_or_default()
        };
        let title = format!("{}, for {workload}", choice.words());
        let mut commands = Vec::new();
        if *over == TARGET_SPEED {
            commands.push(Command::Grid(GridCommand::PinTargetAt(None))); // a pinned target has no speed
        }
        commands.push(if *over == BUDGET {
            Command::Compare(CompareCommand::SetLimit(
                Limit::Tasks,
                BUDGET.span(column.value),
            ))
        } else {
            Command::SetKnob(over, column.value)
        });
        commands.extend(set_commands(self.lane, &all.settings(choice), state));
        let (at, price) = (self.places[point], all.price(choice));
        let (outcome, broken) = (&choice.outcome, &choice.broken);
        PointedSetting {
            click: format!("Click to set it for {workload}."),
            ..PointedSetting::new(at, title, &price, outcome, broken, commands)
        }
    }
}

/// Paints a dashed line at the current value of the knob on the horizontal axis, with the value next to the line.
/// Returns the area of the text.
fn paint_present(painter: &Painter, plot: Rect, at: f32, over: &Knob, now: f64) -> Rect {
    let line = [plot.top(), plot.bottom()].map(|y| pos2(at.round() + 0.5, y));
    paint_dashes(painter, &line, Stroke::new(1.5, theme::BRIGHT));
    let words = lay(
        painter,
        format!("now {}", format::knob(over, now)),
        theme::TEXT,
    );
    let size = label_size(&words);
    let is_right = at + 2.0 + size.x <= plot.right();
    let left = if is_right {
        at + 2.0
    } else {
        at - 2.0 - size.x
    };
    let place = Rect::from_min_size(pos2(left, plot.bottom() - 2.0 - size.y), size);
    paint_label(painter, place, words);
    place
}
