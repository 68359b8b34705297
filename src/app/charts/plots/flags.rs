//! Flags on hitches and interrupted frames: a triangle on each, and the length and cause of the longest.

use crate::app::charts::columns::Columns;
use crate::app::widgets::theme;
use egui::{Align2, Color32, CornerRadius, Painter, Rangef, Rect, Shape, Stroke, pos2, vec2};
use headless::history::PastFrame;
use headless::history::hitch::{cause, interruption, is_by_tasks, is_flagged};
use headless::stats::hitch_from;
use headless::text::format;
use std::cmp::Reverse;

/// Width of the frame rates at the left end, in points.
const RATES: f32 = 48.0;
/// Minimum distance between triangles, in points. A closer triangle is left out unless its frame was interrupted.
const APART: f32 = 8.0;
/// Minimum average distance between hitches, in points, to flag them all. If hitches are closer together, only the
/// longest, those cut off at the top and interrupted frames get a flag.
const CROWDED: f32 = 12.0;
/// Maximum number of flags that get a label.
const TRIED: usize = 24;

/// Paints the flags of a plot whose scale ends at `top` milliseconds.
pub fn flags(painter: &Painter, plot: Rect, columns: &Columns<'_>, top: f64) {
    let flagged = flagged(columns, top);
    for (x, past) in &flagged {
        let share = (past.record.length.as_millis_f64() / top).min(1.0) as f32;
        let y = (plot.bottom() - plot.height() * share - 3.0).max(plot.top() + 5.0);
        let at = |dx: f32, dy: f32| pos2(x + dx, y + dy);
        let triangle = vec![at(-4.0, 2.0), at(0.0, -5.0), at(4.0, 2.0)];
        painter.add(Shape::convex_polygon(triangle, ink(past), Stroke::NONE));
    }
    let labels = flagged.iter().take(TRIED).map(|(x, past)| {
        let ink = ink(past);
        let galley = painter.layout_no_wrap(label(past), theme::text(10.5), ink);
        (*x, galley, ink)
    });
    let labels: Vec<_> = labels.collect();
    let widths: Vec<(f32, f32)> = labels
        .iter()
        .map(|(x, galley, _)| (*x, galley.size().x + 10.0))
        .collect();
    let flags: Vec<f32> = flagged.iter().map(|(x, _)| *x).collect();
    let room = Rangef::new(plot.left() + RATES, plot.right());
    for ((_, galley, ink), left) in labels.into_iter().zip(places(&widths, &flags, room)) {
        let Some(left) = left else { continue };
        let size = vec2(galley.size().x + 10.0, 14.0);
        let ground = Rect::from_min_size(pos2(left.round(), plot.top() + 1.0), size);
        let corners = CornerRadius::same(3);
        painter.rect_filled(ground, corners, theme::WELL.gamma_multiply(0.9));
        painter.rect_filled(ground, corners, ink.gamma_multiply(0.18));
        let at = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), ground);
        painter.galley(at.min, galley, ink);
    }
}

/// Returns the colour of a flag: amber only if tasks are the cause, because no strategy can make drawing faster or
/// prevent an interruption.
fn ink(past: &PastFrame) -> Color32 {
    if is_by_tasks(past) {
        theme::AMBER
    } else {
        theme::TEXT
    }
}

/// Returns the length of a frame and its cause, or only the cause if the frame was interrupted but is no hitch. A comma
/// separates the two if the cause is an interruption, because the length does not include it.
fn label(past: &PastFrame) -> String {
    let ms = format::millis(past.record.length);
    match (
        interruption(past).is_zero(),
        past.record.length > hitch_from(past.period),
    ) {
        (true, _) => format!("{ms} ms {}", cause(past)),
        (false, true) => format!("{ms} ms, {}", cause(past)),
        (false, false) => cause(past),
    }
}

/// Returns the frames that get a triangle, each with the middle of its column: the longest hitch first, then
/// interrupted frames, which nothing else shows, then the other hitches that are far enough apart.
fn flagged<'a>(columns: &Columns<'a>, top: f64) -> Vec<(f32, &'a PastFrame)> {
    let hitches = columns.frames.iter().copied();
    let mut hitches: Vec<&PastFrame> = hitches.filter(|past| is_flagged(past)).collect();
    let longest = hitches.iter().map(|past| past.record.length).max();
    let shown = columns.frames.len() as f32 * columns.width / columns.each as f32;
    let crowded = hitches.len() as f32 * CROWDED > shown;
    let is_cut_off = |past: &PastFrame| past.record.length.as_millis_f64() > top;
    if crowded {
        hitches.retain(|past| {
            !interruption(past).is_zero() || is_cut_off(past) || Some(past.record.length) == longest
        });
    }
    hitches.sort_by_key(|past| {
        let is_longest = Some(past.record.length) == longest;
        let length = past.record.length;
        Reverse((is_longest, interruption(past), length, past.record.number))
    });
    let mut flagged: Vec<(f32, &PastFrame)> = Vec::new();
    for past in hitches {
        let Some(x) = columns.x_of_frame(past.record.number) else {
            continue;
        };
        let is_apart = flagged.iter().all(|(other, _)| (other - x).abs() >= APART);
        if is_apart || !interruption(past).is_zero() {
            flagged.push((x, past));
        }
    }
    flagged
}

/// Returns the left edge of each label, or `None` if it has no room. `labels` holds the x of each label's flag and the
/// label's width. The first label always has a place inside `room`. Another label has one only if it covers no other
/// flag and no label.
fn places(labels: &[(f32, f32)], flags: &[f32], room: Rangef) -> Vec<Option<f32>> {
    let mut taken: Vec<Rangef> = Vec::new();
    let place = |&(x, width): &(f32, f32)| {
        let span = |left: f32| Rangef::new(left - 6.0, left + width + 6.0);
        let covered = |left: f32| {
            let others = flags.iter().filter(|&&flag| flag != x);
            others.filter(|&&flag| span(left).contains(flag)).count()
        };
        let sides = [x + 7.0, x - 7.0 - width];
        let is_inside = |&left: &f32| left >= room.min && left + width <= room.max;
        let mut inside = sides.into_iter().filter(is_inside);
        let place = if taken.is_empty() {
            // If neither side has room, the label is as close to the flag as possible.
            let nearest = sides[0].min(room.max - width).max(room.min);
            Some(inside.min_by_key(|&left| covered(left)).unwrap_or(nearest))
        } else {
            let is_free = |left| !taken.iter().any(|other| other.intersects(span(left)));
            inside.find(|&left| covered(left) == 0 && is_free(left))
        };
        taken.extend(place.map(span));
        place
    };
    labels.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::charts::columns::Zoom;
    use crate::app::charts::plots::RIGHT;
    use headless::history::History;
    use headless::sim::lane::FrameRecord;
    use timeslicer::time::Nanos;

    const ROOM: Rangef = Rangef {
        min: 108.0,
        max: 780.0,
    };

    fn history(lengths_ms: impl IntoIterator<Item = u64>) -> History {
        let mut history = History::default();
        for (number, ms) in (0..).zip(lengths_ms) {
            history.push(PastFrame {
                record: FrameRecord {
                    number,
                    length: Nanos::from_millis(ms),
                    ..FrameRecord::default()
                },
                ..PastFrame::default()
            });
        }
        history
    }

    fn numbers(history: &History, top: f64) -> Vec<u64> {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(796.0, 226.0));
        let columns = Columns::new(rect, RIGHT, history, Zoom::default(), None);
        let flagged = flagged(&columns, top);
        flagged.iter().map(|(_, past)| past.record.number).collect()
    }

    #[test]
    fn interrupted_frame_is_always_flagged() {
        for others in [16, 40] {
            let mut history = history([others; 100]);
            history.push(PastFrame {
                record: FrameRecord {
                    number: 100,
                    length: Nanos::from_millis(9),
                    ..FrameRecord::default()
                },
                outside: Nanos::SECOND,
                ..PastFrame::default()
            });
            assert!(numbers(&history, 60.0).contains(&100), "{others} ms");
        }
    }

    #[test]
    fn interruption_is_not_shown_as_the_frames_length() {
        let mut past = PastFrame {
            outside: Nanos::SECOND,
            ..PastFrame::default()
        };
        assert_eq!(label(&past), cause(&past));
        past.record.length = Nanos::from_millis(40);
        assert_eq!(label(&past), format!("40.0 ms, {}", cause(&past)));
        past.outside = Nanos::ZERO;
        past.record.drawing = past.record.length;
        assert_eq!(label(&past), "40.0 ms drawing");
    }

    #[test]
    fn only_extreme_frames_are_flagged_if_all_are_hitches() {
        let mut lengths = [30; 240];
        (lengths[50], lengths[90]) = (90, 70);
        assert_eq!(numbers(&history(lengths), 60.0), [50, 90]);
        lengths[90] = 59;
        assert_eq!(numbers(&history(lengths), 60.0), [50]);
    }

    #[test]
    fn triangles_do_not_overlap() {
        let mut lengths = [16; 240];
        (lengths[100], lengths[101], lengths[102], lengths[103]) = (40, 50, 40, 30);
        assert_eq!(numbers(&history(lengths), 60.0), [101]);
        lengths[104] = 30;
        assert_eq!(numbers(&history(lengths), 60.0), [101, 104]);
    }

    #[test]
    fn longest_hitch_always_has_a_label() {
        let crowd: Vec<f32> = (6..78).map(|x| x as f32 * 10.0).collect();
        for x in [60.0, 61.0, 108.0, 400.0, 779.0] {
            let left = places(&[(x, 120.0)], &crowd, ROOM)[0].unwrap();
            assert!(left >= ROOM.min && left + 120.0 <= ROOM.max, "{x}: {left}");
        }
        assert_eq!(places(&[(400.0, 900.0)], &[], ROOM), [Some(ROOM.min)]);
    }

    #[test]
    fn other_labels_are_dropped_if_they_would_overlap() {
        let flags = [400.0, 420.0, 600.0];
        let labels = flags.map(|x| (x, 100.0));
        let places = places(&labels, &flags, ROOM);
        assert_eq!(places, [Some(293.0), Some(427.0), Some(607.0)]);
        let crowded = super::places(&[(400.0, 100.0), (460.0, 100.0)], &[400.0, 460.0], ROOM);
        assert_eq!(crowded, [Some(293.0), Some(467.0)]);
        let flags = [300.0, 400.0, 500.0];
        let none = super::places(&[(300.0, 90.0), (400.0, 190.0)], &flags, ROOM);
        assert_eq!(none, [Some(203.0), None]);
    }
}
