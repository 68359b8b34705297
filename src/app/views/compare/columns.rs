//! The columns of the comparison table, with their layout, headings and cells. A click on a heading sorts the rows.

use super::cards::{layout_phrase, paint_phrase};
use super::plots::{Plot, PlotScale};
use super::{GAME_TIME_MARK, ROW_OUTLINE_MARGIN, SIDE_MARGIN, caps, clickable};
use crate::app::input::output::UiOutput;
use crate::app::panels::status_line;
use crate::app::state::State;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::{keycap, keycap_width, warning};
use crate::app::widgets::{paint, theme, tooltip};
use egui::text::LayoutJob;
use egui::{Align2, Painter, Pos2, Rangef, Rect, Shape, Stroke, Ui, pos2, vec2};
use headless::judge::Limit;
use headless::stats::{Mark, Metric, Report};
use headless::text::format;
use headless::text::rich::Clause;
use std::cmp::Reverse;

const COLUMN_GAP: f32 = 10.0;
const METRIC_WIDTH_RANGE: [f32; 2] = [67.0, 124.0];
const MIN_CROWD_WIDTH: f32 = 88.0;
const MAX_CROWD_ASPECT_RATIO: f32 = 4.2;
const PLOT_WIDTH_RANGE: [f32; 2] = [48.0, 660.0];
const EFFECT_WIDTH: f32 = 190.0;
const BEST_SETTING_WIDTH_RANGE: [f32; 2] = [156.0, 260.0];
const MIN_NAME_WIDTH: f32 = 40.0;
const METRIC_RIGHT_MARGIN: f32 = 4.0;
const SORT_ARROW_WIDTH: f32 = 15.0;

const HEADING_POINTS: f32 = 11.5;
const NAME_POINTS: f32 = 13.0;
const FIGURE_POINTS: f32 = 12.0;
const EFFECT_POINTS: f32 = 10.0;
const BEST_POINTS: f32 = 11.5;
const KEYCAP_GAP: f32 = 9.0;
const AFTER_NAME: f32 = 10.0;
/// Captions for a strategy that runs as published, with its known defect. The second caption is shown while the defect
/// has no effect, so that the strategy works like the corrected version.
pub const AS_PUBLISHED: [&str; 2] = ["as published", "no defect yet"];
const MARK_WIDTH: f32 = 12.0;
const CELL_VERTICAL_MARGIN: f32 = 3.0;

const STRATEGY_HELP: &str = "Click to sort the strategies by family.";
const CROWD_HELP: &str = "Shows all entities in the lane, as in the Grid view.";
const TASKS_HELP: &str =
    "Shows how many tasks ran in each recent frame. All rows share one square-root scale.";
const TIMES_HELP: &str = "Shows how much time each recent frame spent on tasks, scheduling, drawing and waiting. All \
    rows share one scale. Hitches that tasks or scheduling caused are amber. The dashed line is the target frame time.";
const SORT_HELP: &str = "Click to sort by this column, starting with the best or lowest value. Click again to reverse \
    the order.";
const BEST_HELP: &str = "Shows what the strategy would achieve with the best value of its main knob, or which limit it \
    would still exceed. These results come from a simulation of the workload without disturbances. All other columns \
    show the lanes with the current knob values. The row of the recommended strategy has an outline.";
const PRESENT_HELP: &str = "This column is measured with the current knob values.";
/// Tooltips that explain why a multiple of the theoretical minimum is unknown. The first tooltip is used while the
/// target is moving, and the second one is used while the target is at rest.
pub const NO_MINIMUM: [&str; 2] = [
    "The theoretical minimum is not known while the target moves. Pin the target to see it.",
    "The multiple of the theoretical minimum is known only after every entity has run.",
];
const JUDGED_HELP: &str = "A warning sign marks values that exceed a limit of your game. Once every entity has run, \
    only the frames after this first round are compared with the limits.";
const EFFECT_HELP: &str = "Shows the effect of the last disturbance: the hitches that it added, and the highest mean \
    staleness of the crowd in the 3 s before and the 3 s after the disturbance. The effect is shown until the metrics \
    are reset.";

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

/// A column with its rank, its minimum and maximum width, and the fraction of the spare width that it gets. If not all
/// columns fit, the column with the lowest rank is removed first. Among columns of the same rank, this is the rightmost
/// one.
type Candidate = (Column, u32, [f32; 2], f32);

/// Returns the space after a column, in points. The space is zero for names and metrics, because their column widths
/// already include it.
fn gap(column: Column) -> f32 {
    match column {
        Column::Strategy | Column::Metric(_) => 0.0,
        _ => COLUMN_GAP, // for the best setting, this gap comes before it
    }
}

/// Divides a horizontal range into columns. `metrics` contains each metric with the width of its heading. If space is
/// short, the plots are removed first, then the metrics from right to left except the first metric, and finally the
/// other columns.
pub fn columns(
    x: Rangef,
    name_width: f32,
    metrics: &[(&'static Metric, f32)],
    has_effect: bool,
    row_height: f32,
) -> Vec<(Column, Rangef)> {
    let inner = x.shrink(SIDE_MARGIN);
    let room = inner.span().max(0.0);
    let name_width = name_width.min(room.max(MIN_NAME_WIDTH));
    let crowd = [MIN_CROWD_WIDTH, row_height * MAX_CROWD_ASPECT_RATIO];
    let mut all: Vec<Candidate> = vec![
        (Column::Strategy, 5, [name_width; 2], 0.0),
        (Column::Crowd, 3, crowd, 0.28),
        (Column::Tasks, 0, PLOT_WIDTH_RANGE, 0.31),
        (Column::Times, 0, PLOT_WIDTH_RANGE, 0.31),
    ];
    if has_effect {
        all.push((Column::Effect, 2, [EFFECT_WIDTH; 2], 0.0));
    }
    for (index, (metric, heading)) in metrics.iter().enumerate() {
        let rank = if index == 0 { 4 } else { 1 };
        let widths = [heading.max(METRIC_WIDTH_RANGE[0]), METRIC_WIDTH_RANGE[1]];
        let share = 0.1 / metrics.len() as f32;
        all.push((Column::Metric(metric), rank, widths, share));
    }
    all.push((Column::BestSetting, 2, BEST_SETTING_WIDTH_RANGE, 0.2));
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
            left += COLUMN_GAP;
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
    SORT_ARROW_WIDTH + paint::width(painter, label(metric), HEADING_POINTS) + METRIC_RIGHT_MARGIN
}

pub fn name_width(painter: &Painter, report: &Report) -> f32 {
    let name = paint::width(painter, report.subject.strategy.name, NAME_POINTS);
    key_width(painter, caps(report)) + name + AFTER_NAME
}

fn key_width(painter: &Painter, caps: &str) -> f32 {
    let caps = if caps.is_empty() { "0" } else { caps };
    keycap_width(painter, caps) + KEYCAP_GAP
}

impl Column {
    /// Shows the heading of the column. If the column contains plots, the heading also shows the largest value on their
    /// scale, unless there is no room for it.
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
            Self::BestSetting => ("best-setting", "Best setting found", BEST_HELP, ""),
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
            let at = right - vec2(METRIC_RIGHT_MARGIN, 0.0);
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

/// Returns which of the user's limits applies to a metric, or `None` if no limit applies to it.
pub fn limit_of(metric: &Metric) -> Option<Limit> {
    match metric.key {
        "per_frame_ms.tasks_max" => Some(Limit::Tasks),
        "hitch_percent" => Some(Limit::Hitches),
        "staleness_ms.near" => Some(Limit::Near),
        "staleness_ms.worst" => Some(Limit::Longest),
        _ => None,
    }
}

pub fn is_multiple_of_minimum(metric: &Metric) -> bool {
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

/// Returns the corners of an arrow that shows the sort order. The arrow points down if the largest value comes first.
fn sort_arrow(center: Pos2, is_descending: bool) -> Vec<Pos2> {
    let down = if is_descending { 1.0 } else { -1.0 };
    let points = [(-3.5, -2.0), (3.5, -2.0), (0.0, 3.0)];
    points.map(|(x, y)| center + vec2(x, y * down)).to_vec()
}

/// Returns the area in which a row shows its capsules, or `None` if the table has no column for capsules.
pub fn capsule_area(row: Rect, columns: &[(Column, Rangef)]) -> Option<Rect> {
    let (_, x) = columns.iter().find(|it| it.0 == Column::Crowd)?;
    let y = row.y_range().shrink(CELL_VERTICAL_MARGIN);
    let y = Rangef::new(y.min.round(), y.max.round());
    Some(Rect::from_x_y_ranges(*x, y)).filter(Rect::is_positive)
}

/// A row of the comparison table. The capsules in the row are drawn separately.
pub struct Row<'a> {
    pub painter: &'a Painter,
    pub lane: usize,
    pub rect: Rect,
    pub report: &'a Report,
    pub is_selected: bool,
    pub is_hovered: bool,
    /// Whether the row's strategy is recommended. If no strategy stays within all limits, the strategy that comes
    /// closest is recommended.
    pub is_recommended: bool,
}

impl Row<'_> {
    /// Paints the row's background if the row is selected, hovered or recommended. The area of the capsules is left out
    /// because the capsules have already been drawn.
    pub fn paint_background(&self, capsules: Option<Rect>) {
        let rect = self.rect.shrink2(vec2(ROW_OUTLINE_MARGIN - 3.0, 0.0));
        let ink = match (self.is_selected, self.is_hovered, self.is_recommended) {
            (true, _, _) => theme::CHOSEN_ROW,
            (false, true, _) => theme::BAR,
            (false, false, true) => theme::FLOOR,
            (false, false, false) => return,
        };
        let edge = if self.is_recommended {
            theme::TEAL
        } else {
            ink
        };
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
        let area = Rect::from_x_y_ranges(x, self.rect.y_range().shrink(CELL_VERTICAL_MARGIN));
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

    fn paint_best_setting(&self, x: Rangef, state: &State) {
        let Some(output) = state.compare.best_setting.recommendation() else {
            return;
        };
        let inks = if self.is_recommended {
            [theme::TEAL; 2]
        } else {
            [theme::TEXT, theme::BRIGHT]
        };
        let job = layout_phrase(&output.cell(self.lane), BEST_POINTS, inks);
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
        let star = if is_slow { GAME_TIME_MARK } else { "" };
        let ink = match mark {
            Mark::None | Mark::Worst => theme::BRIGHT,
            Mark::Best => theme::TEAL,
            Mark::Warning => theme::AMBER,
        };
        let (text, ink) = match (metric.value)(self.report) {
            Some(value) => (format!("{}{star}", format_metric(value, metric.unit)), ink),
            None => ("-".to_owned(), theme::DIM),
        };
        let (right, align) = (
            pos2(x.max - METRIC_RIGHT_MARGIN, self.rect.center().y),
            Align2::RIGHT_CENTER,
        );
        let text = painter.text(right, align, text, theme::mono(FIGURE_POINTS), ink);
        paint_mark(painter, pos2(text.left() - MARK_WIDTH + 5.0, right.y), mark);
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
pub fn format_metric(value: f64, unit: &str) -> String {
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
        assert_eq!(format_metric(999.0, "ms"), "999 ms");
        assert_eq!(format_metric(4_200.0, "ms"), "4.2 s");
        assert_eq!(format_metric(60.0, "/s"), "60 /s");
        assert_eq!(format_metric(12.6, "%"), "13 %");
        assert_eq!(format_metric(1.0, ""), "1");
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
                let is_narrow = width < 2.0 * SIDE_MARGIN + MIN_NAME_WIDTH;
                let last = all[all.len() - 1].1.max;
                assert!(
                    is_narrow || last <= x.max - SIDE_MARGIN + 1.0,
                    "{width}: {all:?}"
                );
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
