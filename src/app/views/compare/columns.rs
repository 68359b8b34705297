//! The columns of the comparison table, with their layout, headings and cells. A click on a heading sorts the rows.

use super::cards::{paint_phrase, phrase_job};
use super::plots::{Plot, PlotScale};
use super::{GAME_TIME, INSET, OUTLINE, caps, clickable};
use crate::app::input::output::UiOutput;
use crate::app::panels::status_line;
use crate::app::state::State;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::{keycap, keycap_width, warning};
use crate::app::widgets::{paint, theme, tooltip};
use egui::text::LayoutJob;
use egui::{Align2, Painter, Pos2, Rangef, Rect, Shape, Stroke, Ui, pos2, vec2};
use headless::experiment::sweep::Limit;
use headless::stats::{Mark, Metric, Report};
use headless::text::format;
use headless::text::rich::Clause;
use std::cmp::Reverse;

/// Space between two columns, in points.
const GAP: f32 = 10.0;
/// Minimum and maximum width of a column that shows a metric, in points.
const METRIC_WIDTHS: [f32; 2] = [67.0, 124.0];
/// Minimum width of the column that shows capsules, in points.
const CROWD: f32 = 88.0;
/// Maximum width of the column that shows capsules, relative to the height of a row.
const CROWD_OF_ROW: f32 = 4.2;
/// Minimum and maximum width of a plot, in points.
const PLOT: [f32; 2] = [48.0, 660.0];
/// Width of the column that shows the effect of a disturbance, in points.
const EFFECT: f32 = 190.0;
/// Minimum and maximum width of the column that shows the best setting, in points.
const BEST: [f32; 2] = [156.0, 260.0];
/// Minimum width of the column that shows names, in points.
const LEAST_NAME: f32 = 40.0;
/// Space between a metric and the right edge of its column, in points.
const RIGHT: f32 = 4.0;
/// Minimum space before the heading of a metric, in points. The sort arrow is shown there.
const BEFORE: f32 = 15.0;

const HEADING_POINTS: f32 = 11.5;
const NAME_POINTS: f32 = 13.0;
const FIGURE_POINTS: f32 = 12.0;
const EFFECT_POINTS: f32 = 10.0;
const BEST_POINTS: f32 = 11.5;
/// Space between a keycap and the name of the strategy, in points.
const KEY_GAP: f32 = 9.0;
const AFTER_NAME: f32 = 10.0;
/// Text below the name of a strategy that runs in its published form. The second text is used if that form has worked
/// like ours so far.
pub const AS_PUBLISHED: [&str; 2] = ["as published", "same as corrected"];
/// Width of a mark with the space after it, in points.
const MARK: f32 = 12.0;
/// Space above and below the capsules and plots, in points.
const MARGIN: f32 = 3.0;

const STRATEGY_HELP: &str = "Click to sort the strategies by family.";
const CROWD_HELP: &str = "All entities of the lane, as in the Grid view.";
const TASKS_HELP: &str = "Number of tasks in each recent frame, on a square-root scale that all rows share.";
const TIMES_HELP: &str = "Time of each recent frame, split into tasks, scheduling, drawing and waiting, on a scale \
    that all rows share. Hitches caused by tasks are amber. The dashed line is the target.";
const SORT_HELP: &str =
    "Click to sort by this column, with the best or lowest value first. Click again to reverse the order.";
const BEST_HELP: &str = "What the strategy would achieve with the best value of its main knob, or the limit that it \
    would still break. It comes from trials of the workload without disturbances; all other columns show the lanes \
    with their current knobs. The recommended strategy has a frame around it.";
const PRESENT_HELP: &str = "Measured with the current knobs.";
/// Explains why the multiple of the theoretical minimum is unknown while the target moves, and while the target rests.
pub const NO_MINIMUM: [&str; 2] = [
    "The theoretical minimum is not known while the target moves. Pin the target to see it.",
    "This multiple of the theoretical minimum is known once every entity has run.",
];
const JUDGED_HELP: &str = "A warning sign marks values that break a limit of your game. Once every entity has run, \
    only the frames after this first round are judged.";
const EFFECT_HELP: &str = "Effect of the last disturbance: the hitches that the lane did not have before, and the \
    highest mean staleness of the crowd in the 3 s before and the 3 s after it. It is shown until the metrics are \
    reset.";

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Column {
    Strategy,
    Crowd,
    Tasks,
    Times,
    Effect,
    BestSetting,
    Metric(&'static Metric),
}

/// A column that may be shown: the column, its rank, its minimum and maximum width, and its fraction of the spare
/// width. If the columns do not all fit, the one with the lowest rank is dropped first. Of several with the same rank,
/// the rightmost is dropped.
type Candidate = (Column, u32, [f32; 2], f32);

/// Returns the space after a column. Columns of names and metrics already include the space in their width.
fn gap(column: Column) -> f32 {
    match column {
        Column::Strategy | Column::Metric(_) => 0.0,
        _ => GAP, // for the best setting, this gap comes before it
    }
}

/// Divides the horizontal range `x` into columns. `name` is the width of the longest name, `metrics` contains the
/// widths of the headings, and `row` is the height of a row. If space is short, the plots are dropped first, then
/// metrics from the right, then the effect and the capsules.
pub fn columns(
    x: Rangef,
    name: f32,
    metrics: &[(&'static Metric, f32)],
    has_effect: bool,
    row: f32,
) -> Vec<(Column, Rangef)> {
    let inner = x.shrink(INSET);
    let room = inner.span().max(0.0);
    let name = name.min(room.max(LEAST_NAME));
    let crowd = [CROWD, row * CROWD_OF_ROW];
    let mut all: Vec<Candidate> = vec![
        (Column::Strategy, 5, [name; 2], 0.0),
        (Column::Crowd, 3, crowd, 0.28),
        (Column::Tasks, 0, PLOT, 0.31),
        (Column::Times, 0, PLOT, 0.31),
    ];
    if has_effect {
        all.push((Column::Effect, 2, [EFFECT; 2], 0.0));
    }
    for (index, (metric, heading)) in metrics.iter().enumerate() {
        let rank = if index == 0 { 4 } else { 1 };
        let widths = [heading.max(METRIC_WIDTHS[0]), METRIC_WIDTHS[1]];
        let share = 0.1 / metrics.len() as f32;
        all.push((Column::Metric(metric), rank, widths, share));
    }
    all.push((Column::BestSetting, 2, BEST, 0.2));
    let spare = |all: &[Candidate]| {
        let least = all
            .iter()
            .map(|(column, _, [least, _], _)| least + gap(*column));
        room - least.sum::<f32>()
    };
    while spare(&all) < 0.0 && all.len() > 1 {
        let ranks = all.iter().map(|(_, rank, ..)| *rank).enumerate();
        let first = ranks.min_by_key(|&(index, rank)| (rank, Reverse(index)));
        all.remove(first.map_or(0, |(index, _)| index));
    }
    let mut spare = spare(&all).max(0.0);
    let mut shares: f32 = all.iter().map(|(.., share)| share).sum();
    let width = |&(_, _, [least, most], share): &Candidate| {
        // Width that a column cannot use goes to the columns after it.
        let more = spare * share / shares.max(f32::MIN_POSITIVE);
        let width = (least + more).min(most.max(least));
        (spare, shares) = (spare - (width - least), shares - share);
        width
    };
    let widths: Vec<f32> = all.iter().map(width).collect();
    let (mut left, mut columns) = (inner.min, Vec::new());
    for ((column, ..), width) in all.into_iter().zip(widths) {
        if column == Column::BestSetting {
            left += GAP;
        }
        if matches!(column, Column::Metric(_)) {
            left += std::mem::take(&mut spare); // align the metrics to the right
        }
        let range = Rangef::new(left.round(), (left + width).round());
        columns.push((column, range));
        left += width + gap(column);
    }
    columns
}

pub fn heading_width(painter: &Painter, metric: &Metric) -> f32 {
    BEFORE + paint::width(painter, label(metric), HEADING_POINTS) + RIGHT
}

pub fn name_width(painter: &Painter, report: &Report) -> f32 {
    let name = paint::width(painter, report.subject.strategy.name, NAME_POINTS);
    key_width(painter, caps(report)) + name + AFTER_NAME
}

fn key_width(painter: &Painter, caps: &str) -> f32 {
    let caps = if caps.is_empty() { "0" } else { caps };
    keycap_width(painter, caps) + KEY_GAP
}

impl Column {
    /// Shows the heading in `place`. If there is room, the maximum of a plot's scale is shown on the right.
    pub fn heading(
        self,
        ui: &Ui,
        place: Rect,
        scale: &PlotScale,
        state: &State,
        output: &mut UiOutput,
    ) {
        let metric = match self {
            Self::Metric(metric) => Some(metric),
            _ => None,
        };
        let order = state.compare.order;
        let order = order.filter(|(sorted_by, _)| metric == Some(sorted_by));
        let disturbance = state.compare.comparison.last_disturbance();
        let runs = format!("≤ {}", format::short(scale.runs.into()));
        let longest = format!("≤ {} ms", format::number(scale.longest.as_millis_f64()));
        let fits = |label| paint::width(ui.painter(), label, HEADING_POINTS) <= place.width();
        let times = ["Frame time", "Frames"];
        let times = times.into_iter().find(|it| fits(it)).unwrap_or_default();
        let (key, label, help, maximum) = match self {
            Self::Strategy => ("strategy", "Strategy", STRATEGY_HELP, ""),
            Self::Crowd => ("crowd", "Crowd", CROWD_HELP, ""),
            Self::Tasks => ("tasks", "Tasks", TASKS_HELP, runs.as_str()),
            Self::Times => ("times", times, TIMES_HELP, longest.as_str()),
            Self::Effect => ("effect", disturbance.unwrap_or_default(), EFFECT_HELP, ""),
            Self::BestSetting => ("best-setting", "Best setting, by trial", BEST_HELP, ""),
            Self::Metric(metric) => (metric.key, label(metric), metric.help, ""),
        };
        let sort = Command::Sort(metric);
        let response = clickable(ui, place, format!("column:{key}"), sort, output);
        let ink = match order {
            Some(_) => theme::TEAL,
            None if response.hovered() => theme::BRIGHT,
            None => theme::DIM,
        };
        let painter = ui.painter().with_clip_rect(place);
        let (left, right) = (place.left_center(), place.right_center());
        let words = if metric.is_some() {
            let at = right - vec2(RIGHT, 0.0);
            paint::right(&painter, at, label, HEADING_POINTS, ink)
        } else {
            paint::left(&painter, left, label, HEADING_POINTS, ink)
        };
        if let Some((sorted_by, is_reversed)) = order {
            let center = pos2(words.left() - 8.0, right.y);
            let points = sort_arrow(center, sorted_by.is_descending(is_reversed));
            painter.add(Shape::convex_polygon(points, ink, Stroke::NONE));
        }
        let style = (theme::mono(10.0), ink);
        let room = place.width() - words.width() - 8.0;
        if let Some(text) = paint::fitting(&painter, [maximum], style, room) {
            paint::galley(&painter, right, Align2::RIGHT_CENTER, text, ink);
        }
        let help = match metric {
            Some(metric) if limit_of(metric).is_some() => {
                format!("{help} {PRESENT_HELP} {JUDGED_HELP}\n{SORT_HELP}")
            }
            Some(_) => format!("{help} {PRESENT_HELP}\n{SORT_HELP}"),
            None => help.to_owned(),
        };
        tooltip::offer(&response, help);
    }
}

/// Returns the limit of the game that applies to a metric.
pub fn limit_of(metric: &Metric) -> Option<Limit> {
    match metric.key {
        "per_frame_ms.tasks_max" => Some(Limit::Tasks),
        "hitch_percent" => Some(Limit::Hitches),
        "staleness_ms.near" => Some(Limit::Near),
        "staleness_ms.worst" => Some(Limit::Longest),
        _ => None,
    }
}

/// Returns true if a metric is a multiple of the theoretical minimum.
pub fn is_of_minimum(metric: &Metric) -> bool {
    ["times_minimum", "worst_times_minimum"].contains(&metric.key)
}

/// Returns the heading of a metric in the table. Some metrics are named after the limit that applies to them.
pub fn label(metric: &Metric) -> &'static str {
    match limit_of(metric) {
        Some(Limit::Near) => "near",
        Some(Limit::Longest) => "longest",
        _ => metric.label,
    }
}

/// Returns the corners of the sort arrow, which points down if the largest value comes first.
fn sort_arrow(center: Pos2, is_descending: bool) -> Vec<Pos2> {
    let down = if is_descending { 1.0 } else { -1.0 };
    let points = [(-3.5, -2.0), (3.5, -2.0), (0.0, 3.0)];
    points.map(|(x, y)| center + vec2(x, y * down)).to_vec()
}

/// Returns the area of the capsules in a row, or `None` if the row does not show them.
pub fn capsules_in(row: Rect, columns: &[(Column, Rangef)]) -> Option<Rect> {
    let (_, x) = columns.iter().find(|it| it.0 == Column::Crowd)?;
    let y = row.y_range().shrink(MARGIN);
    let y = Rangef::new(y.min.round(), y.max.round());
    Some(Rect::from_x_y_ranges(*x, y)).filter(Rect::is_positive)
}

/// A row of the table, except for its capsules.
pub struct Row<'a> {
    pub painter: &'a Painter,
    pub lane: usize,
    pub rect: Rect,
    pub report: &'a Report,
    pub is_selected: bool,
    pub is_hovered: bool,
    /// Whether this strategy is recommended, or is the closest to keeping the limits.
    pub is_advised: bool,
}

impl Row<'_> {
    /// Paints the background of a selected or hovered row, and the frame around the recommended row. The area of the
    /// capsules is left out, because the capsules have already been drawn.
    pub fn paint_ground(&self, capsules: Option<Rect>) {
        let rect = self.rect.shrink2(vec2(OUTLINE - 3.0, 0.0));
        let ink = match (self.is_selected, self.is_hovered, self.is_advised) {
            (true, _, _) => theme::CHOSEN_ROW,
            (false, true, _) => theme::BAR,
            (false, false, true) => theme::FLOOR,
            (false, false, false) => return,
        };
        let edge = if self.is_advised { theme::TEAL } else { ink };
        let hole = capsules.unwrap_or(Rect::NOTHING);
        paint::paint_around(self.painter, hole, rect, |painter| {
            paint::card(painter, rect, ink, edge);
        });
    }

    pub fn paint_cell(
        &self,
        (column, x): (Column, Rangef),
        mark: Mark,
        scale: &PlotScale,
        state: &State,
    ) {
        let area = Rect::from_x_y_ranges(x, self.rect.y_range().shrink(MARGIN));
        let plot = || Plot::new(self.painter, area, &state.compare.comparison, self.lane);
        match column {
            Column::Strategy => self.paint_name(x),
            Column::Crowd => {}
            Column::Tasks => plot().paint_tasks(scale),
            Column::Times => plot().paint_times(scale),
            Column::Effect => {
                if let Some(Some(effect)) = state.compare.effects.get(self.lane) {
                    self.paint_effect(x, effect);
                }
            }
            Column::BestSetting => self.paint_best_setting(x, state),
            Column::Metric(metric) => self.paint_metric(x, metric, mark),
        }
    }

    fn paint_name(&self, x: Rangef) {
        let (painter, subject) = (self.painter, &self.report.subject);
        let left = pos2(x.min, self.rect.center().y);
        let caps = caps(self.report);
        keycap(painter, left, caps, self.is_selected);
        let mut at = left + vec2(key_width(painter, caps), 0.0);
        if let Some(defect) = subject.defect {
            let below = at + vec2(0.0, 7.5);
            let words = AS_PUBLISHED[usize::from(defect.matches_ours_while.is_some())];
            paint::left(painter, below, words, 9.5, theme::TEXT);
            at.y -= 5.0;
        }
        let (name, to) = (subject.strategy.name, x.max - 2.0);
        paint::cut(painter, at, name, NAME_POINTS, theme::BRIGHT, to);
    }

    fn paint_effect(&self, x: Rangef, effect: &Clause) {
        let mut job = LayoutJob::default();
        status_line::add(&mut job, std::slice::from_ref(effect), EFFECT_POINTS);
        job.wrap.max_width = x.span();
        let at = pos2(x.min, self.rect.center().y);
        let galley = self.painter.layout_job(job);
        paint::galley(self.painter, at, Align2::LEFT_CENTER, galley, theme::TEXT);
    }

    /// Paints the strategy's result with its best setting.
    fn paint_best_setting(&self, x: Rangef, state: &State) {
        let Some(output) = state.compare.best_setting.recommendation() else {
            return;
        };
        let inks = if self.is_advised {
            [theme::TEAL; 2]
        } else {
            [theme::TEXT, theme::BRIGHT]
        };
        let job = phrase_job(&output.cell(self.lane), BEST_POINTS, inks);
        paint_phrase(
            self.painter,
            pos2(x.min, self.rect.center().y),
            job,
            x.span(),
        );
    }

    fn paint_metric(&self, x: Rangef, metric: &Metric, mark: Mark) {
        let painter = self.painter;
        let is_slow = metric.is_game_time() && !self.report.game_speed().keeps_real_time();
        let star = if is_slow { GAME_TIME } else { "" };
        let ink = match mark {
            Mark::None | Mark::Worst => theme::BRIGHT,
            Mark::Best => theme::TEAL,
            Mark::Warning => theme::AMBER,
        };
        let (text, ink) = match (metric.value)(self.report) {
            Some(value) => (format!("{}{star}", written(value, metric.unit)), ink),
            None => ("-".to_owned(), theme::DIM),
        };
        let (right, align) = (
            pos2(x.max - RIGHT, self.rect.center().y),
            Align2::RIGHT_CENTER,
        );
        let text = painter.text(right, align, text, theme::mono(FIGURE_POINTS), ink);
        paint_mark(painter, pos2(text.left() - MARK + 5.0, right.y), mark);
    }
}

pub fn paint_mark(painter: &Painter, at: Pos2, mark: Mark) {
    match mark {
        Mark::None | Mark::Worst => {}
        Mark::Best => {
            painter.circle_filled(at, 3.5, theme::TEAL);
        }
        Mark::Warning => warning(painter, at, 4.0),
    }
}

/// Formats a metric with its unit. Times of a second or more are shown in seconds instead of milliseconds.
pub fn written(value: f64, unit: &str) -> String {
    match unit {
        "" => format::number(value),
        "%" => format::percent(value / 100.0),
        "ms" if value >= 999.5 => format!("{} s", format::number(value / 1000.0)),
        unit => format!("{} {unit}", format::number(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use headless::stats::METRICS;

    #[test]
    fn long_times_are_in_seconds() {
        assert_eq!(written(999.0, "ms"), "999 ms");
        assert_eq!(written(4_200.0, "ms"), "4.2 s");
        assert_eq!(written(60.0, "/s"), "60 /s");
        assert_eq!(written(12.6, "%"), "13 %");
        assert_eq!(written(1.0, ""), "1");
    }

    #[test]
    fn the_arrow_of_an_ascending_order_points_up() {
        let tip = |is_descending| sort_arrow(pos2(0.0, 0.0), is_descending)[2].y;
        assert!(tip(false) < 0.0 && tip(true) > 0.0);
    }

    #[test]
    fn columns_are_in_order_and_inside_at_any_width() {
        let metrics: Vec<_> = METRICS.iter().take(6).map(|it| (it, 70.0)).collect();
        for has_effect in [false, true] {
            let mut before = (true, 6, true);
            for width in (0..2400).rev().map(|width| width as f32) {
                let x = Rangef::new(252.0, 252.0 + width);
                let all = columns(x, 130.0, &metrics, has_effect, 38.0);
                for pair in all.windows(2) {
                    assert!(pair[0].1.max <= pair[1].1.min + 1.0, "{width}: {all:?}");
                }
                let is_narrow = width < 2.0 * INSET + LEAST_NAME;
                let last = all[all.len() - 1].1.max;
                assert!(is_narrow || last <= x.max - INSET + 1.0, "{width}: {all:?}");
                let has = |column| all.iter().any(|it| it.0 == column);
                let is_strong = |it: &&(Column, Rangef)| matches!(it.0, Column::Metric(_));
                let count = all.iter().filter(is_strong).count();
                let parts = (has(Column::Times), count, has(Column::Crowd));
                assert!(parts <= before, "{width}: {parts:?} after {before:?}");
                before = parts;
            }
            assert_eq!(before, (false, 0, false));
        }
    }
}
