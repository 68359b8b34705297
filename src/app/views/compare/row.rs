//! A row of the table: a lane's name, capsules, plots, effect of the last disturbance, and figures.

use super::GAME_TIME;
use super::headings::RIGHT;
use super::plots::{self, PlotScale, RecentFrames};
use super::table_layout::{Columns, INSET, OUTLINE};
use crate::app::panels::status_line;
use crate::app::widgets::buttons::{keycap, keycap_width, warning};
use crate::app::widgets::{paint, theme};
use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Color32, Painter, Rangef, Rect, Stroke, pos2, vec2};
use headless::experiment::comparison::Effect;
use headless::stats::{Figure, Mark, Report};
use headless::text::format;

const NAME: f32 = 13.0;
const FIGURE: f32 = 12.0;
const SMALL_FIGURE: f32 = 10.5;
const EFFECT: f32 = 11.0;
const PUBLISHED: f32 = 9.5;
/// Space between a keycap and the name, and after the name.
const KEY_GAP: f32 = 9.0;
const AFTER_NAME: f32 = 10.0;
/// Words below the name of a strategy in its published form.
pub const AS_PUBLISHED: &str = "as published";
/// Distances from the middle of the row to the middle of these words, and to that of the name above them.
const PUBLISHED_BELOW: f32 = 7.5;
const NAME_ABOVE: f32 = 5.0;
/// Width of a mark with the space after it.
const MARK: f32 = 12.0;
/// Space above and below the capsules and plots.
const MARGIN: f32 = 3.0;

pub struct Row<'a> {
    pub rect: Rect,
    pub columns: &'a Columns,
    pub caps: &'a str,
    pub report: &'a Report,
    pub effect: Option<&'a Effect>,
    pub recent: RecentFrames<'a>,
    pub scale: &'a PlotScale,
    pub is_selected: bool,
    pub is_hovered: bool,
}

pub fn name_width(painter: &Painter, caps: &str, name: &str) -> f32 {
    let galley = painter.layout_no_wrap(name.to_owned(), theme::text(NAME), theme::TEXT);
    key_width(painter, caps) + galley.size().x + AFTER_NAME
}

fn key_width(painter: &Painter, caps: &str) -> f32 {
    let caps = if caps.is_empty() { "0" } else { caps };
    keycap_width(painter, caps) + KEY_GAP
}

pub fn capsules_in(row: Rect, columns: &Columns) -> Option<Rect> {
    let range = columns.crowd?;
    let y = row.y_range().shrink(MARGIN);
    let y = Rangef::new(y.min.round(), y.max.round());
    Some(Rect::from_x_y_ranges(range, y)).filter(Rect::is_positive)
}

impl Row<'_> {
    pub fn paint(&self, painter: &Painter, mark: impl Fn(&Figure) -> Mark) {
        let painter = &painter.with_clip_rect(self.rect.intersect(painter.clip_rect()));
        self.ground(painter);
        self.name(painter);
        let y = self.rect.y_range().shrink(MARGIN);
        if let Some([tasks, times]) = self.columns.plots {
            let [tasks, times] = [tasks, times].map(|x| Rect::from_x_y_ranges(x, y));
            plots::tasks(painter, tasks, &self.recent, self.scale);
            plots::times(painter, times, &self.recent, self.scale);
        }
        if let (Some(x), Some(effect)) = (self.columns.effect, self.effect) {
            self.effect(painter, x, effect);
        }
        for (figure, range) in &self.columns.figures {
            self.figure(painter, figure, *range, mark(figure));
        }
    }

    /// Paints the background of a selected row, or of the row under the pointer. The capsules are drawn before the
    /// interface, so their place stays free.
    fn ground(&self, painter: &Painter) {
        let rect = self.rect.shrink2(vec2(OUTLINE - 3.0, 0.0));
        let (ink, edge) = match (self.is_selected, self.is_hovered) {
            (true, _) => (theme::CHOSEN_ROW, theme::TEAL),
            (false, true) => (theme::BAR, theme::BAR),
            (false, false) => return,
        };
        let hole = capsules_in(self.rect, self.columns).unwrap_or(Rect::NOTHING);
        paint::paint_around(painter, hole, rect, |painter| {
            paint::card(painter, rect, ink, edge);
        });
    }

    fn name(&self, painter: &Painter) {
        let range = self.columns.name;
        let left = pos2(range.min, self.rect.center().y);
        keycap(painter, left, self.caps, self.is_selected);
        let at = left.x + key_width(painter, self.caps);
        let name = self.report.subject.strategy.name;
        let font = theme::text(NAME);
        let mut job = LayoutJob::simple_singleline(name.to_owned(), font, theme::BRIGHT);
        let room = (range.max - 2.0 - at).max(0.0);
        job.wrap = TextWrapping::truncate_at_width(room);
        let galley = painter.layout_job(job);
        let middle = if self.report.subject.defect.is_some() {
            let below = pos2(at, left.y + PUBLISHED_BELOW);
            let font = theme::text(PUBLISHED);
            painter.text(below, Align2::LEFT_CENTER, AS_PUBLISHED, font, theme::TEXT);
            left.y - NAME_ABOVE
        } else {
            left.y
        };
        let at = pos2(at, middle);
        paint::galley(painter, at, Align2::LEFT_CENTER, galley, theme::BRIGHT);
    }

    fn effect(&self, painter: &Painter, x: Rangef, effect: &Effect) {
        let lay = |points: f32| {
            let mut job = LayoutJob::default();
            status_line::add(&mut job, &[effect.in_short()], points);
            job.wrap.max_width = x.span();
            painter.layout_job(job)
        };
        let fits = |points: &f32| lay(*points).size().y <= self.rect.height();
        let points = [EFFECT, EFFECT - 1.0].into_iter().find(fits);
        let galley = lay(points.unwrap_or(EFFECT - 2.0));
        let at = pos2(x.min, self.rect.center().y);
        paint::galley(painter, at, Align2::LEFT_CENTER, galley, theme::TEXT);
    }

    fn figure(&self, painter: &Painter, figure: &Figure, range: Rangef, mark: Mark) {
        let (text, ink) = self.cell(figure, mark);
        let lay = |points| painter.layout_no_wrap(text.clone(), theme::mono(points), ink);
        let mark_width = if mark == Mark::None { 0.0 } else { MARK };
        let room = range.span() - RIGHT - mark_width;
        let whole = lay(FIGURE);
        let galley = if whole.size().x <= room {
            whole
        } else {
            lay(SMALL_FIGURE)
        };
        let right = pos2(range.max - RIGHT, self.rect.center().y);
        let text = paint::galley(painter, right, Align2::RIGHT_CENTER, galley, ink);
        let at = pos2(text.left() - MARK + 5.0, right.y);
        match mark {
            Mark::None => {}
            Mark::Best => {
                painter.circle_filled(at, 3.5, theme::TEAL);
            }
            Mark::Warning => warning(painter, at, 4.0),
        }
    }

    fn cell(&self, figure: &Figure, mark: Mark) -> (String, Color32) {
        let Some(value) = (figure.value)(self.report) else {
            return ("-".to_owned(), theme::DIM);
        };
        let is_slow = figure.is_game_time && !self.report.game_speed().keeps_real_time();
        let star = if is_slow { GAME_TIME } else { "" };
        let ink = match mark {
            Mark::None => theme::BRIGHT,
            Mark::Best => theme::TEAL,
            Mark::Warning => theme::AMBER,
        };
        (format!("{}{star}", written(value, figure.unit)), ink)
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

pub fn caption(painter: &Painter, rect: Rect, name: &str) {
    let at = pos2(rect.left() + INSET, rect.center().y);
    let font = theme::text(10.5);
    let end = painter.text(at, Align2::LEFT_CENTER, name, font, theme::DIM);
    let line = Rangef::new(end.right() + 10.0, rect.right() - INSET);
    let y = rect.center().y.round() + 0.5;
    if line.span() > 0.0 {
        painter.hline(line, y, Stroke::new(1.0, theme::LINE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_times_are_in_seconds() {
        assert_eq!(written(999.0, "ms"), "999 ms");
        assert_eq!(written(4_200.0, "ms"), "4.2 s");
        assert_eq!(written(60.0, "/s"), "60 /s");
        assert_eq!(written(12.6, "%"), "13 %");
        assert_eq!(written(1.0, ""), "1");
    }
}
