//! A card of the Compare view: a lane's capsules, recent frames, figures and verdict.

mod bars;
mod figures;

pub use bars::{BarScale, RecentFrames};
pub use figures::{GAME_TIME, show as figures, written};

use crate::app::input::bindings::{Binding, caps_of};
use crate::app::panels::status_line;
use crate::app::state::command::Command;
use crate::app::widgets::buttons::keycap;
use crate::app::widgets::theme;
use crate::experiment::comparison::Effect;
use crate::stats;
use crate::stats::Report;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Align2, CornerRadius, Galley, Painter, Rect, Stroke, StrokeKind, pos2, vec2};
use std::sync::Arc;

const INSET: f32 = 12.0;
const TITLE: f32 = 30.0;
/// Height of a figure with its name above it.
const FIGURE: f32 = 29.0;
/// Height of the effect of the last disturbance, one line.
const EFFECT: f32 = 16.0;
/// Height of the verdict, two lines.
const VERDICT: f32 = 36.0;
/// Minimum height of a card, and its number of rows of figures. A lower card has one row.
const ROWS: [(f32, usize); 3] = [(380.0, 4), (210.0, 3), (190.0, 2)];

/// Minimum height of capsules and bars together. If there is less, the card shows only the capsules.
const WITH_BARS: f32 = 56.0;

/// Returns the count of the first step that `size` reaches, or 1 if it reaches none.
fn fitting(steps: &[(f32, usize)], size: f32) -> usize {
    let found = steps.iter().find(|(from, _)| size >= *from);
    found.map_or(1, |(_, count)| *count)
}

/// Returns the number of rows of figures in a card.
fn rows(card: Rect) -> usize {
    fitting(&ROWS, card.height())
}

/// Returns the key that opens a lane, or an empty string.
pub fn caps<'a>(report: &Report, bindings: &'a [Binding]) -> &'a str {
    caps_of(bindings, Command::Strategy(report.subject.strategy))
}

/// Areas of a card, from the top.
struct CardAreas {
    capsules: Rect,
    tasks: Rect,
    times: Rect,
    figures: Rect,
    effect: Rect,
    verdict: Rect,
}

impl CardAreas {
    fn of(card: Rect) -> Self {
        let inner = card.shrink2(vec2(INSET, 0.0));
        let figures = rows(card) as f32 * FIGURE;
        let free = (card.height() - TITLE - figures - EFFECT - VERDICT).max(0.0);
        let [capsules, bars] = if free >= WITH_BARS {
            [free * 0.56, free * 0.22]
        } else {
            [free, 0.0]
        };
        let heights = [capsules, bars, bars, figures, EFFECT, VERDICT];
        let mut top = card.top() + TITLE;
        let [capsules, tasks, times, figures, effect, verdict] = heights.map(|height| {
            let part = Rect::from_x_y_ranges(inner.x_range(), top..=top + height);
            top += height;
            part
        });
        Self {
            capsules: rounded(capsules.expand2(vec2(INSET - 1.0, 0.0))),
            tasks,
            times,
            figures,
            effect,
            verdict,
        }
    }
}

/// Rounds the corners to whole points.
fn rounded(rect: Rect) -> Rect {
    Rect::from_min_max(rect.min.round(), rect.max.round())
}

/// Returns the area of a card's capsules.
pub fn capsules_in(card: Rect) -> Rect {
    CardAreas::of(card).capsules
}

/// Paints the card, except the figures.
pub fn paint(
    painter: &Painter,
    card: Rect,
    caps: &str,
    report: &Report,
    recent: &RecentFrames<'_>,
    scale: &BarScale,
) {
    let painter = &painter.with_clip_rect(card.intersect(painter.clip_rect()));
    let areas = CardAreas::of(card);
    let above = card.with_max_y(areas.capsules.top());
    let below = card.with_min_y(areas.capsules.bottom());
    let round = theme::RADIUS;
    let corners = |top: u8, bottom: u8| CornerRadius {
        nw: top,
        ne: top,
        sw: bottom,
        se: bottom,
    };
    painter.rect_filled(above, corners(round, 0), theme::BAR);
    painter.rect_filled(below, corners(0, round), theme::BAR);
    let edge = Stroke::new(1.0, theme::LINE);
    painter.rect_stroke(card, corners(round, round), edge, StrokeKind::Inside);

    let name = report.subject.strategy.name;
    let left = pos2(card.left() + INSET, card.top() + TITLE / 2.0);
    let end = keycap(painter, left, caps, false);
    let at = pos2(end + 8.0, left.y);
    painter.text(
        at,
        Align2::LEFT_CENTER,
        name,
        theme::text(13.5),
        theme::BRIGHT,
    );
    // The mark of game times, why tasks have their interval, what the strategy promises: the first that has room.
    let is_slow = !report.game_speed().keeps_real_time();
    let mark = is_slow.then(|| format!("{GAME_TIME} game time"));
    let round = stats::round(report).map(|round| round.to_string());
    let promise = Some(report.promise_in_words());
    for remark in [mark, round, promise].into_iter().flatten() {
        let galley = painter.layout_no_wrap(remark, theme::text(11.0), theme::DIM);
        let right = card.right() - INSET - galley.size().x;
        if right > end + 110.0 {
            let at = pos2(right, left.y - galley.size().y / 2.0);
            painter.galley(at, galley, theme::DIM);
            break;
        }
    }
    if areas.tasks.height() > 0.0 {
        bars::paint(painter, [areas.tasks, areas.times], recent, scale);
    }
    verdict(painter, areas.verdict, report);
}

/// Paints the effect of the disturbance `name`. In a narrow card, leaves out the name and reduces the text.
/// Returns the place of the text.
pub fn effect(painter: &Painter, card: Rect, name: &str, effect: &Effect) -> Rect {
    let part = CardAreas::of(card).effect;
    let clause = [effect.in_short()];
    let lay = |name: &str, points: f32| {
        let mut job = LayoutJob::default();
        let format = TextFormat::simple(theme::text(points), theme::DIM);
        job.append(name, 0.0, format);
        status_line::add(&mut job, &clause, points);
        painter.layout_job(job)
    };
    let name = format!("{name}: ");
    let mut sizes = [(&*name, 11.5), ("", 11.5), ("", 10.5), ("", 9.5)].into_iter();
    let fits = |galley: &Arc<Galley>| galley.size().x <= part.width();
    let fitting = sizes.find_map(|(name, points)| Some(lay(name, points)).filter(fits));
    let galley = fitting.unwrap_or_else(|| lay("", 8.5));
    let at = pos2(part.left(), part.center().y - galley.size().y / 2.0);
    let place = Rect::from_min_size(at, galley.size());
    painter.galley(at, galley, theme::TEXT);
    place
}

fn verdict(painter: &Painter, part: Rect, report: &Report) {
    let verdict = stats::verdict(report);
    let lay = |count: usize, max_rows: usize| {
        let mut job = LayoutJob {
            wrap: TextWrapping {
                max_width: part.width(),
                max_rows,
                ..TextWrapping::default()
            },
            ..LayoutJob::default()
        };
        status_line::add(&mut job, &verdict.clauses[..count], 11.5);
        painter.layout_job(job)
    };
    let whole = |count| lay(count, usize::MAX);
    let fits = |galley: &Galley| galley.rows.len() <= 2;
    let galley = status_line::fitting(verdict.clauses.len(), whole, fits)
        .unwrap_or_else(|| lay(verdict.clauses.len().min(1), 2)); // only the first clause, cut
    let at = pos2(part.left(), part.center().y - galley.size().y / 2.0 - 2.0);
    painter.galley(at, galley, theme::TEXT);
}

#[cfg(test)]
mod tests {
    use super::bars::bars_in;
    use super::*;

    #[test]
    fn areas_are_stacked_inside_their_card() {
        for size in [
            vec2(120.0, 125.0),
            vec2(120.0, 150.0),
            vec2(200.0, 200.0),
            vec2(240.0, 310.0),
            vec2(600.0, 700.0),
        ] {
            let card = Rect::from_min_size(pos2(10.0, 20.0), size);
            let areas = CardAreas::of(card);
            let all = [
                areas.capsules,
                areas.tasks,
                areas.times,
                areas.figures,
                areas.effect,
                areas.verdict,
            ];
            for pair in all.windows(2) {
                assert!(pair[0].bottom() <= pair[1].top() + 1.0, "{size:?}");
            }
            let bars = areas.tasks.height();
            assert!(
                bars == 0.0 || bars_in(areas.tasks).is_positive(),
                "{size:?}"
            );
            assert!(areas.capsules.is_positive(), "{size:?}");
            assert!(areas.verdict.bottom() <= card.bottom() + 0.1, "{size:?}");
            assert!(areas.capsules.top() >= card.top());
            assert!(areas.capsules.left() >= card.left() && areas.capsules.right() <= card.right());
        }
    }
}
