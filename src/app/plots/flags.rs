//! Marks hitches and interrupted frames in the frame time plot.

use super::columns::Columns;
use crate::app::widgets::theme;
use egui::{Color32, Painter, Rect, Shape, Stroke, pos2};
use lab::history::PastFrame;
use lab::history::hitch::{interruption, is_by_tasks, is_flagged};
use std::cmp::Reverse;

const MIN_TRIANGLE_DISTANCE: f32 = 8.0;
/// If hitches are on average closer together than this, in points, only the worst and those off the scale are marked.
const CROWDED_HITCH_DISTANCE: f32 = 12.0;

pub fn paint_flags(painter: &Painter, plot: Rect, columns: &Columns<'_>, max_ms: f64) {
    for (x, past) in flagged(columns, max_ms) {
        let share = (past.record.length.as_millis_f64() / max_ms).min(1.0) as f32;
        let y = (plot.bottom() - plot.height() * share - 3.0).max(plot.top() + 5.0);
        let at = |dx: f32, dy: f32| pos2(x + dx, y + dy);
        let triangle = vec![at(-4.0, 2.0), at(0.0, -5.0), at(4.0, 2.0)];
        painter.add(Shape::convex_polygon(triangle, ink(past), Stroke::NONE));
    }
}

/// Returns the colour that marks a hitch: a neutral one unless tasks or scheduling contributed to it.
pub fn ink(past: &PastFrame) -> Color32 {
    theme::warning_or(is_by_tasks(past), theme::TEXT)
}

/// Returns the frames to mark with a triangle, and their x coordinates. Interrupted frames come first, because nothing
/// else in the plot shows an interruption. All other hitches follow, starting with the longest.
fn flagged<'a>(columns: &Columns<'a>, max_ms: f64) -> Vec<(f32, &'a PastFrame)> {
    let frames = columns.frames.iter().copied();
    let mut hitches: Vec<&PastFrame> = frames.filter(|past| is_flagged(past)).collect();
    let rank = |past: &&PastFrame| (interruption(past), past.record.length, past.record.number);
    hitches.sort_by_key(|past| Reverse(rank(past)));
    let shown = columns.frames.len() as f32 * columns.width;
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
    use egui::vec2;
    use lab::history::History;
    use lab::testing::history;
    use timeslicer::time::Nanos;

    fn numbers(history: &History, top: f64) -> Vec<u64> {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(796.0, 226.0));
        let columns = Columns::new(rect, 16.0, history, 3.0, None);
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
        assert_eq!(numbers(&history(&lengths), 60.0), [239], "the newest");
        (lengths[50], lengths[90]) = (90, 70);
        assert_eq!(numbers(&history(&lengths), 60.0), [50, 90]);
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
