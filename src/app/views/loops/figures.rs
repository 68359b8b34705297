//! Figures of one loop on one machine, above and below its lane.

use crate::app::widgets::projectile_track;
use crate::app::widgets::theme;
use egui::text::LayoutJob;
use egui::{Align2, Painter, Rect, pos2};
use headless::experiment::loop_race::LoopStats;
use headless::text::format;

/// Names of a lane's figures, the gap between figures, and the gap before a name, from the widest to the narrowest.
const NAMES: [(&[&str], f32, f32); 4] = [
    (
        &["frames/s", "updates/frame", "ms step", "% busy"],
        14.0,
        4.0,
    ),
    (&["fps", "updates", "ms", "% busy"], 10.0, 4.0),
    (&["fps", "upd", "ms", "% busy"], 4.0, 2.0),
    (&["fps", "upd", "ms", "%"], 3.0, 1.5),
];

/// Paints the projectile's error and the game's speed above the lane, and the other figures below it.
pub fn paint(painter: &Painter, cell: Rect, stats: Option<&LoopStats>, is_paused: bool) {
    let above = cell.top() + 16.0;
    let Some(stats) = stats else {
        let at = pos2(cell.left(), above);
        let font = theme::text(12.0);
        let words = if is_paused { "paused" } else { "measuring" };
        painter.text(at, Align2::LEFT_CENTER, words, font, theme::DIM);
        return;
    };
    error_and_speed(painter, cell, above, stats);
    let values = [
        format::number(stats.fps),
        format!("{:.2}", stats.updates),
        format::number(stats.step.as_millis_f64()),
        format!("{:.0}", stats.busy * 100.0),
    ];
    let rows = NAMES.map(|(names, gap, name_gap)| {
        let mut job = LayoutJob::default();
        for (index, (value, name)) in values.iter().zip(names).enumerate() {
            let before = if index > 0 { gap } else { 0.0 };
            let format = |font, ink| egui::TextFormat {
                valign: egui::Align::Center,
                ..egui::TextFormat::simple(font, ink)
            };
            job.append(value, before, format(theme::mono(11.5), theme::BRIGHT));
            job.append(name, name_gap, format(theme::text(11.5), theme::DIM));
        }
        painter.layout_job(job)
    });
    let fits = rows.iter().find(|row| row.size().x <= cell.width());
    if let Some(row) = fits.or(rows.last()) {
        let at = pos2(cell.left(), cell.bottom() - 12.0 - row.size().y / 2.0);
        let inside = painter.with_clip_rect(cell.intersect(painter.clip_rect()));
        inside.galley(at, row.clone(), theme::DIM);
    }
}

/// Paints the error on the left and the speed on the right, in as many words as fit.
fn error_and_speed(painter: &Painter, cell: Rect, above: f32, stats: &LoopStats) {
    const GAP: f32 = 6.0;
    let lateness = format::lateness(stats.error_nanos);
    let left = pos2(cell.left(), above);
    let error = projectile_track::error(
        painter,
        left,
        Align2::LEFT_CENTER,
        stats.error_nanos,
        &lateness.size,
    );
    let ink = if stats.keeps_real_time() {
        theme::BRIGHT
    } else {
        theme::AMBER
    };
    let lay = |words: &str| painter.layout_no_wrap(words.to_owned(), theme::text(12.0), theme::DIM);
    let speed = format!("{:.2}×", stats.speed);
    let speed = painter.layout_no_wrap(speed, theme::mono(12.0), ink);
    let real_time = lay("real time");
    let [short, long] = [lateness.direction, lateness.from_real_time].map(lay);
    let room = cell.right() - (error.right() + GAP) - GAP - speed.size().x;
    let width = |galley: &egui::Galley| galley.size().x;
    let with_real_time = width(&real_time) + GAP;
    // The direction comes before the words after the speed, which are the same in every row.
    let (direction, is_speed_explained) = if width(&long) + with_real_time <= room {
        (long, true)
    } else {
        let is_speed_explained = width(&short) + with_real_time <= room;
        (short, is_speed_explained)
    };
    let mut end = cell.right();
    if is_speed_explained {
        end -= real_time.size().x;
        painter.galley(pos2(end, above - real_time.size().y / 2.0), real_time, ink);
        end -= GAP;
    }
    end -= speed.size().x;
    painter.galley(pos2(end, above - speed.size().y / 2.0), speed, ink);
    let at = pos2(error.right() + GAP, above - direction.size().y / 2.0);
    if at.x + direction.size().x + GAP <= end {
        painter.galley(at, direction, theme::DIM);
    }
}
