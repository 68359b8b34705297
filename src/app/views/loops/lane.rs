//! Paints one lane of the Loops view, which shows a frame loop on one machine. A lane contains some metrics, the flying
//! projectile with its earlier positions, and marks for the updates and frames. If the frame loop extrapolates or
//! interpolates the projectile's position, a grey projectile shows the position at the last update.

use crate::app::widgets::buttons::{LinePart, line_job, warning};
use crate::app::widgets::{paint, theme};
use egui::{
    Align2, Color32, CornerRadius, Mesh, Painter, Pos2, Rangef, Rect, Shape, Stroke, StrokeKind,
    Vec2, pos2, vec2,
};
use lab::comparison::loops::projectile::{LAP, Sight, height};
use lab::comparison::loops::{LoopMachine, LoopStats, Sample};
use lab::text::format;
use timeslicer::frame_loop::BetweenUpdates;

/// If the projectile moves at least this far per frame, in points, its earlier positions are drawn as outlines. Otherwise,
/// they are drawn as lines.
const MIN_OUTLINE_DISTANCE: f32 = 9.0;
const GRID_SECTIONS: usize = 10;
/// Half the width and half the height of the projectile, in points.
const HALF: Vec2 = vec2(8.0, 5.0);
const MAX_UNMARKED_ERROR_NANOS: u64 = 100_000_000;

/// The distance from the top of the lane to the floor, as a fraction of its height. Some loops draw below the floor.
const RELATIVE_FLOOR_Y: f32 = 0.66;
const PATH_POINTS: u32 = 200;
const TEXT_SIZE: f32 = 12.0;
const METRICS_SIZE: f32 = 11.5;
const WORD_GAP: f32 = 6.0;

/// Paints the metrics of a lane, at the top and at the bottom. Some of them are left out if space is short.
pub fn paint_metrics(painter: &Painter, cell: Rect, stats: Option<&LoopStats>, is_paused: bool) {
    let at = pos2(cell.left(), cell.top() + 16.0);
    let Some(stats) = stats else {
        let words = if is_paused { "paused" } else { "measuring" };
        paint::left(painter, at, words, TEXT_SIZE, theme::DIM);
        return;
    };
    paint_error_and_speed(painter, at, cell.right(), stats);
    let values = [
        format::number(stats.fps),
        format!("{:.2}", stats.updates),
        format::number(stats.step.as_millis_f64()),
        format!("{:.0}", stats.busy * 100.0),
    ];
    let row = |names: &[&str]| {
        let named = values.iter().zip(names);
        let parts = named.flat_map(|(value, name)| {
            let value = (value.as_str(), true, theme::BRIGHT);
            [value, (*name, false, theme::DIM)]
        });
        line_job(&parts.collect::<Vec<_>>(), METRICS_SIZE)
    };
    let long = [
        " frames/s     ",
        " updates/frame     ",
        " ms step     ",
        " % busy",
    ];
    let rows = [
        row(&long),
        row(&[" fps   ", " updates/frame"]),
        row(&[" fps"]),
    ];
    let at = pos2(cell.left(), cell.bottom() - 12.0);
    paint::first_line(painter, at, Align2::LEFT_CENTER, rows, cell.width());
}

/// Paints how late or early the projectile is drawn at the left end of a line, and the game speed at its right end.
fn paint_error_and_speed(painter: &Painter, at: Pos2, right: f32, stats: &LoopStats) {
    let (size, [long, short]) = format::lateness(stats.error_nanos);
    let is_wrong = stats.error_nanos.unsigned_abs() > MAX_UNMARKED_ERROR_NANOS;
    let ink = theme::warning_or(is_wrong, theme::BRIGHT);
    let error_at = at + vec2(if is_wrong { 15.0 } else { 0.0 }, 0.0);
    let font = theme::mono(TEXT_SIZE);
    let error = painter.text(error_at, Align2::LEFT_CENTER, size, font, ink);
    if is_wrong {
        warning(painter, pos2(error.left() - 10.0, at.y), 4.5);
    }
    let is_off = !stats.keeps_real_time();
    let ink = theme::warning_or(is_off, theme::BRIGHT);
    let speed = format!("{:.2}×", stats.speed);
    let (left, right) = (pos2(error.right() + WORD_GAP, at.y), pos2(right, at.y));
    for (direction, unit) in [(long, "  real time"), (short, ""), ("", "")] {
        let line = |parts: &[LinePart<'_>]| painter.layout_job(line_job(parts, TEXT_SIZE));
        let direction = line(&[(direction, false, theme::DIM)]);
        let speed = line(&[(&speed, true, ink), (unit, false, theme::DIM)]);
        if left.x + direction.size().x + WORD_GAP + speed.size().x <= right.x {
            paint::galley(painter, left, Align2::LEFT_CENTER, direction);
            paint::galley(painter, right, Align2::RIGHT_CENTER, speed);
            return;
        }
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
    let floor = track.floor + HALF.y + 0.5;
    painter.hline(track.left..=track.right, floor, (1.0, theme::LINE));
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
        for back in 0..sample.frame.updates {
            let position = sample.sight.updated - f64::from(back) * sample.frame.step.over(LAP);
            if (0.0..=1.0).contains(&position) {
                let x = track.x(position).round();
                ticks.add_colored_rect(Rect::from_x_y_ranges(x..=x + 1.0, high), theme::TEXT);
            }
        }
    }
    inside.add(Shape::mesh(ticks));
    paint_earlier_positions(&inside, area, &track, &lap);
    let between_updates = loop_machine.between_updates();
    paint_frames(painter, frames, &track, &lap);
    for sample in lap.iter().filter(|sample| sample.frame.is_disturbed) {
        let x = track.x(sample.sight.truth).round() - 0.5;
        let height = area.union(frames).y_range();
        painter.vline(x, height, (1.0, theme::BRIGHT));
    }
    let truth = track.x(last.sight.truth).round() + 0.5;
    inside.vline(truth, area.y_range(), (2.0, theme::TEAL));
    if between_updates.is_some_and(|drawn| drawn != BetweenUpdates::LastUpdate) {
        let position = last.sight.updated;
        bullet(&inside, track.point(position, height(position)), theme::DIM);
    }
    track.paint(&inside, &last.sight, area.right());
}

/// Paints the projectile's earlier positions. Those below the floor are amber.
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
        let ink = theme::warning_or(sample.sight.overshoot() > 0.0, theme::DIM);
        let ink = ink.gamma_multiply(1.0 - (age * 1.2).clamp(0.0, 0.75) as f32);
        let apart = (newer.sight.truth - sample.sight.truth).abs();
        if track.x(apart) - track.left >= MIN_OUTLINE_DISTANCE {
            let outline = Rect::from_center_size(at, HALF * 2.0);
            let stroke = Stroke::new(1.2, ink);
            painter.rect_stroke(outline, CornerRadius::same(5), stroke, StrokeKind::Inside);
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
        let length = sample.frame.length.over(LAP);
        let left = track.x(sample.sight.truth.max(began));
        let right = track.x((sample.sight.truth + length).min(1.0));
        let gap = if right - left > 4.0 { 1.0 } else { 0.0 };
        let block = Rect::from_x_y_ranges(left..=(right - gap).max(left + 0.5), strip.y_range());
        // Frames with more updates are lighter.
        let colour = theme::UPDATES[(sample.frame.updates as usize).min(theme::UPDATES.len() - 1)];
        mesh.add_colored_rect(block, colour);
        if block.width() >= 9.0 && strip.height() >= 12.0 {
            painter.add(Shape::mesh(std::mem::take(&mut mesh)));
            let is_light = sample.frame.updates > 1;
            let ink = if is_light {
                theme::FLOOR
            } else {
                theme::BRIGHT
            };
            let (center, text) = (block.center(), sample.frame.updates.to_string());
            painter.text(center, Align2::CENTER_CENTER, text, theme::mono(10.0), ink);
        }
    }
    painter.add(Shape::mesh(mesh));
}

/// Paints the legend of the Loops view. Entries that do not fit are left out.
pub fn legend(painter: &Painter, at: Pos2, right: f32) {
    let entries: [(&str, &[Color32], &str); 7] = [
        ("|", &[theme::TEAL], "real-time position"),
        ("●", &[theme::BRIGHT], "drawn position"),
        ("●", &[theme::DIM], "last update"),
        ("○", &[theme::DIM], "earlier frames"),
        ("○", &[theme::AMBER], "overshoot"),
        ("|", &[theme::TEXT], "update"),
        ("■", &theme::UPDATES, "0, 1, 2, or more updates per frame"),
    ];
    let entries = entries.map(|(sign, inks, meaning)| {
        let signs = inks.iter().map(|ink| (sign, true, *ink));
        let meaning = [(" ", true), (meaning, false), ("   ", true)];
        let meaning = meaning.map(|(words, is_mono)| (words, is_mono, theme::DIM));
        signs.chain(meaning).collect::<Vec<LinePart<'_>>>()
    });
    let lines = (1..=entries.len()).rev();
    let lines = lines.map(|count| line_job(&entries[..count].concat(), TEXT_SIZE));
    paint::first_line(painter, at, Align2::LEFT_CENTER, lines, right - at.x);
}

struct Track {
    left: f32,
    right: f32,
    /// The y coordinate of the projectile when it touches the floor.
    floor: f32,
    /// The vertical distance between the lowest and the highest point of the projectile's path.
    rise: f32,
}

impl Track {
    /// Converts a position on the track, from 0 at its start to 1 at its end, to an x coordinate.
    fn x(&self, position: f64) -> f32 {
        self.left + position as f32 * (self.right - self.left)
    }

    /// Converts a position on the track and a height, from 0 at the floor to 1 at the top, to a point on the screen.
    fn point(&self, position: f64, height: f64) -> Pos2 {
        pos2(self.x(position), self.floor - self.rise * height as f32)
    }

    /// Paints the projectile, with a dashed line to where it would be in real time, or an arrow beyond `right_edge`.
    fn paint(&self, painter: &Painter, sight: &Sight, right_edge: f32) {
        let (drawn, truth) = (self.point(sight.drawn, sight.height), self.x(sight.truth));
        let (seen, y) = (drawn.x.min(right_edge - HALF.x), drawn.y);
        if (seen - truth).abs() > 2.5 * HALF.x {
            let line = [pos2(truth, y), pos2(seen, y)];
            let stroke = Stroke::new(1.4, theme::AMBER);
            painter.extend(Shape::dashed_line(&line, stroke, 3.0, 3.0));
        }
        if drawn.x > right_edge {
            let tip = pos2(right_edge - 4.0, y);
            let points = vec![tip, tip + vec2(-9.0, -6.0), tip + vec2(-9.0, 6.0)];
            painter.add(Shape::convex_polygon(points, theme::AMBER, Stroke::NONE));
        } else {
            bullet(painter, pos2(seen, y), theme::BRIGHT);
        }
    }
}

fn bullet(painter: &Painter, center: Pos2, ink: Color32) {
    let body = Rect::from_center_size(center, HALF * 2.0);
    painter.rect_filled(body, CornerRadius::same(5), ink);
}
