//! Marks hitches and interrupted frames in the frame time plot with triangles. Labels show how long the worst of these
//! frames took, and why.

use super::columns::Columns;
use crate::app::widgets::theme;
use egui::{Align2, Color32, CornerRadius, Painter, Rangef, Rect, Shape, Stroke, pos2, vec2};
use lab::history::PastFrame;
use lab::history::hitch::{cause, interruption, is_by_tasks, is_flagged};
use lab::text::format;
use std::cmp::Reverse;

const FRAME_RATE_LABEL_WIDTH: f32 = 48.0;
const MIN_TRIANGLE_DISTANCE: f32 = 8.0;
/// If the average distance between hitches is smaller than this, in points, only some hitches are marked: the worst
/// one, and those that are too long for the plot.
const CROWDED_HITCH_DISTANCE: f32 = 12.0;

pub fn paint_flags(painter: &Painter, plot: Rect, columns: &Columns<'_>, max_ms: f64) {
    let flagged = flagged(columns, max_ms);
    for (x, past) in &flagged {
        let share = (past.record.length.as_millis_f64() / max_ms).min(1.0) as f32;
        let y = (plot.bottom() - plot.height() * share - 3.0).max(plot.top() + 5.0);
        let at = |dx: f32, dy: f32| pos2(x + dx, y + dy);
        let triangle = vec![at(-4.0, 2.0), at(0.0, -5.0), at(4.0, 2.0)];
        painter.add(Shape::convex_polygon(triangle, ink(past), Stroke::NONE));
    }
    let room = Rangef::new(plot.left() + FRAME_RATE_LABEL_WIDTH, plot.right());
    let mut taken: Vec<Rangef> = flagged.iter().map(|(x, _)| Rangef::point(*x)).collect();
    for (index, (x, past)) in flagged.iter().enumerate() {
        let (ink, ms) = (ink(past), format::millis(past.record.length));
        let words = if interruption(past).is_zero() {
            format!("{ms} ms: {}", cause(past))
        } else {
            format!("frame {}", cause(past))
        };
        let galley = painter.layout_no_wrap(words, theme::text(10.5), ink);
        let size = vec2(galley.size().x + 10.0, 14.0);
        let has_room_right = x + 7.0 + size.x <= room.max;
        let left = if has_room_right {
            x + 7.0
        } else {
            x - 7.0 - size.x
        };
        let left = left.max(room.min);
        let label = Rangef::new(left, left + size.x).expand(6.0);
        // The first label belongs to the worst frame, so it may cover other flags.
        if index > 0 && taken.iter().any(|other| other.intersects(label)) {
            continue;
        }
        taken.push(label);
        let ground = Rect::from_min_size(pos2(left.round(), plot.top() + 1.0), size);
        let corners = CornerRadius::same(3);
        painter.rect_filled(ground, corners, theme::WELL.gamma_multiply(0.9));
        painter.rect_filled(ground, corners, ink.gamma_multiply(0.18));
        let at = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), ground);
        painter.galley(at.min, galley, ink);
    }
}

/// Returns the colour that marks a frame with a hitch. It is the warning colour only if tasks or scheduling contributed
/// to the hitch. Other hitches have a neutral colour, because no strategy can prevent them.
pub fn ink(past: &PastFrame) -> Color32 {
    if is_by_tasks(past) {
        theme::AMBER
    } else {
        theme::TEXT
    }
}

/// Returns the frames to mark with a triangle, and their x coordinates. Interrupted frames come first, because nothing
/// else in the plot shows an interruption. All other hitches follow, starting with the longest.
fn flagged<'a>(columns: &Columns<'a>, max_ms: f64) -> Vec<(f32, &'a PastFrame)> {
    let frames = columns.frames.iter().copied();
    let mut hitches: Vec<&PastFrame> = frames.filter(|past| is_flagged(past)).collect();
    let rank = |past: &&PastFrame| (interruption(past), past.record.length, past.record.number);
    hitches.sort_by_key(|past| Reverse(rank(past)));
    let shown = columns.frames.len() as f32 * columns.width / columns.frames_per_column as f32;
    let is_crowded = hitches.len() as f32 * CROWDED_HITCH_DISTANCE > shown;
    let mut flagged: Vec<(f32, &PastFrame)> = Vec::new();
    for (index, past) in hitches.into_iter().enumerate() {
        let x = columns.column_left(past.record.number) + columns.width / 2.0;
        let is_apart = flagged
            .iter()
            .all(|(other, _)| (other - x).abs() >= MIN_TRIANGLE_DISTANCE);
        let is_extreme = index == 0 || past.record.length.as_millis_f64() > max_ms;
        let is_wanted = is_apart && (is_extreme || !is_crowded);
        if is_wanted || !interruption(past).is_zero() {
            flagged.push((x, past));
        }
    }
    flagged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::plots::columns::Zoom;
    use lab::history::History;
    use lab::testing::history;
    use timeslicer::time::Nanos;

    fn numbers(history: &History, top: f64) -> Vec<u64> {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(796.0, 226.0));
        let columns = Columns::new(rect, 16.0, history, Zoom::default(), None);
        let flagged = flagged(&columns, top);
        flagged.iter().map(|(_, past)| past.record.number).collect()
    }

    #[test]
    fn interrupted_frame_is_always_flagged() {
        for others in [16, 40] {
            let mut history = history(&[others; 100]);
            let mut past = history.frames()[99].clone();
            past.record.number = 100;
            past.outside = Nanos::SECOND;
            history.push(past);
            assert!(numbers(&history, 60.0).contains(&100), "{others} ms");
        }
    }

    #[test]
    fn only_extreme_frames_are_flagged_if_all_are_hitches() {
        let mut lengths = [30; 240];
        (lengths[50], lengths[90]) = (90, 70);
        assert_eq!(numbers(&history(&lengths), 60.0), [50, 90]);
        lengths[90] = 59;
        assert_eq!(numbers(&history(&lengths), 60.0), [50]);
        assert_eq!(numbers(&history(&[30; 240]), 60.0), [239], "the newest");
    }

    #[test]
    fn triangles_do_not_overlap() {
        let mut lengths = [16; 240];
        (lengths[100], lengths[101], lengths[102], lengths[103]) = (40, 50, 40, 30);
        assert_eq!(numbers(&history(&lengths), 60.0), [101]);
        lengths[104] = 30;
        assert_eq!(numbers(&history(&lengths), 60.0), [101, 104]);
    }
}
