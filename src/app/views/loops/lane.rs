//! Paints one lane of the Loops view, which shows a frame loop on one machine. A lane contains some metrics, the flying
//! projectile with its earlier positions, and marks for the updates and frames. If the frame loop extrapolates or
//! interpolates the projectile's position, a grey projectile shows the position at the last update.

use crate::app::widgets::projectile_track::{self, HALF, Track, bullet, ghost};
use crate::app::widgets::{paint, theme};
use egui::text::LayoutJob;
use egui::{Align2, Color32, Mesh, Painter, Pos2, Rangef, Rect, Shape, Stroke, pos2, vec2};
use lab::comparison::loops::{LoopMachine, LoopStats, Sample};
use lab::sim::projectile::{LAP, height};
use lab::text::format;
use timeslicer::frame_loop::BetweenUpdates;

/// If the projectile moves at least this distance per frame, in points, its earlier positions are painted as outlines.
/// Otherwise, they are painted as lines.
const MIN_OUTLINE_DISTANCE: f32 = 9.0;
const GRID_SECTIONS: usize = 10;
/// The distance from the top of the lane to the floor, as a fraction of the lane's height. The space below the floor is
/// needed because some frame loops draw the projectile below the floor before it bounces.
const RELATIVE_FLOOR_Y: f32 = 0.66;
const MIN_LANE_HEIGHT_FOR_NAME: f32 = 40.0;
const MIN_DISTANCE_TO_NAME: f32 = 16.0;
const PATH_POINTS: u32 = 200;
const TEXT_SIZE: f32 = 12.0;
const METRICS_SIZE: f32 = 11.5;
const WORD_GAP: f32 = 6.0;

/// Paints the metrics of a lane. The first line shows how late or early the projectile is drawn, and the game speed.
/// The line at the bottom shows the other metrics.
pub fn paint_metrics(painter: &Painter, cell: Rect, stats: Option<&LoopStats>, is_paused: bool) {
    let above = cell.top() + 16.0;
    let Some(stats) = stats else {
        let words = if is_paused { "paused" } else { "measuring" };
        paint::left(
            painter,
            pos2(cell.left(), above),
            words,
            TEXT_SIZE,
            theme::DIM,
        );
        return;
    };
    error_and_speed(painter, cell, above, stats);
    let values = [
        format::number(stats.fps),
        format!("{:.2}", stats.updates),
        format::number(stats.step.as_millis_f64()),
        format!("{:.0}", stats.busy * 100.0),
    ];
    let (value_font, name_font) = (theme::mono(METRICS_SIZE), theme::text(METRICS_SIZE));
    let lay = |names: &[&str], gap: f32, before_name: f32| {
        let mut job = LayoutJob::default();
        for (value, name) in values.iter().zip(names.iter().copied()) {
            let before = if job.is_empty() { 0.0 } else { gap };
            let format = paint::centred(value_font.clone(), theme::BRIGHT);
            job.append(value, before, format);
            let format = paint::centred(name_font.clone(), theme::DIM);
            job.append(name, before_name, format);
        }
        painter.layout_job(job)
    };
    let mut row = lay(
        &["frames/s", "updates/frame", "ms step", "% busy"],
        14.0,
        4.0,
    );
    for count in (1..=values.len()).rev() {
        if row.size().x > cell.width() {
            row = lay(&["fps", "upd", "ms", "%"][..count], 3.0, 1.5);
        }
    }
    let at = pos2(cell.left(), cell.bottom() - 12.0 - row.size().y / 2.0);
    let inside = painter.with_clip_rect(cell.intersect(painter.clip_rect()));
    inside.galley(at, row, theme::DIM);
}

/// Paints the first line of a lane's metrics. The left side shows how late or early the projectile is drawn, and the
/// right side shows the game speed. If space is short, some of the text is left out.
fn error_and_speed(painter: &Painter, cell: Rect, above: f32, stats: &LoopStats) {
    let (size, directions) = format::lateness(stats.error_nanos);
    let (left, nanos) = (pos2(cell.left(), above), stats.error_nanos);
    let align = Align2::LEFT_CENTER;
    let error = projectile_track::error(painter, left, align, nanos, &size);
    let is_off = !stats.keeps_real_time();
    let ink = if is_off { theme::AMBER } else { theme::BRIGHT };
    let lay = |words: &str, font| painter.layout_no_wrap(words.to_owned(), font, ink);
    let width = |words: &str| lay(words, theme::text(TEXT_SIZE)).size().x;
    let speed = lay(&format!("{:.2}×", stats.speed), theme::mono(TEXT_SIZE));
    let (begin, mut end) = (error.right() + WORD_GAP, pos2(cell.right(), above));
    let real_time = width("real time") + WORD_GAP;
    // If space is short, drop "real time" first, because it is the same in every row.
    let least = width(directions[1]) + WORD_GAP + speed.size().x + real_time;
    if begin + least <= end.x {
        paint::right(painter, end, "real time", TEXT_SIZE, theme::DIM);
        end.x -= real_time;
    }
    if begin + speed.size().x > end.x {
        return;
    }
    let speed = paint::galley(painter, end, Align2::RIGHT_CENTER, speed, ink);
    let fits = |words: &&str| begin + width(words) + WORD_GAP <= speed.left();
    if let Some(direction) = directions.into_iter().find(fits) {
        paint::left(
            painter,
            pos2(begin, above),
            direction,
            TEXT_SIZE,
            theme::DIM,
        );
    }
}

/// Paints the lane in the area between the metrics at the top and at the bottom of `cell`.
pub fn paint(painter: &Painter, cell: Rect, loop_machine: &LoopMachine) {
    let top = cell.top() + 28.0;
    let bottom = (cell.bottom() - 24.0).max(top + 2.0);
    let high = bottom - top;
    // The frames at the bottom are only as high as their digits need, and shorter if the projectile needs the room.
    let frames_high = (0.4 * high - 9.0).max(0.1 * high).min(18.0);
    let gap = (0.1 * high).min(4.0);
    let frames = Rect::from_x_y_ranges(cell.x_range(), bottom - frames_high..=bottom);
    let area = Rect::from_x_y_ranges(cell.x_range(), top..=frames.top() - gap);
    let to_floor = RELATIVE_FLOOR_Y * area.height();
    let track = Track {
        left: area.left() + 12.0,
        right: area.right() - 12.0,
        floor: area.top() + to_floor,
        rise: (to_floor - HALF.y - 2.0).max(0.0),
    };
    painter.rect_filled(area, 4.0, theme::WELL);
    for line in 1..GRID_SECTIONS {
        let x = track.x(line as f64 / GRID_SECTIONS as f64).round() + 0.5;
        painter.vline(x, area.y_range(), (1.0, theme::LINE));
    }
    track.paint_floor(painter);
    let positions = (0..=PATH_POINTS).map(|point| f64::from(point) / f64::from(PATH_POINTS));
    let path = positions.map(|position| track.point(position, height(position)));
    let stroke = Stroke::new(1.0, theme::TEAL.gamma_multiply(0.3));
    painter.add(Shape::line(path.collect(), stroke));
    let Some(last) = loop_machine.samples.back() else {
        return;
    };
    let lap = loop_machine.samples.iter().rev();
    let lap = lap.take_while(|sample| sample.sight.lap == last.sight.lap);
    let lap: Vec<&Sample> = lap.collect();
    let inside = painter.with_clip_rect(area.expand2(vec2(2.0, 0.0)));
    let mut ticks = Mesh::default();
    let high = Rangef::new(area.bottom() - 9.0, area.bottom() - 2.0);
    for sample in &lap {
        let (newest, step) = (sample.sight.updated, sample.step);
        track.updates(&mut ticks, newest, step, sample.updates, high, theme::TEXT);
    }
    inside.add(Shape::mesh(ticks));
    paint_earlier_positions(&inside, area, &track, &lap);
    let between_updates = loop_machine.between_updates();
    if let Some(between_updates) = between_updates
        && area.height() >= MIN_LANE_HEIGHT_FOR_NAME
    {
        // The drawn position and the real one may be far apart, so hide the name if either reaches it.
        let reached = track.x(last.sight.drawn.max(last.sight.truth)) + MIN_DISTANCE_TO_NAME;
        paint_name(&inside, area, reached, name_of(between_updates));
    }
    paint_frames(painter, frames, &track, &lap);
    for sample in lap.iter().filter(|sample| sample.is_disturbed) {
        let x = track.x(sample.sight.truth).round() - 0.5;
        let height = area.union(frames).y_range();
        painter.vline(x, height, (1.0, theme::BRIGHT));
    }
    let truth = track.x(last.sight.truth).round() + 0.5;
    inside.vline(truth, area.y_range(), (2.0, theme::TEAL));
    if between_updates.is_some_and(|it| it != BetweenUpdates::LastUpdate) {
        let position = last.sight.updated;
        bullet(&inside, track.point(position, height(position)), theme::DIM);
    }
    track.paint(&inside, &last.sight, area.right());
}

fn name_of(between_updates: BetweenUpdates) -> &'static str {
    match between_updates {
        BetweenUpdates::LastUpdate => "last update",
        BetweenUpdates::Extrapolated => "extrapolated",
        BetweenUpdates::Interpolated => "interpolated",
    }
}

/// Paints a name at the right end of the track. The name is left out if it would overlap the projectile, whose right
/// edge is at `projectile_right`.
fn paint_name(painter: &Painter, area: Rect, projectile_right: f32, name: &str) {
    let galley = painter.layout_no_wrap(name.to_owned(), theme::text(10.5), theme::DIM);
    if projectile_right <= area.right() - 8.0 - galley.size().x {
        let at = pos2(area.right() - 8.0, area.bottom() - 7.0);
        paint::galley(painter, at, Align2::RIGHT_CENTER, galley, theme::DIM);
    }
}

/// Paints the projectile's positions in earlier frames as outlines, or as lines if the outlines would overlap.
/// Positions below the floor are amber.
fn paint_earlier_positions(painter: &Painter, area: Rect, track: &Track, lap: &[&Sample]) {
    let mut last_x = f32::NAN;
    let mut lines = Mesh::default();
    for pair in lap.windows(2) {
        let [newer, sample] = [pair[0], pair[1]];
        let at = track.point(sample.sight.drawn, sample.sight.height);
        let x = at.x;
        if x > area.right() + HALF.x || (x - last_x).abs() < 2.0 {
            continue;
        }
        last_x = x;
        let age = lap[0].sight.truth - sample.sight.truth;
        let ink = if sample.sight.overshoot() > 0.0 {
            theme::AMBER
        } else {
            theme::DIM
        };
        let ink = ink.gamma_multiply(1.0 - (age * 1.2).clamp(0.0, 0.75) as f32);
        let apart = (newer.sight.truth - sample.sight.truth).abs();
        if track.x(apart) - track.left >= MIN_OUTLINE_DISTANCE {
            ghost(painter, at, ink);
        } else {
            let size = vec2(1.0, HALF.y * 2.0);
            let line = Rect::from_center_size(pos2(x.round() + 0.5, at.y), size);
            lines.add_colored_rect(line, ink);
        }
    }
    painter.add(Shape::mesh(lines));
}

/// Paints each frame as a block whose width shows the frame time and whose colour shows the number of updates.
fn paint_frames(painter: &Painter, strip: Rect, track: &Track, lap: &[&Sample]) {
    let mut mesh = Mesh::default();
    let began = lap.last().map_or(0.0, |first| first.sight.truth);
    for sample in lap {
        let length = (sample.end - sample.start).over(LAP);
        let left = track.x(sample.sight.truth.max(began));
        let right = track.x((sample.sight.truth + length).min(1.0));
        let gap = if right - left > 4.0 { 1.0 } else { 0.0 };
        let block = Rect::from_x_y_ranges(left..=(right - gap).max(left + 0.5), strip.y_range());
        mesh.add_colored_rect(block, update_colour(sample.updates));
        if block.width() >= 9.0 && strip.height() >= 12.0 {
            painter.add(Shape::mesh(std::mem::take(&mut mesh)));
            paint_update_count(painter, block, sample.updates, "");
        }
    }
    painter.add(Shape::mesh(mesh));
}

fn paint_update_count(painter: &Painter, block: Rect, updates: u32, more: &str) {
    let ink = if updates > 1 {
        theme::FLOOR
    } else {
        theme::BRIGHT
    };
    let (center, text) = (block.center(), format!("{updates}{more}"));
    painter.text(center, Align2::CENTER_CENTER, text, theme::mono(10.0), ink);
}

/// Returns the colour of a frame with the given number of updates. Frames with more updates are lighter.
fn update_colour(updates: u32) -> Color32 {
    theme::UPDATES[(updates as usize).min(theme::UPDATES.len() - 1)]
}

/// Paints the legend of the Loops view. Entries that would extend beyond `right` are left out.
pub fn legend(painter: &Painter, mut at: Pos2, right: f32) {
    let mut icon = |width, meaning: &str, paint_icon: &dyn Fn(Pos2)| {
        let words = painter.layout_no_wrap(meaning.to_owned(), theme::text(TEXT_SIZE), theme::DIM);
        let after_sign = at + vec2(width + 7.0, 0.0);
        if after_sign.x + words.size().x <= right {
            paint_icon(at);
            paint::galley(
                painter,
                after_sign,
                Align2::LEFT_CENTER,
                words.clone(),
                theme::DIM,
            );
        }
        at.x = after_sign.x + words.size().x + 20.0;
    };
    let tick = |at: Pos2, half_height: f32, width: f32, ink| {
        let y = at.y - half_height..=at.y + half_height;
        painter.vline(at.x + width / 2.0, y, (width, ink));
    };
    let (half, width) = (vec2(HALF.x, 0.0), 2.0 * HALF.x);
    let position = |at, ink| bullet(painter, at + half, ink);
    let real_time = |at| tick(at, 7.0, 2.0, theme::TEAL);
    let earlier = |at| ghost(painter, at + half, theme::DIM);
    icon(3.0, "real-time position", &real_time);
    icon(width, "drawn position", &|at| position(at, theme::BRIGHT));
    icon(width, "last update", &|at| position(at, theme::DIM));
    icon(width, "earlier frames", &earlier);
    let overshoot = |at| ghost(painter, at + half, theme::AMBER);
    icon(width, "overshoot", &overshoot);
    icon(1.0, "update", &|at| tick(at, 4.0, 1.0, theme::TEXT));
    icon(74.0, "updates per frame", &|at| {
        for (updates, more) in ["", "", "", "+"].into_iter().enumerate() {
            let corner = at + vec2(updates as f32 * 19.0, -7.0);
            let block = Rect::from_min_size(corner, vec2(17.0, 14.0));
            painter.rect_filled(block, 2.0, update_colour(updates as u32));
            paint_update_count(painter, block, updates as u32, more);
        }
    });
}
