//! Columns of the table: their places, headings and cells. A click on a heading sorts the rows.

use super::plots::{Plot, PlotScale};
use super::{CompareDisplay, GAME_TIME, INSET, OUTLINE, caps};
use crate::app::input::response::UiResponse;
use crate::app::panels::status_line;
use crate::app::state::command::Command;
use crate::app::state::compare::Order;
use crate::app::widgets::buttons::{keycap, keycap_width, warning};
use crate::app::widgets::{paint, theme, tooltip};
use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align2, Color32, Id, Painter, Pos2, Rangef, Rect, Sense, Shape, Stroke, Ui, pos2, vec2,
};
use headless::stats::{Figure, Mark, Report};
use headless::text::format;
use headless::text::rich::Clause;

/// Space between two columns.
const GAP: f32 = 10.0;
/// Minimum and maximum width of a column of figures.
const FIGURE: [f32; 2] = [62.0, 124.0];
/// Minimum width of the capsules, without and with plots.
const CROWD: [f32; 2] = [56.0, 88.0];
/// Maximum width of the capsules, relative to the height of their row.
const CROWD_OF_ROW: f32 = 4.2;
/// Minimum and maximum width of a plot.
const PLOT: [f32; 2] = [48.0, 660.0];
/// Width of the effect of a disturbance.
const EFFECT: f32 = 112.0;
/// Minimum width of names.
const LEAST_NAME: f32 = 40.0;
/// Shares of the spare width for the figures and the capsules. The plots take the rest.
const SPARE: [f32; 2] = [0.1, 0.28];
/// Space between a figure and its column's right edge.
const RIGHT: f32 = 4.0;
/// Minimum space before the heading of a figure. It has room for the sign of the order.
const BEFORE: f32 = 15.0;

/// Sizes of text.
const HEADING_POINTS: f32 = 11.5;
const NAME_POINTS: f32 = 13.0;
const FIGURE_POINTS: f32 = 12.0;
const SMALL_FIGURE_POINTS: f32 = 10.5;
const EFFECT_POINTS: f32 = 11.0;
/// Space between a keycap and the name, and after the name.
const KEY_GAP: f32 = 9.0;
const AFTER_NAME: f32 = 10.0;
/// Words below the name of a strategy in its published form.
pub const AS_PUBLISHED: &str = "as published";
/// Width of a mark with the space after it.
const MARK: f32 = 12.0;
/// Space above and below the capsules and plots.
const MARGIN: f32 = 3.0;

const STRATEGY_HELP: &str = "Click for the order of the strategies by family.";
const CROWD_HELP: &str = "Every entity of the lane, as in the Grid view.";
const TASKS_HELP: &str = "Tasks in each recent frame, on a square-root scale that all rows share.";
const TIMES_HELP: &str = "Length of each recent frame, on a scale that all rows share: tasks, scheduling, drawing and \
    waiting. Hitches that tasks caused are amber. The dashed line is the target.";
const EFFECT_HELP: &str = "Effect of the last disturbance: hitches that the lane did not have before. Resetting the \
    figures ends it.";

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Column {
    Strategy,
    Crowd,
    Tasks,
    Times,
    Effect,
    Figure(&'static Figure),
}

/// Divides the range `x` for names of the width `name`, `figures` with the widths of their headings, and rows of the
/// height `row`. Leaves out the plots first, then figures from the right, then the effect and the capsules.
pub fn columns(
    x: Rangef,
    name: f32,
    figures: &[(&'static Figure, f32)],
    has_effect: bool,
    row: f32,
) -> Vec<(Column, Rangef)> {
    let inner = x.shrink(INSET);
    let width = inner.span().max(0.0);
    let name = name.min(width.max(LEAST_NAME));
    let room = width - name;
    let least = |figure: &(&'static Figure, f32)| figure.1.max(FIGURE[0]);
    let of_figures = |count: usize| figures[..count].iter().map(least).sum::<f32>();
    let effect = if has_effect { EFFECT } else { 0.0 };
    let all = figures.len();
    let [alone, with_plots] = CROWD;
    // The number of figures, and the widths of the capsules, a plot and the effect.
    let mut choices = vec![(all, with_plots, PLOT[0], effect)];
    choices.extend((1..=all).rev().map(|count| (count, alone, 0.0, effect)));
    choices.extend([(1, alone, 0.0, 0.0), (1, 0.0, 0.0, 0.0)]);
    let spare = |(count, crowd, plot, effect): (usize, f32, f32, f32)| {
        let widths = [crowd, plot, plot, effect].into_iter();
        let with_gaps = widths.filter(|width| *width > 0.0).map(|width| width + GAP);
        room - of_figures(count.min(all)) - with_gaps.sum::<f32>()
    };
    let chosen = choices.into_iter().find(|choice| spare(*choice) >= 0.0);
    let (count, crowd, plot, effect) = chosen.unwrap_or_default();
    let spare = spare((count, crowd, plot, effect)).max(0.0);
    let figures = &figures[..count.min(all)];

    let has_plots = plot > 0.0;
    let [for_figures, for_crowd] = if has_plots {
        [SPARE[0], SPARE[1] / (1.0 - SPARE[0])]
    } else {
        [0.5, 1.0]
    };
    let of_each = spare * for_figures / count.max(1) as f32;
    let figure_width = |figure| (least(figure) + of_each).min(FIGURE[1].max(least(figure)));
    let taken = figures.iter().map(figure_width).sum::<f32>() - of_figures(figures.len());
    let spare = spare - taken;
    let most_crowd = (row * CROWD_OF_ROW).max(crowd);
    let crowd_spare = (spare * for_crowd).min(most_crowd - crowd);
    let plot_width = (PLOT[0] + (spare - crowd_spare) / 2.0).min(PLOT[1]);

    let mut columns = Vec::new();
    let mut left = inner.min;
    let mut add = |column, is_shown: bool, width: f32, gap: f32| {
        if is_shown {
            let range = Rangef::new(left.round(), (left + width).round());
            columns.push((column, range));
            left += width + gap;
        }
    };
    add(Column::Strategy, true, name, 0.0);
    add(Column::Crowd, crowd > 0.0, crowd + crowd_spare, GAP);
    add(Column::Tasks, has_plots, plot_width, GAP);
    add(Column::Times, has_plots, plot_width, GAP);
    add(Column::Effect, effect > 0.0, effect, GAP);
    // Figures are at the right end.
    let (first, mut right) = (columns.len(), inner.max);
    for figure in figures.iter().rev() {
        let width = figure_width(figure);
        let range = Rangef::new((right - width).round(), right.round());
        columns.insert(first, (Column::Figure(figure.0), range));
        right -= width;
    }
    columns
}

pub fn heading_width(painter: &Painter, figure: &Figure) -> f32 {
    let (words, font) = (figure.label.to_owned(), theme::text(HEADING_POINTS));
    BEFORE + painter.layout_no_wrap(words, font, theme::DIM).size().x + RIGHT
}

pub fn name_width(painter: &Painter, report: &Report) -> f32 {
    let (name, font) = (report.subject.strategy.name, theme::text(NAME_POINTS));
    let galley = painter.layout_no_wrap(name.to_owned(), font, theme::TEXT);
    key_width(painter, caps(report)) + galley.size().x + AFTER_NAME
}

fn key_width(painter: &Painter, caps: &str) -> f32 {
    let caps = if caps.is_empty() { "0" } else { caps };
    keycap_width(painter, caps) + KEY_GAP
}

impl Column {
    /// Shows the heading in `place`, with the maximum of a plot's scale at its right end if there is room.
    pub fn heading(
        self,
        ui: &Ui,
        place: Rect,
        scale: &PlotScale,
        display: CompareDisplay<'_>,
        answer: &mut UiResponse,
    ) {
        let before = display.state.order;
        let (key, label, help) = match self {
            Self::Strategy => ("strategy", "Strategy", STRATEGY_HELP),
            Self::Crowd => ("crowd", "Crowd", CROWD_HELP),
            Self::Tasks => ("tasks", "Tasks", TASKS_HELP),
            Self::Times => ("times", "Frame time", TIMES_HELP),
            Self::Effect => {
                let name = display.comparison.last_disturbance();
                ("effect", name.unwrap_or_default(), EFFECT_HELP)
            }
            Self::Figure(figure) => (figure.key, figure.label, figure.help),
        };
        let sort = match self {
            Self::Strategy => Some(None),
            Self::Figure(figure) => Some(Some(figure)),
            _ => None,
        };
        let order = before.filter(|order| self == Self::Figure(order.figure));
        let sense = if sort.is_some() {
            Sense::CLICK
        } else {
            Sense::hover()
        };
        answer.report(format!("column:{key}"), place);
        let response = ui.interact(place, Id::new(("column", key)), sense);
        let ink = match (order, sort) {
            (Some(_), _) => theme::TEAL,
            (None, Some(_)) if response.hovered() => theme::BRIGHT,
            _ => theme::DIM,
        };
        let painter = ui.painter().with_clip_rect(place);
        let right = place.right_center() - vec2(RIGHT, 0.0);
        let words = match self {
            Self::Figure(_) => paint::right(&painter, right, label, HEADING_POINTS, ink),
            _ => paint::left(&painter, place.left_center(), label, HEADING_POINTS, ink),
        };
        if let Some(order) = order {
            paint_order(&painter, pos2(words.left() - 8.0, right.y), order, ink);
        }
        let maximum = match self {
            Self::Tasks => Some(format!("≤ {}", format::short(scale.runs.into()))),
            Self::Times => {
                let ms = format::number(scale.longest.as_millis_f64());
                Some(format!("≤ {ms} ms"))
            }
            _ => None,
        };
        let style = (theme::mono(10.0), ink);
        let room = place.width() - words.width() - 8.0;
        if let Some(text) = paint::fitting(&painter, maximum.as_deref(), style, room) {
            let at = place.right_center();
            paint::galley(&painter, at, Align2::RIGHT_CENTER, text, ink);
        }
        if response.clicked() && !answer.list_was_open {
            answer.commands.extend(sort.map(Command::Sort));
        }
        if response.hovered() {
            let more = match self {
                Self::Figure(figure) => more_help(figure, order),
                _ => String::new(),
            };
            tooltip::offer(&response, format!("{help}{more}"));
        }
    }
}

/// Returns what the tooltip of a figure's heading says after the figure's own help.
fn more_help(figure: &Figure, order: Option<Order>) -> String {
    let unit = match figure.unit {
        "" => String::new(),
        unit => format!(" In {unit}."),
    };
    let time = if figure.is_game_time() {
        " A star marks game time that differs from real time."
    } else {
        ""
    };
    let click = match order {
        None => "Click to sort by it, the best or lowest first.",
        Some(_) => "Click to reverse the order.",
    };
    format!("{unit}{time}\n{click}")
}

/// Paints the sign of the order: a triangle that points down, or up if the order is reversed.
fn paint_order(painter: &Painter, center: Pos2, order: Order, ink: Color32) {
    let up = if order.is_reversed { -1.0 } else { 1.0 };
    let points = [(-3.5, -2.0), (3.5, -2.0), (0.0, 3.0)];
    let points = points.map(|(x, y)| center + vec2(x, y * up)).to_vec();
    painter.add(Shape::convex_polygon(points, ink, Stroke::NONE));
}

/// Returns the place of the capsules in a row.
pub fn capsules_in(row: Rect, columns: &[(Column, Rangef)]) -> Option<Rect> {
    let (_, x) = columns.iter().find(|it| it.0 == Column::Crowd)?;
    let y = row.y_range().shrink(MARGIN);
    let y = Rangef::new(y.min.round(), y.max.round());
    Some(Rect::from_x_y_ranges(*x, y)).filter(Rect::is_positive)
}

/// A row of the table, without its capsules.
pub struct Row<'a> {
    pub lane: usize,
    pub rect: Rect,
    pub report: &'a Report,
    pub is_selected: bool,
    pub is_hovered: bool,
}

impl Row<'_> {
    /// Paints the background of a selected row, or of the row under the pointer. The capsules are drawn before the
    /// interface, so their place stays free.
    pub fn paint_ground(&self, painter: &Painter, capsules: Option<Rect>) {
        let rect = self.rect.shrink2(vec2(OUTLINE - 3.0, 0.0));
        let (ink, edge) = match (self.is_selected, self.is_hovered) {
            (true, _) => (theme::CHOSEN_ROW, theme::TEAL),
            (false, true) => (theme::BAR, theme::BAR),
            (false, false) => return,
        };
        paint::paint_around(
            painter,
            capsules.unwrap_or(Rect::NOTHING),
            rect,
            |painter| {
                paint::card(painter, rect, ink, edge);
            },
        );
    }

    pub fn paint_cell(
        &self,
        painter: &Painter,
        (column, x): (Column, Rangef),
        mark: Mark,
        scale: &PlotScale,
        display: CompareDisplay<'_>,
    ) {
        let area = Rect::from_x_y_ranges(x, self.rect.y_range().shrink(MARGIN));
        let plot = || Plot::new(painter, area, display.comparison, self.lane);
        match column {
            Column::Strategy => self.paint_name(painter, x),
            Column::Crowd => {}
            Column::Tasks => plot().paint_tasks(scale),
            Column::Times => plot().paint_times(scale),
            Column::Effect => {
                if let Some(effect) = display.effect(self.lane) {
                    self.paint_effect(painter, x, effect);
                }
            }
            Column::Figure(figure) => self.paint_figure(painter, x, figure, mark),
        }
    }

    fn paint_name(&self, painter: &Painter, x: Rangef) {
        let left = pos2(x.min, self.rect.center().y);
        let caps = caps(self.report);
        keycap(painter, left, caps, self.is_selected);
        let at = left + vec2(key_width(painter, caps), 0.0);
        let name = self.report.subject.strategy.name.to_owned();
        let mut job = LayoutJob::simple_singleline(name, theme::text(NAME_POINTS), theme::BRIGHT);
        job.wrap = TextWrapping::truncate_at_width((x.max - 2.0 - at.x).max(0.0));
        let mut above = 0.0;
        if self.report.subject.defect.is_some() {
            above = 5.0;
            let below = at + vec2(0.0, 7.5);
            paint::left(painter, below, AS_PUBLISHED, 9.5, theme::TEXT);
        }
        let (at, name) = (at - vec2(0.0, above), painter.layout_job(job));
        paint::galley(painter, at, Align2::LEFT_CENTER, name, theme::BRIGHT);
    }

    /// Paints the effect of a disturbance in the largest font in which it fits into the row.
    fn paint_effect(&self, painter: &Painter, x: Rangef, effect: &Clause) {
        let lay = |points: f32| {
            let mut job = LayoutJob::default();
            status_line::add(&mut job, std::slice::from_ref(effect), points);
            job.wrap.max_width = x.span();
            painter.layout_job(job)
        };
        let fits = |points: &f32| lay(*points).size().y <= self.rect.height();
        let points = [EFFECT_POINTS, EFFECT_POINTS - 1.0].into_iter().find(fits);
        let galley = lay(points.unwrap_or(EFFECT_POINTS - 2.0));
        let at = pos2(x.min, self.rect.center().y);
        paint::galley(painter, at, Align2::LEFT_CENTER, galley, theme::TEXT);
    }

    fn paint_figure(&self, painter: &Painter, x: Rangef, figure: &Figure, mark: Mark) {
        let is_slow = figure.is_game_time() && !self.report.game_speed().keeps_real_time();
        let star = if is_slow { GAME_TIME } else { "" };
        let ink = match mark {
            Mark::None | Mark::Worst => theme::BRIGHT,
            Mark::Best => theme::TEAL,
            Mark::Warning => theme::AMBER,
        };
        let (text, ink) = match (figure.value)(self.report) {
            Some(value) => (format!("{}{star}", written(value, figure.unit)), ink),
            None => ("-".to_owned(), theme::DIM),
        };
        let lay = |points| painter.layout_no_wrap(text.clone(), theme::mono(points), ink);
        let mark_width = if mark == Mark::None { 0.0 } else { MARK };
        let mut galley = lay(FIGURE_POINTS);
        if galley.size().x > x.span() - RIGHT - mark_width {
            galley = lay(SMALL_FIGURE_POINTS);
        }
        let right = pos2(x.max - RIGHT, self.rect.center().y);
        let text = paint::galley(painter, right, Align2::RIGHT_CENTER, galley, ink);
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

/// Formats a figure with its unit. Times of a second or more are in seconds instead of milliseconds.
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
    use headless::stats::FIGURES;

    #[test]
    fn long_times_are_in_seconds() {
        assert_eq!(written(999.0, "ms"), "999 ms");
        assert_eq!(written(4_200.0, "ms"), "4.2 s");
        assert_eq!(written(60.0, "/s"), "60 /s");
        assert_eq!(written(12.6, "%"), "13 %");
        assert_eq!(written(1.0, ""), "1");
    }

    #[test]
    fn columns_are_in_order_and_inside_at_any_width() {
        let figures: Vec<_> = FIGURES.iter().take(6).map(|it| (it, 70.0)).collect();
        for has_effect in [false, true] {
            let mut before = (true, 6, true);
            for width in (0..2400).rev().map(|width| width as f32) {
                let x = Rangef::new(252.0, 252.0 + width);
                let all = columns(x, 130.0, &figures, has_effect, 38.0);
                for pair in all.windows(2) {
                    assert!(pair[0].1.max <= pair[1].1.min + 1.0, "{width}: {all:?}");
                }
                let is_narrow = width < 2.0 * INSET + LEAST_NAME;
                let last = all[all.len() - 1].1.max;
                assert!(is_narrow || last <= x.max - INSET + 1.0, "{width}: {all:?}");
                let has = |column| all.iter().any(|it| it.0 == column);
                let is_figure = |it: &&(Column, Rangef)| matches!(it.0, Column::Figure(_));
                let count = all.iter().filter(is_figure).count();
                let parts = (has(Column::Times), count, has(Column::Crowd));
                assert!(parts <= before, "{width}: {parts:?} after {before:?}");
                before = parts;
            }
            assert_eq!(before, (false, 0, false));
        }
    }
}
