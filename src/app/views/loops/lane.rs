//! Paints one loop on one machine: its figures, the projectile, its positions in earlier frames, the updates and the
//! frames. If the loop interpolates, a second projectile shows the same pictures without interpolation.

use crate::app::widgets::projectile_track::{self, HALF, Track, bullet, ghost};
use crate::app::widgets::{paint, theme};
use egui::text::LayoutJob;
use egui::{
    Align2, Color32, CornerRadius, Galley, Mesh, Painter, Pos2, Rangef, Rect, Shape, Stroke, pos2,
    vec2,
};
use headless::experiment::loop_race::{Contestant, LoopStats, Sample};
use headless::sim::projectile::CROSSING;
use headless::text::format;

/// Minimum distance between positions in earlier frames, in points, to paint them as outlines. Closer ones are lines.
const APART: f32 = 9.0;
/// Number of parts into which grid lines divide a crossing. Each part is 0.2 s.
const GRID: usize = 10;
/// Height of the projectile in its area, from the top: alone, with interpolation, and without it.
const ALONE: f32 = 0.42;
const INTERPOLATED: f32 = 0.26;
const NOT_INTERPOLATED: f32 = 0.62;
/// Minimum height of the area for the names of both projectiles.
const WITH_NAMES: f32 = 40.0;
/// Minimum distance between the projectile's centre and the name of its track.
const BEFORE_NAME: f32 = 16.0;

/// Names of a lane's figures, the gap between figures, and the gap before a name, from the widest to the narrowest.
const NAMES: [([&str; 4], f32, f32); 4] = [
    (
        ["frames/s", "updates/frame", "ms step", "% busy"],
        14.0,
        4.0,
    ),
    (["fps", "updates", "ms", "% busy"], 10.0, 4.0),
    (["fps", "upd", "ms", "% busy"], 4.0, 2.0),
    (["fps", "upd", "ms", "%"], 3.0, 1.5),
];

/// Paints the projectile's error and the game's speed above the lane, and the other figures below it.
pub fn figures(painter: &Painter, cell: Rect, stats: Option<&LoopStats>, is_paused: bool) {
    let above = cell.top() + 16.0;
    let Some(stats) = stats else {
        let words = if is_paused { "paused" } else { "measuring" };
        paint::left(painter, pos2(cell.left(), above), words, 12.0, theme::DIM);
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
        for (value, name) in values.iter().zip(names) {
            let before = if job.is_empty() { 0.0 } else { gap };
            job.append(
                value,
                before,
                paint::centred(theme::mono(11.5), theme::BRIGHT),
            );
            job.append(
                name,
                name_gap,
                paint::centred(theme::text(11.5), theme::DIM),
            );
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
    let (left, error) = (pos2(cell.left(), above), stats.error_nanos);
    let align = Align2::LEFT_CENTER;
    let error = projectile_track::error(painter, left, align, error, &lateness.size);
    let is_off = !stats.keeps_real_time();
    let ink = if is_off { theme::AMBER } else { theme::BRIGHT };
    let lay = |words: &str| painter.layout_no_wrap(words.to_owned(), theme::text(12.0), theme::DIM);
    let speed = painter.layout_no_wrap(format!("{:.2}×", stats.speed), theme::mono(12.0), ink);
    let real_time = lay("real time");
    let [short, long] = [lateness.direction, lateness.from_real_time].map(lay);
    let width = |galley: &Galley| galley.size().x;
    let room = cell.right() - (error.right() + GAP) - GAP - width(&speed);
    let with_real_time = width(&real_time) + GAP;
    // The direction comes before the words after the speed, which are the same in every row.
    let fits = |direction: &Galley| width(direction) + with_real_time <= room;
    let direction = if fits(&long) { long } else { short };
    let mut end = cell.right();
    if fits(&direction) {
        end -= width(&real_time);
        painter.galley(pos2(end, above - real_time.size().y / 2.0), real_time, ink);
        end -= GAP;
    }
    end -= width(&speed);
    painter.galley(pos2(end, above - speed.size().y / 2.0), speed, ink);
    let at = pos2(error.right() + GAP, above - direction.size().y / 2.0);
    if at.x + width(&direction) + GAP <= end {
        painter.galley(at, direction, theme::DIM);
    }
}

/// Paints the lane between the figures at the top and bottom of `cell`.
pub fn paint(painter: &Painter, cell: Rect, contestant: &Contestant) {
    let middle = Rect::from_x_y_ranges(
        cell.x_range(),
        cell.top() + 28.0..=(cell.bottom() - 24.0).max(cell.top() + 30.0),
    );
    // The frames are at the bottom. They are at most as high as their digits need.
    let frames_high = (middle.height() * 0.28).min(18.0);
    let area = middle.with_max_y(middle.bottom() - frames_high - 4.0);
    let frames = middle.with_min_y(middle.bottom() - frames_high);
    let interpolates = contestant.interpolates();
    let track = |height: f32| Track {
        left: area.left() + 12.0,
        right: area.right() - 12.0,
        y: area.top() + area.height() * height,
    };
    let last_updates = interpolates.then(|| track(NOT_INTERPOLATED));
    let track = track(if interpolates { INTERPOLATED } else { ALONE });
    painter.rect_filled(area, CornerRadius::same(4), theme::WELL);
    for line in 1..GRID {
        let x = track.x(line as f64 / GRID as f64).round() + 0.5;
        painter.vline(x, area.y_range(), Stroke::new(1.0, theme::LINE));
    }
    let Some(last) = contestant.samples.back() else {
        return;
    };
    let crossing = contestant.samples.iter().rev();
    let crossing = crossing.take_while(|sample| sample.sight.crossing == last.sight.crossing);
    let crossing: Vec<&Sample> = crossing.collect();
    let inside = painter.with_clip_rect(area.expand2(vec2(2.0, 0.0)));
    if let Some(last_updates) = last_updates.filter(|_| area.height() >= WITH_NAMES) {
        // The drawn and the real position may be far apart, so a name gives way to both.
        let reached = last.sight.drawn.max(last.sight.truth);
        name(&inside, area, &track, reached, "interpolated");
        name(&inside, area, &last_updates, reached, NAME_WITHOUT);
    }
    updates(&inside, area, &track, &crossing);
    ghosts(&inside, area, &track, &crossing, |sample| {
        sample.sight.drawn
    });
    if let Some(track) = &last_updates {
        ghosts(&inside, area, track, &crossing, |sample| sample.updated);
    }
    strip(painter, frames, &track, &crossing);
    for sample in crossing.iter().filter(|sample| sample.is_disturbed) {
        let x = track.x(sample.sight.truth).round() - 0.5;
        let height = area.union(frames).y_range();
        painter.vline(x, height, Stroke::new(1.0, theme::BRIGHT));
    }
    let truth = track.x(last.sight.truth).round() + 0.5;
    inside.vline(truth, area.y_range(), Stroke::new(2.0, theme::TEAL));
    if let Some(track) = last_updates {
        bullet(&inside, pos2(track.x(last.updated), track.y), theme::DIM);
    }
    track.paint(&inside, &last.sight, area.right());
}

/// Paints the name of a projectile at the right end of its track until the picture has `reached` it.
fn name(painter: &Painter, area: Rect, track: &Track, reached: f64, name: &str) {
    let galley = painter.layout_no_wrap(name.to_owned(), theme::text(10.5), theme::DIM);
    let at = pos2(area.right() - 8.0, track.y) - vec2(galley.size().x, galley.size().y / 2.0);
    if track.x(reached) + BEFORE_NAME <= at.x {
        painter.galley(at, galley, theme::DIM);
    }
}

/// Paints a tick at the bottom of the area for each update, at the position that the update reached.
fn updates(painter: &Painter, area: Rect, track: &Track, crossing: &[&Sample]) {
    let mut mesh = Mesh::default();
    let high = Rangef::new(area.bottom() - 9.0, area.bottom() - 2.0);
    for sample in crossing {
        let (newest, step) = (sample.updated, sample.step);
        track.updates(&mut mesh, newest, step, sample.updates, high, theme::TEXT);
    }
    painter.add(Shape::mesh(mesh));
}

/// Paints the positions in earlier frames: outlines, or lines if outlines would overlap.
fn ghosts(
    painter: &Painter,
    area: Rect,
    track: &Track,
    crossing: &[&Sample],
    position: impl Fn(&Sample) -> f64,
) {
    let mut last_x = f32::NAN;
    let mut lines = Mesh::default();
    for pair in crossing.windows(2) {
        let [newer, sample] = [pair[0], pair[1]];
        let x = track.x(position(sample));
        if x > area.right() + HALF.x || (x - last_x).abs() < 2.0 {
            continue;
        }
        last_x = x;
        let age = (newer.sight.truth - sample.sight.truth).abs();
        let fresh =
            1.0 - ((crossing[0].sight.truth - sample.sight.truth) * 1.2).clamp(0.0, 0.75) as f32;
        let ink = theme::DIM.gamma_multiply(fresh);
        if track.x(age) - track.left >= APART {
            ghost(painter, pos2(x, track.y), ink);
        } else {
            let size = vec2(1.0, HALF.y * 2.0);
            let line = Rect::from_center_size(pos2(x.round() + 0.5, track.y), size);
            lines.add_colored_rect(line, ink);
        }
    }
    painter.add(Shape::mesh(lines));
}

/// Paints each frame as a block. Its width shows the frame's length, and its colour the number of updates.
fn strip(painter: &Painter, strip: Rect, track: &Track, crossing: &[&Sample]) {
    let mut mesh = Mesh::default();
    let began = crossing.last().map_or(0.0, |first| first.sight.truth);
    for sample in crossing {
        let length = (sample.end - sample.start).over(CROSSING);
        let left = track.x(sample.sight.truth.max(began));
        let right = track.x((sample.sight.truth + length).min(1.0));
        let gap = if right - left > 4.0 { 1.0 } else { 0.0 };
        let block = Rect::from_x_y_ranges(left..=(right - gap).max(left + 0.5), strip.y_range());
        mesh.add_colored_rect(block, shade(sample.updates));
        if block.width() >= 9.0 && strip.height() >= 12.0 {
            painter.add(Shape::mesh(std::mem::take(&mut mesh)));
            count(painter, block, sample.updates, "");
        }
    }
    painter.add(Shape::mesh(mesh));
}

/// Paints a number of updates in the middle of its block.
fn count(painter: &Painter, block: Rect, updates: u32, more: &str) {
    let is_light = updates > 1;
    let ink = if is_light {
        theme::FLOOR
    } else {
        theme::BRIGHT
    };
    let (center, text) = (block.center(), format!("{updates}{more}"));
    painter.text(center, Align2::CENTER_CENTER, text, theme::mono(10.0), ink);
}

/// Returns the colour for a number of updates: lighter for more.
fn shade(updates: u32) -> Color32 {
    theme::UPDATES[(updates as usize).min(theme::UPDATES.len() - 1)]
}

/// Paints a sign from its left end and returns its right end.
type Sign = fn(&Painter, Pos2) -> f32;

/// Name of the projectile that is drawn at the last update.
const NAME_WITHOUT: &str = "not interpolated";

/// Signs of this view and their meaning.
pub const SIGNS: [(Sign, &str); 6] = [
    (
        |painter, left| tick(painter, left, 7.0, 2.0, theme::TEAL) + 1.0,
        "real-time position",
    ),
    (
        |painter, left| sign(painter, left, bullet, theme::BRIGHT),
        "drawn position",
    ),
    (
        |painter, left| sign(painter, left, bullet, theme::DIM),
        NAME_WITHOUT,
    ),
    (
        |painter, left| sign(painter, left, ghost, theme::DIM),
        "earlier frames",
    ),
    (
        |painter, left| tick(painter, left, 4.0, 1.0, theme::TEXT),
        "update",
    ),
    (sign_frames, "updates per frame"),
];

fn sign(painter: &Painter, left: Pos2, paint: fn(&Painter, Pos2, Color32), ink: Color32) -> f32 {
    paint(painter, left + vec2(HALF.x, 0.0), ink);
    left.x + 2.0 * HALF.x
}

fn tick(painter: &Painter, left: Pos2, half_height: f32, width: f32, ink: Color32) -> f32 {
    let y = left.y - half_height..=left.y + half_height;
    painter.vline(left.x + width / 2.0, y, Stroke::new(width, ink));
    left.x + width
}

fn sign_frames(painter: &Painter, left: Pos2) -> f32 {
    let mut x = left.x;
    for (updates, ground) in theme::UPDATES.into_iter().enumerate() {
        let place = Rect::from_min_size(pos2(x, left.y - 7.0), vec2(17.0, 14.0));
        painter.rect_filled(place, CornerRadius::same(2), ground);
        let is_last = updates + 1 == theme::UPDATES.len();
        let more = if is_last { "+" } else { "" };
        count(painter, place, updates as u32, more);
        x += 19.0;
    }
    x - 2.0
}
